//! The conformance kit is the same whenever it is made, and the readers in C and JavaScript pass it; the one in Python
//! does in `runtime/python/tests`. A reader that answers otherwise is found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use onion_tests::skips::skip;
use onion_tests::{command, kit};
use serde_json::Value;
use tempfile::TempDir;

use crate::c_interface::{interface, program};

/// Columns of an answer before those that tell what was hit.
const N_COLUMNS: usize = 11;

/// The kit, made once.
fn folder() -> &'static Path {
    static KIT: OnceLock<TempDir> = OnceLock::new();
    KIT.get_or_init(made).path()
}

fn made() -> TempDir {
    let folder = TempDir::new().unwrap();
    kit::write(folder.path(), &command::build_alike().unwrap()).unwrap();
    folder
}

fn list() -> Value {
    let text = fs::read_to_string(folder().join("kit.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn read(path: &Value) -> String {
    fs::read_to_string(folder().join(path.as_str().unwrap())).unwrap()
}

/// The arguments of one list of traces.
fn arguments(traces: &Value) -> Vec<String> {
    let text = |name: &str| traces[name].as_str().unwrap().to_owned();
    let mut arguments = vec![text("file")];
    for (option, name) in [("--hull", "hull"), ("--batch", "segments")] {
        arguments.extend([option.to_owned(), text(name)]);
    }
    for name in ["skin", "model"] {
        arguments.extend([format!("--{name}"), traces[name].to_string()]);
    }
    arguments
}

fn without_hits(table: &str) -> String {
    let rows = table.lines().map(|row| {
        let cells: Vec<&str> = row.split(',').take(N_COLUMNS).collect();
        cells.join(",") + "\n"
    });
    rows.collect()
}

/// Checks a program that takes the arguments of `onionc trace`; it may tell what was hit.
fn check(mut run: impl FnMut(&[String]) -> Output, tells_hits: bool) {
    let list = list();
    let traces = list["traces"].as_array().unwrap();
    assert!(traces.len() > 40, "{}", traces.len());
    for traces in traces {
        let answers = read(&traces["answers"]);
        let mut arguments = arguments(traces);
        let expected = if tells_hits && answers.contains(",source,") {
            arguments.push("--hits".to_owned());
            answers
        } else {
            without_hits(&answers)
        };
        let output = run(&arguments);
        let found = String::from_utf8(output.stdout).unwrap();
        assert!(found == expected, "{traces}");
    }
    let refused = list["refused"].as_array().unwrap();
    assert!(refused.len() > 50, "{}", refused.len());
    for file in refused {
        let mut arguments = arguments(&traces[0]);
        arguments[0] = file.as_str().unwrap().to_owned();
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(4), "{file}");
        assert!(output.stdout.is_empty(), "{file}");
    }
}

fn output(command: &mut Command, arguments: &[String]) -> Output {
    command
        .args(arguments)
        .current_dir(folder())
        .output()
        .unwrap()
}

#[test]
fn c_passes() {
    let folder = TempDir::new().unwrap();
    let example = program(&interface().join("example.c"), &[], &folder);
    check(
        |arguments| output(&mut Command::new(&example), arguments),
        false,
    );
}

#[test]
fn javascript_passes() {
    if Command::new("node").arg("--version").output().is_err() {
        return skip("the conformance kit in JavaScript: no node on the PATH");
    }
    let reader = interface().join("../js/cli.mjs");
    let node = |arguments: &[String]| {
        let mut node = Command::new("node");
        output(node.arg(&reader).arg("trace"), arguments)
    };
    check(node, true);
}

#[test]
#[should_panic(expected = "\"answers\"")]
fn one_wrong_digit_is_found() {
    let onionc = command::build_alike().unwrap();
    let wrong = |arguments: &[String]| {
        let mut answer = output(Command::new(&onionc).arg("trace"), arguments);
        let last = answer.stdout.iter().rposition(u8::is_ascii_digit);
        answer.stdout[last.expect("traces have numbers")] ^= 1;
        answer
    };
    check(wrong, true);
}

#[test]
fn it_is_the_same_each_time() {
    let again = made();
    for name in ["kit.json", "answers", "queries", "files", "refused"] {
        for path in paths(&folder().join(name)) {
            let other = again.path().join(path.strip_prefix(folder()).unwrap());
            assert!(
                fs::read(&path).unwrap() == fs::read(other).unwrap(),
                "{path:?}"
            );
        }
    }
}

/// A file, or the files of a folder.
fn paths(path: &Path) -> Vec<PathBuf> {
    match fs::read_dir(path) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => vec![path.to_owned()],
    }
}
