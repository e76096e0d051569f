//! Every tolerance of reading maps, with its unit and the reason for its size, from the smallest to the largest. None
//! of them decides what is solid: geometry is exact. They set how closely pieces follow curves and meshes.

/// How much farther for each unit from the origin: corners are f32 numbers, which rounds them by 2^-25 of that,
/// and a plane through three of them passes the others some times as far away.
pub const MESH_ROUNDING: f64 = 1.0 / (1u64 << 21) as f64;

/// How far the planes of a convex mesh may be from its corners, in units, besides what [`MESH_ROUNDING`] allows:
/// in scenes measured in meters about a millimeter, which faces of four corners are off their planes, and in
/// those measured in inches far less than anyone can feel.
pub const MESH_ERROR: f64 = 1.0 / 1024.0;

/// Triangles lower than this, in units, have no normal of their own: above the rounding of points of patches, 2^-16.
pub const NARROW_PLATE: f64 = 1.0 / (1u64 << 10) as f64;

/// How far pieces reach beyond the border of their patch, in units, so that the pieces of two patches
/// that share an edge overlap: a quarter of the distance that traces keep from what they hit, so nobody
/// can feel it.
pub const OVERLAP: f64 = 1.0 / 128.0;

/// Cells of a patch narrower than this, in units, get their normal from the surface: far above rounding,
/// far below what a player meets.
pub const NARROW: f64 = 1.0 / 64.0;

// What one tolerance takes for equal, a larger one must not tell apart.
const _: () = assert!(MESH_ERROR < OVERLAP);
const _: () = assert!(OVERLAP < NARROW);
