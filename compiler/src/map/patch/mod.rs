//! A patch, which is a grid of Bézier control points, becomes few convex pieces behind its visible side. They are
//! at most `error` units from the surface.
//!
//! # How it goes
//! The surface (`surface.rs`) is divided into a mesh of cells (`mesh.rs`), as few as keep within the error alone
//! (`divide.rs`). Neighboring cells are merged into runs while one convex piece can stand for all of them
//! (`merge.rs`): a flat patch is one plate, a pillar's side is one solid, a strip along a straight direction one
//! piece.
//!
//! # Why the pieces are near
//! A biquadratic surface over a rectangle of parameters lies in the convex hull of the control points of its
//! quarters, so that a plane's distances from these bound its distances from all of the surface there. For a run
//! and each of its planes (`run.rs`):
//! - no control point of the run is more than the error in front of the plane. So no part of the surface is
//!   farther than that in front of the piece;
//! - every cell has a front plane that is nowhere more than the error in front of the cell's control points. The
//!   piece is behind all of its planes, and so it reaches no farther in front of the surface, along that
//!   plane's normal. The same holds for the outline of the patch and side planes.
//!
//! A sixteenth of the error is kept for what a piece reaches over its sides to its neighbors. Behind its
//! visible side, a piece without curves is 1 unit thick; the points of none reach through more than twice the
//! error more.
//!
//! # Why there are no gaps
//! Each piece contains the corners of all cells along its outline and, for each, a point 1 unit behind it along
//! the surface's normal. Pieces side by side share these, and so the quadrilaterals between them. Patches that
//! share an edge share the chain of points on it (`border.rs`), which both overlap a little.

mod border;
mod divide;
mod merge;
mod mesh;
mod run;
mod surface;

use self::mesh::{Cell, Sheet};
use self::surface::Surface;
use super::parts::Patch;
use crate::geometry::Plane;

/// The convex pieces of a patch, each as planes facing outward; none if it has no area. `error` is
/// in units, above 0.
pub fn pieces(patch: &Patch, error: f64) -> Vec<Vec<Plane>> {
    let sheet = Sheet::new(Surface::new(patch), error);
    let mesh = sheet.mesh(&divide::steps(&sheet, error));
    if mesh.cells.iter().all(Cell::is_narrow) {
        return Vec::new();
    }
    merge::pieces(&mesh, error)
}
