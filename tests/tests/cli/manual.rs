//! The command's manual, `compiler/README.md`, against the command: its commands run, its tables of JSON have every
//! field and no other, and its exit codes match `--help`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use onion_tests::{rooms, samples};
use serde_json::Value;

use crate::folder::*;

/// Returns the part of the manual below a heading.
fn section(heading: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compiler/README.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, below) = text.split_once(&format!("\n## {heading}\n")).unwrap();
    below.split("\n## ").next().unwrap().to_owned()
}

/// Returns the cells of the tables of a section, without the header rows.
fn table_rows(section: &str) -> Vec<Vec<String>> {
    let rows = section.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = |row: &str| {
        let cells = row.trim_end_matches(" |").split(" | ");
        cells.map(str::to_owned).collect()
    };
    rows.skip(1).map(cells).collect()
}

#[test]
#[cfg(unix)]
fn its_commands_run() {
    let folder = Folder::with_map("courtyard");
    folder.write("segments.csv", "sx,sy,sz,ex,ey,ez\n0,-640,24,0,-300,24\n");
    folder.write("points.csv", "x,y,z\n0,-640,24\n");
    let binaries = binary().parent().unwrap().to_str().unwrap();
    let path = format!("{binaries}:{}", std::env::var("PATH").unwrap());
    let section = section("Commands");
    let commands: Vec<&str> = section
        .lines()
        .filter(|line| line.starts_with("onionc "))
        .collect();
    assert!(commands.len() >= 9, "{commands:?}");
    for command in commands {
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(folder.0.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {stderr}");
    }
    let pairs = ["map.onion", "piped.onion"].map(|name| folder.read(name).is_empty());
    assert_eq!(pairs, [false, false]);
}

/// The pictures match the commands that are printed above them; look at a new picture before you replace the file.
#[test]
fn pictures_are_what_their_commands_draw() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manuals = ["README.md", "compiler/README.md"];
    let manuals = manuals.map(|path| fs::read_to_string(root.join(path)).unwrap());
    for (sample, hulls, picture) in [
        (
            "courtyard",
            "--hull stand:16x56 --hull crouch:16x32",
            "courtyard",
        ),
        (
            "wedge",
            "--hull box:32x56 --hull round:cylinder:32x56",
            "cylinder",
        ),
    ] {
        let render = format!("render sample-maps/{sample}.onion ");
        let mut lines = manuals.iter().flat_map(|manual| manual.lines());
        let command = lines.find_map(|line| Some(&line[line.find(&render)?..]));
        let folder = Folder::new();
        folder.make_folder("sample-maps");
        folder.write(&format!("sample-maps/{sample}.bsp"), sample_bytes(sample));
        folder.succeed(&format!("sample-maps/{sample}.bsp {hulls}"));
        folder.succeed(command.unwrap());
        let drawn = folder.read(&format!("sample-maps/{sample}.png"));
        let kept = root.join(format!("compiler/doc/{picture}.png"));
        assert!(drawn == fs::read(kept).unwrap(), "{picture}");
    }
}

#[test]
fn its_report_is_that_of_the_command() {
    let folder = Folder::with_map("courtyard");
    let report = folder.succeed("map.bsp --hull stand:16x56 --hull crouch:16x32");
    let section = section("Report");
    let is_printed = section.contains(&format!("```text\n{report}```\n"));
    assert!(is_printed, "the manual has another report than\n{report}");
}

/// Adds the path of every value that is not an object: `a.b`, or `a[].b` for values in a list of objects.
fn add_paths(value: &Value, path: &str, paths: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                add_paths(value, &format!("{path}{dot}{name}"), paths);
            }
        }
        Value::Array(items) if items.iter().any(|item| !item.is_number()) => {
            let path = format!("{path}[]");
            for item in items {
                match item {
                    Value::Object(_) => add_paths(item, &path, paths),
                    _ => _ = paths.insert(path.clone()),
                }
            }
        }
        Value::Array(items) if items.is_empty() => {}
        _ => _ = paths.insert(path.to_owned()),
    }
}

#[test]
fn it_lists_all_fields_of_the_json_report() {
    let folder = Folder::new();
    let mut paths = BTreeSet::new();
    let mut compile = |map: Vec<u8>, options: &str| {
        folder.write("map.bsp", map);
        folder.run(&format!("map.bsp {options} -q --json=report.json"));
        let report = folder.read_json("report.json");
        add_paths(&report, "", &mut paths);
    };
    let hulls = "--hull stand:16x56 --hull point:point --compare-groups --brushes";
    compile(sample_bytes("courtyard"), hulls);
    compile(sample_bytes("door"), hulls);
    compile(
        samples::write(&rooms::with_hole(4.0, 64.0)),
        "--hull point:point",
    );
    // Null if nothing was compared: the path of an object that exists elsewhere.
    let whole = paths.clone();
    paths.retain(|path| {
        !whole
            .iter()
            .any(|other| other.starts_with(&format!("{path}.")))
    });

    assert_listed(&paths, "JSON report");
}

