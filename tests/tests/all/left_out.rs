//! What is left out of a compile because it lies too far away or has no volume, worked out by hand, and the reason
//! that the warning gives.

use onion_compiler::brush;
use onion_geometry::PlaneSet;
use onion_maps::{Halfspace, MapBrush, MapSide, Patch};
use onion_tests::cases::sample_case;

const OUTSIDE: &str = "it lies outside of the world, which ends 65536 units from the origin on each axis: move the map \
                       nearer to the origin, or scale it down; left out";

/// Returns the warnings about a brush behind axial planes at these distances, in the order -x +x -y +y -z +z.
fn warnings(dists: &[f32]) -> Vec<String> {
    let sides = (0..6).zip(dists).map(|(side, &dist)| {
        let mut normal = [0.0; 3];
        normal[side / 2] = [-1.0, 1.0][side % 2];
        MapSide {
            halfspace: Halfspace::stored(normal, dist),
            surface: 0,
        }
    });
    let mut map = sample_case("room").map.clone();
    map.models[0].brushes = vec![MapBrush {
        number: 0,
        contents: 1,
        sides: sides.collect(),
    }];
    let mut warnings = Vec::new();
    brush::build(&map, 1.0, &mut PlaneSet::default(), &mut warnings).unwrap();
    warnings
        .into_iter()
        .map(|warning| warning.message)
        .collect()
}

#[test]
fn a_brush_that_is_left_out_has_the_right_reason() {
    let open = "its sides do not close within 65536 units of the origin; left out";
    let flat = "its sides enclose no volume; left out";
    for (dists, reason) in [
        (&[8.0f32; 6][..], None),
        (&[8.0; 5], Some(open)),
        (&[65_000.0, 65_540.0, 8.0, 8.0, 8.0, 8.0], Some(open)),
        // From x = 70,000 to 71,000, also far from the axes; and from x = 71,000 to 70,000.
        (&[-70_000.0, 71_000.0, 8.0, 8.0, 8.0, 8.0], Some(OUTSIDE)),
        (
            &[
                -70_000.0, 71_000.0, 60_000.0, -50_000.0, 60_000.0, -50_000.0,
            ],
            Some(OUTSIDE),
        ),
        (&[-71_000.0, 70_000.0, 8.0, 8.0, 8.0, 8.0], Some(flat)),
        (&[-16.0, 8.0, 8.0, 8.0, 8.0, 8.0], Some(flat)),
    ] {
        assert_eq!(warnings(dists), Vec::from_iter(reason), "{dists:?}");
    }
}

/// Pieces extend less than 64 units beyond their patch, so every control point must be farther than that from the end
/// of the world.
#[test]
fn a_patch_at_the_end_of_the_world_is_left_out() {
    for (farthest, reason) in [
        (1_000.0, None),
        (65_000.0, None),
        (65_471.0, None),
        (65_472.0, Some(OUTSIDE)),
        (1e6, Some(OUTSIDE)),
    ] {
        for turned in 0..6 {
            let point = |number: usize| {
                let mut point = [
                    farthest - 16.0 * (number % 3) as f32,
                    16.0 * (number / 3) as f32,
                    0.0,
                ];
                point[0] *= [1.0, -1.0][turned % 2];
                point.rotate_right(turned / 2);
                point
            };
            let patch = Patch {
                number: 0,
                contents: 1,
                surface: 0,
                width: 3,
                height: 3,
                points: (0..9).map(point).collect(),
                normals: vec![[0.0; 3]; 9],
            };
            let found = brush::left_out_patch(&patch);
            assert_eq!(found.is_some(), reason.is_some(), "{farthest}: {found:?}");
            assert!(
                found.is_none_or(|found| OUTSIDE.starts_with(found)),
                "{found:?}"
            );
        }
    }
}
