//! Filling what cannot be reached: its options, what the report says of leaks, and the file that shows the way
//! out.

use onion_tests::{rooms, samples};

use crate::folder::*;

#[test]
fn filling_is_on_unless_told_otherwise() {
    let folder = Folder::new();
    let mut map = rooms::with_pocket();
    map.point_entity("light_torch", [96, 0, 64], 0);
    folder.write("map.bsp", samples::write(&map));
    // In the room, in the pocket, outside.
    folder.write("points.csv", "x,y,z\n-100,10,60\n96,10,60\n0,0,900\n");
    let cases = [
        ("", [0, 1, 1]),
        ("--no-fill", [0, 0, 0]),
        ("--fill-from light_torch", [1, 0, 1]),
        (
            "--fill-from Light_* --fill-from info_player_deathmatch",
            [0, 0, 1],
        ),
    ];
    for (compile, solid) in cases {
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
        folder.succeed("verify map.onion map.bsp");
    }
    folder.fail(
        "map.bsp --hull stand:16x56 --no-fill --fill-from light",
        USAGE,
        &["--no-fill", "--fill-from"],
    );
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
    let start = "path from info_player_deathmatch (entity 1) at -64 0 24 exits at ";
    for word in ["hull point", "leaks", start, "map.pts"] {
        assert!(
            run.stderr.contains(word),
            "{word:?} is not in {}",
            run.stderr
        );
    }
    assert!(!run.stderr.contains("hull stand"), "{}", run.stderr);
    for text in [
        "hull point: mins 0 0 0, maxs 0 0 0, blocked by solid; not filled: the map leaks",
        "next: make the point a tiny box (--hull point:0.1x0.2:contents=solid), or open map.pts in a ",
    ] {
        assert!(
            run.stdout.contains(text),
            "{text:?} is not in {}",
            run.stdout
        );
    }
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
fn a_class_that_no_entity_has_is_a_warning() {
    let folder = Folder::with_map("room");
    let run = folder.run("map.bsp --hull stand:16x56 --fill-from info_plyer* --fill-from info_*");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let warning =
        "onionc: warning: --fill-from info_plyer*: no entity with an origin has this class\n";
    assert_eq!(run.stderr, warning);
}
