//! Every tolerance of the compiler, with its unit and the reason for its size, from the smallest to the largest. None
//! of them decides what is solid: geometry is exact. They skip early what cannot matter, identify the side that was
//! hit, weigh splitters, and set how closely pieces follow a curve.

/// Twice the proven relative error of a plane's value at a vertex in f64 (16 roundings of half an
/// epsilon). Signs of larger values are certain; smaller ones are computed exactly.
pub const FILTER: f64 = 8.0 * f64::EPSILON;

/// How far boxes around positions in f64 are widened, in units: above the error of a position and the
/// errors of two dot products of a vertex and a normal, each at most 2^-31 units (vertices lie within 2^17
/// units, the relative error is below 2^-49).
pub const OUTWARD_MARGIN: f64 = 1.0 / (1u64 << 30) as f64;

/// How much farther than [`ON_BEVEL`] a corner may be from its bevel for each unit of the brush's size: a
/// bevel's normal is rounded to 2^-30, so that of a long edge only one end may touch.
pub const TILT: f64 = 1.0 / (1u64 << 29) as f64;

/// Corners this near to a bevel's plane lie in it, in units: far above what rounds off in their places
/// (2^-35 within 2^16 units), far below what tells two corners of a map apart.
pub const ON_BEVEL: f64 = 1.0 / (1u64 << 20) as f64;

/// Corners of skins to look at that are this near to a plane lie in it, in units: above what rounds off in f64 on the
/// way through a deep tree, below what anybody sees.
pub const ON_SKIN: f64 = 1.0 / (1u64 << 13) as f64;

/// Faces whose normals make cosines with a bevel that differ by less are equally near to it; for those,
/// the order of sides decides. What rounds off is below 2^-28.
pub const AS_NEAR: f64 = 1.0 / (1u64 << 20) as f64;

/// Edges shorter than this are corners, in units: what f32 leaves of planes that were to meet in a point.
pub const SLIVER: f64 = 1.0 / (1u64 << 13) as f64;

/// How far the planes of a convex mesh may be from its corners, in units, besides what [`MESH_ROUNDING`] allows:
/// in scenes measured in meters about a millimeter, which faces of four corners are off their planes, and in
/// those measured in inches far less than anyone can feel.
pub const MESH_ERROR: f64 = 1.0 / 1024.0;

/// How much farther for each unit from the origin: corners are f32 numbers, which rounds them by 2^-25 of that,
/// and a plane through three of them passes the others some times as far away.
pub const MESH_ROUNDING: f64 = 1.0 / (1u64 << 21) as f64;

/// How far pieces reach beyond the border of their patch, in units, so that the pieces of two patches
/// that share an edge overlap: a quarter of the distance that traces keep from what they hit, so nobody
/// can feel it.
pub const OVERLAP: f64 = 1.0 / 128.0;

/// Cells of a patch narrower than this, in units, get their normal from the surface: far above rounding,
/// far below what a player meets.
pub const NARROW: f64 = 1.0 / 64.0;

/// Triangles lower than this, in units, have no normal of their own: above the rounding of points of patches, 2^-16.
pub const NARROW_PLATE: f64 = 1.0 / (1u64 << 10) as f64;

/// A face that reaches less than this beyond a plane counts as not reaching beyond it when splitters are
/// weighed, in units.
pub const REACH: f64 = 1.0 / 64.0;

/// What is solid in one file and empty in another for less than this along a line, in units, is no difference between
/// them: traces in two trees name the same place to within far less.
pub const SAME_PLACE: f64 = 1.0 / 256.0;

// What one tolerance takes for equal, a larger one must not tell apart.
const _: () = assert!(FILTER < OUTWARD_MARGIN);
const _: () = assert!(OUTWARD_MARGIN < TILT);
const _: () = assert!(TILT < ON_BEVEL);
const _: () = assert!(ON_BEVEL < SLIVER);
const _: () = assert!(SLIVER < OVERLAP && SLIVER < MESH_ERROR);
const _: () = assert!(OVERLAP < NARROW && NARROW <= REACH);
const _: () = assert!(OVERLAP * 4.0 == onion_runtime::DEFAULT_SKIN);
