//! Finds the floors of a hull: for each point of a grid, the heights at which its origin is when it stands, from the
//! highest down, and the floors that an agent reaches on foot. Floors come from the runtime's own queries, so each of
//! them is exact.

use std::ops::ControlFlow;

use glam::DVec3;
use onion_runtime::movement::WalkSettings;
use onion_runtime::{DEFAULT_MARGIN, Hull, HullId, OnionMap, Plane, Transition};
use rayon::prelude::*;

use crate::boxes;
use crate::sample_grid::SampleGrid;

/// Height difference in units within which floors count as one: the step of agents by default, as in Quake III.
pub const STEP: f64 = 18.0;
/// Height that an agent jumps, in units; nearly three steps.
pub const JUMP: f64 = 48.0;

/// For each point of a grid, the heights of a hull's origin on its floors, from the highest down.
#[derive(Clone, Debug)]
pub struct Floors(pub Vec<Vec<f64>>);

/// Creates a grid over the world of a map.
pub fn grid_over<D: AsRef<[u8]>>(map: &OnionMap<D>) -> SampleGrid {
    let bounds = boxes::of_model(&map.world());
    SampleGrid::new(bounds, SampleGrid::step_over(bounds))
}

/// Whether a plane is level enough to be a floor for agents by default.
pub fn is_ground(plane: Option<Plane<f64>>) -> bool {
    plane.is_some_and(|plane| WalkSettings::default().is_ground(plane.normal))
}

impl Floors {
    /// Finds the floors on which a hull can stand, by traces straight down at each point of a grid.
    pub fn of<D: AsRef<[u8]> + Sync>(
        map: &OnionMap<D>,
        hull: &Hull<'_>,
        grid: &SampleGrid,
    ) -> Self {
        let cells = (0..grid.n_points()).into_par_iter();
        // A standing box has its origin at `-feet` above the floor.
        let feet = f64::from(hull.bounds.mins[2]);
        let heights = [
            grid.bounds.maxs.z - feet + 1.0,
            grid.bounds.mins.z - feet - 1.0,
        ];
        let world = map.world();
        let floors = cells.map(|number| {
            let [start, end] = heights.map(|z| grid.point(number, z).to_array());
            let mut found = Vec::new();
            world.transitions(hull.id, start, end, |transition| {
                if let Transition::EnterSolid(crossing) = transition
                    && is_ground(crossing.plane)
                {
                    // A hull that falls stops at this distance.
                    found.push(crossing.point[2] + DEFAULT_MARGIN);
                }
                ControlFlow::Continue(())
            });
            found
        });
        Self(floors.collect())
    }

    /// Returns the area of all floors, in square units.
    pub fn area(&self, grid: &SampleGrid) -> f64 {
        let count: usize = self.0.iter().map(Vec::len).sum();
        count as f64 * grid.step * grid.step
    }

    /// Returns, for each point of the grid, the highest floor that an agent reaches from some positions by walking,
    /// jumping up and falling, or `None` if it reaches no floor there.
    pub fn walked<D: AsRef<[u8]>>(
        &self,
        map: &OnionMap<D>,
        hull: HullId,
        grid: &SampleGrid,
        from: &[DVec3],
    ) -> Vec<Option<f64>> {
        let mut is_walked: Vec<Vec<bool>> = self.0.iter().map(|at| vec![false; at.len()]).collect();
        let starts = from.iter().filter_map(|place| {
            let cell = grid.cell(*place)?;
            Some((cell, self.below(cell, place.z + JUMP)?))
        });
        let mut pending: Vec<(usize, usize)> = starts.collect();
        while let Some((cell, floor)) = pending.pop() {
            if std::mem::replace(&mut is_walked[cell][floor], true) {
                continue;
            }
            let z = self.0[cell][floor];
            let next = grid.around(cell, 1).flat_map(|other| {
                let at = grid.point(other, z).to_array();
                let floors = &self.0[other];
                let is_near = move |to: &usize| (z - STEP..=z + JUMP).contains(&floors[*to]);
                // An agent falls to a floor only if there is room for it beyond the edge.
                let falls = |to: &usize| !is_near(to) && !map.world().is_solid(hull, at);
                let lower = self.below(other, z).filter(falls);
                let near = (0..floors.len()).filter(is_near);
                near.chain(lower).map(move |to| (other, to))
            });
            pending.extend(next.filter(|&(other, to)| !is_walked[other][to]));
        }
        let highest = self.0.iter().zip(is_walked).map(|(floors, is_walked)| {
            let mut walked = floors.iter().zip(is_walked);
            walked.find(|(_, is_walked)| *is_walked).map(|(&z, _)| z)
        });
        highest.collect()
    }

    /// Returns the number of the highest floor of a cell that is no higher than `z`.
    fn below(&self, cell: usize, z: f64) -> Option<usize> {
        self.0[cell].iter().position(|&floor| floor <= z)
    }
}
