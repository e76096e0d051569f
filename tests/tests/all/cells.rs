//! Cells by hand: the areas of a box and of the parts that planes cut it into, which choose the best split of a tree;
//! for random planes, the same areas against the parts themselves; and boxes around cells.

use glam::DVec3;
use onion_geometry::grid::DIST_ONE;
use onion_geometry::{Bounds, Cell, ExactPlane, Location, PlaneSet, Region, Split};
use onion_tests::random::Random;

/// Rounding error of an area of some hundred square units whose planes lie on the grid.
const ROUNDED: f64 = 1e-5;

fn cuboid(planes: &mut PlaneSet, mins: [f64; 3], maxs: [f64; 3]) -> Cell {
    let [mins, maxs] = [mins, maxs].map(DVec3::from_array);
    let bounds = Bounds { mins, maxs }.insert_planes(planes);
    Cell::from_box(planes, bounds)
}

fn assert_near(found: [f64; 2], right: [f64; 2]) {
    let off = (0..2).map(|part| (found[part] - right[part]).abs());
    assert!(
        off.fold(0.0, f64::max) < ROUNDED,
        "{found:?}, not {right:?}"
    );
}

#[test]
fn areas_of_boxes() {
    let mut planes = PlaneSet::default();
    // 8 by 6 by 4.
    let cell = cuboid(&mut planes, [1.0, 2.0, 3.0], [9.0, 8.0, 7.0]);
    assert_near([cell.area(), 0.0], [208.0, 0.0]);
    assert_eq!(cell.center(), DVec3::new(5.0, 5.0, 5.0));
    let mins = DVec3::new(1.0, 2.0, 3.0);
    let maxs = DVec3::new(9.0, 8.0, 7.0);
    assert_eq!(Bounds { mins, maxs }.volume(), 192.0);
    // 6 by 6 by 4 in front, 2 by 6 by 4 behind; and the same from the other side.
    let cut = planes.insert(ExactPlane::whole(0, true, 3));
    assert_near(cell.areas_cut_by(&planes, cut), [168.0, 88.0]);
    assert_near(cell.areas_cut_by(&planes, cut.flipped()), [88.0, 168.0]);
}

#[test]
fn areas_of_slanted_parts() {
    let mut planes = PlaneSet::default();
    let cube = cuboid(&mut planes, [0.0; 3], [8.0; 3]);
    // Two prisms over right triangles with legs of 8.
    let across = ExactPlane::nearest(DVec3::new(1.0, 1.0, 0.0).normalize(), 32f64.sqrt()).unwrap();
    let across = planes.insert(across);
    let prism = 64.0 + 128.0 + 64.0 * 2f64.sqrt();
    assert_near(cube.areas_cut_by(&planes, across), [prism; 2]);
    // A corner: three right triangles with legs of 4, and one with sides of 4 times the root of 2.
    let corner = ExactPlane::nearest(DVec3::ONE.normalize(), 4.0 / 3f64.sqrt()).unwrap();
    let corner = planes.insert(corner);
    let closing = 8.0 * 3f64.sqrt();
    let right = [384.0 - 24.0 + closing, 24.0 + closing];
    assert_near(cube.areas_cut_by(&planes, corner), right);
}

#[test]
fn areas_of_parts_are_those_of_the_parts() {
    let mut planes = PlaneSet::default();
    let mut random = Random::new(3);
    let mut n_cut = 0;
    for _ in 0..50 {
        let mut cell = cuboid(&mut planes, [-5.0, -7.0, -9.0], [6.0, 8.0, 10.0]);
        for _ in 0..4 {
            let normal = DVec3::from_array(random.direction());
            let plane = ExactPlane::nearest(normal, random.between(-4.0, 4.0)).unwrap();
            let plane = planes.insert(plane);
            let areas = cell.areas_cut_by(&planes, plane);
            if let Split::Both(front, back) = cell.split(&planes, plane) {
                assert_near(areas, [front.area(), back.area()]);
                cell = if front.area() > back.area() {
                    front
                } else {
                    back
                };
                n_cut += 1;
            }
        }
    }
    assert!(n_cut > 100, "{n_cut}");
}

