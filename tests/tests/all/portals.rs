//! Portals: facts worked out by hand, and on sample maps the runtime's own answers: the leaves that a portal names are
//! on either side of it, and wherever a segment gets from an empty leaf into another, there is a portal.

use std::collections::BTreeMap;

use glam::DVec3;
use onion_geometry::polygon::area;
use onion_runtime::{HullId, OnionMap};
use onion_tests::cases::{Case, sample_case, sample_cases};
use onion_tests::effort::Cases;
use onion_tests::fixtures::filled;
use onion_tests::random::Random;
use onion_views::export::{ExportFormat, ExportPart, Object, objects, write};

/// Number of points and of segments for each hull of a map.
const PLACES: Cases = Cases::new(1_000, 100_000);

/// A height above rounding error, in units.
const NEARBY: f64 = 1.0 / 65_536.0;

/// Points nearer to an edge of a portal than this are not tested, in units: a leaf may be thinner there than
/// [`NEARBY`].
const INSIDE: f64 = 1.0 / 64.0;

/// Number of times that a segment is halved, to about [`NEARBY`].
const HALVINGS: usize = 20;

fn portals(map: &OnionMap<Vec<u8>>, hull: HullId) -> Option<Object> {
    let objects = objects(map, &[], &[ExportPart::Portals], Some(hull));
    assert!(objects.len() < 2);
    objects.into_iter().next()
}

/// Compiles a tunnel 64 wide, 40 high and 128 long between two halls of 256 by 256 by 160. For the origin of a
/// crouching box of 32 by 32 by 32, it is 32 wide, 8 high and 160 long, and the halls are 224 by 224 by 128.
fn tunnel(hulls: &[&str]) -> OnionMap<Vec<u8>> {
    filled(&sample_case("low_tunnel").map, hulls)
}

/// Returns the areas of all portals of a hull, in square units and in order.
fn areas(map: &OnionMap<Vec<u8>>, hull: &str) -> Vec<f64> {
    let portals = portals(map, map.find_hull(hull).unwrap());
    let polygons = portals.iter().flat_map(|object| &object.polygons);
    let mut areas: Vec<f64> = polygons.map(|(_, corners)| area(corners)).collect();
    areas.sort_by(f64::total_cmp);
    areas
}

/// The mouths divide the space of the crouching box. A standing box does not fit into the tunnel, and in each hall the
/// ceiling over its origin is a border between leaves where the crouching box is free.
#[test]
fn a_tunnel_has_a_portal_at_each_mouth() {
    let mouths = [32.0 * 8.0; 2];
    assert_eq!(areas(&tunnel(&["crouch:16x32"]), "crouch"), mouths);
    let both = tunnel(&["crouch:16x32", "stand:16x56"]);
    let ceilings = [224.0 * 224.0; 2];
    assert_eq!(areas(&both, "crouch"), [mouths, ceilings].concat());
    assert!(areas(&both, "stand").is_empty());
}

/// In the portals of Quake's compilers, corners are clockwise as seen from the first leaf.
#[test]
fn portals_are_written_as_quake_writes_them() {
    let map = tunnel(&["crouch:16x32"]);
    let object = portals(&map, map.find_hull("crouch").unwrap()).unwrap();
    let text = String::from_utf8(write(&[object], ExportFormat::Prt)).unwrap();
    let rows = text.lines().map(|line| {
        let words = line.split_whitespace();
        let numbers = words.filter_map(|word| word.trim_matches('(').parse().ok());
        numbers.collect::<Vec<f64>>()
    });
    let rows: Vec<_> = rows.skip(3).collect();
    let leaf = |x: f64| f64::from(leaf_at(&map, DVec3::new(x, 0.0, 28.0)));
    let mut found: Vec<[f64; 3]> = Vec::new();
    for row in rows {
        let [n_corners, first, second, corners @ ..] = &row[..] else {
            panic!("{row:?}");
        };
        let (corners, rest) = corners.as_chunks::<3>();
        assert!(rest.is_empty());
        let corners: Vec<DVec3> = corners.iter().copied().map(DVec3::from).collect();
        assert_eq!(corners.len() as f64, *n_corners);
        let toward_first = (corners[0] - corners[1]).cross(corners[2] - corners[1]);
        let x = corners[0].x;
        let sides = [x + toward_first.x.signum(), x - toward_first.x.signum()];
        assert_eq!(sides.map(leaf), [*first, *second]);
        found.push([x, toward_first.y, toward_first.z]);
    }
    found.sort_by(|one, other| one[0].total_cmp(&other[0]));
    assert_eq!(found, [[-80.0, 0.0, 0.0], [80.0, 0.0, 0.0]]);
}

