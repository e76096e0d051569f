//! Errands of walkers. A walker's agent and a goal go in; each tick moves the agent along a path to the goal, which the
//! first tick searches. The level must be compiled with `--floors`.

use bevy_math::Vec3;
use onion_runtime::OnionMap;
use onion_runtime::movement::{Agent, World};
use onion_runtime::navigation::{PathCosts, PathError, PathFollower, PathPoint, Progress};

/// The greatest number of points of a path.
const MAX_POINTS: usize = 1024;

/// A walk to a place.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    /// The place in Bevy's world: an origin of the hull that the walker has when it sets out.
    goal: Vec3,
    points: Vec<PathPoint>,
    follower: PathFollower,
    /// The result of the last tick; `None` until a path was searched.
    progress: Option<Result<Progress, PathError>>,
}

impl Errand {
    pub(crate) fn new(goal: Vec3) -> Self {
        Self {
            goal,
            points: Vec::new(),
            follower: PathFollower::new(),
            progress: None,
        }
    }

    pub(crate) fn goal(&self) -> Vec3 {
        self.goal
    }

    pub(crate) fn progress(&self) -> Result<Progress, PathError> {
        self.progress.unwrap_or(Ok(Progress::Following))
    }

    /// Whether the walker still has to follow the path.
    pub(crate) fn goes_on(&self) -> bool {
        self.progress() == Ok(Progress::Following)
    }

    /// Moves an agent by one tick of `dt` seconds. `goal` is the place in the axes and units of the map.
    pub(crate) fn walk(
        &mut self,
        agent: &mut Agent<f32>,
        map: &OnionMap<Vec<u8>>,
        world: &dyn World<f32>,
        goal: [f32; 3],
        dt: f32,
    ) {
        if self.progress.is_none() {
            self.progress = Some(self.find(agent, map, goal));
        }
        if let (Some(class), true) = (map.agent_of(agent.stance), self.goes_on()) {
            let progress = self.follower.walk(agent, world, &class, &self.points, dt);
            self.progress = Some(Ok(progress));
        }
    }

    fn find(
        &mut self,
        agent: &Agent<f32>,
        map: &OnionMap<Vec<u8>>,
        goal: [f32; 3],
    ) -> Result<Progress, PathError> {
        let mut scratch = vec![Default::default(); map.path_scratch()];
        self.points.resize(MAX_POINTS, PathPoint::default());
        let (hull, start) = (agent.stance, agent.position);
        let costs = PathCosts::default();
        let path = map.path(hull, start, goal, &costs, &mut scratch, &mut self.points)?;
        self.points.truncate(path.n_points);
        Ok(Progress::Following)
    }
}
