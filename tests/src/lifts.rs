//! Lifts (`func_plat`) as Quake III has them, written apart from the compiler: entities and the boxes around their
//! models in; where the lifts are in each tick out. A lift goes up when an agent touches a box over its middle, waits
//! until a second after the agent has left that, and goes down again.

use onion_maps::MapEntity;
use onion_runtime::{Aabb, Mover, Pose};

use crate::oracle::convex::vertices;
use crate::oracle::read_models;

/// The box that starts a lift begins this far inside of its edges, in units, and ends this far above its top.
const INSET: f64 = 33.0;
const ABOVE: f64 = 8.0;

/// Seconds that a lift waits.
const WAITS: f64 = 1.0;

/// A lift.
#[derive(Clone)]
struct Lift {
    model: usize,
    /// How far it goes down from where it is in the map, in units.
    height: f64,
    /// In units per second.
    speed: f64,
    mins: [f64; 3],
    maxs: [f64; 3],
    /// How far it is below its place in the map.
    below: f64,
    /// Seconds until it goes down.
    waits: f64,
}

/// The lifts of a map, all down at first.
#[derive(Clone, Default)]
pub struct Lifts(Vec<Lift>);

impl Lifts {
    /// Finds them in a BSP file.
    pub fn new(bytes: &[u8], entities: &[MapEntity]) -> Self {
        let models = read_models(bytes).unwrap_or_default();
        let of = |entity: &MapEntity| {
            let key = |name: &str| entity.get(name).map(String::as_str).unwrap_or_default();
            if key("classname") != "func_plat" || entity.contains_key("targetname") {
                return None;
            }
            let number = |name: &str, or: f64| key(name).parse().unwrap_or(or);
            let model = key("model").trim_start_matches('*').parse::<usize>().ok()?;
            let brushes = &models.get(model)?.brushes;
            let points = brushes.iter().filter_map(|brush| vertices(&brush.planes));
            let points: Vec<[f64; 3]> = points.flatten().collect();
            let end = |axis: usize, sign: f64| {
                let along = points.iter().map(|point| point[axis] * sign);
                along.fold(f64::NEG_INFINITY, f64::max) * sign
            };
            let [mins, maxs] = [-1.0, 1.0].map(|sign| [0, 1, 2].map(|axis| end(axis, sign)));
            let height = number("height", maxs[2] - mins[2] - number("lip", 8.0));
            Some(Lift {
                model,
                height,
                speed: number("speed", 200.0),
                mins,
                maxs,
                below: height,
                waits: 0.0,
            })
        };
        Self(entities.iter().filter_map(of).collect())
    }

    /// Returns the same lifts, up, where they wait for some seconds.
    pub fn raised(mut self, seconds: f64) -> Self {
        for lift in &mut self.0 {
            (lift.below, lift.waits) = (0.0, seconds);
        }
        self
    }

    /// Returns whether the map has no lifts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a box touches the place of a lift when the lift is down.
    pub fn are_touched(&self, agent: &Aabb<f64>) -> bool {
        self.0.iter().any(|lift| {
            (0..3).all(|axis| {
                let down = if axis == 2 { lift.height } else { 0.0 };
                agent.mins[axis] < lift.maxs[axis] - down
                    && agent.maxs[axis] > lift.mins[axis] - down
            })
        })
    }

    /// Moves them for a tick of `dt` seconds, given the box around an agent. Returns their ways.
    pub fn tick(&mut self, agent: &Aabb<f64>, dt: f64) -> Vec<Mover> {
        let pose = |below: f64| Pose::at([0.0, 0.0, -below]);
        let ticks = self.0.iter_mut().map(|lift| {
            let from = pose(lift.below);
            let is_touched = (0..3).all(|axis| {
                let [mut low, mut high] = [lift.mins[axis] + INSET, lift.maxs[axis] - INSET];
                if axis == 2 {
                    [low, high] = [lift.mins[2] - lift.height, lift.maxs[2] + ABOVE];
                } else if high <= low {
                    low = (lift.mins[axis] + lift.maxs[axis]) / 2.0;
                    high = low + 1.0;
                }
                agent.mins[axis] <= high && agent.maxs[axis] >= low
            });
            if is_touched {
                lift.waits = WAITS;
            }
            lift.waits -= dt;
            let by = if lift.waits > 0.0 {
                -lift.speed * dt
            } else {
                lift.speed * dt
            };
            lift.below = (lift.below + by).clamp(0.0, lift.height);
            Mover {
                model: lift.model,
                from,
                to: pose(lift.below),
            }
        });
        ticks.collect()
    }
}
