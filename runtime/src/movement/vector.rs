//! Three-vector arithmetic on plain arrays: f64, so that squares of any f32 stay finite.

/// A point in units, or a velocity in units a second.
pub(super) type Vector = [f64; 3];

pub(super) fn widened(vector: [f32; 3]) -> Vector {
    vector.map(f64::from)
}

/// Rounds to the type of positions; what is too large becomes infinite.
pub(super) fn narrowed(vector: Vector) -> [f32; 3] {
    vector.map(|component| component as f32)
}

pub(super) fn dot([a, b, c]: Vector, [x, y, z]: Vector) -> f64 {
    a * x + b * y + c * z
}

pub(super) fn cross([a, b, c]: Vector, [x, y, z]: Vector) -> Vector {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// `start` plus `step` times `factor`.
pub(super) fn along([a, b, c]: Vector, [x, y, z]: Vector, factor: f64) -> Vector {
    [a + x * factor, b + y * factor, c + z * factor]
}

/// A place straight above another, or below it where `height` is negative.
pub(super) fn raised([x, y, z]: [f32; 3], height: f32) -> [f32; 3] {
    [x, y, z + height]
}
