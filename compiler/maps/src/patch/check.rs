//! Whether the planes of a piece make a solid that is nowhere far from its cells, and nowhere beyond the error in front
//! of the patch. Nearly all pieces are right as they are found, so each is checked once it is as large as it gets.

use glam::DVec3;
use onion_geometry::ExactPlane;

use super::ahead::Front;
use super::mesh::{PatchCell, THICKNESS};
use super::solid::PatchSolid;
use super::surface::PatchSurface;

/// How many times the error the corners of a piece may be from the surface, besides what is thick of it.
const DEEPEST: f64 = 3.0;

/// What is asked of the pieces of a patch.
pub struct Check {
    front: Front,
    /// The patch error, in units.
    pub error: f64,
}

impl Check {
    /// A check of the pieces of a surface.
    pub fn new(surface: &PatchSurface, error: f64) -> Self {
        Self {
            front: Front::new(surface, [error, deepest(error)]),
            error,
        }
    }

    /// Whether the piece of some cells is right.
    pub fn passes(&self, cells: &[&PatchCell], planes: &[ExactPlane]) -> bool {
        let Some(solid) = PatchSolid::new(planes) else {
            return false;
        };
        let is_near = |point: DVec3, distance: f64| {
            let mut cells = cells.iter();
            cells.any(|cell| cell.is_near(point, distance))
        };
        // Between corners that are near, a piece may be far from a surface that bends away.
        let deepest = deepest(self.error);
        let mut corners = solid.corners.iter();
        corners.all(|corner| is_near(*corner, deepest)) && !self.front.may_reach(&solid, is_near)
    }
}

/// How far the corners of a piece may be from the surface, in units.
fn deepest(error: f64) -> f64 {
    DEEPEST * error + 4.0 * THICKNESS
}
