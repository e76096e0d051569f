//! Places of boxes and hulls, on sample and small real maps: the leaves that a box touches, against the planes above
//! every leaf, and the places where hulls fit, against the oracle.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use onion_format::Child;
use onion_runtime::inspect::TreePart;
use onion_runtime::{Aabb, HullSet, LeafId, OnionMap};
use onion_tests::cases::{Case, Subject, cases, sample_case};
use onion_tests::effort::Cases;
use onion_tests::fixtures::{all_right, many_hulls};
use onion_tests::oracle::HullWorld;
use onion_tests::oracle::vec3::{length, sub};
use onion_tests::queries::{Queries, along, dot};
use onion_tests::random::Random;
use onion_tests::subject::HULLS;
use onion_tests::tree::{ON_PLANE, Tree};
use rayon::prelude::*;

/// Answers must lie between those for solids grown and shrunk by this, in units.
const SHELL: f64 = 0.001;

/// Number of boxes for each hull of a map.
const BOXES: Cases = Cases::new(30, 60);

/// Number of points for each hull of a map that are only tested.
const POINTS: Cases = Cases::new(1_000, 2_000);

/// Number of points for each hull of a map whose surroundings are searched.
const SEARCHES: Cases = Cases::new(24, 48);

/// Number of places around a point that are tested for room, beside those on the planes of solids.
const SAMPLES: usize = 1_000;

/// A place counts as room if nothing solid is nearer to it than this, in units: a search may skip cells thinner than
/// 1/64.
const MARGIN: f64 = 1.0 / 32.0;

/// The search may miss room that is nearer than the answer by less than this, in units.
const FARTHER: f64 = 1.0 / 16.0;

/// Limit on the leaves that a search visits.
const MAX_LEAVES: usize = 1 << 14;

/// Time limit for a search; one of this many leaves takes a tenth of a second.
const LONGEST_SEARCH: Duration = Duration::from_secs(2);

type Box3 = [[f64; 3]; 2];

fn leaves_in_box(subject: &Subject<'_>, [mins, maxs]: Box3) -> Vec<usize> {
    let mut leaves = Vec::new();
    subject
        .model
        .leaves_in_box(subject.hull, Aabb::new(mins, maxs), |leaf| {
            leaves.push(leaf.index());
            ControlFlow::Continue(())
        });
    leaves
}

/// Returns the corners of a box.
fn corners([mins, maxs]: Box3) -> [[f64; 3]; 8] {
    std::array::from_fn(|corner| std::array::from_fn(|axis| [mins, maxs][corner >> axis & 1][axis]))
}

/// Returns for each plane whether some corner of a box is in front of it or on it, and whether one is behind it or on
/// it.
fn sides(tree: &Tree, bounds: Box3) -> Vec<[bool; 2]> {
    let corners = corners(bounds);
    let sides = |plane| {
        let ahead = corners.map(|corner| tree.ahead(plane, corner));
        [
            ahead.iter().any(|&d| d >= -ON_PLANE),
            ahead.iter().any(|&d| d <= ON_PLANE),
        ]
    };
    (0..tree.planes.len()).map(sides).collect()
}

/// Makes a box of random kind: a point, flat, on whole coordinates, touching a plane of the tree, large or small.
fn random_box(tree: &Tree, [mins, maxs]: Box3, random: &mut Random) -> Box3 {
    let mut center = random.point(mins, maxs).map(|x| f64::from(x as f32));
    let kind = random.below(5);
    if kind == 0 {
        let plane = random.below(tree.planes.len());
        for _ in 0..2 {
            center = along(center, tree.normal(plane), -tree.ahead(plane, center));
        }
    }
    let reach = [0.0, 1.0, 16.0, 300.0][random.below(4)];
    let mut half = [0; 3].map(|_| random.between(0.0, reach));
    if kind == 1 {
        half[random.below(3)] = 0.0;
    }
    let lower = std::array::from_fn(|axis| center[axis] - half[axis]);
    let upper = std::array::from_fn(|axis| center[axis] + half[axis]);
    let corners = [lower, upper];
    match kind {
        0 => corners,
        1 | 2 => corners.map(|corner| corner.map(f64::round)),
        _ => corners.map(|corner| corner.map(|x| f64::from(x as f32))),
    }
}

