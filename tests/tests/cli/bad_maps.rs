//! Damaged and borderline maps: for every file that `expected.csv` lists, the real command gives the outcome in that
//! table: an error that names a place, a warning, or a compiled map; never a panic, never late, never with more
//! memory than allowed, and with no files left after an error. The folder is `shared/bad-maps` beside the repository,
//! or the one that `ONION_BAD_MAPS` names.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use onion_tests::skips::skip;

use crate::folder::*;

/// Time limit for a file.
const LIMIT: Duration = Duration::from_secs(5);

/// Interval between checks for the end of a command.
const GLANCE: Duration = Duration::from_millis(2);

/// Memory limit for a file, in KiB. It limits addresses, so memory that is reserved and never used counts too.
const MEMORY: usize = 256 * 1024;

/// Two threads, because each has its own stack.
const OPTIONS: &str = "--hull stand:16x56 --hull crouch:16x32 --threads 2";

/// Files for which we disagree with the table, and the reason.
const OPINIONS: [(&str, &str); 15] = [
    ("dir_len_wraps_to_zero.bsp", NO_TREE),
    ("none_leafs.bsp", NO_TREE),
    ("idx_leafbrush_oob.bsp", NO_TREE),
    ("idx_leaf_range_oob.bsp", NO_TREE),
    ("idx_node_plane_oob.bsp", NO_TREE),
    ("idx_node_child_oob.bsp", NO_TREE),
    ("idx_node_leaf_oob.bsp", NO_TREE),
    ("tree_self_cycle.bsp", NO_TREE),
    ("tree_two_cycle.bsp", NO_TREE),
    ("dir_unused_lump_bad.bsp", "a lump for drawing"),
    ("plane_nan_unused.bsp", "a plane that no side uses"),
    ("model_bounds_nan.bsp", NO_BOXES),
    ("model_bounds_inverted.bsp", NO_BOXES),
    (
        "map_bsp_renamed.map",
        "what a file is, its first bytes say, not its name",
    ),
    (
        "q1_plain_no_brushlist.bsp",
        "solids are recovered from the tree, which is said",
    ),
];

const NO_TREE: &str = "nodes and leaves are not read: brushes come from the ranges of models";
const NO_BOXES: &str = "boxes of models are computed from their brushes";

/// Words for places in a file; an error has at least one of them.
const PLACES: [&str; 12] = [
    "the archive ",
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

/// The outcome of a command.
struct Ended {
    /// `None` if it was stopped for being late.
    status: Option<ExitStatus>,
    stderr: String,
    /// Files it left in its folder besides the map.
    left: Vec<String>,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, "{status}, leaves {:?}: {}", self.left, self.stderr),
            None => write!(f, "took more than {LIMIT:?}"),
        }
    }
}

#[test]
fn bad_maps_end_as_expected() {
    let folder = bad_maps();
    let Ok(table) = fs::read_to_string(folder.join("expected.csv")) else {
        skip(&format!(
            "damaged maps: no expected.csv in {}; set ONION_BAD_MAPS to its folder",
            folder.display()
        ));
        return;
    };
    let base = run(&folder.join("base/mini_q3.bsp"), MEMORY);
    let is_good = base.code() == Some(0) && warnings(&base.stderr) == 0;
    assert!(is_good, "the map they are made from is good: {base}");
    let cases: Vec<Case> = table.lines().skip(1).map(Case::read).collect();
    assert!(!cases.is_empty(), "the table is empty");
    let wrong = cases.iter().filter_map(|case| {
        let ended = run(&folder.join("cases").join(&case.file), MEMORY);
        let Case { file, want, why } = case;
        (!is_right(case, &ended)).then(|| format!("{file}: {want} ({why}): {ended}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let unknown = |(file, _): &&(&str, &str)| cases.iter().all(|case| case.file != *file);
    assert!(!OPINIONS.iter().any(|opinion| unknown(&opinion)));
}

/// Otherwise a limit would prove nothing.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_felt() {
    let folder = Folder::with_map("room");
    let ended = run(&folder.0.path().join("map.bsp"), 8 * 1024);
    assert!(ended.code() != Some(0), "{ended}");
}

fn bad_maps() -> PathBuf {
    match std::env::var_os("ONION_BAD_MAPS") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/bad-maps"),
    }
}

impl Case {
    /// Reads `file,bytes,want,why,sha256`; only `why` may contain commas.
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

impl Ended {
    fn code(&self) -> Option<i32> {
        self.status?.code()
    }
}

/// Compiles a file in its own folder, with a memory limit in KiB.
fn run(path: &Path, memory: usize) -> Ended {
    let folder = Folder::new();
    let name = path.file_name().unwrap().to_str().unwrap();
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    folder.write(name, bytes);
    let errors = tempfile::NamedTempFile::new().unwrap();
    let mut command = limited(memory);
    command
        .arg(name)
        .args(OPTIONS.split_whitespace())
        .current_dir(folder.0.path())
        .stdout(tempfile::tempfile().unwrap())
        .stderr(errors.reopen().unwrap());
    let status = in_time(&mut command);
    Ended {
        status,
        stderr: read(errors.path()),
        left: folder
            .names()
            .into_iter()
            .filter(|left| left != name)
            .collect(),
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// Returns the command with a memory limit in KiB, on systems whose shell can set one.
fn limited(memory: usize) -> Command {
    if cfg!(not(target_os = "linux")) {
        return Command::new(binary());
    }
    let mut shell = Command::new("sh");
    let script = format!("ulimit -v {memory} && exec \"$0\" \"$@\"");
    shell.args(["-c", &script]).arg(binary());
    shell
}

/// Returns the exit status of a command, or `None` after stopping one that is late.
fn in_time(command: &mut Command) -> Option<ExitStatus> {
    let started = Instant::now();
    let mut child = command.spawn().unwrap();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if started.elapsed() > LIMIT {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        thread::sleep(GLANCE);
    }
}

/// Counts the warnings, except those that a hull is not filled: most of the maps leak.
fn warnings(stderr: &str) -> usize {
    let warnings = stderr
        .lines()
        .filter(|line| line.starts_with("onionc: warning: "));
    let is_leak =
        |line: &&str| line.contains(": not filled: ") || line.contains(".pts: the path of hull ");
    warnings.filter(|line| !is_leak(line)).count()
}

/// Whether a command ended with one error, which names the file and a place, and left no files.
fn is_refused(case: &Case, ended: &Ended) -> bool {
    let Ended { stderr, left, .. } = ended;
    let names_place = PLACES.iter().any(|place| stderr.contains(place));
    let is_one = stderr.matches("error: ").count() == 1;
    is_one && names_place && stderr.contains(&case.file) && left.is_empty()
}

fn is_right(case: &Case, ended: &Ended) -> bool {
    let either = EITHER.iter().any(|words| case.why.contains(words));
    let differs = OPINIONS.iter().any(|(file, _)| case.file == *file);
    let is_warned = match ended.code() {
        Some(0) => warnings(&ended.stderr) > 0,
        Some(BAD_INPUT) => return is_refused(case, ended) && (case.want == "ERR" || either),
        _ => return false,
    };
    match case.want.as_str() {
        "OK" => true,
        "WARN" => is_warned || differs || case.why.contains("silence"),
        // Leaving the odd part out can be as good as refusing it, but needs a warning.
        "ERR" => is_warned && either || differs,
        want => panic!("{}: unknown want {want:?}", case.file),
    }
}
