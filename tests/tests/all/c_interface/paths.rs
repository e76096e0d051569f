//! Classes of agents, links and paths from C have the bits of Rust, and so have agents that follow paths, tick by tick.
//! The program reads lines: the path of a file, then the names of calls, for a path with a hull, its ends, the costs,
//! and the sizes of its memory.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use onion_compiler::Fill;
use onion_runtime::movement::{Agent, World};
use onion_runtime::navigation::{
    Floor, LinkKind, Path, PathCosts, PathError, PathFollower, PathPoint, PathScratch, Progress,
};
use onion_runtime::{Coordinate, HullId, OnionMap, Scene};
use onion_tests::cases::{real_cases, sample_case};
use onion_tests::fixtures::made;
use onion_tests::random::Random;
use onion_tests::rooms;
use onion_tests::triggers::take_along;
use tempfile::TempDir;

use super::{program, source};
use crate::floors::{point_of, with_floors};
use crate::linked_bits::{Lines, write_bits};

/// Number of paths in each map.
const PATHS: usize = 200;
/// One path in this many is followed.
const FOLLOWED: usize = 4;
/// The longest that a path is followed, in ticks.
const TICKS: usize = 600;
/// The constant of the program.
const CAPACITY: usize = 256;
/// The size of a value of the C type.
const SCRATCH_SIZE: usize = 128;
const NAN: f64 = f64::NAN;

type File = OnionMap<Vec<u8>>;

/// What was tested: how often each kind of link was taken and each error found, and how many agents arrived.
#[derive(Default)]
struct Seen {
    kinds: BTreeMap<u8, usize>,
    statuses: BTreeMap<u32, usize>,
    arrived: usize,
}

/// A path that is asked for.
#[derive(Clone, Copy)]
struct Asked {
    hull: HullId,
    ends: [[f64; 3]; 2],
    costs: PathCosts,
    capacity: usize,
    /// Number of scratch values of the C type, or -1 for as many as the map should have.
    n_scratch: i64,
}

fn status(error: PathError) -> u32 {
    match error {
        PathError::NoAgent => 21,
        PathError::NoStart => 22,
        PathError::NoGoal => 23,
        PathError::NoWay => 24,
        PathError::OutOfScratch => 25,
        PathError::TooManyPoints => 26,
        _ => unreachable!("{error}"),
    }
}

fn write_hull(text: &mut String, hull: u64) {
    write!(text, "{:x} {:x} ", hull >> 32, hull & 0xffff_ffff).unwrap();
}

impl Asked {
    /// Returns the memory that the search in C has, after what it keeps for some points.
    fn memory(&self, map: &File, n_points: usize) -> Result<Vec<PathScratch>, PathError> {
        let n_scratch = match usize::try_from(self.n_scratch) {
            Ok(n_scratch) => n_scratch,
            Err(_) => {
                let size = map.path_scratch() * size_of::<PathScratch>();
                (size + CAPACITY * size_of::<PathPoint>()).div_ceil(SCRATCH_SIZE)
            }
        };
        let of_points = n_points * size_of::<PathPoint>();
        let rest = (n_scratch * SCRATCH_SIZE).checked_sub(of_points);
        let rest = rest.filter(|_| n_scratch > 0);
        let n_parts = rest.ok_or(PathError::OutOfScratch)? / size_of::<PathScratch>();
        Ok(vec![PathScratch::default(); n_parts])
    }

    fn path<T: Coordinate>(&self, map: &File) -> Result<(Path, Vec<PathPoint>), PathError> {
        let [start, goal] = self.ends.map(|end| end.map(T::narrow));
        let hull = self.hull;
        let mut points = vec![PathPoint::default(); self.capacity];
        let mut scratch = self.memory(map, self.capacity)?;
        let path = map.path(hull, start, goal, &self.costs, &mut scratch, &mut points)?;
        points.truncate(path.n_points);
        Ok((path, points))
    }