/// Returns the box in which queries are made.
fn room(world: &HullWorld) -> Box3 {
    let queries = Queries::new(world);
    queries.map_or([[-64.0; 3], [64.0; 3]], |queries| {
        [queries.mins, queries.maxs]
    })
}

fn check_box(subject: &Subject<'_>, tree: &Tree, bounds: Box3, random: &mut Random) {
    let name = &subject.name;
    let found = leaves_in_box(subject, bounds);
    let leaves: BTreeSet<usize> = found.iter().copied().collect();
    assert_eq!(
        leaves.len(),
        found.len(),
        "{name}: one leaf twice, {bounds:?}"
    );
    let sides = sides(tree, bounds);
    let touches = |leaf: &usize| {
        let mut above = tree.above(Child::leaf(*leaf as u32));
        above.all(|above| sides[above.plane][usize::from(!above.is_front)])
    };
    let expected: BTreeSet<usize> = tree.leaves().filter(touches).collect();
    let what = format!("{name} {bounds:?}");
    assert!(leaves == expected, "{what}: {leaves:?}, not {expected:?}");

    let [mins, maxs] = bounds;
    check_deepest(subject, tree, &sides, bounds);

    // The leaf of any point of the box is among them, in the one tree used to look up points.
    let mut roots = subject.map.inspect().roots_of(subject.index);
    if roots.next() != Some(tree.root) {
        return;
    }
    for number in 0..20 {
        let point = match corners(bounds).get(number) {
            Some(&corner) => corner,
            None => random.point(mins, maxs),
        };
        let point = point.map(|x| x as f32);
        let wide = point.map(f64::from);
        if (0..3).all(|axis| mins[axis] <= wide[axis] && wide[axis] <= maxs[axis]) {
            let leaf = subject.model.leaf_at(point).unwrap();
            assert!(leaves.contains(&leaf.index()), "{what}: {leaf:?} {point:?}");
        }
    }
    check_order(subject, &leaves, bounds, random);
}

/// Checks that lines of sight from an eye meet leaves in the order in which they are visited.
fn check_order(subject: &Subject<'_>, leaves: &BTreeSet<usize>, bounds: Box3, random: &mut Random) {
    let [mins, maxs] = bounds;
    let eye = random
        .point(mins, maxs)
        .map(|at| at + random.between(-400.0, 400.0));
    let (model, hull) = (&subject.model, subject.hull);
    let [mut nearest_first, mut farthest_first] = [const { Vec::new() }; 2];
    let collect = |found: &mut Vec<usize>, leaf: LeafId| {
        found.push(leaf.index());
        ControlFlow::Continue(())
    };
    let bounds = Aabb::new(mins, maxs);
    model.leaves_front_to_back(hull, eye, bounds, |leaf| collect(&mut nearest_first, leaf));
    model.leaves_back_to_front(hull, eye, bounds, |leaf| collect(&mut farthest_first, leaf));
    farthest_first.reverse();
    for found in [nearest_first, farthest_first] {
        assert_eq!(BTreeSet::from_iter(found.iter().copied()), *leaves);
        for target in [0; 5].map(|_| random.point(mins, maxs)) {
            let places = (0..=100).map(|step| lerp(eye, target, f64::from(step) / 100.0));
            let inside = places.filter(|at| (0..3).all(|k| (mins[k]..=maxs[k]).contains(&at[k])));
            let met = inside.map(|at| model.leaf_at(at).unwrap().index());
            let numbers = met.map(|leaf| found.iter().position(|&other| other == leaf).unwrap());
            let what = (&subject.name, eye, target);
            assert!(numbers.is_sorted(), "{what:?}");
        }
    }
}

