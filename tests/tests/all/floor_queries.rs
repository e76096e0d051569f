//! Queries on floors: facts worked out by hand, and in sample maps and real maps a look at every floor: the floor
//! under a position, the nearest one, random places, and where agents get. C and JavaScript have the same bits
//! (`floors_bits`, `path_bits`, `c_interface`).

use std::collections::BTreeSet;

use onion_compiler::Fill;
use onion_runtime::navigation::{Floor, PathError, PathScratch};
use onion_runtime::{Hull, HullId, OnionMap};
use onion_tests::cases::{Case, real_cases, sample_case, sample_cases};
use onion_tests::effort::Cases;
use onion_tests::random::Random;
use rayon::prelude::*;

use crate::floors::{point_of, with_floors};

const POSITIONS: Cases = Cases::new(300, 20_000);
/// Above the tolerance of floors, 2^-8 units: places this near to the outline of a floor may be on it or not.
const UNSURE: f64 = 1.0 / 128.0;
/// Rounding error of distances and heights, in units.
const ROUNDING: f64 = 1.0 / 1_048_576.0;

type File = OnionMap<Vec<u8>>;
type Point = [f64; 3];

fn sub(a: Point, b: Point) -> Point {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

fn dot(a: Point, b: Point) -> f64 {
    (0..3).map(|axis| a[axis] * b[axis]).sum()
}

/// Returns the distance of a place from the outline of a floor as seen from above: negative outside.
fn depth(floor: &Floor<'_>, [x, y, _]: Point) -> f64 {
    let corners = Vec::from_iter(floor.corners());
    let depths = (0..corners.len()).map(|at| {
        let [[ax, ay, _], [bx, by, _]] = [at, at + 1].map(|at| corners[at % corners.len()]);
        let [dx, dy] = [bx - ax, by - ay];
        (dx * (y - ay) - dy * (x - ax)) / dx.hypot(dy)
    });
    depths.fold(f64::INFINITY, f64::min)
}

/// Returns the point of a triangle that is nearest to a point, by the regions of its corners, edges and inside
/// (Ericson, "Real-Time Collision Detection", 5.1.5).
fn nearest_in_triangle(p: Point, [a, b, c]: [Point; 3]) -> Point {
    let [ab, ac, bc] = [sub(b, a), sub(c, a), sub(c, b)];
    let at = |from: Point, way: Point, part: f64| [0, 1, 2].map(|k| from[k] + way[k] * part);
    let [d1, d2] = [ab, ac].map(|way| dot(way, sub(p, a)));
    let [d3, d4] = [ab, ac].map(|way| dot(way, sub(p, b)));
    let [d5, d6] = [ab, ac].map(|way| dot(way, sub(p, c)));
    let [va, vb, vc] = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
    if d1 <= 0.0 && d2 <= 0.0 {
        a
    } else if d3 >= 0.0 && d4 <= d3 {
        b
    } else if d6 >= 0.0 && d5 <= d6 {
        c
    } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        at(a, ab, d1 / (d1 - d3))
    } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        at(a, ac, d2 / (d2 - d6))
    } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        at(b, bc, (d4 - d3) / ((d4 - d3) + (d5 - d6)))
    } else {
        let sum = va + vb + vc;
        at(at(a, ab, vb / sum), ac, vc / sum)
    }
}

/// Returns the distance of a point from a floor.
fn distance(floor: &Floor<'_>, p: Point) -> f64 {
    let corners = Vec::from_iter(floor.corners());
    let triangles = (2..corners.len()).map(|at| [corners[0], corners[at - 1], corners[at]]);
    let ways = triangles.map(|triangle| sub(p, nearest_in_triangle(p, triangle)));
    ways.map(|way| dot(way, way).sqrt())
        .fold(f64::INFINITY, f64::min)
}

