//! A walking agent moves for one tick at a wished velocity: it walks, steps up, falls or stands, and finds the ground
//! that it stands on.

use super::limits::{LONGEST_PART, MAX_PARTS};
use super::settings::WalkSettings;
use super::world::{Ground, World};
use crate::file::hull::HullId;
use crate::fit::with_feet_of;
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::vector::{add, dot, sub};
use crate::tolerance::{AT_REST, FIRST_UNSTICK, GROUND_REACH, LEAVING_SPEED, SAME_ANGLE};

/// Number of distances at which an agent looks for a way out of solid. Each is twice the previous one; the last is
/// 128 units.
const MAX_UNSTICKS: usize = 12;

/// An agent that walks in a world.
///
/// If the world keeps the promises of a [`World`], none of the methods puts an agent into solid that is not in solid
/// already.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent<T> {
    /// Origin of its box, in units.
    pub position: [T; 3],
    /// Velocity, in units per second: on the ground relative to the ground, in the air relative to the world.
    pub velocity: [T; 3],
    /// The ground that it stands on; `None` in the air. A game that throws an agent up or away sets this to `None`.
    pub on_ground: Option<Ground<T>>,
    /// The hull that moves; see [`Agent::switch_stance`].
    pub stance: HullId,
}

impl<T: Coordinate> Agent<T> {
    /// Returns an agent at rest in the air. If there is ground under it, it stands after the first tick.
    pub fn new(stance: HullId, position: impl Into<[T; 3]>) -> Self {
        Self {
            position: position.into(),
            velocity: [T::default(); 3],
            on_ground: None,
            stance,
        }
    }

    /// Moves the agent for one tick of `dt` seconds. `wish_velocity` is the horizontal velocity that the agent should
    /// have, in units per second: it takes effect at once on the ground, gradually in the air. On the ground, the
    /// agent follows slopes, goes up and down steps, and stays on the ground as long as the ground drops by no more
    /// than a step. In the air it falls. Returns the first surface in its way; `on_ground` holds the ground that it
    /// stands on.
    ///
    /// An agent in solid is first put at a free position nearby. If there is none, it stays, or moves with
    /// `wish_velocity` if a trace in that direction gets out of the solid. Nothing moves if any input is not finite
    /// or `dt` is not above 0; if any input is not finite, the velocity becomes 0.
    ///
    /// A tick takes at most [`MAX_TRACES`](super::MAX_TRACES) traces, one point query and a hit query for each search
    /// for ground, at most nine; in solid, 312 more point queries.
    pub fn walk<W: World<T> + ?Sized>(
        &mut self,
        world: &W,
        settings: &WalkSettings,
        wish_velocity: impl Into<[T; 2]>,
        dt: T,
    ) -> Option<Ground<T>> {
        let wish = wish_velocity.into();
        if !self.stop_if_not_finite(settings, &wish, dt) {
            return None;
        }
        if !self.ensure_free(world, settings) {
            // A trace that starts in solid gets out if its way does, so a slide may free the agent.
            self.velocity = [wish[0], wish[1], T::default()];
            self.on_ground = None;
            return self.slide(world, settings, dt);
        }
        match self.on_ground {
            Some(ground) => self.walk_on(ground, world, settings, wish, dt),
            None => self.fall(world, settings, wish, dt),
        }
    }

    /// Stops an agent if any number of its tick is not finite: a velocity that is not finite would never end. Whether
    /// the tick moves it, which also takes time.
    pub(super) fn stop_if_not_finite(
        &mut self,
        settings: &WalkSettings,
        wish: &[T],
        dt: T,
    ) -> bool {
        let constants = [settings.gravity, settings.air_control].map(f64::from);
        let state = [self.position, self.velocity];
        let numbers = wish.iter().chain([&dt]).chain(state.as_flattened());
        let mut numbers = numbers.map(|number| number.widen()).chain(constants);
        let are_finite = numbers.all(f64::is_finite);
        if !are_finite {
            self.velocity = [T::default(); 3];
        }
        are_finite && dt > T::default()
    }

    /// Moves an agent that is in solid to a free position nearby. Whether it is free now.
    pub(super) fn ensure_free<W: World<T> + ?Sized>(
        &mut self,
        world: &W,
        settings: &WalkSettings,
    ) -> bool {
        !world.is_solid(self.stance, self.position) || self.unstick(world, settings)
    }

    /// Returns the ground under the agent: the surface at most a quarter of a unit below it, or `None` if there is
    /// none or it is too steep.
    pub fn ground<W: World<T> + ?Sized>(
        &self,
        world: &W,
        settings: &WalkSettings,
    ) -> Option<Ground<T>> {
        let (ground, _) = self.ground_within(T::narrow(GROUND_REACH), world, settings)?;
        Some(ground)
    }

