//! The lattice: axial planes that contain the faces of blocks, which [`fast`](crate::fast) makes. Where faces lie in
//! many planes, the tree is divided at planes of the lattice before anything else, so that the part of the tree in a
//! block hangs from one node. The lattice is offset from the integers, on which the planes of maps lie. Otherwise
//! traces would enter solid at the borders of blocks, where no plane of a face can be reported.

use onion_geometry::grid::DIST_ONE;
use onion_geometry::{Bounds, ExactPlane, PlaneId, PlaneSet};

use crate::tolerance::REACH;

/// The distance between adjacent planes of the lattice, in 1/64 units.
pub const STEP: i64 = 128 * UNIT;

/// One unit, in 1/64 units.
pub const UNIT: i64 = 64;

/// The offset of the lattice from multiples of its step on each axis, in 1/64 units: nearly three units. It is odd, so
/// that neither integers nor integers plus the margin of a trace lie on it.
pub const SHIFT: i64 = 177;

/// Returns the plane of an axis at a coordinate in 1/64 units.
pub fn plane(axis: usize, at: i64) -> ExactPlane {
    ExactPlane::axial(axis, true, at * (DIST_ONE / UNIT))
}

/// The planes of the lattice in a box, added before a tree is built because a builder adds no planes.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// For each axis, the number of the first plane in steps, and the planes.
    axes: [(i64, Vec<PlaneId>); 3],
}

impl Lattice {
    /// Adds the planes in a box to the set.
    pub fn new(planes: &mut PlaneSet, bounds: &Bounds) -> Self {
        let axes = [0, 1, 2].map(|axis| {
            let first = number(bounds.mins[axis]).ceil() as i64;
            let last = number(bounds.maxs[axis]).floor() as i64;
            let insert = |number| planes.insert(plane(axis, number * STEP + SHIFT));
            (first, (first..=last).map(insert).collect())
        });
        Self { axes }
    }

    /// Returns the coarsest plane that cuts a box, on the longest axis that has any, or `None` if no plane cuts it. The
    /// more factors of two the number of a plane has, the coarser it is.
    pub fn splitter(&self, bounds: &Bounds) -> Option<PlaneId> {
        let sizes = bounds.maxs - bounds.mins;
        let mut axes = [0, 1, 2];
        axes.sort_by(|&one, &other| sizes[other].total_cmp(&sizes[one]));
        axes.into_iter().find_map(|axis| {
            let first = number(bounds.mins[axis] + REACH).ceil() as i64;
            let last = number(bounds.maxs[axis] - REACH).floor() as i64;
            let coarsest = (first..=last).max_by_key(|number| number.trailing_zeros())?;
            let (before, planes) = &self.axes[axis];
            planes.get((coarsest - before) as usize).copied()
        })
    }
}

/// Converts a coordinate in units to a fractional number of planes, up to rounding error.
fn number(units: f64) -> f64 {
    (units * UNIT as f64 - SHIFT as f64) / STEP as f64
}
