//! Agents that follow paths: a walker is a plain struct in the caller's memory beside its agent, and a call moves both
//! for a tick by `onion_runtime::navigation`.

use core::cell::Cell;

use onion_runtime::OnionMap;
use onion_runtime::movement::World;
/// The C type `onion_progress`.
pub use onion_runtime::navigation::Progress;
use onion_runtime::navigation::{AgentClass, PathFollower};

use super::state::{AgentClassState, FollowerState, PathPointState};
use crate::agent::AgentState;
use crate::hull::hull_id;
use crate::pointer::{In, InOut, ModelHandle, Out, Place, SceneHandle};
use crate::status::Status;

/// Wraps `PathFollower::new`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_path_follower_init(follower: Out<FollowerState>) -> Status {
    Status::of(|| {
        follower.place()?.write(PathFollower::new().into());
        Ok(())
    })
}

/// Runs `PathFollower::walk` in a model.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_follow(
    model: In<ModelHandle>,
    class: In<AgentClassState>,
    points: In<PathPointState>,
    n_points: usize,
    dt: f32,
    agent: InOut<AgentState>,
    follower: InOut<FollowerState>,
    progress: Out<Progress>,
) -> Status {
    Status::of(|| {
        let tick = tick(class, (points, n_points), dt, agent, follower, progress)?;
        let asked = model.read()?;
        let (map, model) = (asked.map.get()?, asked.get()?);
        tick.run(map, &model)
    })
}

/// Runs `PathFollower::walk` in a scene.
#[unsafe(no_mangle)]
pub extern "C" fn onion_scene_agent_follow(
    scene: In<SceneHandle>,
    class: In<AgentClassState>,
    points: In<PathPointState>,
    n_points: usize,
    dt: f32,
    agent: InOut<AgentState>,
    follower: InOut<FollowerState>,
    progress: Out<Progress>,
) -> Status {
    Status::of(|| {
        let tick = tick(class, (points, n_points), dt, agent, follower, progress)?;
        let asked = scene.read()?;
        let map = asked.map.get()?;
        asked.ask(|scene| tick.run(map, scene))?
    })
}

/// A tick of a walker: what it is given, and the places of what it changes.
struct Tick<P> {
    class: AgentClass,
    points: P,
    dt: f32,
    agent: (AgentState, Place<AgentState>),
    follower: (FollowerState, Place<FollowerState>),
    progress: Place<Progress>,
}

/// Reads the arguments of a tick.
fn tick(
    class: In<AgentClassState>,
    (points, n_points): (In<PathPointState>, usize),
    dt: f32,
    agent: InOut<AgentState>,
    follower: InOut<FollowerState>,
    progress: Out<Progress>,
) -> Result<Tick<impl Fn(usize) -> Option<PathPointState>>, Status> {
    Ok(Tick {
        class: class.read()?.class(),
        points: points.read_any(n_points)?,
        dt,
        agent: agent.read()?,
        follower: follower.read()?,
        progress: progress.place()?,
    })
}

impl<P: Fn(usize) -> Option<PathPointState>> Tick<P> {
    fn run<W: World<f32>>(self, map: &OnionMap<&[u8]>, world: &W) -> Result<(), Status> {
        let (state, agent_place) = self.agent;
        let (walker, walker_place) = self.follower;
        let mut agent = state.agent(hull_id(map, state.stance)?);
        let mut follower = PathFollower::from(walker);
        let wrong = Cell::new(None);
        let point = |number| {
            let point = (self.points)(number)?.point(map);
            point.map_err(|status| wrong.set(Some(status))).ok()
        };
        let progress = follower.walk_to(&mut agent, world, &self.class, point, self.dt);
        if let Some(status) = wrong.get() {
            return Err(status);
        }
        agent_place.write(AgentState {
            stance: agent.stance.to_bits(),
            ..state.moved(&agent)
        });
        walker_place.write(follower.into());
        self.progress.write(progress);
        Ok(())
    }
}
