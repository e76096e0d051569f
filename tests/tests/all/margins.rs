//! The distance that traces keep from the surfaces they hit, worked out by hand: for steep moves, for grazing ones,
//! and for a requested distance of zero.

use onion_maps::Map;
use onion_runtime::OnionMap;
use onion_tests::cases::sample_case;
use onion_tests::fixtures::{compiled, loaded, made};
use onion_tests::samples;
use onion_tests::subject::HULLS;

/// Compiles a map with the fast form and without.
fn with_and_without_fast(map: &Map, hulls: &[&str]) -> [OnionMap<Vec<u8>>; 2] {
    [true, false].map(|fast| {
        let file = compiled(map, hulls, |options| options.fast = fast);
        OnionMap::from_bytes(file.bytes).unwrap()
    })
}

/// The floor is at z = 0, and the standing hull's origin 24 above its feet. Near it the hull stays 1/32 away, however
/// flat the move is.
#[test]
fn a_margin_is_kept_where_a_move_grazes() {
    let rest = 24.0 + 1.0 / 32.0;
    for onion in with_and_without_fast(&sample_case("room").map, &HULLS) {
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

/// Where a hull is nearer to a surface than the margin, or would get there in less than the whole way, it stops at the
/// margin or, if that is behind it, stays where it is.
#[test]
fn short_moves_keep_large_margins() {
    for onion in with_and_without_fast(&sample_case("room").map, &HULLS) {
        let hull = onion.find_hull("stand").unwrap();
        for (margin, height, way) in [
            (0.25, 0.0625, 0.125),
            (0.25, 0.125, 0.15),
            (0.5, 0.125, 0.25),
            (0.5, 0.25, 0.375),
            (0.5, 1.0, 2.0),
            (4.0, 1.0, 1.5),
            (4.0, 8.0, 12.0),
        ] {
            let world = onion.world().with_margin(margin);
            let start = [50.0, 0.0, 24.0 + height];
            let trace = world.trace(hull, start, [50.0, 0.0, start[2] - way]);
            assert!(
                (trace.hit_fraction - height / way).abs() < 1e-12,
                "{trace:?}"
            );
            let free = f64::max(height - margin, 0.0) / way;
            assert!((trace.fraction - free).abs() < 1e-12, "{margin}: {trace:?}");
        }
    }
}

#[test]
fn a_negative_margin_is_none() {
    let onion = loaded(&sample_case("room").map, &HULLS);
    let hull = onion.find_hull("stand").unwrap();
    for margin in [-1.0, 0.0] {
        let world = onion.world().with_margin(margin);
        let trace = world.trace(hull, [0.0, 0.0, 40.0], [0.0, 0.0, 0.0]);
        assert!(trace.fraction <= trace.hit_fraction, "{trace:?}");
        let off: f64 = trace.end_pos[2] - 24.0;
        assert!(off.abs() < 1e-9, "{trace:?}");
    }
}

/// Between 2^15 and 2^16, f32 numbers are 1/256 apart. A wall ends `eighths` eighths of that above 60,000, and a
/// trace starts at the next number, so every place on its way is rounded to one of the two. It may go as far as
/// halfway between them; attempts move the end back by 2, 4, 8 and so on of 4,096 parts of the way, and the first
/// that is far enough counts.
#[test]
fn an_end_that_is_rounded_into_solid_is_moved_back() {
    const STEP: f64 = 1.0 / 256.0;
    let mut map = samples::Map::new("far", "A wall far out");
    let [mins, maxs] = [[59_900.0, -64.0, -64.0], [59_984.0, 64.0, 64.0]];
    map.cuboid(samples::Shader::Wall, mins, maxs);
    let map = made(&map);
    // (1 - eighths / 8) (1 - parts / 4096) is at least one half; halfway is rounded to 60,000, the even number.
    for (eighths, parts) in [(1, 2048.0), (2, 2048.0), (3, 1024.0)] {
        let reach = 16.0 + f64::from(eighths) * STEP / 8.0;
        let hull = format!("odd:mins=-{reach},-8,-8:maxs=8,8,8");
        for onion in with_and_without_fast(&map, &[&hull]) {
            let hull = onion.find_hull("odd").unwrap();
            let world = onion.world().with_margin(0.0);
            let start = [60_000.0 + STEP as f32, 0.0, 0.0];
            let trace = world.trace(hull, start, [start[0] - 64.0, 0.0, 0.0]);
            let hit = (1.0 - f64::from(eighths) / 8.0) * STEP / 64.0;
            assert_eq!(trace.hit_fraction, hit, "{trace:?}");
            assert_eq!(trace.fraction, hit * (1.0 - parts / 4096.0), "{trace:?}");
            assert_eq!((trace.end_pos, trace.start_solid), (start, false));
        }
    }
}
