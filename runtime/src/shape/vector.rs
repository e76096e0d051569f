//! Vectors of three numbers: the few textbook formulas that the shapes need, every sum in the order
//! of the axes, so that results are the same on every machine.

/// A point or a direction, in units.
pub(crate) type Vector = [f64; 3];

pub(super) use crate::map::dot;

#[inline(always)]
pub(super) fn add(a: &Vector, b: &Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(super) fn sub(a: &Vector, b: &Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn scale(a: &Vector, by: f64) -> Vector {
    [a[0] * by, a[1] * by, a[2] * by]
}

pub(crate) fn cross(a: &Vector, b: &Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The point `at` times a direction away from a point.
#[inline(always)]
pub(super) fn along(from: &Vector, direction: &Vector, at: f64) -> Vector {
    add(from, &scale(direction, at))
}

pub(crate) fn length(a: &Vector) -> f64 {
    libm::sqrt(dot(a, a))
}

/// The largest component without its sign.
pub(super) fn largest(a: &Vector) -> f64 {
    a[0].abs().max(a[1].abs()).max(a[2].abs())
}

/// Direction and length of a finite vector, however short; none of the zero vector.
pub(crate) fn direction(a: &Vector) -> Option<(Vector, f64)> {
    let size = largest(a);
    if size <= 0.0 {
        return None;
    }
    // About 1 long, so that no square is rounded to zero or too large.
    let scaled = a.map(|component| component / size);
    let length = length(&scaled);
    Some((scaled.map(|component| component / length), size * length))
}

/// A vector with what it has along another taken out of it; not a number if the other is zero.
#[inline(always)]
pub(super) fn across(a: &Vector, other: &Vector) -> Vector {
    along(a, other, -dot(a, other) / dot(other, other))
}
