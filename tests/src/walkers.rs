//! Walkers with random wishes: a map and a number of ticks in, everything that went wrong out. Agents start where
//! players do and walk, jump, fall, crouch and swim at random. After every tick the runtime, and now and then the
//! oracle, checks that they are where they may be.

use std::f64::consts::TAU;

use onion_compiler::fill::seeds::CLASSES;
use onion_compiler::hull::HullSpec;
use onion_compiler::{CompileOptions, compile};
use onion_maps::Map;
use onion_runtime::movement::{Agent, WalkSettings};
use onion_runtime::{Aabb, HullId, OnionMap};
use rayon::prelude::*;

use crate::oracle::HullWorld;
use crate::queries::{along, dot};
use crate::random::Random;
use crate::subject::{self, OracleWorlds};

/// The stances of walkers; the last one's feet are lower below its origin than those of the others.
pub const STANCES: [&str; 3] = ["stand:16x56", "crouch:16x32", "ball:12x24@8"];

/// All of them are stances of one agent, which avoids nothing.
const AGENT: &str = "walker:stand,crouch,ball:avoid=none";

/// Number of ticks of a walker before another one starts.
const LIFE: usize = 1_000;
/// The oracle checks one tick in this many.
const TICKS_A_LOOK: usize = 100;
/// Depth in solid at which the oracle reports a walker, and the distance from solid of ways that are free, in units: a
/// small multiple of the rounding error of doubles.
const DEEP: f64 = 1e-6;
/// Lengths of ticks, in seconds: Quake III's own, those of common displays, and slow ones.
const TICKS: [f32; 5] = [1.0 / 125.0, 1.0 / 60.0, 1.0 / 30.0, 1.0 / 20.0, 1.0 / 8.0];
/// Wished speeds, in units a second: Quake III's running speed more often than others.
const SPEEDS: [f64; 6] = [320.0, 320.0, 320.0, 200.0, 120.0, 1000.0];
/// Vertical speed of a jump, in units a second: Quake III's.
const JUMP: f32 = 270.0;
/// A walker that moved no farther than this counts as still, in units.
const STILL: f64 = 1.0;
/// The oracle is queried after this number of ticks without moving, all with one wish, if they last long enough.
const STILL_TICKS: usize = 16;
/// Time in which a walker in the air would gather speed, in seconds.
const STILL_SECONDS: f32 = 0.4;
/// A way that is free for at least this distance is one that a walker should take, in units.
const FREE: f64 = 4.0;
/// A walker this near to a wall slides along it, in units: twice the margin of a trace.
const AT_WALL: f64 = 1.0 / 16.0;
/// A wish with this part along a wall makes a walker slide along it.
const SLANTED: f64 = 0.25;
/// The farthest that an agent's ground is below it, in units: Quake III's.
const GROUND_REACH: f32 = 0.25;
/// A place is on a plane that is this near to it, in units.
const TOUCHING: f64 = 0.01;
/// Number of faults of a map that are reported in full.
const MAX_FAULTS: usize = 20;

/// A map to walk in.
pub struct Course {
    /// Its name.
    pub name: String,
    compiled: onion_compiler::Compiled,
    worlds: Vec<HullWorld>,
    starts: Vec<[f32; 3]>,
}

/// The outcome of some walks.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Ticks walked.
    pub ticks: usize,
    /// Ticks in which something was in the way.
    pub blocked: usize,
    /// Ticks that ended on the ground.
    pub on_ground: usize,
    /// Ticks in which they swam.
    pub swum: usize,
    /// Checks by the oracle.
    pub looks: usize,
    /// Changes of stance.
    pub switches: usize,
    /// Changes of stance for which there was no room.
    pub refusals: usize,
    /// Times that a walker stayed still although it wished to move.
    pub stops: usize,
    /// Units walked, all walkers together.
    pub way: f64,
    /// The faults found.
    pub faults: Vec<String>,
}

impl Outcome {
    fn merge(mut self, other: Self) -> Self {
        self.ticks += other.ticks;
        self.blocked += other.blocked;
        self.on_ground += other.on_ground;
        self.swum += other.swum;
        self.looks += other.looks;
        self.switches += other.switches;
        self.refusals += other.refusals;
        self.stops += other.stops;
        self.way += other.way;
        self.faults.extend(other.faults);
        self.faults.truncate(MAX_FAULTS);
        self
    }
}

