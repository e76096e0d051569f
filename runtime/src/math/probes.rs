//! Probes: points on a circle around a point in a plane. If the point is on the border of several cells, queries at
//! the probes find what is on both sides of the plane near it.

use crate::math::vector::cross;

/// Four points of the unit circle, at an angle that no map's planes are likely to share; the other four are their
/// opposites.
const CIRCLE: [[f64; 2]; 4] = [
    [0.936, 0.352],
    [0.413, 0.911],
    [-0.352, 0.936],
    [-0.911, 0.413],
];

/// Returns eight points about this far around a point of a plane, in units.
pub(crate) fn probes(at: &[f64; 3], normal: &[f64; 3], around: f64) -> [[f64; 3]; 8] {
    let [u, v] = tangents(normal);
    core::array::from_fn(|number| {
        let [x, y] = CIRCLE[number / 2];
        let [x, y] = if number % 2 == 0 { [x, y] } else { [-x, -y] };
        core::array::from_fn(|axis| at[axis] + (u[axis] * x + v[axis] * y) * around)
    })
}

/// Returns two directions that span a plane, of lengths around 1.
fn tangents(normal: &[f64; 3]) -> [[f64; 3]; 2] {
    let [x, y, z] = *normal;
    // Perpendicular to the normal, and longer than a half of it either way.
    let u = if x.abs() < 0.5 {
        [0.0, z, -y]
    } else {
        [-z, 0.0, x]
    };
    let v = cross(normal, &u);
    [u, v]
}