    /// Makes the agent leave the ground with this vertical speed, in units per second, from the next tick on. Returns
    /// whether it stood on ground to jump from. The velocity of the ground is added to its own.
    pub fn jump(&mut self, speed: T) -> bool {
        let Some(ground) = self.on_ground.take() else {
            return false;
        };
        let [x, y, _] = self.velocity;
        // In the air, velocities are those in the world.
        self.velocity = ground.velocity_in_world([x, y, speed]);
        true
    }

    /// Switches to another hull, such as that for crouching, if its box fits where the agent is. Whether the
    /// agent has that hull now. The feet stay where they are: if the lower corners of the boxes are at different
    /// heights, the origin moves up or down by the difference. It does not move sideways.
    pub fn switch_stance<W: World<T> + ?Sized>(&mut self, world: &W, to: HullId) -> bool {
        if to == self.stance {
            return true;
        }
        let (Some(from), Some(other)) = (world.bounds(self.stance), world.bounds(to)) else {
            return false;
        };
        let position = with_feet_of(self.position, from.mins[2], other.mins[2]);
        let fits = !world.is_solid(to, position);
        if fits {
            (self.stance, self.position) = (to, position);
        }
        fits
    }

    /// Moves for a tick on the ground. If something is in the way, or the ground drops too far, a long tick is walked
    /// in parts, so that the agent can take several steps of a stair.
    fn walk_on<W: World<T> + ?Sized>(
        &mut self,
        ground: Ground<T>,
        world: &W,
        settings: &WalkSettings,
        wish: [T; 2],
        dt: T,
    ) -> Option<Ground<T>> {
        // All of it at once first, because most ticks meet nothing and are done.
        let start = *self;
        let met = self.walk_part(ground, world, settings, wish, dt);
        let n_parts = parts_of(wish.map(|speed| (speed * dt).widen()));
        if n_parts == 1 || (met.is_none() && self.on_ground.is_some()) {
            return met;
        }
        *self = start;
        let mut met = None;
        for part in 0..n_parts {
            let of_tick = |parts: usize| dt * T::narrow(parts as f64 / n_parts as f64);
            // It has walked over an edge, and falls for what is left of the tick.
            let Some(ground) = self.on_ground else {
                let left = of_tick(n_parts - part);
                let fallen = self.fall(world, settings, wish, left);
                return met.or(fallen);
            };
            let walked = self.walk_part(ground, world, settings, wish, of_tick(1));
            met = met.or(walked);
        }
        met
    }

    /// Moves for a part of a tick on the ground: slides and steps at the wished velocity along the ground, then looks
    /// for ground within a step below. An agent that obstacles only push about stays where it is.
    fn walk_part<W: World<T> + ?Sized>(
        &mut self,
        ground: Ground<T>,
        world: &W,
        settings: &WalkSettings,
        wish: [T; 2],
        dt: T,
    ) -> Option<Ground<T>> {
        let start = self.position;
        self.velocity = along_ground(wish, ground.normal);
        let met = self.step_slide(world, settings, dt);
        if met.is_some() && !self.gets_on(start, wish, dt) {
            (self.position, self.velocity) = (start, [T::default(); 3]);
        }
        // As deep as a step is high, so that it walks down stairs instead of falling from tread to tread.
        let reach = f64::from(settings.step_height.max(0.0)) + GROUND_REACH;
        let found = self.ground_within(T::narrow(reach), world, settings);
        self.stand(found);
        met
    }

    /// Whether the agent advanced in the direction that obstacles leave it, or went some way into a corner where they
    /// leave it next to none. Otherwise it was only pushed off the obstacles, and would jitter.
    fn gets_on(&self, start: [T; 3], wish: [T; 2], dt: T) -> bool {
        let [way_x, way_y, _] = sub(&widened(self.position), &widened(start));
        let got_on = |[x, y]: [f64; 2]| way_x * x + way_y * y;
        let squared = |[x, y]: [f64; 2]| x * x + y * y;
        let [x, y, _] = widened(self.velocity);
        let wish = wish.map(T::widen);
        // Obstacles leave it no velocity to speak of: then it stays, unless the way into the corner is long enough to
        // see.
        if squared([x, y]) <= SAME_ANGLE * SAME_ANGLE * squared(wish) {
            let way = got_on(wish);
            return way > 0.0 && way * way > AT_REST * AT_REST * squared(wish);
        }
        got_on([x, y]) > SAME_ANGLE * SAME_ANGLE * dt.widen() * squared([x, y])
    }

