//! Plates represent a cell for which no single piece is proven, as at folds and pinched corners. A plate is a thin
//! prism behind a triangle of the cell, with sides along the axis nearest to the triangle's normal. It lies within the
//! error of the surface, in front of it or behind it, so the proof needs neither normals nor neighbors.

use glam::DVec3;
use onion_geometry::{ExactPlane, grid};

use super::mesh::{CHAIN, PatchCell, THICKNESS, longest};
use super::surface::upright;
use crate::tolerance::{NARROW_PLATE, OVERLAP};

/// Thickness of a plate, as a fraction of the error; at most that of other pieces.
const DEPTH: f64 = 0.25;

/// Returns the distance by which the plates of a cell exceed the error, in units; not above 0 if each point of the
/// plates is within the error of the surface, and each point of the surface within the error of the plates.
pub fn excess(cell: &PatchCell, error: f64) -> f64 {
    // Corners on the border are points of its chain. Rounding error is far smaller than the overlap.
    cell.bend + CHAIN * error + depth(error) + OVERLAP - error
}

/// Returns the plates of a cell, each as its planes. They contain the cell's outline.
pub fn plates(cell: &PatchCell, error: f64) -> impl Iterator<Item = Vec<ExactPlane>> {
    let outline = cell.outline();
    let triangles = (2..outline.len()).map(move |at| [outline[0], outline[at - 1], outline[at]]);
    let side = if cell.counterclockwise { 1.0 } else { -1.0 };
    triangles.filter_map(move |triangle| plate(triangle, side, depth(error)))
}

/// Returns the thickness of a plate, in units.
pub fn depth(error: f64) -> f64 {
    f64::min(THICKNESS, error * DEPTH)
}

/// Returns the prism behind a triangle, whose corners run counterclockwise if `side` is 1, or a thin box around a
/// triangle without area. Returns `None` if a plane is outside the world.
fn plate(triangle: [DVec3; 3], side: f64, depth: f64) -> Option<Vec<ExactPlane>> {
    let edges = [0, 1, 2].map(|at| triangle[(at + 1) % 3] - triangle[at]);
    let longest = longest(edges);
    let along = longest.normalize_or(DVec3::X);
    let area = edges[0].cross(edges[1]) * side;
    let has_area = area.length() > NARROW_PLATE * longest.length();
    let normal = if has_area {
        area.normalize()
    } else {
        along.any_orthonormal_vector()
    };
    let up = upright(normal);
    let points = prism(&triangle, up * depth);
    let plane = |normal: DVec3, beyond: f64| {
        let moved = points.iter().map(|&point| point + normal * beyond);
        ExactPlane::supporting(normal, moved.map(|point| point.to_array().map(grid::point)))
    };
    let overlap = OVERLAP / 4.0;
    let across = along.cross(normal);
    // The sides of a sliver are nearly parallel and would meet far away.
    let (sides, ends) = if has_area {
        let sides = edges.map(|edge| edge.cross(up).normalize() * side);
        (sides.to_vec(), vec![along, -along])
    } else {
        (vec![], vec![along, -along, across, -across])
    };
    let ends = ends.into_iter().map(|end| plane(end, overlap));
    let around = [normal, -normal].into_iter().chain(sides);
    around
        .map(|normal| plane(normal, 0.0))
        .chain(ends)
        .collect()
}

/// Returns the corners of a prism: the given points, and the same points moved back.
pub fn prism(points: &[DVec3], back: DVec3) -> Vec<DVec3> {
    let moved = points.iter().map(|point| *point - back);
    points.iter().copied().chain(moved).collect()
}
