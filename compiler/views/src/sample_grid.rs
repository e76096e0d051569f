//! A grid of points over a map, in the middle of square cells, at which floors and differences are sampled. A sample is
//! exact at its point and stands for the cell around it.

use glam::DVec3;
use onion_geometry::Bounds;

/// Minimum spacing of the points, in units.
const MIN_SPACING: f64 = 4.0;

/// Maximum number of points along an axis.
const MAX_POINTS: f64 = 512.0;

/// A grid of sample points.
#[derive(Clone, Debug)]
pub(crate) struct SampleGrid {
    /// Spacing of the points, in units.
    pub step: f64,
    /// The box over which it lies.
    pub bounds: Bounds,
    /// Number of points along x and y.
    counts: [usize; 2],
}

impl SampleGrid {
    /// Returns the spacing of the points of a grid over a box.
    pub fn step_over(bounds: Bounds) -> f64 {
        let extents = bounds.maxs - bounds.mins;
        let mut step = MIN_SPACING;
        while extents.x.max(extents.y) / step > MAX_POINTS {
            step *= 2.0;
        }
        step
    }

    pub fn new(bounds: Bounds, step: f64) -> Self {
        let extents = bounds.maxs - bounds.mins;
        Self {
            step,
            bounds,
            counts: [extents.x, extents.y].map(|extent| (extent / step).ceil() as usize),
        }
    }

    pub fn n_points(&self) -> usize {
        self.counts[0] * self.counts[1]
    }

    /// Returns the middle of a cell, at a height.
    pub fn point(&self, number: usize, z: f64) -> DVec3 {
        let cell = [number % self.counts[0], number / self.counts[0]];
        let [x, y] = cell.map(|at| (at as f64 + 0.5) * self.step);
        DVec3::new(self.bounds.mins.x + x, self.bounds.mins.y + y, z)
    }

    /// Returns the number of the cell that contains a position, or `None` if it is outside the grid.
    pub fn cell(&self, place: DVec3) -> Option<usize> {
        let at = ((place - self.bounds.mins) / self.step).floor();
        let is_inside = (0..2).all(|k| at[k] >= 0.0 && at[k] < self.counts[k] as f64);
        is_inside.then(|| at.y as usize * self.counts[0] + at.x as usize)
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
