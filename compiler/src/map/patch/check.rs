//! Whether the planes of a piece make a solid that is nowhere far from its cells, and nowhere beyond the error in front
//! of the patch. Nearly all pieces are right as they are found. So a patch is made without looking first and checked
//! once; only if something is wrong is it made again, and each of its pieces checked before it is taken.

use glam::DVec3;

use super::ahead::Front;
use super::mesh::{Cell, THICKNESS};
use super::solid::Solid;
use super::surface::Surface;
use crate::geometry::Plane;

/// How many times the error the corners of a piece may be from the surface, besides what is thick of it.
const DEEPEST: f64 = 3.0;

/// What is asked of the pieces of a patch.
pub struct Check {
    front: Front,
    /// The patch error, in units.
    pub error: f64,
    /// Whether pieces are checked before they are taken.
    pub is_strict: bool,
}

impl Check {
    /// A check of the pieces of a surface.
    pub fn new(surface: &Surface, error: f64) -> Self {
        Self {
            front: Front::new(surface),
            error,
            is_strict: false,
        }
    }

    /// Whether a piece may be taken.
    pub fn admits(&self, cells: &[&Cell], planes: &[Plane]) -> bool {
        !self.is_strict || self.passes(cells, planes)
    }

    /// Whether the piece of some cells is right.
    pub fn passes(&self, cells: &[&Cell], planes: &[Plane]) -> bool {
        let Some(solid) = Solid::new(planes) else {
            return false;
        };
        let distance = |point: DVec3| {
            let distances = cells.iter().map(|cell| cell.distance(point));
            distances.fold(f64::INFINITY, f64::min)
        };
        // Between corners that are near, a piece may be far from a surface that bends away.
        let deepest = DEEPEST * self.error + 4.0 * THICKNESS;
        let mut corners = solid.corners.iter();
        corners.all(|corner| distance(*corner) <= deepest)
            && !self
                .front
                .may_reach(&solid, [self.error, deepest], distance)
    }
}
