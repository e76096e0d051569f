//! Agents that swim, climb or fly: ticks at a wished velocity in any direction, without gravity, and the depth of an
//! agent in water. The levels of water are those of Quake III's `PM_SetWaterLevel`, the movement is that of its
//! `PM_WaterMove` without friction.

use super::agent::{Agent, raised};
use super::settings::WalkSettings;
use super::world::{Ground, World};
use crate::math::coordinate::Coordinate;
use crate::tolerance::GROUND_REACH;

/// The depth of an agent in a liquid, as Quake III's players know it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum WaterLevel {
    /// Its feet are dry.
    #[default]
    Dry = 0,
    /// Its feet are in the liquid: it walks.
    Feet = 1,
    /// It is in the liquid to the waist: it swims.
    Waist = 2,
    /// Its eyes are under the surface.
    Eyes = 3,
}

/// The heights that are asked for liquid, as parts of the height of the box from the feet up. Quake III asks 1, 25
/// and 50 units above the feet of a box of 56 units.
const LEVELS: [(f64, WaterLevel); 3] = [
    (1.0 / 32.0, WaterLevel::Feet),
    (1.0 / 2.0, WaterLevel::Waist),
    (7.0 / 8.0, WaterLevel::Eyes),
];

impl<T: Coordinate> Agent<T> {
    /// Moves the agent for one tick of `dt` seconds in any direction, without gravity: in water, on a ladder, or in the
    /// air if it flies. `wish_velocity` is the velocity that it should have, in units per second: it takes effect at
    /// once. The agent slides along walls, steps up as it does when it walks unless it rises, and stands on ground
    /// that it sinks to. Returns the first surface in its way.
    ///
    /// Agents in solid, input that is not finite and the number of traces are as for [`Agent::walk`].
    pub fn swim<W: World<T> + ?Sized>(
        &mut self,
        world: &W,
        settings: &WalkSettings,
        wish_velocity: impl Into<[T; 3]>,
        dt: T,
    ) -> Option<Ground<T>> {
        let wish = wish_velocity.into();
        if !self.stop_if_not_finite(settings, &wish, dt) {
            return None;
        }
        let is_free = self.ensure_free(world, settings);
        (self.velocity, self.on_ground) = (wish, None);
        if !is_free {
            return self.slide(world, settings, dt);
        }
        let met = self.step_slide(world, settings, dt);
        if wish[2] <= T::default() {
            self.stand(self.ground_within(T::narrow(GROUND_REACH), world, settings));
        }
        met
    }

    /// Returns how deep the agent is in liquids, given as [contents](crate::contents), for example `WATER | SLIME |
    /// LAVA`. The points that are asked are above the feet, on the vertical line through the agent's origin.
    pub fn water_level<W: World<T> + ?Sized>(&self, world: &W, liquids: u32) -> WaterLevel {
        let Some(bounds) = world.bounds(self.stance) else {
            return WaterLevel::Dry;
        };
        let [feet, top] = [bounds.mins[2], bounds.maxs[2]].map(f64::from);
        let is_in = |part: f64| {
            let point = raised(self.position, T::narrow(feet + (top - feet) * part));
            world.contents(point) & liquids != 0
        };
        let levels = LEVELS.iter().take_while(|(part, _)| is_in(*part));
        levels.last().map_or(WaterLevel::Dry, |(_, level)| *level)
    }
}