fn lerp(from: [f64; 3], to: [f64; 3], part: f64) -> [f64; 3] {
    [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * part)
}

/// Checks that the deepest node that contains a box is on one side of all planes above it, and that the box reaches
/// both sides of the node's own plane.
fn check_deepest(subject: &Subject<'_>, tree: &Tree, sides: &[[bool; 2]], [mins, maxs]: Box3) {
    let name = &subject.name;
    let bounds = [mins, maxs];
    let is_on_one_side = |place: Child| {
        tree.above(place).all(|above| {
            let [in_front, behind] = sides[above.plane];
            in_front != behind && in_front == above.is_front
        })
    };
    let inspect = subject.map.inspect();
    let (place, is_deepest) =
        match inspect.deepest_holding(subject.index, subject.hull, Aabb::new(mins, maxs)) {
            Some(TreePart::Leaf(leaf)) => (Child::leaf(leaf.index() as u32), true),
            Some(TreePart::Node(node)) => (Child(node), sides[tree.splitter(node)] == [true; 2]),
            None => panic!("{name}: nothing holds {bounds:?}"),
        };
    let is_right = is_on_one_side(place) && is_deepest;
    assert!(is_right, "{name}: {place:?} holds {bounds:?}");
}

#[test]
fn leaves_of_boxes_are_those_of_their_planes() {
    for subject in cases().flat_map(Case::subjects) {
        let tree = Tree::new(subject.map, subject.index, subject.hull);
        let room = room(subject.world);
        (0..subject.share_of(BOXES.count()))
            .into_par_iter()
            .for_each(|number| {
                let mut random = subject.random(0, number);
                let bounds = random_box(&tree, room, &mut random);
                check_box(&subject, &tree, bounds, &mut random);
            });
        // The box of everything.
        let all = leaves_in_box(&subject, [[-1e9; 3], [1e9; 3]]);
        assert_eq!(all.len(), tree.leaves().count());
    }
}

