//! Facts about expansion, worked out by hand: boxes, prisms and wedges in; planes, corners and volumes of their sums
//! with an agent out.

use super::testing::{has_point, volume_of};
use onion_tests::oracle::Plane;
use onion_tests::oracle::convex::{area_vector, box_planes};
use onion_tests::oracle::expand::*;
use onion_tests::oracle::vec3::{V3, dot, length, sub};

const PLAYER: (V3, V3) = ([-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]);

fn check(e: &Expanded, planes: usize, vertices: usize, volume: f64) {
    assert_eq!(e.planes.len(), planes, "{:?}", e.planes);
    assert_eq!(e.vertices.len(), vertices, "{:?}", e.vertices);
    for found in [e.volume, volume_of(&e.planes)] {
        let off = (found - volume).abs();
        assert!(off <= 1e-9 * volume, "{found} is not {volume}");
    }
}

fn tetrahedron() -> Vec<Plane> {
    let mut planes = box_planes([0.0; 3], [900.0; 3]);
    planes.push(([1.0, 1.0, 1.0], 60.0));
    planes
}

/// Returns a wedge that is right-angled in z: legs 30 along x and 40 along y, 100 high.
fn wedge() -> Vec<Plane> {
    let mut planes = box_planes([0.0; 3], [30.0, 40.0, 100.0]);
    planes.push(([0.8, 0.6, 0.0], 24.0));
    planes
}

#[test]
fn box_plus_box_is_a_box_shifted_by_the_reflection() {
    let cube = box_planes([0.0; 3], [64.0; 3]);
    let e = expand(&cube, [-3.0, -20.0, -1.0], [7.0, 4.0, 90.0]).expect("solid");
    check(&e, 6, 8, 74.0 * 88.0 * 155.0);
    for (found, corner) in [(e.mins, [-7.0, -4.0, -90.0]), (e.maxs, [67.0, 84.0, 65.0])] {
        assert!(length(sub(found, corner)) < 1e-9, "{found:?}");
    }
}

#[test]
fn tetrahedron_with_known_volume() {
    // V + sum over axes of extent x shadow + sum of extent x extent x width + box, with
    // V = 36000, every shadow 1800, every width 60.
    let e = expand(&tetrahedron(), PLAYER.0, PLAYER.1).expect("solid");
    let shadows = 1800.0 * (32.0 + 32.0 + 56.0);
    let widths = 60.0 * (32.0 * 32.0 + 2.0 * 32.0 * 56.0);
    let volume = 36_000.0 + shadows + widths + 32.0 * 32.0 * 56.0;
    // One slanted face, six box directions, three slanted edges beveled along one axis each.
    check(&e, 10, 13, volume);
    assert!(has_point(&e.vertices, [76.0, 16.0, 24.0], 1e-9));
}

#[test]
fn wedge_with_known_volume() {
    let e = expand(&wedge(), PLAYER.0, PLAYER.1).expect("solid");
    let area = 600.0 + 32.0 * 30.0 + 32.0 * 40.0 + 32.0 * 32.0;
    check(&e, 7, 10, 156.0 * area);
    let mut planes = e.planes.iter();
    let bevel = planes.find(|(n, _)| n[0] > 0.7 && n[0] < 0.9);
    let bevel = bevel.expect("slanted");
    assert!((bevel.1 - (24.0 + 0.8 * 16.0 + 0.6 * 16.0)).abs() < 1e-9);
}

