//! Scenes: a map's world with doors and lifts at their current poses, while they move and turn. Each call wraps one
//! of `onion_runtime::Scene`, or of an agent that walks in a scene. A call copies the movers to its stack and makes
//! the runtime's scene there.

use onion_runtime::movement::{Ride, WalkSettings, WaterLevel};
use onion_runtime::{Coordinate, HullId, Mover, OnionMap, Pose, Scene};

use crate::agent::AgentState;
use crate::hull::hull_id;
use crate::pointer::{In, InOut, MapIn, Out, SceneHandle};
use crate::precision::{PointIn, export_in_both_precisions};
use crate::scene_state::{MoverState, NO_MOVER};
use crate::shape_trace::{ShapeTraceOut, ShapeTraceResult};
use crate::status::Status;

/// `ONION_MAX_MOVERS`: the number of movers that fits into a call's stack.
pub const MAX_MOVERS: usize = 512;

/// The C type `onion_ride`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct RideResult {
    pub crushed_by: u32,
    pub pushed_by: u32,
}

impl From<Ride> for RideResult {
    fn from(ride: Ride) -> Self {
        let number = |mover: Option<usize>| mover.map_or(NO_MOVER, |mover| mover as u32);
        Self {
            crushed_by: number(ride.crushed_by),
            pushed_by: number(ride.pushed_by),
        }
    }
}

impl SceneHandle {
    /// Returns a hull of the scene's map.
    pub(crate) fn hull(&self, hull: u64) -> Result<HullId, Status> {
        hull_id(self.map.get()?, hull)
    }

    /// Runs a query on the scene, with no more of the stack than its movers need.
    pub(crate) fn ask<R>(&self, question: impl FnOnce(&Scene<'_, '_>) -> R) -> Result<R, Status> {
        match self.n_movers {
            0..=8 => self.ask_of::<8, R>(question),
            9..=64 => self.ask_of::<64, R>(question),
            65..=MAX_MOVERS => self.ask_of::<MAX_MOVERS, R>(question),
            _ => Err(Status::Count),
        }
    }

    #[inline(never)]
    fn ask_of<const N: usize, R>(
        &self,
        question: impl FnOnce(&Scene<'_, '_>) -> R,
    ) -> Result<R, Status> {
        let map = self.map.get()?;
        let mut movers = [Mover::still(0, Pose::at([0.0f64; 3])); N];
        let states = self.movers.read_many(self.n_movers)?;
        for (mover, state) in movers.iter_mut().zip(states) {
            *mover = state.mover()?;
        }
        let movers = movers.get(..self.n_movers).ok_or(Status::Count)?;
        let scene = Scene::new(map, movers)?.with_margin(self.margin);
        Ok(question(&scene))
    }
}

/// Wraps `OnionMap::movers`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_movers_at_rest(
    map: MapIn,
    movers: Out<MoverState>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    Status::of(|| {
        let (count, places) = (count.place()?, movers.places(capacity)?);
        let map = map.get()?;
        let all = OnionMap::movers(map);
        count.write(all.len());
        for (mover, place) in all.zip(places) {
            place.write(MoverState::at_rest(mover.model, mover.from.origin()));
        }
        Ok(())
    })
}

export_in_both_precisions! {
    /// `Scene::trace`.
    onion_scene_trace, onion_scene_trace_double =
        scene_trace(scene: In<SceneHandle>, hull: u64; start: PointIn, end: PointIn, trace: ShapeTraceOut;);
    /// `Scene::is_solid`.
    onion_scene_is_solid, onion_scene_is_solid_double =
        scene_is_solid(scene: In<SceneHandle>, hull: u64; point: PointIn; moment: f64, solid: Out<u8>);
}

fn scene_trace<T: Coordinate>(
    scene: In<SceneHandle>,
    hull: u64,
    start: PointIn<T>,
    end: PointIn<T>,
    trace: ShapeTraceOut<T>,
) -> Result<(), Status> {
    let trace = trace.place()?;
    let (start, end) = (start.read()?, end.read()?);
    let asked = scene.read()?;
    let hull = asked.hull(hull)?;
    let answer = asked.ask(|scene| ShapeTraceResult::from(scene.trace(hull, start, end)))?;
    trace.write(answer);
    Ok(())
}

