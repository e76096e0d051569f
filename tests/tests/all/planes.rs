//! The grid, its planes, boxes and windings, worked out by hand: the direction of rounding, the ends of ranges, and
//! the side of things that only just touch.

use dashu_int::IBig;
use glam::DVec3;
use nalgebra::Vector3;
use onion_geometry::grid::{self, DIST_LIMIT, DIST_ONE, NORMAL_ONE, POINT_ONE};
use onion_geometry::{Bounds, Cell, ExactPlane, Location, PlaneSet};

/// Limit on distances, in units.
const LIMIT: i64 = 1 << 17;

fn big(number: i64) -> IBig {
    IBig::from(number)
}

#[test]
fn numbers_go_to_the_nearest() {
    assert_eq!(grid::normal_component(1.0 / 3.0), 357_913_941);
    assert_eq!(grid::normal_component(-2.0 / 3.0), -715_827_883);
    assert_eq!(grid::coarse_normal_component(0.25), 1 << 28);
    assert_eq!(grid::coarse_normal_component(0.5f64.powi(21)), 1 << 10);
    assert_eq!(grid::coarse_normal_component(0.5f64.powi(22)), 0);
    assert_eq!(grid::point(-1.5), -98_304);
    assert_eq!(grid::point(0.5f64.powi(17)), 1);
    for (number, right) in [(7, 4), (-7, -4), (5, 3), (4, 2), (1, 1), (0, 0), (-3, -2)] {
        assert_eq!(grid::nearest_over(number, 2), Some(right));
        let number = IBig::from(number);
        let right = i64::try_from(right).ok();
        assert_eq!(grid::nearest_over_root(&number, &big(4)), right);
    }
    for (number, right) in [(4, 1), (5, 2), (-5, -2), (10, 3)] {
        assert_eq!(grid::nearest_over(number, 3), Some(right));
    }
    // 10 over the root of 7 is 3.78, of 8 it is 3.54, of 9 it is 3.33.
    for (square, right) in [(7, 4), (8, 4), (9, 3)] {
        assert_eq!(grid::nearest_over_root(&big(10), &big(square)), Some(right));
    }
    assert_eq!(grid::nearest_over(i128::MAX, 3), None);
    assert_eq!(
        grid::nearest_over_root(&IBig::from(1i128 << 64), &big(1)),
        None
    );
}

#[test]
fn supports_go_up() {
    let ceils = [
        (1023, 1),
        (1024, 1),
        (1025, 2),
        (0, 0),
        (-1, 0),
        (-1024, -1),
        (-1025, -1),
    ];
    for (product, right) in ceils {
        assert_eq!(grid::dist_ceil(product), Some(right), "{product}");
    }
    // The plane x + y = 3 units, a point in it, a point behind it, and the same plane with a noisy normal.
    let points = || [[POINT_ONE, 2 * POINT_ONE, 0], [POINT_ONE, 0, 7]].into_iter();
    let diagonal = DVec3::new(0.6, 0.8, 0.0);
    let supporting = ExactPlane::supporting(diagonal, points()).unwrap();
    let [x, y] = [629_146, 838_861].map(|component| component << 10);
    assert_eq!(supporting.normal, Vector3::new(x, y, 0));
    // In units of 2^-36: 2^6 for each unit of a normal.
    assert_eq!(supporting.dist, (x + 2 * y) << 6);
    let [x, y] = [644_245_094, 858_993_459];
    let around = ExactPlane::around(diagonal, points()).unwrap();
    assert_eq!(around.normal, Vector3::new(x, y, 0));
    assert_eq!(around.dist, (x + 2 * y) << 6);
    let noisy = ExactPlane::around(DVec3::new(1e-9, 1.0, -1e-9), points()).unwrap();
    assert_eq!(noisy, ExactPlane::whole(1, true, 2));
}

