//! The sample game, in Rust and in C: a scripted player wins it, is where the numbers of its map say, and sees the same
//! in both languages.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use onion_tests::fixtures::compiled;
use onion_tests::{samples, subject};
use tempfile::TempDir;

use crate::c_interface::{interface, program};

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

fn run(program: &Path, level: &Path, input: &str) -> String {
    let mut running = Command::new(program)
        .arg(level)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = running.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_sample_game_is_won_in_rust_and_c() {
    let folder = TempDir::new().unwrap();
    let level = folder.path().join("game.onion");
    let map = subject::parse(&std::fs::read(samples::dir().join("game.map")).unwrap());
    let hulls = ["stand:16x56", "crouch:16x32", "bullet:point"];
    let file = compiled(&map, &hulls, |options| options.brushes = true);
    std::fs::write(&level, file.bytes).unwrap();
    let in_rust = Path::new(env!("CARGO_BIN_EXE_sample-game"));
    let in_c = program(&interface().join("game.c"), &[], &folder);

    let inputs: String = MOVES
        .iter()
        .map(|(input, ..)| format!("{input}\n"))
        .collect();
    let said = run(in_rust, &level, &inputs);
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
    for (input, wins) in [
        (inputs.clone(), false),
        (inputs.clone() + "f 1\n", true),
        (inputs + MORE, true),
    ] {
        let said = run(in_rust, &level, &input);
        assert_eq!(said.ends_with("You hit the target.\n"), wins, "{said}");
        assert_eq!(said, run(&in_c, &level, &input));
    }
}