/// Returns a position near a floor of a hull, or anywhere in the map.
fn position(map: &File, floors: &[Floor<'_>], random: &mut Random) -> Point {
    let bounds = map.world().bounds();
    let anywhere = [0, 1, 2].map(|axis| {
        let [from, to] = [bounds.mins[axis], bounds.maxs[axis]].map(f64::from);
        random.between(from - 64.0, to + 64.0)
    });
    let floor = &floors[random.below(floors.len())];
    let corners = Vec::from_iter(floor.corners());
    let near = match random.below(3) {
        0 => return anywhere,
        1 => corners[random.below(corners.len())],
        _ => point_of(floor, random),
    };
    let far = [0.0, 1.0, 64.0][random.below(3)];
    near.map(|at| at + random.between(-far, far))
}

/// The floor under a position is the highest of all that are there.
fn finds_the_floor_under(context: &str, map: &File, hull: HullId, position: Point, reach: f64) {
    let [x, y, z] = position;
    let there = map.floors(hull).filter_map(|floor| {
        let (depth, height) = (depth(&floor, position), floor.height([x, y]));
        let ahead = [height - (z - reach), z - height];
        let inside = depth.min(ahead[0]).min(ahead[1]);
        (inside > -UNSURE).then_some((floor.number, height, inside > UNSURE))
    });
    let there = Vec::from_iter(there);
    let sure = there.iter().filter(|(.., is_sure)| *is_sure);
    let highest = sure.map(|&(_, height, _)| height).reduce(f64::max);
    match map.floor_at(hull, position, reach) {
        None => assert_eq!(highest, None, "{context}: {there:?}"),
        Some((floor, point)) => {
            let own = there.iter().find(|(number, ..)| *number == floor.number);
            assert!(own.is_some(), "{context}: {floor:?} of {there:?}");
            assert_eq!([point[0], point[1]], [x, y], "{context}");
            // Steep floors end within the tolerance of their outlines.
            let off = (point[2] - floor.height([x, y])).abs() * floor.normal[2];
            assert!(off < UNSURE, "{context}: {off}");
            let is_highest = highest.is_none_or(|highest| point[2] >= highest - ROUNDING);
            assert!(is_highest, "{context}: {point:?} of {there:?}");
            let is_first = |other: &&(u32, f64, bool)| {
                other.2 && other.1 == point[2] && other.0 < floor.number
            };
            assert_eq!(there.iter().find(is_first), None, "{context}: {floor:?}");
        }
    }
}

/// The nearest floor is no farther away than any other, and its point is on it.
fn finds_the_nearest_floor(context: &str, map: &File, hull: HullId, position: Point, most: f64) {
    let square = |point: Point| dot(sub(position, point), sub(position, point));
    let least = map.floors(hull).map(|floor| distance(&floor, position));
    let least = least.fold(f64::INFINITY, f64::min);
    let Some((floor, point)) = map.nearest_floor(hull, position, most) else {
        assert!(least > most - ROUNDING, "{context}: {least} of {most}");
        return;
    };
    let way = square(point).sqrt();
    assert!(
        way <= least + ROUNDING && way <= most + ROUNDING,
        "{context}: {way}, not {least}"
    );
    let off = dot(floor.normal, point) - floor.dist;
    let is_on = off.abs() < ROUNDING && depth(&floor, point) > -ROUNDING;
    assert!(is_on, "{context}: {point:?} of {floor:?}");
    // To the last bit, the first of the nearest ones.
    let all = map
        .floors(hull)
        .map(|floor| (square(floor.nearest(position)), floor.number));
    let first = all.reduce(|one, next| if next.0 < one.0 { next } else { one });
    assert_eq!(
        (Some((square(point), floor.number)), point),
        (first, floor.nearest(position)),
        "{context}"
    );
}

/// Checks the queries of a hull at random positions.
fn agree(case: &str, map: &File, hull: &Hull<'_>, random: &mut Random) {
    let floors = Vec::from_iter(map.floors(hull.id));
    if floors.is_empty() {
        assert!(
            map.nearest_floor(hull.id, [0.0; 3], f64::INFINITY)
                .is_none()
        );
        assert!(map.random_place(hull.id, [0.5; 3]).is_none());
        return;
    }
    for _ in 0..POSITIONS.count().min(20 * floors.len()) {
        let position = position(map, &floors, random);
        let far = [0.0, 0.25, 18.0, 256.0, f64::INFINITY][random.below(5)];
        let context = format!("{case}, {}: {position:?} {far}", hull.name);
        finds_the_floor_under(&context, map, hull.id, position, far);
        finds_the_nearest_floor(&context, map, hull.id, position, far);
        let numbers = [0; 3].map(|_| random.between(0.0, 1.0));
        let (floor, [x, y, z]) = map.random_place(hull.id, numbers).unwrap();
        let is_there = floor.contains([x, y]) && floor.height([x, y]) == z;
        assert!(is_there, "{case}, {}: {numbers:?} {floor:?}", hull.name);
    }
    let area: f64 = floors.iter().map(Floor::area).sum();
    share_of_places(map, hull.id, &floors, area);
}

fn check(case: &Case) {
    let map = with_floors(&case.map, Fill::default());
    let mut random = Random::new(8);
    map.hulls()
        .for_each(|hull| agree(&case.name, &map, &hull, &mut random));
}

#[test]
fn queries_of_sample_maps_agree_with_a_look_at_each_floor() {
    sample_cases().par_iter().for_each(check);
}

#[test]
fn queries_of_real_maps_agree_with_a_look_at_each_floor() {
    real_cases().par_iter().for_each(check);
}

/// Each floor gets its share of random places, and so does each half of it.
fn share_of_places(map: &File, hull: HullId, floors: &[Floor<'_>], area: f64) {
    let largest = floors
        .iter()
        .max_by(|one, other| one.area().total_cmp(&other.area()));
    let largest = largest.unwrap();
    let share = largest.area() / area;
    // Numbers in the middle of equal parts of the way from 0 to 1.
    let n = ((64.0 / share) as usize).min(1 << 16);
    let parts = |n: usize| (0..n).map(move |part| (part as f64 + 0.5) / n as f64);
    let own = parts(n).filter(|&which| {
        let found = map.random_place(hull, [which, 0.5, 0.5]).unwrap();
        found.0.number == largest.number
    });
    assert!((own.count() as f64 / n as f64 - share).abs() < 1.5 / n as f64);
    let points = parts(64).flat_map(|a| parts(64).map(move |b| [a, b]));
    let points = Vec::from_iter(points.map(|pair| largest.random_point(pair).unwrap()));
    // The mean of uniform places is the center of mass.
    let corners = Vec::from_iter(largest.corners());
    let center = (2..corners.len()).fold([0.0; 2], |sum, at| {
        let [a, b, c] = [corners[0], corners[at - 1], corners[at]];
        let twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        [0, 1].map(|axis| sum[axis] + (a[axis] + b[axis] + c[axis]) * twice / 6.0)
    });
    for axis in [0, 1] {
        let mean = points.iter().map(|point| point[axis]).sum::<f64>() / points.len() as f64;
        let size = corners.iter().map(|at| at[axis] - corners[0][axis]);
        let size = size.map(f64::abs).fold(0.0, f64::max);
        let off = mean - center[axis] / largest.area();
        assert!(off.abs() < size / 50.0, "{off} of {size}");
    }
}

/// The halls are 224 by 224 for a standing hull, the tunnel for a crouching one is 160 by 32; feet are 24 below.
#[test]
fn places_in_the_tunnel() {
    let map = with_floors(&sample_case("low_tunnel").map, Fill::default());
    let [stand, crouch, point] =
        ["stand", "crouch", "point"].map(|name| map.find_hull(name).unwrap());
    // In front of the west hall's middle, by 24 units; beyond its corner, by 3, 4 and 12.
    for (position, place) in [
        ([-56.0, 10.0, 24.0], [-80.0, 10.0, 24.0]),
        ([-77.0, 116.0, 36.0], [-80.0, 112.0, 24.0]),
        ([-200.0, 20.0, 60.0], [-200.0, 20.0, 24.0]),
        ([-200.0, 20.0, -60.0], [-200.0, 20.0, 24.0]),
    ] {
        let (_, found) = map.nearest_floor(stand, position, 100.0).unwrap();
        let off = sub(found, place);
        assert!(
            dot(off, off) < ROUNDING * ROUNDING,
            "{found:?} near {position:?}"
        );
    }
    let corner = [-77.0, 116.0, 36.0];
    assert!(map.nearest_floor(stand, corner, 13.0).is_some());
    assert!(map.nearest_floor(stand, corner, 12.999).is_none());
    // Both halls are 80 units away.
    let halls = Vec::from_iter(map.floors(stand).map(|floor| floor.number));
    let (floor, _) = map
        .nearest_floor(stand, [0.0, 0.0, 24.0], f64::INFINITY)
        .unwrap();
    assert_eq!(Some(&floor.number), halls.iter().min());
    assert!(map.nearest_floor(stand, [0.0, 0.0, 24.0], -1.0).is_none());
    assert!(
        map.nearest_floor(stand, [0.0, f64::NAN, 24.0], f64::INFINITY)
            .is_none()
    );
    assert!(
        map.nearest_floor(stand, [0.0, f64::INFINITY, 24.0], f64::INFINITY)
            .is_none()
    );

    let areas = Vec::from_iter(map.floors(stand).map(|floor| floor.area()));
    assert_eq!(areas, [224.0 * 224.0; 2]);
    for (which, hall) in [(0.0, 0), (0.49, 0), (0.51, 1), (1.0, 1)] {
        let (floor, _) = map.random_place(stand, [which, 0.3, 0.6]).unwrap();
        assert_eq!(floor.number, halls[hall], "{which}");
    }
    // The first corner is picked by 0, and the one after it lies at the end of the first triangle.
    let corners = Vec::from_iter(map.floor(halls[0]).unwrap().corners());
    assert_eq!(map.random_place(stand, [0.0; 3]).unwrap().1, corners[0]);
    let (_, last) = map.random_place(stand, [0.0, 1.0, 0.0]).unwrap();
    assert_eq!(last, corners[2]);
    for wrong in [[-0.1, 0.5, 0.5], [0.5, 1.1, 0.5], [0.5, 0.5, f64::NAN]] {
        assert!(map.random_place(stand, wrong).is_none(), "{wrong:?}");
    }
    assert!(map.random_place(point, [0.5; 3]).is_none());
    // Of the crouching hull's area, the tunnel is 5,120 square units of 105,472.
    let n_tunnel = (0..1_000).filter(|part| {
        let which = (f64::from(*part) + 0.5) / 1_000.0;
        let (_, [x, ..]) = map.random_place(crouch, [which, 0.25, 0.25]).unwrap();
        x.abs() < 80.0
    });
    assert!((48..=49).contains(&n_tunnel.count()));
}

/// Returns the floors that links lead to from a floor, without those that are too narrow to walk along. Follows all
/// links again and again until they lead to no new floor.
fn flooded(map: &File, from: u32) -> BTreeSet<u32> {
    let links = Vec::from_iter((0..map.n_links() as u32).filter_map(|number| map.link(number)));
    let mut reached = BTreeSet::from([from]);
    loop {
        let new = links.iter();
        let new = new.filter(|link| reached.contains(&link.from) && !link.only_to_goal);
        let new = Vec::from_iter(new.map(|link| link.to).filter(|to| !reached.contains(to)));
        if new.is_empty() {
            return reached;
        }
        reached.extend(new);
    }
}

/// Agents get where links lead, and nowhere else; a path is found exactly where they get.
fn agents_get_where_links_lead(case: &str, map: &File) {
    let stand = map.find_hull("stand").unwrap();
    let floors = Vec::from_iter(map.floors(stand));
    let mut random = Random::new(3);
    let mut scratch = vec![PathScratch::default(); map.path_scratch()];
    for _ in 0..20 {
        let [start, goal] =
            [0; 2].map(|_| point_of(&floors[random.below(floors.len())], &mut random));
        let on = |position: Point| map.floor_at(stand, position, 18.0).unwrap().0.number;
        let expected = flooded(map, on(start));
        let found = map.reachable(stand, start, &mut scratch).unwrap();
        let found = Vec::from_iter(found.map(|floor| floor.number));
        assert_eq!(
            (found[0], found.len()),
            (on(start), expected.len()),
            "{case}"
        );
        assert_eq!(BTreeSet::from_iter(found), expected, "{case}: {start:?}");
        let reaches = map.can_reach(stand, start, goal, &mut scratch);
        let mut from = expected.iter().flat_map(|&floor| map.links_from(floor));
        let is_reached = expected.contains(&on(goal)) || from.any(|link| link.to == on(goal));
        assert_eq!(reaches, Ok(is_reached), "{case}: {start:?} {goal:?}");
    }
}

#[test]
fn agents_of_sample_maps_get_where_links_lead() {
    sample_cases().par_iter().for_each(|case| {
        agents_get_where_links_lead(&case.name, &with_floors(&case.map, Fill::default()));
    });
}

#[test]
fn agents_of_a_real_map_get_where_links_lead() {
    if let Some(case) = real_cases().iter().max_by_key(|case| case.bytes.len()) {
        agents_get_where_links_lead(&case.name, &with_floors(&case.map, Fill::default()));
    }
}

/// From hall to hall agents get through the tunnel, and from the roof into the halls; not up to the roof.
#[test]
fn from_hall_to_hall() {
    let map = with_floors(&sample_case("low_tunnel").map, Fill::Off);
    let stand = map.find_hull("stand").unwrap();
    let mut scratch = vec![PathScratch::default(); map.path_scratch()];
    let [west, east, roof] = [[-200.0, 0.0, 24.0], [200.0, 0.0, 24.0], [0.0, 0.0, 200.0]];
    assert_eq!(map.can_reach(stand, west, east, &mut scratch), Ok(true));
    assert_eq!(map.can_reach(stand, west, roof, &mut scratch), Ok(false));
    // Two halls and the tunnel; the crouching hull's floors in the halls are others.
    let reached = map.reachable(stand, west, &mut scratch).unwrap();
    let first = Vec::from_iter(reached.map(|floor| floor.number));
    assert!(!first.contains(&map.floor_at(stand, roof, 1.0).unwrap().0.number));
    let none = map.can_reach(stand, west, [0.0, 0.0, 100.0], &mut scratch);
    assert_eq!(none, Err(PathError::NoGoal));
    let none = map.reachable(stand, [0.0, 0.0, 100.0], &mut scratch).err();
    assert_eq!(none, Some(PathError::NoStart));
    let point = map.find_hull("point").unwrap();
    let none = map.reachable(point, west, &mut scratch).err();
    assert_eq!(none, Some(PathError::NoAgent));
    let none = map.reachable(stand, west, &mut scratch[..0]).err();
    assert_eq!(none, Some(PathError::OutOfScratch));
    assert_eq!(map.can_reach(stand, west, west, &mut scratch), Ok(true));
}
