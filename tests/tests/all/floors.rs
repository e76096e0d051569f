//! Floors: facts worked out by hand, and in sample maps and real maps the runtime's own points and traces: a hull has
//! room above each point of its floors and none below, and stands nowhere else. `walkers` looks for the floors under
//! agents.

use std::ops::ControlFlow;

use onion_compiler::Fill;
use onion_maps::Map;
use onion_runtime::movement::WalkSettings;
use onion_runtime::navigation::Floor;
use onion_runtime::{Hull, OnionMap, Transition};
use onion_tests::cases::{Case, real_cases, sample_case, sample_cases};
use onion_tests::effort::Cases;
use onion_tests::fixtures::compiled;
use onion_tests::random::Random;
use onion_tests::triggers::Triggers;
use rayon::prelude::*;

const PLACES: Cases = Cases::new(400, 100_000);
/// A height far above rounding error, in units.
const NEARBY: f64 = 1.0 / 65_536.0;
/// A place nearer to an edge than this is not tested, in units: the solid below may be thinner than [`NEARBY`].
const INSIDE: f64 = 1.0 / 64.0;

pub(crate) fn with_floors(map: &Map, fill: Fill) -> OnionMap<Vec<u8>> {
    let hulls = ["stand:16x56", "crouch:16x32", "ogre:32x88", "point:point"];
    let file = compiled(map, &hulls, |options| {
        (options.fill, options.floors) = (fill, true);
    });
    OnionMap::from_bytes(file.bytes).unwrap()
}