    /// Returns what the program prints in a precision about where the agent gets.
    fn reached<T: Coordinate>(&self, map: &File) -> String {
        let [start, goal] = self.ends.map(|end| end.map(T::narrow));
        let floors = || -> Result<String, PathError> {
            let mut scratch = self.memory(map, 0)?;
            let floors = map.reachable(self.hull, start, &mut scratch)?;
            Ok(floors
                .map(|floor| format!("{} ", floor.number))
                .collect::<String>())
        };
        let reaches = || map.can_reach(self.hull, start, goal, &mut self.memory(map, 0)?);
        let floors = floors().map_or_else(
            |error| format!("{} ", status(error)),
            |floors| format!("0 {floors}"),
        );
        let reaches = reaches().map_or_else(|error| (status(error), false), |reaches| (0, reaches));
        format!("{floors}\n{} {}\n", reaches.0, u8::from(reaches.1))
    }

    /// Returns what the program prints in a precision, and the points.
    fn answer<T: Coordinate>(&self, map: &File, seen: &mut Seen) -> (String, Vec<PathPoint>) {
        let found = self.path::<T>(map);
        let status = found.as_ref().map_or_else(|&error| status(error), |_| 0);
        *seen.statuses.entry(status).or_default() += 1;
        let mut text = format!("{status} ");
        let Ok((path, points)) = found else {
            return (text + "\n", Vec::new());
        };
        write_bits(&mut text, &[path.length, path.cost]);
        for point in &points {
            write_bits(&mut text, &point.position);
            write_hull(&mut text, point.hull.to_bits());
            write!(text, "{} {} ", point.floor, point.kind as u32).unwrap();
            *seen.kinds.entry(point.kind as u8).or_default() += 1;
        }
        (text + "\n", points)
    }
}

/// Writes the calls about classes and links.
fn add_tables(lines: &mut Lines, map: &File) {
    let text = &mut lines.expected;
    writeln!(lines.input, "classes").unwrap();
    for class in map.agents() {
        write_hull(text, class.hulls.bits());
        write_bits(
            text,
            &[class.speed, class.jump, class.drop, class.swim, class.climb],
        );
        let settings = &class.settings;
        write_bits(text, &[settings.step_height, settings.min_ground_z]);
        let rest = [settings.gravity, settings.air_control, settings.max_unstick];
        write_bits(text, &rest);
        writeln!(text, "{}", map.agent_name(&class).unwrap()).unwrap();
    }
    for hull in map.hulls() {
        writeln!(lines.input, "class_of {}", hull.name).unwrap();
        let number = map
            .agent_of(hull.id)
            .map_or(-1, |class| i64::from(class.number));
        writeln!(text, "{number}").unwrap();
    }
    writeln!(lines.input, "links").unwrap();
    for number in 0..map.n_links() as u32 {
        let link = map.link(number).unwrap();
        write_bits(text, &[link.right, link.left, link.across].concat());
        let [right, left] = link.turns.map(u8::from);
        write!(text, "{} {} {} ", link.from, link.to, link.kind as u32).unwrap();
        let [goal, upright] = [link.only_to_goal, link.upright].map(u8::from);
        writeln!(text, "{right} {left} {goal} {upright}").unwrap();
    }
}

/// Walks along a path, and returns what the program prints.
fn followed(
    map: &File,
    points: &[PathPoint],
    dt: f32,
    seen: &mut Seen,
    world: &impl World<f32>,
) -> String {
    let class = map.agent_of(points[0].hull).unwrap();
    let start = points[0].position.map(|x| x as f32);
    let mut agent: Agent<f32> = Agent::new(points[0].hull, start);
    let mut follower = PathFollower::new();
    let mut text = String::new();
    for _ in 0..TICKS {
        let progress = follower.walk(&mut agent, world, &class, points, dt);
        take_along(&mut agent, &follower, points);
        write_bits(&mut text, &[agent.position, agent.velocity].concat());
        write_bits(&mut text, &[follower.nearest, follower.waited]);
        write_hull(&mut text, agent.stance.to_bits());
        let (jumped, stands) = (
            u8::from(follower.has_jumped),
            u8::from(agent.on_ground.is_some()),
        );
        writeln!(
            text,
            "{} {jumped} {} {stands}",
            follower.next, progress as u32
        )
        .unwrap();
        if progress != Progress::Following {
            seen.arrived += usize::from(progress == Progress::Arrived);
            break;
        }
    }
    text
}

