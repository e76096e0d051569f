//! Round edges and corners: the parts that a ball adds to the sum of a brush and a core beyond the slabs. The sum's
//! edges become cylinders and its corners become balls. Moving the planes out instead, as Ostgard does, adds a wedge
//! at every edge and a spike at every corner that should not be there.
//!
//! Some of the given edges and corners may be inside the sum. They change nothing: the first and last points of all
//! parts together are those of the whole, and so are the least distances.

use super::brush::{Convex, Feature};
use super::kinds::{Core, Shape};
use super::slabs::{Slab, all_slabs};
use crate::math::vector::{Vector, add, along, dot, length, scale, sub};
use crate::tolerance::ON_PLANE;

/// A segment on the surface of the sum of a brush and a core; a corner if `direction` is zero.
#[derive(Clone, Copy, Debug)]
struct RoundedEdge {
    /// One end, in units.
    from: Vector,
    /// The vector from one end to the other, in units.
    direction: Vector,
    /// The feature of the brush that it comes from, which decides the face that is hit.
    feature: Feature,
}

/// The vector to a point from the sum's nearest point, with the feature that the nearest point is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// In units; its length is the distance from the sum.
    pub(super) offset: Vector,
    /// The face, edge or corner of the brush that the nearest point comes from.
    pub(super) feature: Feature,
}

/// Visits the edges of the sum of a brush and a core that is a point or a segment: those of the brush, moved to both
/// ends of the segment, and the segment at each corner.
#[inline(always)]
fn each_edge<B: Convex>(shape: &Shape, brush: &B, mut visit: impl FnMut(RoundedEdge)) {
    for place in places(shape).iter().flatten() {
        brush.edges().for_each(|edge| {
            let [from, to] = edge.ends;
            visit(RoundedEdge {
                from: add(&from, place),
                direction: sub(&to, &from),
                feature: Feature::Edge(edge.faces),
            });
        });
    }
    if let Core::Segment(half) = shape.core {
        brush.vertices().for_each(|vertex| {
            visit(RoundedEdge {
                from: sub(&vertex, &half),
                direction: scale(&half, 2.0),
                feature: Feature::Vertex(vertex),
            });
        });
    }
}

/// Visits the corners of the same sum.
#[inline(always)]
fn each_corner<B: Convex>(shape: &Shape, brush: &B, mut visit: impl FnMut(RoundedEdge)) {
    for place in places(shape).iter().flatten() {
        brush.vertices().for_each(|vertex| {
            visit(RoundedEdge {
                from: add(&vertex, place),
                direction: [0.0; 3],
                feature: Feature::Vertex(vertex),
            });
        });
    }
}

/// Returns the ends of a core.
fn places(shape: &Shape) -> [Option<Vector>; 2] {
    match shape.core {
        Core::Segment(half) => [Some(half), Some(scale(&half, -1.0))],
        _ => [Some([0.0; 3]), None],
    }
}

/// Returns the signed distance of a point from the sum of a brush and a core that is a point or a segment: the true
/// distance outside, minus the least depth inside.
pub(super) fn distance<B: Convex>(shape: &Shape, brush: &B, point: &Vector) -> f64 {
    let mut farthest: Option<(f64, Slab)> = None;
    all_slabs(shape, brush, |slab| {
        let ahead = slab.ahead(point) / length(&slab.normal);
        if farthest.is_none_or(|(so_far, _)| ahead > so_far) {
            farthest = Some((ahead, slab));
        }
        true
    });
    let Some((ahead, slab)) = farthest else {
        return f64::NEG_INFINITY;
    };
    // Inside, the farthest slab is the nearest border. Outside, its distance is the true one only if the nearest point
    // of the sum lies on it; otherwise that point is on an edge or a corner.
    if ahead <= 0.0 || flat_contact(shape, brush, &slab, point, ahead).is_some() {
        return ahead;
    }
    // Squares are compared, so that one root is taken in the end.
    let mut least = f64::INFINITY;
    each_edge(shape, brush, |edge| {
        let offset = edge.offset_of(point);
        least = least.min(dot(&offset, &offset));
    });
    // The distance from a slab is a lower bound, which rounding must not undercut.
    libm::sqrt(least).max(ahead)
}

/// Returns the contact of a point that is `ahead` of a slab of the sum, if the nearest point of the sum is on the
/// slab itself. No polygon is needed: that point is on the slab exactly if it is behind all others. A point that
/// rounding puts next to an edge counts, so that no contact is lost between face and edge.
pub(super) fn flat_contact<B: Convex>(
    shape: &Shape,
    brush: &B,
    slab: &Slab,
    point: &Vector,
    ahead: f64,
) -> Option<Nearest> {
    let foot = along(point, &slab.normal, -ahead / length(&slab.normal));
    let is_in_sum = all_slabs(shape, brush, |slab| slab.ahead(&foot) <= ON_PLANE);
    is_in_sum.then_some(Nearest {
        offset: slab.normal,
        feature: slab.feature,
    })
}

