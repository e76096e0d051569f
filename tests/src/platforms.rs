//! Random agents on platforms: lifts, trains, turntables, tables that tilt and doors that slide and turn move through
//! a room with agents in it. After each tick an oracle checks where the movers carried and pushed the agent.
//!
//! The oracle shares nothing with the code that it checks. It turns the corners of the map's brushes by nalgebra's
//! quaternions, and follows movers and agent in steps of 1/64 unit.

use std::f64::consts::PI;
use std::sync::LazyLock;

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
use onion_runtime::movement::{Agent, Ride, WalkSettings, World};
use onion_runtime::{Coordinate, HullId, Mover, OnionMap, Scene};

use crate::fixtures::{compiled, made};
use crate::moving::{Corners, MovingBox, Way, gap};
use crate::oracle::vec3::{V3, add, length, scale, sub};
use crate::random::Random;
use crate::samples::{Brush, Map, Shader};

/// The stances of agents: boxes or prisms.
const STANCES: [[&str; 2]; 2] = [
    ["stand:16x56", "crouch:16x32"],
    ["stand:cylinder:16x56", "crouch:cylinder:16x32"],
];
/// Ticks of an agent before another one starts.
const LIFE: usize = 250;
/// Numbers of ticks a second.
const RATES: [f64; 5] = [10.0, 20.0, 60.0, 125.0, 250.0];
/// Length of the oracle's steps, in units.
const STEP: f64 = 1.0 / 64.0;
/// Distance that a trace keeps from what it hits, in units.
const SKIN: f64 = 1.0 / 32.0;
/// Error of the oracle's gaps, and of a position in `f32` in this room, in units.
const ROUNDING: f64 = 1e-4;
/// Depth in solid at which the oracle reports an agent, in units.
const DEEP: f64 = 1e-6;
/// Extent of the room, in units.
const ROOM: [V3; 2] = [[-176.0, -176.0, 0.0], [176.0, 176.0, 208.0]];
/// Number of faults that are reported in full.
const MAX_FAULTS: usize = 5;

/// What agents did.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Ticks of all agents.
    pub ticks: usize,
    /// Ticks that began on a mover.
    pub ridden: usize,
    /// Ticks in which a mover was in the way.
    pub pushed: usize,
    /// Times that a mover crushed an agent, and was stopped.
    pub crushed: usize,
    /// Those of them in which the oracle found a way out for an agent that takes steps to any side.
    pub tight: usize,
    /// Those of them in which this way is wider than the agent by more than the skin on both sides.
    pub escapes: usize,
    /// Largest distance of a rider, that nothing was in the way of, from its place on the mover, in units.
    pub farthest: f64,
    /// The faults found.
    pub faults: Vec<String>,
}

impl Outcome {
    /// Returns the sum of two outcomes.
    pub fn merge(mut self, other: Self) -> Self {
        self.ticks += other.ticks;
        self.ridden += other.ridden;
        self.pushed += other.pushed;
        self.crushed += other.crushed;
        self.tight += other.tight;
        self.escapes += other.escapes;
        self.farthest = self.farthest.max(other.farthest);
        self.faults.extend(other.faults);
        self.faults.truncate(MAX_FAULTS);
        self
    }
}

/// A room with models that can move.
pub struct Room {
    onion: OnionMap<Vec<u8>>,
    /// The brushes of each model, the world first.
    solids: Vec<Vec<Corners>>,
}

impl Room {
    /// Makes a room with some pillars, beams and steps.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut map = Map::new("platforms", "Mind the gap");
        map.room(ROOM[0], ROOM[1]);
        for _ in 0..4 {
            let [x, y] = [0, 1].map(|_| random.between(-170.0, 130.0).round());
            let low = [0.0, 120.0, 160.0][random.below(3)];
            let size = [0; 3].map(|_| random.between(8.0, 80.0).round());
            let maxs = [x + size[0], y + size[1], low + size[2]];
            map.cuboid(Shader::Wall, [x, y, low], maxs);
        }
        for brushes in models() {
            map.door(None, 0, brushes);
        }
        let stances = &STANCES[random.below(2)];
        let file = compiled(&made(&map), stances, |options| options.brushes = true);
        let onion = OnionMap::from_bytes(file.bytes).unwrap();
        let solids = (0..onion.n_models()).map(|model| solids_of(&onion, model));
        Self {
            solids: solids.collect(),
            onion,
        }
    }

    /// Lets one agent live among random movers, in one precision or the other.
    pub fn live(&self, seed: u64) -> Outcome {
        if seed.is_multiple_of(2) {
            Life::<f32>::new(self, seed).run()
        } else {
            Life::<f64>::new(self, seed).run()
        }
    }
}

