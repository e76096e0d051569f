//! The fixed-point grid of all planes, and the only roundings that geometry ever makes: everything computed from grid
//! numbers is exact.
//!
//! # The roundings
//! | number | grid | rounding |
//! |---|---|---|
//! | component of a unit normal | multiples of 2^-30 | to nearest |
//! | distance of a plane | multiples of 2^-36 units, below 2^17 | to nearest, ties away from 0; computed planes: up |
//! | plane given by integers of any size | as above | to nearest, from the exact value, ties away from zero |
//! | component of a normal of a patch's piece | multiples of 2^-20 | to nearest |
//! | point of a patch | multiples of 2^-16 units | to nearest |
//!
//! A stored f32 component of at least 2^-6 is a multiple of 2^-30 already and is kept exactly; a smaller one moves by
//! at most 2^-31, which tilts the plane by 2^-31 rad: at most 0.00004 units at the corner of the world. Distances move
//! by at most 2^-37 units.

use dashu_int::IBig;

/// Fraction bits of a normal component.
pub const NORMAL_BITS: u32 = 30;
/// Fraction bits of a plane distance, in units.
pub const DIST_BITS: u32 = 36;

/// Fraction bits of a normal component of a patch's piece.
pub const COARSE_BITS: u32 = 20;
/// Fraction bits of a point of a patch, in units.
pub const POINT_BITS: u32 = 16;

/// A coordinate of one unit.
pub const POINT_ONE: i64 = 1 << POINT_BITS;
/// A normal component of one.
pub const NORMAL_ONE: i64 = onion_format::NORMAL_ONE as i64;
/// A distance of one unit.
pub const DIST_ONE: i64 = 1 << DIST_BITS;
/// The exclusive upper limit of distances.
pub const DIST_LIMIT: i64 = onion_format::DIST_LIMIT as i64 * DIST_ONE;

/// Returns the nearest grid value of a component of a normal whose length is 1 within 2^-10.
pub fn normal_component(component: f64) -> i64 {
    (component * NORMAL_ONE as f64).round() as i64
}

/// Returns the integer nearest to `number / sqrt(square)`, ties away from zero, or `None` if it has more than 63 bits.
/// `square` is above zero.
pub fn nearest_over_root(number: &IBig, square: &IBig) -> Option<i64> {
    // Doubling decides on which side of a half-integer the quotient is.
    let twice_squared = (number * number * IBig::from(4)) / square;
    let twice = u128::try_from(twice_squared).ok()?.isqrt();
    let nearest = i64::try_from(twice.div_ceil(2)).ok()?;
    let is_below = *number < IBig::ZERO;
    Some(if is_below { -nearest } else { nearest })
}

/// Returns the integer nearest to `number / divisor`, ties away from zero, or `None` if a step has more than 127 bits.
/// `divisor` is above zero.
pub fn nearest_over(number: i128, divisor: i128) -> Option<i128> {
    let twice = number.checked_abs()?.checked_mul(2)?.checked_add(divisor)?;
    let nearest = twice / divisor.checked_mul(2)?;
    Some(if number < 0 { -nearest } else { nearest })
}

/// Returns the nearest value of a normal component between -1 and 1 on the coarse grid of patches.
pub fn coarse_normal_component(component: f64) -> i64 {
    let coarse = (component * f64::from(1 << COARSE_BITS)).round() as i64;
    coarse << (NORMAL_BITS - COARSE_BITS)
}

/// Returns the nearest grid value of a distance in units, or `None` if it is not below the limit.
pub fn dist(units: f64) -> Option<i64> {
    let dist = (units * DIST_ONE as f64).round();
    (dist.abs() < DIST_LIMIT as f64).then_some(dist as i64)
}

/// Returns the smallest grid value that is not below a product of a normal and a point, or `None` if it is not below
/// the limit.
pub fn dist_ceil(product: i128) -> Option<i64> {
    let ceil = i64::try_from(ceil_shift(product, NORMAL_BITS + POINT_BITS - DIST_BITS));
    ceil.ok().filter(|dist| dist.abs() < DIST_LIMIT)
}

/// Returns the nearest grid value of a coordinate of a patch in units.
pub fn point(units: f64) -> i64 {
    (units * POINT_ONE as f64).round() as i64
}

/// Shifts right by `bits`, rounding up.
pub fn ceil_shift(value: i128, bits: u32) -> i128 {
    -(-value >> bits)
}
