//! An agent among movers: the movers go through a tick, and carry and push the agent. A rider makes the motion of the
//! mover that it stands on; whatever meets it on the way changes its motion to the nearest one that goes into nothing.
//! The behavior is that of Quake's `SV_Push`, without its blocked riders that could slide along a wall.

use super::agent::Agent;
use super::limits::{MAX_PUSHES, MAX_PUSHES_AT_ONCE};
use super::pushes::{Push, Pushes};
use super::settings::WalkSettings;
use super::world::{Footing, Ground, World};
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::segment::point_at;
use crate::math::vector::{Vector, add, along, dot, scale, sub};
use crate::scene::Scene;
use crate::scene::mover::Mover;
use crate::tolerance::{AT_ONCE, LEAVING_SPEED, NUDGE};

/// What the movers of a scene did to an agent in a tick. Needs the feature `shapes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use = "an agent that is crushed is in solid"]
pub struct Ride {
    /// Index in the scene of the mover that would end the tick inside the agent, which has no room to give way;
    /// otherwise `None`.
    pub crushed_by: Option<usize>,
    /// Index in the scene of the last mover that was in the agent's way or had the agent in its way, or `None`.
    pub pushed_by: Option<usize>,
}

/// The way of an agent through a tick.
struct Pushed {
    /// Its last position, in units.
    position: Vector,
    /// The planes that it met.
    pushes: Pushes,
    /// The last mover that it met.
    pushed_by: Option<usize>,
    /// The mover that comes through its last position.
    crushed_by: Option<usize>,
}

impl<T: Coordinate> Agent<T> {
    /// Moves the agent with the movers of a scene, from the beginning of a tick of `dt` seconds to its end, before it
    /// walks. The mover that it stands on carries it, however fast this sinks; a mover that meets it pushes it. Around
    /// what is in its way it slides, but it takes no steps. Needs the feature `shapes`.
    ///
    /// The agent is not in solid afterwards, with the movers where their ways end, unless it was before, or is
    /// crushed. An agent that is [crushed](Ride::crushed_by) has not moved, so a game can stop the mover
    /// (`mover.to = mover.from`) and repeat the call, or let it go on and take the agent's health; an agent that is
    /// then in solid gets out when it walks, if there is a free position nearby.
    ///
    /// An agent on a mover gets the velocity of this place of the mover as that of its [ground](Ground::velocity),
    /// and keeps it when it jumps or walks off. In the air, a push changes its velocity so that it does not go into
    /// the mover, and it lands on ground that it does not leave.
    ///
    /// Takes at most [`MAX_PUSHES`] traces and one more, and five point queries. Nothing moves if any number is not
    /// finite or `dt` is not above 0.
    pub fn ride(&mut self, scene: &Scene<'_, '_>, settings: &WalkSettings, dt: T) -> Ride {
        let (start, time) = (widened(self.position), dt.widen());
        let velocity = widened(self.velocity);
        let mut numbers = start.into_iter().chain(velocity);
        if !numbers.all(f64::is_finite) || !time.is_finite() || time <= 0.0 {
            return Ride::default();
        }
        let Pushed {
            position,
            pushes,
            pushed_by,
            crushed_by,
        } = self.pushed(scene, start);
        let ground = self.on_ground.map(|ground| widened(ground.normal));
        // Away from everything that it met, its ground included.
        let outward = add(&pushes.outward(), &ground.unwrap_or_default());
        // Rounding may have put it into solid, if it was already nearer than the margin.
        let positions =
            [0.0, NUDGE, 2.0 * NUDGE].map(|by| narrowed(along(&position, &outward, by)));
        let is_free = |position: &[T; 3]| !World::<T>::is_solid(scene, self.stance, *position);
        let free = positions.into_iter().find(is_free);
        let Some(free) = free.filter(|_| crushed_by.is_none()) else {
            // If no mover comes through its last position, the one counts that ends in it, or in the position where it
            // began.
            let holder = |position| scene.holder(1.0, self.stance, position, 1.0);
            let crushed_by = crushed_by
                .or_else(|| holder(position))
                .or_else(|| holder(start));
            return Ride {
                crushed_by,
                pushed_by,
            };
        };
        self.position = free;
        match &mut self.on_ground {
            Some(ground) => ground.velocity = velocity_of(scene, ground.object, free, time),
            None => self.throw(scene, settings, &pushes, time),
        }
        Ride {
            crushed_by: None,
            pushed_by,
        }
    }

