//! The reader in JavaScript (`runtime/js`), written from FORMAT.md alone, prints the same bytes as `onionc`, on all
//! sample maps and golden files and for any segment, and refuses the same files. Skipped if `node` is not installed.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use onion_runtime::OnionMap;
use onion_tests::fixtures::{has_or_skips, onionc};
use onion_tests::maps::say;
use onion_tests::random::Random;
use onion_tests::samples;
use onion_tests::segments::{along, join, segments, slanted, through};
use onion_tests::strange::{flipped, golden, scrambled, with_checksum, with_scrambled_hits};
use tempfile::TempDir;

const HULLS: [&str; 3] = ["stand", "crouch", "point"];

/// Golden files, with one group and with several; those without optional chunks come first.
const GOLDEN: [&str; 4] = [
    "low_tunnel-bare",
    "low_tunnel-bare-groups",
    "low_tunnel",
    "low_tunnel-groups",
];

/// Number of golden files without optional chunks.
const N_BARE: usize = 2;

/// Number of segments for each hull of a sample map, of another model, and of a golden file; the same number of
/// others begins where these end.
const SAMPLE_SEGMENTS: usize = 600;
const MODEL_SEGMENTS: usize = 200;
const GOLDEN_SEGMENTS: usize = 250;

/// Number of files with trees that no map has, and of files whose nodes name sides that have no face there.
const SCRAMBLED: u64 = 16;

/// Number of numeric columns of an answer, which describe the trace; the columns of the hit follow.
const N_NUMBERS: usize = 11;

/// Reads files, each preceded by its length (u32), and prints 1 for each that loads, 0 for each that is refused.
const JUDGE: &str = r#"
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [module, path] = process.argv.slice(-2);
const { fromBytes } = await import(pathToFileURL(module));
const all = readFileSync(path);
let verdicts = "";
for (let at = 0; at < all.length; ) {
  const length = all.readUInt32LE(at);
  at += 4;
  try {
    fromBytes(all.subarray(at, at + length));
    verdicts += "1";
  } catch (error) {
    if (error.constructor !== Error) throw error;
    verdicts += "0";
  }
  at += length;
}
console.log(verdicts);
"#;

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn javascript(file: &str) -> PathBuf {
    repository().join("runtime/js").join(file)
}

/// Whether the tests can run.
fn has_node() -> bool {
    has_or_skips("node", "the reader in JavaScript")
}

fn run(command: &mut Command, folder: &Path, arguments: &[&str]) -> Output {
    let command = command.args(arguments).current_dir(folder);
    command.output().unwrap()
}

/// Compiles a sample map to a file `map.onion` in a folder.
fn compile(folder: &Path, map: &Path, options: &[&str]) {
    let map = map.to_str().unwrap();
    let hulls = "--hull stand:16x56 --hull crouch:16x32 --hull point:point -o map.onion";
    let words = hulls.split_whitespace().chain(options.iter().copied());
    let arguments: Vec<&str> = [map].into_iter().chain(words).collect();
    let output = run(&mut Command::new(onionc()), folder, &arguments);
    assert!(output.status.success(), "{output:?}");
}

/// Runs a batch of queries with both readers; all bytes of the answers must be the same. Returns the answer.
fn ask_both(folder: &Path, arguments: &[&str]) -> String {
    let expected = run(&mut Command::new(onionc()), folder, arguments);
    let mut node = Command::new("node");
    let program = repository().join("tests/tests/all/conformance/trace.mjs");
    node.arg(program).arg(javascript(""));
    let found = run(&mut node, folder, arguments);
    let errors = String::from_utf8_lossy(&found.stderr);
    let codes = [&expected, &found].map(|output| output.status.code());
    assert_eq!(codes[0], codes[1], "{arguments:?}: {errors}");
    let silent = [&expected, &found].map(|output| output.stderr.is_empty());
    assert_eq!(silent[0], silent[1], "{arguments:?}: {errors}");
    let [expected, found] =
        [expected, found].map(|output| String::from_utf8(output.stdout).unwrap());
    let pairs = expected.lines().zip(found.lines());
    for (number, (expected, found)) in pairs.enumerate() {
        assert_eq!(expected, found, "{arguments:?}: line {}", number + 1);
    }
    assert!(expected == found, "{arguments:?}: the answers end apart");
    expected
}

/// The kinds of answers and their counts.
#[derive(Default)]
struct Tally {
    answers: usize,
    hits: usize,
    start_solid: usize,
    all_solid: usize,
    /// Hits that have a name.
    named: usize,
}

