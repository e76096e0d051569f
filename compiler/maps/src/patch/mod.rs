//! A patch, which is a grid of Bézier control points, becomes few convex pieces behind its visible side. They are
//! at most `error` units from the surface.
//!
//! # How it goes
//! A flat patch is a polygon (`flat.rs`, `polygon.rs`): few convex ones cover it. Any other surface (`surface.rs`) is
//! divided into a mesh of cells (`mesh.rs`), as few as keep within the error alone (`divide.rs`). Neighboring cells are
//! merged into runs while one convex piece can stand for all of them (`merge.rs`): a pillar's side is one solid, a
//! strip along a straight direction one piece. Its sides stand along axes where that is proven, and along the surface's
//! normals otherwise: a box and a piece with upright sides have few bevels in common. A cell for which no such piece is
//! proven, as where the surface twists, gets a block (`block.rs`), and at folds thin plates (`plates.rs`).
//!
//! # Why the pieces are near
//! A biquadratic surface over a rectangle of parameters lies in the convex hull of the control points of its
//! quarters, so that what holds for these and a plane or convex solid holds for all of the surface there. For
//! a run and its planes (`run.rs`):
//! - every control point of the run is at most the error away from what the planes leave, edges and corners
//!   included: a way there is found. Distance from a convex solid is a convex function, so no part of the surface is
//!   farther from the piece;
//! - every cell has a front plane of which no control point of the cell is farther behind than the error times
//!   the least cosine between the plane's normal and one of the surface over the cell. The piece is behind
//!   all of its planes. So from a point of it that is in front of the surface, the nearest place on the surface,
//!   to which the way is along the normal there, is at most the error away. At an edge the way is along one of the
//!   normals between those of both sides, of which a cell counts those up to its corners' own, half-way;
//! - between an upright side and the normals on its edge, a point of the piece is on the edge but for ways along both:
//!   the front that is there is so near to the edge that these are within the error;
//! - beyond the outline of a patch, a piece reaches so little that with what it reaches in front, at right angles,
//!   it is within the error too. A bound that faces elsewhere than a side does leaves more there, by the cosine.
//!
//! The normals of the surface over a cell lie between the cross products of differences of control points
//! (`mesh.rs`). Where they turn by 90 degrees, nothing of this is proven, and plates are made.
//!
//! A plate is the prism behind a triangle whose corners lie on the surface. The second derivatives bound how far the
//! triangle and the surface are from each other at the same parameters; with the plate's thickness, at most a quarter
//! of the error, that is within the error for each point of both, whatever the normals do. For a block, `block.rs` says
//! why. Cells are divided until they have a piece or plates.
//!
//! The pieces of a flat patch cover the polygon of its border and reach at most the error beyond it; halving shows that
//! the surface does not reach farther either.
//!
//! All of this is reasoning about smooth surfaces, and not about corners where two sides meet at a sharp angle. So
//! `check.rs` looks at every piece other than blocks and plates: none of its corners may be far from its cells, and no
//! point of it farther than the error in front of any part of the patch (`ahead.rs`), folds, edges and corners
//! included. Nearly all pieces of real maps pass. A run whose piece does not is halved; a cell alone gets a block or
//! plates. Where plates are not proven for it, the patch is divided again until they are for each cell. In each
//! compile, `coverage.rs` proves that nothing is missing.
//!
//! A part of the error, at least a sixteenth, is kept for what a piece reaches over its sides to its neighbors. Behind
//! its visible side, a piece that is no block or plate reaches at least 1 unit; the points that it must contain lie
//! within 1 unit and twice the error along its mean normal.
//!
//! # Why there are no gaps
//! Each piece contains the corners of all cells along its outline and, if it is no block or plate, a point 1 unit
//! behind each. Pieces side by side share the corners, and so the edges between them; those whose sides stand alike
//! share the quadrilaterals too. Patches that share an edge share the chain of points on it (`border.rs`), which both
//! overlap a little.

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
mod solid;
mod surface;

use glam::DVec3;
use onion_geometry::ExactPlane;

use self::check::Check;
use self::divide::PieceLimits;
use self::mesh::PatchSheet;
use self::surface::PatchSurface;
use super::parts::Patch;
use crate::tolerance::NARROW;

/// The convex pieces of a patch that is not thin, each as planes facing outward. `error` is in units, above
/// 0. None if the surface must be divided into more than `most` cells: fewer pieces might do, but to find them takes
/// as long.
pub fn pieces(patch: &Patch, error: f64, most: usize) -> Option<Vec<Vec<ExactPlane>>> {
    let surface = PatchSurface::new(patch);
    if let Some(pieces) = flat::pieces(&surface, error) {
        return Some(pieces);
    }
    let check = Check::new(&surface, error);
    let sheet = PatchSheet::new(surface, error);
    let made = |has_plates| {
        let limits = PieceLimits { error, has_plates };
        let mesh = sheet.mesh(&divide::steps(&sheet, &limits, most)?);
        Some(merge::pieces(&mesh, &check))
    };
    match made(false)? {
        Some(pieces) => Some(pieces),
        None => made(true)?,
    }
}

/// Whether a patch has no area: all of its control points lie on a line, but for a tolerance.
pub fn is_thin(patch: &Patch) -> bool {
    let surface = PatchSurface::new(patch);
    let Some(first) = surface.points().next() else {
        return true;
    };
    let squared = |point: &DVec3| point.distance_squared(first);
    let far = surface
        .points()
        .max_by(|a, b| squared(a).total_cmp(&squared(b)));
    let along = (far.unwrap_or(first) - first).normalize_or_zero();
    let mut points = surface.points();
    points.all(|point| ((point - first) - along * along.dot(point - first)).length() <= NARROW)
}