/// Returns a random place where an agent stands, or now and then one where it does not.
fn place(floors: &[Floor<'_>], random: &mut Random) -> [f64; 3] {
    let [x, y, z] = point_of(&floors[random.below(floors.len())], random);
    match random.below(16) {
        0 => [x, y, z + 40.0],
        1 => [x, NAN, z],
        _ => [x, y, z + random.between(0.0, 16.0)],
    }
}

/// Adds paths between random places, and agents that follow some of them.
fn add_paths(lines: &mut Lines, map: &File, seen: &mut Seen) {
    let mut random = Random::new(11);
    let [stand, crouch] = ["stand", "crouch"].map(|name| map.find_hull(name).unwrap());
    let dts = [1.0 / 125.0, 1.0 / 60.0, 1.0 / 20.0];
    for number in 0..PATHS {
        let hull = [stand, crouch][random.below(2)];
        let floors: Vec<Floor<'_>> = map.floors(hull).collect();
        let ends = [0; 2].map(|_| place(&floors, &mut random));
        let [drop, jump] = [[64.0, 128.0], [0.0, 0.0]][random.below(2)];
        let costs = PathCosts {
            crouched: 1.5,
            switch: 8.0,
            drop,
            jump,
            climb: jump,
        };
        let (capacity, n_scratch) = match random.below(16) {
            0 => (2, -1),
            1 => (CAPACITY, random.below(160) as i64),
            _ => (CAPACITY, -1),
        };
        let hull = if random.below(16) == 0 {
            map.find_hull("point").unwrap()
        } else {
            hull
        };
        let asked = Asked {
            hull,
            ends,
            costs,
            capacity,
            n_scratch,
        };
        let points = add_path(lines, map, &asked, seen);
        if number % FOLLOWED == 0 && !points.is_empty() {
            let dt = dts[random.below(dts.len())];
            let mut follow = |name: &str, text: String| {
                writeln!(lines.input, "follow {name} {dt} {TICKS}").unwrap();
                lines.expected += &text;
            };
            follow("world", followed(map, &points, dt, seen, &map.world()));
            let scene = Scene::new(map, &[]).unwrap();
            follow("scene", followed(map, &points, dt, seen, &scene));
        }
    }
}

/// Adds a path, and returns its points.
fn add_path(lines: &mut Lines, map: &File, asked: &Asked, seen: &mut Seen) -> Vec<PathPoint> {
    let name = map.hulls().nth(asked.hull.index()).unwrap().name;
    write!(lines.input, "path {name}").unwrap();
    let PathCosts {
        crouched,
        switch,
        drop,
        jump,
        climb,
    } = asked.costs;
    let numbers = asked.ends.into_iter().flatten();
    for number in numbers.chain([crouched, switch, drop, jump, climb]) {
        write!(lines.input, " {number}").unwrap();
    }
    writeln!(lines.input, " {} {}", asked.capacity, asked.n_scratch).unwrap();
    lines.expected += &asked.reached::<f32>(map);
    lines.expected += &asked.reached::<f64>(map);
    lines.expected += &asked.answer::<f32>(map, seen).0;
    let (text, points) = asked.answer::<f64>(map, seen);
    lines.expected += &text;
    points
}

#[test]
fn paths_and_agents_that_follow_them_have_the_same_bits() {
    let folder = TempDir::new().unwrap();
    let program = program(&source("paths.c"), &[], &folder);
    let real = real_cases().iter().max_by_key(|case| case.bytes.len());
    let samples = ["low_tunnel", "ramp_stairs", "courtyard"].map(|name| &sample_case(name).map);
    let mut seen = Seen::default();
    let made = [rooms::carried(), rooms::pool(), rooms::lift(8)].map(|room| made(&room));
    let maps = samples.into_iter().chain(&made);
    for map in maps.chain(real.map(|case| &case.map)) {
        let map = with_floors(map, Fill::default());
        let path = folder.path().join("map.onion");
        let mut lines = Lines::default();
        writeln!(lines.input, "{}", path.display()).unwrap();
        add_tables(&mut lines, &map);
        add_paths(&mut lines, &map, &mut seen);
        std::fs::write(&path, map.into_bytes()).unwrap();
        lines.compare(folder.path(), &mut Command::new(&program));
    }
    // Agents took all kinds of links, and there were all statuses.
    assert_eq!(seen.kinds.len(), LinkKind::ALL.len(), "{:?}", seen.kinds);
    let statuses: Vec<u32> = seen.statuses.keys().copied().collect();
    assert_eq!(statuses, [0, 21, 22, 23, 24, 25, 26], "{:?}", seen.statuses);
    assert!(seen.arrived > PATHS / 4, "{}", seen.arrived);
}
