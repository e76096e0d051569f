//! Every tolerance of exact geometry, with its unit and the reason for its size, from the smallest to the largest. None
//! of them decides what is solid: geometry is exact. With the first two, a quick test skips an exact one where the
//! result is certain; the last serves display.

/// Twice the proven relative error of a plane's value at a vertex in f64 (16 roundings of half an epsilon). Signs of
/// larger values are certain; smaller ones are computed exactly.
pub const FILTER: f64 = 8.0 * f64::EPSILON;

/// The margin by which boxes around positions in f64 are widened, in units: above the error of a position and the
/// errors of two dot products of a vertex and a normal, each at most 2^-31 units (vertices lie within 2^17 units, the
/// relative error is below 2^-49).
pub const OUTWARD_MARGIN: f64 = 1.0 / (1u64 << 30) as f64;

/// The distance within which a corner of a displayed skin counts as on a plane, in units: above the rounding error in
/// f64 after the cuts of a deep tree, and too small to see.
pub const ON_SKIN: f64 = 1.0 / (1u64 << 13) as f64;

// A larger tolerance must not separate values that a smaller one treats as equal.
const _: () = assert!(FILTER < OUTWARD_MARGIN);
const _: () = assert!(OUTWARD_MARGIN < ON_SKIN);
