//! Facts about the distance between an agent and a body that is turned, worked out by hand: boxes and a turned cube in;
//! distances out.

use onion_tests::oracle::convex::box_planes;
use onion_tests::oracle::expand::AXES;
use onion_tests::oracle::gap::*;

/// The unit cube: distances to a face, an edge and a corner, and across.
#[test]
fn capsule_and_cube() {
    let cube = box_planes([0.0; 3], [1.0; 3]);
    let gap = |ends, radius| Gap::new(&cube, &Body::Capsule { ends, radius }).unwrap();
    let ball = gap([[0.0; 3]; 2], 0.5);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    near(ball.at([0.3, 0.4, 3.0]), 1.5);
    near(ball.at([4.0, 5.0, 0.5]), 4.5);
    near(ball.at([3.0, 4.0, 7.0]), 7.0 - 0.5);
    near(ball.at([0.5, 0.5, 0.5]), -0.5);
    // A rod that passes over the cube.
    let rod = gap([[-9.0, 0.0, 0.0], [9.0, 0.0, 0.0]], 0.25);
    near(rod.at([0.5, 0.5, 2.0]), 0.75);
    near(rod.at([0.5, 4.0, 5.0]), 4.75);
    near(rod.at([0.5, 0.5, 0.5]), -0.25);
}

/// The unit cube and a cube of the same size that stands on an edge: half its diagonal reaches down.
#[test]
fn turned_box_and_cube() {
    let cube = box_planes([0.0; 3], [1.0; 3]);
    let h = 0.5f64.sqrt();
    let axes = [[1.0, 0.0, 0.0], [0.0, h, h], [0.0, -h, h]];
    let turned = Body::Box {
        center: [0.0; 3],
        half: [0.5; 3],
        axes,
    };
    let gap = Gap::new(&cube, &turned).unwrap();
    assert!((gap.at([0.5, 0.5, 3.0]) - (2.0 - h)).abs() < 1e-9);
    assert!((gap.distance([0.5, 0.5, 3.0]) - (2.0 - h)).abs() < 1e-9);
    let straight = Body::Box {
        axes: AXES,
        center: [0.0; 3],
        half: [0.5; 3],
    };
    let gap = Gap::new(&cube, &straight).unwrap();
    // Corner to corner, 1, 2 and 2 units apart on the axes.
    assert!((gap.at([2.5, 3.5, 3.5]) - 2.0).abs() < 1e-9);
    assert!((gap.distance([2.5, 3.5, 3.5]) - 3.0).abs() < 1e-9);
}

/// A tetrahedron around the unit cube: it meets faces with its own and with its tips, an upright edge with the edge
/// where x + y is 1, and a corner with its slanted face.
#[test]
fn set_and_cube() {
    let tip = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let gap = Gap::new(&box_planes([0.0; 3], [1.0; 3]), &Body::Set(tip.to_vec())).unwrap();
    for (at, truth) in [
        ([0.5, 0.5, 3.0], 2.0),
        ([0.5, 0.5, -3.0], 2.0),
        ([-3.0, 0.5, 0.5], 2.0),
        ([3.0, 0.5, 0.5], 2.0),
        ([-2.0, -2.0, 0.5], 3.0 / 2f64.sqrt()),
        ([-2.0; 3], 5.0 / 3f64.sqrt()),
    ] {
        assert!((gap.at(at) - truth).abs() < 1e-9, "{at:?} {}", gap.at(at));
    }
}

/// Half of each of 8 sides around a radius of 1 is root 2 - 1, and the slanted sides are at 45 degrees.
#[test]
fn cylinder_and_cube() {
    let cylinder = Body::Cylinder {
        center: [0.0; 3],
        radius: 1.0,
        half_height: 2.0,
        n_sides: 8,
    };
    let gap = Gap::new(&box_planes([0.0; 3], [1.0; 3]), &cylinder).unwrap();
    let root = 2f64.sqrt();
    for (at, truth) in [
        ([4.0, 0.5, 0.5], 2.0),
        ([0.5, 0.5, -5.0], 3.0),
        ([5.0, 5.0, 0.5], 4.0 * root - 1.0),
        ([-5.0, 5.0, 0.5], 4.5 * root - 1.0),
    ] {
        assert!((gap.at(at) - truth).abs() < 1e-6, "{at:?} {}", gap.at(at));
    }
}
