//! Links, paths and reachable floors in JavaScript have the bits of Rust, and walkers end where they do in Rust. The
//! program reads lines: the path of a file, whose classes of agents and links it prints; then a hull, a start, a goal,
//! costs, and the length and number of the ticks for which an agent walks there.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use onion_compiler::Fill;
use onion_runtime::movement::Agent;
use onion_runtime::navigation::{
    Floor, LinkKind, Path as Way, PathCosts, PathError, PathFollower, PathPoint, PathScratch,
    Progress,
};
use onion_runtime::{DEFAULT_MARGIN, HullId, Mover, OnionMap, Pose, Scene};
use onion_tests::cases::sample_case;
use onion_tests::fixtures::has_or_skips;
use onion_tests::fixtures::made;
use onion_tests::maps::say;
use onion_tests::random::Random;
use onion_tests::rooms;
use onion_tests::triggers::take_along;
use tempfile::TempDir;

use crate::floors::{point_of, with_floors};
use crate::floors_bits::slopes;
use crate::linked_bits::{Lines, write_bits};

const QUERIES: usize = 200;

/// Limit on the points of a path.
const MAX_POINTS: usize = 1_024;

/// The longest time that an agent walks, in seconds.
const PATIENCE: f64 = 30.0;

/// How far above a floor positions are, in units: to a step, and above it.
const ABOVE: f64 = 20.0;

/// How far a lift goes down, in units, and the number of ticks after which it does.
const LIFT_HEIGHT: f64 = 152.0;
const TICKS_UP: usize = 100;

/// The lengths of ticks, in seconds.
const TICKS: [f64; 2] = [1.0 / 20.0, 1.0 / 60.0];

type File = OnionMap<Vec<u8>>;

/// A path that is asked for, and the length of the ticks in which an agent walks on it, in seconds.
struct Asked {
    hull: HullId,
    start: [f64; 3],
    goal: [f64; 3],
    costs: PathCosts,
    dt: f64,
}

impl Asked {
    fn new(hull: HullId, floors: &[Floor<'_>], random: &mut Random) -> Self {
        let mut place = || {
            let floor = &floors[random.below(floors.len())];
            let [x, y, z] = point_of(floor, random);
            [x, y, z + random.between(0.0, ABOVE).floor()]
        };
        let [start, goal] = [place(), place()];
        let costs = match random.below(3) {
            0 => PathCosts::default(),
            1 => PathCosts {
                crouched: 1.0,
                switch: 0.0,
                drop: 0.0,
                jump: 0.0,
                climb: 0.0,
            },
            _ => PathCosts {
                crouched: random.between(1.0, 4.0),
                switch: random.between(0.0, 100.0),
                drop: random.between(0.0, 500.0),
                jump: random.between(0.0, 500.0),
                climb: random.between(0.0, 500.0),
            },
        };
        Self {
            hull,
            start,
            goal,
            costs,
            dt: TICKS[random.below(TICKS.len())],
        }
    }

    fn n_ticks(&self) -> usize {
        (PATIENCE / self.dt) as usize
    }

    /// Returns the line that asks for it.
    fn line(&self, map: &File) -> String {
        let hull = map.hulls().find(|hull| hull.id == self.hull).unwrap();
        let PathCosts {
            crouched,
            switch,
            drop,
            jump,
            climb,
        } = self.costs;
        let costs = [crouched, switch, drop, jump, climb, self.dt];
        let numbers = [self.start.as_slice(), &self.goal, &costs].concat();
        let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
        let (name, numbers) = (hull.name, numbers.join(" "));
        format!("{name} {numbers} {}\n", self.n_ticks())
    }
}

/// Returns the code of an error in JavaScript.
fn code(error: PathError) -> &'static str {
    match error {
        PathError::NoAgent => "NO_AGENT",
        PathError::NoStart => "NO_START",
        PathError::NoGoal => "NO_GOAL",
        PathError::NoWay => "NO_WAY",
        PathError::OutOfScratch => "OUT_OF_SCRATCH",
        other => panic!("{other}"),
    }
}

