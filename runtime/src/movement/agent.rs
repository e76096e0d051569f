//! A walking agent: a wished velocity in, one tick of walking, falling, stepping and standing out.

use super::vector::{dot, raised, widened};
use super::{GROUND_REACH, Surface, Tracer};
use crate::map::HullId;

/// An agent that leaves a surface faster than this does not stand on it, in units a second: well below
/// a jump, well above what slopes and rounding do. Quake III has the same.
const LEAVING_SPEED: f64 = 10.0;

/// The shortest distance at which an agent looks for a way out of solid, in units: twice the skin of a
/// trace, so that it is clear of what it was in.
const FIRST_ESCAPE: f32 = 1.0 / 16.0;

/// How often that distance is doubled at most; up to 128 units.
const MAX_ESCAPES: usize = 12;

/// How agents move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Height of the highest step that an agent walks up or down without falling, in units; 0 for none.
    pub step_height: f32,
    /// Least vertical component of the unit normal of what an agent can stand on, 0 to 1; 0 lets it stand
    /// on anything but walls and ceilings, and slide up along anything.
    pub min_ground_z: f32,
    /// Downward acceleration of an agent in the air, in units a second squared.
    pub gravity: f32,
    /// How quickly the horizontal velocity of an agent in the air becomes the wished one, in parts a
    /// second; 0 for not at all, 1000 for at once. Much of it also holds agents on slopes too steep to
    /// stand on, where they slide the more slowly.
    pub air_control: f32,
    /// How far an agent that is in solid is moved at most to get out of it, along each axis, in units;
    /// 0 for not at all. At most 128.
    pub escape: f32,
}

impl Default for Settings {
    /// Quake III's: maps of its family are built for steps of 18 units, ground with normals from 0.7 up
    /// (45.6 degrees), gravity of 800 units a second squared and an air control of 1 a second. Agents
    /// get out of solid by half the width of its players, 16 units.
    fn default() -> Self {
        Self {
            step_height: 18.0,
            min_ground_z: 0.7,
            gravity: 800.0,
            air_control: 1.0,
            escape: 16.0,
        }
    }
}

impl Settings {
    /// Whether a surface with this normal is something to stand on.
    pub fn is_ground(&self, normal: [f32; 3]) -> bool {
        normal[2] > 0.0 && normal[2] >= self.min_ground_z
    }
}

/// An agent that walks in a world.
///
/// As far as its world keeps the promises of a [`Tracer`], an agent that is not in solid is not in
/// solid after any of its methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent {
    /// Origin of its box, in units.
    pub position: [f32; 3],
    /// Units a second.
    pub velocity: [f32; 3],
    /// What it stands on; none in the air. A game that throws an agent up or away sets it to none.
    pub on_ground: Option<Surface>,
    /// The hull that moves; see [`Agent::switch_stance`].
    pub stance: HullId,
}

impl Agent {
    /// An agent at rest in the air. If there is ground under it, it stands after the first tick.
    pub fn new(stance: HullId, position: [f32; 3]) -> Self {
        Self {
            position,
            velocity: [0.0; 3],
            on_ground: None,
            stance,
        }
    }

    /// One tick of `dt` seconds. `wish` is the horizontal velocity the agent is to have, in units a
    /// second: at once on the ground, by and by in the air. On the ground it goes along the slope, up
    /// and down steps, and stays on the ground wherever that is no lower than a step. In the air it falls.
    /// Returns the first surface that was in its way; what it stands on is in `on_ground`.
    ///
    /// An agent that is in solid is first put at a place nearby that is not; where there is none, it
    /// stays, or goes with `wish` if a trace that way comes out of the solid. Nothing moves if anything is
    /// not finite or `dt` is not above 0; if anything is not finite, the velocity becomes 0.
    ///
    /// Takes at most [`MAX_TRACES`](super::MAX_TRACES) traces and one look at a point; in solid, 312 more.
    pub fn walk<W: Tracer + ?Sized>(
        &mut self,
        world: &W,
        settings: &Settings,
        wish: [f32; 2],
        dt: f32,
    ) -> Option<Surface> {
        let input = [wish[0], wish[1], dt, settings.gravity, settings.air_control];
        let state = self.position.iter().chain(&self.velocity);
        if !state.chain(&input).all(|number| number.is_finite()) {
            self.velocity = [0.0; 3];
            return None;
        }
        if dt <= 0.0 {
            return None;
        }
        if world.is_solid(self.stance, self.position) && !self.escape(world, settings) {
            self.velocity = [wish[0], wish[1], 0.0];
            self.on_ground = None;
            return self.slide(world, settings, dt);
        }
        match self.on_ground {
            Some(ground) => self.walk_on(ground, world, settings, wish, dt),
            None => self.fall(world, settings, wish, dt),
        }
    }

    /// What the agent stands on: the surface within a quarter of a unit below it, unless that is too
    /// steep.
    pub fn ground<W: Tracer + ?Sized>(&self, world: &W, settings: &Settings) -> Option<Surface> {
        let (surface, _) = self.ground_within(GROUND_REACH, world, settings)?;
        Some(surface)
    }

