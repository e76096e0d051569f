//! Relations tell how a cell lies to a brush: apart from it, inside it, or which planes of the brush still pass
//! through it. What of a cell is outside of a brush is cut into convex parts.

use smallvec::SmallVec;

use super::{Bounds, Cell, Cut, Location, PlaneId, PlaneSet};

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
        let locations = cell.locate(planes, plane);
        if !locations.contains(&Location::Back) {
            return Relation::Apart;
        }
        if locations.contains(&Location::Front) {
            through.push(plane);
        }
    }
    if through.is_empty() {
        Relation::Inside
    } else {
        Relation::Near(through)
    }
}

/// The parts of a cell outside of a brush, which is behind all of some planes.
pub fn outside(planes: &PlaneSet, cell: Cell, sides: impl Iterator<Item = PlaneId>) -> Vec<Cell> {
    let sides = match relation(planes, &cell, &cell.bounds(), sides) {
        Relation::Apart => return vec![cell],
        Relation::Inside => return Vec::new(),
        Relation::Near(sides) => sides,
    };
    let mut parts = Vec::new();
    let mut inside = cell.clone();
    for plane in sides {
        match inside.cut(planes, plane) {
            Cut::Back => {}
            Cut::Front => return vec![cell],
            Cut::Both(front, back) => {
                parts.push(front);
                inside = back;
            }
        }
    }
    parts
}
