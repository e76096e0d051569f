//! Planes of a file: how far a point is in front of one, and the exact normal, which the file stores in whole
//! numbers.

use onion_format::{NORMAL_ONE, PlaneRecord};

use crate::vector::dot;

/// Signed distance of a point in front of a plane, in units.
#[inline]
pub(crate) fn distance(plane: &PlaneRecord, point: &[f64; 3]) -> f64 {
    if let Some(component) = point.get(plane.axis as usize) {
        return component - plane.dist;
    }
    dot(&unit_normal(plane), point) - plane.dist
}

/// The normal of a plane, exactly.
#[inline]
pub(crate) fn unit_normal(plane: &PlaneRecord) -> [f64; 3] {
    let [x, y, z] = plane.normal;
    let exact = |component: i32| f64::from(component) * (1.0 / NORMAL_ONE as f64);
    [exact(x), exact(y), exact(z)]
}