/// Returns the area of a floor as seen from above, in square units, and checks that its outline is convex.
fn area(floor: &Floor<'_>) -> f64 {
    let corners: Vec<[f64; 3]> = floor.corners().collect();
    let n = corners.len();
    let twice = |[a, b, c]: [usize; 3]| {
        let [[ax, ay, _], [bx, by, _], [cx, cy, _]] = [a, b, c].map(|at| corners[at % n]);
        (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    };
    assert!(
        (0..n).all(|at| twice([at, at + 1, at + 2]) > -NEARBY),
        "{corners:?}"
    );
    (2..n).map(|at| twice([0, at - 1, at])).sum::<f64>() / 2.0
}

/// A tunnel between two halls, for crouching only: halls of 256 by 256 whose walls keep a box of 32 by 32 away, and
/// 160 by 32 between them. Feet are 24 below the origin; the ogre, 88 high and 64 wide, has room in the halls.
#[test]
fn halls_and_a_tunnel() {
    let map = with_floors(&sample_case("low_tunnel").map, Fill::default());
    let facts: [(&str, &[f64]); 4] = [
        ("stand", &[224.0 * 224.0, 224.0 * 224.0]),
        ("crouch", &[224.0 * 224.0, 160.0 * 32.0, 224.0 * 224.0]),
        ("ogre", &[192.0 * 192.0]),
        ("point", &[]),
    ];
    for (name, expected) in facts {
        let hull = map.find_hull(name).unwrap();
        let mut areas: Vec<f64> = map.floors(hull).map(|floor| area(&floor)).collect();
        let mut expected = expected.to_vec();
        areas.sort_by(f64::total_cmp);
        expected.sort_by(f64::total_cmp);
        assert_eq!(areas, expected, "{name}");
    }
    let crouch = map.find_hull("crouch").unwrap();
    let (floor, point) = map.floor_at(crouch, [0.0, 0.0, 30.0], 8.0).unwrap();
    assert_eq!((floor.normal, point), ([0.0, 0.0, 1.0], [0.0, 0.0, 24.0]));
    for position in [[0.0, 17.0, 24.0], [0.0, 0.0, 33.0], [0.0, 0.0, 23.0]] {
        assert!(
            map.floor_at(crouch, position, 8.0).is_none(),
            "{position:?}"
        );
    }
}

/// A ramp and eight steps of 32 by 128 to a platform: each of them is one floor.
#[test]
fn a_step_is_one_floor() {
    let map = with_floors(&sample_case("ramp_stairs").map, Fill::default());
    let stand = map.find_hull("stand").unwrap();
    let floors: Vec<Floor<'_>> = map.floors(stand).collect();
    let slopes = floors.iter().filter(|floor| floor.normal[2] < 1.0);
    assert_eq!(slopes.count(), 1);
    let heights = floors.iter().map(|floor| floor.height([0.0; 2]));
    for step in 1..8 {
        let at = 24.0 + 16.0 * f64::from(step);
        assert_eq!(
            heights.clone().filter(|&height| height == at).count(),
            1,
            "{at}"
        );
    }
}

/// Returns a random point of a floor: a mean of its corners with random weights.
pub(crate) fn point_of(floor: &Floor<'_>, random: &mut Random) -> [f64; 3] {
    let weights = floor.corners().map(|_| random.between(0.0, 1.0));
    let weights: Vec<f64> = weights.collect();
    let sum: f64 = weights.iter().sum();
    let weighted = floor.corners().zip(weights);
    weighted.fold([0.0; 3], |mean, (corner, weight)| {
        std::array::from_fn(|axis| mean[axis] + corner[axis] * weight / sum)
    })
}

/// Whether a place is in a floor, and at least this far from its edges.
fn is_inside(floor: &Floor<'_>, [x, y, _]: [f64; 3], far: f64) -> bool {
    let corners: Vec<[f64; 3]> = floor.corners().collect();
    (0..corners.len()).all(|at| {
        let [[ax, ay, _], [bx, by, _]] = [at, at + 1].map(|at| corners[at % corners.len()]);
        let [dx, dy] = [bx - ax, by - ay];
        dx * (y - ay) - dy * (x - ax) >= far * dx.hypot(dy)
    })
}

/// A hull stands at random points of its floors, and on no two floors at once.
fn stands_on_floors(case: &str, map: &OnionMap<Vec<u8>>, hull: &Hull<'_>, random: &mut Random) {
    let floors: Vec<Floor<'_>> = map.floors(hull.id).collect();
    for _ in 0..PLACES.count().min(20 * floors.len()) {
        let floor = &floors[random.below(floors.len())];
        let [x, y, z] = point_of(floor, random);
        if !is_inside(floor, [x, y, z], INSIDE) {
            continue;
        }
        let context = || format!("{case}, {}: {:?} {:?}", hull.name, [x, y, z], floor.number);
        let is_solid = |z| map.world().is_solid(hull.id, [x, y, z]);
        assert!(
            !is_solid(z + NEARBY) && is_solid(z - NEARBY),
            "{}",
            context()
        );
        let is_here = |other: &&Floor<'_>| (other.height([x, y]) - z).abs() < NEARBY;
        let others = floors.iter().filter(is_here);
        let others = others.filter(|other| is_inside(other, [x, y, z], NEARBY));
        assert_eq!(others.count(), 1, "{}", context());
        assert!(
            map.floor_at(hull.id, [x, y, z + NEARBY], 0.5).is_some(),
            "{}",
            context()
        );
    }
}

/// Wherever a hull that falls meets ground at a random place, it has a floor there, unless its agent would be hurt.
/// Returns at how many places that is so.
fn stands_nowhere_else(
    case: &Case,
    map: &OnionMap<Vec<u8>>,
    hull: &Hull<'_>,
    triggers: &Triggers,
    random: &mut Random,
) -> usize {
    let mut n_hurt = 0;
    let bounds = map.world().bounds();
    let settings = WalkSettings::default();
    for _ in 0..PLACES.count() {
        let [x, y] = [0, 1].map(|axis| {
            let [from, to] = [bounds.mins[axis], bounds.maxs[axis]].map(f64::from);
            random.between(from - 64.0, to + 64.0)
        });
        let [top, bottom] = [bounds.maxs[2] + 128.0, bounds.mins[2] - 128.0].map(f64::from);
        map.world()
            .transitions(hull.id, [x, y, top], [x, y, bottom], |transition| {
                if let Transition::EnterSolid(crossing) = transition
                    && crossing
                        .plane
                        .is_some_and(|plane| settings.is_ground(plane.normal))
                {
                    let position = [x, y, crossing.point[2] + NEARBY];
                    let has_floor = map.floor_at(hull.id, position, 2.0 * NEARBY).is_some();
                    let [surely, perhaps] = [1.0, -1.0]
                        .map(|by| triggers.hurt(hull.id.index(), position, by * 2.0 * NEARBY));
                    let is_right = if has_floor { !surely } else { perhaps };
                    let context = (&case.name, hull.name);
                    assert!(is_right, "{context:?}: {has_floor} at {position:?}");
                    n_hurt += usize::from(!has_floor);
                }
                ControlFlow::<()>::Continue(())
            });
    }
    n_hurt
}

/// Returns at how many places agents would be hurt.
fn check(case: &Case, fill: Fill) -> usize {
    let map = with_floors(&case.map, fill);
    let triggers = Triggers::new(&case.bytes, &case.map.entities, &map);
    let mut n_hurt = 0;
    let mut random = Random::new(32);
    for hull in map.hulls() {
        stands_on_floors(&case.name, &map, &hull, &mut random);
        if hull.name != "point" {
            n_hurt += stands_nowhere_else(case, &map, &hull, &triggers, &mut random);
        }
    }
    n_hurt
}

#[test]
fn floors_of_sample_maps_are_where_hulls_stand() {
    sample_cases().par_iter().for_each(|case| {
        check(case, Fill::default());
        check(case, Fill::Off);
    });
}

#[test]
fn floors_of_real_maps_are_where_hulls_stand() {
    let cases = real_cases();
    let n_hurt: usize = cases
        .par_iter()
        .map(|case| check(case, Fill::default()))
        .sum();
    // Of three of the maps, one has lava.
    assert!(n_hurt > 0 || cases.is_empty(), "{n_hurt}");
}
