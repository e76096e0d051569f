//! Vectors of three numbers: the few textbook formulas that queries need. Every sum is in the order of the axes, so
//! that results are the same on every machine.

/// A point or a direction, in units; or a velocity, in units per second.
pub(crate) type Vector = [f64; 3];

/// Returns the dot product.
#[inline(always)]
pub(crate) fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the sum, component by component.
#[inline(always)]
pub(crate) fn add(a: &Vector, b: &Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Returns `a - b`: the way from `b` to `a` if they are points.
#[inline(always)]
pub(crate) fn sub(a: &Vector, b: &Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Returns the vector with each component multiplied by a number.
#[inline(always)]
pub(crate) fn scale(a: &Vector, by: f64) -> Vector {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// Returns the opposite vector; a component that is 0 stays 0, without a sign.
#[inline(always)]
pub(crate) fn opposite(a: Vector) -> Vector {
    a.map(|component| 0.0 - component)
}

/// Returns the cross product: perpendicular to both, and zero if they are parallel.
pub(crate) fn cross(a: &Vector, b: &Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Returns `from + at * direction`.
#[inline(always)]
pub(crate) fn along(from: &Vector, direction: &Vector, at: f64) -> Vector {
    add(from, &scale(direction, at))
}

/// Returns the support of a box: its extent along a direction, times the direction's length. With the corners
/// swapped, it returns the lower end of that extent.
#[inline(always)]
pub(crate) fn support(direction: &Vector, mins: &Vector, maxs: &Vector) -> f64 {
    let corner = |axis: usize| {
        if direction[axis] > 0.0 {
            maxs[axis]
        } else {
            mins[axis]
        }
    };
    dot(direction, &[corner(0), corner(1), corner(2)])
}

#[cfg(feature = "shapes")]
pub(crate) use roots::*;

/// The functions that need a square root.
#[cfg(feature = "shapes")]
mod roots {
    use super::{Vector, along, dot};

    /// Returns the length. Squares may overflow or underflow; [`direction`] is for vectors of any length.
    pub(crate) fn length(a: &Vector) -> f64 {
        libm::sqrt(dot(a, a))
    }

    /// Returns the largest absolute component.
    pub(crate) fn largest(a: &Vector) -> f64 {
        a[0].abs().max(a[1].abs()).max(a[2].abs())
    }

    /// Returns the direction and length of a finite vector, however short, or `None` for the zero vector.
    pub(crate) fn direction(a: &Vector) -> Option<(Vector, f64)> {
        let size = largest(a);
        if size <= 0.0 {
            return None;
        }
        // Scaled to a length of about 1, so that no square underflows or overflows.
        let scaled = a.map(|component| component / size);
        let length = length(&scaled);
        Some((scaled.map(|component| component / length), size * length))
    }

    /// Returns the component of a vector perpendicular to another; NaN if the other is zero.
    #[inline(always)]
    pub(crate) fn across(a: &Vector, other: &Vector) -> Vector {
        along(a, other, -dot(a, other) / dot(other, other))
    }
}
