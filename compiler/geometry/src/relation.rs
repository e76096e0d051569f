//! Relations classify a cell against a brush: the cell is apart from it, inside it, or crossed by some of the brush's
//! planes. The part of a cell outside of a brush is cut into convex parts.

use smallvec::SmallVec;

use super::winding::PlaneSide;
use super::{Bounds, Cell, Cut, Location, PlaneId, PlaneSet};

/// Some planes of a brush.
pub type Sides = SmallVec<[PlaneId; 8]>;

/// The relation of a cell to a brush, which is the intersection of the half-spaces behind some planes.
pub enum Relation {
    /// A plane of the brush has all of the cell in front: they share no volume.
    Apart,
    /// The cell lies in the brush.
    Inside,
    /// Neither: the planes of the brush that pass through the cell.
    Near(Sides),
}

/// Returns the relation of a cell, or of the space right behind a face of a cell, to the brush behind all of some
/// planes, none of which contains the face. The cell or the face is given by its box, and by a function that returns
/// its exact side of a plane.
pub fn relation(
    planes: &PlaneSet,
    bounds: &Bounds,
    sides: &[PlaneId],
    side: impl Fn(PlaneId) -> PlaneSide,
) -> Relation {
    let mut unsure = Sides::new();
    for &plane in sides {
        match bounds.locate(&planes[plane]) {
            Some(Location::Front) => return Relation::Apart,
            Some(_) => {}
            None => unsure.push(plane),
        }
    }
    let mut through = Sides::new();
    for plane in unsure {
        match side(plane) {
            PlaneSide::Front | PlaneSide::On => return Relation::Apart,
            PlaneSide::Back => {}
            PlaneSide::Both => through.push(plane),
        }
    }
    match through.is_empty() {
        true => Relation::Inside,
        false => Relation::Near(through),
    }
}

/// Cuts a brush, given by its planes, out of a cell, and returns convex parts that make up the rest; empty if the brush
/// contains the cell.
pub fn outside(
    planes: &PlaneSet,
    cell: Cell,
    sides: impl IntoIterator<Item = PlaneId>,
) -> Vec<Cell> {
    let mut parts = Vec::new();
    let mut inside = None;
    for plane in sides {
        match inside.as_ref().unwrap_or(&cell).cut(planes, plane) {
            Cut::Back => {}
            Cut::Front => return vec![cell],
            Cut::Both(front, back) => {
                parts.push(front);
                inside = Some(back);
            }
        }
    }
    parts
}
