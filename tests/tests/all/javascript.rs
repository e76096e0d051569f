//! The reader in JavaScript (`runtime/js`), written from FORMAT.md alone, prints the bytes that `onionc`
//! prints: on all sample maps and golden files, whatever the segment; and refuses the files that it refuses.
//! Skipped where there is no `node`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use onion_format::{
    ChoiceRecord, HitAt, HitRecord, LeafRecord, NORMAL_ONE, NodePlane, NodeRecord, PlaneRecord,
    Record, SideRecord,
};
use onion_runtime::OnionMap;
use onion_tests::maps::say;
use onion_tests::planted::{count, records, restate};
use onion_tests::random::Random;
use onion_tests::skips::skip;
use onion_tests::{command, samples};
use tempfile::TempDir;

const HULLS: [&str; 3] = ["stand", "crouch", "point"];

/// Golden files, with one group and several, first those without optional chunks.
const GOLDEN: [&str; 4] = [
    "low_tunnel-bare",
    "low_tunnel-bare-groups",
    "low_tunnel",
    "low_tunnel-groups",
];

/// Those without optional chunks.
const N_BARE: usize = 2;

/// Segments for each hull of a sample map, of another model, and of a golden file; as many again begin
/// where these end.
const SAMPLE_SEGMENTS: usize = 600;
const MODEL_SEGMENTS: usize = 200;
const GOLDEN_SEGMENTS: usize = 250;

/// Files with trees that no map has, and files whose nodes name sides that have no face there.
const SCRAMBLED: u64 = 16;

/// Segments begin and end within this box, in units: about where the sample maps have their rooms.
const MINS: [f64; 3] = [-336.0, -336.0, -48.0];
const MAXS: [f64; 3] = [336.0, 336.0, 208.0];

/// Most planes of the sample maps and their hulls are at multiples of this, in units.
const GRID: f64 = 8.0;

/// The domain of queries, in units; see FORMAT.md.
const DOMAIN: f64 = (1u64 << 30) as f64;

/// Columns of an answer that are numbers and tell of the trace; what it hit is behind them.
const N_NUMBERS: usize = 11;

/// Beyond the domain by as little as whole numbers have, in units.
const BEYOND: f64 = DOMAIN + 1.0;

/// Reads files, each behind its length (u32), and prints 1 for each that loads, 0 for each that is refused.
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

/// The binary in the profile of this test, built once.
fn onionc() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| command::build_alike().unwrap())
}

/// Whether the test can run; if not, that is listed as skipped.
fn has_node() -> bool {
    let found = Command::new("node").arg("--version").output().is_ok();
    if !found {
        skip("the reader in JavaScript: no node on the PATH");
    }
    found
}

