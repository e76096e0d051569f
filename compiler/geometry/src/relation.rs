//! Relations tell how a cell lies to a brush: apart from it, inside it, or which planes of the brush still pass
//! through it. What of a cell is outside of a brush is cut into convex parts.

use smallvec::SmallVec;

use super::winding::PlaneSide;
use super::{Bounds, Cell, Cut, Location, PlaneId, PlaneSet, Winding};

/// Some planes of a brush.
pub type Sides = SmallVec<[PlaneId; 8]>;

/// How a cell lies to a brush, which is behind all of some planes.
pub enum Relation {
    /// A plane of the brush has all of the cell in front: they share no volume.
    Apart,
    /// The cell lies in the brush.
    Inside,
    /// Neither; the planes of the brush that pass through the cell.
    Near(Sides),
}

impl Relation {
    /// That of a cell that is behind all planes but those that pass through it.
    fn of(through: Sides) -> Self {
        if through.is_empty() {
            Self::Inside
        } else {
            Self::Near(through)
        }
    }
}

/// How a cell in a box lies to the brush behind all of some planes.
pub fn relation(
    planes: &PlaneSet,
    cell: &Cell,
    bounds: &Bounds,
    sides: impl Iterator<Item = PlaneId>,
) -> Relation {
    let mut unsure = Sides::new();
    for plane in sides {
        match bounds.locate(&planes[plane]) {
            Some(Location::Front) => return Relation::Apart,
            Some(_) => {}
            None => unsure.push(plane),
        }
    }
    let mut through = Sides::new();
    for plane in unsure {
        match cell.side(planes, plane) {
            PlaneSide::Front | PlaneSide::On => return Relation::Apart,
            PlaneSide::Back => {}
            PlaneSide::Both => through.push(plane),
        }
    }
    Relation::of(through)
}

/// How what is right behind a face of a cell lies to the brush behind all of some planes, none of which
/// holds the face.
pub fn relation_inward(
    planes: &PlaneSet,
    winding: &Winding,
    bounds: &Bounds,
    sides: &[PlaneId],
) -> Relation {
    let mut through = Sides::new();
    for &plane in sides {
        match bounds.locate(&planes[plane]) {
            Some(Location::Front) => return Relation::Apart,
            Some(_) => {}
            None => match winding.side(planes, plane) {
                PlaneSide::Front | PlaneSide::On => return Relation::Apart,
                PlaneSide::Back => {}
                PlaneSide::Both => through.push(plane),
            },
        }
    }
    Relation::of(through)
}

/// The parts of a cell outside of a brush that is behind all of some planes.
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