#[test]
fn it_lists_all_fields_of_the_report_of_a_run() {
    let folder = Folder::with_map("room");
    folder.write("bad.bsp", "IBSP");
    let mut paths = BTreeSet::new();
    for arguments in ["map.bsp bad.bsp --hull stand:16x56", "map.bsp"] {
        folder.run(&format!("{arguments} --report report.json"));
        let report = folder.read_json("report.json");
        add_paths(&report, "", &mut paths);
    }
    // The fields of `report` are in a separate table.
    let is_own = |path: &String| !path.starts_with("maps[].report.");
    let objects = ["error", "maps[].error"];
    paths.retain(|path| is_own(path) && !objects.contains(&path.as_str()));
    assert_listed(&paths, "Report of a run");
}

#[test]
fn it_lists_all_fields_of_the_json_of_diff() {
    let folder = Folder::with_onion("low_tunnel");
    folder.succeed("map.bsp --hull stand:16x48 --no-fill -o other.onion");
    let mut paths = BTreeSet::new();
    let diff = folder.succeed_json("diff map.onion other.onion --json");
    add_paths(&diff, "", &mut paths);
    assert_listed(&paths, "What changed");
}

#[test]
fn it_lists_all_fields_of_the_json_of_info() {
    let folder = Folder::with_onion("door");
    folder.succeed("map.bsp --hull stand:16x56 --floors");
    let mut paths = BTreeSet::new();
    add_paths(
        &folder.succeed_json("info map.onion --json"),
        "",
        &mut paths,
    );
    assert_listed(&paths, "JSON of info");
}

/// Fields of other parts of the report are in other tables.
#[test]
fn it_lists_all_fields_of_the_json_of_conditions() {
    let mut map = rooms::pit();
    map.spawn([-264, 0, 120], 0);
    // A corner that is too low for an ogre.
    map.cuboid(
        samples::Shader::Wall,
        [-256.0, 128.0, 160.0],
        [-128.0, 256.0, 256.0],
    );
    let folder = Folder::new();
    folder.write("map.bsp", samples::write(&map));
    folder.succeed("map.bsp --hull stand:16x56 --hull ogre:32x88 --floors");
    let plain = folder.succeed_json("reach map.onion --json");
    let conditions = "--require 'item_* from info_player_*' --forbid-traps";
    let run = folder.run(&format!("reach map.onion {conditions} --json"));
    assert_eq!(run.code, BROKEN, "{}", run.stderr);
    let all = serde_json::from_str(&run.stdout).unwrap();
    let [mut paths, mut others] = [BTreeSet::new(), BTreeSet::new()];
    add_paths(&all, "", &mut paths);
    add_paths(&plain, "", &mut others);
    let own: BTreeSet<String> = paths.difference(&others).cloned().collect();
    let lists = ["agents[]", "stranded[]", "missing[]", "traps[]", "only[]"];
    for list in lists {
        let is_there = own.iter().any(|path| path.starts_with(list));
        assert!(is_there, "the report has no {list}");
    }
    let text = section("What hulls reach");
    let (_, below) = text
        .split_once("`--json` has these fields besides")
        .unwrap();
    let listed = table_rows(below);
    let listed = listed.iter().flat_map(|row| row[0].split(", "));
    let listed: BTreeSet<String> = listed.map(|field| field.replace('`', "")).collect();
    assert_eq!(listed, own);
}

/// Checks that the table of a section lists these fields and no others.
fn assert_listed(paths: &BTreeSet<String>, heading: &str) {
    let rows = table_rows(&section(heading));
    let listed = rows.iter().flat_map(|row| row[0].split(", "));
    let listed: BTreeSet<String> = listed.map(|field| field.replace('`', "")).collect();
    let missing: Vec<_> = paths.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(paths).collect();
    assert!(missing.is_empty(), "{heading} does not list {missing:?}");
    assert!(gone.is_empty(), "{heading} lists {gone:?}, which are gone");
}

#[test]
fn its_exit_codes_are_those_of_the_help() {
    let help = Folder::new().succeed("--help");
    let (_, codes) = help.split_once("Exit codes:\n").unwrap();
    let codes: Vec<Vec<String>> = codes
        .lines()
        .filter_map(|line| line.trim().split_once("  "))
        .map(|(code, meaning)| vec![code.to_owned(), meaning.to_owned()])
        .collect();
    assert_eq!(table_rows(&section("Exit codes")), codes);
    let own = [USAGE, CANNOT_READ, BAD_INPUT, CANNOT_WRITE, FAILED, BROKEN];
    let numbers: Vec<i32> = codes.iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(numbers[1..], own);
}