fn run(command: &mut Command, folder: &Path, arguments: &[&str]) -> Output {
    command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn golden(name: &str) -> Vec<u8> {
    let path = repository().join("tests/golden").join(name);
    fs::read(path.with_extension("onion")).unwrap()
}

/// A file with trees that no map has, and that readers must load and trace all the same: of some nodes the
/// plane is another one or has other marks, of some leaves the solidity is another one.
fn scrambled(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut file = golden("low_tunnel-bare");
    let planes = records(&file, PlaneRecord::TAG);
    let n_planes = count(&file, PlaneRecord::TAG);
    let nodes = records(&file, NodeRecord::TAG);
    for node in 0..count(&file, NodeRecord::TAG) {
        let node = nodes + node * NodeRecord::SIZE;
        let mut record = NodeRecord::read(&file[node..]);
        match random.below(8) {
            0 => record.plane = record.plane >> 30 << 30 | random.below(n_planes) as u32,
            1 => record.plane ^= (1 + random.below(3) as u32) << 30,
            _ => {}
        }
        let plane = NodePlane(record.plane).index() as usize;
        let plane = PlaneRecord::read(&file[planes + plane * PlaneRecord::SIZE..]);
        let unit = |component| f64::from(component) / f64::from(NORMAL_ONE);
        record.normal = plane.normal.map(|component| unit(component) as f32);
        record.dist = plane.dist as f32;
        record.write(&mut file[node..]);
    }
    let leaves = records(&file, LeafRecord::TAG);
    for leaf in 0..count(&file, LeafRecord::TAG) {
        if random.below(8) == 0 {
            file[leaves + leaf * LeafRecord::SIZE] ^= 1 << random.below(HULLS.len());
        }
    }
    restate(&mut file);
    file
}

/// A file with its checksum made right.
fn with_checksum(mut file: Vec<u8>) -> Vec<u8> {
    let checksum = onion_format::checksum(&file);
    file[onion_format::CHECKSUM_OFFSET..][..8].copy_from_slice(&checksum.to_le_bytes());
    file
}

/// Compiles a sample map to a file `map.onion` in a folder.
/// A file whose nodes name other sides and choices than they should, which readers must load all the same.
fn with_scrambled_hits(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut file = golden("low_tunnel");
    let n_sides = count(&file, SideRecord::TAG);
    let n_choices = count(&file, ChoiceRecord::TAG);
    let mut hit = |below: usize| match random.below(5) {
        0 if below > 0 => HitAt::CHOICE_BIT | random.below(below) as u32,
        1 => HitAt::NOTHING.0,
        2 => HitAt::BEVEL_BIT | random.below(n_sides) as u32,
        _ => random.below(n_sides) as u32,
    };
    let hits = records(&file, HitRecord::TAG);
    for node in 0..count(&file, HitRecord::TAG) {
        let record = HitRecord {
            hit: hit(n_choices),
        };
        record.write(&mut file[hits + node * HitRecord::SIZE..]);
    }
    let choices = records(&file, ChoiceRecord::TAG);
    for choice in 0..n_choices {
        let place = choices + choice * ChoiceRecord::SIZE;
        let test = ChoiceRecord::read(&file[place..]).test;
        let record = ChoiceRecord {
            test,
            hits: [hit(choice), hit(choice)],
        };
        record.write(&mut file[place..]);
    }
    restate(&mut file);
    file
}

fn compile(folder: &Path, map: &Path, options: &[&str]) {
    let map = map.to_str().unwrap();
    let hulls = "--hull stand:16x56 --hull crouch:16x32 --hull point:point -o map.onion";
    let arguments: Vec<&str> = [map]
        .into_iter()
        .chain(hulls.split_whitespace())
        .chain(options.iter().copied())
        .collect();
    let output = run(&mut Command::new(onionc()), folder, &arguments);
    assert!(output.status.success(), "{output:?}");
}

/// Runs a command of both; the exit codes and all bytes of the answers must be the same. Returns the answer.
fn ask_both(folder: &Path, arguments: &[&str]) -> String {
    let expected = run(&mut Command::new(onionc()), folder, arguments);
    let mut node = Command::new("node");
    let found = run(node.arg(javascript("cli.mjs")), folder, arguments);
    let errors = String::from_utf8_lossy(&found.stderr);
    let codes = [&expected, &found].map(|output| output.status.code());
    assert_eq!(codes[0], codes[1], "{arguments:?}: {errors}");
    assert_eq!(
        expected.stderr.is_empty(),
        found.stderr.is_empty(),
        "{arguments:?}: {errors}"
    );
    let [expected, found] =
        [expected, found].map(|output| String::from_utf8(output.stdout).unwrap());
    if let Some((line, pair)) = expected
        .lines()
        .zip(found.lines())
        .enumerate()
        .find(|(_, (expected, found))| expected != found)
    {
        panic!("{arguments:?}: line {} of the answer: {pair:?}", line + 1);
    }
    assert!(expected == found, "{arguments:?}: the answers end apart");
    expected
}

/// What kinds of answers there were.
#[derive(Default)]
struct Tally {
    answers: usize,
    hits: usize,
    start_solid: usize,
    all_solid: usize,
    /// What was hit has a name.
    named: usize,
}

impl Tally {
    /// Traces the same segments through `map.onion` in a folder with both, without a skin, and then others
    /// from where these end, which is on planes as a rule.
    fn compare(&mut self, folder: &Path, options: &[&str], segments: &[[f64; 6]]) {
        let ends = self.compare_batch(folder, &[options, &["--skin", "0"]].concat(), segments);
        let mut random = Random::new(ends.len() as u64);
        let from_there: Vec<_> = ends
            .iter()
            .zip(ends.iter().skip(1).chain(ends.first()))
            .map(|(&start, &next)| match random.below(4) {
                0 => join(start, next),
                1 => join(start, along(start, random.direction(), 100.0)),
                2 => join(start, along(start, slanted(&mut random), 100.0)),
                _ => through(start, &mut random),
            })
            .collect();
        self.compare_batch(folder, options, &from_there);
    }

    /// Traces segments with both; returns where they end.
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

    /// Counts an answer; returns where the trace ends.
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

    /// That there were enough answers of each kind.
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

/// Whether a file tells what is hit.
fn tells_hits(file: &Path) -> bool {
    OnionMap::from_bytes(fs::read(file).unwrap())
        .unwrap()
        .has_hit_data()
}

/// A point whose coordinates are multiples of the grid.
fn grid_point(random: &mut Random) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let n_steps = ((MAXS[axis] - MINS[axis]) / GRID) as usize;
        MINS[axis] + GRID * random.below(n_steps + 1) as f64
    })
}

