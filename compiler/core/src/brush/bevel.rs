//! Bevels are the planes that bound the Minkowski sum of a brush and a box in addition to the brush's own (van
//! Waveren, "The Quake III Arena Bot", section 6.2). They are computed here; bevels in the map file are ignored.
//!
//! # Which planes these are
//! The sum of a convex solid P and a box has three kinds of faces: those of P, those of the box, and faces spanned
//! by an edge of P and an edge of the box. The normal of the third kind is perpendicular to the box's edge, so its
//! component along that axis is zero, and it lies strictly between the normals A and B of the faces at P's edge.
//! So it exists exactly if A and B have opposite signs along the axis, and then it is |B| A + |A| B, where |A| and
//! |B| are the sizes of these components.

use glam::DVec3;
use nalgebra::Vector3;
use onion_geometry::plane::grid_normal;
use onion_geometry::{Cell, ExactPlane, PlaneSet, Vertex};

/// Returns the bevels of a brush, not yet moved outward: the six axial planes that touch it, and one plane for each
/// edge and axis that span a face of the sum. `along` tells for each axis whether the box extends along it.
pub fn bevels(planes: &PlaneSet, cell: &Cell, along: [bool; 3]) -> Vec<ExactPlane> {
    let axial = (0..6).map(|side| ExactPlane::axial(side / 2, side % 2 == 1, 0).normal);
    let mut normals: Vec<_> = axial.collect();
    for [a, b] in cell.adjacent_planes() {
        let [a, b] = [a, b].map(|plane| planes[plane].plane.normal);
        let axes = (0..3).filter(|&axis| along[axis]);
        normals.extend(axes.filter_map(|axis| edge_normal(&a, &b, axis)));
    }
    let supporting = |normal| Vertex::supporting_plane(planes, cell.vertices(), normal);
    normals.into_iter().map(supporting).collect()
}

/// Returns the grid normal of the face spanned by an edge between faces with normals `a` and `b` and an edge of the
/// box along `axis`, or `None` if there is no such face.
fn edge_normal(a: &Vector3<i64>, b: &Vector3<i64>, axis: usize) -> Option<Vector3<i64>> {
    if a[axis].signum() * b[axis].signum() >= 0 {
        return None;
    }
    // Below 2^61: exact.
    let between = a * b[axis].abs() + b * a[axis].abs();
    let between = DVec3::from_array(between.map(|component| component as f64).into());
    between.try_normalize().map(grid_normal)
}
