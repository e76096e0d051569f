//! Regions are convex, as cells are, and stay plain boxes until a sloped plane cuts them: cutting a box by an axial
//! plane takes a few comparisons and no memory. Parts are built on demand, because many are never needed. All of it
//! is exact.

use std::borrow::Cow;
use std::cell::OnceCell;

use glam::DVec3;

use super::bounds::Bounds;
use super::cell::Cell;
use super::cut::CellParts;
use super::plane::{PlaneId, PlaneSet};
use super::predicate::{Location, Vertex};

/// A bounded convex region with a volume.
#[derive(Clone, Debug)]
pub enum Region {
    /// A box between axial planes.
    Box(AxialBox),
    /// A cell between any planes.
    Cell(Cell),
}

/// A box between axial planes.
#[derive(Clone, Copy, Debug)]
pub struct AxialBox {
    /// The planes of the sides, facing outward, in the order -x +x -y +y -z +z.
    sides: [PlaneId; 6],
    /// Lower and upper corner, exact, in units.
    corners: [DVec3; 2],
}

/// The parts of a region in front of and behind a plane, built on demand.
pub struct Parts<'a> {
    region: &'a Region,
    planes: &'a PlaneSet,
    plane: PlaneId,
    /// Whether the part in front and the part behind have a volume.
    reaches: [bool; 2],
    /// The cut of a region that is a cell, or becomes one.
    cell: OnceCell<CellParts<'a>>,
    made: [OnceCell<Region>; 2],
}

impl AxialBox {
    fn new(planes: &PlaneSet, sides: [PlaneId; 6]) -> Self {
        let dist = |side: usize| planes[sides[side]].dist;
        let maxs = DVec3::new(dist(1), dist(3), dist(5));
        let mins = -DVec3::new(dist(0), dist(2), dist(4));
        Self {
            sides,
            corners: [mins, maxs],
        }
    }

    /// Returns whether the box reaches in front of a plane, and whether it reaches behind it.
    fn reaches(&self, planes: &PlaneSet, plane: PlaneId) -> [bool; 2] {
        let normal = planes[plane].normal;
        let farthest = |sign: f64| {
            let upper = |axis: usize| usize::from(normal[axis] * sign > 0.0);
            self.locate_corner(planes, [0, 1, 2].map(upper), plane)
        };
        [
            farthest(1.0) == Location::Front,
            farthest(-1.0) == Location::Back,
        ]
    }

    /// Locates a corner relative to a plane. For each axis, `upper` is 0 for the lower side and 1 for the upper side.
    fn locate_corner(&self, planes: &PlaneSet, upper: [usize; 3], plane: PlaneId) -> Location {
        let position = |axis: usize| self.corners[upper[axis]][axis];
        let position = DVec3::new(position(0), position(1), position(2));
        let meeting = [0, 1, 2].map(|axis| self.sides[2 * axis + upper[axis]]);
        Vertex::locate_meeting(planes, meeting, &position, plane)
    }

    /// Returns the part behind an axial plane that passes through the box.
    fn behind(&self, planes: &PlaneSet, plane: PlaneId, axis: usize) -> Self {
        let is_upper = planes[plane].normal[axis] > 0.0;
        let mut sides = self.sides;
        sides[2 * axis + usize::from(is_upper)] = plane;
        Self::new(planes, sides)
    }
}

impl Region {
    /// Returns the box between six axial planes that face outward, in the order -x +x -y +y -z +z, or `None` if it
    /// has no volume.
    pub fn of_box(planes: &PlaneSet, sides: [PlaneId; 6]) -> Option<Self> {
        let own = AxialBox::new(planes, sides);
        let [mins, maxs] = own.corners;
        mins.cmplt(maxs).all().then_some(Self::Box(own))
    }

    /// Returns a box that certainly holds the region.
    pub fn bounds(&self) -> Bounds {
        match self {
            Self::Box(own) => Bounds::around(own.corners.into_iter()),
            Self::Cell(cell) => cell.bounds(),
        }
    }

    /// Returns a point inside, up to rounding error.
    pub fn center(&self) -> DVec3 {
        match self {
            Self::Box(own) => (own.corners[0] + own.corners[1]) / 2.0,
            Self::Cell(cell) => cell.center(),
        }
    }

    /// Whether `holds` is true for all corners.
    pub fn all_corners(&self, holds: impl Fn(DVec3) -> bool) -> bool {
        match self {
            Self::Box(own) => (0..8).all(|corner| {
                let of = |axis: usize| own.corners[corner >> axis & 1][axis];
                holds(DVec3::new(of(0), of(1), of(2)))
            }),
            Self::Cell(cell) => cell.vertices().iter().all(|vertex| holds(vertex.position)),
        }
    }

    /// Returns the parts in front of and behind a plane.
    pub fn parts<'a>(&'a self, planes: &'a PlaneSet, plane: PlaneId) -> Parts<'a> {
        let cell = OnceCell::new();
        let reaches = match self {
            Self::Box(own) => own.reaches(planes, plane),
            Self::Cell(own) => {
                let parts = CellParts::new(Cow::Borrowed(own), planes, plane);
                let parts = cell.get_or_init(|| parts);
                [0, 1].map(|side| parts.reaches(side))
            }
        };
        Parts {
            region: self,
            planes,
            plane,
            reaches,
            cell,
            made: [OnceCell::new(), OnceCell::new()],
        }
    }
}

impl Parts<'_> {
    /// Whether there is a part with a volume on a side: 0 in front, 1 behind.
    pub fn reaches(&self, side: usize) -> bool {
        self.reaches[side]
    }

    /// Returns the part on a side that the region reaches.
    pub fn of(&self, side: usize) -> &Region {
        if self.reaches[side ^ 1] {
            self.made[side].get_or_init(|| self.make(side))
        } else {
            self.region
        }
    }

    fn make(&self, side: usize) -> Region {
        if let (Region::Box(own), Some(axis)) = (self.region, self.planes[self.plane].axis) {
            let plane = [self.plane.flipped(), self.plane][side];
            return Region::Box(own.behind(self.planes, plane, axis.into()));
        }
        let parts = || {
            let cell = match self.region {
                Region::Box(own) => Cow::Owned(Cell::from_box(self.planes, own.sides)),
                Region::Cell(cell) => Cow::Borrowed(cell),
            };
            CellParts::new(cell, self.planes, self.plane)
        };
        Region::Cell(self.cell.get_or_init(parts).part(side))
    }
}
