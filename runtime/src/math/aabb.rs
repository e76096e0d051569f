//! Axis-aligned boxes: of hulls, of models, of shapes, and those that a game asks about. All of the interface uses this
//! one type.

use crate::math::coordinate::{Coordinate, narrowed, widened};

/// An axis-aligned box, in units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aabb<T> {
    /// Lower corner, in units: of a hull or shape relative to its origin, of all else in the space that is asked about.
    pub mins: [T; 3],
    /// Upper corner, likewise; not below `mins` on any axis if the box is valid.
    pub maxs: [T; 3],
}

impl<T: Coordinate> Aabb<T> {
    /// Returns the box between two corners.
    pub fn new(mins: impl Into<[T; 3]>, maxs: impl Into<[T; 3]>) -> Self {
        Self {
            mins: mins.into(),
            maxs: maxs.into(),
        }
    }

    /// Returns the extent along each axis.
    pub fn size(&self) -> [T; 3] {
        [0, 1, 2].map(|axis| self.maxs[axis] - self.mins[axis])
    }

    /// Returns the same box in double precision.
    pub(crate) fn widened(self) -> Aabb<f64> {
        Aabb {
            mins: widened(self.mins),
            maxs: widened(self.maxs),
        }
    }
}

impl Aabb<f64> {
    /// Returns the box with corners rounded to single precision, each to the nearest; it may be smaller than the box.
    pub(crate) fn narrowed(self) -> Aabb<f32> {
        Aabb {
            mins: narrowed(self.mins),
            maxs: narrowed(self.maxs),
        }
    }
}
