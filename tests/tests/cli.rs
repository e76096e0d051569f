//! The `onionc` binary from outside: what each command writes and prints, and for everything that
//! can go wrong its exit code, its message, and that no file was made or changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use onion_tests::command;
use onion_tests::maps::real_maps;
use onion_tests::rooms;
use onion_tests::samples::{self, Brush, Face, Shader, Vec3};
use onion_tests::skips::skip;
use serde_json::{Value, json};
use tempfile::TempDir;

const TRACE_HEADER: &str = "fraction,hit_fraction,end_x,end_y,end_z,\
                            normal_x,normal_y,normal_z,dist,start_solid,all_solid";

/// Exit codes, as `onionc --help` lists them.
const USAGE: i32 = 2;
const CANNOT_READ: i32 = 3;
const BAD_INPUT: i32 = 4;
const CANNOT_WRITE: i32 = 5;
const FAILED: i32 = 6;

/// Maps below this size in bytes are compiled many times.
const SMALL: usize = 1_000_000;

/// The binary in the profile of this test, built once.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| command::build_alike().unwrap())
}

/// What a command did.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

/// A folder of its own to run commands in.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder with a sample map as `map.bsp`.
    fn with_map(sample: &str) -> Self {
        let folder = Self::new();
        folder.write("map.bsp", sample_bytes(sample));
        folder
    }

    /// The same with `map.onion`, compiled for the hulls of the sample maps' facts.
    fn with_onion(sample: &str) -> Self {
        let folder = Self::with_map(sample);
        folder.succeed("map.bsp --hull stand:16x56 --hull crouch:16x32 --hull point:point");
        folder
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap()
    }

    fn make_folder(&self, name: &str) {
        fs::create_dir(self.0.path().join(name)).unwrap();
    }

    /// Names of everything in the folder, and the bytes of what is a file.
    fn contents(&self) -> BTreeMap<String, Option<Vec<u8>>> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        entries
            .map(|entry| {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                (name, fs::read(entry.path()).ok())
            })
            .collect()
    }

    fn names(&self) -> Vec<String> {
        self.contents().into_keys().collect()
    }

    /// Runs `onionc` in the folder with arguments separated by blanks.
    fn run(&self, arguments: &str) -> Run {
        let output = Command::new(binary())
            .args(arguments.split_whitespace())
            .current_dir(self.0.path())
            .output()
            .unwrap();
        Run {
            code: output.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a command that must succeed without a warning; returns what it prints.
    fn succeed(&self, arguments: &str) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
        assert_eq!(run.stderr, "", "{arguments}: success is silent on stderr");
        run.stdout
    }

    fn succeed_json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.succeed(arguments)).expect(arguments)
    }

    /// Runs a command that must fail with a code and one message that has all the words, and must
    /// leave the folder as it was. A message is one line; below it, indented, may stand what made
    /// a compile fail.
    fn fail(&self, arguments: &str, code: i32, words: &[&str]) {
        let before = self.contents();
        let run = self.run(arguments);
        let what = format!("onionc {arguments}\n{}", run.stderr);
        assert_eq!(run.code, code, "exit code of {what}");
        assert_eq!(run.stdout, "", "no results where there are none: {what}");
        let errors = run.stderr.matches("error: ").count();
        assert_eq!(errors, 1, "an error is told in one place: {what}");
        if code != USAGE {
            assert!(run.stderr.starts_with("onionc: error: "), "{what}");
            let mut below = run.stderr.lines().skip(1);
            let is_listed = |line: &str| code == FAILED && line.starts_with("  ");
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

    /// The rows below the header of a CSV answer.
    fn rows(&self, arguments: &str, header: &str) -> Vec<String> {
        let text = self.succeed(arguments);
        let mut lines = text.lines().map(str::to_owned);
        assert_eq!(lines.next().as_deref(), Some(header), "{arguments}");
        lines.collect()
    }

    /// The only row of a trace.
    fn trace(&self, arguments: &str) -> TraceRow {
        let rows = self.rows(&format!("trace map.onion {arguments}"), TRACE_HEADER);
        assert_eq!(rows.len(), 1, "one segment, one row: {arguments}");
        TraceRow::read(&rows[0])
    }

    /// The hulls in the compiled map, as `info --json` has them.
    fn hulls(&self) -> Vec<Value> {
        let info = self.succeed_json("info map.onion --json");
        info["hulls"].as_array().unwrap().clone()
    }
}

/// A row of the answer to a trace.
#[derive(Debug, PartialEq)]
struct TraceRow {
    fraction: f64,
    hit_fraction: f64,
    end: [f64; 3],
    normal: [f64; 3],
    dist: f64,
    /// Start solid and all solid.
    flags: [bool; 2],
}

impl TraceRow {
    fn read(row: &str) -> Self {
        let cells: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
        let cells: [f64; 11] = cells.try_into().expect(row);
        let [fraction, hit_fraction, x, y, z, a, b, c, dist, flags @ ..] = cells;
        let flag = |cell: f64| match cell {
            0.0 => false,
            1.0 => true,
            _ => panic!("a flag is 0 or 1: {row}"),
        };
        Self {
            fraction,
            hit_fraction,
            end: [x, y, z],
            normal: [a, b, c],
            dist,
            flags: flags.map(flag),
        }
    }
}

fn sample_bytes(name: &str) -> Vec<u8> {
    fs::read(samples::dir().join(name).with_extension("bsp")).unwrap()
}

fn assert_keys(object: &Value, keys: &[&str]) {
    for key in keys {
        assert!(
            object.get(key).is_some(),
            "{key} is missing from {object:#}"
        );
    }
}

#[test]
fn the_verbatim_command_writes_beside_the_map() {
    let folder = Folder::with_map("courtyard");
    let report = folder.succeed("map.bsp --hull stand:16x56 --hull crouch:16x32");
    assert_eq!(folder.names(), ["map.bsp", "map.onion"]);
    let size = format!("{} bytes", folder.read("map.onion").len());
    let expected = [
        "hull stand: mins -16 -16 -24, maxs 16 16 32",
        "hull crouch: mins -16 -16 -24, maxs 16 16 8",
        " brushes",
        " nodes",
        " leaves",
        &size,
        "audit: ",
        " 0 impure",
        "seconds: ",
        "wrote map.onion",
    ];
    for text in expected {
        assert!(report.contains(text), "{text:?} is not in\n{report}");
    }
    assert_eq!(folder.read("map.bsp"), sample_bytes("courtyard"));
}

#[test]
fn output_goes_where_it_is_told() {
    let folder = Folder::with_map("room");
    folder.make_folder("elsewhere");
    folder.succeed("map.bsp --hull stand:16x56 -o elsewhere/short.onion");
    folder.succeed("map.bsp --hull stand:16x56 --output elsewhere/long.onion");
    assert_eq!(folder.names(), ["elsewhere", "map.bsp"], "nothing beside");
    let short = folder.read("elsewhere/short.onion");
    assert!(!short.is_empty());
    assert_eq!(short, folder.read("elsewhere/long.onion"));
}

#[test]
fn an_older_output_is_replaced() {
    let folder = Folder::with_map("room");
    folder.write("map.onion", "an older file");
    folder.succeed("map.bsp --hull stand:16x56");
    assert_eq!(folder.hulls().len(), 1);
    assert_eq!(folder.names(), ["map.bsp", "map.onion"]);
}

#[test]
fn the_json_report_agrees_with_the_file() {
    let folder = Folder::with_map("courtyard");
    let report = folder.succeed_json("map.bsp --hull stand:16x56 --hull point:point --json");
    assert_keys(&report, &["hulls", "nodes", "leaves", "bytes", "audit"]);
    assert_eq!(report["hulls"].as_array().unwrap().len(), 2);
    assert_eq!(report["audit"]["impure"], 0);
    assert_eq!(report["bytes"], folder.read("map.onion").len());
    let info = folder.succeed_json("info map.onion --json");
    for key in ["nodes", "leaves", "bytes"] {
        assert_eq!(report[key], info[key], "{key}");
    }
}

#[test]
fn reports_tell_what_costs_what() {
    let folder = Folder::with_map("door");
    let command = "map.bsp --hull stand:16x56 --hull crouch:16x32";
    let text = folder.succeed(command);
    let brushes = text.lines().filter(|line| line.contains(" added "));
    assert_eq!(brushes.clone().count(), 5, "the most costly:\n{text}");
    let report = folder.succeed_json(&format!("{command} --json"));
    let costs = &report["costs"];
    assert_keys(costs, &["hulls", "uncharged", "brushes"]);
    assert_keys(&costs["hulls"][1], &["hull", "nodes", "shared", "bytes"]);
    let [stand, crouch] = [0, 1].map(|hull| &costs["hulls"][hull]["nodes"]);
    let by_hull = format!("nodes by hull: stand {stand}, crouch {crouch}, uncharged ");
    assert!(text.contains(&by_hull), "{by_hull:?} is not in\n{text}");
    let keys = ["brush", "model", "entity", "center", "nodes", "bytes"];
    let all = costs["brushes"].as_array().unwrap();
    assert_eq!(all.len(), 12, "every brush of the map has a face");
    for (cost, line) in all.iter().zip(brushes) {
        assert_keys(cost, &keys);
        let brush = format!("brush {} ", cost["brush"]);
        let nodes = format!(" added {} nodes", cost["nodes"]);
        assert!(line.starts_with(&brush) && line.ends_with(&nodes), "{line}");
    }
}

#[test]
fn what_is_too_large_is_not_written() {
    let folder = Folder::with_onion("courtyard");
    let command = "map.bsp --hull stand:16x56 --hull crouch:16x32";
    let report = folder.succeed_json(&format!("{command} -o free.onion --json"));
    let [nodes, bytes] = ["nodes", "bytes"].map(|key| report[key].as_u64().unwrap());
    let within = format!("{command} -o within.onion --max-nodes {nodes} --max-bytes {bytes}");
    folder.succeed(&within);
    assert_eq!(folder.read("within.onion"), folder.read("free.onion"));

    let [worst, tenth, next] = [0, 9, 10].map(|rank| {
        let cost = &report["costs"]["brushes"][rank];
        match cost.get("brush") {
            Some(number) => format!("\n  brush {number} at ("),
            None => format!("\n  patch surface {} at (", cost["patch"]),
        }
    });
    let table = [("nodes", nodes), ("bytes", bytes)];
    for (what, size) in table {
        let arguments = format!("{command} --max-{what} {}", size - 1);
        let figures = format!("{size} {what}, the limit is {}: ", size - 1);
        let option = format!("raise --max-{what}\n");
        let by_hull = "\n  nodes by hull: stand ";
        let words = ["map.bsp: ", &figures, &option, by_hull, &worst, &tenth];
        folder.fail(&arguments, FAILED, &words);
        let stderr = folder.run(&arguments).stderr;
        assert!(!stderr.contains(&next), "ten are enough: {stderr}");
    }
    // `map.onion` was there before and is untouched; without it, none is made.
    let empty = Folder::with_map("courtyard");
    empty.fail(&format!("{command} --max-nodes 0"), FAILED, &["limit is 0"]);
    folder.fail(&format!("{command} --max-nodes few"), USAGE, &["few"]);
}

#[test]
fn info_tells_what_is_in_a_file() {
    let folder = Folder::with_onion("door");
    let info = folder.succeed_json("info map.onion --json");
    assert_keys(
        &info,
        &[
            "nodes", "leaves", "planes", "bytes", "hulls", "groups", "models", "audit",
        ],
    );
    assert_keys(&info["audit"], &["leaf_hulls"]);
    assert_eq!(info["models"].as_array().unwrap().len(), 3, "{info:#}");
    let hulls = info["hulls"].as_array().unwrap();
    for hull in hulls {
        assert_keys(hull, &["name", "mins", "maxs", "contents"]);
    }
    let names: Vec<_> = hulls.iter().map(|hull| &hull["name"]).collect();
    assert_eq!(names, ["stand", "crouch", "point"], "in the order given");

    let text = folder.succeed("info map.onion");
    for part in [
        " nodes",
        " leaves",
        "hull stand",
        "hull point",
        "leaf-hulls proven",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

/// A `--hull` option and further options, and the box they stand for.
type Resolution = (&'static str, [f64; 3], [f64; 3]);

const RESOLUTIONS: [Resolution; 14] = [
    ("stand:16x56", [-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]),
    ("crouch:16x32", [-16.0, -16.0, -24.0], [16.0, 16.0, 8.0]),
    // No taller than 24: centered, as its origin would be above its head.
    ("small:8x16", [-8.0, -8.0, -8.0], [8.0, 8.0, 8.0]),
    ("edge:8x24", [-8.0, -8.0, -12.0], [8.0, 8.0, 12.0]),
    ("feet:16x56@feet", [-16.0, -16.0, 0.0], [16.0, 16.0, 56.0]),
    (
        "center:16x56@center",
        [-16.0, -16.0, -28.0],
        [16.0, 16.0, 28.0],
    ),
    ("n:16x56@40", [-16.0, -16.0, -40.0], [16.0, 16.0, 16.0]),
    ("half:16x56@0.5", [-16.0, -16.0, -0.5], [16.0, 16.0, 55.5]),
    (
        "all:16x56 --origin feet",
        [-16.0, -16.0, 0.0],
        [16.0, 16.0, 56.0],
    ),
    ("all:8x16 --origin 10", [-8.0, -8.0, -10.0], [8.0, 8.0, 6.0]),
    (
        "own:16x56@center --origin feet",
        [-16.0, -16.0, -28.0],
        [16.0, 16.0, 28.0],
    ),
    (
        "long:mins=-15,-15,-24:maxs=15,15,32",
        [-15.0, -15.0, -24.0],
        [15.0, 15.0, 32.0],
    ),
    (
        "long:mins=-15,-15,-24:maxs=15,15,32 --origin feet",
        [-15.0, -15.0, -24.0],
        [15.0, 15.0, 32.0],
    ),
    ("point:point", [0.0; 3], [0.0; 3]),
];

#[test]
fn hulls_resolve_to_boxes() {
    let folder = Folder::with_map("room");
    for (options, mins, maxs) in RESOLUTIONS {
        folder.succeed(&format!("map.bsp --hull {options}"));
        let hulls = folder.hulls();
        assert_eq!(hulls.len(), 1, "{options}");
        assert_eq!(hulls[0]["mins"], json!(mins), "mins of {options}");
        assert_eq!(hulls[0]["maxs"], json!(maxs), "maxs of {options}");
    }
}

#[test]
fn hulls_resolve_to_contents() {
    let folder = Folder::with_map("room");
    let table = [
        ("box:16x56", 0x1_0001_u32),
        ("box:mins=0,0,0:maxs=1,1,1", 0x1_0001),
        ("point:point", 1),
        ("box:16x56:contents=solid", 1),
        ("point:point:contents=solid+playerclip", 0x1_0001),
        ("water:point:contents=water", 32),
        ("monster:16x56:contents=solid+monsterclip", 0x2_0001),
        ("hex:16x56:contents=0x10001", 0x1_0001),
        ("decimal:16x56:contents=33", 33),
        ("mixed:16x56:contents=water+0x8", 40),
        ("top:point:contents=0x80000000", 0x8000_0000),
    ];
    for (option, contents) in table {
        folder.succeed(&format!("map.bsp --hull {option}"));
        assert_eq!(folder.hulls()[0]["contents"], contents, "{option}");
    }
}

#[test]
fn a_trace_stops_in_front_of_a_wall() {
    let folder = Folder::with_onion("room");
    // The wall is at x = 256, the box reaches 16 ahead.
    let row = folder.trace("--hull stand --from 0,0,24 --to 400,0,24");
    assert_eq!(row.hit_fraction, 0.6);
    assert_eq!((row.normal, row.dist), ([-1.0, 0.0, 0.0], -240.0));
    assert_eq!(row.flags, [false, false]);
    assert!((row.end[0] - (240.0 - 1.0 / 32.0)).abs() < 1e-9, "{row:?}");
    assert!((row.fraction * 400.0 - row.end[0]).abs() < 1e-9, "{row:?}");

    let free = folder.trace("--hull stand --from 0,0,24 --to 100,0,24");
    let unstopped = TraceRow {
        fraction: 1.0,
        hit_fraction: 1.0,
        end: [100.0, 0.0, 24.0],
        normal: [0.0; 3],
        dist: 0.0,
        flags: [false, false],
    };
    assert_eq!(free, unstopped);
}

/// The east wall of the room is the brush with its west face at x = 256; its file has six walls.
#[test]
fn hits_are_told_when_asked_for() {
    let folder = Folder::with_onion("room");
    let asked = "trace map.onion --hull stand --from 0,0,24 --hits --to";
    let header = format!("{TRACE_HEADER},source,number,side,bevel,surface,contents");
    let rows = folder.rows(&format!("{asked} 400,0,24"), &header);
    let hit: Vec<&str> = rows[0].split(',').skip(11).collect();
    assert_eq!(hit.len(), 6, "{rows:?}");
    assert_eq!([hit[0], hit[3], hit[5]], ["brush", "0", "1"], "{hit:?}");
    assert!(hit[4].starts_with("textures/samples/"), "{hit:?}");
    let missed = folder.rows(&format!("{asked} 100,0,24"), &header);
    assert!(missed[0].ends_with(",0,0,,,,,,"), "{missed:?}");
}

#[test]
fn a_trace_tells_when_it_starts_in_solid() {
    let folder = Folder::with_onion("room");
    let out = folder.trace("--hull point --from 264,0,128 --to 0,0,128");
    assert_eq!((out.flags, out.hit_fraction), ([true, false], 1.0));
    let inside = folder.trace("--hull point --from 264,-100,128 --to 264,100,128");
    assert_eq!((inside.flags, inside.hit_fraction), ([true, true], 1.0));
}

#[test]
fn skin_is_the_distance_kept() {
    let folder = Folder::with_onion("room");
    for (skin, x) in [("0", 240.0), ("1", 239.0), ("0.5", 239.5)] {
        let row = folder.trace(&format!(
            "--hull stand --from 0,0,24 --to 400,0,24 --skin {skin}"
        ));
        assert!((row.end[0] - x).abs() < 1e-9, "skin {skin}: {row:?}");
        assert_eq!(row.hit_fraction, 0.6, "the hit does not depend on skin");
    }
}

#[test]
fn models_are_traced_in_their_own_space() {
    let folder = Folder::with_onion("door");
    let segment = "--hull stand --from -200,0,24 --to 200,0,24";
    // The world's doorway is open; model 1 is the door in it, from x = -4.
    assert_eq!(folder.trace(segment).hit_fraction, 1.0);
    let door = folder.trace(&format!("{segment} --model 1"));
    assert_eq!(door.hit_fraction, 0.45);
    assert_eq!(door.normal, [-1.0, 0.0, 0.0]);
    let rows = folder.rows(
        "point map.onion --at 0,0,24 --model 1",
        "stand,crouch,point",
    );
    assert_eq!(rows, ["1,1,1"], "in the door");
    let rows = folder.rows("point map.onion --at 0,0,24", "stand,crouch,point");
    assert_eq!(rows, ["0,0,0"], "in the open doorway");
}

#[test]
fn negative_coordinates_are_no_options() {
    let folder = Folder::with_onion("room");
    for arguments in [
        "--hull point --from -200,-10,24 --to -300,-10,24",
        "--hull point --from=-200,-10,24 --to=-300,-10,24",
    ] {
        let row = folder.trace(arguments);
        assert_eq!(row.hit_fraction, 0.56, "the west wall is at -256");
        assert_eq!(row.end[1..], [-10.0, 24.0]);
    }
    let rows = folder.rows("point map.onion --at -264,-10,24", "stand,crouch,point");
    assert_eq!(rows, ["1,1,1"], "in the west wall");
}

#[test]
fn a_batch_of_traces_gives_the_rows_of_single_ones() {
    let folder = Folder::with_onion("courtyard");
    let segments = [
        ["0,-640,24", "0,-300,24"],
        ["80,-640,24", "80,-400,24"],
        ["448,-720,24", "448,-400,24"],
        ["-100.25,3,1e2", "700,-650.5,-10"],
        ["0,0,-8", "0,0,-4"],
    ];
    let mut batch = "sx,sy,sz,ex,ey,ez\n".to_owned();
    let mut singles = Vec::new();
    for [from, to] in segments {
        batch.push_str(&format!("{from},{to}\n"));
        let arguments = format!("trace map.onion --hull stand --from {from} --to {to}");
        singles.extend(folder.rows(&arguments, TRACE_HEADER));
    }
    folder.write("segments.csv", batch);
    let rows = folder.rows(
        "trace map.onion --hull stand --batch segments.csv",
        TRACE_HEADER,
    );
    assert_eq!(rows, singles);
    let stopped = rows.iter().filter(|row| TraceRow::read(row).dist != 0.0);
    assert!(stopped.count() >= 2, "too few hits to tell: {rows:#?}");
}

#[test]
fn a_batch_of_points_gives_the_rows_of_single_ones() {
    let folder = Folder::with_onion("room");
    // On the floor; head through the ceiling when standing; in the wall for boxes; in a wall.
    let points = [
        ("0,0,24", "0,0,0"),
        ("0,0,248", "1,0,0"),
        ("250,0,128", "1,1,0"),
        ("264,-264,128", "1,1,1"),
    ];
    let mut batch = "x,y,z\n".to_owned();
    for (point, row) in points {
        batch.push_str(&format!("{point}\n"));
        let arguments = format!("point map.onion --at {point}");
        assert_eq!(folder.rows(&arguments, "stand,crouch,point"), [row]);
    }
    folder.write("points.csv", batch);
    let rows = folder.rows("point map.onion --batch points.csv", "stand,crouch,point");
    assert_eq!(rows, points.map(|(_, row)| row));
}

#[test]
fn windows_line_ends_and_empty_lines_are_fine_in_a_batch() {
    let folder = Folder::with_onion("room");
    folder.write("points.csv", "x,y,z\r\n0,0,24\r\n\r\n 264, 0, 128 \r\n\r\n");
    let rows = folder.rows("point map.onion --batch points.csv", "stand,crouch,point");
    assert_eq!(rows, ["0,0,0", "1,1,1"]);
    folder.write("empty.csv", "x,y,z\n");
    let rows = folder.rows("point map.onion --batch empty.csv", "stand,crouch,point");
    assert!(rows.is_empty(), "{rows:?}");
}

#[test]
fn nothing_to_do_is_a_usage_error() {
    let folder = Folder::with_map("room");
    folder.fail("", USAGE, &["--hull"]);
    folder.fail("map.bsp", USAGE, &["--hull"]);
    folder.fail("--hull stand:16x56", USAGE, &["MAP"]);
    folder.fail("map.bsp --hull stand:16x56 --fast", USAGE, &["--fast"]);
    for error in ["0", "-1", "nan", "inf"] {
        let arguments = format!("map.bsp --hull stand:16x56 --patch-error={error}");
        folder.fail(&arguments, USAGE, &["--patch-error", "above 0"]);
    }
}

#[test]
fn hulls_that_are_not_understood_are_usage_errors() {
    let folder = Folder::with_map("room");
    let table = [
        ("stand", "NAME:RxH"),
        (":16x56", "1 to 32 letters"),
        ("st!nd:16x56", "1 to 32 letters"),
        ("a23456789012345678901234567890123:16x56", "1 to 32 letters"),
        ("a:", "write RxH"),
        ("a:16", "write RxH"),
        ("a:16x", "no number"),
        ("a:16xtall", "\"tall\""),
        ("a:nanx56", "\"nan\""),
        ("a:infx56", "\"inf\""),
        ("a:16x56x3", "\"56x3\""),
        ("a:16x56@head", "\"head\""),
        ("a:16x56:16x32", "\"16x32\""),
        ("a:mins=0,0,0", "NAME:mins=X,Y,Z:maxs=X,Y,Z"),
        ("a:maxs=0,0,0", "NAME:mins=X,Y,Z:maxs=X,Y,Z"),
        ("a:16x56:maxs=1,1,1", "NAME:mins=X,Y,Z:maxs=X,Y,Z"),
        ("a:mins=0,0:maxs=1,1,1", "\"0,0\""),
        ("a:mins=0,0,no:maxs=1,1,1", "\"no\""),
        ("a:mins=2,0,0:maxs=1,1,1", "inside out"),
        ("a:-16x56", "inside out"),
        ("a:16x5000", "4096"),
        ("a:16x56:contents=stone", "use solid, "),
        ("a:16x56:contents=", "use solid, "),
        ("a:16x56:contents=solid+", "use solid, "),
        ("a:16x56:contents=0", "use solid, "),
    ];
    for (hull, advice) in table {
        let arguments = format!("map.bsp --hull {hull}");
        folder.fail(&arguments, USAGE, &["--hull", advice]);
    }
    let arguments = "map.bsp --hull a:16x56 --origin waist";
    folder.fail(arguments, USAGE, &["--origin", "\"waist\""]);
}

#[test]
fn hulls_are_told_apart_and_counted() {
    let folder = Folder::with_map("room");
    let arguments = "map.bsp --hull stand:16x56 --hull stand:16x32";
    folder.fail(arguments, USAGE, &["--hull stand", "its own name"]);
    let hulls = |count: usize| {
        let options = (0..count).map(|number| format!(" --hull h{number}:{}x56", number + 1));
        format!("map.bsp{}", options.collect::<String>())
    };
    folder.fail(&hulls(65), USAGE, &["65 hulls", "at most 64"]);
    folder.succeed(&hulls(64));
    assert_eq!(folder.hulls().len(), 64, "64 are not too many");
}

#[test]
fn hulls_are_grouped_as_told() {
    let folder = Folder::with_map("low_tunnel");
    let hulls = "--hull stand:16x56 --hull crouch:16x32 --hull point:point --no-fill";
    let groups_of = |option: &str| {
        let report = folder.succeed_json(&format!("map.bsp {hulls} {option} --json"));
        let info = folder.succeed_json("info map.onion --json");
        assert_eq!(report["groups"], info["groups"], "{option}");
        folder.succeed("verify map.onion map.bsp");
        (info["groups"].as_str().unwrap().to_owned(), report)
    };
    let (one, report) = groups_of("");
    assert_eq!(one, "stand+crouch+point");
    let rival = &report["rival"];
    assert_eq!(rival["groups"], "stand+crouch,point");
    let (auto, grouped) = groups_of("--group auto");
    assert_eq!(auto, "stand+crouch,point");
    assert_eq!(grouped["nodes"], rival["nodes"], "what was foretold");
    assert_eq!(grouped["rival"]["nodes"], report["nodes"]);
    assert_eq!(groups_of("--group each").0, "stand,crouch,point");
    assert_eq!(
        groups_of("--group point+crouch,stand").0,
        "stand,crouch+point"
    );
    let text = folder.succeed(&format!("map.bsp {hulls}"));
    assert!(
        text.contains("with --group stand+crouch,point there would be "),
        "{text}"
    );
    for (group, word) in [
        ("stand+crouch", "point is in no group"),
        ("stand+crouch,point,stand", "named twice"),
        ("all", "\"all\" is no hull"),
    ] {
        let arguments = format!("map.bsp {hulls} --group {group}");
        folder.fail(&arguments, USAGE, &["--group", word]);
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::with_onion("room");
    folder.make_folder("maps");
    let hull = "--hull stand:16x56";
    let cases = [
        (format!("missing.bsp {hull}"), "missing.bsp"),
        (format!("maps {hull}"), "maps"),
        ("info missing.onion".to_owned(), "missing.onion"),
        ("point missing.onion --at 0,0,0".to_owned(), "missing.onion"),
        (
            "trace missing.onion --hull stand --from 0,0,0 --to 1,1,1".to_owned(),
            "missing.onion",
        ),
        (
            "trace map.onion --hull stand --batch missing.csv".to_owned(),
            "missing.csv",
        ),
        (
            "point map.onion --batch missing.csv".to_owned(),
            "missing.csv",
        ),
    ];
    for (arguments, file) in cases {
        let words = ["cannot read", file, "check the path"];
        folder.fail(&arguments, CANNOT_READ, &words);
    }
}

#[test]
fn maps_that_are_none_are_named() {
    let folder = Folder::new();
    folder.write("text.bsp", "this is no map\n");
    folder.write("empty.bsp", "");
    let mut version = sample_bytes("room");
    version[4] = 99;
    folder.write("version.bsp", version);
    folder.write("cut.bsp", &sample_bytes("room")[..2000]);
    folder.write("header.bsp", &sample_bytes("room")[..10]);
    let cases: [(&str, &[&str]); 5] = [
        ("text.bsp", &["this is ", "it reads Quake III"]),
        ("empty.bsp", &["empty", "it reads Quake III"]),
        ("version.bsp", &["IBSP version 99", "46"]),
        ("cut.bsp", &["lump ", "get it again"]),
        ("header.bsp", &["lump ", "get it again"]),
    ];
    for (file, words) in cases {
        let words = [&[file], words].concat();
        folder.fail(&format!("{file} --hull stand:16x56"), BAD_INPUT, &words);
    }
}

#[test]
fn targets_that_cannot_be_written_are_named() {
    let folder = Folder::with_map("room");
    folder.make_folder("taken");
    folder.make_folder("map.onion");
    let cases: [(&str, &[&str]); 4] = [
        ("-o nowhere/map.onion", &["nowhere", "the folder exists"]),
        ("-o taken", &["taken", "a folder", "-o"]),
        ("-o map.bsp/map.onion", &["map.bsp/map.onion", "-o"]),
        ("", &["map.onion", "a folder", "-o"]),
    ];
    for (option, words) in cases {
        let words = [&["cannot write"], words].concat();
        let arguments = format!("map.bsp --hull stand:16x56 {option}");
        folder.fail(&arguments, CANNOT_WRITE, &words);
    }
}

#[test]
fn the_map_is_never_overwritten() {
    let folder = Folder::with_map("room");
    folder.write("misnamed.onion", sample_bytes("room"));
    let mut cases = vec![
        "map.bsp --hull stand:16x56 -o map.bsp",
        "map.bsp --hull stand:16x56 -o ./map.bsp",
        "misnamed.onion --hull stand:16x56",
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("map.bsp", folder.0.path().join("link.onion")).unwrap();
        cases.push("map.bsp --hull stand:16x56 -o link.onion");
        cases.push("link.onion --hull stand:16x56 -o map.bsp");
    }
    for arguments in cases {
        folder.fail(arguments, CANNOT_WRITE, &["the map itself", "-o"]);
    }
    assert_eq!(folder.read("map.bsp"), sample_bytes("room"));
    assert_eq!(folder.read("misnamed.onion"), sample_bytes("room"));
}

/// A convex column of 300 sides over a parabola: no side divides the others, so that a tree is as
/// deep as there are sides unless other planes divide them. Made face by face, as `Brush::hull` would take half a minute.
fn column() -> Brush {
    let outline = (-150..150).map(f64::from).map(|x| [x, x * x]);
    let outline: Vec<[f64; 2]> = outline.collect();
    let at = |height: f64| outline.iter().map(move |&[x, y]| [x, y, height]);
    let [low, high]: [Vec<Vec3>; 2] = [0.0, 64.0].map(|height| at(height).collect());
    let cap = |z: f64, dist: f64, winding: Vec<Vec3>| Face {
        normal: [0.0, 0.0, z],
        dist,
        winding,
    };
    let mut faces = vec![
        cap(-1.0, 0.0, low.clone()),
        cap(1.0, 64.0, high.iter().rev().copied().collect()),
    ];
    for from in 0..outline.len() {
        let to = (from + 1) % outline.len();
        let [dx, dy] = [0, 1].map(|axis| outline[to][axis] - outline[from][axis]);
        let normal = [dy / dx.hypot(dy), -dx / dx.hypot(dy), 0.0];
        faces.push(Face {
            normal,
            dist: normal[0] * low[from][0] + normal[1] * low[from][1],
            winding: vec![low[from], high[from], high[to], low[to]],
        });
    }
    Brush {
        mins: [-150.0, 0.0, 0.0],
        maxs: [149.0, 22_500.0, 64.0],
        corners: [low, high].concat(),
        faces,
    }
}

#[test]
fn a_column_of_many_sides_makes_no_deep_tree() {
    let folder = Folder::new();
    let mut map = samples::Map::new("column", "A column of 300 sides");
    map.add(Shader::Wall, column());
    folder.write("column.bsp", samples::write(&map));
    let hulls = "--hull stand:16x56 --hull point:point";
    let report = folder.succeed_json(&format!("column.bsp {hulls} --no-fill --json"));
    let costs = &report["costs"];
    assert_eq!(costs["brushes"].as_array().unwrap().len(), 1);
    let charged = costs["brushes"][0]["nodes"].as_u64().unwrap();
    let uncharged = costs["uncharged"].as_u64().unwrap();
    assert!(uncharged > 0, "planes that are no side of it");
    assert_eq!(Some(charged + uncharged), report["nodes"].as_u64());
    let info = folder.succeed_json("info column.onion --json");
    let depth = info["depth"].as_u64().unwrap();
    assert!(depth < 100, "{depth}");
}

#[test]
fn filling_is_on_unless_told_otherwise() {
    let folder = Folder::new();
    let mut map = rooms::with_pocket();
    map.point_entity("light_torch", [96, 0, 64], 0);
    folder.write("map.bsp", samples::write(&map));
    // In the room, in the pocket, outside.
    folder.write("points.csv", "x,y,z\n-100,10,60\n96,10,60\n0,0,900\n");
    let cases = [
        ("", "", [0, 1, 1]),
        ("--no-fill", "", [0, 0, 0]),
        (
            "--fill-from light_torch",
            "--fill-from light_torch",
            [1, 0, 1],
        ),
        (
            "--fill-from Light_* --fill-from info_player_deathmatch",
            "--fill-from light_*",
            [0, 0, 1],
        ),
    ];
    for (compile, verify, solid) in cases {
        let report = folder.succeed_json(&format!(
            "map.bsp --hull stand:16x56 --verify --json {compile}"
        ));
        let outcome = if compile == "--no-fill" {
            "off"
        } else {
            "filled"
        };
        assert_eq!(report["filling"][0]["fill"], outcome, "{compile}");
        assert_keys(&report["filling"][0], &["hull", "seeds", "faces_dropped"]);
        let info = folder.succeed_json("info map.onion --json");
        assert_eq!(info["hulls"][0]["filled"], outcome == "filled", "{compile}");
        let rows = folder.rows("point map.onion --batch points.csv", "stand");
        assert_eq!(rows, solid.map(|bit: u8| bit.to_string()), "{compile}");
        folder.succeed(&format!("verify map.onion map.bsp {verify}"));
    }
    folder.fail(
        "map.bsp --hull stand:16x56 --no-fill --fill-from light",
        USAGE,
        &["--no-fill", "--fill-from"],
    );
    // Filled from the light alone, what the start reaches is solid.
    folder.succeed("map.bsp --hull stand:16x56 --fill-from light_torch");
    folder.fail("verify map.onion map.bsp", 6, &["--fill-from"]);
}

#[test]
fn a_leak_is_told_and_its_way_out_written() {
    let folder = Folder::new();
    let open = samples::write(&rooms::with_hole(4.0, 8.0));
    let closed = samples::write(&rooms::with_hole(0.0, 128.0));
    let options = "map.bsp --hull stand:16x56 --hull point:point";
    folder.write("map.bsp", &open);
    let run = folder.run(options);
    assert_eq!(run.code, 0, "a leak is no error: {}", run.stderr);
    for word in ["hull point", "leaks", "entity 1 at -64 0 24", "map.pts"] {
        assert!(
            run.stderr.contains(word),
            "{word:?} is not in {}",
            run.stderr
        );
    }
    assert!(!run.stderr.contains("hull stand"), "{}", run.stderr);
    assert!(run.stdout.contains("fill point: not filled, the map leaks"));
    let way = String::from_utf8(folder.read("map.pts")).unwrap();
    assert!(way.starts_with("-64.0000 0.0000 24.0000\n"), "{way}");
    let ends: Vec<f64> = way
        .lines()
        .next_back()
        .unwrap()
        .split(' ')
        .map(|at| at.parse().unwrap())
        .collect();
    assert!(ends.iter().any(|at| at.abs() > 144.0), "{ends:?}");
    // Where nothing is filled nothing is known; where nothing leaks the old way is gone.
    folder.succeed(&format!("{options} --no-fill"));
    assert_eq!(folder.names(), ["map.bsp", "map.onion", "map.pts"]);
    folder.write("map.bsp", &closed);
    folder.succeed(options);
    assert_eq!(folder.names(), ["map.bsp", "map.onion"]);
}

#[test]
fn a_point_file_of_another_program_is_left_alone() {
    let folder = Folder::new();
    let others = "1.000000 2.000000 3.000000\n";
    folder.write("map.pts", others);
    for half in [4.0, 0.0] {
        folder.write("map.bsp", samples::write(&rooms::with_hole(half, 8.0)));
        let run = folder.run("map.bsp --hull point:point");
        assert_eq!(run.code, 0);
        assert_eq!(folder.read("map.pts"), others.as_bytes());
        assert_eq!(
            run.stderr.contains("another program"),
            half > 0.0,
            "{}",
            run.stderr
        );
    }
}

#[test]
fn compiled_maps_that_are_none_are_named() {
    let folder = Folder::with_onion("room");
    let good = folder.read("map.onion");
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut version = good.clone();
    version[8] = 99;
    let files: [(&str, &[u8]); 6] = [
        ("other.onion", &sample_bytes("room")),
        ("empty.onion", b""),
        ("half.onion", &good[..good.len() / 2]),
        ("short.onion", &good[..good.len() - 1]),
        ("flipped.onion", &flipped),
        ("version.onion", &version),
    ];
    for (file, bytes) in files {
        folder.write(file, bytes);
        for arguments in [
            format!("trace {file} --hull stand --from 0,0,24 --to 9,0,24"),
            format!("point {file} --at 0,0,24"),
            format!("info {file} --json"),
        ] {
            folder.fail(&arguments, BAD_INPUT, &[file, "compile"]);
        }
    }
}

#[test]
fn hulls_and_models_that_are_not_there_are_usage_errors() {
    let folder = Folder::with_onion("door");
    let segment = "--from 0,0,24 --to 9,0,24";
    let arguments = format!("trace map.onion --hull fly {segment}");
    let words = ["--hull fly", "stand, crouch, point"];
    folder.fail(&arguments, USAGE, &words);
    let words = ["--model 3", "models 0 to 2"];
    let arguments = format!("trace map.onion --hull stand {segment} --model 3");
    folder.fail(&arguments, USAGE, &words);
    folder.fail("point map.onion --at 0,0,24 --model 3", USAGE, &words);
    folder.fail(
        "point map.onion --at 0,0,24 --model=-1",
        USAGE,
        &["--model"],
    );
}

#[test]
fn queries_that_are_not_understood_are_usage_errors() {
    let folder = Folder::with_onion("room");
    let cases: [(&str, &[&str]); 7] = [
        ("trace map.onion --hull stand", &["--from"]),
        ("trace map.onion --from 0,0,0 --to 1,1,1", &["--hull"]),
        ("trace map.onion --hull stand --from 0,0,0", &["--to"]),
        (
            "trace map.onion --hull stand --from 0,0 --to 1,1,1",
            &["--from", "three numbers"],
        ),
        (
            "trace map.onion --hull stand --from 0,0,0 --to 1,1,1 --batch segments.csv",
            &["--batch"],
        ),
        ("point map.onion", &["--at"]),
        ("point map.onion --at 1,2,x", &["--at", "three numbers"]),
    ];
    for (arguments, words) in cases {
        folder.fail(arguments, USAGE, words);
    }
}

#[test]
fn a_bad_line_of_a_batch_is_named_by_its_number() {
    let folder = Folder::with_onion("room");
    let points: [(&str, &str); 3] = [
        ("x,y,z\n0,0,24\n0,zero,24\n1,1,1\n", "line 3"),
        ("x,y,z\n0,0\n", "line 2"),
        ("x,y,z\n\n0,0,24\n1,2,3,4\n", "line 4"),
    ];
    for (text, line) in points {
        folder.write("batch.csv", text);
        let words = ["batch.csv", line, "3 numbers"];
        folder.fail("point map.onion --batch batch.csv", BAD_INPUT, &words);
    }
    folder.write(
        "batch.csv",
        "sx,sy,sz,ex,ey,ez\n0,0,24,1,1,24\n0,0,24,1,1\n",
    );
    let words = ["batch.csv", "line 3", "6 numbers"];
    let arguments = "trace map.onion --hull stand --batch batch.csv";
    folder.fail(arguments, BAD_INPUT, &words);
    folder.write("batch.csv", b"x,y,z\n\xff\xfe,0,0\n");
    let words = ["batch.csv", "give a CSV file"];
    folder.fail("point map.onion --batch batch.csv", BAD_INPUT, &words);
}

#[test]
fn a_damaged_map_leaves_the_last_good_output() {
    let folder = Folder::with_onion("room");
    let good = folder.read("map.onion");
    folder.write("map.bsp", &sample_bytes("room")[..2000]);
    let arguments = "map.bsp --hull stand:16x56";
    folder.fail(arguments, BAD_INPUT, &["map.bsp", "get it again"]);
    assert_eq!(folder.read("map.onion"), good);
    assert_eq!(folder.hulls().len(), 3, "it still loads");
}

/// Compiles a map with 1, 2, 3 and 8 threads and as many as there are processors, and again.
fn assert_deterministic(name: &str, bytes: &[u8], repeats: usize) {
    let folder = Folder::new();
    folder.write("map.bsp", bytes);
    let compile = |options: &str| {
        let run = folder.run(&format!(
            "map.bsp --hull stand:16x56 --hull crouch:16x32 --hull point:point {options}"
        ));
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        (folder.read("map.onion"), run.stderr)
    };
    let first = compile("--threads 1");
    for options in [
        "--threads 1",
        "--threads 2",
        "--threads 3",
        "--threads 8",
        "",
    ] {
        for _ in 0..repeats {
            assert!(compile(options) == first, "{name} differs: {options:?}");
        }
    }
}

#[test]
fn the_same_map_gives_the_same_bytes() {
    for (name, bytes) in samples::all() {
        assert_deterministic(name, &bytes, 2);
    }
}

#[test]
fn the_same_real_map_gives_the_same_bytes() {
    let small = real_maps()
        .into_iter()
        .filter(|map| map.bytes.len() < SMALL);
    match small.max_by_key(|map| map.bytes.len()) {
        Some(map) => assert_deterministic(&map.name, &map.bytes, 3),
        None => skip("one real map compiled again and again: none is small"),
    }
}