/// Returns the brushes of models: plates, panels, a ramp, and a corner of two walls with a floor.
fn models() -> Vec<Vec<Brush>> {
    let ramp = [
        [-64.0, -48.0, 0.0],
        [64.0, -48.0, 0.0],
        [-64.0, 48.0, 0.0],
        [64.0, 48.0, 0.0],
        [64.0, -48.0, 40.0],
        [64.0, 48.0, 40.0],
    ];
    let corner = [
        Brush::cuboid([-48.0, -48.0, 0.0], [48.0, 48.0, 8.0]),
        Brush::cuboid([-48.0, -48.0, 8.0], [-40.0, 48.0, 80.0]),
        Brush::cuboid([-40.0, -48.0, 8.0], [48.0, -40.0, 80.0]),
    ];
    vec![
        vec![Brush::cuboid([-64.0, -64.0, 0.0], [64.0, 64.0, 16.0])],
        vec![Brush::cuboid([-40.0, -56.0, 0.0], [40.0, 56.0, 24.0])],
        vec![Brush::cuboid([-4.0, -64.0, 0.0], [4.0, 64.0, 96.0])],
        vec![Brush::cuboid([0.0, -3.0, 0.0], [72.0, 3.0, 104.0])],
        vec![Brush::hull(&ramp)],
        corner.to_vec(),
    ]
}

/// Returns the solid brushes of a model by their corners.
fn solids_of(map: &OnionMap<Vec<u8>>, model: usize) -> Vec<Corners> {
    let inspect = map.inspect();
    let own = inspect.brushes().filter(|brush| brush.model == model);
    let corners = own.filter_map(|brush| {
        let sides = inspect.sides(brush.number).filter(|side| !side.is_bevel);
        let planes: Vec<_> = sides.map(|side| (side.normal, side.dist)).collect();
        Corners::new(&planes)
    });
    corners.collect()
}

/// A mover that goes back and forth, and turns back and forth or on and on.
#[derive(Clone, Debug)]
struct Platform {
    model: usize,
    home: V3,
    swing: V3,
    /// Swings a second, of the origin.
    pace: f64,
    axis: Vector3<f64>,
    /// Radians a second, and the largest angle; without limit if that is infinite.
    spin: f64,
    most: f64,
    clock: f64,
    forward: f64,
    way: Way,
}

impl Platform {
    fn new(random: &mut Random) -> Self {
        let model = 1 + random.below(6);
        let [low, high] = ROOM;
        let mut home = random.point(scale(low, 0.5), scale(high, 0.5));
        home[2] = random.between(-20.0, 90.0);
        let mut swing = random.direction();
        if random.below(4) > 0 {
            swing = [0.0; 3];
            swing[[0, 1, 2, 2][random.below(4)]] = 1.0;
        }
        let reach = random.between(10.0, 110.0);
        let speed = random.between(20.0, 400.0);
        let turns = random.below(3);
        let tilts = random.below(3) == 0;
        let mut axis = Vector3::z();
        if tilts {
            axis = Vector3::from(random.direction());
        }
        let stays = turns > 0 && random.below(2) == 0;
        Self {
            model,
            home,
            swing: scale(swing, if stays { 0.0 } else { reach }),
            pace: speed / reach / 2.0,
            axis: axis.normalize(),
            spin: if turns > 0 {
                random.between(0.2, 3.0)
            } else {
                0.0
            },
            most: if tilts {
                0.4
            } else {
                [f64::INFINITY, 1.6][random.below(2)]
            },
            clock: random.between(0.0, 10.0),
            forward: 1.0,
            way: Way {
                from: home,
                to: home,
                first: UnitQuaternion::identity(),
                turn: Vector3::zeros(),
            },
        }
    }

    /// Goes on for a tick; its way begins where the last one ended.
    fn advance(&mut self, dt: f64) {
        let (from, angle) = self.place();
        self.clock += dt * self.forward;
        let (to, next) = self.place();
        self.way = Way {
            from,
            to,
            first: UnitQuaternion::from_scaled_axis(self.axis * angle),
            turn: self.axis * (next - angle),
        };
    }

    /// Stays where its way begins, and turns back.
    fn stop(&mut self, dt: f64) {
        self.clock -= dt * self.forward;
        self.forward = -self.forward;
        self.way.to = self.way.from;
        self.way.turn = Vector3::zeros();
    }

