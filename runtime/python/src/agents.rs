//! Agents in Python: arrays of positions and wished velocities in, agents of `onion_runtime` moved by all processors,
//! and arrays of where they are out.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use onion_runtime::movement::{Agent, WalkSettings};
use pyo3::prelude::*;

use crate::arrays::{columns, rows};
use crate::map::Map;

/// Agents that walk in the world of a map.
#[pyclass]
pub(crate) struct Agents {
    pub(crate) map: Py<Map>,
    pub(crate) agents: Vec<Agent<f64>>,
}

#[pymethods]
impl Agents {
    #[new]
    fn new(map: Py<Map>, hull: usize, positions: PyReadonlyArray2<'_, f64>) -> PyResult<Self> {
        let hull = map.get().hull_at(hull)?;
        let agents = rows(&positions)?.into_iter();
        let agents = agents.map(|position: [f64; 3]| Agent::new(hull, position));
        Ok(Self {
            agents: agents.collect(),
            map,
        })
    }

    /// Moves each agent for a tick, with its wished velocity and the settings in the order of [`WalkSettings`]. The
    /// agents are divided among threads; agents do not collide with each other.
    fn walk(
        &mut self,
        py: Python<'_>,
        wishes: PyReadonlyArray2<'_, f64>,
        dt: f64,
        settings: [f32; 5],
    ) -> PyResult<()> {
        let wishes: Vec<[f64; 2]> = rows(&wishes)?;
        let [step_height, min_ground_z, gravity, air_control, max_unstick] = settings;
        let settings = WalkSettings {
            step_height,
            min_ground_z,
            gravity,
            air_control,
            max_unstick,
        };
        let world = self.map.get().map.world();
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = self.agents.len().div_ceil(n_threads).max(1);
        let shares = self.agents.chunks_mut(share).zip(wishes.chunks(share));
        let walk = |(agents, wishes): (&mut [Agent<f64>], &[[f64; 2]])| {
            for (agent, &wish) in agents.iter_mut().zip(wishes) {
                agent.walk(&world, &settings, wish, dt);
            }
        };
        py.detach(|| {
            std::thread::scope(|scope| {
                shares.for_each(|share| drop(scope.spawn(move || walk(share))));
            });
        });
        Ok(())
    }

    /// Makes agents leave the ground with their vertical speeds; one whose speed is 0 stays.
    fn jump(&mut self, speeds: Vec<f64>) {
        for (agent, speed) in self.agents.iter_mut().zip(speeds) {
            if speed != 0.0 {
                agent.jump(speed);
            }
        }
    }

    /// Returns positions and velocities.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyArray2<f64>>; 2]> {
        let positions: Vec<_> = self.agents.iter().map(|agent| agent.position).collect();
        let velocities: Vec<_> = self.agents.iter().map(|agent| agent.velocity).collect();
        Ok([columns(py, &positions)?, columns(py, &velocities)?])
    }

    /// Returns the indices of the hulls that move.
    fn hulls<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let hulls = self.agents.iter().map(|agent| agent.stance.index() as i64);
        hulls.collect::<Vec<_>>().into_pyarray(py)
    }

    /// Whether agents stand on ground.
    fn on_ground<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let stands = self.agents.iter().map(|agent| agent.on_ground.is_some());
        stands.collect::<Vec<_>>().into_pyarray(py)
    }

    /// Moves agents elsewhere, with other velocities, in the air.
    fn put(
        &mut self,
        positions: PyReadonlyArray2<'_, f64>,
        velocities: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let states = rows(&positions)?.into_iter().zip(rows(&velocities)?);
        for (agent, (position, velocity)) in self.agents.iter_mut().zip(states) {
            *agent = Agent {
                velocity,
                ..Agent::new(agent.stance, position)
            };
        }
        Ok(())
    }
}