    /// Follows the agent through the tick.
    fn pushed(&self, scene: &Scene<'_, '_>, start: Vector) -> Pushed {
        let carrier = self
            .on_ground
            .and_then(|ground| mover(scene, ground.object));
        let (mut position, mut moment, mut pushes) = (start, 0.0, Pushes::default());
        let (mut pushed_by, mut at_once) = (None, 0);
        for _ in 0..MAX_PUSHES {
            let left = 1.0 - moment;
            // Where its own mover would carry it, from here on.
            let wanted = carrier.map_or(position, |mover| mover.carried(position, moment));
            let motion = pushes.allow(sub(&wanted, &position), left);
            let ends = [position, add(&position, &motion)];
            let trace = scene.trace_after(moment, self.stance, ends[0], ends[1]);
            let met_at = moment + left * trace.hit_fraction;
            position = trace.end_pos;
            moment += left * trace.fraction;
            // Planes that are met without time going by are limited, because an agent between two movers may meet them
            // in turns forever.
            let gets_on = left * trace.fraction > AT_ONCE;
            at_once = if gets_on { 0 } else { at_once + 1 };
            let Some(normal) = trace.normal else {
                moment = 1.0;
                break;
            };
            if at_once > MAX_PUSHES_AT_ONCE {
                break;
            }
            pushed_by = trace.mover.or(pushed_by);
            let point = point_at(&ends, trace.hit_fraction);
            let motion = trace
                .mover
                .map(|number| scene.push_of(number, self.stance, (point, normal), met_at));
            pushes.add(Push {
                normal,
                motion: motion.unwrap_or_default(),
                mover: trace.mover,
                footing: trace.hit.map(Footing::from),
            });
        }
        // It has not found a way to the end. It stays, unless a mover comes through its position.
        let rest = scene.trace_after(moment, self.stance, position, position);
        Pushed {
            position,
            pushes,
            pushed_by,
            crushed_by: rest.mover,
        }
    }

    /// Changes the velocity of an agent in the air that movers pushed, and lets it land on one of them.
    fn throw(
        &mut self,
        scene: &Scene<'_, '_>,
        settings: &WalkSettings,
        pushes: &Pushes,
        time: f64,
    ) {
        let motion = scale(&widened(self.velocity), time);
        let mut grounds = pushes.iter().filter(|push| {
            let leaving = dot(&motion, &push.normal) - push.motion;
            push.mover.is_some()
                && settings.is_ground(push.normal)
                && leaving <= LEAVING_SPEED * time
        });
        // The latest one: it may have been carried off an earlier one.
        if let Some(ground) = grounds.next_back() {
            let object = object(ground.mover);
            let velocity = velocity_of(scene, object, self.position, time);
            // On the ground, velocities are those relative to the ground.
            let relative = sub(&widened(self.velocity), &widened(velocity));
            self.velocity = narrowed(relative);
            self.on_ground = Some(Ground {
                normal: narrowed(ground.normal),
                object,
                velocity,
                footing: ground.footing,
            });
        } else if pushes.iter().len() > 0
            && let Some(motion) = pushes.nearest(motion, 1.0)
        {
            self.velocity = narrowed(scale(&motion, 1.0 / time));
        }
    }
}

/// Returns the number of a mover as that of an object. A scene has fewer movers than `u32` has values.
pub(super) fn object(mover: Option<usize>) -> u32 {
    mover.map_or(0, |mover| mover as u32 + 1)
}

/// Returns the mover with this number of an object.
fn mover<'m>(scene: &Scene<'_, 'm>, object: u32) -> Option<&'m Mover> {
    scene.movers.get((object as usize).checked_sub(1)?)
}

/// Returns the velocity of a point of an object at the end of a tick.
fn velocity_of<T: Coordinate>(
    scene: &Scene<'_, '_>,
    object: u32,
    point: [T; 3],
    time: f64,
) -> [T; 3] {
    let motion = mover(scene, object).map(|mover| mover.motion_at(widened(point)));
    narrowed(scale(&motion.unwrap_or_default(), 1.0 / time))
}