    /// Returns its origin and angle.
    fn place(&self) -> (V3, f64) {
        let wave = |phase: f64| ((phase.rem_euclid(1.0) * 4.0 - 2.0).abs() - 1.0).clamp(-1.0, 1.0);
        let angle = if self.most.is_finite() {
            self.most * wave(self.clock * self.spin / self.most / 4.0)
        } else {
            self.clock * self.spin
        };
        let angle = if self.spin == 0.0 { 0.0 } else { angle };
        let swung = scale(self.swing, wave(self.clock * self.pace / 2.0));
        (add(self.home, swung), angle)
    }

    fn mover(&self) -> Mover {
        let [from, to] = self.way.poses();
        Mover {
            model: self.model,
            from,
            to,
        }
    }

    /// Returns the place of a point that it carries, at a moment of its way.
    fn carried(&self, point: V3, moment: f64) -> V3 {
        let own = self
            .way
            .at(0.0)
            .inverse_transform_point(&Point3::from(point));
        (self.way.at(moment) * own).coords.into()
    }
}

/// An agent among movers.
struct Life<'a, T> {
    room: &'a Room,
    random: Random,
    platforms: Vec<Platform>,
    agent: Agent<T>,
    stances: Vec<HullId>,
    settings: WalkSettings,
    wish: [f64; 2],
    dt: f64,
    outcome: Outcome,
    seed: u64,
}

/// A box that the oracle follows through a tick.
struct Followed<'a> {
    platforms: &'a [Platform],
    body: MovingBox,
    carrier: Option<usize>,
    /// The solids that the box can meet, by their movers; `None` is the world.
    solids: Vec<(Option<usize>, &'a Corners)>,
    /// Upper bound on the way of any part of a mover, in units.
    fastest: f64,
}

impl<'a, T: Coordinate> Life<'a, T> {
    fn new(room: &'a Room, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let platforms: Vec<_> = (0..1 + random.below(5))
            .map(|_| Platform::new(&mut random))
            .collect();
        let stances: Vec<_> = room.onion.hulls().map(|hull| hull.id).collect();
        let rate = RATES[random.below(RATES.len())];
        let mut life = Self {
            agent: Agent::new(stances[0], [T::default(); 3]),
            room,
            platforms,
            stances,
            settings: WalkSettings::default(),
            wish: [0.0; 2],
            dt: 1.0 / rate,
            outcome: Outcome::default(),
            seed,
            random,
        };
        life.platforms
            .iter_mut()
            .for_each(|platform| platform.advance(0.0));
        life.start();
        life
    }

    /// Looks for a free place, above a mover if there is one.
    fn start(&mut self) {
        let movers = self.movers();
        for attempt in 0..100 {
            let mut place = self.random.point(ROOM[0], ROOM[1]);
            if attempt < 50 {
                let platform = &self.platforms[self.random.below(self.platforms.len())];
                let above = [0.0, 0.0, 44.0 + f64::from(attempt)];
                let beside = self.random.point([-30.0, -30.0, 0.0], [30.0, 30.0, 0.0]);
                place = add(add(platform.way.to, above), beside);
            }
            self.agent.position = place.map(T::narrow);
            let scene = Scene::new(&self.room.onion, &movers).unwrap();
            if !World::is_solid(&scene, self.agent.stance, self.agent.position) {
                return;
            }
        }
    }

    fn movers(&self) -> Vec<Mover> {
        self.platforms.iter().map(Platform::mover).collect()
    }

    fn run(mut self) -> Outcome {
        let movers = self.movers();
        let scene = Scene::new(&self.room.onion, &movers).unwrap();
        if World::is_solid(&scene, self.agent.stance, self.agent.position) {
            return self.outcome;
        }
        for tick in 0..LIFE {
            self.tick(tick);
            if !self.outcome.faults.is_empty() {
                break;
            }
        }
        self.outcome
    }

    fn tick(&mut self, tick: usize) {
        let dt = self.dt;
        self.platforms
            .iter_mut()
            .for_each(|platform| platform.advance(dt));
        let before = self.agent;
        let on = before.on_ground.map_or(0, |ground| ground.object);
        let carrier = (on as usize).checked_sub(1);
        self.outcome.ticks += 1;
        self.outcome.ridden += usize::from(carrier.is_some());
        // A mover that crushes the agent is stopped, so all of them are stopped in the end.
        for attempt in 0..=self.platforms.len() {
            let movers = self.movers();
            let scene = Scene::new(&self.room.onion, &movers).unwrap();
            let ride = self.agent.ride(&scene, &self.settings, T::narrow(self.dt));
            self.outcome.pushed += usize::from(ride.pushed_by.is_some());
            if let Err(what) = self.check(&before, carrier, ride) {
                self.fault(
                    &format!("{what} at tick {tick}, attempt {attempt}"),
                    &before,
                );
            }
            let Some(crusher) = ride.crushed_by else {
                break;
            };
            self.platforms[crusher].stop(dt);
        }
        self.walk(tick);
        let (stance, position) = (self.agent.stance, self.agent.position);
        let movers = self.movers();
        let scene = Scene::new(&self.room.onion, &movers).unwrap();
        if World::is_solid(&scene, stance, position) {
            self.fault(&format!("in solid at tick {tick}"), &before);
        }
    }

