//! Asks a loaded map for ways between floors, whatever its links say: classes of agents, links, paths with all kinds of
//! costs and too little memory, and walkers on these paths. The check is that the calls return, and that a path fits
//! into the room for it.

use std::hint::black_box;

use onion_runtime::movement::Agent;
use onion_runtime::navigation::{
    AgentClass, Floor, LinkKind, PathCosts, PathFollower, PathPoint, PathScratch, Progress,
};
use onion_runtime::{Coordinate, HullId, Model, OnionMap};

use crate::random::Random;

/// Limit on the links and floors that are read, and on the points of a path.
const MOST: usize = 64;
/// Limit on the memory of a search.
const MAX_SCRATCH: usize = 1 << 12;
/// Ticks of a walker.
const TICKS: usize = 4;

/// Numbers that are not costs and times, and some that are.
const ODD: [f64; 8] = [
    0.0,
    1.0,
    1e-9,
    1e30,
    -1.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// Reads classes of agents and links.
pub(super) fn read_all(map: &OnionMap<&[u8]>) {
    for class in map.agents() {
        let name = map.agent_name(&class).expect("loading checked the name");
        assert_eq!(map.find_agent(name), Some(class));
    }
    for hull in map.hulls() {
        black_box(map.agent_of(hull.id));
    }
    for number in 0..map.n_links().min(MOST) as u32 {
        let link = map.link(number).expect("it is below the number of links");
        assert!(
            map.links_from(link.from)
                .any(|other| other.number == number)
        );
    }
    black_box((
        map.link(u32::MAX),
        map.links_from(u32::MAX).count(),
        map.has_links(),
    ));
}

/// Searches paths of a hull between floors, or between two points, and lets agents follow them. Returns the number of
/// calls. The bytes of the map may have changed since it was loaded.
///
/// # Panics
/// If a path has more points than there is room for, or a walker goes on behind its end.
pub fn ask_for_ways(
    map: &OnionMap<impl AsRef<[u8]>>,
    hull: HullId,
    ends: [[f64; 3]; 2],
    random: &mut Random,
) -> u64 {
    let ends = ends.map(|end| on_a_floor(map, hull, random).unwrap_or(end));
    let mut scratch = vec![PathScratch::default(); scratch_size(map, random)];
    let mut points = vec![point(map, hull); random.below(MOST)];
    let mut n_calls = 0;
    // The second search finds what the first one left in the memory.
    for costs in [PathCosts::default(), odd_costs(random)] {
        let found = map.path(hull, ends[0], ends[1], &costs, &mut scratch, &mut points);
        match found {
            Ok(path) => {
                assert!((2..=points.len()).contains(&path.n_points), "{path:?}");
                n_calls += follow(map, hull, &points[..path.n_points], random);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    black_box(map.can_reach(hull, ends[0], ends[1], &mut scratch)).ok();
    let floors = map.reachable(hull, ends[0], &mut scratch);
    black_box(floors.map_or(0, Iterator::count));
    // Not all points are those of a path.
    4 + n_calls + follow(map, hull, &points, random)
}

/// Returns a point that belongs to no path.
fn point(map: &OnionMap<impl AsRef<[u8]>>, hull: HullId) -> PathPoint {
    let kind = LinkKind::ALL[map.n_links() % LinkKind::ALL.len()];
    let (position, floor) = ([f64::NAN; 3], u32::MAX);
    PathPoint {
        position,
        hull,
        floor,
        kind,
    }
}

/// Returns the mean of the corners of a floor.
fn on_a_floor(
    map: &OnionMap<impl AsRef<[u8]>>,
    hull: HullId,
    random: &mut Random,
) -> Option<[f64; 3]> {
    let floors: Vec<Floor<'_>> = map.floors(hull).take(MOST).collect();
    let floor = floors.get(random.below(floors.len() + 1))?;
    let corners: Vec<[f64; 3]> = floor.corners().take(MOST).collect();
    let mean = |axis: usize| corners.iter().map(|at| at[axis]).sum::<f64>() / corners.len() as f64;
    Some([0, 1, 2].map(mean))
}

fn scratch_size(map: &OnionMap<impl AsRef<[u8]>>, random: &mut Random) -> usize {
    match random.below(4) {
        0 => random.below(MOST),
        _ => map.path_scratch().min(MAX_SCRATCH),
    }
}

fn odd_costs(random: &mut Random) -> PathCosts {
    let mut odd = || ODD[random.below(ODD.len())];
    PathCosts {
        crouched: odd(),
        switch: odd(),
        drop: odd(),
        jump: odd(),
        climb: odd(),
    }
}

/// Lets agents follow points, in both precisions.
fn follow(
    map: &OnionMap<impl AsRef<[u8]>>,
    hull: HullId,
    points: &[PathPoint],
    random: &mut Random,
) -> u64 {
    let Some(class) = map.agent_of(hull).or(map.agents().next()) else {
        return 0;
    };
    let start = points.first().map_or([0.0; 3], |point| point.position);
    let dt = match random.below(4) {
        0 => ODD[random.below(ODD.len())],
        1 => 1.0,
        _ => 0.05,
    };
    let next = match random.below(8) {
        0 => usize::MAX,
        1 => random.below(MOST),
        _ => 0,
    };
    let world = map.world();
    walk::<f64>(&world, &class, Agent::new(hull, start), points, (next, dt));
    let narrow = Agent::new(hull, start.map(|at| at as f32));
    walk::<f32>(&world, &class, narrow, points, (next, dt));
    2 * TICKS as u64
}

fn walk<T: Coordinate>(
    world: &Model<'_>,
    class: &AgentClass,
    mut agent: Agent<T>,
    points: &[PathPoint],
    (next, dt): (usize, f64),
) {
    let mut follower = PathFollower::new();
    follower.next = next;
    for _ in 0..TICKS {
        let progress = follower.walk(&mut agent, world, class, points, T::narrow(dt));
        assert!(progress == Progress::Arrived || follower.next < points.len());
    }
}
