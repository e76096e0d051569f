//! Agents among moving models: a map and a number of ticks in, everything that went wrong out. All models of a map
//! swing and turn; agents ride, walk, jump and crouch among them. After each tick an agent must not be in the world's
//! solid, nor out of the world, nor in a model that neither crushed it nor held it before.

use onion_compiler::CompileOptions;
use onion_compiler::Compiled;
use onion_compiler::compile;
use onion_runtime::movement::{Agent, WalkSettings};
use onion_runtime::{Aabb, HullId, Mover, OnionMap, Pose, Scene};
use rayon::prelude::*;

use crate::random::Random;
use crate::subject;

/// The stances of riders.
const STANCES: [&str; 2] = ["stand:16x56", "crouch:16x32"];
/// Number of ticks of a rider before another one starts.
const LIFE: usize = 1_000;
/// Largest swing of a model, in units, and its largest turn in a tick, in radians.
const SWING: f64 = 96.0;
const TURN: f64 = 0.1;
/// Number of faults that are reported in full.
const MAX_FAULTS: usize = 5;

/// The outcome of a ride.
#[derive(Clone, Debug, Default)]
pub struct Ride {
    /// Ticks of all riders together.
    pub ticks: u64,
    /// Ticks that began in a model that had closed on the rider.
    pub held: u64,
    /// Ticks in which a model crushed the rider.
    pub crushed: u64,
    /// Ticks in which something was in the way.
    pub blocked: u64,
    /// Ticks in which a model was in the way.
    pub by_models: u64,
    /// The faults found.
    pub faults: Vec<String>,
}

impl Ride {
    fn merge(mut self, other: Self) -> Self {
        self.ticks += other.ticks;
        self.held += other.held;
        self.crushed += other.crushed;
        self.blocked += other.blocked;
        self.by_models += other.by_models;
        self.faults.extend(other.faults);
        self.faults.truncate(MAX_FAULTS);
        self
    }
}

/// Lets riders ride in a map for `n_ticks` ticks or a few more. Returns an empty ride if no rider can start.
pub fn ride(bytes: &[u8], n_ticks: usize, seed: u64) -> Ride {
    let map = subject::parse(bytes);
    let options = CompileOptions {
        brushes: true,
        ..CompileOptions::new(subject::hulls(&STANCES))
    };
    let compiled: Compiled = compile(&map, &options).unwrap();
    let onion = subject::load(&compiled);
    let stand = onion.hulls().next().unwrap().id;
    let points = map.points.iter().map(|point| point.origin);
    let starts: Vec<[f32; 3]> = points
        .filter(|&at| !onion.world().is_solid(stand, at))
        .collect();
    if starts.is_empty() {
        return Ride::default();
    }
    let lives = (0..n_ticks.div_ceil(LIFE) as u64).into_par_iter();
    let lives = lives.map(|number| {
        let mut random = Random::new(seed ^ (number << 20));
        let start = starts[random.below(starts.len())];
        let mut rider = Rider::new(onion, start, random);
        (0..LIFE).for_each(|tick| rider.tick(tick));
        rider.ride
    });
    lives.reduce(Ride::default, Ride::merge)
}

struct Rider<'a> {
    onion: OnionMap<&'a [u8]>,
    stances: Vec<HullId>,
    rest: Vec<Mover>,
    movers: Vec<Mover>,
    agent: Agent<f32>,
    wish: [f32; 2],
    random: Random,
    ride: Ride,
}

impl<'a> Rider<'a> {
    fn new(onion: OnionMap<&'a [u8]>, start: [f32; 3], random: Random) -> Self {
        let stances: Vec<HullId> = onion.hulls().map(|hull| hull.id).collect();
        let rest: Vec<Mover> = onion.movers().collect();
        Self {
            agent: Agent::new(stances[0], start),
            movers: rest.clone(),
            stances,
            rest,
            onion,
            wish: [0.0; 2],
            random,
            ride: Ride::default(),
        }
    }

