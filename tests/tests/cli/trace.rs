//! `onionc trace` and `onionc point`: single queries, batches of them in CSV, and the arguments and rows that are
//! refused.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use onion_format::HullRecord;
use onion_tests::planted::edit;
use onion_tests::random::Random;
use onion_tests::samples;

use crate::folder::*;

const TRACE_HEADER: &str = "fraction,hit_fraction,end_x,end_y,end_z,\
                            normal_x,normal_y,normal_z,dist,start_solid,all_solid";

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

impl Folder {
    /// Returns which of the hulls of the sample maps' facts are in solid at points.
    fn solid(&self, arguments: &str) -> Vec<String> {
        self.rows(
            &format!("point map.onion {arguments}"),
            "stand,crouch,point",
        )
    }

    /// Returns the only row of a trace.
    fn trace(&self, arguments: &str) -> TraceRow {
        let rows = self.rows(&format!("trace map.onion {arguments}"), TRACE_HEADER);
        assert_eq!(rows.len(), 1, "one segment, one row: {arguments}");
        TraceRow::read(&rows[0])
    }
}

#[test]
fn a_trace_stops_in_front_of_a_wall() {
    let folder = Folder::with_onion("room");
    // The wall is at x = 256, and the box extends 16 ahead.
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
fn margin_is_the_distance_kept() {
    let folder = Folder::with_onion("room");
    for (margin, x) in [("0", 240.0), ("1", 239.0), ("0.5", 239.5)] {
        let row = folder.trace(&format!(
            "--hull stand --from 0,0,24 --to 400,0,24 --margin {margin}"
        ));
        assert!((row.end[0] - x).abs() < 1e-9, "margin {margin}: {row:?}");
        assert_eq!(row.hit_fraction, 0.6, "the hit does not depend on margin");
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
    let in_door = folder.solid("--at 0,0,24 --model 1");
    let in_open_doorway = folder.solid("--at 0,0,24");
    assert_eq!([in_door, in_open_doorway], [["1,1,1"], ["0,0,0"]]);
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
    let in_west_wall = folder.solid("--at -264,-10,24");
    assert_eq!(in_west_wall, ["1,1,1"]);
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
    // On the floor; standing, with the head through the ceiling; in the wall for boxes; in a wall.
    let points = [
        ("0,0,24", "0,0,0"),
        ("0,0,248", "1,0,0"),
        ("250,0,128", "1,1,0"),
        ("264,-264,128", "1,1,1"),
    ];
    let mut batch = "x,y,z\n".to_owned();
    for (point, row) in points {
        batch.push_str(&format!("{point}\n"));
        assert_eq!(folder.solid(&format!("--at {point}")), [row]);
    }
    folder.write("points.csv", batch);
    let rows = folder.solid("--batch points.csv");
    assert_eq!(rows, points.map(|(_, row)| row));
}

#[test]
fn windows_line_ends_and_empty_lines_are_fine_in_a_batch() {
    let folder = Folder::with_onion("room");
    folder.write("points.csv", "x,y,z\r\n0,0,24\r\n\r\n 264, 0, 128 \r\n\r\n");
    assert_eq!(folder.solid("--batch points.csv"), ["0,0,0", "1,1,1"]);
    folder.write("empty.csv", "x,y,z\n");
    assert!(folder.solid("--batch empty.csv").is_empty());
}

#[test]
fn columns_of_a_batch_are_found_by_name() {
    let folder = Folder::with_onion("room");
    let points = "point map.onion --batch batch.csv";
    for text in ["z, x ,y\n128,264,0\n", "\u{feff}x,y,z\r\n264,0,128\r\n"] {
        folder.write("batch.csv", text);
        assert_eq!(folder.solid("--batch batch.csv"), ["1,1,1"]);
    }
    let segments = "trace map.onion --hull stand --batch batch.csv";
    folder.write("batch.csv", "ex,ey,ez,sx,sy,sz\n400,0,24,0,0,24\n");
    let row = TraceRow::read(&folder.rows(segments, TRACE_HEADER)[0]);
    assert_eq!(row.hit_fraction, 0.6, "as from 0,0,24 to 400,0,24");

    for (header, name) in [("x,y,z,w", "w"), ("X,Y,Z", "X"), ("x,here", "here")] {
        folder.write("batch.csv", format!("{header}\n0,0,24\n"));
        let message = format!(
            "batch.csv: line 1 names the unknown column {name:?}; the columns are x,y,z, in any order\n"
        );
        folder.fail(points, BAD_INPUT, &[&message]);
    }
    for header in ["0,0,24", "", "x,y", "x,y,y", "x,y,z,"] {
        folder.write("batch.csv", format!("{header}\n0,0,24\n"));
        let words = ["batch.csv: line 1 ", "x,y,z", &format!("{header:?}")];
        folder.fail(points, BAD_INPUT, &words);
    }
    for header in ["0,0,24,400,0,24", "sx,sy,sz"] {
        folder.write("batch.csv", format!("{header}\n0,0,24,400,0,24\n"));
        let words = ["line 1 ", "sx,sy,sz,ex,ey,ez", header];
        folder.fail(segments, BAD_INPUT, &words);
    }
    folder.write("batch.csv", "");
    folder.fail(points, BAD_INPUT, &["line 1 ", "x,y,z"]);
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
fn hulls_and_models_that_are_not_there_are_usage_errors() {
    Folder::with_onion("door").fail_each(
        USAGE,
        "trace map.onion --hull fly --from 0,0,24 --to 9,0,24 => --hull fly & it has stand, crouch, point
         trace map.onion --hull stand --from 0,0,24 --to 9,0,24 --model 3 => --model 3 & 3 models, numbered from 0
         point map.onion --at 0,0,24 --model 3 => --model 3 & 3 models, numbered from 0
         point map.onion --at 0,0,24 --model=-1 => --model",
    );
}

#[test]
fn queries_that_are_not_understood_are_usage_errors() {
    Folder::with_onion("room").fail_each(
        USAGE,
        "trace map.onion --hull stand => give --from and --to, or --batch FILE
         trace map.onion --from 0,0,0 --to 1,1,1 => --hull
         trace map.onion --hull stand --from 0,0,0 => --to
         trace map.onion --hull stand --from 0,0 --to 1,1,1 => --from & three numbers
         trace map.onion --hull stand --from 0,0,0 --to 1,1,1 --batch segments.csv => --batch
         point map.onion => give --at, or --batch FILE
         point map.onion --at 1,2,x => --at & three numbers
         point map.onion --at 0,0,nan => --at & three numbers
         point map.onion --at=-inf,0,0 => --at & three numbers
         point map.onion --at 1,,2 => --at & three numbers
         point map.onion --at (0,0 => --at & three numbers
         trace map.onion --hull stand --from 0,0,0 --to 1,1,1e999 => --to & three numbers",
    );
}

/// In the forms in which map editors copy places, and in which reports print them.
#[test]
fn places_may_be_written_with_blanks() {
    let folder = Folder::with_onion("room");
    for at in ["0 0 24", " 0  0\t24 ", "(0 0 24)", "( 0, 0, 24 )", "0,0,24"] {
        let output = Command::new(binary())
            .args(["trace", "map.onion", "--hull=stand", "--to=400 0 24"])
            .args(["--from", at])
            .current_dir(folder.0.path())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(",0.6,239.9687"), "{at}: {text}");
    }
}

/// The sample scene is the sample map of the same name; a batch of random segments has the same answers for both.
#[test]
fn a_scene_is_traced_like_its_map() {
    let folder = Folder::with_onion("door");
    let scene = fs::read(samples::dir().join("door.glb")).unwrap();
    folder.write("scene.glb", scene);
    let hulls = "--hull stand:16x56 --hull crouch:16x32 --hull point:point";
    folder.succeed(&format!("scene.glb --scale 32 {hulls}"));
    let mut random = Random::new(1);
    let mut segments = "sx,sy,sz,ex,ey,ez\n".to_owned();
    for _ in 0..2000 {
        let ends = [0; 2].map(|_| random.point([-300.0, -300.0, -50.0], [300.0, 300.0, 200.0]));
        let cells = ends.as_flattened().iter().map(|at| at.round().to_string());
        writeln!(segments, "{}", cells.collect::<Vec<_>>().join(",")).unwrap();
    }
    folder.write("segments.csv", segments);
    let mut n_hits = 0;
    for hull in ["stand", "crouch", "point"] {
        for model in 0..3 {
            let rows = |file: &str| {
                let of = format!("trace {file} --hull {hull} --model {model}");
                let rows = folder.rows(&format!("{of} --batch segments.csv"), TRACE_HEADER);
                let rows = rows.iter().map(|row| TraceRow::read(row));
                rows.collect::<Vec<_>>()
            };
            let (expected, found) = (rows("map.onion"), rows("scene.onion"));
            assert_eq!(expected, found, "{hull} model {model}");
            n_hits += found.iter().filter(|row| row.hit_fraction < 1.0).count();
        }
    }
    assert!(n_hits > 1000, "{n_hits} hits");
}

/// Hulls name the columns of points, and a file may give hulls any name.
#[test]
fn names_of_hulls_are_quoted_where_they_must_be() {
    let folder = Folder::with_onion("room");
    let mut file = folder.read("map.onion");
    edit::<HullRecord>(&mut file, 0, |hull| hull.name[..3].copy_from_slice(b"a,\""));
    folder.write("map.onion", file);
    let table = folder.succeed("point map.onion --at 0,0,24");
    assert!(table.starts_with("\"a,\"\""), "{table}");
}

/// Names of surfaces are quoted so that readers of CSV recover them.
#[test]
fn names_are_quoted_where_they_must_be() {
    let folder = Folder::new();
    let mut map = samples::Map::new("block", "A block");
    map.cuboid(samples::Shader::Wall, [-32.0; 3], [32.0; 3]);
    let text = samples::text(&map);
    for (name, cell) in [
        ("plain", "textures/plain"),
        ("a,b", "\"textures/a,b\""),
        ("a\"b", "\"textures/a\"\"b\""),
        ("a\",\"b", "\"textures/a\"\",\"\"b\""),
    ] {
        folder.write("map.map", text.replace("samples/wall", name));
        folder.succeed("map.map --hull stand:16x56 --no-fill --force");
        let rows = folder.succeed("trace map.onion --hull stand --from 0,0,200 --to 0,0,0 --hits");
        assert!(rows.contains(&format!(",{cell},")), "{name}: {rows}");
    }
}