/// A base 20 wide without its corners, each a triangle with legs of 6, and about (-1, -2) in place of the origin.
#[test]
fn prism_with_known_volume() {
    let halves = [[4.0, 0.0], [3.0, 3.0], [0.0, 4.0], [-3.0, 3.0]];
    let prism = Summand::new([-9.0, -8.0, -5.0], [11.0, 12.0, 25.0], &halves).expect("prism");
    assert_eq!(prism.corners.len(), 16);
    let e = expand_by(&box_planes([0.0; 3], [64.0; 3]), &prism).expect("solid");
    let base = 400.0 - 4.0 * 18.0;
    check(
        &e,
        10,
        16,
        94.0 * (64.0 * 64.0 + 64.0 * (20.0 + 20.0) + base),
    );
    assert!(
        has_point(&e.vertices, [73.0, 66.0, 69.0], 1e-9),
        "{:?}",
        e.vertices
    );
    // The slanted side is as wide in the slanted direction as the base: both widths add up.
    let e = expand_by(&wedge(), &prism).expect("solid");
    let bevel = e
        .planes
        .iter()
        .find(|(n, _)| n[0] > 0.7 && n[0] < 0.9 && n[1] < 0.65);
    let reach = 24.0 - 0.8 - 0.6 * 2.0 + 0.8 * 4.0 + 1.4 * 3.0 + 0.6 * 4.0 + 0.2 * 3.0;
    assert!((bevel.expect("slanted").1 - reach).abs() < 1e-9);
    let ring = expand_points_by(&[[1.0, 2.0, 3.0]], &prism).expect("solid");
    check(&ring, 10, 16, 30.0 * base);
}

#[test]
fn boxes_without_some_extents() {
    let point = expand(&tetrahedron(), [0.0; 3], [0.0; 3]).expect("point");
    check(&point, 4, 4, 36_000.0);
    let shifted = expand(&wedge(), [5.0; 3], [5.0; 3]).expect("shifted point");
    check(&shifted, 5, 6, 60_000.0);
    let rod = expand(&tetrahedron(), [0.0; 3], [0.0, 0.0, 10.0]).expect("rod");
    check(&rod, 5, 6, 36_000.0 + 18_000.0);
    let plate = expand(&tetrahedron(), [-1.0, -2.0, 0.0], [1.0, 2.0, 0.0]).expect("plate");
    check(&plate, 7, 9, 36_000.0 + 1800.0 * 6.0 + 60.0 * 8.0);
}

#[test]
fn tiny_brush_is_a_full_obstacle_and_an_inverted_box_is_refused() {
    let tiny = box_planes([9000.0; 3], [9000.01, 9000.02, 9000.03]);
    let e = expand(&tiny, PLAYER.0, PLAYER.1).expect("solid");
    check(&e, 6, 8, 32.01 * 32.02 * 56.03);
    assert!(expand(&tiny, PLAYER.1, PLAYER.0).is_none());
    assert!(expand(&tiny, [f64::NAN; 3], PLAYER.1).is_none());
    assert!(expand(&box_planes([0.0; 3], [1.0, 1.0, -0.1]), PLAYER.0, PLAYER.1).is_none());
}

#[test]
fn bare_points() {
    let triangle = [[0.0, 0.0, 0.0], [30.0, 0.0, 0.0], [0.0, 40.0, 0.0]];
    let e = expand_points(&triangle, PLAYER.0, PLAYER.1).expect("solid");
    let area = 600.0 + 32.0 * 30.0 + 32.0 * 40.0 + 32.0 * 32.0;
    check(&e, 7, 10, 56.0 * area);
    let point = expand_points(&[[1.0, 2.0, 3.0]], PLAYER.0, PLAYER.1).expect("solid");
    check(&point, 6, 8, 32.0 * 32.0 * 56.0);
    assert!(expand_points(&triangle, [0.0; 3], [0.0; 3]).is_none());
    assert!(expand_points(&triangle, [0.0; 3], [1.0, 1.0, 0.0]).is_none());
    assert!(expand_points(&[], PLAYER.0, PLAYER.1).is_none());
}

#[test]
fn points_on_an_edge_along_the_sweep_line_do_not_displace_its_ends() {
    let noise = 1e-13;
    let points = [
        [noise, 0.0, 0.0],
        [-noise, 10.0, 0.0],
        [0.0, 5.0, 0.0],
        [2.0 * noise, 7.0, 0.0],
        [9.0, -noise, 0.0],
        [9.0, 10.0, 0.0],
        [9.0 + noise, 3.0, 0.0],
    ];
    for normal in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]] {
        let ring = flat_hull(&points, normal);
        assert_eq!(ring.len(), 4, "{ring:?}");
        assert!((dot(area_vector(&ring), normal) - 90.0).abs() < 1e-9);
    }
}
