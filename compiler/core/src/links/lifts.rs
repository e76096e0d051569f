//! The links of floors under lifts: such a floor in; the link to a floor beside the lift when it is up out. The lift
//! goes up when an agent comes near to its middle, as in Quake, and the agent walks off it there.

use onion_format::LinkRecord;
use onion_runtime::movement::{Agent, World};
use onion_runtime::navigation::{AgentClass, LinkKind, PathFollower, PathPoint, Progress};
use onion_runtime::{DEFAULT_MARGIN, Mover, OnionMap, Pose, Scene};

use super::carried::{nearest, record, starts};
use super::drive::{LONG_TICKS, MAX_SECONDS, SHORT_TICKS, point, stands_on};
use super::ground::Ground;
use super::piece::Piece;
use crate::floors::lifts::Lift;

/// Speed of the lifts in which agents are driven, in units per second: that of Quake's.
const SPEED: f64 = 150.0;

/// An agent starts a lift when its box is this far inside of the lift's edges, as seen from above, in units: in Quake
/// III; in Quake it is less.
const INSET: f64 = 33.0;

/// Finds the floors from which lifts take agents up.
pub(super) fn found<'a, D: AsRef<[u8]>>(map: &OnionMap<D>, mut ground: Ground<'a>) -> Ground<'a> {
    let links = ground.floors.iter().map(|floor| link(map, &ground, floor));
    let links = Vec::from_iter(links);
    for (floor, link) in ground.floors.iter_mut().zip(links) {
        floor.lift = link;
    }
    ground
}

/// Returns the link from a floor, or `None` if no lift takes agents up from it that stands at most a step above it.
fn link<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    ground: &Ground<'_>,
    from: &Piece<'_>,
) -> Option<LinkRecord> {
    let [x, y] = from.center;
    let middle = [x, y, from.floor.height(from.center)];
    let mut lifts = ground.driver.volumes.lifts.iter();
    let lift = lifts.find(|lift| lift.volume.is_touched(from.hull.index(), [middle; 2]))?;
    let leaves = point(from, from.center, LinkKind::Walk);
    let lands = landings(ground, lift, from).find(|lands| {
        let mut starts = starts(from, &[]);
        starts.all(|start| {
            let start = point(from, start, LinkKind::Walk);
            let mut rates = [LONG_TICKS, SHORT_TICKS].into_iter();
            rates.all(|ticks| takes_up(map, ground, lift, &[start, leaves, *lands], ticks))
        })
    })?;
    Some(record(&lands))
}

/// Returns the places beside a lift that is up, if it is at most a step above a floor when it is down.
fn landings<'g>(
    ground: &'g Ground<'_>,
    lift: &Lift,
    from: &Piece<'_>,
) -> impl Iterator<Item = PathPoint> + use<'g> {
    let step = f64::from(ground.driver.class.settings.step_height);
    let (low, high) = (from.height(from.center), lift.top.maxs.z);
    let is_step = (0.0..=step).contains(&(high - lift.rise - low)) && lift.rise > step;
    let corners = [lift.top.mins, lift.top.maxs].map(|corner| corner.truncate());
    let middle = (corners[0] + corners[1]) / 2.0;
    let around = corners.map(|corner| corner.to_array());
    let heights = [(high - step).max(low + step), high + step];
    let box_ = (around, heights);
    let places = is_step.then(|| nearest(ground, from, middle.to_array(), box_, LinkKind::Lift));
    places.into_iter().flatten()
}

/// Returns whether an agent is near enough to the middle of a lift to start it.
fn starts_it(ground: &Ground<'_>, lift: &Lift, agent: &Agent<f32>) -> bool {
    let bounds = World::<f32>::bounds(ground.driver.view(agent.stance), agent.stance);
    let wide = bounds.map_or(0.0, |bounds| f64::from(bounds.maxs[0]));
    let away = |axis: usize| {
        let [low, high] = [lift.top.mins[axis], lift.top.maxs[axis]];
        let inner = ((high - low) / 2.0 - INSET).max(0.0);
        (f64::from(agent.position[axis]) - (low + high) / 2.0).abs() - inner - wide
    };
    agent.on_ground.is_some() && (0..2).all(|axis| away(axis) < 0.0)
}

/// Drives an agent along a path over a lift that is down, at a number of ticks per second. Returns whether the agent
/// ends up standing at the last point.
fn takes_up<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    ground: &Ground<'_>,
    lift: &Lift,
    points: &[PathPoint; 3],
    ticks: f32,
) -> bool {
    let (class, dt) = (&ground.driver.class, 1.0 / ticks);
    let mut agent = on_lift(class, &points[0]);
    let (mut follower, mut height) = (PathFollower::new(), 0.0);
    let seconds = (lift.rise / SPEED) as f32 + MAX_SECONDS;
    for _ in 0..(seconds / dt) as usize {
        let before = height;
        if height > 0.0 || starts_it(ground, lift, &agent) {
            height = (height + SPEED * f64::from(dt)).min(lift.rise);
        }
        let [from, to] = [before, height].map(|z| Pose::at([0.0, 0.0, z - lift.rise]));
        let model = lift.model;
        let movers = [Mover { model, from, to }];
        let Ok(scene) = Scene::new(map, &movers) else {
            return false;
        };
        let ride = agent.ride(&scene, &class.settings, dt);
        match follower.walk(&mut agent, &scene, class, points, dt) {
            Progress::Following if ride.crushed_by.is_none() => {}
            Progress::Arrived => {
                return stands_on(&agent, &ground.floors[ground.index(points[2].floor)].floor);
            }
            _ => return false,
        }
    }
    false
}

/// Returns an agent just above a lift that is at most a step above a point.
fn on_lift(class: &AgentClass, point: &PathPoint) -> Agent<f32> {
    let [x, y, z] = point.position;
    let up = z + f64::from(class.settings.step_height) + DEFAULT_MARGIN;
    Agent::new(point.hull, [x, y, up].map(|at| at as f32))
}
