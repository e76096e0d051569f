//! The space outside of a grid up to [`OUTSIDE_LIMIT`], and a margin more: slabs beyond each side of the grid, which
//! overlap. No brush is there, so all of it is empty for a hull, or all of it was filled. [`build`](super::build)
//! finds out which, and [`proof`](super::proof) proves it.

use onion_format::{OUTSIDE_LIMIT, OUTSIDE_MARGIN};
use onion_geometry::grid::DIST_ONE;
use onion_geometry::{ExactPlane, PlaneSet, Region};

use super::grid::Faces;

/// The distance that the slabs reach from the origin on each axis, in units.
const FAR: f64 = OUTSIDE_LIMIT + OUTSIDE_MARGIN;

/// Returns the slabs around a grid, except for those that would be beyond the limit.
pub fn slabs(faces: &Faces, planes: &mut PlaneSet) -> Vec<Region> {
    let far = (FAR * DIST_ONE as f64) as i64;
    let mut limit = |side: usize| planes.insert(ExactPlane::axial(side / 2, side % 2 == 1, far));
    let limits: [_; 6] = std::array::from_fn(&mut limit);
    let slab = |side: usize| {
        let (axis, is_upper) = (side / 2, side % 2 == 1);
        let mut sides = limits;
        // The side of the slab that faces the grid.
        sides[side ^ 1] = faces.of_slab(axis, is_upper);
        Region::of_box(planes, sides)
    };
    (0..6).filter_map(slab).collect()
}
