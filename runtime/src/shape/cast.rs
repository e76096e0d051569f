//! Queries of one brush: the fractions at which a moving shape enters and leaves the brush, whether a shape overlaps
//! the brush, and the distance between them.

use super::brush::{Convex, side_of};
use super::kinds::{Core, Shape};
use super::round::{Nearest, Ray, RoundPassage, distance, flat_contact};
use super::slabs::{Slab, SlabInterval, all_slabs};
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::segment::{in_domain, point_at};
use crate::math::vector::{Vector, add, direction, length, sub};
use crate::tolerance::ON_PLANE;

/// The part of a motion that a shape spends inside a brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage<T> {
    /// Fraction of the motion before the shape enters the brush, 0 to 1; 0 if it starts inside.
    pub enter: f64,
    /// Fraction of the motion before the shape is out again, at least `enter`; 1 if it ends inside.
    pub leave: f64,
    /// The contact at the entry; `None` if the shape starts inside.
    pub touch: Option<Touch<T>>,
}

/// A contact between a shape and a brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch<T> {
    /// Unit normal of the plane between shape and brush, facing the motion.
    pub normal: [T; 3],
    /// The face that is touched. For an edge or a corner, it is the adjacent face with the normal nearest to the
    /// contact's, or the first of several such faces.
    pub face: usize,
}

impl<T> Passage<T> {
    /// The passage of a motion that is inside of the brush from its start to its end.
    const ALL_SOLID: Self = Self {
        enter: 0.0,
        leave: 1.0,
        touch: None,
    };

    /// Whether the shape is inside the brush from the start.
    pub fn start_solid(&self) -> bool {
        self.touch.is_none()
    }
}

/// Returns the passage of a shape through a brush when the shape's point moves from `start` to `end`, or `None` if
/// the shape stays outside. See [`crate::shape`] for the definition of inside. If a point is not finite, or is
/// farther than 2^30 units from the origin, the shape counts as inside all the way.
pub fn cast<T: Coordinate>(
    shape: &Shape,
    start: impl Into<[T; 3]>,
    end: impl Into<[T; 3]>,
    brush: &impl Convex,
) -> Option<Passage<T>> {
    let ends = [widened(start.into()), widened(end.into())];
    let passage = cast_wide(shape, ends, brush)?;
    Some(Passage {
        enter: passage.enter,
        leave: passage.leave,
        touch: passage.touch.map(|touch| Touch {
            normal: narrowed(touch.normal),
            face: touch.face,
        }),
    })
}

/// Runs [`cast`] in double precision.
pub(super) fn cast_wide(
    shape: &Shape,
    [start, end]: [Vector; 2],
    brush: &impl Convex,
) -> Option<Passage<f64>> {
    if !(in_domain(&start) && in_domain(&end)) {
        return Some(Passage::ALL_SOLID);
    }
    // From here on, the core's center is what moves.
    let motion = [start, end].map(|point| add(&point, &shape.center));
    let stretch = SlabInterval::behind(shape, brush, &motion)?;
    if shape.is_round() {
        return RoundCast {
            shape,
            brush,
            motion,
            stretch,
        }
        .contact();
    }
    Some(Passage {
        enter: stretch.enter,
        leave: stretch.leave,
        touch: stretch.first.map(|slab| touch(brush, &slab.into())),
    })
}

/// Whether a shape with its point at `point` is inside a brush, by more than the rounding error. Every shape is if
/// the point is not finite, or is farther than 2^30 units from the origin.
pub fn overlaps<T: Coordinate>(
    shape: &Shape,
    point: impl Into<[T; 3]>,
    brush: &impl Convex,
) -> bool {
    let point = widened(point.into());
    if !in_domain(&point) {
        return true;
    }
    let center = add(&point, &shape.center);
    if shape.is_round() {
        return distance(shape, brush, &center) - shape.radius < -ON_PLANE;
    }
    all_slabs(shape, brush, |slab| slab.ahead(&center) < -ON_PLANE)
}

/// Returns a lower bound of the distance of a shape with its point at `point` from a brush, in units: except for
/// rounding, it never exceeds the true distance. For points, balls and capsules it is the true distance. For others it
/// is the largest separation by a plane of the brush, of the shape, or through an edge of each, and it reaches 0
/// together with the true distance. Inside the brush it is minus the least depth. For a point that is not finite, or
/// is farther than 2^30 units from the origin, it is minus infinity.
pub fn separation<T: Coordinate>(
    shape: &Shape,
    point: impl Into<[T; 3]>,
    brush: &impl Convex,
) -> f64 {
    let point = widened(point.into());
    if !in_domain(&point) {
        return f64::NEG_INFINITY;
    }
    let center = add(&point, &shape.center);
    if shape.has_true_distance() {
        return distance(shape, brush, &center) - shape.radius;
    }
    let mut farthest = f64::NEG_INFINITY;
    all_slabs(shape, brush, |slab| {
        // Divided by the length of the normal, which is 1 only within 2^-30, because this is a distance in units.
        farthest = farthest.max(slab.ahead(&center) / length(&slab.normal));
        true
    });
    farthest
}