fn along(at: [f64; 3], direction: [f64; 3], length: f64) -> [f64; 3] {
    std::array::from_fn(|axis| at[axis] + direction[axis] * length)
}

fn join([a, b, c]: [f64; 3], [d, e, f]: [f64; 3]) -> [f64; 6] {
    [a, b, c, d, e, f]
}

/// A direction as slanted as ramps and wedges are, along an axis, or along a diagonal.
fn slanted(random: &mut Random) -> [f64; 3] {
    std::array::from_fn(|_| [-2.0, -1.0, 0.0, 0.0, 1.0, 2.0][random.below(6)])
}

/// Nothing, or about as much as what counts as touched, or as a plane is thick, in units.
fn hair(random: &mut Random) -> f64 {
    [0.0, 2f64.powi(-18 - random.below(18) as i32)][random.below(2)]
}

/// A segment through a place, to it, or past it by a hair, in a slanted direction; some come from far away.
fn through(place: [f64; 3], random: &mut Random) -> [f64; 6] {
    let direction = slanted(random);
    let middle = along(place, random.direction(), hair(random));
    let near = GRID * random.below(9) as f64;
    let far = 2f64.powf(random.between(10.0, 28.0));
    let before = [near, near, near, far][random.below(4)];
    let after = GRID * random.below(9) as f64;
    join(
        along(middle, direction, -before),
        along(middle, direction, after),
    )
}

/// One of several kinds of segments, in turn.
fn segment(kind: usize, random: &mut Random) -> [f64; 6] {
    let anywhere = |random: &mut Random| random.point(MINS, MAXS);
    match kind % 12 {
        // Between any two places, and short ways.
        0 => join(anywhere(random), anywhere(random)),
        1 => {
            let start = anywhere(random);
            join(start, along(start, random.direction(), 32.0))
        }
        // In planes of the tree, as a rule, or almost: along an axis, and in a plane of two.
        2 | 3 => {
            let mut start = grid_point(random);
            let mut end = grid_point(random);
            let axis = random.below(3);
            end[axis] = start[axis];
            if kind % 12 == 2 {
                end[(axis + 1) % 3] = start[(axis + 1) % 3];
            }
            start[axis] += hair(random);
            end[axis] += hair(random);
            join(start, end)
        }
        // Through edges and corners, or past them.
        4..=8 => through(grid_point(random), random),
        // From one place to the same.
        9 => {
            let points = [anywhere(random), grid_point(random)];
            let point = points[random.below(2)];
            join(point, point)
        }
        // About as short as what counts as touched.
        10 => {
            let start = grid_point(random);
            let length = 2f64.powi(-(random.below(40) as i32));
            join(start, along(start, random.direction(), length))
        }
        // Not numbers, or at the end of the domain and beyond.
        _ => {
            let strange = [
                f64::NAN,
                f64::INFINITY,
                -f64::INFINITY,
                -0.0,
                f64::MIN_POSITIVE,
                1e300,
                DOMAIN,
                -DOMAIN,
                BEYOND,
                -BEYOND,
            ];
            let mut points = [anywhere(random), grid_point(random)];
            points[random.below(2)][random.below(3)] = strange[random.below(strange.len())];
            join(points[0], points[1])
        }
    }
}