    fn walk(&mut self, tick: usize) {
        if tick.is_multiple_of(32) {
            let speed = [0.0, 0.0, 100.0, 320.0][self.random.below(4)];
            let turn = self.random.between(-PI, PI);
            self.wish = [speed * turn.cos(), speed * turn.sin()];
        }
        let movers = self.movers();
        let scene = Scene::new(&self.room.onion, &movers).unwrap();
        match self.random.below(100) {
            0 => {
                self.agent.jump(T::narrow(270.0));
            }
            1 => {
                let to = self.stances[self.random.below(self.stances.len())];
                self.agent.switch_stance(&scene, to);
            }
            _ => {}
        }
        let wish = self.wish.map(T::narrow);
        self.agent
            .walk(&scene, &self.settings, wish, T::narrow(self.dt));
    }

    /// Checks a ride, given the agent before it and the index of the mover that it stood on.
    fn check(
        &mut self,
        before: &Agent<T>,
        carrier: Option<usize>,
        ride: Ride,
    ) -> Result<(), String> {
        let hull = self.room.onion.hull(before.stance).unwrap();
        let [start, end] = [before.position, self.agent.position].map(|place| place.map(T::widen));
        let body = MovingBox::new(&hull, start, end);
        let followed = Followed::new(self.room, &self.platforms, body, carrier);
        if ride.crushed_by.is_some() {
            self.outcome.crushed += 1;
            if self.agent != *before {
                return Err("crushed, but moved".into());
            }
            self.outcome.tight += usize::from(followed.gets_out(0.0));
            self.outcome.escapes += usize::from(followed.gets_out(2.0 * SKIN));
            return Ok(());
        }
        let depth = -followed.gap_to(|_| true, end, 1.0);
        if depth > DEEP {
            return Err(format!("{depth} deep"));
        }
        let wanted = followed.carried(start, 1.0);
        let behind = length(sub(end, wanted));
        if behind <= ROUNDING {
            self.outcome.farthest = self.outcome.farthest.max(behind);
            if carrier.is_none() {
                followed.nothing_passes()?;
            }
        } else if behind > SKIN && !followed.is_obstructed() {
            return Err(format!("{behind} from its place, for no reason"));
        }
        Ok(())
    }

    fn fault(&mut self, what: &str, before: &Agent<T>) {
        let fault = format!(
            "seed {}: {what}, {} ticks a second:\nfrom {before:?}\nto {:?}\n{:#?}",
            self.seed,
            1.0 / self.dt,
            self.agent,
            self.platforms
        );
        self.outcome.faults.push(fault);
    }
}

impl<'a> Followed<'a> {
    fn new(
        room: &'a Room,
        platforms: &'a [Platform],
        body: MovingBox,
        carrier: Option<usize>,
    ) -> Self {
        let still = MovingBox {
            end: body.start,
            ..body
        };
        let speeds = platforms.iter().flat_map(|platform| {
            let solids = room.solids[platform.model].iter();
            solids.map(|solid| platform.way.speed(solid, &still))
        });
        let fastest = speeds.fold(0.0, f64::max);
        // Far enough for a box that is pushed aside twice as fast.
        let reach = length(sub(body.end, body.start)) + 4.0 * fastest + 2.0;
        let all = [None].into_iter().chain((0..platforms.len()).map(Some));
        let all = all.flat_map(|mover| {
            let model = mover.map_or(0, |mover| platforms[mover].model);
            room.solids[model].iter().map(move |solid| (mover, solid))
        });
        let is_near = |(mover, solid): &(Option<usize>, &Corners)| {
            gap(
                solid,
                &pose(platforms, *mover, 0.0),
                &body,
                body.start,
                reach,
            ) <= reach
        };
        Self {
            solids: all.filter(is_near).collect(),
            platforms,
            body,
            carrier,
            fastest,
        }
    }

    /// Returns the least gap between the box and the solids of these movers, at a moment.
    fn gap_to(&self, is_asked: impl Fn(Option<usize>) -> bool, at: V3, moment: f64) -> f64 {
        let asked = self.solids.iter().filter(|(mover, _)| is_asked(*mover));
        let gaps = asked.map(|(mover, solid)| {
            let pose = pose(self.platforms, *mover, moment);
            gap(solid, &pose, &self.body, at, 1.0)
        });
        gaps.fold(1.0, f64::min)
    }

