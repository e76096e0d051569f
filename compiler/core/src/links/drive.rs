//! Drives agents: a way from one floor to another in; whether the runtime's own agent gets there out. The agent
//! follows the way as it follows a path in a game.

use onion_runtime::movement::{Agent, Stop, World};
use onion_runtime::navigation::{AgentClass, LinkKind, PathFollower, PathPoint, Progress};
use onion_runtime::{Aabb, DEFAULT_MARGIN, HullId, Model};

use super::line::Place;
use super::piece::Piece;
use crate::tolerance::SETTLED;

/// The longest that an agent is driven across a link, in seconds: twice what a fall from the highest ledge takes.
const MAX_SECONDS: f32 = 4.0;

/// Ticks per second with which agents are driven: in short ticks, and in long ones, which are harder.
pub(super) const SHORT_TICKS: f32 = 60.0;
pub(super) const LONG_TICKS: f32 = 20.0;

/// An agent of a class in a map.
pub(super) struct Driver<'a> {
    pub(super) world: Model<'a>,
    pub(super) class: AgentClass,
}

/// The world without the names of what agents stand on, which take time to find.
struct Unnamed<'a>(&'a Model<'a>);

impl World<f32> for Unnamed<'_> {
    fn trace(&self, hull: HullId, start: [f32; 3], end: [f32; 3]) -> Stop<f32> {
        World::trace(self.0, hull, start, end)
    }

    fn is_solid(&self, hull: HullId, point: [f32; 3]) -> bool {
        World::is_solid(self.0, hull, point)
    }

    fn bounds(&self, hull: HullId) -> Option<Aabb<f32>> {
        World::<f32>::bounds(self.0, hull)
    }
}

/// Returns a point of a path on a floor.
pub(super) fn point(piece: &Piece<'_>, place: Place, kind: LinkKind) -> PathPoint {
    let [x, y] = place;
    PathPoint {
        position: [x, y, piece.floor.height(place)],
        hull: piece.hull,
        floor: piece.floor.number,
        kind,
    }
}

impl Driver<'_> {
    /// Whether the way up as high as the agent jumps, if it does, then across and down is free: an agent that falls or
    /// jumps needs about this room, and most ways that it cannot take are found so without driving it.
    pub(super) fn has_room(&self, leaves: &PathPoint, lands: &PathPoint) -> bool {
        let jump = if lands.kind == LinkKind::Jump {
            self.class.jump
        } else {
            0.0
        };
        let trace = |start: [f64; 3], end: [f64; 3]| self.world.trace(leaves.hull, start, end);
        let [x, y, z] = leaves.position;
        let up = trace(
            [x, y, z + DEFAULT_MARGIN],
            [x, y, z + DEFAULT_MARGIN + jump],
        );
        let top = up.end_pos[2];
        let [x, y, z] = lands.position;
        let across = trace(up.end_pos, [x, y, top]);
        across.fraction >= 1.0 && trace(across.end_pos, [x, y, z + DEFAULT_MARGIN]).fraction >= 1.0
    }

    /// Whether an agent that stands at the first point gets to the last one and stands there, in ticks per second.
    pub(super) fn arrives(&self, points: &[PathPoint], ticks: f32) -> bool {
        let (world, dt) = (Unnamed(&self.world), 1.0 / ticks);
        let [Some(first), Some(last)] = [points.first(), points.last()] else {
            return false;
        };
        let [x, y, z] = first.position;
        let start = [x, y, z + 2.0 * DEFAULT_MARGIN].map(|at| at as f32);
        let mut agent = Agent::new(first.hull, start);
        agent.on_ground = agent.ground(&world, &self.class.settings);
        // Lower, it has missed.
        let lowest =
            first.position[2].min(last.position[2]) - f64::from(self.class.settings.step_height);
        let mut follower = PathFollower::new();
        for _ in 0..(MAX_SECONDS / dt) as usize {
            match follower.walk(&mut agent, &world, &self.class, points, dt) {
                Progress::Following if f64::from(agent.position[2]) >= lowest => {}
                Progress::Following => return false,
                Progress::Stuck => return false,
                Progress::Arrived => {
                    let height = f64::from(agent.position[2]) - last.position[2];
                    return agent.on_ground.is_some() && height.abs() <= SETTLED;
                }
            }
        }
        false
    }
}