    fn tick(&mut self, tick: usize) {
        self.swing();
        self.look_ahead();
        let scene = Scene::new(&self.onion, &self.movers).unwrap();
        let (stance, before) = (self.agent.stance, self.agent);
        let was_held = scene.is_solid(stance, before.position, 0.0);
        let ride = self
            .agent
            .ride(&scene, &WalkSettings::default(), 1.0 / 30.0);
        self.ride.crushed += u64::from(ride.crushed_by.is_some());
        let held = scene.is_solid(stance, self.agent.position, 1.0);
        if held && !was_held && ride.crushed_by.is_none() {
            self.fault("in a model after a ride", &before);
        }
        // Agents walk among models at their latest positions.
        for mover in &mut self.movers {
            mover.from = mover.to;
        }
        self.choose(tick);
        let scene = Scene::new(&self.onion, &self.movers).unwrap();
        let (stance, before) = (self.agent.stance, self.agent);
        let met = self
            .agent
            .walk(&scene, &WalkSettings::default(), self.wish, 1.0 / 30.0);
        let solid = scene.is_solid(stance, self.agent.position, 1.0);
        self.ride.ticks += 1;
        self.ride.held += u64::from(held);
        self.ride.blocked += u64::from(met.is_some());
        self.ride.by_models += u64::from(met.is_some_and(|met| met.object != 0));
        if solid && !held {
            self.fault("in a model", &before);
        }
        self.check(&before);
    }

    /// Moves all models on: back and forth, and every other one turned about an axis.
    fn swing(&mut self) {
        for (number, (mover, rest)) in self.movers.iter_mut().zip(&self.rest).enumerate() {
            let axis = number % 3;
            let home: [f64; 3] = rest.from.origin();
            let mut origin: [f64; 3] = mover.to.origin();
            let next = origin[axis] + self.random.between(-SWING, SWING) / 8.0;
            origin[axis] = next.clamp(home[axis] - SWING, home[axis] + SWING);
            let angle = self.random.between(-TURN, TURN) * (number % 2) as f64;
            let about = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]][number / 2 % 2];
            mover.to = Pose::turned(origin, about, angle).unwrap_or(Pose::at(origin));
        }
    }

    /// Traces while the models move: a trace that does not start in solid does not end in solid, at the moment of the
    /// end.
    fn look_ahead(&mut self) {
        let scene = Scene::new(&self.onion, &self.movers).unwrap();
        let (stance, start) = (self.agent.stance, self.agent.position);
        let step = self.random.direction().map(|part| (part * 40.0) as f32);
        let end = [0, 1, 2].map(|axis| start[axis] + step[axis]);
        let trace = scene.trace(stance, start, end);
        if !trace.start_solid && scene.is_solid(stance, trace.end_pos, trace.fraction) {
            let before = self.agent;
            self.fault("a trace among moving models ends in solid", &before);
        }
    }

    /// Chooses the rider's next action.
    fn choose(&mut self, tick: usize) {
        if tick.is_multiple_of(32) {
            let speed = self.random.between(0.0, 400.0);
            let [x, y, _] = self.random.direction().map(|part| (part * speed) as f32);
            self.wish = [x, y];
        }
        match self.random.below(64) {
            0 => {
                self.agent.jump(270.0);
            }
            1 => {
                let to = self.stances[self.random.below(self.stances.len())];
                let scene = Scene::new(&self.onion, &self.movers).unwrap();
                self.agent.switch_stance(&scene, to);
            }
            _ => {}
        }
    }

    /// Checks the facts that hold wherever the models are.
    fn check(&mut self, before: &Agent<f32>) {
        let Agent {
            position,
            velocity,
            stance,
            ..
        } = self.agent;
        let onion = self.onion;
        let world = onion.world();
        let was_free = !world.is_solid(before.stance, before.position);
        if was_free && world.is_solid(stance, position) {
            self.fault("in solid", before);
        }
        let Aabb { mins, maxs } = world.bounds();
        let filled = self
            .onion
            .hulls()
            .nth(stance.index())
            .is_some_and(|hull| hull.filled);
        let inside = (0..3).all(|axis| (mins[axis]..=maxs[axis]).contains(&position[axis]));
        if filled && !inside {
            self.fault("out of the world", before);
        }
        if !position
            .iter()
            .chain(&velocity)
            .all(|number| number.is_finite())
        {
            self.fault("a number that is none", before);
        }
    }

    fn fault(&mut self, what: &str, before: &Agent<f32>) {
        if self.ride.faults.len() < MAX_FAULTS {
            self.ride
                .faults
                .push(format!("{what}: from {before:?} to {:?}", self.agent));
        }
    }
}
