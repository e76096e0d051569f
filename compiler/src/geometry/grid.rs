//! The fixed-point grid of all planes, and the only roundings the compiler ever makes.
//!
//! | number | grid | rounding |
//! |---|---|---|
//! | component of a unit normal | multiples of 2^-30 | to nearest |
//! | distance of a plane | multiples of 2^-36 units, below 2^17 | to nearest, ties away from zero; up for computed planes |
//! | corner of a hull | multiples of 2^-11 units, up to 2^12 | to nearest |
//!
//! A stored f32 component of at least 2^-6 is a multiple of 2^-30 already and is kept exactly; a
//! smaller one moves by at most 2^-31, which tilts the plane by 2^-31 rad: at most 0.00004 units
//! at the corner of the world. Distances move by at most 2^-37 units.

/// Fraction bits of a normal component.
pub const NORMAL_BITS: u32 = 30;
/// Fraction bits of a plane distance, in units.
pub const DIST_BITS: u32 = 36;
/// Fraction bits of a hull corner, in units.
pub const HULL_BITS: u32 = 11;

/// A normal component of one.
pub const NORMAL_ONE: i64 = onion_format::NORMAL_ONE as i64;
/// A distance of one unit.
pub const DIST_ONE: i64 = 1 << DIST_BITS;
/// A hull corner of one unit.
pub const HULL_ONE: i64 = 1 << HULL_BITS;
/// Distances are smaller than this.
pub const DIST_LIMIT: i64 = onion_format::DIST_LIMIT as i64 * DIST_ONE;
/// How far outside of the numbers computed in f64 a computed plane is put, in units: 2^-30, above
/// the errors of two dot products of a vertex and a normal, each at most 2^-31 units (vertices lie
/// within 2^17 units, the relative error is below 2^-49).
pub const OUTWARD_MARGIN: f64 = 1.0 / (1u64 << 30) as f64;

/// Nearest grid value of a normal component between -1 and 1.
pub fn normal_component(component: f64) -> i64 {
    (component * NORMAL_ONE as f64).round() as i64
}

/// Nearest grid value of a distance in units, if it is below the limit.
pub fn dist(units: f64) -> Option<i64> {
    in_limit((units * DIST_ONE as f64).round())
}

/// Grid value of a distance in units that is safely not below the exact one.
pub fn dist_outward(units: f64) -> Option<i64> {
    in_limit(((units + OUTWARD_MARGIN) * DIST_ONE as f64).ceil())
}

fn in_limit(dist: f64) -> Option<i64> {
    (dist.abs() < DIST_LIMIT as f64).then_some(dist as i64)
}

/// Rounds a shift right by `bits` to nearest, ties away from zero.
pub fn round_shift(value: i128, bits: u32) -> i128 {
    let half = 1i128 << (bits - 1);
    if value >= 0 {
        (value + half) >> bits
    } else {
        -((half - value) >> bits)
    }
}
