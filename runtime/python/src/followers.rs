//! Followers in Python: a path for each of some agents in; the agents moved along them by all processors, and arrays of
//! what they did, out.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use onion_runtime::movement::Agent;
use onion_runtime::navigation::{AgentClass, LinkKind, PathFollower, PathPoint};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::agents::Agents;
use crate::arrays::rows;
use crate::map::Map;

/// The points of a path: positions, indices of hulls, numbers of floors, kinds.
type Points<'py> = (PyReadonlyArray2<'py, f64>, Vec<usize>, Vec<u32>, Vec<u8>);

/// An agent's walker, and its path.
struct Follower {
    class: AgentClass,
    points: Vec<PathPoint>,
    walker: PathFollower,
}

/// Walkers on paths, one for each agent.
#[pyclass]
pub(crate) struct Followers(Vec<Follower>);

impl Follower {
    fn new(map: &Map, (positions, hulls, floors, kinds): Points<'_>) -> PyResult<Self> {
        let positions: Vec<[f64; 3]> = rows(&positions)?;
        let parts = positions.into_iter().zip(hulls).zip(floors).zip(kinds);
        let points = parts.map(|(((position, hull), floor), kind)| {
            let kind = LinkKind::ALL.get(usize::from(kind)).copied();
            Ok(PathPoint {
                position,
                hull: map.hull_at(hull)?,
                floor,
                kind: kind.ok_or_else(|| PyValueError::new_err("a kind of no link"))?,
            })
        });
        let points: Vec<PathPoint> = points.collect::<PyResult<_>>()?;
        let class = points
            .first()
            .and_then(|first| map.map.agent_of(first.hull));
        let class = class.ok_or_else(|| PyValueError::new_err("a path of no class of agents"))?;
        let walker = PathFollower::new();
        Ok(Self {
            class,
            points,
            walker,
        })
    }
}

#[pymethods]
impl Followers {
    #[new]
    fn new(map: &Map, paths: Vec<Points<'_>>) -> PyResult<Self> {
        let followers = paths.into_iter().map(|path| Follower::new(map, path));
        Ok(Self(followers.collect::<PyResult<_>>()?))
    }

    /// Moves each agent along its path for a tick, and returns what it did: the numbers of `Progress`. The agents are
    /// divided among threads; agents do not collide with each other.
    fn walk<'py>(
        &mut self,
        py: Python<'py>,
        mut agents: PyRefMut<'py, Agents>,
        dt: f64,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let agents = &mut *agents;
        let (n_agents, n_paths) = (agents.agents.len(), self.0.len());
        if n_agents != n_paths {
            let message = format!("{n_paths} paths, but {n_agents} agents");
            return Err(PyValueError::new_err(message));
        }
        let world = agents.map.get().map.world();
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = n_agents.div_ceil(n_threads).max(1);
        let mut progress = vec![0; n_agents];
        let walk = |agents: &mut [Agent<f64>], followers: &mut [Follower], done: &mut [u8]| {
            for ((agent, follower), done) in agents.iter_mut().zip(followers).zip(done) {
                let Follower {
                    class,
                    points,
                    walker,
                } = follower;
                *done = walker.walk(agent, &world, class, points, dt) as u8;
            }
        };
        let agents = agents.agents.chunks_mut(share);
        let shares = agents
            .zip(self.0.chunks_mut(share))
            .zip(progress.chunks_mut(share));
        py.detach(|| {
            std::thread::scope(|scope| {
                for ((agents, followers), done) in shares {
                    scope.spawn(move || walk(agents, followers, done));
                }
            });
        });
        Ok(progress.into_pyarray(py))
    }
}
