//! Agents that movers carry, push and crush: facts worked out by hand, at 10, 60 and 250 ticks a second and in both
//! precisions; and random scenes, which an oracle watches in small steps.

use std::f64::consts::FRAC_PI_2;

use onion_runtime::movement::{Agent, Ride, WalkSettings, World};
use onion_runtime::{Coordinate, Mover, OnionMap, Pose, Scene};
use onion_tests::effort::Cases;
use onion_tests::fixtures::{compiled, made};
use onion_tests::platforms::{Outcome, Room};
use onion_tests::samples::{Brush, Map, Shader};
use onion_tests::subject::HULLS;
use rayon::prelude::*;

type V3 = [f64; 3];
type Level = OnionMap<Vec<u8>>;

/// The distance that a trace keeps from what it hits, in units.
const MARGIN: f64 = 1.0 / 32.0;
/// Rounding error of a position in `f32` within 1,024 units of the origin, over all ticks of a test.
const ROUNDING: f64 = 1e-2;
/// Numbers of ticks a second.
const RATES: [u32; 3] = [10, 60, 250];
/// Height of an agent's origin above the ground.
const FEET: f64 = 24.0;

const PLATE: [V3; 2] = [[-64.0, -64.0, 0.0], [64.0, 64.0, 16.0]];
const PANEL: [V3; 2] = [[-4.0, -64.0, 0.0], [4.0, 64.0, 128.0]];

/// Compiles a hall of 1,024 by 1,024 by 512 units with some brushes, and models of one brush each.
fn hall(brushes: &[[V3; 2]], models: &[[V3; 2]]) -> Level {
    let mut hall = Map::new("hall", "A hall");
    hall.room([-512.0, -512.0, 0.0], [512.0, 512.0, 512.0]);
    for [mins, maxs] in brushes {
        hall.cuboid(Shader::Wall, *mins, *maxs);
    }
    for [mins, maxs] in models {
        hall.door(None, 0, vec![Brush::cuboid(*mins, *maxs)]);
    }
    let file = compiled(&made(&hall), &HULLS, |options| options.brushes = true);
    OnionMap::from_bytes(file.bytes).unwrap()
}

/// Makes a pose turned about z.
fn turned(origin: V3, angle: f64) -> Pose {
    Pose::turned(origin, [0.0, 0.0, 1.0], angle).unwrap()
}

/// A game with one agent.
struct Game<'a, T> {
    map: &'a Level,
    movers: Vec<Mover>,
    agent: Agent<T>,
    settings: WalkSettings,
    dt: f64,
}

impl<'a, T: Coordinate> Game<'a, T> {
    /// Starts with an agent at a place, and all movers at these poses.
    fn new(map: &'a Level, place: V3, poses: &[Pose], rate: u32) -> Self {
        let stand = map.find_hull("stand").unwrap();
        let movers = poses.iter().zip(1..);
        Self {
            map,
            movers: movers
                .map(|(&pose, model)| Mover::still(model, pose))
                .collect(),
            agent: Agent::new(stand, place.map(T::narrow)),
            settings: WalkSettings::default(),
            dt: 1.0 / f64::from(rate),
        }
    }

    fn scene(&self) -> Scene<'a, '_> {
        Scene::new(self.map, &self.movers).unwrap()
    }

    fn position(&self) -> V3 {
        self.agent.position.map(T::widen)
    }

    fn velocity(&self) -> V3 {
        self.agent.velocity.map(T::widen)
    }

    /// Moves the movers to these poses, and the agent with them.
    fn ride(&mut self, poses: &[Pose]) -> Ride {
        for (mover, &pose) in self.movers.iter_mut().zip(poses) {
            (mover.from, mover.to) = (mover.to, pose);
        }
        let before = self.agent;
        let scene = Scene::new(self.map, &self.movers).unwrap();
        let ride = self.agent.ride(&scene, &self.settings, T::narrow(self.dt));
        if ride.crushed_by.is_some() {
            assert_eq!(self.agent, before);
        } else {
            self.assert_free();
        }
        ride
    }