#[test]
fn distances_end_at_the_limit() {
    let below = LIMIT as f64 - 0.5f64.powi(36);
    assert_eq!(DIST_LIMIT, LIMIT * DIST_ONE);
    for (units, right) in [
        (below, Some(DIST_LIMIT - 1)),
        (-below, Some(1 - DIST_LIMIT)),
        (LIMIT as f64, None),
        (-LIMIT as f64, None),
        (f64::NAN, None),
        (0.5, Some(DIST_ONE / 2)),
    ] {
        assert_eq!(grid::dist(units), right, "{units}");
    }
    let limit = i128::from(DIST_LIMIT);
    for (dist, right) in [
        (limit - 1, Some(DIST_LIMIT - 1)),
        (limit, None),
        (-limit, None),
    ] {
        assert_eq!(grid::dist_ceil(dist << 10), right);
    }
    assert_eq!(grid::dist_ceil(i128::MAX / 2), None);
    let [sloped, axial] = [[big(3), big(4), big(0)], [big(0), big(-2), big(0)]];
    for sign in [1, -1] {
        let exact = |normal, dist: i64| ExactPlane::exact(normal, &big(sign * dist), &big(1));
        assert_eq!(exact(&sloped, 5 * LIMIT), None);
        assert_eq!(exact(&axial, 2 * LIMIT), None);
        assert_eq!(
            exact(&sloped, 5 * LIMIT - 5).unwrap().dist,
            sign * (DIST_LIMIT - DIST_ONE)
        );
        let axial = exact(&axial, 2 * LIMIT - 2).unwrap();
        assert_eq!(axial, ExactPlane::whole(1, false, sign * (LIMIT - 1)));
    }
}

#[test]
fn planes_are_the_nearest_to_what_is_given() {
    let normal = [big(3), big(0), big(-4)];
    // 7 over 5 times 3 units.
    let plane = ExactPlane::exact(&normal, &big(7), &big(3)).unwrap();
    assert_eq!(plane.normal, Vector3::new(644_245_094, 0, -858_993_459));
    assert_eq!(plane.dist, 32_069_089_143);
    assert_eq!(plane.axis(), None);
    // 7 over 2 times 3 units.
    let plane = ExactPlane::exact(&[big(0), big(0), big(2)], &big(7), &big(3)).unwrap();
    assert_eq!(plane, ExactPlane::axial(2, true, 80_172_722_859));
    assert_eq!(plane.axis(), Some(2));
    assert_eq!(plane.flipped().axis(), Some(2));
    // Too large for whole numbers of 127 bits, but still along an axis.
    let huge = IBig::from(1) << 100;
    let plane = ExactPlane::exact(&[-huge.clone(), big(0), big(0)], &(&huge * 5), &big(1)).unwrap();
    assert_eq!(plane, ExactPlane::whole(0, false, 5));
}

#[test]
fn a_plane_and_its_flip_are_neighbors() {
    let mut planes = PlaneSet::default();
    let normal = Vector3::new(0, -644_245_094, 858_993_459);
    let sloped = ExactPlane { normal, dist: 7 };
    let ids =
        [sloped, sloped.flipped(), ExactPlane::whole(2, true, 1)].map(|plane| planes.insert(plane));
    assert_eq!(ids[0], ids[1].flipped());
    assert_eq!(planes.insert(sloped), ids[0]);
    // The first component that is not zero is positive.
    assert_eq!(ids.map(|id| id.is_canonical()), [false, true, true]);
    assert_eq!(ids.map(|id| id.canonical()), [ids[1], ids[1], ids[2]]);
    assert_eq!(planes[ids[0]].plane, sloped);
    assert_eq!(planes[ids[0]].normal.y, -644_245_094.0 / NORMAL_ONE as f64);
}

/// Normals in maps are slightly longer or shorter than 1, and a plane has the same points with each.
#[test]
fn planes_of_the_same_points_are_one() {
    let times = |factor: i64, dist: i64| ExactPlane {
        normal: Vector3::new(3 * factor, 0, -4 * factor),
        dist: dist * factor,
    };
    let [short, long] = [214_748_000, 214_749_001];
    let mut planes = PlaneSet::default();
    let [first, other] = [7, 8].map(|dist| planes.insert(times(short, dist)));
    assert_ne!(first.canonical(), other.canonical());
    assert_eq!(planes.insert(times(long, 7)), first);
    assert_eq!(planes.insert(times(long, 8).flipped()), other.flipped());
    assert_eq!(planes[first].plane, times(short, 7));
    for (plane, is_same) in [
        (times(long, 7), true),
        (times(long, 7).flipped(), true),
        (times(-long, -7), false),
        (times(long, -7), false),
        (times(long, 8), false),
        (ExactPlane::axial(0, true, 0), false),
    ] {
        assert_eq!(plane.coincides(&times(short, 7)), is_same, "{plane:?}");
        let through_origin = ExactPlane { dist: 0, ..plane };
        let is_parallel = through_origin.coincides(&times(short, 0));
        assert_eq!(is_parallel, plane.axis().is_none(), "{plane:?}");
    }
}