/// Returns the contact at a point whose nearest point of the brush is known: the normal from there to the point, and
/// the face of the brush that it belongs to.
fn touch<B: Convex>(brush: &B, nearest: &Nearest) -> Touch<f64> {
    let normal = match direction(&nearest.offset) {
        Some((normal, _)) => normal,
        None => nearest.offset,
    };
    Touch {
        normal,
        face: side_of(brush, nearest.feature, &normal),
    }
}

impl From<Slab> for Nearest {
    fn from(slab: Slab) -> Self {
        Self {
            offset: slab.normal,
            feature: slab.feature,
        }
    }
}

impl Shape {
    /// Whether edges and corners are rounded; a radius below the rounding error does not count.
    fn is_round(&self) -> bool {
        self.radius > ON_PLANE
    }

    /// Whether the distance from a brush is computed from its faces, edges and corners, and not only bounded by planes:
    /// edges of a core against edges of a brush would need a search.
    fn has_true_distance(&self) -> bool {
        matches!(self.core, Core::Point | Core::Segment(_))
    }
}

/// The motion of a ball's or capsule's center, and the part of it behind the slabs of the brush.
struct RoundCast<'a, B> {
    /// The ball or capsule.
    shape: &'a Shape,
    /// The brush, in the frame of which all points are.
    brush: &'a B,
    /// Where the center starts and ends, in units.
    motion: [Vector; 2],
    /// The part of the motion that is behind all slabs, outside of which the shape cannot touch the brush.
    stretch: SlabInterval,
}

impl<B: Convex> RoundCast<'_, B> {
    /// Returns the passage through the brush, or `None` if the shape passes by. The rounded edges and corners decide:
    /// the slabs alone have sharp ones.
    fn contact(&self) -> Option<Passage<f64>> {
        let SlabInterval { first, last, .. } = self.stretch;
        let [start, end] = &self.motion;
        // Only an end behind all slabs can be inside; for others, the distance need not be computed.
        let start_solid = first.is_none() && self.gap(start) < -ON_PLANE;
        let end_gap = if last.is_none() {
            self.gap(end)
        } else {
            f64::INFINITY
        };
        let end_solid = end_gap < -ON_PLANE;
        if start_solid && end_solid {
            return Some(Passage::ALL_SOLID);
        }
        let passage = self.passage();
        let (enter, nearest) = if start_solid {
            (0.0, None)
        } else {
            // Beyond the edges of a face, a rounded edge or corner is met later than the slab, or nothing is.
            let flat = self.flat_contact(first, self.stretch.enter);
            let (enter, nearest) = flat.or(passage.first)?;
            (enter, Some(nearest))
        };
        // A shape that only touches at the end does not leave before it.
        let leave = if end_gap <= ON_PLANE {
            1.0
        } else {
            // As at the entry: the slab counts only where it is a face, and a rounded edge or corner otherwise.
            let flat = self.flat_contact(last, self.stretch.leave);
            let leave = flat.map(|(leave, _)| leave).or(passage.last);
            // Entry and exit are found independently, and rounding may swap them.
            leave.unwrap_or(self.stretch.leave).max(enter)
        };
        let contact = Passage {
            enter,
            leave,
            touch: nearest.map(|nearest| touch(self.brush, &nearest)),
        };
        // A passage whose middle is not inside by more than rounding error only touches.
        let middle = point_at(&self.motion, (enter + leave) / 2.0);
        let is_deep = start_solid || end_solid || self.gap(&middle) < -ON_PLANE;
        is_deep.then_some(contact)
    }

    /// Returns the signed distance between shape and brush, with the shape's center at a point.
    fn gap(&self, center: &Vector) -> f64 {
        distance(self.shape, self.brush, center) - self.shape.radius
    }

    /// Returns the contact at a slab that bounds the stretch, if it is on a face of the sum and not beyond the face's
    /// edges.
    fn flat_contact(&self, slab: Option<Slab>, fraction: f64) -> Option<(f64, Nearest)> {
        let center = point_at(&self.motion, fraction);
        let (shape, brush) = (self.shape, self.brush);
        let nearest = flat_contact(shape, brush, &slab?, &center, shape.radius)?;
        Some((fraction, nearest))
    }

    /// Returns the fractions between which the center is within the radius of edges and corners.
    fn passage(&self) -> RoundPassage {
        let [start, end] = &self.motion;
        let Some((direction, length)) = direction(&sub(end, start)) else {
            return RoundPassage::default();
        };
        let SlabInterval { enter, leave, .. } = self.stretch;
        let ray = Ray {
            // Beginning at the brush, however far off the motion begins: squares of large distances would lose what
            // matters.
            from: point_at(&self.motion, enter),
            direction,
            length: (leave - enter) * length,
        };
        let passage = ray.passage(self.shape, self.brush);
        let fraction = |at: f64| (enter + at / length).max(enter).min(leave);
        RoundPassage {
            first: passage.first.map(|(at, nearest)| (fraction(at), nearest)),
            last: passage.last.map(fraction),
        }
    }
}
