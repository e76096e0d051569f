//! The sample game, in Rust and in C: a scripted player wins it, is where the numbers of its map say, and sees the same
//! in both languages.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use onion_compiler::Fill;
use onion_tests::fixtures::compiled;
use onion_tests::{samples, subject};
use tempfile::TempDir;

use crate::c_interface::{interface, program};

/// The example, whose `main` is not called here.
#[allow(dead_code)]
#[path = "../../../runtime/examples/bot.rs"]
mod bot;

const GAME: &str = include_str!("../../../runtime/examples/game.rs");

/// The distance that a trace keeps from the surface it hits, in units.
const MARGIN: f64 = 1.0 / 32.0;

/// Inputs, and where they take the player: its x, and its z where it stands.
const MOVES: [(&str, f64, Option<f64>); 9] = [
    // A standing player is stopped by the mouth of the tunnel at -256, 16 units from its middle.
    ("d 120", -272.0 - MARGIN, Some(24.0)),
    // Crouching, it gets through; the door opens, and it falls into the pool, whose far side is at 400.
    ("ds 110", 271.3, None),
    ("d 120", 384.0 - MARGIN, None),
    // It climbs the ladder out of the water, and jumps up to the shaft of the lift, whose wall is at 560.
    ("dw 90", 544.0 - MARGIN, None),
    // The lift is 16 units thick and rises with the player on it at 96 units a second, to 192.
    ("d 50", 544.0 - MARGIN, None),
    (". 140", 544.0 - MARGIN, Some(216.0)),
    // Half a second at 320 units a second, and a quarter.
    ("d 30", 704.0 - MARGIN, Some(216.0)),
    ("a 15", 624.0 - MARGIN, Some(216.0)),
    ("d 15", 704.0 - MARGIN, Some(216.0)),
];
/// More of everything before the shot: jumps, falls, dives and the door from the other side.
const MORE: &str = "a 60\nas 40\naw 200\nsd 90\nd 20\nd 120\ndw 90\nd 50\n. 140\nd 30\ndf 30\n";

fn run(program: &Path, level: &Path, input: &str) -> Output {
    let mut running = Command::new(program)
        .arg(level)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = running.stdin.take().unwrap();
    // A game that cannot begin does not read its input.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    running.wait_with_output().unwrap()
}

/// Returns the picture and the places that a game prints.
fn played(program: &Path, level: &Path, input: &str) -> String {
    let output = run(program, level, input);
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles the map of the game to a file in a folder.
fn level(folder: &TempDir, brushes: bool) -> PathBuf {
    let level = folder.path().join("game.onion");
    let map = subject::parse(&std::fs::read(samples::dir().join("game.map")).unwrap());
    let hulls = ["stand:16x56", "crouch:16x32", "bullet:point"];
    let file = compiled(&map, &hulls, |options| options.brushes = brushes);
    std::fs::write(&level, file.bytes).unwrap();
    level
}

/// The bot of the example crouches, drops and climbs to the item before the lift, and knows that it does not get up.
#[test]
fn a_bot_walks_to_the_item_before_the_lift() {
    let map = subject::parse(&std::fs::read(samples::dir().join("game.map")).unwrap());
    let file = compiled(&map, &["stand:16x56", "crouch:16x32"], |options| {
        (options.floors, options.fill) = (true, Fill::default());
    });
    let walk = |goal: &str| bot::walk(file.bytes.clone(), "info_player_start", goal);
    let [x, y, z] = walk("item_health").unwrap();
    assert!((x - 432.0).hypot(y - 64.0) < 0.5 && (z - 24.0).abs() < 0.1);
    let refused = walk("item_armor_body").unwrap_err().to_string();
    assert_eq!(refused, "no way leads from the start to the goal");
    let missing = walk("item_quad").unwrap_err().to_string();
    assert_eq!(missing, "the map has no item_quad");
}

#[test]
fn a_file_without_brushes_is_refused_with_the_remedy() {
    let folder = TempDir::new().unwrap();
    let level = level(&folder, false);
    let in_c = program(&interface().join("game.c"), &[], &folder);
    for program in [Path::new(env!("CARGO_BIN_EXE_sample-game")), &in_c] {
        let output = run(program, &level, "d 1\n");
        assert_eq!(output.status.code(), Some(1));
        let told = String::from_utf8(output.stderr).unwrap();
        let expected = "game: error: the file has no brushes: compile the map with --brushes\n";
        assert_eq!(told, expected);
    }
}

/// The ladder reaches from the floor of the pool at -128 to 24, in the column of the picture for 384 to 400.
fn assert_has_ladder(picture: &str) {
    let column = (396 + 512) / 16;
    let rungs = picture
        .lines()
        .filter(|row| row.as_bytes().get(column) == Some(&b'H'));
    assert_eq!(rungs.count(), (128 + 24) / 16, "{picture}");
}

#[test]
fn the_sample_game_is_won_in_rust_and_c() {
    let folder = TempDir::new().unwrap();
    let level = level(&folder, true);
    let in_rust = Path::new(env!("CARGO_BIN_EXE_sample-game"));
    let in_c = program(&interface().join("game.c"), &[], &folder);

    let inputs: String = MOVES
        .iter()
        .map(|(input, ..)| format!("{input}\n"))
        .collect();
    let said = played(in_rust, &level, &inputs);
    let places: Vec<_> = said
        .lines()
        .filter_map(|line| line.split_once(": at "))
        .collect();
    assert_eq!(places.len(), MOVES.len(), "{said}");
    for ((input, place), (_, x, standing)) in places.into_iter().zip(MOVES) {
        let numbers: Vec<f64> = place
            .split(' ')
            .map(|number| number.parse().unwrap())
            .collect();
        assert!((numbers[0] - x).abs() < 0.5, "{input}: {place}");
        let is_there = standing.is_none_or(|z| (numbers[2] - z - MARGIN).abs() < 0.1);
        assert!(is_there, "{input}: {place}");
    }
    assert_has_ladder(&played(in_rust, &level, "\n"));
    // The input that the game's documentation names.
    let (_, documented) = GAME.split_once("This input wins").unwrap();
    let documented = documented.split("//! ```").nth(1).unwrap();
    let documented = documented
        .lines()
        .filter_map(|line| line.strip_prefix("//! "));
    let documented: String = documented.map(|line| format!("{line}\n")).collect();
    for (input, wins) in [
        (documented, true),
        (inputs.clone(), false),
        (inputs.clone() + "f 1\n", true),
        (inputs + MORE, true),
    ] {
        let said = played(in_rust, &level, &input);
        assert_eq!(said.ends_with("You hit the target.\n"), wins, "{said}");
        assert_eq!(said, played(&in_c, &level, &input));
    }
}