impl RoundedEdge {
    /// Returns the vector from the nearest point of the edge to a point.
    fn offset_of(&self, point: &Vector) -> Vector {
        let from = sub(point, &self.from);
        let at = dot(&from, &self.direction) / dot(&self.direction, &self.direction);
        // A corner has no direction, and its `at` is not a number.
        let at = if at > 0.0 { at.min(1.0) } else { 0.0 };
        along(&from, &self.direction, -at)
    }
}

/// A segment that is tested against edges and corners.
pub(super) struct Ray {
    /// Its start, in units; near the brush, so that little is lost by rounding.
    pub(super) from: Vector,
    /// Unit vector.
    pub(super) direction: Vector,
    /// In units.
    pub(super) length: f64,
}

/// The first and the last point of a ray within the radius of edges and corners, in units along it.
#[derive(Default)]
pub(super) struct RoundPassage {
    /// Where the ray comes within the radius, and what is nearest there.
    pub(super) first: Option<(f64, Nearest)>,
    /// Where it leaves; `None` like `first` if it never comes within the radius.
    pub(super) last: Option<f64>,
}

impl Ray {
    /// Returns the first and last point of the ray within the shape's radius of an edge or a corner of the sum.
    pub(super) fn passage<B: Convex>(&self, shape: &Shape, brush: &B) -> RoundPassage {
        let mut passage = RoundPassage::default();
        each_edge(shape, brush, |edge| {
            let chord = self.chord_of_edge(&edge, shape.radius);
            passage.widen(self, &edge, chord);
        });
        each_corner(shape, brush, |corner| {
            let from = sub(&self.from, &corner.from);
            let chord = chord(&from, &self.direction, shape.radius);
            passage.widen(self, &corner, chord.map(|ends| ends.map(Some)));
        });
        passage
    }

    /// Returns the points where the ray enters and leaves the cylinder around an edge; each is `None` if it is beyond
    /// the edge's ends.
    #[inline(always)]
    fn chord_of_edge(&self, edge: &RoundedEdge, radius: f64) -> Option<[Option<f64>; 2]> {
        let from = sub(&self.from, &edge.from);
        // In lengths of the edge; NaN for an edge of zero length, which then has no chord.
        let scale = 1.0 / dot(&edge.direction, &edge.direction);
        let [start, step] =
            [&from, &self.direction].map(|vector| dot(vector, &edge.direction) * scale);
        // Without what goes along the edge, the cylinder is a circle.
        let flat_from = along(&from, &edge.direction, -start);
        let flat_direction = along(&self.direction, &edge.direction, -step);
        let ends = chord(&flat_from, &flat_direction, radius)?;
        Some(ends.map(|at| {
            let on_edge = start + step * at;
            (0.0..=1.0).contains(&on_edge).then_some(at)
        }))
    }
}

/// Returns the interval of a line within a radius of the origin, in multiples of its direction: a chord around the
/// nearest point. `None` if the line is farther away, or if the direction is zero.
#[inline(always)]
fn chord(from: &Vector, direction: &Vector, radius: f64) -> Option<[f64; 2]> {
    let scale = 1.0 / dot(direction, direction);
    let middle = -dot(from, direction) * scale;
    let nearest = along(from, direction, middle);
    let half_square = (radius * radius - dot(&nearest, &nearest)) * scale;
    // A line that only touches the circle has no chord: touching is free.
    if half_square > 0.0 {
        let half = libm::sqrt(half_square);
        return Some([middle - half, middle + half]);
    }
    None
}

impl RoundPassage {
    /// Extends the passage by the chord of one edge or corner, as far as it is on the ray.
    fn widen(&mut self, ray: &Ray, edge: &RoundedEdge, chord: Option<[Option<f64>; 2]>) {
        let Some([enter, leave]) = chord else {
            return;
        };
        // An entry before the ray is as good as one at its start: the stretch begins there, inside of all slabs.
        if let Some(at) = enter
            && at < ray.length
            && self.first.is_none_or(|(first, _)| at < first)
        {
            let point = along(&ray.from, &ray.direction, at);
            let nearest = Nearest {
                offset: edge.offset_of(&point),
                feature: edge.feature,
            };
            self.first = Some((at, nearest));
        }
        if let Some(at) = leave
            && at > 0.0
            && self.last.is_none_or(|last| at > last)
        {
            self.last = Some(at);
        }
    }
}
