//! Bevels are the planes that bound the Minkowski sum of a brush and a hull in addition to the brush's own (van
//! Waveren, "The Quake III Arena Bot", section 6.2). They are computed here; bevels in the map file are ignored.
//!
//! # Which planes these are
//! The sum of a convex solid P and a hull has three kinds of faces: those of P, those of the hull, and faces spanned
//! by an edge of P and an edge of the hull. The normal of the third kind is perpendicular to the hull's edge, and it
//! lies strictly between the normals A and B of the faces at P's edge. A box or a prism is a sum of segments, so the
//! normals of its faces at all edges of one direction go all around that direction. So the face exists exactly if A
//! and B have opposite signs along the direction, and then its normal is |B| A + |A| B, where |A| and |B| are the
//! sizes of these components.

use glam::DVec3;
use nalgebra::Vector3;
use onion_geometry::plane::grid_normal;
use onion_geometry::{Cell, ExactPlane, PlaneSet, Vertex};

use crate::hull::HullEdges;

/// Returns the bevels of a brush, not yet moved outward: the six axial planes that touch it, one for each other face
/// of the hull, and one for each edge of the brush and of the hull that span a face of the sum.
pub fn bevels(planes: &PlaneSet, cell: &Cell, hull: &HullEdges) -> Vec<ExactPlane> {
    let axial = (0..6).map(|side| ExactPlane::axial(side / 2, side % 2 == 1, 0).normal);
    let of_hull = hull
        .normals
        .iter()
        .filter_map(|normal| nearest_on_grid(normal.map(i128::from)));
    let mut normals: Vec<_> = axial.chain(of_hull).collect();
    for [a, b] in cell.adjacent_planes() {
        let [a, b] = [a, b].map(|plane| planes[plane].plane.normal);
        let directions = hull.directions.iter();
        normals.extend(directions.filter_map(|direction| edge_normal(&a, &b, direction)));
    }
    let supporting = |normal| Vertex::supporting_plane(planes, cell.vertices(), normal);
    normals.into_iter().map(supporting).collect()
}

/// Returns the grid normal of the face spanned by an edge between faces with normals `a` and `b` and an edge of the
/// hull, or `None` if there is no such face.
fn edge_normal(
    a: &Vector3<i64>,
    b: &Vector3<i64>,
    direction: &Vector3<i64>,
) -> Option<Vector3<i64>> {
    // Below 2^55, as directions of hulls are below 2^24.
    let [on_a, on_b] = [a.dot(direction), b.dot(direction)];
    if on_a.signum() * on_b.signum() >= 0 {
        return None;
    }
    let [a, b] = [a, b].map(|normal| normal.map(i128::from));
    nearest_on_grid(a * i128::from(on_b.abs()) + b * i128::from(on_a.abs()))
}

/// Returns the grid normal nearest to a vector, or `None` if it is zero.
fn nearest_on_grid(vector: Vector3<i128>) -> Option<Vector3<i64>> {
    let exact = DVec3::from_array(vector.map(|component| component as f64).into());
    exact.try_normalize().map(grid_normal)
}
