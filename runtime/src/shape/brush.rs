//! One brush as the queries of shapes see it: planes, corners and edges in, from any storage; the side of the brush
//! that a contact belongs to out.

use crate::math::vector::{Vector, dot, sub};
use crate::tolerance::{BEVEL_TILT, ON_PLANE};

/// The plane of a brush's face, facing outward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacePlane {
    /// Unit normal.
    pub normal: [f64; 3],
    /// Distance from the origin along the normal, in units.
    pub dist: f64,
}

/// A convex brush with a volume. Everything is in units, within [`onion_format::WORLD_LIMIT`] of the origin on every
/// axis. Planes face outward; their normals are unit vectors within 2^-30. All parts must describe one solid, with
/// corners to within 2^-36 units: answers are only as exact as that.
pub trait Convex {
    /// Returns the planes of the faces, in the order of their numbers.
    fn faces(&self) -> impl Iterator<Item = FacePlane>;

    /// Returns the planes that the Minkowski sum with an axis-aligned box needs beyond those of the faces: the six
    /// axial ones, and one for each edge and axis that span a face of the sum. All touch the brush.
    fn bevels(&self) -> impl Iterator<Item = FacePlane>;

    /// Returns the corners.
    fn vertices(&self) -> impl Iterator<Item = [f64; 3]>;

    /// Returns the edges, each once.
    fn edges(&self) -> impl Iterator<Item = Edge>;
}

/// An edge of a brush: where two faces meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The corners that it joins, in units, bit for bit as [`Convex::vertices`] returns them.
    pub ends: [[f64; 3]; 2],
    /// Numbers of the two faces.
    pub faces: [usize; 2],
    /// Normals of the two faces, in the same order.
    pub normals: [[f64; 3]; 2],
}

/// The feature of a brush that a plane or a contact touches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Feature {
    /// A face, by its number.
    Face(usize),
    /// The edge between two faces.
    Edge([usize; 2]),
    /// A corner.
    Vertex(Vector),
    /// The part of the brush that is farthest along the normal.
    Farthest,
}

/// Returns the number of the face that a contact belongs to: the face itself, or, among the faces that meet at
/// the edge or the corner, the one with the normal nearest to the contact's. Ties go to the first.
pub(super) fn side_of<B: Convex>(brush: &B, feature: Feature, normal: &Vector) -> usize {
    let nearest = match feature {
        Feature::Face(face) => Some(face),
        Feature::Edge(faces) => nearest(brush, normal, |edge| edge.faces == faces),
        Feature::Vertex(vertex) => nearest(brush, normal, |edge| edge.ends.contains(&vertex)),
        Feature::Farthest => {
            let ends = brush.edges().flat_map(|edge| edge.ends);
            let farthest = ends.fold(f64::NEG_INFINITY, |far, end| far.max(dot(normal, &end)));
            // An edge that is touched along its whole length is more specific than one that only ends there.
            let touching = |edge: &Edge| n_touching(edge, normal, farthest);
            let most = brush.edges().map(|edge| touching(&edge)).max();
            nearest(brush, normal, |edge| Some(touching(edge)) == most)
        }
    };
    nearest.unwrap_or(0)
}

/// Returns the number of an edge's ends that are as far along a normal as any part of the brush.
fn n_touching(edge: &Edge, normal: &Vector, farthest: f64) -> usize {
    // A bevel through the edge is rounded to the grid of normals, so its plane misses the far end by more, the longer
    // the edge is.
    let [x, y, z] = sub(&edge.ends[0], &edge.ends[1]).map(f64::abs);
    let slack = ON_PLANE + BEVEL_TILT * (x + y + z);
    let touches = |end: &&Vector| dot(normal, end) >= farthest - slack;
    edge.ends.iter().filter(touches).count()
}

/// Returns, among the faces at some edges, the one with the normal nearest to a given one.
fn nearest<B: Convex>(
    brush: &B,
    normal: &Vector,
    is_meant: impl Fn(&Edge) -> bool,
) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for edge in brush.edges().filter(is_meant) {
        for (face, own) in edge.faces.into_iter().zip(&edge.normals) {
            let cosine = dot(own, normal);
            let is_better = |(so_far, first)| cosine > so_far || cosine == so_far && face < first;
            if best.is_none_or(is_better) {
                best = Some((cosine, face));
            }
        }
    }
    best.map(|(_, face)| face)
}
