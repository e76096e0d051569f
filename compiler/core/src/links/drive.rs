//! Drives agents: a way from one floor to another in; whether the runtime's own agent gets there out. The agent
//! follows the way as it follows a path in a game.

use std::cell::Cell;

use glam::DVec3;
use onion_geometry::Bounds;
use onion_runtime::movement::{Agent, Stop, World};
use onion_runtime::navigation::{AgentClass, Floor, LinkKind, PathFollower, PathPoint, Progress};
use onion_runtime::{Aabb, DEFAULT_MARGIN, HullId, HullView};

use super::line::Place;
use super::piece::Piece;
use crate::floors::triggers::{Effect, Volumes};
use crate::tolerance::SETTLED;

/// The longest that an agent is driven across a link, in seconds: twice what a fall from the highest ledge takes. To
/// climb takes longer.
pub(super) const MAX_SECONDS: f32 = 4.0;

/// The longest that an agent is driven that swims or climbs, in seconds: slower ones do not get up.
const LONGEST_CLIMB: f32 = 64.0;

/// Ticks per second with which agents are driven: in short ticks, and in long ones, which are harder.
pub(super) const SHORT_TICKS: f32 = 60.0;
pub(super) const LONG_TICKS: f32 = 20.0;
/// The shortest ticks of games: a jump or fall that gets across in long ones may fall short.
pub(super) const SHORTEST_TICKS: f32 = 125.0;

/// The triggers that an agent may touch are looked up for this far around it at once, in units: a few ticks.
const LOOK_AHEAD: f64 = 64.0;

/// An agent of a class in a map.
pub(super) struct Driver<'a> {
    /// The world for each hull of the map.
    pub(super) views: Vec<HullView<'a>>,
    pub(super) class: AgentClass,
    /// The triggers, liquids and ladders of the map.
    pub(super) volumes: &'a Volumes,
}

/// The world without the names of what agents stand on, which take time to find. It remembers where there is room: a
/// trace that does not start in solid does not end in it.
struct Unnamed<'a> {
    view: &'a HullView<'a>,
    /// A hull, and two places where it has room: the ends of its last trace.
    free: Cell<Option<(HullId, [[f32; 3]; 2])>>,
}

impl<'a> Unnamed<'a> {
    fn new(view: &'a HullView<'a>) -> Self {
        let free = Cell::default();
        Self { view, free }
    }

    /// Returns whether a hull is known to have room at a point.
    fn is_known(&self, hull: HullId, point: [f32; 3]) -> bool {
        let free = self.free.get();
        free.is_some_and(|(own, points)| own == hull && points.contains(&point))
    }
}