/// Memory for searches in a map, and the answers of each kind so far.
struct Searches<'a> {
    map: &'a File,
    scratch: Vec<PathScratch>,
    points: Vec<PathPoint>,
    n_arrived: usize,
    n_found: usize,
    n_crossing: usize,
    n_without: usize,
}

impl<'a> Searches<'a> {
    fn new(map: &'a File) -> Self {
        Self {
            map,
            // The limit of the program.
            scratch: vec![PathScratch::default(); 4 * map.path_scratch()],
            points: vec![PathPoint::default(); MAX_POINTS],
            n_arrived: 0,
            n_found: 0,
            n_crossing: 0,
            n_without: 0,
        }
    }

    /// Adds what the program prints about a path.
    fn add(&mut self, asked: &Asked, expected: &mut String) {
        let (scratch, points) = (&mut self.scratch, &mut self.points);
        let (start, goal) = (asked.start, asked.goal);
        let floors = (self.map).reachable(asked.hull, start, scratch);
        let floors = floors.map(|floors| floors.map(|floor| format!(" {}", floor.number)));
        let reaches = floors
            .map(|floors| floors.collect::<String>())
            .and_then(|floors| {
                let reaches = (self.map).can_reach(asked.hull, start, goal, scratch)?;
                Ok(format!("{reaches}{floors}"))
            });
        let reaches = reaches.unwrap_or_else(|error| code(error).to_owned());
        writeln!(expected, "{reaches}").unwrap();
        let found = (self.map).path(asked.hull, start, goal, &asked.costs, scratch, points);
        match found {
            Ok(way) => self.add_way(asked, &way, expected),
            Err(error) => {
                self.n_without += usize::from(error == PathError::NoWay);
                writeln!(expected, "{}", code(error)).unwrap();
            }
        }
    }

    fn add_way(&mut self, asked: &Asked, way: &Way, expected: &mut String) {
        write_bits(expected, &[way.length, way.cost]);
        writeln!(expected, "{}", way.n_points).unwrap();
        let points = &self.points[..way.n_points];
        for point in points {
            write_bits(expected, &point.position);
            let (hull, kind) = (point.hull.index(), point.kind as u8);
            writeln!(expected, "{hull} {} {kind}", point.floor).unwrap();
        }
        let movers = [0.0, LIFT_HEIGHT].map(|below| self.movers(below));
        let scenes = movers.each_ref().map(|movers| Scene::new(self.map, movers));
        let [up, down] = scenes.map(Result::unwrap);
        let class = self.map.agent_of(asked.hull).unwrap();
        let [x, y, z] = points[0].position;
        let mut agent = Agent::new(points[0].hull, [x, y, z + DEFAULT_MARGIN]);
        let mut follower = PathFollower::new();
        let (mut progress, mut n_ticks) = (Progress::Following, 0);
        while n_ticks < asked.n_ticks() && progress == Progress::Following {
            let scene = if n_ticks < TICKS_UP { &up } else { &down };
            progress = follower.walk(&mut agent, scene, &class, points, asked.dt);
            take_along(&mut agent, &follower, points);
            n_ticks += 1;
        }
        write_bits(expected, &[agent.position, agent.velocity].concat());
        let (hull, next) = (agent.stance.index(), follower.next);
        let said = format!("{progress:?}").to_lowercase();
        writeln!(expected, "{hull} {next} {said} {n_ticks}").unwrap();
        let crosses = points.iter().any(|point| point.kind != LinkKind::Walk);
        self.n_found += 1;
        self.n_crossing += usize::from(crosses);
        self.n_arrived += usize::from(progress == Progress::Arrived);
    }

    /// Returns what moves in the map: the lift of the room that has one, `below` units under its place.
    fn movers(&self, below: f64) -> Vec<Mover> {
        let links = (0..self.map.n_links()).filter_map(|number| self.map.link(number as u32));
        let pose = Pose::at([0.0, 0.0, -below]);
        let lift = Mover {
            model: 1,
            from: pose,
            to: pose,
        };
        let mut lifts = links.filter(|link| link.kind == LinkKind::Lift);
        lifts.next().map(|_| lift).into_iter().collect()
    }
}

