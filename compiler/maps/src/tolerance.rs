//! Every tolerance of reading maps, with its unit and the reason for its size, from the smallest to the largest. None
//! of them decides what is solid: geometry is exact. They set how closely pieces follow curves and meshes.

use onion_geometry::grid::POINT_ONE;

/// Additional distance per unit from the origin. Corners are f32 numbers, so rounding moves them by up to 2^-25 of
/// their distance from the origin, and a plane through three of them misses the others by a few times that distance.
pub const MESH_ROUNDING: f64 = 1.0 / (1u64 << 21) as f64;

/// Maximum distance of the planes of a convex mesh from its corners, in units, in addition to [`MESH_ROUNDING`]. In
/// scenes measured in meters it is about a millimeter, the distance by which faces with four corners miss their
/// planes; in scenes measured in inches it is far less than a player can feel.
pub const MESH_ERROR: f64 = 1.0 / 1024.0;

/// Largest deviation of a stored normal's squared length from 1: twice that of the length, which the grid of normals
/// takes.
pub const NORMAL_SQUARED_ERROR: f32 = 2.0 * onion_format::NORMAL_LENGTH_ERROR as f32;

/// Height in units below which triangles have no normal of their own: above the rounding error of points of patches,
/// 2^-16.
pub const NARROW_PLATE: f64 = 1.0 / (1u64 << 10) as f64;

/// Distance in units that pieces extend beyond the border of their patch, so that the pieces of two patches that
/// share an edge overlap: a quarter of the distance that traces keep from surfaces that they hit, so a player cannot
/// feel it.
pub const OVERLAP: f64 = 1.0 / 128.0;

/// Width in units below which the cells of a patch get their normal from the surface: far above rounding error, and
/// far below the size of anything that a player meets.
pub const NARROW: f64 = 1.0 / 64.0;

// A larger tolerance must not distinguish values that a smaller one treats as equal.
const _: () = assert!(MESH_ROUNDING < MESH_ERROR && MESH_ERROR < OVERLAP);
const _: () = assert!(NARROW_PLATE > 1.0 / POINT_ONE as f64);
const _: () = assert!(OVERLAP < NARROW);