fn scene_is_solid<T: Coordinate>(
    scene: In<SceneHandle>,
    hull: u64,
    point: PointIn<T>,
    moment: f64,
    solid: Out<u8>,
) -> Result<(), Status> {
    let (solid, point, asked) = (solid.place()?, point.read()?, scene.read()?);
    let hull = asked.hull(hull)?;
    let answer = asked.ask(|scene| scene.is_solid(hull, point, moment))?;
    solid.write(answer.into());
    Ok(())
}

/// Wraps `Agent::ride`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_scene_agent_ride(
    scene: In<SceneHandle>,
    settings: In<WalkSettings>,
    dt: f32,
    agent: InOut<AgentState>,
    ride: Out<RideResult>,
) -> Status {
    Status::of(|| {
        let (state, place) = agent.read()?;
        let (ride, settings) = (ride.place()?, settings.read()?);
        let asked = scene.read()?;
        let stance = asked.hull(state.stance)?;
        let (moved, answer) = asked.ask(|scene| state.ridden(stance, scene, settings, dt))?;
        place.write(moved);
        ride.write(answer.into());
        Ok(())
    })
}

/// Runs `Agent::walk` in a scene.
#[unsafe(no_mangle)]
pub extern "C" fn onion_scene_agent_walk(
    scene: In<SceneHandle>,
    settings: In<WalkSettings>,
    wish_velocity: In<[f32; 2]>,
    dt: f32,
    agent: InOut<AgentState>,
) -> Status {
    Status::of(|| {
        let (settings, wish) = (settings.read()?, wish_velocity.read()?);
        tick(scene, agent, |state, stance, scene| {
            state.walked(stance, scene, settings, (wish, dt))
        })
    })
}

/// Runs `Agent::swim` in a scene.
#[unsafe(no_mangle)]
pub extern "C" fn onion_scene_agent_swim(
    scene: In<SceneHandle>,
    settings: In<WalkSettings>,
    wish_velocity: In<[f32; 3]>,
    dt: f32,
    agent: InOut<AgentState>,
) -> Status {
    Status::of(|| {
        let (settings, wish) = (settings.read()?, wish_velocity.read()?);
        tick(scene, agent, |state, stance, scene| {
            state.swum(stance, scene, settings, (wish, dt))
        })
    })
}

/// Moves an agent for a tick among the movers where their ways end.
fn tick(
    scene: In<SceneHandle>,
    agent: InOut<AgentState>,
    moved: impl FnOnce(AgentState, HullId, &Scene<'_, '_>) -> AgentState,
) -> Result<(), Status> {
    let (state, place) = agent.read()?;
    let asked = scene.read()?;
    let stance = asked.hull(state.stance)?;
    place.write(asked.ask(|scene| moved(state, stance, scene))?);
    Ok(())
}

/// Runs `Agent::water_level` in a scene.
#[unsafe(no_mangle)]
pub extern "C" fn onion_scene_agent_water_level(
    scene: In<SceneHandle>,
    liquids: u32,
    agent: In<AgentState>,
    level: Out<WaterLevel>,
) -> Status {
    Status::of(|| {
        let (level, state) = (level.place()?, agent.read()?);
        let asked = scene.read()?;
        let stance = asked.hull(state.stance)?;
        level.write(asked.ask(|scene| state.water_level(stance, scene, liquids))?);
        Ok(())
    })
}

/// Runs `Agent::switch_stance` in a scene.
#[unsafe(no_mangle)]
pub extern "C" fn onion_scene_agent_switch_stance(
    scene: In<SceneHandle>,
    to: u64,
    agent: InOut<AgentState>,
    switched: Out<u8>,
) -> Status {
    Status::of(|| {
        let (state, place) = agent.read()?;
        let switched = switched.place()?;
        let asked = scene.read()?;
        let (stance, to) = (asked.hull(state.stance)?, asked.hull(to)?);
        let moved = asked.ask(|scene| state.switched(stance, scene, to))?;
        place.write(moved.unwrap_or(state));
        switched.write(moved.is_some().into());
        Ok(())
    })
}
