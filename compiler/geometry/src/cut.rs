//! Cuts cells by planes: decides whether a cell lies in front of a plane, behind it or on both sides, and builds its
//! parts on demand. The work itself is in [`cell`](super::cell).

use std::borrow::Cow;
use std::cell::OnceCell;

use super::cell::{Cell, CutEdges};
use super::plane::{PlaneId, PlaneSet};
use super::predicate::{Location, Locations};

/// The result of cutting a cell by a plane.
#[derive(Debug)]
pub enum Cut {
    /// The cell is wholly in front; it may touch the plane.
    Front,
    /// The cell is wholly behind; it may touch the plane.
    Back,
    /// The plane passes through: the part in front and the part behind.
    Both(Cell, Cell),
}

/// The parts of a cell in front of and behind a plane, built on demand.
#[derive(Debug)]
pub(super) struct CellParts<'a> {
    cell: Cow<'a, Cell>,
    planes: &'a PlaneSet,
    plane: PlaneId,
    /// The locations of the vertices.
    locations: Locations,
    cuts: OnceCell<CutEdges>,
}

impl Cell {
    /// Cuts the cell by a plane.
    pub fn cut(&self, planes: &PlaneSet, plane: PlaneId) -> Cut {
        let parts = CellParts::new(Cow::Borrowed(self), planes, plane);
        match [0, 1].map(|side| parts.reaches(side)) {
            [true, true] => Cut::Both(parts.part(0), parts.part(1)),
            [_, true] => Cut::Back,
            [_, false] => Cut::Front,
        }
    }
}

impl<'a> CellParts<'a> {
    /// Prepares the cut of a cell by a plane.
    pub(super) fn new(cell: Cow<'a, Cell>, planes: &'a PlaneSet, plane: PlaneId) -> Self {
        let locations = cell.locate(planes, plane);
        Self {
            cell,
            planes,
            plane,
            locations,
            cuts: OnceCell::new(),
        }
    }

    /// Whether a part of the cell with a volume lies on a side: 0 in front, 1 behind.
    pub(super) fn reaches(&self, side: usize) -> bool {
        let location = [Location::Front, Location::Back][side];
        self.locations.contains(&location)
    }

    /// Returns the part on a side of a plane that passes through the cell.
    pub(super) fn part(&self, side: usize) -> Cell {
        let edges = || {
            self.cell
                .cut_edges(self.planes, self.plane, &self.locations)
        };
        let cuts = self.cuts.get_or_init(edges);
        if side == 1 {
            return self.cell.part_behind(self.plane, &self.locations, cuts);
        }
        let locations: Locations = self.locations.iter().map(|at| at.flipped()).collect();
        self.cell
            .part_behind(self.plane.flipped(), &locations, cuts)
    }
}
