//! Every tolerance of the pipeline, with its unit and the reason for its size, from the smallest to the largest. None
//! of them decides what is solid: geometry is exact. They identify the side that was hit, and weigh splitters.

use onion_geometry::tolerance::OUTWARD_MARGIN;
use onion_maps::tolerance::{MESH_ERROR, NARROW, OVERLAP};

/// How much farther than [`ON_BEVEL`] a corner may be from its bevel for each unit of the brush's size: a
/// bevel's normal is rounded to 2^-30, so that of a long edge only one end may touch.
pub const TILT: f64 = 1.0 / (1u64 << 29) as f64;

/// Faces whose normals make cosines with a bevel that differ by less are equally near to it; for those,
/// the order of sides decides. What rounds off is below 2^-28.
pub const AS_NEAR: f64 = 1.0 / (1u64 << 20) as f64;

/// Corners this near to a bevel's plane lie in it, in units: far above what rounds off in their places
/// (2^-35 within 2^16 units), far below what tells two corners of a map apart.
pub const ON_BEVEL: f64 = 1.0 / (1u64 << 20) as f64;

/// Edges shorter than this are corners, in units: what f32 leaves of planes that were to meet in a point.
pub const SLIVER: f64 = 1.0 / (1u64 << 13) as f64;

/// A face that reaches less than this beyond a plane counts as not reaching beyond it when splitters are
/// weighed, in units.
pub const REACH: f64 = 1.0 / 64.0;

// What one tolerance takes for equal, a larger one must not tell apart.
const _: () = assert!(OUTWARD_MARGIN < TILT);
const _: () = assert!(TILT < ON_BEVEL);
const _: () = assert!(ON_BEVEL < SLIVER);
const _: () = assert!(SLIVER < OVERLAP && SLIVER < MESH_ERROR);
const _: () = assert!(NARROW <= REACH);
const _: () = assert!(OVERLAP * 4.0 == onion_runtime::DEFAULT_MARGIN);