    /// Moves for a tick, or for the rest of one, in the air, and lands if there is ground.
    fn fall<W: World<T> + ?Sized>(
        &mut self,
        world: &W,
        settings: &WalkSettings,
        wish: [T; 2],
        dt: T,
    ) -> Option<Ground<T>> {
        let [gravity, air_control] = [settings.gravity, settings.air_control.max(0.0)]
            .map(|constant| T::narrow(f64::from(constant)));
        // The implicit form `c / (1 + c)` keeps air control stable for any `dt`.
        let control = air_control * dt;
        let control = control / (T::narrow(1.0) + control);
        for (speed, wished) in self.velocity.iter_mut().zip(wish) {
            *speed = *speed + (wished - *speed) * control;
        }
        // Half of the gravity before the move and half after it, so that the height of a jump does not depend on the
        // length of a tick.
        let half = T::narrow(0.5) * gravity * dt;
        self.velocity[2] = self.velocity[2] - half;
        let met = self.step_slide(world, settings, dt);
        self.velocity[2] = self.velocity[2] - half;
        let found = self.ground_within(T::narrow(GROUND_REACH), world, settings);
        // In the first ticks of a jump, the ground is still within reach.
        let leaves = |ground: &Ground<T>| {
            dot(&widened(self.velocity), &widened(ground.normal)) > LEAVING_SPEED
        };
        self.stand(found.filter(|(ground, _)| !leaves(ground)));
        met
    }

    /// Stands on the ground that was found, or on none. An agent that leaves a mover keeps the velocity of the mover.
    pub(super) fn stand(&mut self, found: Option<(Ground<T>, [T; 3])>) {
        let last = self.on_ground.take();
        let Some((ground, position)) = found else {
            if let Some(last) = last {
                self.velocity = last.velocity_in_world(self.velocity);
            }
            return;
        };
        let [x, y, _] = self.velocity;
        self.position = position;
        self.velocity = along_ground([x, y], ground.normal);
        // Traces do not know how fast the ground moves; what the last ride found still holds on the same object.
        let same = last.filter(|last| last.object == ground.object);
        let velocity = same.map_or(ground.velocity, |last| last.velocity);
        self.on_ground = Some(Ground { velocity, ..ground });
    }

    /// Returns the ground that is at most `reach` units below the agent, and the agent's position on it.
    pub(super) fn ground_within<W: World<T> + ?Sized>(
        &self,
        reach: T,
        world: &W,
        settings: &WalkSettings,
    ) -> Option<(Ground<T>, [T; 3])> {
        let below = raised(self.position, -reach);
        let stop = world.trace_ground(self.stance, self.position, below);
        let ground = stop.met?;
        let is_ground = settings.is_ground(ground.normal);
        // A surface that is too steep to stand on hides the ground below it.
        is_ground.then_some((ground, stop.end_pos))
    }

    /// Moves an agent that is in solid to the nearest free position found. Whether there is one.
    fn unstick<W: World<T> + ?Sized>(&mut self, world: &W, settings: &WalkSettings) -> bool {
        let mut distance = FIRST_UNSTICK;
        for _ in 0..MAX_UNSTICKS {
            if distance > f64::from(settings.max_unstick) {
                break;
            }
            for direction in DIRECTIONS {
                let step = direction.map(|sign| f64::from(sign) * distance);
                let position = narrowed(add(&widened(self.position), &step));
                if !world.is_solid(self.stance, position) {
                    self.position = position;
                    return true;
                }
            }
            distance *= 2.0;
        }
        false
    }
}

/// Directions in which an agent in solid looks for a way out: to the sides, then up, then down.
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

/// Returns the number of parts of at most [`LONGEST_PART`] that a tick of this displacement is walked in.
fn parts_of([x, y]: [f64; 2]) -> usize {
    let is_short = |&n_parts: &usize| {
        let longest = LONGEST_PART * n_parts as f64;
        x * x + y * y <= longest * longest
    };
    // Squares are compared, because `core` has no root.
    (1..MAX_PARTS).find(is_short).unwrap_or(MAX_PARTS)
}

/// Returns the velocity along a plane that is not vertical, given its horizontal part, so that slopes do not change
/// the speed at which an agent advances.
pub(super) fn along_ground<T: Coordinate>([x, y]: [T; 2], normal: [T; 3]) -> [T; 3] {
    [x, y, -(x * normal[0] + y * normal[1]) / normal[2]]
}

/// Returns a position straight above another, or below it if `height` is negative.
pub(super) fn raised<T: Coordinate>([x, y, z]: [T; 3], height: T) -> [T; 3] {
    [x, y, z + height]
}