impl World<f32> for Unnamed<'_> {
    fn trace(&self, hull: HullId, start: [f32; 3], end: [f32; 3]) -> Stop<f32> {
        let stop = World::trace(self.view, hull, start, end);
        if self.is_known(hull, start) {
            self.free.set(Some((hull, [start, stop.end_pos])));
        }
        stop
    }

    fn is_solid(&self, hull: HullId, point: [f32; 3]) -> bool {
        if self.is_known(hull, point) {
            return false;
        }
        let is_solid = World::is_solid(self.view, hull, point);
        if !is_solid {
            self.free.set(Some((hull, [point; 2])));
        }
        is_solid
    }

    fn bounds(&self, hull: HullId) -> Option<Aabb<f32>> {
        World::<f32>::bounds(self.view, hull)
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

impl<'a> Driver<'a> {
    /// Returns the world for a hull of the map.
    pub(super) fn view(&self, hull: HullId) -> &HullView<'a> {
        &self.views[hull.index()]
    }

    /// Returns whether a box can move straight up, then across, then down to the landing place. A jump needs about this
    /// room, so this check rejects most impossible links without driving an agent. "Up" is the full height of the jump
    /// or, under a low ceiling, just the height of the landing place.
    pub(super) fn has_room(&self, leaves: &PathPoint, lands: &PathPoint) -> bool {
        let rise = (lands.position[2] - leaves.position[2]).max(0.0);
        let heights = [self.class.jump, rise + DEFAULT_MARGIN];
        let trace = |start: [f64; 3], end: [f64; 3]| self.view(leaves.hull).trace(start, end);
        heights.into_iter().any(|up| {
            let [x, y, z] = leaves.position;
            let start = [x, y, z + DEFAULT_MARGIN];
            let top = trace(start, [x, y, z + DEFAULT_MARGIN + up]).end_pos;
            let [x, y, z] = lands.position;
            let across = trace(top, [x, y, top[2]]);
            let bottom = [x, y, z + DEFAULT_MARGIN];
            across.fraction >= 1.0 && trace(across.end_pos, bottom).fraction >= 1.0
        })
    }

    /// Drives an agent from the first point along the path, at a number of ticks per second. Returns whether it reaches
    /// the last point, which is on the floor `to`, without touching a trigger on the way.
    pub(super) fn arrives(&self, points: &[PathPoint], to: &Floor<'_>, ticks: f32) -> bool {
        let [Some(first), Some(last)] = [points.first(), points.last()] else {
            return false;
        };
        let mut agent = self.agent(first);
        agent.on_ground = agent.ground(&Unnamed::new(self.view(first.hull)), &self.class.settings);
        let ends = [first, last].map(|end| self.touched(end.hull, end.position));
        let mut near = Vec::new();
        let mut around = (first.hull, Bounds::NONE);
        let mut is_clear = |agent: &mut Agent<f32>| {
            let (hull, at) = (agent.stance, agent.position.map(f64::from));
            let place = Bounds::of([DVec3::from_array(at)].into_iter());
            if around.0 != hull || !around.1.touches(&place) {
                around = (hull, place.widened(LOOK_AHEAD));
                near.clear();
                near.extend(self.triggers_near(hull, &around.1));
            }
            let mut near = near.iter();
            let touched = near.find(|&&trigger| self.is_touched(trigger, hull, at));
            touched.is_none() || ends.contains(&touched.copied())
        };
        self.follows(agent, points, to, ticks, &mut is_clear)
    }

    /// Lets a jump pad throw an agent from `start`, and returns whether the agent reaches the last point, which is on
    /// the floor `to`, unhurt.
    pub(super) fn is_thrown(
        &self,
        pad: usize,
        start: &PathPoint,
        points: &[PathPoint],
        to: &Floor<'_>,
    ) -> bool {
        let mut throw = |agent: &mut Agent<f32>| {
            self.throw(agent, pad);
            let at = agent.position.map(f64::from);
            let mut triggers = self.volumes.triggers.iter();
            !triggers.any(|t| {
                t.effect == Effect::Hurt && t.volume.is_touched(agent.stance.index(), [at; 2])
            })
        };
        let mut rates = [LONG_TICKS, SHORTEST_TICKS].into_iter();
        rates.all(|ticks| self.follows(self.agent(start), points, to, ticks, &mut throw))
    }

    /// Returns the position where an agent comes to rest that falls from a free position, or that a jump pad throws
    /// from there; `None` if it does not.
    pub(super) fn rest(
        &self,
        floor: &Piece<'_>,
        position: [f64; 3],
        pad: Option<usize>,
    ) -> Option<[f64; 3]> {
        let (world, dt) = (Unnamed::new(self.view(floor.hull)), 1.0 / LONG_TICKS);
        let mut agent = self.agent(&PathPoint {
            position,
            hull: floor.hull,
            ..PathPoint::default()
        });
        for _ in 0..(MAX_SECONDS / dt) as usize {
            if let Some(pad) = pad {
                self.throw(&mut agent, pad);
            }
            let [x, y, _] = agent.velocity;
            agent.walk(&world, &self.class.settings, [x, y], dt);
            if agent.on_ground.is_some() {
                return Some(agent.position.map(f64::from));
            }
        }
        None
    }

    /// Returns an agent in the air, just above a point.
    fn agent(&self, at: &PathPoint) -> Agent<f32> {
        let [x, y, z] = at.position;
        let start = [x, y, z + 2.0 * DEFAULT_MARGIN].map(|at| at as f32);
        Agent::new(at.hull, start)
    }

    /// Returns the index of the trigger that an agent touches.
    fn touched(&self, hull: HullId, position: [f64; 3]) -> Option<usize> {
        let mut triggers = 0..self.volumes.triggers.len();
        triggers.find(|&trigger| self.is_touched(trigger, hull, position))
    }

    fn is_touched(&self, trigger: usize, hull: HullId, position: [f64; 3]) -> bool {
        let volume = &self.volumes.triggers[trigger].volume;
        volume.is_touched(hull.index(), [position; 2])
    }

    /// Returns the indices of the triggers that an agent may touch whose origin is in a box.
    fn triggers_near(&self, hull: HullId, around: &Bounds) -> impl Iterator<Item = usize> {
        let triggers = self.volumes.triggers.iter().enumerate();
        triggers.filter_map(move |(index, trigger)| {
            let is_near = trigger.volume.touches(hull.index(), around);
            is_near.then_some(index)
        })
    }

    /// Throws an agent as a jump pad does, if it touches it.
    fn throw(&self, agent: &mut Agent<f32>, pad: usize) {
        let pad = &self.volumes.triggers[pad];
        let velocity = pad.effect.velocity(f64::from(self.class.settings.gravity));
        let position = agent.position.map(f64::from);
        if let Some(velocity) =
            velocity.filter(|_| pad.volume.is_touched(agent.stance.index(), [position; 2]))
        {
            agent.velocity = velocity.as_vec3().to_array();
            agent.on_ground = None;
        }
    }

    /// Drives an agent along a path, at a number of ticks per second, and returns whether it ends up standing on the
    /// floor `to` at the last point. The callback `before` runs before each tick: it may throw the agent, or return
    /// `false` to give up.
    fn follows(
        &self,
        mut agent: Agent<f32>,
        points: &[PathPoint],
        to: &Floor<'_>,
        ticks: f32,
        before: &mut dyn FnMut(&mut Agent<f32>) -> bool,
    ) -> bool {
        let (world, dt) = (Unnamed::new(self.view(agent.stance)), 1.0 / ticks);
        let [Some(first), Some(last)] = [points.first(), points.last()] else {
            return false;
        };
        // Lower, it has missed.
        let lowest =
            first.position[2].min(last.position[2]) - f64::from(self.class.settings.step_height);
        let falls = matches!(last.kind, LinkKind::Drop | LinkKind::Jump);
        let mut follower = PathFollower::new();
        let mut has_left = false;
        for _ in 0..(self.most_seconds(first, last) / dt) as usize {
            if !before(&mut agent) {
                return false;
            }
            match follower.walk(&mut agent, &world, &self.class, points, dt) {
                Progress::Following if f64::from(agent.position[2]) < lowest => return false,
                Progress::Following if has_left && self.is_beside(&agent, to) => return false,
                Progress::Following => {}
                Progress::Stuck => return false,
                Progress::Arrived => return stands_on(&agent, to),
            }
            has_left |= falls && follower.next + 1 == points.len() && agent.on_ground.is_none();
        }
        false
    }

    /// Returns for how long an agent is driven from one point to another, in seconds.
    fn most_seconds(&self, first: &PathPoint, last: &PathPoint) -> f32 {
        let speed = match last.kind {
            LinkKind::Swim => self.class.swim,
            LinkKind::Climb => self.class.climb,
            _ => return MAX_SECONDS,
        };
        let climbed = (last.position[2] - first.position[2]) / speed;
        (MAX_SECONDS + climbed.abs() as f32).min(LONGEST_CLIMB)
    }

    /// Returns whether an agent stands more than a step above or below a floor: it has come down on another one.
    fn is_beside(&self, agent: &Agent<f32>, to: &Floor<'_>) -> bool {
        let [x, y, z] = agent.position.map(f64::from);
        let height = z - to.height([x, y]);
        agent.on_ground.is_some() && height.abs() > f64::from(self.class.settings.step_height)
    }
}

/// Returns whether an agent stands on a floor, where it is above or below it.
pub(super) fn stands_on(agent: &Agent<f32>, floor: &Floor<'_>) -> bool {
    let [x, y, z] = agent.position.map(f64::from);
    let height = z - floor.height([x, y]);
    agent.on_ground.is_some() && height.abs() <= SETTLED
}
