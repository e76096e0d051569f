//! Axis-aligned boxes around rounded positions, widened so that they certainly contain the exact shape. They serve as a
//! quick first test; where they overlap, an exact test decides.

use glam::DVec3;

use super::plane::{ExactPlane, PlaneEntry, PlaneId, PlaneSet};
use super::predicate::Location;
use crate::tolerance::OUTWARD_MARGIN;

/// A box, in units of the map.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Lower corner, in units; above `maxs` on all axes if the box is empty.
    pub mins: DVec3,
    /// Upper corner, in units.
    pub maxs: DVec3,
}

impl Bounds {
    /// The empty box.
    pub const NONE: Self = Self {
        mins: DVec3::INFINITY,
        maxs: DVec3::NEG_INFINITY,
    };

    /// Returns the smallest box around positions.
    pub fn of(positions: impl Iterator<Item = DVec3>) -> Self {
        let point = |at| Self { mins: at, maxs: at };
        positions.map(point).fold(Self::NONE, Self::union)
    }

    /// Returns a box that certainly contains the exact points of which these are the rounded positions.
    pub fn around(positions: impl Iterator<Item = DVec3>) -> Self {
        Self::of(positions).widened(OUTWARD_MARGIN)
    }

    /// Returns the box between six axial planes that face outward, in the order -x +x -y +y -z +z.
    pub fn between(planes: &PlaneSet, sides: [PlaneId; 6]) -> Self {
        let [x, right, y, ahead, z, above] = sides.map(|side| planes[side].dist);
        Self {
            mins: -DVec3::new(x, y, z),
            maxs: DVec3::new(right, ahead, above),
        }
    }

    /// Returns the box moved outward by this much on all sides.
    pub fn widened(self, units: f64) -> Self {
        Self {
            mins: self.mins - units,
            maxs: self.maxs + units,
        }
    }

    /// Returns the smallest box around both.
    pub fn union(self, other: Self) -> Self {
        Self {
            mins: self.mins.min(other.mins),
            maxs: self.maxs.max(other.maxs),
        }
    }

    /// Whether the boxes have a point in common.
    pub fn touches(&self, other: &Self) -> bool {
        self.mins.cmple(other.maxs).all() && other.mins.cmple(self.maxs).all()
    }

    /// Returns the side of a plane that certainly holds all of the box, or `None` if neither side certainly does. The
    /// margin is above the rounding error of the two dot products; see [`OUTWARD_MARGIN`] for the reason.
    #[inline]
    pub fn locate(&self, plane: &PlaneEntry) -> Option<Location> {
        let center = (self.mins + self.maxs) / 2.0;
        let half_size = (self.maxs - self.mins) / 2.0;
        Self::locate_box(center, half_size, plane)
    }

    /// Does the same as [`Bounds::locate`] for a box given by its center and half its size.
    #[inline]
    pub fn locate_box(center: DVec3, half_size: DVec3, plane: &PlaneEntry) -> Option<Location> {
        let ahead = plane.normal.dot(center) - plane.dist;
        let reach = plane.normal.abs().dot(half_size) + 2.0 * OUTWARD_MARGIN;
        if ahead > reach {
            Some(Location::Front)
        } else if ahead < -reach {
            Some(Location::Back)
        } else {
            None
        }
    }

    /// Adds the planes of the box to the set and returns them, facing outward, in the order -x +x -y +y -z +z. The
    /// corners of the box must be integers, in units.
    pub fn insert_planes(&self, planes: &mut PlaneSet) -> [PlaneId; 6] {
        std::array::from_fn(|side| {
            let (axis, forward) = (side / 2, side % 2 == 1);
            let corner = if forward { self.maxs } else { -self.mins };
            planes.insert(ExactPlane::whole(axis, forward, corner[axis] as i64))
        })
    }

    /// Returns the volume in cubic units.
    pub fn volume(&self) -> f64 {
        (self.maxs - self.mins).element_product()
    }
}