    /// Returns the place of a point that the carrier carries, at a moment.
    fn carried(&self, point: V3, moment: f64) -> V3 {
        let carrier = self.carrier.map(|carrier| &self.platforms[carrier]);
        carrier.map_or(point, |carrier| carrier.carried(point, moment))
    }

    /// Returns the moment after this one at which the oracle looks again, given a gap that may close in between.
    fn next(&self, moment: f64, gap: f64) -> f64 {
        let step = gap.max(STEP) / (2.0 * self.fastest).max(STEP);
        if moment < 1.0 {
            (moment + step).min(1.0)
        } else {
            2.0
        }
    }

    /// Whether something comes near the box on the way that its carrier makes, or while it stands still.
    fn is_obstructed(&self) -> bool {
        let start = self.body.start;
        let is_carrier = |mover: Option<usize>| mover.is_some() && mover == self.carrier;
        let first = self.gap_to(is_carrier, start, 0.0);
        let [from, to] = [start, self.carried(start, 1.0)];
        let mut moment = 0.0;
        while moment <= 1.0 {
            let at = self.carried(start, moment);
            // The agent takes the chord.
            let chord = add(from, scale(sub(to, from), moment));
            let near = SKIN + ROUNDING + length(sub(at, chord));
            let turned = self.gap_to(is_carrier, at, moment);
            let others = self.gap_to(|mover| !is_carrier(mover), at, moment);
            if others < near || turned < first - DEEP + length(sub(at, chord)) {
                return true;
            }
            moment = self.next(moment, others - near);
        }
        false
    }

    /// Checks that no mover passes through the box while it stands still.
    fn nothing_passes(&self) -> Result<(), String> {
        let mut moment = 0.0;
        while moment <= 1.0 {
            let gap = self.gap_to(|mover| mover.is_some(), self.body.start, moment);
            if gap < -STEP {
                return Err(format!("{gap} from something at {moment}"));
            }
            moment = self.next(moment, gap);
        }
        Ok(())
    }

    /// Whether the box can give way in small steps, and keep this distance from everything or the one that it has.
    fn gets_out(&self, distance: f64) -> bool {
        let mut place = self.body.start;
        let kept: Vec<_> = self
            .solids
            .iter()
            .map(|(mover, solid)| {
                let pose = pose(self.platforms, *mover, 0.0);
                gap(solid, &pose, &self.body, place, 1.0).min(distance) - ROUNDING
            })
            .collect();
        let is_free = |at: V3, moment: f64| {
            self.solids
                .iter()
                .zip(&kept)
                .all(|((mover, solid), &kept)| {
                    gap(
                        solid,
                        &pose(self.platforms, *mover, moment),
                        &self.body,
                        at,
                        1.0,
                    ) >= kept
                })
        };
        let (mut last, mut moment) = ([0.0; 3], 0.0);
        while moment < 1.0 {
            let next = self.next(moment, STEP);
            let step = self.carrier.map_or([0.0; 3], |carrier| {
                let carrier = &self.platforms[carrier].way;
                let own = carrier
                    .at(moment)
                    .inverse_transform_point(&Point3::from(place));
                sub((carrier.at(next) * own).coords.into(), place)
            });
            moment = next;
            let mut steps = [step, last, [0.0; 3]].into_iter().chain(steps(step));
            let Some(step) = steps.find(|&step| is_free(add(place, step), moment)) else {
                return false;
            };
            last = step;
            place = add(place, step);
        }
        true
    }
}

/// Returns the pose of a mover at a moment; the world stays where it is.
fn pose(platforms: &[Platform], mover: Option<usize>, moment: f64) -> Isometry3<f64> {
    mover.map_or(Isometry3::identity(), |mover| {
        platforms[mover].way.at(moment)
    })
}

/// Returns small steps in all directions, the shortest first, alone and with the step that a carrier makes.
fn steps(carried: V3) -> impl Iterator<Item = V3> {
    static ALL: LazyLock<Vec<V3>> = LazyLock::new(|| {
        let direction = |number: i32| [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1];
        let all = (0..27).flat_map(|number| {
            [1, 2].map(|size| direction(number).map(|sign| f64::from(sign * size) * STEP))
        });
        let mut all: Vec<V3> = all.collect();
        all.sort_by(|a, b| length(*a).total_cmp(&length(*b)));
        all
    });
    let all = ALL.iter().copied();
    all.flat_map(move |step| [step, add(step, carried)])
}
