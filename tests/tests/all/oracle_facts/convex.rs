//! Facts about convex solids, worked out by hand: planes in; their corners and volumes out. The order of the planes
//! must not matter.

use super::testing::{flipped, has_point, volume_of};
use onion_tests::oracle::convex::*;
use onion_tests::oracle::vec3::{V3, unit};

const ONE: V3 = [1.0; 3];
const ZERO: V3 = [0.0; 3];

#[test]
fn cube_has_eight_corners_despite_redundant_planes() {
    let mut planes = box_planes(ZERO, ONE);
    planes.extend(box_planes(ZERO, ONE));
    let diagonal = unit([1.0, 1.0, 0.0], 0.0).expect("unit");
    planes.push((diagonal, 2f64.sqrt()));
    planes.push((diagonal, 3.0));
    let corners = vertices(&planes).expect("solid");
    assert_eq!(corners.len(), 8);
    assert!(has_point(&corners, ONE, 1e-9) && has_point(&corners, ZERO, 1e-9));
}

#[test]
fn tetrahedron_and_wedge() {
    let n = unit(ONE, 0.0).expect("unit");
    let mut tetra = box_planes(ZERO, [9.0; 3]);
    tetra.push((n, 1.0 / 3f64.sqrt()));
    assert_eq!(vertices(&tetra).expect("solid").len(), 4);
    assert!((volume_of(&tetra) - 1.0 / 6.0).abs() < 1e-12);
    let mut wedge = box_planes(ZERO, [1.0, 1.0, 5.0]);
    wedge.push((unit([1.0, 1.0, 0.0], 0.0).expect("unit"), 0.5f64.sqrt()));
    assert_eq!(vertices(&wedge).expect("solid").len(), 6);
    assert!((volume_of(&wedge) - 2.5).abs() < 1e-12);
}

#[test]
fn thin_far_solid_is_kept_and_contradiction_is_empty() {
    let thin = box_planes([15_000.0, 0.0, 0.0], [15_000.001, 0.001, 4_000.0]);
    assert_eq!(vertices(&thin).expect("solid").len(), 8);
    assert!(vertices(&box_planes([0.0, 0.0, 0.1], [5.0, 5.0, 0.0])).is_none());
    assert!(vertices(&box_planes(ZERO, [5.0, 5.0, 0.0])).is_none());
    assert!(vertices(&[([f64::NAN, 0.0, 0.0], 1.0)]).is_none());
}

#[test]
fn near_duplicate_planes_leave_no_hole() {
    for tilt in [0.0, 1e-12, 1e-9, 1e-7, 1e-5] {
        for shift in [0.0, 1e-12, 1e-9, -1e-9, 1e-6] {
            let mut planes = box_planes([-500.0; 3], [500.0; 3]);
            planes.push((unit([tilt, -tilt, 1.0], 0.0).expect("unit"), 500.0 + shift));
            for got in [&planes, &flipped(&planes)].map(|planes| volume_of(planes)) {
                let is_close = (got / 1e9 - 1.0).abs() < 2e-5;
                assert!(is_close, "tilt {tilt} shift {shift}: {got}");
            }
        }
    }
}

#[test]
fn unbounded_solid_ends_at_the_world_box() {
    let corners = vertices(&[([0.0, 0.0, 1.0], 0.0)]).expect("solid");
    assert_eq!(corners.len(), 8);
    assert!(has_point(&corners, [WORLD, WORLD, 0.0], 1e-6));
}
