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
    #[inline]
    pub(crate) fn widened(self) -> Aabb<f64> {
        Aabb {
            mins: widened(self.mins),
            maxs: widened(self.maxs),
        }
    }
}

impl Aabb<f32> {
    /// A box around all others.
    pub(crate) const ALL: Self = Self {
        mins: [f32::MIN; 3],
        maxs: [f32::MAX; 3],
    };

    /// Whether a box is valid, and inside another one. NaN fails.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        (0..3).all(|axis| {
            other.mins[axis] <= self.mins[axis]
                && self.mins[axis] <= self.maxs[axis]
                && self.maxs[axis] <= other.maxs[axis]
        })
    }
}

impl Aabb<f64> {
    /// Whether a point is in the box, or on its surface. NaN is not.
    #[inline]
    pub(crate) fn holds(&self, point: &[f64; 3]) -> bool {
        (0..3).all(|axis| self.mins[axis] <= point[axis] && point[axis] <= self.maxs[axis])
    }

    /// Returns the point of the box that is nearest to a point. NaN stays.
    #[inline]
    pub(crate) fn nearest(&self, point: &[f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| match point[axis] {
            at if at < self.mins[axis] => self.mins[axis],
            at if at > self.maxs[axis] => self.maxs[axis],
            at => at,
        })
    }

    /// Returns the box with corners rounded to single precision, each to the nearest; it may be smaller than the box.
    pub(crate) fn narrowed(self) -> Aabb<f32> {
        Aabb {
            mins: narrowed(self.mins),
            maxs: narrowed(self.maxs),
        }
    }
}