    fn walk(&mut self, wish: [f64; 2]) {
        let scene = Scene::new(self.map, &self.movers).unwrap();
        let (wish, dt) = (wish.map(T::narrow), T::narrow(self.dt));
        self.agent.walk(&scene, &self.settings, wish, dt);
    }

    /// Lets movers and agent move for some seconds; `poses` are those of the movers at a time.
    fn run(&mut self, seconds: f64, wish: [f64; 2], poses: impl Fn(f64) -> Vec<Pose>) {
        for tick in 1..=(seconds / self.dt).round() as u32 {
            let ride = self.ride(&poses(f64::from(tick) * self.dt));
            assert_eq!(ride.crushed_by, None, "{:?}", self.agent);
            self.walk(wish);
            self.assert_free();
        }
    }

    fn assert_free(&self) {
        let Agent {
            stance, position, ..
        } = self.agent;
        assert!(
            !World::is_solid(&self.scene(), stance, position),
            "{:?}",
            self.agent
        );
    }

    #[track_caller]
    fn assert_at(&self, place: V3, within: f64) {
        let position = self.position();
        let is_near = (0..3).all(|axis| (position[axis] - place[axis]).abs() <= within);
        assert!(
            is_near,
            "{position:?} is not {place:?}, {} ticks a second",
            1.0 / self.dt
        );
    }

    #[track_caller]
    fn assert_on(&self, object: u32) {
        assert_eq!(
            self.agent.on_ground.map(|ground| ground.object),
            Some(object),
            "{:?}",
            self.agent
        );
    }
}

/// Runs a check at all rates and in both precisions.
macro_rules! at_all_rates {
    ($check:ident) => {
        for rate in RATES {
            $check::<f32>(rate);
            $check::<f64>(rate);
        }
    };
}

/// In two seconds at 120 units a second the lift goes from 0 to 240, and back.
#[test]
fn a_lift_carries_its_rider_up_and_down() {
    fn check<T: Coordinate>(rate: u32) {
        let map = hall(&[], &[PLATE]);
        let mut game = Game::<T>::new(
            &map,
            [0.0, 0.0, 16.0 + FEET + MARGIN],
            &[Pose::at([0.0f64; 3])],
            rate,
        );
        game.walk([0.0; 2]);
        game.assert_on(1);
        let up = |time: f64| vec![Pose::at([0.0, 0.0, 120.0 * time])];
        game.run(2.0, [0.0; 2], up);
        game.assert_at([0.0, 0.0, 240.0 + 16.0 + FEET + MARGIN], ROUNDING);
        game.assert_on(1);
        let ground = game.agent.on_ground.unwrap();
        assert!(
            (ground.velocity[2].widen() - 120.0).abs() < 0.1,
            "{ground:?}"
        );
        assert_eq!(game.velocity(), [0.0; 3]);
        let down = |time: f64| vec![Pose::at([0.0, 0.0, 240.0 - 120.0 * time])];
        for _ in 0..1 {
            game.run(1.0, [30.0, 0.0], down);
            game.assert_at([30.0, 0.0, 120.0 + 16.0 + FEET + MARGIN], ROUNDING);
            game.assert_on(1);
        }
    }
    at_all_rates!(check);
}

/// The lift sinks at 120 units a second, 100 units below an agent that falls from rest: they meet when 400 t² = 100 +
/// 120 t, after 0.672 seconds, 180.6 units below. A tick later the agent stands, and stays on the lift.
#[test]
fn who_lands_on_a_sinking_lift_stands() {
    fn check<T: Coordinate>(rate: u32) {
        let map = hall(&[], &[PLATE]);
        let top = 320.0 + 16.0 + FEET;
        let sink = |time: f64| vec![Pose::at([0.0, 0.0, 320.0 - 120.0 * time])];
        let mut game = Game::<T>::new(&map, [0.0, 0.0, top + 100.0], &sink(0.0), rate);
        let (mut landed, mut tick) = (None, 0);
        while tick < 2 * rate {
            tick += 1;
            let time = f64::from(tick) * game.dt;
            assert_eq!(game.ride(&sink(time)).crushed_by, None);
            game.walk([0.0; 2]);
            game.assert_free();
            if game.agent.on_ground.is_some() {
                landed = landed.or(Some(time));
            }
            if landed.is_some() {
                game.assert_on(1);
                game.assert_at([0.0, 0.0, top - 120.0 * time + MARGIN], MARGIN + ROUNDING);
            }
        }
        let landed = landed.unwrap();
        assert!((landed - 0.672).abs() <= game.dt + 1e-3, "{landed}");
    }
    at_all_rates!(check);
}