    /// Leaves the ground with this vertical speed, in units a second, from the next tick on; whether the
    /// agent stood on something to jump from.
    pub fn jump(&mut self, speed: f32) -> bool {
        let stands = self.on_ground.take().is_some();
        if stands {
            self.velocity[2] = speed;
        }
        stands
    }

    /// Takes another hull, such as that of crouching, if its box fits where the agent is; whether the
    /// agent has it now. The feet stay where they are: where the lower corners of the boxes are
    /// at different heights, the origin moves up or down by the difference. Sideways the origin stays.
    pub fn switch_stance<W: Tracer + ?Sized>(&mut self, world: &W, to: HullId) -> bool {
        if to == self.stance {
            return true;
        }
        let (Some(from_mins), Some(to_mins)) = (world.mins(self.stance), world.mins(to)) else {
            return false;
        };
        let position = raised(self.position, from_mins[2] - to_mins[2]);
        let fits = !world.is_solid(to, position);
        if fits {
            (self.stance, self.position) = (to, position);
        }
        fits
    }

    fn walk_on<W: Tracer + ?Sized>(
        &mut self,
        ground: Surface,
        world: &W,
        settings: &Settings,
        wish: [f32; 2],
        dt: f32,
    ) -> Option<Surface> {
        self.velocity = along_ground(wish, ground.normal);
        let met = self.step_slide(world, settings, dt);
        let reach = settings.step_height.max(0.0) + GROUND_REACH;
        let found = self.ground_within(reach, world, settings);
        self.stand(found);
        met
    }

    fn fall<W: Tracer + ?Sized>(
        &mut self,
        world: &W,
        settings: &Settings,
        wish: [f32; 2],
        dt: f32,
    ) -> Option<Surface> {
        // Stable for any time, and so is the air control below.
        let control = settings.air_control.max(0.0) * dt;
        let control = control / (1.0 + control);
        for (speed, wished) in self.velocity.iter_mut().zip(wish) {
            *speed += (wished - *speed) * control;
        }
        // Half of the gravity before the move and half after it: how high an agent jumps does not depend
        // on the length of a tick.
        let half = 0.5 * settings.gravity * dt;
        self.velocity[2] -= half;
        let met = self.step_slide(world, settings, dt);
        self.velocity[2] -= half;
        let found = self.ground_within(GROUND_REACH, world, settings);
        let leaves = |surface: &Surface| {
            dot(widened(self.velocity), widened(surface.normal)) > LEAVING_SPEED
        };
        self.stand(found.filter(|(surface, _)| !leaves(surface)));
        met
    }

    /// Stands on ground that was found, or on none.
    fn stand(&mut self, found: Option<(Surface, [f32; 3])>) {
        if let Some((surface, position)) = found {
            let [x, y, _] = self.velocity;
            self.position = position;
            self.velocity = along_ground([x, y], surface.normal);
        }
        self.on_ground = found.map(|(surface, _)| surface);
    }

    /// Ground that is at most so many units below the agent, and where the agent stands on it.
    fn ground_within<W: Tracer + ?Sized>(
        &self,
        reach: f32,
        world: &W,
        settings: &Settings,
    ) -> Option<(Surface, [f32; 3])> {
        let below = raised(self.position, -reach);
        let contact = world.trace(self.stance, self.position, below);
        let surface = contact.surface?;
        let ground = settings.is_ground(surface.normal);
        ground.then_some((surface, contact.end_pos))
    }

    /// Puts an agent that is in solid at the nearest place found that is not; whether there is one.
    fn escape<W: Tracer + ?Sized>(&mut self, world: &W, settings: &Settings) -> bool {
        let mut distance = FIRST_ESCAPE;
        for _ in 0..MAX_ESCAPES {
            if distance > settings.escape {
                break;
            }
            for direction in DIRECTIONS {
                let [x, y, z] = self.position;
                let [right, forward, up] = direction.map(|sign| f32::from(sign) * distance);
                let place = [x + right, y + forward, z + up];
                if !world.is_solid(self.stance, place) {
                    self.position = place;
                    return true;
                }
            }
            distance *= 2.0;
        }
        false
    }
}

/// Where an agent in solid looks for a way out: to the sides, then up, then down.
const DIRECTIONS: [[i8; 3]; 26] = {
    let signs = [0, 1, -1];
    let mut directions = [[0; 3]; 26];
    let mut number = 1;
    while number < 27 {
        directions[number - 1] = [signs[number % 3], signs[number / 3 % 3], signs[number / 9]];
        number += 1;
    }
    directions
};

/// The velocity in a plane that is not vertical whose horizontal part is given, so that slopes do not
/// change how fast an agent gets on.
fn along_ground([x, y]: [f32; 2], normal: [f32; 3]) -> [f32; 3] {
    [x, y, -(x * normal[0] + y * normal[1]) / normal[2]]
}
