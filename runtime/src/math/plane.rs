//! Planes of a file: the distance of a point from a plane, the exact normal, which the file stores in integers, and
//! the plane that a trace met.

use onion_format::{NORMAL_ONE, PlaneRecord};

use crate::math::coordinate::{Coordinate, narrowed};
use crate::math::vector::{dot, opposite};

/// A plane that a segment met, facing the motion: `dot(normal, p) - dist` is not negative at the start of the
/// segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<T> {
    /// Unit normal.
    pub normal: [T; 3],
    /// Distance from the origin along the normal, in units.
    pub dist: f64,
    /// Number of the plane in the file, in which it may face either way.
    pub number: u32,
}

impl Plane<f64> {
    /// Returns the plane with a normal of another type.
    #[inline(always)]
    pub(crate) fn narrowed<T: Coordinate>(self) -> Plane<T> {
        Plane {
            normal: narrowed(self.normal),
            dist: self.dist,
            number: self.number,
        }
    }
}

/// Returns the signed distance of a point in front of a plane, in units.
#[inline]
pub(crate) fn distance(plane: &PlaneRecord, point: &[f64; 3]) -> f64 {
    // An axial plane needs no products, so its distance is rounded once; the axis of any other plane is 3, which no
    // component has.
    if let Some(component) = point.get(plane.axis as usize) {
        return component - plane.dist;
    }
    dot(&unit_normal(plane), point) - plane.dist
}

/// Returns the height of a plane at a place, in units.
#[inline]
pub(crate) fn height(&[a, b, c]: &[f64; 3], dist: f64, [x, y]: [f64; 2]) -> f64 {
    (dist - a * x - b * y) / c
}

/// Returns the exact normal of a plane.
#[inline]
pub(crate) fn unit_normal(plane: &PlaneRecord) -> [f64; 3] {
    exact_normal(plane.normal)
}

/// Converts a normal in the integers of a file, exactly.
#[inline(always)]
pub(crate) fn exact_normal([x, y, z]: [i32; 3]) -> [f64; 3] {
    let exact = |component: i32| f64::from(component) * (1.0 / NORMAL_ONE as f64);
    [exact(x), exact(y), exact(z)]
}

/// Returns a plane of the file, flipped unless the start of the segment that meets it is in front.
#[inline(always)]
pub(crate) fn turned(normal: [f64; 3], dist: f64, number: u32, is_ahead: bool) -> Plane<f64> {
    let (normal, dist) = if is_ahead {
        (normal, dist)
    } else {
        // Subtracted, so that no distance becomes -0.
        (opposite(normal), 0.0 - dist)
    };
    Plane {
        normal,
        dist,
        number,
    }
}