/// Adds what the program prints about the classes of agents and the links of a map.
fn add_links(map: &File, expected: &mut String) {
    for class in map.agents() {
        let settings = &class.settings;
        write_bits(
            expected,
            &[class.speed, class.jump, class.drop, class.swim, class.climb],
        );
        let settings = [
            settings.step_height,
            settings.min_ground_z,
            settings.gravity,
            settings.air_control,
            settings.max_unstick,
        ];
        write_bits(expected, &settings);
        let stances = map
            .hulls()
            .filter(|hull| class.hulls.contains(hull.id.index()));
        let stances: Vec<&str> = stances.map(|hull| hull.name).collect();
        let (name, stances) = (map.agent_name(&class).unwrap(), stances.join(","));
        writeln!(expected, "{} {name} {stances}", class.number).unwrap();
    }
    for number in 0..map.n_links() {
        let link = map.link(number as u32).unwrap();
        write_bits(expected, &[link.right, link.left, link.across].concat());
        let (from, to, kind) = (link.from, link.to, link.kind as u8);
        let [right, left] = link.turns.map(u8::from);
        let [goal, upright] = [link.only_to_goal, link.upright].map(u8::from);
        writeln!(
            expected,
            "{number} {from} {to} {kind} {right} {left} {goal} {upright}"
        )
        .unwrap();
    }
}

/// Returns what the program reads and prints about a map in a file, and the counts of answers: paths, those with other
/// points than for walking, those at whose goals agents arrive, and searches in vain.
fn lines_of(map: &File, path: &Path, seed: u64) -> (Lines, [usize; 4]) {
    let mut lines = Lines::default();
    writeln!(lines.input, "{}", path.display()).unwrap();
    add_links(map, &mut lines.expected);
    let hulls: Vec<HullId> = map.hulls().map(|hull| hull.id).collect();
    let all: Vec<Floor<'_>> = hulls.iter().flat_map(|&hull| map.floors(hull)).collect();
    let mut searches = Searches::new(map);
    let mut random = Random::new(seed);
    for _ in 0..QUERIES {
        // Mostly standing and crouching, now and then the ogre and the point, which has no floors.
        let hull = hulls[[0, 0, 0, 1, 1, 1, 2, 3][random.below(8)]];
        let own: Vec<Floor<'_>> = map.floors(hull).collect();
        let is_lost = own.is_empty() || random.below(20) == 0;
        let asked = Asked::new(hull, if is_lost { &all } else { &own }, &mut random);
        lines.input += &asked.line(map);
        searches.add(&asked, &mut lines.expected);
    }
    let Searches {
        n_found,
        n_crossing,
        n_arrived,
        n_without,
        ..
    } = searches;
    (lines, [n_found, n_crossing, n_arrived, n_without])
}

/// Compares the answers of a program about paths on sample maps.
fn paths_are_alike(make: impl Fn() -> Command) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("map.onion");
    let samples = ["low_tunnel", "ramp_stairs", "courtyard"];
    let rooms = [rooms::carried(), rooms::pool(), rooms::lift(8)].map(|room| made(&room));
    let made = Vec::from_iter([slopes()].into_iter().chain(rooms));
    let maps = samples.map(|name| &sample_case(name).map).into_iter();
    let mut totals = [0; 4];
    for (seed, map) in (0..).zip(maps.chain(&made)) {
        let map = with_floors(map, Fill::default());
        let (lines, counts) = lines_of(&map, &path, seed);
        totals = std::array::from_fn(|at| totals[at] + counts[at]);
        std::fs::write(&path, map.into_bytes()).unwrap();
        lines.compare(folder.path(), &mut make());
    }
    say(&format!("paths: of {} searches, {totals:?}", 4 * QUERIES));
    assert!(
        totals.iter().all(|&count| count > QUERIES / 8),
        "{totals:?}"
    );
}

#[test]
fn paths_have_the_same_bits_in_javascript() {
    if has_or_skips("node", "paths in JavaScript") {
        paths_are_alike(|| {
            let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all");
            let mut node = Command::new("node");
            node.arg(tests.join("conformance/paths.mjs"));
            node
        });
    }
}
