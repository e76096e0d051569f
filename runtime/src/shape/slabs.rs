//! Slabs: the planes around the sum of a brush and a shape's core, and the part of a segment behind all of them,
//! moved out by the shape's radius. For points and boxes this part is the answer; for balls and capsules the answer
//! lies within it.
//!
//! The faces of the sum of two convex solids are the faces of each, and those spanned by an edge of each (van
//! Waveren, "The Quake III Arena Bot", section 6.2). For an axis-aligned box, these are the brush's own faces and
//! bevels; for a core with its own edges, the spanned faces are computed here.

use super::brush::{Convex, Edge, FacePlane, Feature};
use super::kinds::{Core, Shape};
use crate::math::vector::{Vector, direction, dot, length, scale};
use crate::tolerance::ON_PLANE;

/// A half-space around the sum of a brush and a shape's core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    /// Unit vector, to the same precision as the brush's normals.
    pub(super) normal: Vector,
    /// Distance of its plane from the origin along the normal, in units.
    pub(super) dist: f64,
    /// The feature of the brush that its plane touches.
    pub(super) feature: Feature,
}

impl Slab {
    /// Returns the signed distance of a point in front of the slab, times the length of the normal.
    #[inline(always)]
    pub(super) fn ahead(&self, point: &Vector) -> f64 {
        dot(&self.normal, point) - self.dist
    }

    /// Returns the distance by which a radius moves the slab out, times the length of the normal, which is not
    /// exactly 1.
    #[inline(always)]
    fn moved_by(&self, radius: f64) -> f64 {
        if radius > 0.0 {
            radius * length(&self.normal)
        } else {
            0.0
        }
    }
}

/// Whether a predicate holds for all slabs whose intersection is the sum of a brush and a shape's core. Stops at the
/// first for which it does not.
#[inline(always)]
pub(super) fn all_slabs<B: Convex>(
    shape: &Shape,
    brush: &B,
    mut holds: impl FnMut(Slab) -> bool,
) -> bool {
    let mut holds = |FacePlane { normal, dist }, feature| {
        // The support is that of the reflected core, by which a face of the brush moves outward in the sum.
        holds(Slab {
            normal,
            dist: dist + shape.support(&normal),
            feature,
        })
    };
    // The brush's own faces come first: they cost least, and many segments miss the brush by one of them.
    let mut faces = brush.faces().zip(0..);
    if !faces.all(|(plane, face)| holds(plane, Feature::Face(face))) {
        return false;
    }
    match &shape.core {
        Core::Point => true,
        Core::Segment(half) => all_spanned(brush, [*half], holds),
        Core::Box(_) => brush.bevels().all(|plane| holds(plane, Feature::Farthest)),
        Core::Oriented { axes, half } => {
            let normals = axes.iter().flat_map(|axis| [*axis, scale(axis, -1.0)]);
            // An extent of 0 has no edge, and its direction would span faces that the sum does not have.
            let edges = axes.iter().zip(half).filter(|(_, half)| **half > 0.0);
            all_touching(brush, normals, &mut holds)
                && all_spanned(brush, edges.map(|(axis, _)| *axis), holds)
        }
        Core::Prism(prism) => {
            all_touching(brush, prism.normals(), &mut holds)
                && all_spanned(brush, prism.edges().copied(), holds)
        }
        Core::Polytope(polytope) => {
            all_touching(brush, polytope.normals(), &mut holds)
                && all_spanned(brush, polytope.edges(), holds)
        }
    }
}

/// Whether a predicate holds for the planes with these normals that touch a brush.
#[inline(always)]
fn all_touching<B: Convex>(
    brush: &B,
    mut normals: impl Iterator<Item = Vector>,
    mut holds: impl FnMut(FacePlane, Feature) -> bool,
) -> bool {
    normals.all(|normal| holds(supporting(normal, brush.vertices()), Feature::Farthest))
}

