//! Classification decides whether a cell without faces is solid for a hull, by testing one point of the cell
//! (Golodetz, section 3.2, listings 3 and 4). The point is exact and in general position. Golodetz's choice, the
//! average of the cell's vertices, falls on the seam of two touching brushes in symmetric cells; there no brush
//! contains it, although everything around it is solid.

use onion_geometry::{Cell, Location, PlaneSet, PointH};

use crate::expand::HullSolid;

/// Whether a cell that no face of a hull's skin enters is solid. `solid_at` returns whether a point is solid, or
/// `None` if the point lies on a plane and therefore says nothing about the cell around it.
pub fn classify(
    planes: &PlaneSet,
    cell: &Cell,
    solid_at: impl Fn(&PointH) -> Option<bool>,
) -> bool {
    // Another seed gives another point. Finitely many planes cannot hold all points of a cell, so this ends.
    (0..)
        .find_map(|seed| solid_at(&cell.interior_point(planes, seed)))
        .unwrap_or(false)
}

/// Whether a point is inside any brush, or `None` if it lies on a plane that bounds a brush there.
pub fn solid_at(planes: &PlaneSet, solid: &HullSolid, point: &PointH) -> Option<bool> {
    let mut certain = true;
    for number in solid.index.around(point.position) {
        let sides = solid.brushes[number as usize].planes.iter();
        let mut locations = sides.map(|&plane| point.locate(&planes[plane]));
        match locations.try_fold(true, |inside, location| match location {
            Location::Back => Some(inside),
            Location::On => Some(false),
            Location::Front => None,
        }) {
            Some(true) => return Some(true),
            Some(false) => certain = false,
            None => {}
        }
    }
    certain.then_some(false)
}
