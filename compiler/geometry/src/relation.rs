//! Relations classify a cell against a brush: the cell is apart from it, inside it, or crossed by some of the brush's
//! planes. A cell without the brush is a few convex parts.

use smallvec::SmallVec;

use super::winding::PlaneSide;
use super::{Bounds, Cell, Location, PlaneId, PlaneSet, PointH, subtract};

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
/// planes. The cell or the face is given by its box, and by a function that returns its exact side of a plane. What is
/// on a plane counts as in front of it.
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
    if through.is_empty() {
        Relation::Inside
    } else {
        Relation::Near(through)
    }
}

/// Subtracts a brush, given by its planes, from a cell, and returns convex parts that make up the remainder. The
/// list is empty if the brush contains the cell.
pub fn remainder(
    planes: &PlaneSet,
    cell: Cell,
    sides: impl IntoIterator<Item = PlaneId>,
) -> Vec<Cell> {
    subtract(cell, sides, |part, plane| part.split(planes, plane))
}

/// Locates a point relative to a convex solid, given by its planes: inside (behind all of them), on its surface, or in
/// front of one.
pub fn location(
    planes: &PlaneSet,
    point: &PointH,
    sides: impl Iterator<Item = PlaneId>,
) -> Location {
    let mut location = Location::Back;
    for plane in sides {
        match point.locate(&planes[plane]) {
            Location::Front => return Location::Front,
            Location::On => location = Location::On,
            Location::Back => {}
        }
    }
    location
}