impl Tally {
    /// Traces the same segments through `map.onion` in a folder with both, without a margin, and then others from
    /// where these end, usually on planes.
    fn compare(&mut self, folder: &Path, options: &[&str], segments: &[[f64; 6]]) {
        let ends = self.compare_batch(folder, &[options, &["--margin", "0"]].concat(), segments);
        let mut random = Random::new(ends.len() as u64);
        let nexts = ends.iter().skip(1).chain(ends.first());
        let from_there = ends.iter().zip(nexts);
        let from_there = from_there.map(|(&start, &next)| match random.below(4) {
            0 => join(start, next),
            1 => join(start, along(start, random.direction(), 100.0)),
            2 => join(start, along(start, slanted(&mut random), 100.0)),
            _ => through(start, &mut random),
        });
        let from_there: Vec<_> = from_there.collect();
        self.compare_batch(folder, options, &from_there);
    }

    /// Traces segments with both, and returns their ends.
    fn compare_batch(
        &mut self,
        folder: &Path,
        options: &[&str],
        segments: &[[f64; 6]],
    ) -> Vec<[f64; 3]> {
        let mut batch = String::from("sx,sy,sz,ex,ey,ez\n");
        for [a, b, c, d, e, f] in segments {
            writeln!(batch, "{a},{b},{c},{d},{e},{f}").unwrap();
        }
        fs::write(folder.join("batch.csv"), batch).unwrap();
        let arguments = ["trace", "map.onion", "--batch", "batch.csv"];
        let mut arguments = [&arguments, options].concat();
        if tells_hits(&folder.join("map.onion")) {
            arguments.push("--hits");
        }
        let answer = ask_both(folder, &arguments);
        let ends: Vec<_> = answer.lines().skip(1).map(|row| self.count(row)).collect();
        assert_eq!(ends.len(), segments.len());
        ends
    }

    /// Counts an answer, and returns the end of the trace.
    fn count(&mut self, row: &str) -> [f64; 3] {
        let cells = row.split(',').take(N_NUMBERS);
        let cells: Vec<f64> = cells.map(|cell| cell.parse().unwrap()).collect();
        let named = row.split(',').nth(N_NUMBERS);
        self.named += usize::from(named.is_some_and(|source| !source.is_empty()));
        let [_, hit_fraction, x, y, z, _, _, _, _, start_solid, all_solid] = cells[..] else {
            panic!("{row}");
        };
        self.answers += 1;
        self.hits += usize::from(hit_fraction != 1.0);
        self.start_solid += usize::from(start_solid == 1.0 && all_solid == 0.0);
        self.all_solid += usize::from(all_solid == 1.0);
        [x, y, z]
    }

    /// Asserts that there were enough answers of each kind.
    fn assert_all_kinds(&self, least: usize) {
        let Self {
            answers,
            hits,
            start_solid,
            all_solid,
            named,
        } = *self;
        say(&format!(
            "javascript: {answers} traces, {hits} hits, {named} named, {start_solid} from solid, {all_solid} all solid"
        ));
        for kind in [hits, start_solid, all_solid, answers - hits - all_solid] {
            assert!(kind > least, "{kind} of {answers}");
        }
    }
}

/// Whether a file has hit data.
fn tells_hits(file: &Path) -> bool {
    OnionMap::from_bytes(fs::read(file).unwrap())
        .unwrap()
        .has_hit_data()
}

#[test]
fn sample_maps_answer_with_the_same_bytes() {
    if !has_node() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut tally = Tally::default();
    for (seed, (name, _)) in samples::all().into_iter().enumerate() {
        let map = samples::dir().join(name).with_extension("bsp");
        let groups = ["one", "each", "auto"][seed % 3];
        let fill = (seed % 2 == 1).then_some("--no-fill");
        let options: Vec<&str> = ["--group", groups].into_iter().chain(fill).collect();
        compile(folder.path(), &map, &options);
        let segments = segments(SAMPLE_SEGMENTS, seed as u64);
        for hull in HULLS {
            tally.compare(folder.path(), &["--hull", hull], &segments);
        }
        if name == "door" {
            let pairs = ["1", "2"].map(|model| HULLS.map(|hull| (model, hull)));
            for (model, hull) in pairs.into_iter().flatten() {
                let options = ["--hull", hull, "--model", model];
                tally.compare(folder.path(), &options, &segments[..MODEL_SEGMENTS]);
            }
        }
    }
    tally.assert_all_kinds(4_000);
    assert!(tally.named > 10_000, "{}", tally.named);
}