/// A lift that rises at 120 units a second meets an agent that falls, and carries it from then on.
#[test]
fn a_rising_lift_catches_who_falls_on_it() {
    fn check<T: Coordinate>(rate: u32) {
        let map = hall(&[], &[PLATE]);
        let rise = |time: f64| vec![Pose::at([0.0, 0.0, 120.0 * time])];
        let mut game = Game::<T>::new(&map, [0.0, 0.0, 100.0 + 16.0 + FEET], &rise(0.0), rate);
        let mut landed = false;
        for tick in 1..=2 * rate {
            let time = f64::from(tick) * game.dt;
            assert_eq!(game.ride(&rise(time)).crushed_by, None);
            game.walk([0.0; 2]);
            landed |= game.agent.on_ground.is_some();
            if landed {
                game.assert_on(1);
                game.assert_at(
                    [0.0, 0.0, 120.0 * time + 16.0 + FEET + MARGIN],
                    MARGIN + ROUNDING,
                );
            }
        }
        assert!(landed);
    }
    at_all_rates!(check);
}

/// In 3 seconds at 200 units a second a train goes 600 units. An agent that walks across it goes along.
#[test]
fn a_train_carries_its_riders_sideways() {
    fn check<T: Coordinate>(rate: u32) {
        let map = hall(&[], &[PLATE]);
        let go = |time: f64| vec![Pose::at([-300.0 + 200.0 * time, 0.0, 0.0])];
        let mut game = Game::<T>::new(&map, [-300.0, -40.0, 16.0 + FEET + MARGIN], &go(0.0), rate);
        game.walk([0.0; 2]);
        game.run(3.0, [0.0, 25.0], go);
        game.assert_at([300.0, 35.0, 16.0 + FEET + MARGIN], ROUNDING);
        game.assert_on(1);
    }
    at_all_rates!(check);
}

/// A quarter turn about the origin takes (50, 0) to (0, 50).
#[test]
fn a_turntable_turns_its_riders() {
    fn check<T: Coordinate>(rate: u32) {
        let map = hall(&[], &[PLATE]);
        let turn = |time: f64| vec![turned([0.0; 3], FRAC_PI_2 * time)];
        let mut game = Game::<T>::new(&map, [50.0, 0.0, 16.0 + FEET + MARGIN], &turn(0.0), rate);
        game.walk([0.0; 2]);
        game.run(1.0, [0.0; 2], turn);
        game.assert_at([0.0, 50.0, 16.0 + FEET + MARGIN], ROUNDING);
        game.assert_on(1);
        // At 90 degrees a second, 50 units from the axis, the place moves at 50 pi / 2 units a second along -x.
        let velocity = game.agent.on_ground.unwrap().velocity.map(T::widen);
        assert!((velocity[0] + 50.0 * FRAC_PI_2).abs() < 0.1, "{velocity:?}");
        assert!(
            velocity[1].abs() < 0.1 && velocity[2] == 0.0,
            "{velocity:?}"
        );
    }
    at_all_rates!(check);
}

