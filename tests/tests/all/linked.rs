//! Linked portals: facts worked out by hand, in space without walls; and a corridor that is cut in two and joined by
//! portals, in which agents walk as in the whole corridor. `linked_bits` has the other languages, `linked_limits` what
//! is wrong with portals.

use onion_runtime::movement::{Agent, Ground, Stop, WalkSettings, World};
use onion_runtime::{Aabb, HullId, LinkedPortal, LinkedWorld, OnionMap};
use onion_tests::effort::Cases;
use onion_tests::fixtures::{compiled, declare_portals, made};
use onion_tests::random::Random;
use onion_tests::samples::{self, Shader};
use onion_tests::subject::HULLS;

/// Largest difference of positions that are the same but for rounding, in units.
const ROUNDING: f64 = 1e-6;

/// Space without walls.
pub(crate) struct Free;

impl World<f64> for Free {
    fn trace(&self, _: HullId, _: [f64; 3], end: [f64; 3]) -> Stop<f64> {
        Stop {
            fraction: 1.0,
            end_pos: end,
            met: None,
        }
    }

    fn is_solid(&self, _: HullId, _: [f64; 3]) -> bool {
        false
    }

    fn bounds(&self, _: HullId) -> Option<Aabb<f32>> {
        None
    }
}

pub(crate) fn hull() -> HullId {
    map_with(&[]).find_hull("stand").unwrap()
}

/// Makes a small room with linked portals: origin, angle, name and target of each.
fn map_with(portals: &[(&str, &str, &str, &str)]) -> OnionMap<Vec<u8>> {
    let mut room = samples::Map::new("room", "A room");
    room.room([-64.0, -64.0, 0.0], [64.0, 64.0, 128.0]);
    let mut map = made(&room);
    declare_portals(&mut map, "128 128", portals);
    load(compiled(&map, &HULLS, |_| ()).bytes)
}

pub(crate) fn load(file: Vec<u8>) -> OnionMap<Vec<u8>> {
    OnionMap::from_bytes(file).unwrap()
}

pub(crate) fn portals(map: &OnionMap<Vec<u8>>) -> Vec<LinkedPortal> {
    map.linked_portals().unwrap().map(Result::unwrap).collect()
}

/// A wall on the yz plane, solid to the west of it.
struct Wall;

impl World<f64> for Wall {
    fn trace(&self, _: HullId, _: [f64; 3], end: [f64; 3]) -> Stop<f64> {
        Free.trace(hull(), end, end)
    }

    fn is_solid(&self, _: HullId, [x, _, _]: [f64; 3]) -> bool {
        x < 0.0
    }

    fn bounds(&self, _: HullId) -> Option<Aabb<f32>> {
        None
    }
}

/// An agent goes west through an opening in the wall, 64 wide, near its northern edge, and slides north behind it: the
/// straight way from where it started, (1, 31.97), misses the opening, and it must not end in the wall.
#[test]
fn who_slides_past_the_edge_of_an_opening_goes_back() {
    let portal = |x: f64, facing, partner| LinkedPortal {
        center: [x, 0.0, 0.0],
        half_size: [32.0; 2],
        facing,
        partner,
    };
    let portals = [portal(0.0, 0, 1), portal(1000.0, 2, 0)];
    let start = [1.0, 31.97, 0.0];
    let linked = LinkedWorld::new(&Wall, &portals, start);
    let mut agent = Agent::new(hull(), [-16.5, 31.97, 0.0]);
    linked.arrive(&mut agent);
    assert!(agent.position[0] > 900.0, "{agent:?}");
    let mut agent = Agent::new(hull(), [-16.5, 33.5, 0.0]);
    agent.velocity = [-100.0, 100.0, 0.0];
    assert_eq!(linked.arrive(&mut agent), 0);
    assert_eq!((agent.position, agent.velocity), (start, [0.0; 3]));
}

/// From the origin east through three pairs: out to the north, to the east, and to the west.
const CHAIN: [(&str, &str, &str, &str); 6] = [
    ("100 0 0", "180", "a", "b"),
    ("0 500 0", "90", "b", "a"),
    ("0 600 0", "270", "c", "d"),
    ("1000 1000 0", "0", "d", "c"),
    ("1050 1000 16", "180", "e", "f"),
    ("0 -900 -16", "180", "f", "e"),
];

