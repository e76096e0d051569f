//! Facts about the names of what is hit, worked out by hand: boxes that touch or overlap in; the brush and side that
//! a trace names out.

use onion_tests::oracle::convex::{Plane, box_planes};
use onion_tests::oracle::expand::expand;
use onion_tests::oracle::names::*;
use onion_tests::oracle::vec3::V3;
use onion_tests::oracle::{OracleBrush, Summand};

const BOX: (V3, V3) = ([-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]);

/// Makes a world of brushes with these planes, numbered from 10; the shader of a side is its number plus 100.
fn world(brushes: &[Vec<Plane>], (mins, maxs): (V3, V3)) -> NamedWorld {
    let solid = |(planes, number): (&Vec<Plane>, usize)| {
        let brush = OracleBrush {
            number,
            contents: 1,
            planes: planes.clone(),
            shaders: (100..100 + planes.len()).collect(),
        };
        Some((expand(planes, mins, maxs)?, Body::brush(&brush)?))
    };
    NamedWorld::new(
        brushes.iter().zip(10..).filter_map(solid).collect(),
        Summand::new(mins, maxs, &[]).expect("a box"),
    )
}

/// Returns brush, side and whether it is a bevel, for all names; nothing is touched without being entered.
fn hit(world: &NamedWorld, start: V3, end: V3) -> (Vec<(usize, usize, bool)>, bool) {
    let trace = world.world().trace(start, end, 0.0);
    let names = world.names(start, end, trace.first_enter.expect("a hit"));
    assert!(names.touched.is_empty());
    let key = |name: &Name| match *name {
        Name::Side {
            brush,
            side,
            shader,
            is_bevel,
            ..
        } => {
            assert_eq!(shader, side + 100);
            (brush, side, is_bevel)
        }
        Name::Patch { .. } => panic!("a patch"),
    };
    let mut keys: Vec<_> = names.entered.iter().map(key).collect();
    keys.dedup();
    assert_eq!(names.is_unique(), keys.iter().all(|&one| one == keys[0]));
    (keys, names.in_one_plane)
}

/// Returns a box from -32 to 32 whose edge at x = y = 32 is cut by a plane with x + y = `sum`.
fn cut(sum: f64) -> Vec<Plane> {
    let mut planes = box_planes([-32.0; 3], [32.0; 3]);
    planes.push(([0.5f64.sqrt(), 0.5f64.sqrt(), 0.0], sum * 0.5f64.sqrt()));
    planes
}

#[test]
fn faces_are_named_by_the_first_side_in_their_plane() {
    let mut planes = box_planes([-32.0; 3], [32.0; 3]);
    planes.push(planes[2]);
    let w = world(&[planes], BOX);
    let found = hit(&w, [0.0, 100.0, 0.0], [0.0, 0.0, 0.0]);
    assert_eq!(found, (vec![(10, 2, false)], true));
    let found = hit(&w, [100.0, 5.0, 0.0], [0.0; 3]);
    assert_eq!(found, (vec![(10, 0, false)], true));
}

#[test]
fn a_side_that_only_touches_an_edge_is_no_face() {
    // At the edge the sum with the box has the planes x = 48 and y = 48 and nothing between.
    let w = world(&[cut(64.0)], BOX);
    let found = hit(&w, [100.0, 40.0, 0.0], [0.0, 40.0, 0.0]);
    assert_eq!(found, (vec![(10, 0, false)], true));
    // Cut at 40 its sum has the plane x + y = 72, which passes (48, 24).
    let w = world(&[cut(40.0)], BOX);
    let found = hit(&w, [100.0, 26.0, 0.0], [0.0, 26.0, 0.0]);
    assert_eq!(found, (vec![(10, 6, false)], true));
}

#[test]
fn bevels_are_named_after_the_nearest_face_of_their_edge() {
    // Without the sides at x = 32 and y = 32: the tip lies at (96, -32), between the sides x + y = 64
    // and y = -32. Its bevel x = 96 is nearer to the former.
    let mut planes = cut(64.0);
    planes[0].1 = 500.0;
    let w = world(&[planes.clone()], BOX);
    let found = hit(&w, [200.0, -40.0, 0.0], [0.0, -40.0, 0.0]);
    assert_eq!(found, (vec![(10, 6, true)], true));
    // A point has no bevel.
    let w = world(&[planes], ([0.0; 3], [0.0; 3]));
    let (found, _) = hit(&w, [200.0, -30.0, 0.0], [0.0, -30.0, 0.0]);
    assert_eq!(found, [(10, 6, false)]);
}

#[test]
fn faces_in_one_plane_come_in_the_order_of_the_brushes() {
    let left = box_planes([-64.0, 0.0, 0.0], [0.0, 64.0, 64.0]);
    let right = box_planes([0.0, 0.0, 0.0], [64.0, 64.0, 64.0]);
    let w = world(&[left, right], BOX);
    let down = |x: f64| hit(&w, [x, 32.0, 200.0], [x, 32.0, 0.0]);
    assert_eq!(down(-17.0), (vec![(10, 4, false)], true));
    assert_eq!(down(-15.0), (vec![(10, 4, false), (11, 4, false)], true));
    assert!(!down(15.9999).1, "at the end of a face");
    assert_eq!(down(17.0), (vec![(11, 4, false)], true));
}

#[test]
fn touching_is_no_entering() {
    let w = world(&[cut(64.0)], BOX);
    let names = w.names([100.0, 48.000001, 0.0], [0.0, 48.000001, 0.0], 0.52);
    assert!(names.entered.is_empty() && !names.touched.is_empty());
}
