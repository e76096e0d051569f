//! Coordinates of queries. A point is anything that converts into an array of three `f32` or three `f64` (arrays, and
//! the vectors of glam, nalgebra and mint); answers hold arrays of the same type, which convert back into such
//! vectors. Every query computes in `f64`, to which both types widen exactly.

use core::ops::{Add, Div, Mul, Neg, Sub};

/// A coordinate of a query: `f32` or `f64`. The trait is sealed.
pub trait Coordinate:
    Copy
    + core::fmt::Debug
    + Default
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + sealed::Sealed
{
    /// Returns the same number in double precision.
    fn widen(self) -> f64;
    /// Returns the nearest number of this type, or infinity if the number is too large.
    fn narrow(wide: f64) -> Self;
}

/// Other types cannot implement the trait: answers are proven for the two that widen exactly.
mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl Coordinate for f32 {
    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn narrow(wide: f64) -> Self {
        wide as Self
    }
}

impl Coordinate for f64 {
    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }
    #[inline(always)]
    fn narrow(wide: f64) -> Self {
        wide
    }
}

/// Converts a point or vector to double precision.
#[inline(always)]
pub(crate) fn widened<T: Coordinate>([x, y, z]: [T; 3]) -> [f64; 3] {
    [x.widen(), y.widen(), z.widen()]
}

/// Converts a point or vector to the type of a query.
#[inline(always)]
pub(crate) fn narrowed<T: Coordinate>([x, y, z]: [f64; 3]) -> [T; 3] {
    [T::narrow(x), T::narrow(y), T::narrow(z)]
}

/// Whether a number below 2^53 is whole.
pub(crate) fn is_whole(number: f64) -> bool {
    // The conversion truncates, and it replaces NaN and numbers out of range by others, so these differ, too.
    (number as i64) as f64 == number
}
