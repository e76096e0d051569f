//! `--report`: the outcome of every map of a run, including errors. The reports are checked against the schema that
//! users validate with, and against the output and the files of the command.

use std::fs;
use std::path::Path;

use onion_tests::{rooms, samples};
use serde_json::{Value, json};

use crate::folder::*;
use crate::schema::faults;

/// Reads the schema that users validate with.
fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compiler/schema/report.json");
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Returns a value after checking it against the schema.
fn checked(report: Value) -> Value {
    let faults = faults(&schema(), &report);
    assert!(faults.is_empty(), "{faults:#?}");
    report
}

fn report(folder: &Folder) -> Value {
    checked(folder.read_json("report.json"))
}

/// Makes a folder with maps that compile, one that is up to date, one that leaks, and a file that is not a map.
fn folder_of_maps() -> Folder {
    let folder = Folder::new();
    folder.make_folder("maps");
    for sample in ["door", "room"] {
        folder.write(&format!("maps/{sample}.bsp"), sample_bytes(sample));
    }
    folder.write(
        "maps/leak.bsp",
        samples::write(&rooms::with_hole(4.0, 64.0)),
    );
    folder.write("maps/bad.bsp", "IBSP");
    folder.succeed("maps/room.bsp --hull stand:cylinder:4x32:sides=8 --hull point:point");
    folder
}

const COMPILE: &str = "maps --hull stand:cylinder:4x32:sides=8 --hull point:point";

#[test]
fn it_tells_what_became_of_every_map() {
    let folder = folder_of_maps();
    let run = folder.run(&format!("{COMPILE} --report report.json"));
    assert_eq!(run.code, BAD_INPUT, "{}", run.stderr);
    let report = report(&folder);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["onionc"], env!("CARGO_PKG_VERSION"));
    let maps = report["maps"].as_array().unwrap();
    let outcomes = texts(&report["maps"], "outcome");
    assert_eq!(outcomes, ["failed", "compiled", "compiled", "up_to_date"]);
    let [bad, door, leak, room] = maps.as_slice() else {
        panic!("{maps:#?}");
    };
    assert_eq!(bad["error"]["exit_code"], BAD_INPUT);
    let message = bad["error"]["message"].as_str().unwrap();
    let last = run.stderr.lines().last().unwrap();
    assert_eq!(last, format!("onionc: error: {message}"));
    let paths = [&door["map"], &door["output"]];
    assert_eq!(paths, ["maps/door.bsp", "maps/door.onion"]);
    assert_eq!(door["inputs"], json!(["maps/door.bsp"]));
    let bytes = folder.read("maps/door.onion").len();
    assert_eq!(door["report"]["bytes"], bytes);
    assert_eq!(leak["report"]["filling"][1]["fill"], "leaks");
    let warnings = leak["report"]["warnings"].as_array().unwrap();
    assert!(!warnings.is_empty());
    assert_eq!(room["report"], Value::Null);
}

#[test]
fn what_keeps_a_run_from_beginning_is_in_it() {
    let folder = Folder::with_map("room");
    folder.make_folder("maps");
    folder.write("report.json", "{\n  \"schema\": 1\n}\n");
    folder.write("bad.toml", "hul = 3\n");
    let cases = [
        ("map.bsp", USAGE),
        ("maps --hull stand:16x56", USAGE),
        ("map.bsp --hull stand:16x56 --colour", USAGE),
        ("map.bsp -hull stand:16x56", USAGE),
        ("map.bsp --hull stand", USAGE),
        ("map.bsp --config bad.toml", BAD_INPUT),
        ("map.bsp --config none.toml", CANNOT_READ),
    ];
    for (arguments, code) in cases {
        let run = folder.run(&format!("{arguments} --report=report.json"));
        assert_eq!(run.code, code, "{arguments}: {}", run.stderr);
        let report = report(&folder);
        assert_eq!(report["error"]["exit_code"], code, "{arguments}");
        let message = report["error"]["message"].as_str().unwrap();
        let printed = run.stderr.strip_prefix("onionc: error: ").unwrap();
        assert_eq!(printed.trim_end(), message, "{arguments}");
    }
}

#[test]
fn it_replaces_nothing_but_a_report() {
    let folder = Folder::with_map("room");
    let command = "map.bsp --hull stand:16x56";
    let words = ["map.bsp", "not a report", "--report"];
    folder.fail(&format!("{command} --report map.bsp"), CANNOT_WRITE, &words);
    let run = folder.run(&format!("{command} --what --report map.bsp"));
    assert_eq!(run.code, USAGE);
    assert_eq!(folder.read("map.bsp"), sample_bytes("room"));
    let run = folder.run(&format!("{command} --report map.onion"));
    assert_says(&run.stderr, &["--report=map.onion", "name another file"]);
    folder.run(&format!("{command} --report report.json"));
    folder.run(&format!("{command} --report report.json"));
    assert_eq!(report(&folder)["maps"][0]["outcome"], "up_to_date");
    let run = folder.run("render map.onion --report report.json");
    assert_eq!(run.code, USAGE);
    // No report of a compile.
    assert_eq!(report(&folder)["error"], Value::Null);
}

#[test]
fn json_of_several_maps_is_the_same() {
    let folder = folder_of_maps();
    let run = folder.run(&format!("{COMPILE} --json --report report.json"));
    let printed = checked(serde_json::from_str(&run.stdout).unwrap());
    assert_eq!(printed, report(&folder));
    let outcomes = texts(&printed["maps"], "outcome");
    assert_eq!(outcomes, ["failed", "compiled", "compiled", "compiled"]);
}

/// The purpose of the schema: a report that violates it gives an error, with its place.
#[test]
fn the_schema_finds_what_is_wrong() {
    let folder = folder_of_maps();
    folder.run(&format!("{COMPILE} --report report.json"));
    let good = report(&folder);
    let faults_with = |pointer: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        faults(&schema(), &bad).join("\n")
    };
    let cases = [
        ("/schema", json!(2), "$.schema"),
        ("/maps/0/outcome", json!("lost"), "$.maps[0].outcome"),
        ("/maps/0/outcome", json!("compiled"), "$.maps[0].report"),
        (
            "/maps/0/error/exit_code",
            json!(1),
            "$.maps[0].error.exit_code",
        ),
        (
            "/maps/1/report/n_nodes",
            json!(-1),
            "$.maps[1].report.n_nodes",
        ),
        (
            "/maps/1/report/n_nodes",
            json!("9"),
            "$.maps[1].report.n_nodes",
        ),
        (
            "/maps/1/report/hulls/0/mins",
            json!([0, 0]),
            "$.maps[1].report.hulls[0].mins",
        ),
        (
            "/maps/1/report/stages/0",
            json!(["brush", 1, 2]),
            "$.maps[1].report.stages[0][2]",
        ),
        ("/maps/1/report/audit", json!({}), "leaf_hulls is missing"),
        (
            "/error",
            json!({"exit_code": 2, "message": "", "more": 1}),
            "more is not in the schema",
        ),
    ];
    for (pointer, value, words) in cases {
        let faults = faults_with(pointer, value);
        assert!(faults.contains(words), "{pointer}: {faults:?}");
    }
}
