//! Regions are convex, like cells, and stay plain boxes until a sloped plane cuts them: cutting a box by an axial plane
//! takes a few comparisons and no memory. All cuts are exact.

use glam::DVec3;

use super::bounds::Bounds;
use super::cell::Cell;
use super::plane::{PlaneId, PlaneSet};
use super::predicate::{Location, Vertex};
use super::split::Split;

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
    /// The same box, exact.
    pub bounds: Bounds,
}

impl AxialBox {
    fn new(planes: &PlaneSet, sides: [PlaneId; 6]) -> Self {
        let bounds = Bounds::between(planes, sides);
        Self { sides, bounds }
    }

    /// Whether the box reaches in front of a plane, and whether it reaches behind it.
    fn reaches(&self, planes: &PlaneSet, plane: PlaneId) -> [bool; 2] {
        let normal = planes[plane].normal;
        let farthest = |sign: f64| {
            let is_upper = [0, 1, 2].map(|axis| normal[axis] * sign > 0.0);
            self.locate_corner(planes, is_upper, plane)
        };
        [
            farthest(1.0) == Location::Front,
            farthest(-1.0) == Location::Back,
        ]
    }

    /// Locates a corner, given by the sides that it lies on, relative to a plane.
    fn locate_corner(&self, planes: &PlaneSet, is_upper: [bool; 3], plane: PlaneId) -> Location {
        let Bounds { mins, maxs } = self.bounds;
        let position = DVec3::select(is_upper.into(), maxs, mins);
        let meeting = [0, 1, 2].map(|axis| self.sides[2 * axis + usize::from(is_upper[axis])]);
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
    /// Returns the box between six axial planes that face outward, in the order -x +x -y +y -z +z, or `None` if it has
    /// no volume.
    pub fn of_box(planes: &PlaneSet, sides: [PlaneId; 6]) -> Option<Self> {
        let own = AxialBox::new(planes, sides);
        let Bounds { mins, maxs } = own.bounds;
        mins.cmplt(maxs).all().then_some(Self::Box(own))
    }

    /// Returns a box that certainly holds the region.
    pub fn bounds(&self) -> Bounds {
        match self {
            Self::Box(own) => own.bounds,
            Self::Cell(cell) => cell.bounds(),
        }
    }

    /// Splits the region by a plane.
    pub fn split(&self, planes: &PlaneSet, plane: PlaneId) -> Split<Self> {
        let (own, axis) = match self {
            Self::Cell(cell) => return cell.split(planes, plane).map(Self::Cell),
            Self::Box(own) => (own, planes[plane].axis),
        };
        match (own.reaches(planes, plane), axis) {
            ([true, true], None) => {
                let cell = Cell::from_box(planes, own.sides);
                cell.split(planes, plane).map(Self::Cell)
            }
            ([true, true], Some(axis)) => {
                let part = |plane| Self::Box(own.behind(planes, plane, axis.into()));
                Split::Both(part(plane.flipped()), part(plane))
            }
            ([_, false], _) => Split::Front,
            ([false, true], _) => Split::Back,
        }
    }
}
