//! Ticks of walking agents: a map in; nanoseconds and traces a tick out, for the runtime's `Agent`, for Quake III's
//! player on the onion's traces, and for the same player on the hull check's. All start at the same places and wish
//! to go in the same directions.

use std::f64::consts::TAU;
use std::time::Instant;

use onion_runtime::movement::{Agent, Stop, WalkSettings, World};
use onion_runtime::{Aabb, HullId, OnionMap};
use onion_tests::random::Random;

use crate::hull_check::HullCheck;
use crate::onion::Onion;
use crate::pmove::Player;
use crate::rival::Rival;
use crate::rows::geometric_mean;

/// Number of walkers, and of ticks of each.
pub const WALKERS: usize = 64;
const TICKS: usize = 600;
/// Number of ticks between two changes of direction.
const STRAIGHT: usize = 40;
/// Length of a tick, in seconds.
const TICK: f64 = 1.0 / 60.0;
/// Wished speed, in units a second.
const SPEED: f64 = 320.0;
/// Every walker gets this many rounds; the best one counts.
const ROUNDS: usize = 5;

/// Nanoseconds and traces a tick.
#[derive(Clone, Copy)]
struct Cost {
    ns: f64,
    traces: f64,
}

/// A file and one of its hulls.
type Place<'a> = (&'a OnionMap<Vec<u8>>, HullId);

/// Prints a map's row and returns its ratios: a tick of `Agent` relative to one of Quake's player on our traces, and
/// one of Quake's player on the hull check relative to one of `Agent`. The hull check gets the hull `alone`.
pub fn measure(
    name: &str,
    (file, hull): Place<'_>,
    alone: Place<'_>,
    starts: &[[f32; 3]],
) -> [f64; 2] {
    let mut random = Random::new(7);
    let directions: Vec<f64> = (0..WALKERS * TICKS / STRAIGHT)
        .map(|_| random.between(0.0, TAU))
        .collect();
    let direction = |walker: usize, tick: usize| {
        let turn: f64 = directions[(walker * TICKS + tick) / STRAIGHT];
        [turn.cos(), turn.sin()]
    };
    let ours = best(|| {
        let view = file.world().view(hull);
        let settings = WalkSettings::default();
        let mut place = 0.0;
        for (walker, &start) in starts.iter().enumerate() {
            let mut agent = Agent::new(hull, start);
            for tick in 0..TICKS {
                let wish = direction(walker, tick).map(|along| (along * SPEED) as f32);
                agent.walk(&view, &settings, wish, TICK as f32);
            }
            place += agent.position[0];
        }
        place
    });
    let traces = counted(file, hull, starts, &direction);
    let onion = players(|| Onion::<false>::new(file, hull), starts, &direction);
    let check = players(|| HullCheck::new(alone.0, alone.1), starts, &direction);
    println!(
        "{name:12} Agent {:6.0} ns, {:4.2} traces; pmove {:6.0} ns, {:4.2} traces; pmove on the hull check {:6.0} ns",
        ours, traces, onion.ns, onion.traces, check.ns
    );
    [ours / onion.ns, check.ns / ours]
}

fn players<R: Rival>(
    new: impl Fn() -> R,
    starts: &[[f32; 3]],
    direction: &impl Fn(usize, usize) -> [f64; 2],
) -> Cost {
    let mut n_traces = 0;
    let ns = best(|| {
        let mut world = new();
        let mut place = 0.0;
        n_traces = 0;
        for (walker, &start) in starts.iter().enumerate() {
            let mut player = Player::new(start);
            for tick in 0..TICKS {
                player.frame(&mut world, direction(walker, tick), TICK);
            }
            place += player.at[0];
            n_traces += player.n_traces;
        }
        place
    });
    Cost {
        ns,
        traces: n_traces as f64 / (WALKERS * TICKS) as f64,
    }
}

/// Returns the nanoseconds a tick of the best round.
fn best(mut round: impl FnMut() -> f32) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        std::hint::black_box(round());
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min) / (WALKERS * TICKS) as f64 * 1e9
}

/// A world that counts traces.
struct Counted<'a>(&'a OnionMap<Vec<u8>>, std::cell::Cell<usize>);

impl World<f32> for Counted<'_> {
    fn trace(&self, hull: HullId, start: [f32; 3], end: [f32; 3]) -> Stop<f32> {
        self.1.set(self.1.get() + 1);
        World::trace(&self.0.world(), hull, start, end)
    }

    fn is_solid(&self, hull: HullId, position: [f32; 3]) -> bool {
        self.0.world().is_solid(hull, position)
    }

    fn bounds(&self, hull: HullId) -> Option<Aabb<f32>> {
        World::<f32>::bounds(&self.0.world(), hull)
    }
}

/// Counts the traces a tick of agents.
fn counted(
    file: &OnionMap<Vec<u8>>,
    hull: HullId,
    starts: &[[f32; 3]],
    direction: &impl Fn(usize, usize) -> [f64; 2],
) -> f64 {
    let world = Counted(file, Default::default());
    for (walker, &start) in starts.iter().enumerate() {
        let mut agent = Agent::new(hull, start);
        for tick in 0..TICKS {
            let wish = direction(walker, tick).map(|along| (along * SPEED) as f32);
            agent.walk(&world, &WalkSettings::default(), wish, TICK as f32);
        }
    }
    world.1.get() as f64 / (WALKERS * TICKS) as f64
}

/// Prints the geometric means of the results of [`measure`].
pub fn print_means(ratios: &[[f64; 2]]) {
    let [of_onion, of_check] = [0, 1].map(|k| geometric_mean(ratios.iter().map(|ratio| ratio[k])));
    println!(
        "Agent over pmove on our traces: {of_onion:.2}; pmove on the hull check over Agent: {of_check:.2}"
    );
}