impl Course {
    /// Compiles a map, filled, with the hulls of all stances.
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let map = subject::parse(bytes);
        let specs = subject::hulls(&STANCES);
        let options = CompileOptions {
            agents: vec![AGENT.parse().unwrap()],
            floors: true,
            ..CompileOptions::new(specs.clone())
        };
        let compiled = compile(&map, &options).unwrap();
        let oracle = OracleWorlds::new(bytes, &map);
        let worlds = specs.iter().map(|spec| oracle.world(0, spec)).collect();
        let starts = starts(&map, &subject::load(&compiled), &specs);
        Self {
            name: name.to_owned(),
            compiled,
            worlds,
            starts,
        }
    }

    /// Lets walkers walk `n_ticks` ticks or a few more. Returns an empty outcome if no agent can start.
    pub fn walk(&self, n_ticks: usize, seed: u64) -> Outcome {
        let onion = subject::load(&self.compiled);
        if self.starts.is_empty() {
            return Outcome::default();
        }
        let walkers = 0..n_ticks.div_ceil(LIFE) as u64;
        let lives = walkers.into_par_iter().map(|number| {
            let mut walker = Walker::new(self, onion, seed ^ (number << 20));
            for _ in 0..LIFE {
                walker.tick();
            }
            walker.outcome
        });
        lives.reduce(Outcome::default, Outcome::merge)
    }
}

/// Returns the places where agents enter the world, lifted out of the floor as far as Quake III lifts them and as far
/// as an item's origin may be in it.
fn starts(map: &Map, onion: &OnionMap<impl AsRef<[u8]>>, specs: &[HullSpec]) -> Vec<[f32; 3]> {
    let is_start = |class: &str| {
        CLASSES
            .iter()
            .any(|pattern| match pattern.strip_suffix('*') {
                Some(beginning) => class.starts_with(beginning),
                None => class == *pattern,
            })
    };
    let stand = onion.find_hull(&specs[0].name).unwrap();
    let points = map.points.iter().filter(|point| is_start(&point.class));
    let lifted = |[x, y, z]: [f32; 3]| {
        let mut places = (0..34u8).map(|lift| [x, y, z + f32::from(lift)]);
        places.find(|&place| !onion.world().is_solid(stand, place))
    };
    points.filter_map(|point| lifted(point.origin)).collect()
}

struct Walker<'a> {
    course: &'a Course,
    onion: OnionMap<&'a [u8]>,
    stances: Vec<HullId>,
    random: Random,
    settings: WalkSettings,
    tick: f32,
    agent: Agent<f32>,
    wish: [f32; 2],
    /// The vertical speed of a walker that swims, in units a second.
    rise: Option<f32>,
    /// Number of ticks left of the wish.
    wish_left: usize,
    /// The position when the walker last moved, and the number of ticks since then.
    still: ([f32; 3], usize),
    outcome: Outcome,
}

impl<'a> Walker<'a> {
    fn new(course: &'a Course, onion: OnionMap<&'a [u8]>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let stances: Vec<HullId> = onion.hulls().map(|hull| hull.id).collect();
        let start = course.starts[random.below(course.starts.len())];
        let mut settings = WalkSettings::default();
        match random.below(10) {
            0 => settings.step_height = 0.0,
            1 => settings.min_ground_z = 0.0,
            2 => settings.air_control = 1000.0,
            _ => {}
        }
        Self {
            tick: TICKS[random.below(TICKS.len())],
            agent: Agent::new(stances[0], start),
            still: (start, 0),
            course,
            onion,
            stances,
            random,
            settings,
            wish: [0.0; 2],
            rise: None,
            wish_left: 0,
            outcome: Outcome::default(),
        }
    }

    fn tick(&mut self) {
        self.choose();
        let before = self.agent;
        let (world, settings, [x, y]) = (self.onion.world(), &self.settings, self.wish);
        let met = match self.rise {
            Some(z) => self.agent.swim(&world, settings, [x, y, z], self.tick),
            None => self.agent.walk(&world, settings, [x, y], self.tick),
        };
        self.outcome.ticks += 1;
        self.outcome.swum += usize::from(self.rise.is_some());
        self.outcome.blocked += usize::from(met.is_some());
        self.outcome.on_ground += usize::from(self.agent.on_ground.is_some());
        self.outcome.way += distance(before.position, self.agent.position);
        self.check(&before);
        self.check_still();
    }