/// An axial plane is recognized as one, even if it was first seen with a normal that is not quite 1.
#[test]
fn planes_along_axes_are_axial() {
    let short = |dist: i64| ExactPlane {
        normal: Vector3::new(0, 1024 - NORMAL_ONE, 0),
        dist,
    };
    let mut planes = PlaneSet::default();
    let five = DIST_ONE / NORMAL_ONE * (NORMAL_ONE - 1024) * 5;
    let id = planes.insert(short(five));
    assert_eq!(planes[id].plane, ExactPlane::whole(1, false, 5));
    assert_eq!(planes[id].axis, Some(1));
    assert_eq!(planes.insert(ExactPlane::whole(1, false, 5)), id);
    // Between two axial planes of the grid, and beyond the last one.
    for dist in [five + 1, DIST_LIMIT - 1024] {
        let id = planes.insert(short(dist));
        assert_eq!((planes[id].plane, planes[id].axis), (short(dist), None));
    }
}

#[test]
fn boxes_touch_and_lie_beside_planes() {
    let cube = |x: f64, y: f64, z: f64| {
        let mins = DVec3::new(x, y, z);
        Bounds {
            mins,
            maxs: mins + 8.0,
        }
    };
    let origin = cube(0.0, 0.0, 0.0);
    for (axis, at) in (0..3).flat_map(|axis| [8.0, 8.5, -8.0, -8.5, 3.0].map(|at| (axis, at))) {
        let mut place = [0.0, 4.0, -8.0];
        place[axis] = at;
        let other = cube(place[0], place[1], place[2]);
        assert_eq!(origin.touches(&other), at.abs() <= 8.0, "{place:?}");
        let both = origin.union(other);
        assert_eq!(both.mins, DVec3::from_array(place).min(DVec3::ZERO));
        assert_eq!(both.maxs, DVec3::from_array(place).max(DVec3::ZERO) + 8.0);
    }
    let mut planes = PlaneSet::default();
    for (units, location) in [
        (9, Some(Location::Back)),
        (8, None),
        (4, None),
        (0, None),
        (-1, Some(Location::Front)),
    ] {
        let plane = planes.insert(ExactPlane::whole(1, true, units));
        assert_eq!(origin.locate(&planes[plane]), location, "{units}");
    }
    // Its farthest corner is 11.2 units along the normal.
    let normal = DVec3::new(0.6, 0.0, 0.8);
    for (dist, location) in [
        (11.5, Some(Location::Back)),
        (11.0, None),
        (-0.25, Some(Location::Front)),
    ] {
        let plane = planes.insert(ExactPlane::nearest(normal, dist).unwrap());
        assert_eq!(origin.locate(&planes[plane]), location, "{dist}");
    }
}

#[test]
fn faces_of_a_box_have_its_areas() {
    let mut planes = PlaneSet::default();
    let [mins, maxs] = [DVec3::new(1.0, 2.0, 3.0), DVec3::new(9.0, 8.0, 7.0)];
    let sides = Bounds { mins, maxs }.insert_planes(&mut planes);
    let cell = Cell::from_box(&planes, sides);
    let windings: Vec<_> = cell.windings().into_iter().collect();
    assert_eq!(windings.len(), 6);
    for winding in &windings {
        let normal = planes[winding.plane].normal;
        let area = DVec3::new(24.0, 32.0, 48.0).dot(normal.abs());
        assert_eq!([winding.area(), winding.flipped().area()], [area; 2]);
        assert_eq!(
            winding.center(),
            DVec3::new(5.0, 5.0, 5.0) + normal * DVec3::new(4.0, 3.0, 2.0)
        );
        let bounds = winding.bounds();
        let corners = winding.corners.iter().map(|corner| corner.position);
        for corner in corners {
            assert!(bounds.mins.cmplt(corner).all() && corner.cmplt(bounds.maxs).all());
        }
    }
}
