//! A separate folder for each test, in which the `onionc` binary runs, and the checks that every test makes on a
//! command that succeeds or fails.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::SystemTime;

use onion_tests::{command, samples};
use serde_json::Value;
use tempfile::TempDir;

/// Exit codes, as listed by `onionc --help`.
pub const USAGE: i32 = 2;
pub const CANNOT_READ: i32 = 3;
pub const BAD_INPUT: i32 = 4;
pub const CANNOT_WRITE: i32 = 5;
pub const FAILED: i32 = 6;
pub const BROKEN: i32 = 7;

/// Returns the binary in the profile of this test, built once.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| command::build_alike().unwrap())
}

/// The result of a command.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A separate folder to run commands in.
pub struct Folder(pub TempDir);

/// Divides arguments at blanks outside of single quotes.
fn words(arguments: &str) -> Vec<&str> {
    let parts = arguments.split('\'').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.collect()
}

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// Makes a folder with a sample map as `map.bsp`.
    pub fn with_map(sample: &str) -> Self {
        let folder = Self::new();
        folder.write("map.bsp", sample_bytes(sample));
        folder
    }

    /// Adds `map.onion`, compiled for the hulls of the sample maps' facts.
    pub fn with_onion(sample: &str) -> Self {
        let folder = Self::with_map(sample);
        folder.succeed("map.bsp --hull stand:16x56 --hull crouch:16x32 --hull point:point");
        folder
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap()
    }

    pub fn read_text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub fn read_json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }

    pub fn time_of(&self, name: &str) -> SystemTime {
        let metadata = fs::metadata(self.0.path().join(name)).unwrap();
        metadata.modified().unwrap()
    }

    pub fn make_folder(&self, name: &str) {
        fs::create_dir(self.0.path().join(name)).unwrap();
    }

    /// Returns the names of everything in the folder, and the bytes of files.
    pub fn contents(&self) -> BTreeMap<String, Option<Vec<u8>>> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        entries
            .map(|entry| {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                (name, fs::read(entry.path()).ok())
            })
            .collect()
    }

    pub fn names(&self) -> Vec<String> {
        self.contents().into_keys().collect()
    }

    /// Runs `onionc` in the folder with arguments separated by blanks; blanks between single quotes separate none.
    pub fn run(&self, arguments: &str) -> Run {
        let piped = self.pipe(arguments, b"");
        Run {
            code: piped.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(piped.stdout).unwrap(),
            stderr: String::from_utf8(piped.stderr).unwrap(),
        }
    }

    /// Does the same with bytes on standard input.
    pub fn pipe(&self, arguments: &str, input: &[u8]) -> Output {
        // A file, not a pipe: a command that does not read it must not block us.
        let mut stdin = tempfile::tempfile().unwrap();
        stdin.write_all(input).unwrap();
        stdin.rewind().unwrap();
        Command::new(binary())
            .args(words(arguments))
            .current_dir(self.0.path())
            .env_remove("COLUMNS")
            .stdin(stdin)
            .output()
            .unwrap()
    }

    /// Runs a command that must succeed without a warning, and returns its output.
    pub fn succeed(&self, arguments: &str) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
        assert_eq!(run.stderr, "", "{arguments}: success is silent on stderr");
        run.stdout
    }

    pub fn succeed_json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.succeed(arguments)).expect(arguments)
    }

    /// Runs a command that must fail with a code and one message that contains all the words, and must leave the
    /// folder as it was. A message is one line; below it may be indented lines with the cause of a failed compile, or
    /// the faulty line of a text.
    pub fn fail(&self, arguments: &str, code: i32, words: &[&str]) {
        let before = self.contents();
        let run = self.run(arguments);
        let what = format!("onionc {arguments}\n{}", run.stderr);
        assert_eq!(run.code, code, "exit code of {what}");
        assert_eq!(run.stdout, "", "no results where there are none: {what}");
        let errors = run.stderr.matches("error: ").count();
        assert_eq!(errors, 1, "an error is told in one place: {what}");
        assert!(run.stderr.starts_with("onionc: error: "), "{what}");
        let is_usage = run.stderr.contains("For more information, try '--help'");
        if !is_usage {
            let mut below = run.stderr.lines().skip(1);
            let is_listed = |line: &str| {
                let is_text = code == BAD_INPUT && line.starts_with("  | ");
                is_text || code == FAILED && line.starts_with("  ")
            };
            assert!(below.all(is_listed), "one line: {what}");
        }
        for word in words {
            assert!(run.stderr.contains(word), "{word:?} is not in {what}");
        }
        let after = self.contents();
        assert!(
            before.keys().eq(after.keys()),
            "files were left or lost: {:?}: {what}",
            after.keys()
        );
        assert!(before == after, "a file was changed: {what}");
    }

    /// Runs commands that must fail with a code. Each line of the table has a command, ` => `, and the words of its
    /// message with ` & ` between them.
    pub fn fail_each(&self, code: i32, table: &str) {
        for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (arguments, words) = line.split_once(" => ").expect(line);
            self.fail(arguments, code, &words.split(" & ").collect::<Vec<_>>());
        }
    }

    /// Returns the rows below the header of a CSV answer.
    pub fn rows(&self, arguments: &str, header: &str) -> Vec<String> {
        let text = self.succeed(arguments);
        let mut lines = text.lines().map(str::to_owned);
        assert_eq!(lines.next().as_deref(), Some(header), "{arguments}");
        lines.collect()
    }

    /// Returns the hulls in the compiled map, from `info --json`.
    pub fn hulls(&self) -> Vec<Value> {
        let info = self.succeed_json("info map.onion --json");
        info["hulls"].as_array().unwrap().clone()
    }
}

pub fn sample_bytes(name: &str) -> Vec<u8> {
    fs::read(samples::dir().join(name).with_extension("bsp")).unwrap()
}

/// Returns the texts in a JSON list, or those in a field of its objects.
pub fn texts(list: &Value, field: &str) -> Vec<String> {
    let items = list.as_array().unwrap().iter();
    let texts = items.map(|item| item.get(field).unwrap_or(item).as_str());
    texts.map(|text| text.unwrap().to_owned()).collect()
}

/// Asserts that a text contains all the words.
pub fn assert_says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is not in {text}");
    }
}

pub fn assert_keys(object: &Value, keys: &[&str]) {
    for key in keys {
        assert!(
            object.get(key).is_some(),
            "{key} is missing from {object:#}"
        );
    }
}