#[test]
fn three_portals_in_a_row() {
    let portals = portals(&map_with(&CHAIN));
    let world = LinkedWorld::new(&Free, &portals, [0.0, 8.0, 4.0]);
    let facts: [(f64, [f64; 3], u8); 4] = [
        (90.0, [90.0, 8.0, 4.0], 0),
        // 50 behind the first; what was 8 to the left still is, and left of north is west.
        (150.0, [-8.0, 550.0, 4.0], 1),
        // 30 behind the second, to the east again.
        (230.0, [1030.0, 1008.0, 4.0], 0),
        // 70 behind the third, to the west; left of west is south. The openings are 32 apart in height.
        (320.0, [-70.0, -908.0, -28.0], 2),
    ];
    for (far, place, quarters) in facts {
        let end = [far, 8.0, 4.0];
        let stop = world.trace(hull(), [0.0, 8.0, 4.0], end);
        assert_eq!((stop.fraction, stop.met), (1.0, None));
        let (found, turns) = world.place(stop.end_pos);
        assert_eq!((found, turns), (place, quarters), "{far}");
    }
    // Beside the opening, above it, and from behind, nothing is passed.
    for (eye, end) in [
        ([0.0, 65.0, 0.0], [300.0, 65.0, 0.0]),
        ([0.0, 0.0, 65.0], [300.0, 0.0, 65.0]),
        ([300.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ] {
        let world = LinkedWorld::new(&Free, &portals, eye);
        assert_eq!(world.place(end), (end, 0));
    }
}

#[test]
fn a_loop_ends() {
    // What goes east at 100 comes out at 0, again and again.
    let map = map_with(&[("100 0 0", "180", "a", "b"), ("0 0 0", "0", "b", "a")]);
    let portals = portals(&map);
    let world = LinkedWorld::new(&Free, &portals, [50.0, 0.0, 0.0]);
    let end = [50.0 + 250.0, 0.0, 0.0];
    assert_eq!(world.place(end), ([100.0, 0.0, 0.0], 0));
    assert_eq!(world.place([320.0, 0.0, 0.0]), ([20.0, 0.0, 0.0], 0));
    // The 65th portal ends a trace: 50 units before the first, 100 before each of the others.
    let stop = world.trace(hull(), [50.0, 0.0, 0.0], [1e6, 0.0, 0.0]);
    assert!(
        (stop.end_pos[0] - (100.0 + 64.0 * 100.0)).abs() < ROUNDING,
        "{stop:?}"
    );
}

/// A box of the corridor.
pub(crate) type Cuboid = [[f64; 3]; 2];

/// Returns a corridor from x = -400 to 400 with an obstacle course.
pub(crate) fn corridor(random: &mut Random) -> Vec<Cuboid> {
    let walls = [
        [[-416.0, -96.0, -16.0], [416.0, 96.0, 0.0]],
        [[-416.0, -96.0, 160.0], [416.0, 96.0, 176.0]],
        [[-416.0, -96.0, 0.0], [416.0, -80.0, 160.0]],
        [[-416.0, 80.0, 0.0], [416.0, 96.0, 160.0]],
        [[-416.0, -80.0, 0.0], [-400.0, 80.0, 160.0]],
        [[400.0, -80.0, 0.0], [416.0, 80.0, 160.0]],
    ];
    let mut cuboids = walls.to_vec();
    for _ in 0..24 {
        let [x, y] = [-380.0, -80.0].map(|least: f64| (random.between(least, -least)).round());
        let height = [8.0, 14.0, 18.0, 60.0][random.below(4)];
        let size = [12.0, 30.0][random.below(2)];
        cuboids.push([[x, y, 0.0], [x + size, y + size, height]]);
    }
    cuboids
}

/// The place of the second half of the corridor: turned by a quarter, and far away.
const AWAY: [f64; 2] = [3000.0, -1000.0];

fn moved([x, y, z]: [f64; 3]) -> [f64; 3] {
    [AWAY[0] - y, AWAY[1] + x, z]
}

fn unmoved([x, y, z]: [f64; 3]) -> [f64; 3] {
    [y - AWAY[1], AWAY[0] - x, z]
}

/// Returns the corridor whole, and as two pieces that overlap around x = 0.
pub(crate) fn both(cuboids: &[Cuboid]) -> [Vec<u8>; 2] {
    /// How far each piece goes on behind the opening, in units.
    const BEYOND: f64 = 96.0;
    let mut maps = ["whole", "cut"].map(|name| samples::Map::new(name, name));
    for &[mins, maxs] in cuboids {
        maps[0].cuboid(Shader::Wall, mins, maxs);
        if mins[0] < BEYOND {
            let end = [maxs[0].min(BEYOND), maxs[1], maxs[2]];
            maps[1].cuboid(Shader::Wall, mins, end);
        }
        if maxs[0] > -BEYOND {
            let start = [mins[0].max(-BEYOND), mins[1], mins[2]];
            let [a, b] = [moved(start), moved(maxs)];
            maps[1].cuboid(Shader::Wall, [b[0], a[1], a[2]], [a[0], b[1], b[2]]);
        }
    }
    let [whole, mut cut] = maps.each_ref().map(made);
    let opening = [
        ("0 0 80", "180", "a", "b"),
        ("3000 -1000 80", "90", "b", "a"),
    ];
    declare_portals(&mut cut, "160 160", &opening);
    [whole, cut].map(|map| compiled(&map, &HULLS, |_| ()).bytes)
}

/// Runs of 8 seconds each.
const RUNS: Cases = Cases::new(60, 20_000);

/// Returns an agent of the cut corridor as it would be in the whole one, with a hull of that.
fn in_whole(agent: &Agent<f64>, is_away: bool, stance: HullId) -> Agent<f64> {
    let agent = Agent { stance, ..*agent };
    if !is_away {
        return agent;
    }
    let back = |[x, y, z]: [f64; 3]| [y, -x, z];
    Agent {
        position: unmoved(agent.position),
        velocity: back(agent.velocity),
        on_ground: agent.on_ground.map(|ground| Ground {
            normal: back(ground.normal),
            ..ground
        }),
        ..agent
    }
}

/// Whether an agent of the whole corridor is at a place after a tick.
fn gets_there(
    whole: &OnionMap<Vec<u8>>,
    mut agent: Agent<f64>,
    (wish, dt): ([f64; 2], f64),
    after: &Agent<f64>,
) -> bool {
    agent.walk(&whole.world(), &WalkSettings::default(), wish, dt);
    let pairs = [
        (agent.position, after.position),
        (agent.velocity, after.velocity),
    ];
    let is_near = |(a, b): &([f64; 3], [f64; 3])| (0..3).all(|k| (a[k] - b[k]).abs() < ROUNDING);
    pairs.iter().all(is_near) && agent.on_ground.is_some() == after.on_ground.is_some()
}

#[test]
fn agents_walk_through_as_if_there_were_no_portal() {
    let (mut n_passed, mut n_ticks) = (0, 0);
    let mut maps = both(&corridor(&mut Random::new(0))).map(load);
    for run in 0..RUNS.count() {
        let mut random = Random::new(1 + run as u64);
        if run % 20 == 19 {
            maps = both(&corridor(&mut random)).map(load);
        }
        let [whole, cut] = &maps;
        let [stance, own_stance] = [whole, cut].map(|map| map.find_hull("stand").unwrap());
        let portals = portals(cut);
        let dt = 1.0 / [20.0, 60.0, 125.0, 250.0][run % 4];
        let [x, y] = [60.0, 50.0].map(|far| random.between(-far, far));
        let mut is_away = x >= 0.0;
        let start = [x, y, 100.0];
        let start = if is_away { moved(start) } else { start };
        let mut agent = Agent::new(own_stance, start);
        let mut wish = [0.0; 2];
        for tick in 0..(8.0 / dt) as usize {
            if tick % 16 == 0 {
                let [x, y, _] = random.direction();
                wish = [320.0 * x, 320.0 * y];
                if random.below(3) == 0 {
                    agent.jump(270.0);
                }
            }
            let before = in_whole(&agent, is_away, stance);
            let own_wish = if is_away { [-wish[1], wish[0]] } else { wish };
            let world = cut.world();
            let seen = LinkedWorld::new(&world, &portals, agent.position);
            agent.walk(&seen, &WalkSettings::default(), own_wish, dt);
            if seen.arrive(&mut agent) != 0 {
                is_away = !is_away;
                n_passed += 1;
            }
            assert!(
                !world.is_solid(agent.stance, agent.position),
                "{run} {tick}"
            );
            let after = in_whole(&agent, is_away, stance);
            let is_same = gets_there(whole, before, (wish, dt), &after);
            assert!(is_same, "run {run}, tick {tick}: {before:?} {after:?}");
            n_ticks += 1;
        }
    }
    println!("{n_ticks} ticks, {n_passed} passages");
    assert!(n_passed > RUNS.count(), "{n_passed}");
}