/// Whether a predicate holds for the planes that the edges of a brush span with edges of these directions.
#[inline(always)]
fn all_spanned<B: Convex>(
    brush: &B,
    directions: impl IntoIterator<Item = Vector>,
    mut holds: impl FnMut(FacePlane, Feature) -> bool,
) -> bool {
    // Edge after edge of the brush, because few pairs span a face and each is ruled out by two products.
    directions.into_iter().all(|direction| {
        brush
            .edges()
            .all(|edge| match spanned_normal(&edge, &direction) {
                Some(normal) => holds(supporting(normal, edge.ends), Feature::Edge(edge.faces)),
                None => true,
            })
    })
}

/// Returns the plane with a normal that touches points from outside.
fn supporting(normal: Vector, points: impl IntoIterator<Item = Vector>) -> FacePlane {
    let dists = points.into_iter().map(|point| dot(&normal, &point));
    FacePlane {
        normal,
        dist: dists.fold(f64::NEG_INFINITY, f64::max),
    }
}

/// Returns the normal of the face that an edge of the brush spans with an edge of the core, or `None` if there is no
/// such face. There is one if the normals of the faces at the brush's edge are on different sides of the direction;
/// the spanned normal is the mean of the two that is perpendicular to it. That is better conditioned than the cross
/// product of the edges, which may be short.
fn spanned_normal(edge: &Edge, edge_direction: &Vector) -> Option<Vector> {
    let [a, b] = &edge.normals;
    let (on_a, on_b) = (dot(a, edge_direction), dot(b, edge_direction));
    // Both faces on one side, or along the edge: then a face of the brush is as far out already.
    if on_a * on_b >= 0.0 {
        return None;
    }
    let mean = |axis: usize| a[axis] * on_b.abs() + b[axis] * on_a.abs();
    direction(&[mean(0), mean(1), mean(2)]).map(|(normal, _)| normal)
}

/// The part of a segment behind all slabs.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlabInterval {
    /// Fraction where it begins, 0 to 1.
    pub(super) enter: f64,
    /// Fraction where it ends, beyond `enter` and at most 1.
    pub(super) leave: f64,
    /// The slab that the segment enters last; `None` if it starts behind all of them.
    pub(super) first: Option<Slab>,
    /// The slab that it leaves first; `None` if it ends behind all of them.
    pub(super) last: Option<Slab>,
}

impl SlabInterval {
    /// Clips a segment by all slabs. Returns `None` if no part of it is behind all of them.
    #[inline(always)]
    pub(super) fn behind<B: Convex>(
        shape: &Shape,
        brush: &B,
        [start, end]: &[Vector; 2],
    ) -> Option<Self> {
        let mut stretch = Self {
            enter: 0.0,
            leave: 1.0,
            first: None,
            last: None,
        };
        let is_left = all_slabs(shape, brush, |slab| {
            // All slabs move out by the radius. The result is too large at edges and corners, which the caller rounds
            // off.
            let moved = slab.moved_by(shape.radius);
            let ahead = [start, end].map(|point| slab.ahead(point) - moved);
            stretch.clip(slab, ahead)
        });
        is_left.then_some(stretch)
    }

    /// Clips the interval by one more slab, given the signed distances of the segment's ends. Whether
    /// anything is left.
    #[inline(always)]
    fn clip(&mut self, slab: Slab, [d_start, d_end]: [f64; 2]) -> bool {
        match [d_start, d_end].map(|ahead| ahead >= -ON_PLANE) {
            // In front all the way: the segment misses the sum.
            [true, true] => return false,
            // The segment is inside only behind all slabs: the last entry counts, and below the first exit.
            [true, false] => {
                // `max` might return either zero, but every machine must give the same answer.
                let ahead = if d_start > 0.0 { d_start } else { 0.0 };
                let fraction = ahead / (d_start - d_end);
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
        self.enter < self.leave
    }
}
