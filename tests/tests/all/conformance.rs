//! The conformance kit is the same whenever it is made, and the readers in C and JavaScript pass it; the Python
//! reader does so in `runtime/python/tests`. In Rust, agents walk the same way through every view of a world. A
//! reader that answers differently is detected.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use onion_runtime::OnionMap;
use onion_tests::fixtures::{has_or_skips, onionc};
use onion_tests::kit;
use onion_tests::kit::{Through, replay};
use serde_json::Value;
use tempfile::TempDir;

use crate::c_interface::{example, interface, program, source};

/// Number of columns of an answer before the columns about the hit.
const N_COLUMNS: usize = 11;

/// Number of damaged files that the programs are run with.
const N_REFUSED: usize = 40;

/// Returns the kit, which is made once.
fn folder() -> &'static Path {
    static KIT: LazyLock<TempDir> = LazyLock::new(made);
    KIT.path()
}

fn made() -> TempDir {
    let folder = TempDir::new().unwrap();
    kit::write(folder.path(), onionc()).unwrap();
    folder
}

fn list() -> Value {
    let text = fs::read_to_string(folder().join("kit.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn read(path: &Value) -> String {
    fs::read_to_string(folder().join(path.as_str().unwrap())).unwrap()
}

/// Returns the arguments for one list of traces.
fn arguments(traces: &Value) -> Vec<String> {
    let text = |name: &str| traces[name].as_str().unwrap().to_owned();
    let mut arguments = vec![text("file")];
    for (option, name) in [("--hull", "hull"), ("--batch", "segments")] {
        arguments.extend([option.to_owned(), text(name)]);
    }
    for name in ["margin", "model"] {
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

/// Checks a program that takes the arguments of `onionc trace`; `tells_hits` if it also prints the hits.
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
    assert!(refused.len() > 200, "{}", refused.len());
    // Programs that load files faster are run with all of them.
    for file in refused.iter().take(N_REFUSED) {
        let mut arguments = arguments(&traces[0]);
        arguments[0] = file["file"].as_str().unwrap().to_owned();
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(4), "{file}");
        assert!(output.stdout.is_empty(), "{file}");
    }
}

/// Whether an answer to a script is correct; a word `?` was not computed, and `...` stands for all that follow.
fn is_same(found: &str, expected: &str) -> bool {
    let mut expected = expected.split_whitespace();
    for word in found.split_whitespace() {
        let other = expected.next();
        match word {
            "..." => return true,
            "?" => {}
            _ if other != Some(word) => return false,
            _ => {}
        }
    }
    found.trim() == "?" || expected.next().is_none()
}

/// Compares answers to a script, and returns their number.
fn compare(script: &Value, answers: &Value, found: &str) -> usize {
    let (calls, answers) = (read(&script["script"]), read(answers));
    assert_eq!(found.lines().count(), answers.lines().count(), "{script}");
    let lines = calls.lines().zip(found.lines().zip(answers.lines()));
    for (number, (call, (found, expected))) in lines.enumerate() {
        let what = format!("{script}, line {}: {call}", number + 1);
        assert!(is_same(found, expected), "{what}\n{found}\n{expected}");
    }
    calls.lines().count()
}

fn output(command: &mut Command, arguments: &[String]) -> Output {
    let command = command.args(arguments).current_dir(folder());
    command.output().unwrap()
}

#[test]
fn c_passes() {
    let folder = TempDir::new().unwrap();
    let trace = |arguments: &[String]| output(&mut Command::new(example()), arguments);
    check(trace, false);
    let player = program(&source("kit.c"), &[], &folder);
    let play = |words: [&Value; 2], precision: &str| {
        let [file, script] = words.map(|word| word.as_str().unwrap());
        let mut player = Command::new(&player);
        let player = player.args([file, script, precision]);
        player.current_dir(self::folder()).output().unwrap()
    };
    let list = list();
    for script in list["scripts"].as_array().unwrap() {
        for precision in ["double", "single"] {
            let output = play([&script["file"], &script["script"]], precision);
            assert!(output.status.success(), "{script}: {output:?}");
            let found = String::from_utf8(output.stdout).unwrap();
            compare(script, &script[precision], &found);
        }
    }
    let nothing = Value::from("/dev/null");
    for (kind, code) in [("loads", 0), ("refused", 1)] {
        for file in list[kind].as_array().unwrap() {
            let output = play([&file["file"], &nothing], "single");
            assert_eq!(output.status.code(), Some(code), "{file}");
        }
    }
}

/// An agent walks the same way through every view of a world, whatever hull it has.
#[test]
fn agents_walk_alike_in_all_worlds() {
    let list = list();
    let mut n_lines = 0;
    for script in list["scripts"].as_array().unwrap() {
        let bytes = fs::read(folder().join(script["file"].as_str().unwrap())).unwrap();
        let map = OnionMap::from_bytes(bytes.as_slice()).unwrap();
        let views = (0..map.hulls().count()).map(Through::View);
        for through in views.chain([Through::Map, Through::Scene]) {
            let calls = read(&script["script"]);
            let double = replay::<f64>(&map, &calls, through);
            n_lines += compare(script, &script["double"], &double);
            if through == Through::Scene && script["file"] == "files/prisms.onion" {
                // A scene steps back from a plane in double precision, and in single precision once more: at slanted
                // planes, of which prisms have many, the last bits differ.
                continue;
            }
            let single = replay::<f32>(&map, &calls, through);
            n_lines += compare(script, &script["single"], &single);
        }
    }
    assert!(n_lines > 50_000, "{n_lines}");
}

#[test]
fn javascript_passes() {
    if !has_or_skips("node", "the conformance kit in JavaScript") {
        return;
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/conformance");
    let node = |arguments: &[String]| {
        let mut node = Command::new("node");
        node.arg(tests.join("trace.mjs"))
            .arg(interface().join("../js"));
        output(node.arg("trace"), arguments)
    };
    check(node, true);
    let mut node = Command::new("node");
    node.arg(tests.join("kit.mjs"));
    let node = node.arg(interface().join("../js")).arg(folder());
    let output = node.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success(), "{said}");
}

#[test]
#[should_panic(expected = "\"answers\"")]
fn one_wrong_digit_is_found() {
    let wrong = |arguments: &[String]| {
        let mut answer = output(Command::new(onionc()).arg("trace"), arguments);
        let last = answer.stdout.iter().rposition(u8::is_ascii_digit);
        answer.stdout[last.expect("traces have numbers")] ^= 1;
        answer
    };
    check(wrong, true);
}

#[test]
fn it_is_the_same_each_time() {
    let again = made();
    for name in [
        "kit.json", "answers", "queries", "scripts", "files", "loads", "refused",
    ] {
        for path in paths(&folder().join(name)) {
            let other = again.path().join(path.strip_prefix(folder()).unwrap());
            let is_same = fs::read(&path).unwrap() == fs::read(other).unwrap();
            assert!(is_same, "{path:?}");
        }
    }
}

/// Returns the files of a folder, or the path itself if it is a file.
fn paths(path: &Path) -> Vec<PathBuf> {
    match fs::read_dir(path) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => vec![path.to_owned()],
    }
}