    /// Chooses the walker's next action.
    fn choose(&mut self) {
        if self.wish_left == 0 {
            // Often straight along the axes, which most walls follow.
            let angle = match self.random.below(2) {
                0 => TAU / 8.0 * self.random.below(8) as f64,
                _ => self.random.between(0.0, TAU),
            };
            let speed = SPEEDS[self.random.below(SPEEDS.len())];
            let stands = self.random.below(8) == 0;
            let speed = if stands { 0.0 } else { speed };
            self.wish = [angle.cos() * speed, angle.sin() * speed].map(|x| x as f32);
            let rise = self.random.between(-320.0, 320.0) as f32;
            self.rise = (self.random.below(8) == 0).then_some(rise);
            self.wish_left = 16 + self.random.below(80);
            self.still = (self.agent.position, 0);
        }
        self.wish_left -= 1;
        match self.random.below(100) {
            0 => {
                self.agent.jump(JUMP);
            }
            1 | 3 => self.switch(),
            2 if self.random.below(10) == 0 => {
                // Throws the walker.
                let speed = self.random.between(0.0, 1500.0);
                self.agent.velocity = self.random.direction().map(|x| (x * speed) as f32);
                self.agent.on_ground = None;
            }
            _ => {}
        }
    }

    fn switch(&mut self) {
        let to = self.stances[self.random.below(self.stances.len())];
        let before = self.agent;
        let switched = self.agent.switch_stance(&self.onion.world(), to);
        let feet = |agent: &Agent<f32>| {
            let hull = self.onion.hulls().nth(agent.stance.index()).unwrap();
            agent.position[2] + hull.bounds.mins[2]
        };
        let moved = feet(&self.agent) - feet(&before);
        let place = |agent: &Agent<f32>, to: HullId| {
            let hulls = [agent.stance, to].map(|id| self.onion.hulls().nth(id.index()).unwrap());
            let [x, y, z] = agent.position;
            [
                x,
                y,
                z + (hulls[0].bounds.mins[2] - hulls[1].bounds.mins[2]),
            ]
        };
        let wide = place(&before, to).map(f64::from);
        self.outcome.switches += usize::from(switched);
        self.outcome.refusals += usize::from(!switched);
        if switched && self.course.worlds[to.index()].solid(wide, -DEEP) {
            self.fault(&format!("a stance without room, from {before:?}"));
        }
        // The oracle has no filling, but where one stance can get, all other stances that fit may be.
        if !switched && !self.course.worlds[to.index()].solid(wide, DEEP) {
            self.fault(&format!(
                "no stance although there is room, from {before:?}"
            ));
        }
        // The heights of places that a map can have are multiples of at least 2^-9 units.
        if moved.abs() > 1.0 / 512.0 {
            self.fault(&format!("feet moved by {moved}, from {before:?}"));
        }
        self.still = (self.agent.position, 0);
    }

    fn check(&mut self, before: &Agent<f32>) {
        let Agent {
            position, stance, ..
        } = self.agent;
        if self.onion.world().is_solid(stance, position) {
            self.fault(&format!("in solid, from {before:?}"));
        }
        let Aabb { mins, maxs } = self.onion.world().bounds();
        let filled = self.onion.hulls().nth(stance.index()).unwrap().filled;
        let inside = (0..3).all(|axis| (mins[axis]..=maxs[axis]).contains(&position[axis]));
        if filled && !inside {
            self.fault(&format!("out of the world, from {before:?}"));
        }
        let on_ground = self.agent.on_ground.is_some();
        let is_usual = self.settings.min_ground_z == WalkSettings::default().min_ground_z;
        let floor = self.onion.floor_at(stance, position, GROUND_REACH);
        if on_ground && is_usual && floor.is_none() {
            self.fault(&format!("on the ground without a floor, from {before:?}"));
        }
        if !self.agent.velocity.iter().all(|speed| speed.is_finite()) {
            self.fault(&format!("velocity is not finite, from {before:?}"));
        }
        if self.outcome.ticks.is_multiple_of(TICKS_A_LOOK) {
            self.outcome.looks += 1;
            let world = &self.course.worlds[stance.index()];
            if world.solid(position.map(f64::from), -DEEP) {
                self.fault(&format!("in solid for the oracle, from {before:?}"));
            }
        }
    }

    /// Checks whether the walker wishes to move, does not, and could.
    fn check_still(&mut self) {
        let (place, n_ticks) = &mut self.still;
        let must_move = self.wish != [0.0; 2] && self.rise.is_none();
        if distance(*place, self.agent.position) > STILL || !must_move {
            (*place, *n_ticks) = (self.agent.position, 0);
            return;
        }
        *n_ticks += 1;
        if *n_ticks < STILL_TICKS || *n_ticks as f32 * self.tick < STILL_SECONDS {
            return;
        }
        *n_ticks = 0;
        self.outcome.stops += 1;
        self.outcome.looks += 1;
        if let Some(way) = self.free_way() {
            self.fault(&format!("stuck although the way is free: {way}"));
        }
    }

