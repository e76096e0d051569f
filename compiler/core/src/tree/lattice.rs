//! The lattice of axial planes that contain the faces of blocks. Where many planes meet, the tree is divided at the
//! planes of the lattice before anything else, so that a block's part of the tree hangs from one node;
//! [`fast`](crate::fast) makes the blocks. The lattice is shifted from the integers, on which the planes of maps lie:
//! otherwise traces would enter solid at the borders of blocks, where no plane of a face can be named.

use onion_geometry::grid::DIST_ONE;
use onion_geometry::{Bounds, ExactPlane, PlaneId, PlaneSet};

use crate::tolerance::REACH;

/// The distance between adjacent planes of the lattice, in 1/64 units.
pub const STEP: i64 = 128 * UNIT;

/// One unit, in 1/64 units.
pub const UNIT: i64 = 64;

/// The shift of the lattice from multiples of its step on each axis, in 1/64 units: nearly three units. It is odd, so
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

    /// Returns the coarsest plane that divides a box, across its longest axis if possible, or `None` if no plane
    /// divides it.
    pub fn divider(&self, bounds: &Bounds) -> Option<PlaneId> {
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

/// Converts a coordinate to steps, up to rounding error.
fn number(units: f64) -> f64 {
    (units * UNIT as f64 - SHIFT as f64) / STEP as f64
}
