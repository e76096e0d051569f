//! The filter of the quick walk: if a plane is certainly behind or ahead of all points, f32 with a bound on the error
//! decides. Any other plane is decided as in the reference walk, in f64 from the original ends of the segment. The
//! fast walk does the same.
//!
//! # The bound
//! With `P` the larger sum of absolute coordinates of the two ends and `u = 2^-24`, rounding points, normals,
//! distances, products and sums to f32 moves a signed distance by less than `8uP + 3u` times itself, so one that
//! comes out above `16uP + 2^-20` truly exceeds `8uP + 2^-21`. That is far above `ON_PLANE`, the rounding error of
//! a crossing, and `GRAZE` times the root of three.

use crate::segment::quotient;
use crate::tolerance::{F32_ROUNDING, LONG, ON_PLANE};

/// Ends whose absolute coordinates add up to this or more are for the reference.
pub(crate) const MAX_SIZE: f32 = (1u32 << 30) as f32;

/// A point in f32.
#[inline(always)]
pub(crate) fn rounded(point: &[f64; 3]) -> [f32; 3] {
    [point[0] as f32, point[1] as f32, point[2] as f32]
}

/// Signed distance of a point in front of a plane, in units.
#[inline(always)]
pub(crate) fn ahead([x, y, z]: [f32; 3], dist: f32, point: &[f32; 3]) -> f32 {
    (x * point[0] + y * point[1]) + (z * point[2] - dist)
}

/// Bound on the error of signed distances of a point, in units.
#[inline(always)]
pub(crate) fn point_error(point: &[f32; 3]) -> f32 {
    error_bound(size_of(point))
}

/// Bound on the error of signed distances of the points of a segment, in units; none if the segment is for
/// the reference.
#[inline(always)]
pub(crate) fn segment_error(start: &[f32; 3], end: &[f32; 3]) -> Option<f32> {
    let (size, other) = (size_of(start), size_of(end));
    // Not true for what is not finite either, nor for what is rounded to the border.
    let is_small = size + other < MAX_SIZE;
    is_small.then(|| error_bound(if size > other { size } else { other }))
}

#[inline(always)]
fn error_bound(size: f32) -> f32 {
    16.0 * F32_ROUNDING * (size + 1.0)
}

/// Sum of the absolute coordinates of a point.
#[inline(always)]
fn size_of(point: &[f32; 3]) -> f32 {
    point[0].abs() + point[1].abs() + point[2].abs()
}

/// What a plane does to a stretch of a segment.
pub(crate) enum Split {
    /// All of it is on a side: 0 in front, 1 behind.
    One(usize),
    /// It is divided at a fraction; the side of the near part.
    Both(f64, usize),
    /// The reference decides.
    Unclear,
}

/// Settles a plane for the stretch between two fractions of a segment, as the reference does, from the signed
/// distances of the segment's ends. `longest` is the segment's length along its longest axis, in units.
#[inline(always)]
pub(crate) fn split([d_start, d_end]: [f64; 2], longest: f64, [from, to]: [f64; 2]) -> Split {
    if d_start.abs() <= ON_PLANE || d_end.abs() <= ON_PLANE {
        return Split::Unclear;
    }
    let (near, far) = (usize::from(d_start < 0.0), usize::from(d_end < 0.0));
    if near == far {
        return Split::One(near);
    }
    let fraction = quotient(d_start, d_end);
    let (after, before) = ((fraction - from) * longest, (to - fraction) * longest);
    if after > LONG && before > LONG {
        Split::Both(fraction, near)
    } else if before < -LONG {
        Split::One(near)
    } else if after < -LONG {
        Split::One(far)
    } else {
        Split::Unclear
    }
}