    /// Returns a free way, by the oracle: in the wished direction, or along a wall that the walker is at.
    fn free_way(&self) -> Option<String> {
        let [x, y] = self.wish.map(f64::from);
        let wish = [x / x.hypot(y), y / x.hypot(y), 0.0];
        if let Some(way) = self.free_way_to(wish) {
            return Some(way);
        }
        let world = &self.course.worlds[self.agent.stance.index()];
        let at = self.agent.position.map(f64::from);
        let steepest = f64::from(self.settings.min_ground_z);
        let near = world.nearest_planes(at, AT_WALL).into_iter();
        let walls: Vec<_> = near
            .map(|near| near.plane.0)
            .filter(|normal| normal[2] < steepest && normal[0].hypot(normal[1]) > 0.1)
            .collect();
        let tangents = walls.iter().flat_map(|[x, y, _]| {
            let length = x.hypot(*y);
            let tangent = [-y / length, x / length, 0.0];
            [tangent, tangent.map(|x| -x)]
        });
        // A walker keeps to its ground: along the contour of a steep slope above it, it would stand on that slope.
        let ground = self
            .agent
            .on_ground
            .map(|ground| ground.normal.map(f64::from));
        let climb = |[x, y, _]: [f64; 3]| {
            let [nx, ny, nz] = ground.unwrap_or([0.0, 0.0, 1.0]);
            -(x * nx + y * ny) / nz
        };
        let along_all = |way: &[f64; 3]| {
            let way = [way[0], way[1], climb(*way)];
            walls.iter().all(|&wall| dot(way, wall) > -1e-3)
        };
        let mut ways = tangents
            .filter(|&way| dot(way, wish) > SLANTED)
            .filter(along_all);
        ways.find_map(|way| {
            let free = self.free_way_to(way)?;
            Some(format!("along {way:?}, {free}"))
        })
    }

    /// Returns a free way in a direction: straight, or up a step, ahead, and down onto ground to stand on.
    fn free_way_to(&self, ahead: [f64; 3]) -> Option<String> {
        let world = &self.course.worlds[self.agent.stance.index()];
        let at = self.agent.position.map(f64::from);
        let way = |from: [f64; 3], direction: [f64; 3], length: f64| {
            // For the oracle, sliding in a face is free, also in the seam of two solids, which is solid. So a way is
            // free only off all faces.
            let trace = world.trace(from, along(from, direction, length), DEEP);
            let start = trace.start_solid.then_some(0.0);
            length * start.or(trace.first_enter).unwrap_or(1.0)
        };
        let straight = way(at, ahead, 2.0 * FREE);
        if straight > FREE {
            return Some(format!("{straight} units straight"));
        }
        let up = way(at, [0.0, 0.0, 1.0], f64::from(self.settings.step_height));
        let top = along(at, [0.0, 0.0, 1.0], up - TOUCHING);
        let over = way(top, ahead, 2.0 * FREE);
        if over <= FREE {
            return None;
        }
        let beyond = along(top, ahead, FREE);
        let down = way(beyond, [0.0, 0.0, -1.0], up);
        let landing = along(beyond, [0.0, 0.0, -1.0], down);
        let planes = world.nearest_planes(landing, TOUCHING);
        let planes = planes.iter().map(|near| near.plane.0[2]);
        let floor = planes.fold(-1.0, f64::max);
        let walkable = floor > f64::from(self.settings.min_ground_z) + 1e-6;
        walkable.then(|| format!("up {up}, on {over}, down {down} onto {floor}"))
    }

    fn fault(&mut self, what: &str) {
        let name = &self.course.name;
        let Self {
            agent,
            wish,
            tick,
            settings,
            ..
        } = self;
        let fault =
            format!("{name}: {what}\n  {agent:?}\n  wish {wish:?} tick {tick} {settings:?}");
        if self.outcome.faults.len() < MAX_FAULTS {
            self.outcome.faults.push(fault);
        }
    }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f64 {
    let steps = (0..3).map(|axis| f64::from(a[axis]) - f64::from(b[axis]));
    steps.map(|step| step * step).sum::<f64>().sqrt()
}
