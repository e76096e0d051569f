//! Checks a finished piece: its planes must make a solid, no corner of which is far from the piece's cells, and no
//! point of which is farther than the error in front of the patch. Nearly all pieces pass, so a piece is checked only
//! once it has its full size.

use glam::DVec3;
use onion_geometry::ExactPlane;

use super::ahead::Front;
use super::mesh::{PatchCell, THICKNESS};
use super::surface::PatchSurface;
use crate::solid::ConvexSolid;

/// Maximum distance of a piece's corners from the surface, as a multiple of the error, besides a part for its
/// thickness.
const DEEPEST: f64 = 3.0;

/// The patch and the error that pieces are checked against.
pub struct Check {
    front: Front,
    /// The patch error, in units.
    pub error: f64,
}

impl Check {
    pub fn new(surface: &PatchSurface, error: f64) -> Self {
        Self {
            front: Front::new(surface, [error, deepest(error)]),
            error,
        }
    }

    /// Whether the piece of some cells passes the check.
    pub fn passes(&self, cells: &[&PatchCell], planes: &[ExactPlane]) -> bool {
        let Some(solid) = ConvexSolid::new(planes.iter().copied()) else {
            return false;
        };
        let is_near = |point: DVec3, distance: f64| {
            let mut cells = cells.iter();
            cells.any(|cell| cell.is_near(point, distance))
        };
        // A piece whose corners are near may still be far from a surface that bends away between them.
        let deepest = deepest(self.error);
        let mut corners = solid.corners.iter();
        corners.all(|corner| is_near(*corner, deepest)) && !self.front.may_reach(&solid, is_near)
    }
}

/// Returns the maximum distance of a piece's corners from the surface, in units.
fn deepest(error: f64) -> f64 {
    DEEPEST * error + 4.0 * THICKNESS
}