/// A jump at 270 units a second takes 2 * 270 / 800 = 0.675 seconds, in which the train goes 135 units: the agent
/// comes down where it jumped. On a lift that rises at 120 units a second it gets 390 units a second.
#[test]
fn who_jumps_keeps_the_velocity_of_the_platform() {
    fn check<T: Coordinate>(rate: u32) {
        let map = hall(&[], &[PLATE]);
        let go = |time: f64| vec![Pose::at([-300.0 + 200.0 * time, 0.0, 0.0])];
        let mut game = Game::<T>::new(&map, [-300.0, 0.0, 16.0 + FEET + MARGIN], &go(0.0), rate);
        game.settings.air_control = 0.0;
        game.walk([0.0; 2]);
        game.run(0.5, [0.0; 2], go);
        let later = |time: f64| go(0.5 + time);
        assert_eq!(game.ride(&later(game.dt)).crushed_by, None);
        assert!(game.agent.jump(T::narrow(270.0)));
        let velocity = game.velocity();
        assert!((velocity[0] - 200.0).abs() < 0.1, "{velocity:?}");
        assert_eq!([velocity[1], velocity[2]], [0.0, 270.0]);
        game.walk([0.0; 2]);
        assert!(game.agent.on_ground.is_none());
        // It is one tick of its own ahead, in which the train had carried it.
        let next = game.dt;
        game.run(1.0, [0.0; 2], |time| later(time + next));
        game.assert_on(1);
        let x = game.position()[0] - (-300.0 + 200.0 * (1.5 + next));
        assert!((0.0..=200.0 * next + 0.5).contains(&x), "{x}");

        let rise = |time: f64| vec![Pose::at([0.0, 0.0, 120.0 * time])];
        let mut game = Game::<T>::new(&map, [0.0, 0.0, 16.0 + FEET + MARGIN], &rise(0.0), rate);
        game.walk([0.0; 2]);
        assert_eq!(game.ride(&rise(game.dt)).crushed_by, None);
        game.agent.jump(T::narrow(270.0));
        assert!((game.velocity()[2] - 390.0).abs() < 0.1, "{:?}", game.agent);
        game.walk([0.0; 2]);
        let next = game.dt;
        game.run(0.3, [0.0; 2], |time| rise(time + next));
        assert!(game.agent.on_ground.is_none());
        game.run(0.7, [0.0; 2], |time| rise(time + next + 0.3));
        game.assert_on(1);
    }
    at_all_rates!(check);
}

/// Off the end of a train that goes at 200 units a second, an agent that walks back at 150 falls with 50 units a
/// second.
#[test]
fn who_walks_off_keeps_the_velocity_of_the_platform() {
    fn check<T: Coordinate>(rate: u32) {
        let map = hall(&[], &[PLATE]);
        let go = |time: f64| vec![Pose::at([-300.0 + 200.0 * time, 0.0, 200.0])];
        let mut game = Game::<T>::new(&map, [-300.0, 0.0, 216.0 + FEET + MARGIN], &go(0.0), rate);
        game.settings.air_control = 0.0;
        game.walk([0.0; 2]);
        game.run(0.4, [-150.0, 0.0], go);
        game.assert_on(1);
        game.run(0.4, [-150.0, 0.0], |time| go(0.4 + time));
        assert!(game.agent.on_ground.is_none());
        let [x, y, z] = game.velocity();
        assert!(
            (x - 50.0).abs() < 0.1 && y == 0.0 && z < 0.0,
            "{:?}",
            game.agent
        );
    }
    at_all_rates!(check);
}

/// The door's face goes from x = 4 to x = 204; the agent's box ends 16 units from its origin.
#[test]
fn a_door_pushes_who_stands_in_its_way() {
    fn check<T: Coordinate>(rate: u32) {
        let map = hall(&[], &[PANEL]);
        let close = |time: f64| vec![Pose::at([200.0 * time, 0.0, 0.0])];
        let mut game = Game::<T>::new(&map, [100.0, 10.0, FEET + MARGIN], &close(0.0), rate);
        game.walk([0.0; 2]);
        game.run(1.0, [0.0; 2], close);
        game.assert_at(
            [204.0 + 16.0 + MARGIN, 10.0, FEET + MARGIN],
            ROUNDING + MARGIN,
        );
        game.assert_on(0);
    }
    at_all_rates!(check);
}

