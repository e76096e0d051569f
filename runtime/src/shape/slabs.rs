//! Slabs: the planes around the sum of a brush and a shape's core, and the part of a segment behind
//! all of them, moved out by the shape's radius. That is the whole answer for points and boxes, and
//! for balls and capsules a stretch that holds it.
//!
//! The faces of the sum of two convex solids are those of either and those that an edge of each spans
//! (van Waveren, "The Quake III Arena Bot", section 6.2). Bevels of the brush are all of them beyond
//! its own faces for an axis-aligned box; for a core with edges of its own they are made here.

use super::Plane;
use super::TOUCH;
use super::brush::{Convex, Edge, Feature};
use super::kinds::{Core, Shape};
use super::vector::{Vector, direction, dot, length, scale};

/// A half-space around the sum of a brush and a shape's core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    /// A unit vector, as nearly as the brush's are.
    pub(super) normal: Vector,
    pub(super) dist: f64,
    pub(super) feature: Feature,
}

impl Slab {
    /// Signed distance of a point in front of the slab when it is moved out by a radius.
    #[inline(always)]
    pub(super) fn ahead(&self, point: &Vector, radius: f64) -> f64 {
        let ahead = dot(&self.normal, point) - self.dist;
        // The normal's length is not exactly 1, and times the radius that shows.
        if radius > 0.0 {
            ahead - radius * length(&self.normal)
        } else {
            ahead
        }
    }
}

/// The slabs whose common part is the sum of a brush and a shape's core.
#[inline(always)]
pub(super) fn slabs<'a, B: Convex>(
    shape: &'a Shape,
    brush: &'a B,
) -> impl Iterator<Item = Slab> + use<'a, B> {
    let moved = |Plane { normal, dist }, feature| Slab {
        normal,
        dist: dist + shape.support(&normal),
        feature,
    };
    let faces = brush.faces().zip(0..);
    let faces = faces.map(move |(plane, face)| moved(plane, Feature::Face(face)));
    let bevels = matches!(shape.core, Core::Box(_)).then(|| brush.bevels());
    let bevels = bevels.into_iter().flatten().chain(own_faces(shape, brush));
    let bevels = bevels.map(move |plane| moved(plane, Feature::Farthest));
    let spanned = brush.edges().flat_map(move |edge| {
        let normals = shape.edge_directions();
        let normals = normals.filter_map(move |direction| spanned_normal(&edge, &direction));
        normals.map(move |normal| moved(supporting(normal, edge.ends), Feature::Edge(edge.faces)))
    });
    faces.chain(bevels).chain(spanned)
}

/// The faces of a core with faces that are not axial, moved to touch the brush.
fn own_faces<'a, B: Convex>(
    shape: &Shape,
    brush: &'a B,
) -> impl Iterator<Item = Plane> + use<'a, B> {
    let axes = match shape.core {
        Core::Oriented { axes, .. } => Some(axes),
        _ => None,
    };
    axes.into_iter().flatten().flat_map(move |axis| {
        [axis, scale(&axis, -1.0)].map(|normal| supporting(normal, brush.vertices()))
    })
}

/// The plane with a normal that touches points from outside.
fn supporting(normal: Vector, points: impl IntoIterator<Item = Vector>) -> Plane {
    let dists = points.into_iter().map(|point| dot(&normal, &point));
    Plane {
        normal,
        dist: dists.fold(f64::NEG_INFINITY, f64::max),
    }
}

/// The normal of the face that an edge of the brush spans with an edge of the core, if there is such
/// a face: then the normals of the faces at the brush's edge are to different sides of the direction,
/// and the spanned one is the mean of the two that is perpendicular to it. That is better conditioned
/// than the cross product of the edges, which may be short.
fn spanned_normal(edge: &Edge, edge_direction: &Vector) -> Option<Vector> {
    let [a, b] = &edge.normals;
    let (on_a, on_b) = (dot(a, edge_direction), dot(b, edge_direction));
    if on_a * on_b >= 0.0 {
        return None;
    }
    let mean = |axis: usize| a[axis] * on_b.abs() + b[axis] * on_a.abs();
    direction(&[mean(0), mean(1), mean(2)]).map(|(normal, _)| normal)
}

/// The part of a segment behind all slabs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// Fraction where it begins, 0 to 1.
    pub(super) enter: f64,
    /// Fraction where it ends, beyond `enter` and at most 1.
    pub(super) leave: f64,
    /// The slab that the segment enters last; none if it starts behind all of them.
    pub(super) first: Option<Slab>,
    /// The slab that it leaves first; none if it ends behind all of them.
    pub(super) last: Option<Slab>,
}

impl Stretch {
    /// Clips a segment by all slabs; none if no part of it is behind all of them.
    #[inline(always)]
    pub(super) fn behind<B: Convex>(
        shape: &Shape,
        brush: &B,
        [start, end]: &[Vector; 2],
    ) -> Option<Self> {
        let whole = Self {
            enter: 0.0,
            leave: 1.0,
            first: None,
            last: None,
        };
        slabs(shape, brush).try_fold(whole, |stretch, slab| {
            let ahead = [start, end].map(|point| slab.ahead(point, shape.radius));
            stretch.clipped(slab, ahead)
        })
    }

    /// The part behind one more slab, of which the ends of the segment are so far ahead.
    #[inline(always)]
    fn clipped(mut self, slab: Slab, [d_start, d_end]: [f64; 2]) -> Option<Self> {
        match [d_start, d_end].map(|ahead| ahead >= -TOUCH) {
            [true, true] => return None,
            [true, false] => {
                let fraction = d_start.max(0.0) / (d_start - d_end);
                if self.first.is_none() || fraction > self.enter {
                    self.enter = fraction;
                    self.first = Some(slab);
                }
            }
            [false, true] => {
                let fraction = d_start / (d_start - d_end);
                if fraction < self.leave {
                    self.leave = fraction;
                    self.last = Some(slab);
                }
            }
            [false, false] => {}
        }
        (self.enter < self.leave).then_some(self)
    }
}
