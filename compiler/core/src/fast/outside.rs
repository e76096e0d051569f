//! The outside of a grid: overlapping slabs that extend from each side of the grid to [`OUTSIDE_LIMIT`], widened at
//! both ends by [`OUTSIDE_MARGIN`]. No brush is there, so all of it is empty for a hull, or all of it was filled.
//! [`build`](super::build) finds out which, and [`proof`](super::proof) proves it.

use std::array;

use onion_format::{OUTSIDE_LIMIT, OUTSIDE_MARGIN};
use onion_geometry::grid::DIST_ONE;
use onion_geometry::{ExactPlane, PlaneId, PlaneSet, Region};

use super::cuboid::outward;
use super::grid::BlockGrid;
use crate::tree::lattice::UNIT;

/// The largest coordinate of the slabs on each axis, in 2^-36 units.
const FAR: i64 = ((OUTSIDE_LIMIT + OUTSIDE_MARGIN) * DIST_ONE as f64) as i64;

/// The distance by which the slabs extend into the grid, in 2^-36 units.
const MARGIN: i64 = (OUTSIDE_MARGIN * DIST_ONE as f64) as i64;

/// Returns the slabs around a grid, except for those that would begin beyond the limit.
pub(super) fn slabs(grid: &BlockGrid, planes: &mut PlaneSet) -> Vec<Region> {
    let cuboid = grid.cuboid();
    // For each side, the plane where its slab begins, facing the grid.
    let inner: [PlaneId; 6] = array::from_fn(|side| {
        let beyond = outward(side) * cuboid.face(side) * (DIST_ONE / UNIT);
        planes.insert(ExactPlane::axial(side / 2, side % 2 == 0, MARGIN - beyond))
    });
    let limits: [PlaneId; 6] =
        array::from_fn(|side| planes.insert(ExactPlane::axial(side / 2, side % 2 == 1, FAR)));
    let slab = |side: usize| {
        let mut sides = limits;
        sides[side ^ 1] = inner[side];
        Region::of_box(planes, sides)
    };
    (0..6).filter_map(slab).collect()
}
