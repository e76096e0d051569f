//! Filling unreachable space: its options, its report on leaks, and the file that shows the way
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
        assert_keys(
            &report["filling"][0],
            &["hull", "n_starts", "n_seeds", "n_faces_dropped"],
        );
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
    assert_says(&run.stderr, &["hull point", "leaks", start, "map.pts"]);
    assert!(!run.stderr.contains("hull stand"), "{}", run.stderr);
    assert_says(
        &run.stdout,
        &[
            "hull point: mins 0 0 0, maxs 0 0 0, blocked by solid+shotclip; not filled: the map leaks",
            "next: seal wider cracks (--seal), or open map.pts in a map editor, close the gap it leads through (or move info_player_deathmatch, entity 1, if it stands \
         outside of the map), and compile again; a map that is open by design needs --no-fill\n",
        ],
    );
    let way = folder.read_text("map.pts");
    assert!(way.starts_with("-64.0000 0.0000 24.0000\n"), "{way}");
    let ends: Vec<f64> = way
        .lines()
        .next_back()
        .unwrap()
        .split(' ')
        .map(|at| at.parse().unwrap())
        .collect();
    assert!(ends.iter().any(|at| at.abs() > 144.0), "{ends:?}");
    // Without filling nothing is known about leaks; without a leak the old path is deleted.
    folder.succeed(&format!("{options} --no-fill"));
    assert_eq!(
        folder.names(),
        ["map.bsp", "map.lin", "map.onion", "map.pts"]
    );
    // The same path, reduced to the points where it turns.
    let turns = folder.read_text("map.lin");
    assert!(turns.lines().count() >= 2 && turns.lines().count() < way.lines().count());
    let ends = |text: &str| {
        [text.lines().next(), text.lines().next_back()].map(|line| line.map(str::to_owned))
    };
    assert_eq!(ends(&turns), ends(&way));
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
    let warning = "onionc: warning: --fill-from info_plyer*: no entity of this class has an origin; check the \
         spelling\n";
    assert_eq!(run.stderr, warning);
}

/// Each case has a start or none, options, the warning's reason, and the next step that it suggests.
#[test]
fn a_hull_without_a_start_is_told_why() {
    let folder = Folder::new();
    let mut maps = [rooms::with_pocket(), rooms::with_pocket()];
    maps[1].point_entity("light", [96, 0, 64], 0);
    maps[1].point_entity("light", [96, 0, 64], 0);
    let bare = samples::write(&maps[0]);
    let bare = without(&bare, b"info_player", b"xxxx_xxxxxx");
    let lit = samples::write(&maps[1]);
    let huge = "--hull huge:16x900";
    let cases = [
        (
            &bare,
            "--hull stand:16x56".to_owned(),
            "the map has no entity that agents start from; name classes with --fill-from, or use --no-fill",
            "name the classes that agents start from with --fill-from, or use --no-fill",
        ),
        (
            &bare,
            "--hull stand:16x56 --fill-from light".to_owned(),
            "the map has no entity of the classes that --fill-from names",
            "correct the classes of --fill-from, or use --no-fill",
        ),
        (
            &lit,
            huge.to_owned(),
            "the only entity to start from has no room for it; make the hull smaller, or name other classes \
             with --fill-from",
            "make hull huge smaller, or name other classes with --fill-from",
        ),
        (
            &lit,
            format!("{huge} --fill-from light"),
            "none of the 2 entities to start from has room for it; make the hull smaller, or name other \
             classes with --fill-from",
            "make hull huge smaller, or name other classes with --fill-from",
        ),
    ];
    for (map, options, reason, next) in cases {
        folder.write("map.bsp", map);
        let run = folder.run(&format!("map.bsp {options}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let reason = format!(": not filled: {reason}\n");
        assert!(run.stderr.contains(&reason), "{reason} {}", run.stderr);
        let next = format!("\nnext: {next}\n");
        assert!(run.stdout.ends_with(&next), "{next} {}", run.stdout);
    }
}

/// Replaces one word in the bytes by another of the same length.
fn without(bytes: &[u8], word: &[u8], other: &[u8]) -> Vec<u8> {
    assert_eq!(word.len(), other.len());
    let at = bytes.windows(word.len()).position(|part| part == word);
    let at = at.expect("the word is there");
    [&bytes[..at], other, &bytes[at + word.len()..]].concat()
}