/// Returns a point of a portal at random, or `None` if it is near an edge.
fn place(normal: DVec3, corners: &[DVec3], random: &mut Random) -> Option<DVec3> {
    let weights: Vec<f64> = corners.iter().map(|_| random.unit()).collect();
    let weighed = corners.iter().zip(&weights);
    let sum: DVec3 = weighed.map(|(&corner, weight)| corner * weight).sum();
    let at = sum / weights.iter().sum::<f64>();
    (inside_by(normal, corners, at) > INSIDE).then_some(at)
}

/// Returns the distance of a point in the plane of a polygon from its nearest edge, negative outside.
fn inside_by(normal: DVec3, corners: &[DVec3], at: DVec3) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let edges = corners.iter().zip(next);
    let distances = edges.filter_map(|(&from, &to)| {
        let inward = normal.cross((to - from).try_normalize()?);
        Some(inward.dot(at - from))
    });
    distances.fold(f64::INFINITY, f64::min)
}

/// Returns the number of a point's leaf.
fn leaf_at(map: &OnionMap<Vec<u8>>, at: DVec3) -> u32 {
    map.world().leaf_at(at.to_array()).unwrap().index() as u32
}

/// Checks points on both sides of portals, and returns their number.
fn check_sides(case: &Case, hull: HullId, portals: &Object, random: &mut Random) -> usize {
    let map = case.onion();
    let mut count = 0;
    for _ in 0..PLACES.count() {
        let number = random.below(portals.polygons.len());
        let (normal, corners) = &portals.polygons[number];
        let Some(at) = place(*normal, corners, random) else {
            continue;
        };
        let sides = [NEARBY, -NEARBY].map(|height| at + *normal * height);
        let leaves = sides.map(|side| leaf_at(map, side));
        assert_eq!(leaves, portals.leaves[number], "{} at {at}", case.name);
        for side in sides {
            assert!(!map.world().is_solid(hull, side.to_array()));
        }
        count += 1;
    }
    count
}

/// Halves a segment until its ends are close together, but in different leaves. Returns them, or `None` if it is in one
/// leaf.
fn crossing(map: &OnionMap<Vec<u8>>, [mut from, mut to]: [DVec3; 2]) -> Option<[DVec3; 2]> {
    let leaf = leaf_at(map, from);
    if leaf_at(map, to) == leaf {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = from.midpoint(to);
        if leaf_at(map, middle) == leaf {
            from = middle;
        } else {
            to = middle;
        }
    }
    Some([from, to])
}

/// Checks that there is a portal where random segments get into another empty leaf, and returns their number.
fn check_crossings(case: &Case, hull: HullId, portals: &Object, random: &mut Random) -> usize {
    let map = case.onion();
    let world = map.world();
    let by_leaves: BTreeMap<[u32; 2], usize> = portals.leaves.iter().copied().zip(0..).collect();
    assert_eq!(
        by_leaves.len(),
        portals.leaves.len(),
        "two portals between the same leaves"
    );
    let bounds = world.bounds();
    let [mins, maxs] = [bounds.mins, bounds.maxs].map(|corner| corner.map(f64::from));
    let mut count = 0;
    for _ in 0..PLACES.count() {
        let from = DVec3::from(random.point(mins, maxs));
        let to = from + DVec3::from(random.direction()) * 16.0;
        let Some(ends) = crossing(map, [from, to]) else {
            continue;
        };
        if ends.iter().any(|end| world.is_solid(hull, end.to_array())) {
            continue;
        }
        let [from, to] = ends.map(|end| leaf_at(map, end));
        let portal = by_leaves.get(&[from, to]).or(by_leaves.get(&[to, from]));
        let portal = *portal.unwrap_or_else(|| panic!("{}: no portal at {}", case.name, ends[0]));
        let (normal, corners) = &portals.polygons[portal];
        assert!(normal.dot(ends[0] - corners[0]).abs() < INSIDE);
        assert!(inside_by(*normal, corners, ends[0]) > -INSIDE);
        count += 1;
    }
    count
}

#[test]
fn portals_are_where_empty_leaves_meet() {
    let mut counts = [0; 2];
    for case in sample_cases() {
        let map = case.onion();
        for hull in map.hulls() {
            let mut random = Random::new(hull.id.index() as u64);
            let Some(portals) = portals(map, hull.id) else {
                continue;
            };
            counts[0] += check_sides(case, hull.id, &portals, &mut random);
            counts[1] += check_crossings(case, hull.id, &portals, &mut random);
        }
    }
    assert!(
        counts.iter().all(|&count| count > PLACES.count()),
        "{counts:?}"
    );
}
