//! Converts a patch, which is a grid of Bézier control points, into few convex pieces behind its visible side. The
//! surface is at most `error` units from the pieces, which reach at most as far in front of it.
//!
//! # Method
//! A flat patch is a polygon (`flat.rs`, `polygon.rs`), which few convex polygons cover. Any other surface
//! (`surface.rs`) is divided into a mesh of cells (`mesh.rs`), as few as keep within the error by themselves
//! (`divide.rs`). Neighboring cells are merged into runs while one convex piece can represent all of them (`merge.rs`):
//! one side of a pillar becomes one solid, and so does a strip along a straight direction. The sides of a piece are
//! parallel to axes where that is proven, because upright sides need few bevels when the piece is expanded; otherwise
//! they are parallel to the surface's normals. A cell without such a piece, as where the surface twists, gets a block
//! (`block.rs`) or, at folds, thin plates (`plates.rs`).
//!
//! # Why the pieces are near
//! A biquadratic surface over a rectangle of parameters is in the convex hull of the control points of its quarters. So
//! a bound on the distance of these points from a plane or a convex solid holds for all of the surface there. For a run
//! and its planes (`run.rs`):
//! - every control point of the run is at most the error away from the solid behind the planes, because a point of the
//!   solid that near is found. Distance from a convex solid is a convex function, so no part of the surface is farther
//!   from the piece, edges and corners included;
//! - every cell has a front plane, and no control point of the cell is farther behind it than the error times the least
//!   cosine between the plane's normal and a normal of the surface over the cell. The piece is behind all of its
//!   planes. So if a point of it is in front of the surface, the nearest point of the surface, which is along the
//!   normal there, is at most the error away. At an edge between cells, the normal may be any between the normals of
//!   both sides; each cell accounts for its half, up to the normals of its corners;
//! - between an upright side and the normals on its edge, a point of the piece is a point of the edge plus a step along
//!   each of the two directions. The front is so near to the edge there that these steps are within the error;
//! - beyond the outline of a patch, a piece reaches so little that this distance and its reach in front, at right
//!   angles to each other, are together within the error. A bound at an angle to a side must be nearer to it, by the
//!   cosine of the angle.
//!
//! The normals of the surface over a cell lie between the cross products of differences of control points (`mesh.rs`).
//! Where they turn by 90 degrees, none of this is proven, and plates are made.
//!
//! A plate is the prism behind a triangle whose corners are on the surface. The second derivatives bound the distance
//! between the triangle and the surface at the same parameters. Together with the plate's thickness, which is at most a
//! quarter of the error, that distance is within the error for each point of both, whatever the normals are. `block.rs`
//! has the proof for blocks. Cells are divided until they have a piece or plates.
//!
//! The pieces of a flat patch cover the polygon of its border and reach at most the error beyond it. Quartering shows
//! that the surface does not reach farther either.
//!
//! The proof for runs assumes a smooth surface, and does not hold where two sides meet in a sharp edge. So `check.rs`
//! examines every piece other than blocks and plates: none of its corners may be far from its cells, and no point of it
//! farther than the error in front of any part of the patch (`ahead.rs`), folds, edges and corners included. Nearly all
//! pieces of real maps pass. A run whose piece does not pass is halved; a single cell gets a block or plates. If its
//! plates are not proven, the whole patch is divided again until they are proven for each cell. In each compile,
//! `patch_coverage.rs` proves that the pieces cover the surface.
//!
//! A part of the error, at least a sixteenth, is reserved for the distance that a piece reaches over its sides into its
//! neighbors. A piece that is neither a block nor a plate extends at least 1 unit behind its visible side; the points
//! that it must contain extend at most 1 unit and twice the error along its mean normal.
//!
//! # Why there are no gaps
//! Each piece contains the corners of all cells along its outline and, if it is neither a block nor a plate, a point 1
//! unit behind each corner. Adjacent pieces share these corners, and so the edges between them; if their sides have the
//! same direction, they share the quadrilaterals behind the edges, too. Patches that share an edge share the chain of
//! points on it (`border.rs`), and both extend slightly beyond it.

mod ahead;
mod block;
mod border;
mod bound;
mod check;
mod divide;
mod flat;
mod merge;
mod mesh;
mod plates;
mod polygon;
mod run;
mod surface;

use glam::DVec3;
use onion_geometry::ExactPlane;

use self::check::Check;
use self::divide::Divider;
use self::mesh::PatchSheet;
use self::surface::PatchSurface;
use super::parts::Patch;
use crate::tolerance::NARROW;

/// Returns the convex pieces of a patch that is not thin, each as planes facing outward, or `None` if the surface must
/// be divided into more than `most` cells. It gives up although fewer pieces might do, because finding them would take
/// too long. `error` is in units, above 0.
pub fn pieces(patch: &Patch, error: f64, most: usize) -> Option<Vec<Vec<ExactPlane>>> {
    let surface = PatchSurface::new(patch);
    if let Some(pieces) = flat::pieces(&surface, error) {
        return Some(pieces);
    }
    let check = Check::new(&surface, error);
    let sheet = &PatchSheet::new(surface, error);
    let made = |has_plates| {
        let divider = Divider {
            sheet,
            error,
            has_plates,
            most,
        };
        let mesh = sheet.mesh(&divider.steps()?);
        Some(merge::pieces(&mesh, &check))
    };
    match made(false)? {
        Some(pieces) => Some(pieces),
        None => made(true)?,
    }
}

/// Whether a patch has no area: all of its control points are on a line, within a tolerance.
pub fn is_thin(patch: &Patch) -> bool {
    let surface = PatchSurface::new(patch);
    let first = surface.points().next().unwrap_or_default();
    let mut steps = surface.points().map(|point| point - first);
    let by_length = |a: &DVec3, b: &DVec3| a.length_squared().total_cmp(&b.length_squared());
    let far = steps.clone().max_by(by_length).unwrap_or_default();
    let along = far.normalize_or_zero();
    steps.all(|step| (step - along * along.dot(step)).length() <= NARROW)
}
