//! Every tolerance of the pipeline, with its unit and the reason for its size, from the smallest to the largest. None
//! of them decides what is solid: geometry is exact. They identify the side that was hit, and weigh splitters.

use onion_geometry::grid::NORMAL_ONE;
use onion_geometry::tolerance::OUTWARD_MARGIN;
use onion_maps::tolerance::{MESH_ERROR, NARROW, OVERLAP};

/// The distance beyond [`ON_BEVEL`] that a corner may be from its bevel, for each unit of the brush's size: a bevel's
/// normal is rounded to 2^-30, so that only one end of a long edge may touch it.
pub const TILT: f64 = 1.0 / (1u64 << 29) as f64;

/// The distance by which the corners of a cube are moved inward, in units, so that rounding does not put them outside
/// of it: above the margin of the box around a position.
pub const INSIDE_CUBE: f64 = 4.0 * OUTWARD_MARGIN;

/// The difference of cosines with a bevel's normal below which two faces are equally near to the bevel; for those, the
/// order of sides decides. The rounding error is below 2^-28.
pub const AS_NEAR: f64 = 1.0 / (1u64 << 20) as f64;

/// The distance within which a corner lies in a bevel's plane, in units: far above the rounding error of its position
/// (2^-35 within 2^16 units), far below the distance between two corners of a map.
pub const ON_BEVEL: f64 = 1.0 / (1u64 << 20) as f64;

/// The distance on an axis from which two corners of floors are certainly not the same, in units: far above the
/// rounding error of positions. Of nearer ones, exact geometry decides.
pub const APART: f64 = ON_BEVEL;

/// The width below which a floor is left out, in units: an `f32` position near the border of the world is a multiple of
/// 2^-7, and the planes that bound such strips were meant to be one.
pub const THINNEST: f64 = 1.0 / (1u64 << 10) as f64;

/// The length below which an edge counts as a corner, in units: the distance that f32 leaves between planes that were
/// to meet in a point.
pub const SLIVER: f64 = 1.0 / (1u64 << 13) as f64;

/// The distance below which a face that reaches beyond a plane counts as not reaching beyond it when splitters are
/// weighed, in units.
pub const REACH: f64 = 1.0 / 64.0;

/// The distance beyond an edge of a floor at which the ends of the floor next to it are looked up, in units: where its
/// corners are acute, its links end up to a few times as far from them.
pub const NEXT_TO: f64 = BESIDE / 8.0;

/// The distance beyond an edge of a floor at which other floors are looked up, in units: the corners of floors that
/// meet at a step or a cut have equal coordinates but for rounding, and no part of a map is this narrow.
pub const BESIDE: f64 = 1.0 / 16.0;

/// The height by which agents hover at most above the floors that they stand on, in units: twice the margin of traces.
/// They touch triggers that begin as high above them.
pub const HOVERING: f32 = 1.0 / 16.0;

/// The distance that links keep from the ends of the edges they lead over, in units, so that agents on them do not
/// touch the corners of ledges: above the distance at which a follower of a path has arrived, too little to see.
pub const FROM_END: f64 = 1.0 / 8.0;

/// The least width of floors on both sides of a step where paths lead over it, in units: twice as far as paths keep
/// away from corners.
pub const TREAD: f64 = 2.0 * FROM_END;

/// The distance within which ends of open edges count as one corner, in units: where floors end at an angle, the parts
/// before them are known within a few times [`BESIDE`].
pub const SAME_CORNER: f64 = 4.0 * BESIDE;

/// The distance from the edges of a floor at which agents come down on it, in units: how far they go on while they
/// land.
pub const LANDING: f64 = 1.0;

/// An agent this near to the height of a floor stands on it, in units: traces keep a margin from slopes, which is more
/// above them.
pub const SETTLED: f64 = 1.0 / 8.0;

/// The distance from which an agent climbs a ladder, in units: solid ones stop it a little before.
pub const LADDER_REACH: f32 = 1.0;

/// The height above its feet up to which an agent is not in a liquid that it touches, in units: that of Quake III.
pub const WET: f32 = 1.0;

// A larger tolerance must not separate values that a smaller one treats as equal.
const _: () = assert!(OUTWARD_MARGIN < TILT && TILT * NORMAL_ONE as f64 > 1.0);
const _: () = assert!(AS_NEAR > 1.0 / (1u64 << 28) as f64 && ON_BEVEL > 1.0 / (1u64 << 35) as f64);
const _: () = assert!(TILT < INSIDE_CUBE && INSIDE_CUBE < ON_BEVEL);
const _: () = assert!(ON_BEVEL < SLIVER);
const _: () = assert!(SLIVER < OVERLAP && SLIVER < MESH_ERROR);
const _: () = assert!(HOVERING as f64 == 2.0 * onion_runtime::DEFAULT_MARGIN);
const _: () = assert!(NARROW <= REACH && APART < THINNEST && THINNEST < BESIDE);
const _: () = assert!(OVERLAP * 4.0 == onion_runtime::DEFAULT_MARGIN);
