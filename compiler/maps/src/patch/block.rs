//! A block is the convex hull of a cell's corners, made slightly thicker. It represents a cell for which no piece
//! behind its visible side is proven, as on surfaces that twist. Like a plate (`plates.rs`), it lies within the error
//! of the surface, in front of it or behind it; but it is one piece where plates would be two.
//!
//! A point of the hull is a mean of corners, so it differs from the bilinear surface through the corners by at most a
//! quarter of their twist. The bilinear surface differs from the true one by at most an eighth of the second
//! derivatives. The bound on the bend of a cell includes both. The distance that the thickness, the border's points and
//! rounding add is measured at the block's corners.

use glam::DVec3;
use onion_geometry::{ExactPlane, grid};

use super::mesh::{CHAIN, PatchCell};
use super::plates::{depth, plates, prism};
use super::surface::upright;
use crate::solid::ConvexSolid;
use crate::tolerance::OVERLAP;

/// Returns the pieces that represent a single cell, each as its planes: a block, or plates if no block is proven.
pub fn pieces(cell: &PatchCell, error: f64) -> Vec<Vec<ExactPlane>> {
    match block(cell, error) {
        Some(block) => vec![block],
        None => plates(cell, error).collect(),
    }
}

/// Returns the block of a cell as its planes, or `None` if it is not proven.
fn block(cell: &PatchCell, error: f64) -> Option<Vec<ExactPlane>> {
    let normals = normals(cell)?;
    let rest = error - cell.bend - CHAIN * error - OVERLAP;
    // Where the border's points take up a part of the error, a thinner block may still be proven.
    let depths = [depth(error), depth(error) / 4.0];
    let back = upright(cell.normal?);
    depths.into_iter().find_map(|depth| {
        let points = prism(&cell.outline(), back * depth);
        let points = points.iter().map(|point| point.to_array().map(grid::point));
        let planes = normals
            .iter()
            .map(|&normal| ExactPlane::supporting(normal, points.clone()));
        let planes: Vec<ExactPlane> = planes.collect::<Option<_>>()?;
        // The hull contains the cell's corners, and distance from a convex set is a convex function.
        let is_near = |at: &DVec3| {
            let mut corners = cell.corners.iter();
            corners.any(|corner| corner.point.distance(*at) <= rest)
        };
        let solid = ConvexSolid::new(planes.iter().copied())?;
        solid.corners.iter().all(is_near).then_some(planes)
    })
}

/// Returns the normals that bound the convex hull of a cell's corners: on each side two triangles, which meet in a
/// ridge, and walls along an axis. Returns `None` if the corners are in a plane, or do not bound a convex area seen
/// along the axis.
fn normals(cell: &PatchCell) -> Option<Vec<DVec3>> {
    let mut around = cell.corners.map(|corner| corner.point);
    if !cell.counterclockwise {
        around.reverse();
    }
    let up = upright(cell.normal?);
    let mut normals = Vec::new();
    let mut ridges = [false; 4];
    for (first, is_ridge) in ridges.iter_mut().enumerate() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|step| around[(first + step) % 4]);
        let wall = (b - a).cross(up).try_normalize()?;
        if [c, d].iter().any(|corner| wall.dot(*corner - a) >= 0.0) {
            return None;
        }
        let front = (b - a).cross(c - a).try_normalize()?;
        *is_ridge = front.dot(d - a) < 0.0;
        normals.extend([wall, if *is_ridge { front } else { -front }]);
    }
    // Of the two diagonals of the corners, the front has one as its ridge and the back the other.
    let is_hull = [[true, false, true, false], [false, true, false, true]].contains(&ridges);
    is_hull.then_some(normals)
}