fn segments(count: usize, seed: u64) -> Vec<[f64; 6]> {
    let mut random = Random::new(seed);
    (0..count).map(|kind| segment(kind, &mut random)).collect()
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
        let fill = if seed % 2 == 0 {
            None
        } else {
            Some("--no-fill")
        };
        let options: Vec<&str> = ["--group", groups].into_iter().chain(fill).collect();
        compile(folder.path(), &map, &options);
        let segments = segments(SAMPLE_SEGMENTS, seed as u64);
        for hull in HULLS {
            tally.compare(folder.path(), &["--hull", hull], &segments);
        }
        if name == "door" {
            for (model, hull) in ["1", "2"]
                .into_iter()
                .flat_map(|model| HULLS.map(|hull| (model, hull)))
            {
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
        for (hull, skin) in HULLS.into_iter().zip(["7.5", "1e-9", "NaN"]) {
            tally.compare(folder.path(), &["--hull", hull], &segments);
            tally.compare_batch(folder.path(), &["--hull", hull, "--skin", skin], &segments);
        }
        let mut batch = String::from("x,y,z\n");
        for [a, b, c, ..] in segments {
            writeln!(batch, "{a},{b},{c}").unwrap();
        }
        fs::write(folder.path().join("points.csv"), batch).unwrap();
        let answer = ask_both(
            folder.path(),
            &["point", "map.onion", "--batch", "points.csv"],
        );
        for row in ["0,0,0", "1,0,0", "1,1,1"] {
            let n_rows = answer.lines().filter(|line| *line == row).count();
            assert!(n_rows > 5, "{n_rows} rows {row}");
        }
    }
    tally.assert_all_kinds(700);
}

#[test]
fn trees_that_no_map_has_answer_with_the_same_bytes() {
    if !has_node() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut tally = Tally::default();
    for seed in 0..SCRAMBLED {
        fs::write(folder.path().join("map.onion"), scrambled(seed)).unwrap();
        let hull = HULLS[seed as usize % HULLS.len()];
        let segments = segments(SAMPLE_SEGMENTS, 200 + seed);
        tally.compare(folder.path(), &["--hull", hull], &segments);
    }
    tally.assert_all_kinds(700);
}

/// Whatever a node says is hit there, both name the same.
#[test]
fn hits_that_no_map_has_are_named_alike() {
    if !has_node() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut tally = Tally::default();
    for seed in 0..SCRAMBLED {
        fs::write(folder.path().join("map.onion"), with_scrambled_hits(seed)).unwrap();
        let hull = HULLS[seed as usize % HULLS.len()];
        let segments = segments(SAMPLE_SEGMENTS, 300 + seed);
        tally.compare(folder.path(), &["--hull", hull], &segments);
    }
    tally.assert_all_kinds(700);
    assert!(tally.named > 1_000, "{}", tally.named);
}

/// What both do with command lines and files that they can or cannot use.
// Long: a table, one row for each command line.
#[test]
fn exit_codes_are_the_same() {
    if !has_node() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let file = golden("low_tunnel-bare");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("map.onion", &file);
    write("cut.onion", &file[..file.len() - 1]);
    write("short.csv", b"sx,sy,sz,ex,ey,ez\n0,0,24,1,0\n");
    write("latin.csv", b"sx,sy,sz,ex,ey,ez\n0,0,24,1,0,24 \xe9\n");
    write("words.csv", b"sx,sy,sz,ex,ey,ez\n0,0,24,1,0,0x18\n");
    write(
        "good.csv",
        "ex,ey,ez, sx,sy ,sz\r\n +1e1,\t.5,2.4e1 ,1.,0,24\u{a0}\r\n\n \n1,2,3,inf,-Infinity,nan"
            .as_bytes(),
    );
    write("none.csv", b"sx,sy,sz,ex,ey,ez");
    write("empty.csv", b"");
    write("points.csv", b"x,y,z\n0,0,24\n");
    write("bare.csv", b"0,0,24,1,0,24\n");
    let trace = "trace map.onion --hull stand";
    let cases = [
        (0, format!("{trace} --batch good.csv")),
        (0, format!("{trace} --batch none.csv")),
        (2, format!("{trace} --batch good.csv --hits")),
        (2, format!("{trace} --batch good.csv --hits=1")),
        (4, format!("{trace} --batch empty.csv")),
        (4, format!("{trace} --batch points.csv")),
        (4, format!("{trace} --batch bare.csv")),
        (0, format!("{trace} --from -200,0,24 --to 5e2,0,24")),
        (0, format!("{trace} --from=0.1,-0,1e-7 --to=1e30,nan,-inf")),
        (
            0,
            format!("{trace} --from -200,0,24 --to 500,0,24 --skin=-1"),
        ),
        (
            0,
            format!("{trace} --from -200,0,24 --to 500,0,24 --skin inf"),
        ),
        (0, "point map.onion --at 0,0,24 --model 0".to_owned()),
        (2, trace.to_owned()),
        (2, format!("{trace} --from 0,0,24")),
        (2, format!("{trace} --from 0,0,24 --to 1,0")),
        (2, format!("{trace} --at 0,0,24")),
        (
            2,
            format!("{trace} --from 0,0,24 --to 0,0,24 --batch good.csv"),
        ),
        (2, format!("{trace} --batch good.csv --model 1")),
        (2, format!("{trace} --batch good.csv --skin wide")),
        (
            2,
            "trace map.onion --hull giant --batch good.csv".to_owned(),
        ),
        (2, "trace map.onion --batch good.csv".to_owned()),
        (2, "point map.onion".to_owned()),
        (3, "point no.onion --at 0,0,24".to_owned()),
        (3, format!("{trace} --batch no.csv")),
        (4, "point cut.onion --at 0,0,24".to_owned()),
        (4, "point good.csv --at 0,0,24".to_owned()),
        (4, format!("{trace} --batch short.csv")),
        (4, format!("{trace} --batch latin.csv")),
        (4, format!("{trace} --batch words.csv")),
    ];
    for (code, arguments) in cases {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        ask_both(folder.path(), &arguments);
        let output = run(&mut Command::new(onionc()), folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}

/// The verdicts of the reader in JavaScript and of the runtime; they must be the same. Returns how many files
/// load.
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
    let expected: String = files
        .iter()
        .map(|file| if loads(file) { '1' } else { '0' })
        .collect();
    let apart = found
        .trim()
        .chars()
        .zip(expected.chars())
        .position(|(found, expected)| found != expected);
    assert_eq!(apart, None, "the first file that only one of them loads");
    assert_eq!(found.trim().len(), files.len());
    expected.matches('1').count()
}

/// A byte of a file turned into another one; `at` says how.
fn flipped(file: &[u8], at: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at] ^= [0xff, 0x01, 0x80, 0x40][at / 3 % 4];
    file
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

/// With the checksum made right again, the rules for records alone decide.
#[test]
fn rules_for_records_are_the_same() {
    if !has_node() {
        return;
    }
    for name in &GOLDEN[..N_BARE] {
        compare_rules(name, &golden(name));
    }
    // With entities, brushes and hits; the module does not look into the other optional chunks.
    let folder = TempDir::new().unwrap();
    let map = samples::dir().join("low_tunnel.bsp");
    compile(folder.path(), &map, &["--no-fill", "--no-fast"]);
    let file = fs::read(folder.path().join("map.onion")).unwrap();
    compare_rules("with hits", &file);
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

/// The tests of the module from inside.
#[test]
fn the_module_keeps_its_promises() {
    if !has_node() {
        return;
    }
    let mut node = Command::new("node");
    let output = run(
        node.arg("--test").arg(javascript("onion.test.mjs")),
        repository(),
        &[],
    );
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}");
}
