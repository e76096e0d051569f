//! Finds the floors of a hull: for each point of a grid, the heights at which it can stand, from the highest down,
//! and the floors that an agent reaches on foot. Floors are sampled with the runtime's own queries, so each of them
//! is exact.

use std::ops::ControlFlow;

use glam::DVec3;
use onion_runtime::{Hull, HullId, OnionMap, Transition};
use rayon::prelude::*;

/// Minimum vertical component of the normal of a floor, as in Quake III.
pub const MIN_GROUND_Z: f64 = 0.7;
/// Height difference in units within which floors count as one: a step.
pub const STEP: f64 = 18.0;
/// Height that an agent jumps, in units; nearly three steps.
pub const JUMP: f64 = 48.0;
/// Distance of a hull from the floor below it, in units.
const ABOVE: f64 = 1.0 / 32.0;
/// Minimum distance of points, in units, and maximum number of points along an axis.
const LEAST_STEP: f64 = 4.0;
const MOST_POINTS: usize = 512;

/// The grid of points at which floors are sampled.
#[derive(Clone, Debug)]
pub struct FloorGrid {
    /// Distance of the points, in units.
    pub step: f64,
    mins: [f64; 3],
    maxs: [f64; 3],
    counts: [usize; 2],
}

/// For each point of a grid, the heights of its floors.
#[derive(Clone, Debug)]
pub struct Floors(pub Vec<Vec<f64>>);

impl FloorGrid {
    /// Creates a grid over the world of a map.
    pub fn of<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Self {
        let (mins, maxs) = map.world().bounds();
        let [mins, maxs] = [mins, maxs].map(|corner| corner.map(f64::from));
        let extents = [0, 1].map(|k| maxs[k] - mins[k]);
        let mut step = LEAST_STEP;
        while extents
            .iter()
            .any(|extent| extent / step > MOST_POINTS as f64)
        {
            step *= 2.0;
        }
        Self {
            step,
            mins,
            maxs,
            counts: extents.map(|extent| (extent / step).ceil() as usize),
        }
    }

    /// Returns the middle of a cell.
    pub fn point(&self, number: usize) -> [f64; 2] {
        let cell = [number % self.counts[0], number / self.counts[0]];
        [0, 1].map(|k| self.mins[k] + (cell[k] as f64 + 0.5) * self.step)
    }

    /// Returns the cell of a place, or `None` if it is outside the grid.
    pub fn cell(&self, [x, y]: [f64; 2]) -> Option<usize> {
        let at = [x - self.mins[0], y - self.mins[1]].map(|at| (at / self.step).floor());
        let is_inside = (0..2).all(|k| at[k] >= 0.0 && at[k] < self.counts[k] as f64);
        is_inside.then(|| at[1] as usize * self.counts[0] + at[0] as usize)
    }

    /// Returns the cells at most `reach` steps away along each axis, including the cell itself.
    pub fn around(&self, number: usize, reach: usize) -> impl Iterator<Item = usize> {
        let [width, height] = self.counts;
        let [x, y] = [number % width, number / width];
        let columns = x.saturating_sub(reach)..(x + reach + 1).min(width);
        let rows = y.saturating_sub(reach)..(y + reach + 1).min(height);
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }
}

impl Floors {
    /// Returns the floors of a hull.
    pub fn of<D: AsRef<[u8]> + Sync>(map: &OnionMap<D>, hull: &Hull<'_>, grid: &FloorGrid) -> Self {
        let [width, height] = grid.counts;
        let cells = (0..width * height).into_par_iter();
        // The origin is `-feet` above the brushes on which the box stands.
        let feet = f64::from(hull.mins[2]);
        let [below, above] = [grid.mins[2] - feet - 1.0, grid.maxs[2] - feet + 1.0];
        let id = hull.id;
        let floors = cells.map(|number| {
            let [x, y] = grid.point(number);
            let mut found = Vec::new();
            map.world()
                .transitions(id, [x, y, above], [x, y, below], |transition| {
                    if let Transition::EnterSolid(crossing) = transition
                        && crossing
                            .plane
                            .is_some_and(|plane| plane.normal[2] >= MIN_GROUND_Z)
                    {
                        found.push(crossing.point[2] + ABOVE);
                    }
                    ControlFlow::Continue(())
                });
            found
        });
        Self(floors.collect())
    }

    /// Returns the area of all floors, in square units.
    pub fn area(&self, grid: &FloorGrid) -> f64 {
        let count: usize = self.0.iter().map(Vec::len).sum();
        count as f64 * grid.step * grid.step
    }

    /// Returns for each point of the grid the highest floor to which an agent walks, jumps up or falls from one of
    /// some places, or `None` if there is none.
    pub fn walked<D: AsRef<[u8]>>(
        &self,
        map: &OnionMap<D>,
        hull: HullId,
        grid: &FloorGrid,
        from: &[DVec3],
    ) -> Vec<Option<f64>> {
        let mut is_walked: Vec<Vec<bool>> = self.0.iter().map(|at| vec![false; at.len()]).collect();
        let starts = from.iter().filter_map(|place| {
            let cell = grid.cell([place.x, place.y])?;
            Some((cell, self.below(cell, place.z + JUMP)?))
        });
        let mut pending: Vec<(usize, usize)> = starts.collect();
        while let Some((cell, floor)) = pending.pop() {
            if std::mem::replace(&mut is_walked[cell][floor], true) {
                continue;
            }
            let z = self.0[cell][floor];
            let next = grid.around(cell, 1).flat_map(|other| {
                let [x, y] = grid.point(other);
                let floors = &self.0[other];
                let is_near = move |to: &usize| (z - STEP..=z + JUMP).contains(&floors[*to]);
                // An agent that falls must first get beyond the edge.
                let falls = |to: &usize| !is_near(to) && !map.world().is_solid(hull, [x, y, z]);
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
