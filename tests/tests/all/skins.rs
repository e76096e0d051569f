//! The distance that traces keep from what they hit, by hand: where a move is steep, where it grazes, and where the
//! distance that was asked for is none.

use onion_tests::{samples, subject};
use onionc::map::Map;
use onionc::seeds::Fill;
use onionc::{CompileOptions, compile};

fn room() -> Map {
    let mut samples = samples::all().into_iter();
    subject::parse(&samples.find(|(name, _)| *name == "room").unwrap().1)
}

/// The floor is at z = 0, and the standing hull's origin 24 above its feet. Near it the hull stays 1/32 away, however
/// flat the move is.
#[test]
fn a_skin_is_kept_where_a_move_grazes() {
    let rest = 24.0 + 1.0 / 32.0;
    for fast in [true, false] {
        let options = CompileOptions {
            fill: Fill::Off,
            fast,
            ..CompileOptions::new(subject::hulls(&subject::HULLS))
        };
        let compiled = compile(&room(), &options).unwrap();
        let onion = subject::load(&compiled);
        let hull = onion.find_hull("stand").unwrap();
        for end in [
            [50.0, 0.0, 23.75],
            [50.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 23.0],
        ] {
            let trace = onion.world().trace(hull, [0.0, 0.0, 24.5], end);
            let off: f64 = trace.end_pos[2] - rest;
            assert!(off.abs() < 1e-9, "to {end:?}: {trace:?}");
        }
    }
}

#[test]
fn a_negative_skin_is_none() {
    let compiled = subject::compile_map(&room(), subject::hulls(&subject::HULLS));
    let onion = subject::load(&compiled);
    let hull = onion.find_hull("stand").unwrap();
    for skin in [-1.0, 0.0] {
        let world = onion.world();
        let trace = world
            .with_skin(skin)
            .trace(hull, [0.0, 0.0, 40.0], [0.0, 0.0, 0.0]);
        assert!(trace.fraction <= trace.hit_fraction, "{trace:?}");
        let off: f64 = trace.end_pos[2] - 24.0;
        assert!(off.abs() < 1e-9, "{trace:?}");
    }
}