#[test]
fn golden_files_answer_with_the_same_bytes() {
    if !has_node() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut tally = Tally::default();
    for (seed, name) in GOLDEN.into_iter().enumerate() {
        fs::write(folder.path().join("map.onion"), golden(name)).unwrap();
        let segments = segments(GOLDEN_SEGMENTS, 100 + seed as u64);
        for (hull, margin) in HULLS.into_iter().zip(["7.5", "1e-9", "NaN"]) {
            tally.compare(folder.path(), &["--hull", hull], &segments);
            let options = ["--hull", hull, "--margin", margin];
            tally.compare_batch(folder.path(), &options, &segments);
        }
        let mut batch = String::from("x,y,z\n");
        for [a, b, c, ..] in segments {
            writeln!(batch, "{a},{b},{c}").unwrap();
        }
        fs::write(folder.path().join("points.csv"), batch).unwrap();
        let question = ["point", "map.onion", "--batch", "points.csv"];
        let answer = ask_both(folder.path(), &question);
        for row in ["0,0,0", "1,0,0", "1,1,1"] {
            let n_rows = answer.lines().filter(|line| *line == row).count();
            assert!(n_rows > 5, "{n_rows} rows {row}");
        }
    }
    tally.assert_all_kinds(700);
}

/// Trees and hits that no map has: whatever a node names, both readers name the same.
#[test]
fn files_that_no_map_has_answer_with_the_same_bytes() {
    if !has_node() {
        return;
    }
    let folder = TempDir::new().unwrap();
    type Make = fn(u64) -> Vec<u8>;
    for (make, first, least_named) in [
        (scrambled as Make, 200, 0),
        (with_scrambled_hits, 300, 1_001),
    ] {
        let mut tally = Tally::default();
        for seed in 0..SCRAMBLED {
            fs::write(folder.path().join("map.onion"), make(seed)).unwrap();
            let hull = HULLS[seed as usize % HULLS.len()];
            let segments = segments(SAMPLE_SEGMENTS, first + seed);
            tally.compare(folder.path(), &["--hull", hull], &segments);
        }
        tally.assert_all_kinds(700);
        assert!(tally.named >= least_named, "{}", tally.named);
    }
}

/// Compares the verdicts of the reader in JavaScript and of the runtime, which must be the same. Returns the number
/// of files that load.
fn judge(files: &[Vec<u8>]) -> usize {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("files");
    let mut all = Vec::new();
    for file in files {
        all.extend(u32::try_from(file.len()).unwrap().to_le_bytes());
        all.extend(file);
    }
    fs::write(&path, all).unwrap();
    let output = Command::new("node")
        .args(["--input-type=module", "--eval", JUDGE, "--"])
        .args([javascript("onion.mjs"), path])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let found = String::from_utf8(output.stdout).unwrap();
    let loads = |file: &Vec<u8>| OnionMap::from_bytes(file).is_ok();
    let verdict = |file: &Vec<u8>| if loads(file) { '1' } else { '0' };
    let expected: String = files.iter().map(verdict).collect();
    let mut pairs = found.trim().chars().zip(expected.chars());
    let apart = pairs.position(|(found, expected)| found != expected);
    assert_eq!(apart, None, "the first file that only one of them loads");
    assert_eq!(found.trim().len(), files.len());
    expected.matches('1').count()
}

#[test]
fn damaged_files_are_refused() {
    if !has_node() {
        return;
    }
    for name in &GOLDEN[..N_BARE] {
        let file = golden(name);
        let cut = (0..file.len()).step_by(3).map(|end| file[..end].to_vec());
        let longer = [file.as_slice(), &[0]].concat();
        let flipped = (0..file.len()).step_by(3).map(|at| flipped(&file, at));
        let damaged: Vec<_> = cut.chain([longer]).chain(flipped).collect();
        assert_eq!(judge(&damaged), 0, "{name}");
        assert_eq!(judge(&[file]), 1, "{name}");
    }
}

/// With the checksum corrected, only the rules for records decide.
#[test]
fn rules_for_records_are_the_same() {
    if !has_node() {
        return;
    }
    for name in &GOLDEN[..N_BARE] {
        compare_rules(name, &golden(name));
    }
    // With entities, brushes, hits, shapes, floors and links; the module ignores the other optional chunks.
    let folder = TempDir::new().unwrap();
    let map = samples::dir().join("low_tunnel.bsp");
    compile(
        folder.path(),
        &map,
        &["--no-fill", "--no-fast", "--brushes", "--floors"],
    );
    let file = fs::read(folder.path().join("map.onion")).unwrap();
    compare_rules("with shapes and links", &file);
}

/// Damages every byte of a file in turn; both must load the same ones.
fn compare_rules(name: &str, file: &[u8]) {
    let changed = (0..file.len()).map(|at| with_checksum(flipped(file, at)));
    let changed: Vec<_> = changed.collect();
    let n_loaded = judge(&changed);
    let n_refused = changed.len() - n_loaded;
    say(&format!(
        "javascript: {name}: {n_loaded} load, {n_refused} are refused"
    ));
    assert!(n_loaded > 200 && n_refused > 1_000, "{name}");
}

/// Runs the unit tests of the module.
#[test]
fn the_module_keeps_its_promises() {
    if !has_node() {
        return;
    }
    let mut node = Command::new("node");
    let tests = node.arg("--test").arg(javascript("onion.test.mjs"));
    let output = run(tests, repository(), &[]);
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}");
}
