//! The space outside of a grid, as far as [`OUTSIDE_LIMIT`] tells, and a margin more: slabs beyond each side of the
//! grid, which overlap. No brush is there, so all of it is empty for a hull, or all of it was filled, which
//! [`build`](super::build) finds out and [`proof`](super::proof) proves.

use onion_format::{BLOCK_MARGIN, OUTSIDE_LIMIT};

use super::grid::{Faces, Grid};
use crate::geometry::grid::DIST_ONE;
use crate::geometry::{Bounds, Plane, PlaneSet, Region};

/// How far the slabs reach from the origin on each axis, in units.
const FAR: f64 = OUTSIDE_LIMIT + BLOCK_MARGIN;

/// A slab beyond a side of a grid, with its margin.
pub struct Slab {
    /// Exactly.
    pub region: Region,
    /// The box around it.
    pub bounds: Bounds,
}

/// The slabs around a grid, but for those that would be beyond the limit.
pub fn slabs(grid: &Grid, faces: &Faces, planes: &mut PlaneSet) -> Vec<Slab> {
    let far = (FAR * DIST_ONE as f64) as i64;
    let mut limit = |side: usize| planes.insert(Plane::axial(side / 2, side % 2 == 1, far));
    let limits: [_; 6] = std::array::from_fn(&mut limit);
    let slab = |side: usize| {
        let (axis, is_upper) = (side / 2, side % 2 == 1);
        let mut sides = limits;
        // The side of the slab that faces the grid.
        sides[side ^ 1] = faces.of_slab(grid, axis, is_upper);
        let region = Region::of_box(planes, sides)?;
        let bounds = region.bounds();
        Some(Slab { region, bounds })
    };
    (0..6).filter_map(slab).collect()
}