/// Corners of cells are not exact in f64. Bounds still contain them exactly, with some margin.
#[test]
fn bounds_hold_corners_that_are_rounded() {
    let mut planes = PlaneSet::default();
    let mut random = Random::new(9);
    for _ in 0..50 {
        let mut cell = cuboid(&mut planes, [-5.0, -7.0, -9.0], [6.0, 8.0, 10.0]);
        for _ in 0..6 {
            let normal = DVec3::from_array(random.direction());
            let plane = ExactPlane::nearest(normal, random.between(2.0, 4.0)).unwrap();
            let plane = planes.insert(plane);
            cell = cell.clip(&planes, plane).unwrap();
        }
        let Bounds { mins, maxs } = cell.bounds();
        for axis in 0..3 {
            for (forward, dist) in [(false, -mins[axis]), (true, maxs[axis])] {
                let dist = (dist * DIST_ONE as f64).round() as i64;
                let plane = planes.insert(ExactPlane::axial(axis, forward, dist));
                let mut vertices = cell.vertices().iter();
                assert!(vertices.all(|vertex| vertex.locate(&planes, plane) == Location::Back));
            }
        }
    }
}

/// Makes a plane with a random normal or an axial one, often through corners of whole-numbered boxes.
fn any_plane(random: &mut Random) -> ExactPlane {
    let units = random.below(17) as i64 - 8;
    match random.below(8) {
        0 => {
            ExactPlane::nearest(DVec3::from_array(random.direction()), units as f64 / 2.0).unwrap()
        }
        1 => ExactPlane::nearest(DVec3::new(0.6, 0.8, 0.0), units as f64 / 5.0).unwrap(),
        _ => ExactPlane::whole(random.below(3), random.below(2) == 0, units),
    }
}

/// Regions, which are boxes at first, agree with cells on the existing parts and their corners.
#[test]
fn parts_of_regions_are_those_of_cells() {
    let mut planes = PlaneSet::default();
    let mut random = Random::new(5);
    let [mut n_cut, mut n_missed] = [0; 2];
    for _ in 0..500 {
        let bounds = Bounds {
            mins: DVec3::splat(-8.0),
            maxs: DVec3::new(8.0, 7.0, 6.0),
        };
        let sides = bounds.insert_planes(&mut planes);
        let mut cell = Cell::from_box(&planes, sides);
        let mut region = Region::of_box(&planes, sides).unwrap();
        for _ in 0..12 {
            let plane = planes.insert(any_plane(&mut random));
            let (parts, regions) = match (cell.split(&planes, plane), region.split(&planes, plane))
            {
                (Split::Front, Split::Front) | (Split::Back, Split::Back) => {
                    n_missed += 1;
                    continue;
                }
                (Split::Both(front, back), Split::Both(before, behind)) => {
                    ([front, back], [before, behind])
                }
                different => panic!("{different:?}"),
            };
            let kept = random.below(2);
            (cell, region) = (parts[kept].clone(), regions[kept].clone());
            assert_eq!(
                corners_of(&region),
                sorted(cell.vertices().iter().map(|vertex| vertex.position))
            );
            n_cut += 1;
        }
    }
    assert!(n_cut > 1_000 && n_missed > 1_000, "{n_cut} {n_missed}");
}

fn corners_of(region: &Region) -> Vec<[f64; 3]> {
    match region {
        Region::Box(own) => sorted((0..8).map(|corner| {
            let is_upper = [0, 1, 2].map(|axis| corner >> axis & 1 == 1);
            DVec3::select(is_upper.into(), own.bounds.maxs, own.bounds.mins)
        })),
        Region::Cell(cell) => sorted(cell.vertices().iter().map(|vertex| vertex.position)),
    }
}

fn sorted(corners: impl Iterator<Item = DVec3>) -> Vec<[f64; 3]> {
    let mut corners: Vec<_> = corners.map(|corner| corner.to_array()).collect();
    corners.sort_by(|one, other| one.partial_cmp(other).unwrap());
    corners
}
