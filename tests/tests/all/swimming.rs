//! Agents that swim and climb: facts worked out by hand from the numbers of a pool with a ladder. Random swimmers are
//! among the walkers of `walkers`.

use onion_runtime::contents::{LAVA, WATER};
use onion_runtime::movement::{Agent, WalkSettings, WaterLevel, World};
use onion_runtime::{Coordinate, OnionMap, Scene};
use onion_tests::fixtures::{compiled, made};
use onion_tests::samples::{Map, Shader};
use onion_tests::subject::HULLS;

/// The distance that a trace keeps from the surface it hits, in units.
const MARGIN: f64 = 1.0 / 32.0;
/// Rounding error of positions in this map, in units.
const ROUNDING: f64 = 1e-4;
/// Length of a tick, in seconds.
const TICK: f64 = 1.0 / 64.0;

/// Makes a hall with water up to 128 units, and a ledge from x = 64 on that is 160 units high.
fn pool() -> OnionMap<Vec<u8>> {
    let mut map = Map::new("pool", "A pool");
    map.room([-256.0, -128.0, 0.0], [256.0, 128.0, 512.0]);
    map.cuboid(Shader::Trim, [64.0, -128.0, 0.0], [256.0, 128.0, 160.0]);
    map.cuboid(Shader::Water, [-256.0, -128.0, 0.0], [64.0, 128.0, 128.0]);
    let file = compiled(&made(&map), &HULLS, |options| options.brushes = true);
    OnionMap::from_bytes(file.bytes).unwrap()
}

fn at<T: Coordinate>(map: &OnionMap<Vec<u8>>, [x, y, z]: [f64; 3]) -> Agent<T> {
    let stand = map.find_hull("stand").unwrap();
    Agent::new(stand, [x, y, z].map(T::narrow))
}

/// Lets an agent swim for a second.
fn swim<T: Coordinate>(map: &OnionMap<Vec<u8>>, agent: &mut Agent<T>, wish: [f64; 3]) {
    for _ in 0..64 {
        let wish = wish.map(T::narrow);
        agent.swim(
            &map.world(),
            &WalkSettings::default(),
            wish,
            T::narrow(TICK),
        );
        assert!(
            !map.world().is_solid(agent.stance, agent.position),
            "{agent:?}"
        );
    }
}

#[track_caller]
fn assert_at<T: Coordinate>(agent: &Agent<T>, expected: [f64; 3]) {
    for (found, expected) in agent.position.into_iter().zip(expected) {
        assert!(
            (found.widen() - expected).abs() < ROUNDING,
            "{agent:?} is not at {expected}"
        );
    }
}

fn swims_and_climbs<T: Coordinate>() {
    let map = pool();
    let mut agent: Agent<T> = at(&map, [0.0, 0.0, 64.0]);
    // Nothing pulls a swimmer down, and the wish takes effect at once.
    swim(&map, &mut agent, [0.0; 3]);
    assert_at(&agent, [0.0, 0.0, 64.0]);
    swim(&map, &mut agent, [-100.0, 20.0, 30.0]);
    assert_at(&agent, [-100.0, 20.0, 94.0]);
    assert!(agent.on_ground.is_none());
    // It sinks to the floor, its origin 24 units above its feet, and stands there.
    swim(&map, &mut agent, [0.0, 0.0, -200.0]);
    assert_at(&agent, [-100.0, 20.0, 24.0 + MARGIN]);
    assert!(agent.on_ground.is_some());
    assert!(agent.jump(T::narrow(270.0)));
    // Against the wall of the ledge it climbs as fast as it wishes, as on a ladder, and keeps its half-width of 16
    // units from the wall.
    let mut agent: Agent<T> = at(&map, [40.0, 0.0, 64.0]);
    swim(&map, &mut agent, [100.0, 0.0, 96.0]);
    assert!(
        (agent.position[0].widen() - (48.0 - MARGIN)).abs() < MARGIN,
        "{agent:?}"
    );
    assert!(
        (agent.position[2].widen() - 160.0).abs() < ROUNDING,
        "{agent:?}"
    );
    // Above the edge, 160 units high, it gets onto the ledge, and stands there when it walks.
    swim(&map, &mut agent, [100.0, 0.0, 96.0]);
    assert!(agent.position[0].widen() > 100.0, "{agent:?}");
    for _ in 0..128 {
        agent.walk(
            &map.world(),
            &WalkSettings::default(),
            [T::default(); 2],
            T::narrow(TICK),
        );
    }
    assert!(agent.on_ground.is_some(), "{agent:?}");
    assert!(
        (agent.position[2].widen() - (184.0 + MARGIN)).abs() < ROUNDING,
        "{agent:?}"
    );
}

#[test]
fn agents_swim_and_climb() {
    swims_and_climbs::<f32>();
    swims_and_climbs::<f64>();
}

/// The surface is at 128: with the origin 24 units above the feet, it reaches the feet (1.75 units above them), the
/// waist (28) and the eyes (49) of a standing agent below these heights.
#[test]
fn water_reaches_feet_waist_and_eyes() {
    let map = pool();
    let scene = Scene::new(&map, &[]).unwrap();
    let levels = [
        (160.0, WaterLevel::Dry),
        (150.5, WaterLevel::Dry),
        (150.0, WaterLevel::Feet),
        (124.25, WaterLevel::Feet),
        (123.75, WaterLevel::Waist),
        (103.25, WaterLevel::Waist),
        (102.75, WaterLevel::Eyes),
        (24.0, WaterLevel::Eyes),
    ];
    for (height, level) in levels {
        let agent: Agent<f32> = at(&map, [0.0, 0.0, height]);
        assert_eq!(
            agent.water_level(&map.world(), WATER | LAVA),
            level,
            "{height}"
        );
        assert_eq!(agent.water_level(&scene, WATER), level, "{height}");
        assert_eq!(agent.water_level(&map.world(), LAVA), WaterLevel::Dry);
        let view = map.world().view(agent.stance);
        assert_eq!(
            World::contents(&view, agent.position),
            map.world().contents_at(agent.position).unwrap()
        );
    }
}

/// Ticks that take no time and numbers that are not finite move nothing, as when agents walk.
#[test]
fn strange_input_moves_nothing() {
    let map = pool();
    let settings = WalkSettings::default();
    for (wish, tick) in [
        (f32::NAN, 0.1),
        (f32::INFINITY, 0.1),
        (1.0, f32::NAN),
        (1.0, 0.0),
        (1.0, -1.0),
    ] {
        let mut agent: Agent<f32> = at(&map, [0.0, 0.0, 64.0]);
        let start = agent;
        agent.swim(&map.world(), &settings, [wish, 0.0, 0.0], tick);
        assert_eq!(agent, start, "{wish} {tick}");
    }
    // An agent in solid gets out first.
    let mut agent: Agent<f32> = at(&map, [0.0, 0.0, 20.0]);
    agent.swim(&map.world(), &settings, [0.0; 3], 0.1);
    assert!(!map.world().is_solid(agent.stance, agent.position));
}
