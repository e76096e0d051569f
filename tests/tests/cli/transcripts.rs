//! Transcripts: the output of commands, word for word, as kept in `tests/golden/cli`. With `ONION_BLESS=1` in the
//! environment the files are rewritten; read the changes before you commit them.
//!
//! A transcript has a line `$ onionc …` for each command, then its standard output, its standard error after `! `,
//! and its exit code unless that is 0.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use onion_tests::{rooms, samples};

use crate::folder::*;

/// Runs commands and compares the transcript with the file of that name.
fn compare(name: &str, folder: &Folder, commands: &[&str]) {
    let mut text = String::new();
    for command in commands {
        let run = folder.run(command);
        writeln!(text, "$ onionc {command}").unwrap();
        for line in run.stdout.lines() {
            writeln!(text, "{}", timeless(line.trim_end())).unwrap();
        }
        for line in run.stderr.lines() {
            writeln!(text, "{}", format!("! {line}").trim_end()).unwrap();
        }
        if run.code != 0 {
            writeln!(text, "exit code {}", run.code).unwrap();
        }
        text.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/cli");
    let path = path.join(name).with_extension("txt");
    if std::env::var_os("ONION_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        text == golden,
        "{} differs (ONION_BLESS=1 writes it anew); now it is\n{text}",
        path.display()
    );
}

/// Removes the numbers from a line with the seconds of stages.
fn timeless(line: &str) -> String {
    match line.strip_prefix("seconds: ") {
        Some(_) => line.replace(|letter: char| letter.is_ascii_digit() || letter == '.', ""),
        None => line.to_owned(),
    }
}

#[test]
fn help() {
    let commands = [
        "",
        "--help",
        "help compile",
        "compile -h",
        "help trace",
        "help point",
        "help verify",
        "help info",
        "help render",
        "help view",
        "help reach",
        "help diff",
        "help export",
        "--version",
    ];
    compare("help", &Folder::new(), &commands);
}

#[test]
fn reports() {
    let commands = [
        "map.bsp --hull stand:16x56 --hull crouch:16x32",
        "map.bsp --hull stand:16x56 --hull point:point --brushes --verbose",
        "map.bsp --hull stand:16x56 --no-fill --no-surfaces --group each -v",
        "map.bsp --hull stand:16x56 --hull crouch:16x32 --agent man:stand,crouch:jump=56 --floors --no-fast -v",
        "map.bsp --hull stand:16x56 --fill-from light",
        "info map.onion",
        "verify map.onion map.bsp",
        "trace map.onion --hull stand --from 0,0,24 --to 400,0,24",
        "point map.onion --at 0,0,24",
        "render map.onion",
        "render map.onion map.bsp --slice y=0 --hull stand --size 640 -o side.png",
        "reach map.onion --pts low.pts",
        "reach map.onion map.bsp",
        "reach map.onion --json",
        "map.bsp --hull stand:16x48 --no-fill -o other.onion -q",
        "diff map.onion other.onion -o changes.png",
        "export map.onion map.bsp --parts skins,walls -o map.glb",
    ];
    compare("reports", &Folder::with_map("low_tunnel"), &commands);
}

#[test]
fn warnings() {
    let folder = Folder::new();
    let mut map = rooms::with_hole(4.0, 64.0);
    for x in [0, 8, 16, 24, 32] {
        map.point_entity("item_health", [x, 0, 1 << 20], 0);
    }
    folder.write("map.bsp", samples::write(&map));
    let hulls = "--hull stand:4x32 --hull crouch:4x16 --hull big:16x56:contents=solid";
    compare(
        "warnings",
        &folder,
        &[&format!("map.bsp {hulls} --hull point:point")],
    );
    let other = Folder::with_onion("room");
    let mut changed = sample_bytes("room");
    changed.push(0);
    other.write("map.bsp", changed);
    compare("other-map", &other, &["verify map.onion map.bsp"]);
}

/// A hall with a hole as wide as a hull in its middle, a niche of the same width, a low ceiling in a corner, a
/// pocket, and, in the wall, the end of a teleporter and an item: a line of each kind, in the order in which a mapper
/// mends them.
#[test]
fn places() {
    let mut map = samples::Map::new("places", "Places");
    for [mins, maxs] in [
        [[-192, -96, -16], [192, 96, 0]],
        [[-192, -96, 160], [192, 96, 176]],
        [[-192, -96, 0], [192, -80, 160]],
        [[-192, 80, 0], [192, 96, 160]],
        [[-192, -80, 0], [-176, 80, 160]],
        [[176, -80, 0], [192, 80, 160]],
        [[-16, -80, 0], [16, -16, 160]],
        [[-16, 16, 0], [16, 80, 160]],
        [[-176, -80, 0], [-136, -56, 160]],
        [[-176, -24, 0], [-136, 0, 160]],
        [[112, -80, 40], [176, 0, 160]],
        [[192, -96, -16], [208, 96, 0]],
    ] {
        map.cuboid(
            samples::Shader::Wall,
            mins.map(f64::from),
            maxs.map(f64::from),
        );
    }
    map.point_entity("item_health", [0, 60, 60], 0);
    map.point_entity("misc_teleporter_dest", [0, -60, 60], 0);
    map.spawn([-100, 0, 24], 0);
    map.spawn([100, 40, 24], 0);
    let folder = Folder::new();
    folder.write("map.bsp", samples::write(&map));
    folder.run("map.bsp --hull stand:16x56 --hull crouch:16x32 -q");
    compare("places", &folder, &["reach map.onion map.bsp"]);
}

/// A pit that no agent gets out of and items that none gets to break the conditions of a build.
#[test]
fn conditions() {
    let folder = Folder::new();
    folder.write("map.bsp", samples::write(&rooms::pit()));
    folder.succeed("map.bsp --hull stand:16x56 --hull crouch:16x32 --hull ogre:32x88 --floors");
    let commands = [
        "reach map.onion --agent stand --require 'item_* from info_player_*' --forbid-traps --pts broken.pts",
        "reach map.onion --require 'item_armor_* from info_player_*'",
        "reach map.onion --agent ogre --forbid-traps --starts item_health",
        "reach map.onion --agent imp",
        "reach map.onion --require 'weapon_* from info_player_*'",
        "reach map.onion --require weapons",
        "reach map.onion --forbid-traps --starts ''",
        "render map.onion --floors",
        "export map.onion -o map.bin",
        "export map.onion --agent stand -o map.bin",
        "export map.onion --agent stand -o map.bin",
        "export map.onion --agent stand -o map.glb",
        "export map.onion --agent stand --hull ogre -o map.bin",
        "export map.onion -o map.tscn",
        "export map.onion --agent stand -o map.tscn",
        "export map.onion --agent stand -o map.tscn",
        "info map.onion",
    ];
    compare("conditions", &folder, &commands);
}

#[test]
fn errors() {
    let folder = Folder::with_onion("room");
    folder.make_folder("maps");
    folder.write("maps/arena.bsp", "");
    folder.write("text.bsp", "this is no map\n");
    folder.write("cut.bsp", &sample_bytes("room")[..2000]);
    folder.write("half.onion", &folder.read("map.onion")[..2000]);
    folder.write("points.csv", "0,0,24\n");
    folder.write("swapped.csv", "ex,ey,ez,x,y,z\n0,0,24,0,0,24\n");
    folder.write("named.csv", "x,y,z,name\n0,0,24,start\n");
    folder.write("words.csv", "x,y,z\n0,0,here\n");
    folder.write("door.bsp", sample_bytes("door"));
    let commands = [
        "map.bsp",
        "--hull stand:16x56",
        "verfy map.onion map.bsp",
        "arena",
        "maps",
        "map.bsp --hull stand",
        "map.bsp --hull stand:16x56:contents=stone",
        "map.bsp --hull stand:16x56 --hull stand:16x32",
        "map.bsp --hull stand:16x56 --group stand+crouch",
        "map.bsp --hull stand:16x56 --patch-error 0",
        "text.bsp --hull stand:16x56",
        "cut.bsp --hull stand:16x56",
        "map.bsp --hull stand:16x56 --max-nodes 3",
        "trace map.onion --hull fly --from 0,0,24 --to 9,0,24",
        "trace map.onion --hull stand --batch swapped.csv",
        "point map.onion --batch points.csv",
        "point map.onion --batch named.csv",
        "point map.onion --batch words.csv",
        "point map.onion --at 0,0",
        "point map.onion --at 0,0,24 --model 1",
        "info half.onion",
        "info map.bsp",
        "verify map.onion door.bsp",
        "diff map.onion door.bsp",
        "render map.onion --slice w=3",
        "render map.onion --slice z=up",
        "render map.onion --hull fly",
        "render map.onion --size 9",
        "render map.onion -o maps",
        "view map.onion door.bsp -o maps",
        "view map.bsp",
        "export map.onion -o skins.fbx",
        "export map.onion --parts walls -o walls.glb",
        "export map.onion --parts roofs -o roofs.glb",
        "reach map.bsp",
        "reach map.onion --forbid-traps",
        "render map.onion --floors",
    ];
    compare("errors", &folder, &commands);
}
