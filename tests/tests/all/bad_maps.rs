//! Damaged and borderline maps: every `.bsp` and `.map` file that `expected.csv` lists gives an error that
//! names a place, a warning, or a compiled map, as that table wants; never a panic, never late.
//! The folder is `shared/bad-maps` beside the repository, or what `ONION_BAD_MAPS` names.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use onion_tests::skips::skip;
use onion_tests::subject::{self, HULLS};
use onionc::map::{self, ReadOptions, Warning};
use onionc::seeds::Fill;
use onionc::{CompileOptions, compile};

/// Longest time that a file may take.
const LIMIT: Duration = Duration::from_secs(5);

/// Files that are odd only in what the compiler never reads, and so need not tell.
const NEVER_READ: [&str; 13] = [
    // Nodes, leaves and their lists: brushes come from the models' ranges.
    "dir_len_wraps_to_zero.bsp",
    "none_leafs.bsp",
    "idx_leafbrush_oob.bsp",
    "idx_leaf_range_oob.bsp",
    "idx_node_plane_oob.bsp",
    "idx_node_child_oob.bsp",
    "idx_node_leaf_oob.bsp",
    "tree_self_cycle.bsp",
    "tree_two_cycle.bsp",
    // A lump for drawing.
    "dir_unused_lump_bad.bsp",
    // A plane that no side uses.
    "plane_nan_unused.bsp",
    // Boxes of models, which are computed from their brushes.
    "model_bounds_nan.bsp",
    "model_bounds_inverted.bsp",
];

/// A good BSP file under another name: what a file is, its first bytes say.
const RENAMED: &str = "map_bsp_renamed.map";

/// A Quake map without brushes. The table wants it refused, but its solids can be recovered from its tree, and
/// that is said.
const RECOVERED: &str = "q1_plain_no_brushlist.bsp";

/// Words for places in a file; an error has at least one of them.
const PLACES: [&str; 11] = [
    "line ",
    "the file is ",
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
    Compiled { warnings: Vec<Warning> },
    Refused(String),
    Panicked,
    TooLate,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compiled { warnings } => write!(f, "compiled, warnings: {warnings:?}"),
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

/// Otherwise a warning about a bad map would prove nothing.
#[test]
fn the_map_they_are_made_from_is_good() {
    let base = folder().join("base/mini_q3.bsp");
    if !base.exists() {
        skip_folder();
        return;
    }
    let outcome = run(&base);
    let good = matches!(&outcome, Outcome::Compiled { warnings } if warnings.is_empty());
    assert!(good, "{}: {outcome}", base.display());
}

#[test]
fn bad_texts_end_as_expected() {
    let disagreements = check_all(".map", |case, outcome| match outcome {
        Outcome::Compiled { .. } if case.file == RENAMED => false,
        _ => !is_right(case, outcome),
    });
    assert!(disagreements.is_empty(), "\n{}", disagreements.join("\n"));
}

/// Runs the listed files with an extension; tells of those that `is_wrong` picks.
fn check_all(extension: &str, is_wrong: impl Fn(&Case, &Outcome) -> bool) -> Vec<String> {
    let folder = folder();
    let Ok(table) = fs::read_to_string(folder.join("expected.csv")) else {
        skip_folder();
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

fn skip_folder() {
    skip(&format!(
        "damaged maps: no expected.csv in {}; set ONION_BAD_MAPS to its folder",
        folder().display()
    ));
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
    let options = |fill| CompileOptions {
        fill,
        ..CompileOptions::new(subject::hulls(&HULLS))
    };
    let map = match map::parse(bytes, &ReadOptions::default()) {
        Ok(map) => map,
        Err(error) => return Outcome::Refused(error.to_string()),
    };
    // Most of them leak, which is told too; here only other warnings count.
    let filled = compile(&map, &options(Fill::default()));
    match filled.and(compile(&map, &options(Fill::Off))) {
        Ok(compiled) => Outcome::Compiled {
            warnings: compiled.report.warnings,
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
    let unread = NEVER_READ.contains(&case.file.as_str());
    let is_warned = match outcome {
        Outcome::Panicked | Outcome::TooLate => return false,
        Outcome::Refused(_) => return names_place(outcome) && (case.want == "ERR" || either),
        Outcome::Compiled { warnings } => !warnings.is_empty(),
    };
    match case.want.as_str() {
        "OK" => true,
        "WARN" => is_warned || unread || case.why.contains("silence"),
        // Leaving the odd thing out can be as good as refusing it, but must be told.
        "ERR" => (is_warned && (either || case.file == RECOVERED)) || unread,
        want => panic!("{}: unknown want {want:?}", case.file),
    }
}
