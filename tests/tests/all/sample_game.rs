//! The sample game in `runtime/examples` is played to its end, and the player is where the numbers of its map say.

use std::io::Write;
use std::process::{Command, Stdio};

use onion_tests::fixtures::compiled;
use onion_tests::{samples, subject};
use tempfile::TempDir;

use crate::c_interface::{interface, program};

#[allow(dead_code, reason = "the example has a main function")]
#[path = "../../../runtime/examples/game.rs"]
mod game;

/// The distance that a trace keeps from the surface it hits, in units.
const MARGIN: f32 = 1.0 / 32.0;

/// Inputs, and where they take the player: its x, and its z where it stands.
const MOVES: [(&str, f32, Option<f32>); 9] = [
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
    // Half a second at 320 units a second.
    ("d 30", 704.0 - MARGIN, Some(216.0)),
    ("a 30", 544.0 - MARGIN, Some(216.0)),
    ("d 30", 704.0 - MARGIN, Some(216.0)),
];

fn file() -> Vec<u8> {
    let path = samples::dir().join("game.map");
    let map = subject::parse(&std::fs::read(path).unwrap());
    let hulls = ["stand:16x56", "crouch:16x32", "bullet:point"];
    compiled(&map, &hulls, |options| options.brushes = true).bytes
}

#[test]
fn the_game_is_won() {
    let mut session = game::Session::new(file()).unwrap();
    for (input, x, standing) in MOVES {
        let mut out = Vec::new();
        game::play(&mut session, input.as_bytes(), &mut out).unwrap();
        let player = session.player;
        let [found_x, _, z] = player.position;
        assert!((found_x - x).abs() < 0.5, "{input}: {player:?}");
        if let Some(height) = standing {
            assert!(player.on_ground.is_some(), "{input}: {player:?}");
            assert!((z - height - MARGIN).abs() < 0.1, "{input}: {player:?}");
        }
        assert!(!session.has_won);
        assert!(String::from_utf8(out).unwrap().contains('@'), "{input}");
    }
    let mut out = Vec::new();
    game::play(&mut session, "f 1".as_bytes(), &mut out).unwrap();
    assert!(session.has_won);
    assert!(out.ends_with(b"You hit the target.\n"));
}

#[test]
fn the_game_in_c_is_the_same() {
    let folder = TempDir::new().unwrap();
    let level = folder.path().join("game.onion");
    std::fs::write(&level, file()).unwrap();
    let program = program(&interface().join("game.c"), &[], &folder);
    let inputs = MOVES.map(|(input, ..)| input);
    let input = inputs.join("\n") + "\ndw 45\naw 200\nas 30\nd 3\ndf 300\n";
    let mut running = Command::new(program)
        .arg(level)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    running
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let found = running.wait_with_output().unwrap();
    let mut session = game::Session::new(file()).unwrap();
    let mut expected = Vec::new();
    game::play(&mut session, input.as_bytes(), &mut expected).unwrap();
    assert!(session.has_won);
    assert_eq!(String::from_utf8(found.stdout), String::from_utf8(expected));
}
