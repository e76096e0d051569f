//! Lifts on the path of a walker: the points where it steps onto one and off it in; whether the lift is down, or still
//! on its way up, out. Traces decide this, so that the world need not name its lifts.

use super::agents::AgentClass;
use super::links::LinkKind;
use super::points::PathPoint;
use crate::math::coordinate::Coordinate;
use crate::movement::{Agent, World};
use crate::tolerance::DEFAULT_MARGIN;

/// A walker that waits for a lift this long is stuck, in seconds: longer than lifts of Quake take to go up 2,048 units,
/// wait, and come down.
pub(super) const PATIENCE: f64 = 32.0;

/// Returns whether nothing is above an agent at one point, from a step up to the height of another: a lift that is not
/// down would be there.
pub(super) fn is_free<T: Coordinate, W: World<T> + ?Sized>(
    world: &W,
    leaves: &PathPoint,
    step: f64,
    lands: &PathPoint,
) -> bool {
    let [x, y, z] = leaves.position;
    let low = z + step + DEFAULT_MARGIN;
    let ends = [low, lands.position[2].max(low)].map(|z| [x, y, z].map(T::narrow));
    let is_solid = world.is_solid(leaves.hull, ends[0]);
    !is_solid && world.trace(leaves.hull, ends[0], ends[1]).fraction >= 1.0
}

/// Returns whether an agent is still more than a step below the point that a lift takes it to.
pub(super) fn is_below<T: Coordinate>(
    agent: &Agent<T>,
    class: &AgentClass,
    point: &PathPoint,
) -> bool {
    let rise = point.position[2] - agent.position[2].widen();
    point.kind == LinkKind::Lift && rise > f64::from(class.settings.step_height)
}