/// A wall stops the rider of a train at x = 184; the train goes on below it, for 80 of its 128 units.
#[test]
fn a_wall_stops_the_rider_but_not_the_train() {
    fn check<T: Coordinate>(rate: u32) {
        let wall = [[200.0, -512.0, 32.0], [216.0, 512.0, 512.0]];
        let map = hall(&[wall], &[PLATE]);
        let go = |time: f64| vec![Pose::at([100.0 + 100.0 * time, 0.0, 0.0])];
        let mut game = Game::<T>::new(&map, [130.0, 0.0, 16.0 + FEET + MARGIN], &go(0.0), rate);
        game.walk([0.0; 2]);
        game.run(1.3, [0.0; 2], go);
        game.assert_at(
            [200.0 - 16.0 - MARGIN, 0.0, 16.0 + FEET + MARGIN],
            ROUNDING + MARGIN,
        );
        game.assert_on(1);
    }
    at_all_rates!(check);
}

/// The gap between door and wall becomes narrower than the box when the door's face is at 200 - 32 = 168. The game
/// stops the door there, and the agent is free.
#[test]
fn a_door_crushes_against_a_wall() {
    fn check<T: Coordinate>(rate: u32) {
        let wall = [[200.0, -512.0, 0.0], [216.0, 512.0, 512.0]];
        let far = [[300.0, 300.0, 0.0], [316.0, 316.0, 16.0]];
        let map = hall(&[wall], &[far, PANEL]);
        let close = |time: f64| vec![Pose::at([0.0; 3]), Pose::at([200.0 * time, 0.0, 0.0])];
        let mut game = Game::<T>::new(&map, [100.0, 0.0, FEET + MARGIN], &close(0.0), rate);
        game.walk([0.0; 2]);
        let mut tick = 0;
        let ride = loop {
            tick += 1;
            let ride = game.ride(&close(f64::from(tick) * game.dt));
            if ride.crushed_by.is_some() {
                break ride;
            }
            game.walk([0.0; 2]);
        };
        assert_eq!((ride.crushed_by, ride.pushed_by), (Some(1), Some(1)));
        let origin: V3 = game.movers[1].to.origin();
        let face = origin[0] + 4.0;
        assert!(
            (168.0..168.0 + 200.0 * game.dt + 1e-9).contains(&face),
            "{face}"
        );
        game.movers[1].to = game.movers[1].from;
        let scene = Scene::new(game.map, &game.movers).unwrap();
        let ride = game.agent.ride(&scene, &game.settings, T::narrow(game.dt));
        assert_eq!(ride.crushed_by, None);
        game.assert_free();
    }
    at_all_rates!(check);
}

/// A ceiling at 200 crushes the rider of a lift when its top is at 200 - 56 = 144.
#[test]
fn a_ceiling_crushes_the_rider_of_a_lift() {
    fn check<T: Coordinate>(rate: u32) {
        let ceiling = [[-200.0, -200.0, 200.0], [200.0, 200.0, 216.0]];
        let map = hall(&[ceiling], &[PLATE]);
        let rise = |time: f64| vec![Pose::at([0.0, 0.0, 120.0 * time])];
        let mut game = Game::<T>::new(&map, [0.0, 0.0, 16.0 + FEET + MARGIN], &rise(0.0), rate);
        game.walk([0.0; 2]);
        let time = |tick: u32| f64::from(tick) / f64::from(rate);
        let mut ticks = 1..=3 * rate;
        let crushed = ticks.find(|&tick| {
            let ride = game.ride(&rise(time(tick)));
            assert!(matches!(ride.crushed_by, None | Some(0)));
            ride.crushed_by.is_some() || {
                game.walk([0.0; 2]);
                false
            }
        });
        let top = 16.0 + 120.0 * time(crushed.unwrap());
        assert!(
            (144.0..144.0 + 120.0 * game.dt + 1e-9).contains(&top),
            "{top}"
        );
    }
    at_all_rates!(check);
}

/// A leaf of 64 units turns from the x axis to the y axis, and sweeps an agent out of the quarter between them.
#[test]
fn a_door_that_turns_sweeps_who_stands_in_its_way() {
    fn check<T: Coordinate>(rate: u32) {
        let leaf = [[0.0, -2.0, 0.0], [64.0, 2.0, 96.0]];
        let map = hall(&[], &[leaf]);
        let turn = |time: f64| vec![turned([0.0; 3], FRAC_PI_2 * time)];
        let mut game = Game::<T>::new(&map, [40.0, 40.0, FEET + MARGIN], &turn(0.0), rate);
        game.walk([0.0; 2]);
        game.run(1.0, [0.0; 2], turn);
        let [x, y, z] = game.position();
        assert!(x < -18.0 || y > 80.0, "{:?}", game.agent);
        assert!(
            x.hypot(y) < 110.0 && (z - FEET).abs() < 2.0 * MARGIN,
            "{:?}",
            game.agent
        );
    }
    at_all_rates!(check);
}

