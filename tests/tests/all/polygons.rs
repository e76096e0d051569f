//! Polygons for display: areas, and the parts in front of a plane and behind it, worked out by hand. The polygons lie
//! in the plane z = 0 and have corners at whole numbers.

use glam::DVec3;
use onion_geometry::polygon::{area, split};

/// Returns the polygon with these corners in the plane z = 0.
fn polygon(corners: &[[f64; 2]]) -> Vec<DVec3> {
    let corners = corners.iter().map(|&[x, y]| DVec3::new(x, y, 0.0));
    corners.collect()
}

const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]];

#[test]
fn areas_are_known() {
    let corner = [[0.0, 0.0], [6.0, 0.0], [0.0, 4.0]];
    let hexagon = [
        [2.0, 0.0],
        [4.0, 0.0],
        [6.0, 2.0],
        [4.0, 4.0],
        [2.0, 4.0],
        [0.0, 2.0],
    ];
    for (corners, expected) in [(&SQUARE[..], 64.0), (&corner, 12.0), (&hexagon, 16.0)] {
        assert_eq!(area(&polygon(corners)), expected, "{corners:?}");
    }
}

/// A polygon that only touches a plane is whole, also if it does so in three corners or in all of them; in the plane,
/// it counts as in front. A corner on the plane belongs to both parts.
#[test]
fn a_plane_divides_a_polygon() {
    let with_middle = [[0.0, 0.0], [8.0, 0.0], [8.0, 4.0], [8.0, 8.0], [0.0, 8.0]];
    let halves = [
        &[[3.0, 0.0], [8.0, 0.0], [8.0, 8.0], [3.0, 8.0]],
        &[[0.0, 0.0], [3.0, 0.0], [3.0, 8.0], [0.0, 8.0]],
    ];
    let triangles = [
        &[[0.0, 0.0], [8.0, 0.0], [8.0, 8.0]],
        &[[0.0, 0.0], [8.0, 8.0], [0.0, 8.0]],
    ];
    let diagonal = DVec3::new(0.5f64.sqrt(), -(0.5f64.sqrt()), 0.0);
    let [front, back] = [true, false].map(|is_front| {
        move |corners| {
            if is_front {
                [Some(polygon(corners)), None]
            } else {
                [None, Some(polygon(corners))]
            }
        }
    });
    for (corners, normal, dist, expected) in [
        (&SQUARE[..], DVec3::X, 0.0, front(&SQUARE)),
        (&SQUARE, DVec3::X, 8.0, back(&SQUARE)),
        (&with_middle, DVec3::X, 8.0, back(&with_middle)),
        (&with_middle, -DVec3::X, -8.0, front(&with_middle)),
        (&SQUARE, DVec3::Z, 0.0, front(&SQUARE)),
        (
            &SQUARE,
            DVec3::X,
            3.0,
            halves.map(|half| Some(polygon(half))),
        ),
        (
            &SQUARE,
            diagonal,
            0.0,
            triangles.map(|half| Some(polygon(half))),
        ),
    ] {
        let parts = split(polygon(corners), normal, dist);
        let is_as_expected = parts.iter().zip(&expected).all(|pair| match pair {
            (Some(part), Some(expected)) => {
                let near = |at: &DVec3| expected.iter().any(|own| own.distance(*at) < 1e-12);
                part.len() == expected.len() && part.iter().all(near)
            }
            (part, expected) => part.is_none() && expected.is_none(),
        });
        assert!(is_as_expected, "{corners:?}, {normal} {dist}: {parts:?}");
    }
}