#[test]
fn leaves_of_boxes_stop_when_told() {
    for subject in cases().flat_map(Case::subjects) {
        let [mins, maxs] = room(subject.world);
        let all = leaves_in_box(&subject, [mins, maxs]);
        for n_wanted in 1..=all.len().min(5) {
            let mut found = Vec::new();
            let (model, hull) = (&subject.model, subject.hull);
            model.leaves_in_box(hull, Aabb::new(mins, maxs), |leaf| {
                found.push(leaf.index());
                if found.len() == n_wanted {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            assert_eq!(found, all[..n_wanted], "{}", subject.name);
        }
    }
}

#[test]
fn boxes_that_are_none_touch_nothing() {
    for subject in cases().flat_map(Case::subjects) {
        let nothing = |mins: [f64; 3], maxs: [f64; 3]| {
            let leaves = leaves_in_box(&subject, [mins, maxs]);
            assert!(leaves.is_empty(), "{mins:?} {maxs:?}: {leaves:?}");
            let inspect = subject.map.inspect();
            let place = inspect.deepest_holding(subject.index, subject.hull, Aabb::new(mins, maxs));
            assert_eq!(place, None, "{mins:?} {maxs:?}");
        };
        for axis in 0..3 {
            let mut mins = [-1.0; 3];
            mins[axis] = 1.5;
            nothing(mins, [1.0; 3]);
            for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.1e9] {
                let mut corner = [0.0; 3];
                corner[axis] = strange;
                nothing(corner, [2e9; 3]);
                nothing([-2e9; 3], corner);
                nothing(corner, corner);
            }
        }
    }
}

#[test]
fn hulls_fit_where_the_oracle_has_room() {
    for subject in cases().flat_map(Case::subjects) {
        let n_hulls = subject.map.hulls().count();
        let [mins, maxs] = room(subject.world);
        let mut n_room = [0; 2];
        for number in 0..subject.share_of(POINTS.count()) {
            let mut random = subject.random(1, number);
            let mut point = random.point(mins, maxs).map(|x| x as f32);
            if number % 2 == 0 {
                point = point.map(f32::round);
            }
            let wide = point.map(f64::from);
            let fits = subject.model.hulls_that_fit(point);
            assert_eq!(fits, subject.model.hulls_that_fit(wide), "{}", subject.name);
            let others = fits.without(HullSet::all(n_hulls));
            assert!(others.is_empty(), "hulls that are not there");
            let [grown, shrunk] = [SHELL, -SHELL].map(|shell| subject.world.solid(wide, shell));
            let fits = fits.contains(subject.hull.index());
            let is_right = grown != shrunk || fits != grown;
            assert!(is_right, "{} {point:?}: {fits}", subject.name);
            n_room[usize::from(fits)] += 1;
        }
        assert!(n_room[1] > 0, "{}: {n_room:?}", subject.name);
        for strange in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.1e9] {
            let fits = subject.model.hulls_that_fit([0.0, strange, 0.0]);
            assert_eq!(fits, HullSet::EMPTY);
        }
    }
}

/// Compiles two rooms, joined by a tunnel of x from -64 to 64, y from -32 to 32, 40 high.
fn low_tunnel(hulls: &[&str]) -> Case {
    let sample = sample_case("low_tunnel");
    Case::new(&sample.name, &sample.bytes, hulls, "one")
}

fn named(map: &OnionMap<impl AsRef<[u8]>>, set: HullSet) -> Vec<String> {
    let hulls = map.hulls().filter(|hull| set.contains(hull.id.index()));
    hulls.map(|hull| hull.name.to_owned()).collect()
}

/// Standing hulls have the origin 24 above their feet.
#[test]
fn hulls_that_fit_in_the_tunnel() {
    // The nodes do not cover hulls beyond the eighth: the reference alone answers for them.
    let many = many_hulls(8, |number| format!("h{number}:8x{}", 32 + number));
    let many = [&HULLS[..], &many].concat();
    for hulls in [&HULLS[..], &many] {
        let case = low_tunnel(hulls);
        let map = case.onion();
        let at = |point| named(map, map.world().hulls_that_fit(point));
        let all: Vec<_> = map.hulls().map(|hull| hull.name.to_owned()).collect();
        assert_eq!(at([-200.0, 0.0, 24.0]), all, "in a room");
        let lower = &all[1..];
        // Their heads are 32 to 39 above the floor.
        assert_eq!(at([0.0, 0.0, 24.0]), lower, "in the tunnel");
        assert_eq!(at([0.0, 0.0, 33.0]), ["point"], "9 above its floor");
        assert_eq!(at([0.0, 0.0, 40.0]), ["point"], "on its ceiling");
        assert_eq!(at([0.0, 0.0, 41.0]), [""; 0], "in its ceiling");
        assert_eq!(at([-80.0, 0.0, 24.0]), all, "at its mouth");
        assert_eq!(at([-79.0, 0.0, 24.0]), lower, "one unit further in");
    }
}

/// Floor and ceiling leave only the plane between them, which is a seam, and solid.
#[test]
fn a_hull_as_high_as_the_tunnel_has_no_room() {
    let case = low_tunnel(&["full:8x40"]);
    let world = case.onion().world();
    assert_eq!(world.hulls_that_fit([0.0, 0.0, 24.0]).len(), 0);
    assert_eq!(world.hulls_that_fit([-73.0, 0.0, 24.0]).len(), 1);
}

// Long: one statement for each switch, with its reason.
#[test]
fn switching_in_the_tunnel() {
    let case = low_tunnel(&[
        "stand:16x56",
        "crouch:16x32",
        "point:point",
        "center:16x56@center",
        "feet:16x32@feet",
    ]);
    let map = case.onion();
    let switch = |from: &str, to: &str, point: [f32; 3]| {
        let [from, to] = [from, to].map(|name| map.find_hull(name).unwrap());
        map.world().switched_position(from, to, point)
    };
    let (in_room, in_tunnel) = ([-200.0, 0.0, 24.0], [0.0, 0.0, 24.0]);
    assert_eq!(switch("crouch", "stand", in_room), Some(in_room));
    assert_eq!(switch("crouch", "stand", in_tunnel), None);
    assert_eq!(switch("stand", "crouch", in_tunnel), Some(in_tunnel));
    let mouth = [-80.0, 0.0, 24.0];
    assert_eq!(switch("crouch", "stand", mouth), Some(mouth));
    assert_eq!(switch("crouch", "stand", [-79.0, 0.0, 24.0]), None);
    // The ceiling of the room is at 160, a standing head 32 above the origin.
    let jump = [-200.0, 0.0, 128.0];
    assert_eq!(switch("crouch", "stand", jump), Some(jump));
    assert_eq!(switch("crouch", "stand", [-200.0, 0.0, 129.0]), None);
    // Origins 24, 28 and 0 above the feet, which stay on the floor.
    assert_eq!(
        switch("crouch", "center", in_room),
        Some([-200.0, 0.0, 28.0])
    );
    assert_eq!(switch("crouch", "center", in_tunnel), None);
    assert_eq!(
        switch("center", "crouch", [0.0, 0.0, 28.0]),
        Some(in_tunnel)
    );
    assert_eq!(switch("crouch", "feet", in_tunnel), Some([0.0; 3]));
    assert_eq!(switch("feet", "crouch", [0.0; 3]), Some(in_tunnel));
    assert_eq!(switch("feet", "stand", [0.0; 3]), None);
    let low = [-200.0, 0.0, 5.0];
    assert_eq!(switch("feet", "center", low), Some([-200.0, 0.0, 33.0]));
    assert_eq!(switch("point", "stand", [-200.0, 0.0, 0.0]), Some(in_room));
    for strange in [f32::NAN, f32::INFINITY, -2e9] {
        assert_eq!(switch("crouch", "point", [0.0, strange, 0.0]), None);
        assert_eq!(switch("crouch", "point", [0.0, 0.0, strange]), None);
    }
    let small = low_tunnel(&HULLS);
    let [stand, feet] = ["stand", "feet"].map(|name| map.find_hull(name).unwrap());
    let world = small.onion().world();
    for [from, to] in [[stand, feet], [feet, stand]] {
        let switched = world.switched_position(from, to, in_room);
        assert_eq!(switched, None, "no such hull");
    }

    // At random places, compared with the oracle.
    let mut random = Random::new(3);
    let mut n_switched = [0; 2];
    for _ in 0..500 {
        let point = random.point([-330.0, -140.0, -10.0], [330.0, 140.0, 170.0]);
        let point = point.map(|x| x as f32);
        let pairs = map
            .hulls()
            .flat_map(|from| map.hulls().map(move |to| (from, to)));
        for (from, to) in pairs {
            let moved = map.world().switched_position(from.id, to.id, point);
            let mut expected = point.map(f64::from);
            expected[2] += f64::from(from.bounds.mins[2]) - f64::from(to.bounds.mins[2]);
            let world = case.world(0, to.id);
            let [grown, shrunk] = [SHELL, -SHELL].map(|shell| world.solid(expected, shell));
            let is_right = grown != shrunk || moved.is_none() == grown;
            assert!(is_right, "{from:?} {to:?} {point:?}");
            if let Some(moved) = moved {
                let off = length(sub(moved.map(f64::from), expected));
                assert!(off < SHELL, "{moved:?}");
            }
            n_switched[usize::from(moved.is_some())] += 1;
        }
    }
    assert!(n_switched.iter().all(|&n| n > 1000), "{n_switched:?}");
}

/// Returns places within a distance of a point: evenly spread over directions and distances, and the ends of the
/// shortest ways out of each near solid, by each of its planes.
fn places_around(world: &HullWorld, point: [f64; 3], within: f64) -> Vec<[f64; 3]> {
    // Turns by the golden angle are spread evenly over a sphere; those by the root of 2 over distances.
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let spread = (0..SAMPLES).map(|number| {
        let up = 1.0 - (2 * number + 1) as f64 / SAMPLES as f64;
        let aside = (1.0 - up * up).sqrt();
        let angle = golden * number as f64;
        let direction = [angle.cos() * aside, angle.sin() * aside, up];
        let far = within * (number as f64 * 2f64.sqrt()).fract();
        along(point, direction, far)
    });
    let is_near = |solid: &&onion_tests::oracle::Expanded| {
        (0..3).all(|k| solid.mins[k] <= point[k] + within && point[k] - within <= solid.maxs[k])
    };
    let planes = world
        .solids()
        .iter()
        .filter(is_near)
        .flat_map(|solid| &solid.planes);
    let out = planes.filter_map(|&(normal, dist)| {
        let ahead = dot(normal, point) - dist;
        let way = 1.01 * MARGIN - ahead;
        (way > 0.0 && way < within).then(|| along(point, normal, way))
    });
    spread.chain(out).collect()
}

/// Whether a place has room with a margin.
fn is_free(world: &HullWorld, place: [f64; 3]) -> bool {
    // The first test is faster, and usually false.
    !world.solid(place, MARGIN / 2.0) && !world.solid(place, MARGIN)
}

/// Looks for the nearest place with room, and returns whether it was compared with others.
fn check_nearest(subject: &Subject<'_>, point: [f32; 3], radius: f32) -> Result<bool, String> {
    let (model, hull, world) = (&subject.model, subject.hull, subject.world);
    let began = Instant::now();
    let found = model.nearest_fit(hull, point, radius);
    let took = began.elapsed();
    let fail = |why: &str| Err(format!("{why}: {point:?} radius {radius} gives {found:?}"));
    if took > LONGEST_SEARCH {
        return fail(&format!("takes {took:?}"));
    }
    if !model.is_solid(hull, point) {
        return if found == Some(point) {
            Ok(false)
        } else {
            fail("there is room at the point")
        };
    }
    let wide = point.map(f64::from);
    let distance = |place: [f64; 3]| length(sub(place, wide));
    let moved = found.map(|place| distance(place.map(f64::from)));
    if let (Some(place), Some(moved)) = (found, moved) {
        if model.is_solid(hull, place) || world.solid(place.map(f64::from), -SHELL) {
            return fail("no room");
        }
        if moved > f64::from(radius) {
            return fail("too far away");
        }
    }
    let reach = moved.unwrap_or(f64::from(radius)) - FARTHER;
    // The search visits only leaves in a box of the radius.
    let around = f64::from(radius).min(1e9);
    let bounds = [-around, around].map(|by| wide.map(|x| x + by));
    if reach <= 0.0 || leaves_in_box(subject, bounds).len() > MAX_LEAVES {
        return Ok(false);
    }
    if reach.is_infinite() {
        return fail("nothing anywhere");
    }
    let places = places_around(world, wide, reach);
    match places.iter().find(|place| is_free(world, **place)) {
        Some(place) => fail(&format!("{place:?} is nearer, {}", distance(*place))),
        None => Ok(true),
    }
}

#[test]
fn nothing_is_nearer_than_the_nearest_fit() {
    let mut n_compared = 0;
    for subject in cases().flat_map(Case::subjects) {
        let [mins, maxs] = room(subject.world);
        let solids = subject.world.solids();
        let results: Vec<Result<bool, String>> = (0..subject.share_of(SEARCHES.count()))
            .into_par_iter()
            .filter(|_| !solids.is_empty())
            .map(|number| {
                let mut random = subject.random(2, number);
                let corners_of = &solids[random.below(solids.len())].vertices;
                let mut point = [0, 1, 2].map(|_| random.below(corners_of.len()));
                point.sort_unstable();
                let weights = [0; 3].map(|_| random.unit());
                let total: f64 = weights.iter().sum();
                let corners = point.iter().zip(weights);
                let inside = corners.fold([0.0; 3], |sum, (&corner, weight)| {
                    along(sum, corners_of[corner], weight / total)
                });
                let point = match number % 4 {
                    0 => random.point(mins, maxs),
                    1 => inside.map(f64::round),
                    _ => inside,
                };
                let radius = [0.5, 8.0, 64.0, 256.0, f32::INFINITY][random.below(5)];
                check_nearest(&subject, point.map(|x| x as f32), radius)
            })
            .collect();
        let compared = all_right(&subject.name, results);
        n_compared += compared.iter().filter(|compared| **compared).count();
    }
    println!("{n_compared} searches compared");
    assert!(n_compared > 300, "only {n_compared} searches were compared");
}

/// Largest distance between places with room and walls, in units: 1/128 from each of the planes that meet.
const INSET: f64 = 0.02;

#[test]
fn nearest_fits_in_the_tunnel() {
    let case = low_tunnel(&HULLS);
    let map = case.onion();
    let nearest = |hull: &str, point: [f32; 3], radius| {
        map.world()
            .nearest_fit(map.find_hull(hull).unwrap(), point, radius)
    };
    let near = |hull: &str, point: [f32; 3], expected: [f64; 3]| {
        let place = nearest(hull, point, 64.0).unwrap().map(f64::from);
        let off = length(sub(place, expected));
        assert!(off < INSET, "{place:?}, not {expected:?}");
    };
    // Points 5 units inside a wall of the tunnel, its ceiling, and the corner of both.
    near("point", [0.0, 37.0, 20.0], [0.0, 32.0, 20.0]);
    near("point", [0.0, 0.0, 45.0], [0.0, 0.0, 40.0]);
    near("point", [0.0, 37.0, 45.0], [0.0, 32.0, 40.0]);
    // Crouched 3 below the floor and 3 in the wall: out at the origin's 24 above and 16 beside them.
    near("crouch", [0.0, 19.0, 21.0], [0.0, 16.0, 24.0]);
    // A standing hull 10 from the mouth finds room 26 farther out.
    near("stand", [-54.0, 0.0, 24.0], [-80.0, 0.0, 24.0]);
    assert_eq!(nearest("stand", [-54.0, 0.0, 24.0], 25.9), None);
    // Nothing to do, whatever the radius.
    let place = [0.0, 0.0, 24.0];
    for radius in [0.0, -1.0, 5.0, f32::INFINITY, f32::NAN] {
        assert_eq!(nearest("crouch", place, radius), Some(place), "{radius}");
    }
    for radius in [0.0, -1.0, f32::NEG_INFINITY, f32::NAN] {
        assert_eq!(nearest("stand", place, radius), None, "{radius}");
    }
    for strange in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 2e9] {
        for radius in [1.0, f32::INFINITY] {
            let found = nearest("point", [0.0, strange, 0.0], radius);
            assert_eq!(found, None, "{radius}");
        }
    }
}

/// The nearest cell above the vault is behind planes of many slopes; projecting onto it takes hundreds of iterations.
#[test]
fn the_nearest_fit_above_the_vault() {
    let subjects: Vec<_> = sample_case("patch_arch").subjects().collect();
    for (hull, point) in [
        (0, [11.027875, 119.972694, 131.64484]),
        (0, [-67.0, 137.0, 112.0]),
        (1, [101.26199, 111.08733, 131.1432]),
        (1, [86.0, 116.0, 127.0]),
    ] {
        assert_eq!(check_nearest(&subjects[hull], point, 256.0), Ok(true));
    }
}