/// A table that tilts by 20 degrees to either side keeps its rider on it, and out of it.
#[test]
fn a_table_that_tilts_carries() {
    fn check<T: Coordinate>(rate: u32) {
        let map = hall(&[], &[PLATE]);
        let tilt = |time: f64| {
            let angle = 0.35 * (3.0 * time).sin();
            vec![Pose::turned([0.0, 0.0, 100.0], [0.0, 1.0, 0.0], angle).unwrap()]
        };
        let mut game = Game::<T>::new(&map, [40.0, 0.0, 116.0 + FEET + MARGIN], &tilt(0.0), rate);
        game.walk([0.0; 2]);
        for tick in 1..=5 * rate {
            let ride = game.ride(&tilt(f64::from(tick) * game.dt));
            assert_eq!(ride.crushed_by, None);
            game.walk([0.0; 2]);
            game.assert_free();
            game.assert_on(1);
        }
    }
    at_all_rates!(check);
}

/// Nothing moves, and nothing panics.
#[test]
fn numbers_that_are_none_move_nothing() {
    let map = hall(&[], &[PLATE]);
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 0.0, -1.0];
    let place = [0.0, 0.0, 16.0 + FEET + MARGIN];
    for number in odd {
        let mut game = Game::<f64>::new(&map, place, &[Pose::at([0.0f64; 3])], 60);
        game.walk([0.0; 2]);
        let before = game.agent;
        game.movers[0].to = Pose::at([0.0, 0.0, 1.0]);
        let scene = Scene::new(&map, &game.movers).unwrap();
        if !(number.is_finite() && number > 0.0) {
            assert_eq!(
                game.agent.ride(&scene, &game.settings, number),
                Ride::default()
            );
            assert_eq!(game.agent, before);
        }
        for axis in 0..3 {
            let mut movers = game.movers.clone();
            let mut origin = [0.0; 3];
            origin[axis] = number;
            movers[0].to = Pose::at(origin);
            let scene = Scene::new(&map, &movers).unwrap();
            let mut agent = before;
            let ride = agent.ride(&scene, &game.settings, 0.1);
            let is_far = !number.is_finite() || number > 1e9;
            assert_eq!(ride.crushed_by.is_some(), is_far, "{number} {ride:?}");
            let mut agent = before;
            agent.position[axis] = number;
            let _ = agent.ride(&scene, &game.settings, 0.1);
            agent.velocity[axis] = number;
            agent.on_ground = None;
            let _ = agent.ride(&scene, &game.settings, 0.1);
        }
    }
}

/// Number of ticks of random agents.
const TICKS: Cases = Cases::new(100_000, 10_000_000);
/// Number of rooms that they live in.
const ROOMS: u64 = 6;

#[test]
fn random_riders_are_where_the_oracle_has_them() {
    let rooms: Vec<_> = (0..ROOMS).into_par_iter().map(Room::new).collect();
    let lives = (0..TICKS.count().div_ceil(200) as u64).into_par_iter();
    let live = |seed: u64| rooms[(seed / 2 % ROOMS) as usize].live(seed);
    let outcome = lives.map(live).reduce(Outcome::default, Outcome::merge);
    println!("{outcome:?}");
    assert!(outcome.faults.is_empty(), "{}", outcome.faults.join("\n"));
    assert!(outcome.ticks >= TICKS.count(), "{outcome:?}");
    // Otherwise the test is empty.
    let Outcome {
        ridden,
        pushed,
        crushed,
        ..
    } = outcome;
    assert!(
        ridden > TICKS.count() / 10 && pushed > TICKS.count() / 50,
        "{outcome:?}"
    );
    assert!(crushed > TICKS.count() / 1_000, "{outcome:?}");
}
