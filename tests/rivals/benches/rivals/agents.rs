//! Simulated players: a map and a hull in, every trace that an engine makes while they walk out. A frame looks for
//! ground, slides along obstacles, and, if they block an agent on the ground, tries again a step higher (up, forward,
//! down), as Quake III's `PM_StepSlideMove` does; agents that get no farther turn.

use onion_runtime::{HullId, OnionMap};
use onion_tests::queries::{along, dot};
use onion_tests::random::Random;

use crate::rival::Segment;

/// Length of a frame, in seconds.
const FRAME: f64 = 1.0 / 60.0;
/// Speed in units a second: Quake III's `g_speed`.
const SPEED: f64 = 320.0;
/// Gravity in units a second squared: Quake III's `g_gravity`.
const GRAVITY: f64 = 800.0;
/// Speed of a jump in units a second: Quake III's `JUMP_VELOCITY`.
const JUMP: f64 = 270.0;
/// Height of a step, in units: Quake III's `STEPSIZE`.
const STEP: f64 = 18.0;
/// Largest distance of the ground below an agent, in units.
const GROUND: f64 = 0.25;
/// Vertical component of the steepest ground's normal: Quake III's `MIN_WALK_NORMAL`.
const WALKABLE: f64 = 0.7;
/// Limit on the traces of one slide: Quake III's `numbumps`.
const BUMPS: usize = 4;
/// An agent that gets less than this fraction of the way changes its direction.
const BLOCKED: f64 = 0.25;
/// An agent jumps in one of this many frames.
const FRAMES_A_JUMP: usize = 100;

/// An agent and its traces.
pub struct Agent<'a> {
    map: &'a OnionMap<Vec<u8>>,
    hull: HullId,
    /// Its position.
    pub at: [f32; 3],
    /// Direction of its walk, in radians.
    heading: f64,
    /// Vertical speed, in units a second.
    rise: f64,
    /// Its traces, in order.
    pub traces: Vec<Segment>,
    /// Its positions at the end of each frame.
    pub places: Vec<[f32; 3]>,
}

/// The result of a move.
struct Moved {
    end: [f32; 3],
    normal: Option<[f64; 3]>,
    fraction: f64,
}

impl<'a> Agent<'a> {
    /// Makes an agent at a place that is not solid.
    pub fn new(
        map: &'a OnionMap<Vec<u8>>,
        hull: HullId,
        at: [f32; 3],
        random: &mut Random,
    ) -> Self {
        Self {
            map,
            hull,
            at,
            heading: random.between(0.0, std::f64::consts::TAU),
            rise: 0.0,
            traces: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Walks for one frame.
    pub fn walk(&mut self, random: &mut Random) {
        let below = self.trace(self.at, [0.0, 0.0, -GROUND]);
        let on_ground = below.normal.is_some_and(|normal| normal[2] > WALKABLE);
        self.heading += random.between(-0.05, 0.05);
        self.rise = match on_ground {
            true if random.below(FRAMES_A_JUMP) == 0 => JUMP,
            true => 0.0,
            false => self.rise - GRAVITY * FRAME,
        };
        let forward = [self.heading.cos() * SPEED, self.heading.sin() * SPEED];
        let motion = [forward[0], forward[1], self.rise].map(|speed| speed * FRAME);
        let (mut end, blocked) = self.slide(self.at, motion);
        if blocked && on_ground {
            let up = self.trace(self.at, [0.0, 0.0, STEP]).end;
            let (over, _) = self.slide(up, motion);
            let height = f64::from(over[2] - self.at[2]).max(0.0);
            let down = self.trace(over, [0.0, 0.0, -height]);
            if self.distance_to(down.end) > self.distance_to(end) {
                end = down.end;
            }
        }
        if self.distance_to(end) < BLOCKED * SPEED * FRAME {
            self.heading = random.between(0.0, std::f64::consts::TAU);
        }
        self.at = end;
        self.places.push(end);
    }

    fn distance_to(&self, place: [f32; 3]) -> f64 {
        f64::from(place[0] - self.at[0]).hypot(f64::from(place[1] - self.at[1]))
    }

    /// Moves along obstacles, and returns whether there were any.
    fn slide(&mut self, from: [f32; 3], mut motion: [f64; 3]) -> ([f32; 3], bool) {
        let (mut at, mut blocked) = (from, false);
        for _ in 0..BUMPS {
            let moved = self.trace(at, motion);
            at = moved.end;
            let Some(normal) = moved.normal else {
                break;
            };
            blocked = true;
            let left = motion.map(|component| component * (1.0 - moved.fraction));
            motion = along(left, normal, -dot(left, normal));
        }
        (at, blocked)
    }

    fn trace(&mut self, from: [f32; 3], motion: [f64; 3]) -> Moved {
        let end = along(from.map(f64::from), motion, 1.0).map(|x| x as f32);
        self.traces.push([from, end]);
        let trace = self.map.world().trace(self.hull, from, end);
        Moved {
            end: trace.end_pos,
            normal: trace.plane.map(|plane| plane.normal.map(f64::from)),
            fraction: trace.fraction,
        }
    }
}
