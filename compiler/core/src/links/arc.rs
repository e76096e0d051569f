//! The arc of an agent that falls or jumps from one point to another: the two points go in; whether solid or a trigger
//! is in the way comes out. Agents are driven across an edge at some places, and the arcs between these places show
//! whether a corner juts out there.

use glam::DVec3;
use onion_geometry::Bounds;
use onion_runtime::navigation::{LinkKind, PathPoint};
use onion_runtime::{DEFAULT_MARGIN, HullId};

use super::drive::{Driver, LONG_TICKS, MAX_SECONDS};
use super::line::{Place, toward};
use crate::floors::triggers::Trigger;

/// How far an agent slides on after it lands, in units.
const SLIDE: f64 = 4.0;

/// How long an agent that lands on a slope slides down it at the speed of its fall, in seconds: until the end of a part
/// of a long tick, which `PathFollower` walks in two at the speed of Quake's players. Agents at half that speed may
/// slide for twice as long.
const LANDS_FOR: f64 = 0.5 / LONG_TICKS as f64;

/// An agent in the air for longer than it is driven does not arrive.
const MAX_TICKS: usize = (MAX_SECONDS * LONG_TICKS) as usize;

/// Positions on an arc, no more than a long tick apart.
pub(super) struct Arc {
    hull: HullId,
    /// The way across in a tick, in units.
    pace: f64,
    /// In the air, and where it lands.
    positions: Vec<[f64; 3]>,
    /// How far it gets after it lands: on in its direction, and down the slope.
    slides: [[f64; 3]; 2],
}

impl Arc {
    /// Returns the arc from the point where an agent leaves to the point where it lands, on a floor with a normal.
    /// Like `PathFollower`, the agent moves at the speed with which it arrives when it lands; if the heights differ by
    /// a step at most, at full speed.
    pub(super) fn new(
        driver: &Driver<'_>,
        [leaves, lands]: [&PathPoint; 2],
        normal: [f64; 3],
    ) -> Self {
        let class = &driver.class;
        let gravity = f64::from(class.settings.gravity);
        let height = match lands.kind {
            LinkKind::Jump => class.jump,
            _ => 0.0,
        };
        let up = (2.0 * gravity * height).sqrt();
        let [from, to] = [leaves, lands].map(|end| DVec3::from_array(end.position));
        let at = |part: f64, z: f64| from.lerp(to, part).with_z(z + DEFAULT_MARGIN).to_array();
        let [across, depth] = [(to - from).truncate().length(), from.z - to.z];
        let speed = (up * up + 2.0 * gravity * depth).max(0.0).sqrt();
        let seconds = (up + speed) / gravity;
        let pace = match depth.abs() > f64::from(class.settings.step_height) {
            true => class.speed.min(across / seconds),
            false => class.speed,
        };
        let ticks = (0..MAX_TICKS).map(|tick| tick as f64 / f64::from(LONG_TICKS));
        let in_air = ticks.map_while(|seconds| {
            let z = from.z + (up - gravity / 2.0 * seconds) * seconds;
            let is_in_air = gravity * seconds < up || z >= to.z;
            is_in_air.then(|| at((pace * seconds / across).min(1.0), z))
        });
        let normal = DVec3::from_array(normal);
        let down = (normal * normal.z - DVec3::Z) * (speed * LANDS_FOR);
        let landing = DVec3::from_array(at(1.0, to.z));
        let slides = [at(1.0 + SLIDE / across, to.z), (landing + down).to_array()];
        Self {
            hull: leaves.hull,
            pace: pace / f64::from(LONG_TICKS),
            positions: in_air.chain([landing.to_array()]).collect(),
            slides,
        }
    }

    /// Returns the index of the last position before the agent hits something, or `None` if it hits nothing before it
    /// lands. The arc is traced in segments of two ticks, which are at most a unit below it.
    pub(super) fn blocked(&self, driver: &Driver<'_>) -> Option<usize> {
        let (view, in_air) = (driver.view(self.hull), &self.positions);
        let last = in_air.len() - 1;
        let mut starts = (0..last).step_by(2);
        starts.find(|&start| {
            let end = in_air[last.min(start + 2)];
            view.trace(in_air[start], end).fraction < 1.0
        })
    }

    /// Returns the place where the agent lands if it falls straight down along each obstacle that it hits after the
    /// position with the index `blocked`, or `None` if it lands on something higher. This is an estimate: the runtime's
    /// agents also slide sideways along obstacles.
    pub(super) fn comes_down(&self, driver: &Driver<'_>, blocked: usize) -> Option<Place> {
        let (view, in_air) = (driver.view(self.hull), &self.positions);
        let [x, y, _] = in_air[in_air.len() - 1];
        let mut at = in_air[blocked];
        let mut ticks = in_air[blocked + 1..].iter();
        let falls = ticks.all(|next| {
            let place = toward([at[0], at[1]], [x, y], self.pace);
            at = view.trace(at, [place[0], place[1], at[2]]).end_pos;
            let down = view.trace(at, [at[0], at[1], next[2]]);
            at = down.end_pos;
            down.fraction >= 1.0
        });
        falls.then_some([at[0], at[1]])
    }

    /// Returns whether the agent touches a trigger in the air or just after it lands. Triggers that it touches at one
    /// of the two points do not count.
    pub(super) fn is_carried_off(&self, driver: &Driver<'_>, ends: [&PathPoint; 2]) -> bool {
        let is_touched = |trigger: &Trigger, hull: HullId, way: [[f64; 3]; 2]| {
            trigger.volume.is_touched(hull.index(), way)
        };
        let is_at_end = |trigger: &Trigger| {
            let mut ends = ends.into_iter();
            ends.any(|end| is_touched(trigger, end.hull, [end.position; 2]))
        };
        let all = self.positions.iter().chain(&self.slides);
        let around = Bounds::of(all.copied().map(DVec3::from_array));
        let near = driver.volumes.triggers.iter();
        let near = near.filter(|trigger| trigger.volume.touches(self.hull.index(), &around));
        let mut others = near.filter(|trigger| !is_at_end(trigger));
        others.any(|trigger| {
            let lands = self.positions[self.positions.len() - 1];
            let ways = self.positions.windows(2).map(|way| [way[0], way[1]]);
            let mut ways = ways.chain(self.slides.map(|slide| [lands, slide]));
            ways.any(|way| is_touched(trigger, self.hull, way))
        })
    }
}
