//! A cover records how a hull's brushes relate to a cell of a tree: one brush contains all of it, or several may share
//! volume with it. Covers are split along with cells on the way down. Cutting the brushes of a cover out of a cell or
//! a face shows exactly which parts no brush contains. This module does not depend on the builder of trees.

use onion_geometry::relation::{Relation, Sides, relation, remainder};
use onion_geometry::{Bounds, Cell, Location, PlaneId, PlaneSet, Split, Winding};

use crate::expand::{HullBrush, HullSolid};

/// The relation of a hull's brushes to a cell.
#[derive(Clone)]
pub enum Cover<'a> {
    /// One brush contains all of the cell.
    Whole,
    /// These brushes may share volume with the cell.
    Parts(Vec<CoverPart<'a>>),
}

/// A brush that may share volume with a cell.
#[derive(Clone)]
pub struct CoverPart<'a> {
    /// Box around the brush.
    bounds: &'a Bounds,
    /// The planes of the brush that may cut the cell or have it in front of them. The cell lies entirely behind all
    /// other planes of the brush, which are not tested again.
    sides: Sides,
}

impl<'a> Cover<'a> {
    /// Returns the cover of the cell around all brushes of a hull.
    pub fn of(solid: &'a HullSolid) -> Self {
        Self::Parts(solid.brushes.iter().map(CoverPart::of).collect())
    }

    /// Returns the number of brushes that may share volume with the cell, or 0 if one brush contains all of it.
    pub fn n_parts(&self) -> usize {
        match self {
            Self::Whole => 0,
            Self::Parts(parts) => parts.len(),
        }
    }

    /// Returns the covers of the parts of the cell in front of and behind a plane, which are given with their boxes. A
    /// brush that lies on one side of the plane is passed to that part unchanged.
    pub fn split(
        self,
        planes: &PlaneSet,
        plane: PlaneId,
        cells: [(&Cell, Bounds); 2],
    ) -> [Self; 2] {
        let Self::Parts(parts) = self else {
            return [Self::Whole, Self::Whole];
        };
        let mut covers = [const { Self::Parts(Vec::new()) }; 2];
        for part in parts {
            match part.bounds.locate(&planes[plane]) {
                Some(Location::Front) => covers[0].push(part),
                Some(_) => covers[1].push(part),
                None => {
                    for (cover, (cell, bounds)) in covers.iter_mut().zip(&cells) {
                        cover.narrow(planes, &part, cell, bounds);
                    }
                }
            }
        }
        covers
    }

    fn push(&mut self, part: CoverPart<'a>) {
        if let Self::Parts(parts) = self {
            parts.push(part);
        }
    }

    /// Adds a brush of the cover of a larger cell, reduced to the planes that matter for a cell in it.
    fn narrow(&mut self, planes: &PlaneSet, part: &CoverPart<'a>, cell: &Cell, bounds: &Bounds) {
        let Self::Parts(parts) = self else {
            return;
        };
        match part.relation(planes, cell, bounds) {
            Relation::Apart => {}
            Relation::Inside => *self = Self::Whole,
            Relation::Near(sides) => parts.push(CoverPart { sides, ..*part }),
        }
    }
}

impl<'a> CoverPart<'a> {
    /// Returns a brush with all its planes, for any cell.
    pub fn of(brush: &'a HullBrush) -> Self {
        Self {
            bounds: &brush.bounds,
            sides: Sides::from_slice(&brush.planes),
        }
    }

    fn relation(&self, planes: &PlaneSet, cell: &Cell, bounds: &Bounds) -> Relation {
        if !self.bounds.touches(bounds) {
            return Relation::Apart;
        }
        relation(planes, bounds, &self.sides, |plane| {
            cell.side(planes, plane)
        })
    }

    /// Whether the brush shares volume with the cell.
    pub fn meets(&self, planes: &PlaneSet, cell: &Cell) -> bool {
        match self.relation(planes, cell, &cell.bounds()) {
            Relation::Apart => false,
            Relation::Inside => true,
            Relation::Near(sides) => cell.reaches_behind(planes, &sides),
        }
    }
}

/// Whether `is_right` holds for each convex part of a cell that remains after the brushes are cut out of it.
pub fn all_uncovered(
    planes: &PlaneSet,
    cell: Cell,
    parts: &[CoverPart<'_>],
    is_right: &dyn Fn(&Cell) -> bool,
) -> bool {
    let bounds = cell.bounds();
    let mut near = Vec::new();
    for part in parts {
        match part.relation(planes, &cell, &bounds) {
            Relation::Apart => {}
            Relation::Inside => return true,
            Relation::Near(sides) => near.push(CoverPart { sides, ..*part }),
        }
    }
    let Some(first) = take_first(&mut near) else {
        return is_right(&cell);
    };
    let mut rest = remainder(planes, cell, first.sides).into_iter();
    rest.all(|part| all_uncovered(planes, part, &near, is_right))
}

/// Removes the brush with the fewest planes, which cuts the cell into the fewest parts; `None` if the list is empty.
fn take_first<'a>(parts: &mut Vec<CoverPart<'a>>) -> Option<CoverPart<'a>> {
    let first = (0..parts.len()).min_by_key(|&at| parts[at].sides.len())?;
    Some(parts.swap_remove(first))
}

/// Returns the brushes that may contain some of the space right behind a face of a cell, or `None` if one of them
/// contains all of it.
pub fn lining<'a>(
    planes: &PlaneSet,
    winding: &Winding,
    parts: &[CoverPart<'a>],
) -> Option<Vec<CoverPart<'a>>> {
    let bounds = winding.bounds();
    let mut near = Vec::new();
    for part in parts.iter().filter(|part| part.bounds.touches(&bounds)) {
        match relation(planes, &bounds, &part.sides, |plane| {
            winding.side(planes, plane)
        }) {
            Relation::Apart => {}
            Relation::Inside => return None,
            Relation::Near(sides) => near.push(CoverPart { sides, ..*part }),
        }
    }
    Some(near)
}

/// Whether brushes together contain all of the space right behind a face of a cell.
pub fn is_lined(planes: &PlaneSet, winding: Winding, parts: &[CoverPart<'_>]) -> bool {
    let Some(mut near) = lining(planes, &winding, parts) else {
        return true;
    };
    let Some(first) = take_first(&mut near) else {
        return false;
    };
    // Not `subtract`, with which the union makes the faces that are proven here; this ends at the first bare part.
    let mut inside = winding;
    for plane in first.sides {
        match inside.split(planes, plane) {
            Some(Split::Back) => {}
            // The brush lines nothing of what is left.
            Some(Split::Front) | None => return is_lined(planes, inside, &near),
            Some(Split::Both(front, back)) => {
                if !is_lined(planes, front, &near) {
                    return false;
                }
                inside = back;
            }
        }
    }
    true
}
