//! Damaged and borderline maps: every `.bsp` file that `expected.csv` lists gives an error that
//! names a place, a warning, or a compiled map, as that table wants; never a panic, never late.
//! The folder is `shared/bad-maps` beside the repository, or what `ONION_BAD_MAPS` names.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use onion_tests::subject::{self, HULLS};
use onionc::{CompileOptions, DEFAULT_PATCH_ERROR, compile, map};

/// Longest time that a file may take.
const LIMIT: Duration = Duration::from_secs(5);

/// Files that are odd only in what the compiler never reads, and so cannot warn about: the tree
/// and its leaves, planes that no side uses, boxes of models, and lumps for drawing.
const NEVER_READ: [&str; 0] = [];

/// Words for places in a file; an error has at least one of them.
const PLACES: [&str; 9] = [
    "lump ",
    "brush ",
    "side ",
    "plane ",
    "model ",
    "surface ",
    "entity ",
    "the file starts with ",
    "IBSP version ",
];

/// Notes that let a file be refused as well as compiled.
const EITHER: [&str; 3] = ["acceptable", "likewise", "or reject"];

/// A row of `expected.csv`.
struct Case {
    file: String,
    want: String,
    why: String,
}

/// What became of a file.
enum Outcome {
    Compiled { n_warnings: usize },
    Refused(String),
    Panicked,
    TooLate,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compiled { n_warnings } => write!(f, "compiled, {n_warnings} warnings"),
            Self::Refused(message) => write!(f, "error: {message}"),
            Self::Panicked => write!(f, "PANIC"),
            Self::TooLate => write!(f, "took more than {LIMIT:?}"),
        }
    }
}

#[test]
fn bad_maps_end_as_expected() {
    let disagreements = check_all(".bsp", |case, outcome| !is_right(case, outcome));
    assert!(disagreements.is_empty(), "\n{}", disagreements.join("\n"));
}

/// `.map` files are another format: until they are read, they are errors like any other file.
#[test]
fn map_sources_are_refused() {
    let disagreements = check_all(".map", |_, outcome| !names_place(outcome));
    assert!(disagreements.is_empty(), "\n{}", disagreements.join("\n"));
}

/// Runs the listed files with an extension; tells of those that `is_wrong` picks.
fn check_all(extension: &str, is_wrong: impl Fn(&Case, &Outcome) -> bool) -> Vec<String> {
    let folder = folder();
    let Ok(table) = fs::read_to_string(folder.join("expected.csv")) else {
        eprintln!(
            "skipped: no expected.csv in {}; set ONION_BAD_MAPS to its folder",
            folder.display()
        );
        return Vec::new();
    };
    let cases = table.lines().skip(1).map(Case::read);
    let cases: Vec<Case> = cases
        .filter(|case| case.file.ends_with(extension))
        .collect();
    assert!(!cases.is_empty(), "the table lists no {extension} files");
    cases
        .iter()
        .filter_map(|case| {
            let outcome = run(&folder.join("cases").join(&case.file));
            let Case { file, want, why } = case;
            is_wrong(case, &outcome).then(|| format!("{file}: {want} ({why}): {outcome}"))
        })
        .collect()
}

fn folder() -> PathBuf {
    match std::env::var_os("ONION_BAD_MAPS") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/bad-maps"),
    }
}

impl Case {
    /// Reads `file,bytes,want,why,sha256`; only `why` may have commas of its own.
    fn read(row: &str) -> Self {
        let mut cells = row.splitn(4, ',');
        let mut next = || cells.next().expect(row).to_owned();
        let (file, _bytes, want, rest) = (next(), next(), next(), next());
        let (why, _sha256) = rest.rsplit_once(',').expect(row);
        Self {
            file,
            want,
            why: why.to_owned(),
        }
    }
}

/// Compiles a file in a thread of its own, which is given up if it takes too long.
fn run(path: &Path) -> Outcome {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (sender, receiver) = mpsc::channel();
    // A thread that panics drops its sender.
    thread::spawn(move || sender.send(outcome(&bytes)));
    match receiver.recv_timeout(LIMIT) {
        Ok(outcome) => outcome,
        Err(RecvTimeoutError::Disconnected) => Outcome::Panicked,
        Err(RecvTimeoutError::Timeout) => Outcome::TooLate,
    }
}

fn outcome(bytes: &[u8]) -> Outcome {
    let options = CompileOptions {
        hulls: subject::hulls(&HULLS),
        patch_error: DEFAULT_PATCH_ERROR,
    };
    let map = match map::parse(bytes) {
        Ok(map) => map,
        Err(error) => return Outcome::Refused(error.to_string()),
    };
    match compile(&map, &options) {
        Ok(compiled) => Outcome::Compiled {
            n_warnings: compiled.report.warnings.len(),
        },
        Err(error) => Outcome::Refused(error.to_string()),
    }
}

fn names_place(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Refused(message) => PLACES.iter().any(|place| message.contains(place)),
        _ => false,
    }
}

fn is_right(case: &Case, outcome: &Outcome) -> bool {
    let either = EITHER.iter().any(|words| case.why.contains(words));
    let silent = case.why.contains("silence") || NEVER_READ.contains(&case.file.as_str());
    match (outcome, case.want.as_str()) {
        (Outcome::Refused(_), want) => (want == "ERR" || either) && names_place(outcome),
        (Outcome::Compiled { .. }, "OK") => true,
        (Outcome::Compiled { n_warnings }, "WARN") => *n_warnings > 0 || silent,
        // Leaving the odd thing out is as good as refusing it, but must be told.
        (Outcome::Compiled { n_warnings }, "ERR") => *n_warnings > 0 && either,
        (Outcome::Compiled { .. }, want) => panic!("{}: unknown want {want}", case.file),
        (Outcome::Panicked | Outcome::TooLate, _) => false,
    }
}
