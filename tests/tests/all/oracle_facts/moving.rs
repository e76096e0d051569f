//! A fact about the distance between a box and a turned body, worked out by hand: a cube turned by 45 degrees in; its
//! distance from boxes and diamonds out.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use onion_tests::moving::*;
use onion_tests::oracle::box_planes;

/// A cube turned by 45 degrees about z reaches its half diagonal along x, and half of that beside a box
/// whose corner meets its face.
#[test]
fn turned_cube() {
    let cube = Corners::new(&box_planes([-1.0; 3], [1.0; 3])).unwrap();
    let eighth = UnitQuaternion::from_scaled_axis(Vector3::z() * std::f64::consts::FRAC_PI_4);
    let pose = Isometry3::from_parts(Translation3::identity(), eighth);
    let body = MovingBox {
        mins: [-1.0; 3],
        maxs: [1.0; 3],
        halves: [[0.0; 2]; 16],
        start: [0.0; 3],
        end: [0.0; 3],
    };
    let at = |at| gap(&cube, &pose, &body, at, 9.0);
    let root = 2f64.sqrt();
    assert!((at([4.0, 0.0, 0.0]) - (3.0 - root)).abs() < 1e-12);
    // The corner (2, 2) of the box is 2 root 2 from the middle, along the normal of the face.
    assert!((at([3.0, 3.0, 0.0]) - (2.0 * root - 1.0)).abs() < 1e-12);
    assert!(at([2.0, 0.0, 0.0]) < 0.0);
    // A diamond with the same box has its sides parallel to those of the cube, half a diagonal from its middle.
    let mut body = body;
    body.halves[..2].copy_from_slice(&[[0.5, 0.5], [-0.5, 0.5]]);
    let at = gap(&cube, &pose, &body, [3.0, 3.0, 0.0], 9.0);
    assert!((at - (3.0 * root - 1.0 - root / 2.0)).abs() < 1e-12);
}
