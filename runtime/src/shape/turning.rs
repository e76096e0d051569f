//! A shape and a brush that turn relative to each other: the position and motion of the shape at each moment in; the
//! times when it meets and leaves the brush out. The method is conservative advancement (Mirtich, "Impulse-based
//! Dynamic Simulation of Rigid Body Systems", 1996).
//!
//! A step lasts as long as some plane certainly keeps the two apart: a plane fixed to the brush that bounds the
//! approach of the shape's corners, or one fixed to the shape that bounds the approach of the brush's corners.
//! Sliding along such a plane takes long steps, and no step passes over a corner.

use super::brush::{Convex, side_of};
use super::cast::Touch;
use super::kinds::{Core, Shape};
use super::polytope::Polytope;
use super::prism::Prism;
use super::slabs::{Slab, all_slabs};
use crate::math::vector::{Vector, add, cross, direction, dot, length, scale, sub};
use crate::tolerance::{CLOSE, LEAVING_STEP, MARGIN_PART, ON_PLANE, SLACK};

/// Iteration limit of a search; if it is reached, the shape has met the brush. A few steps are usual; random motions
/// took at most some 60.
const MAX_STEPS: usize = 1 << 12;

/// Iteration limit of the retreat from a brush until the margin is kept, except for a part of it.
const STEPS_BACK: usize = 64;

/// A shape at a moment, in a brush's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The shape, turned into the axes of the frame.
    pub(crate) shape: Shape,
    /// Position of the shape's point, in units.
    pub(crate) point: Vector,
    /// Motion of the shape: a part at `p` moves by `drift + cross(spin, p)`, in units over the whole way. Both
    /// vectors turn with the shape, by `spin`: an axis, as long as its angle in radians.
    pub(crate) drift: Vector,
    /// See `drift`.
    pub(crate) spin: Vector,
}

/// The way of a shape in a brush's frame.
pub(crate) struct Turning<P: Fn(f64) -> Placed> {
    /// Returns the placed shape at a moment, 0 to 1.
    pub(crate) place: P,
    /// Upper bound on the distance of any part of the shape from the frame's origin, in units.
    pub(crate) farthest: f64,
    /// Upper bound on the path length of any part of the shape, in units.
    pub(crate) speed: f64,
}

/// A plane that keeps a shape and a brush apart.
#[derive(Clone, Copy)]
struct Apart {
    /// The plane, with the center of the shape in front of it.
    slab: Slab,
    /// Lower bound on the part of the way for which it does so.
    lasts: f64,
}

impl<P: Fn(f64) -> Placed> Turning<P> {
    /// Returns the moment and contact at which the shape meets a brush that it is not inside at `from`, or `None` if
    /// it meets the brush at `limit` or later, or never.
    pub(crate) fn meets(
        &self,
        brush: &impl Convex,
        from: f64,
        limit: f64,
    ) -> Option<(f64, Touch<f64>)> {
        let mut moment = from;
        let mut apart = self.apart(brush, from)?;
        for _ in 0..MAX_STEPS {
            if moment >= limit.min(1.0) {
                return None;
            }
            // No part moves farther than this before the plane may be reached: near enough to call it a contact.
            if apart.lasts * self.speed < CLOSE {
                break;
            }
            // Until then the plane certainly keeps them apart, so nothing is passed over.
            let next_moment = (moment + apart.lasts).min(1.0);
            match self.apart(brush, next_moment) {
                Some(next) => (moment, apart) = (next_moment, next),
                // Rounding error, far from the origin: retry with half the step.
                None => apart.lasts /= 2.0,
            }
        }
        let Slab {
            normal, feature, ..
        } = apart.slab;
        let face = side_of(brush, feature, &normal);
        let normal = direction(&normal).map_or(normal, |(unit, _)| unit);
        Some((moment, Touch { normal, face }))
    }

    /// Returns the first moment, at `from` or later, at which the shape is not inside a brush; 1 if it stays inside.
    /// It may be up to a thousandth of the way too late.
    pub(crate) fn leaves(&self, brush: &impl Convex, from: f64) -> f64 {
        let mut moment = from;
        while moment < 1.0 {
            let gap = self.gap(brush, moment);
            if gap >= -ON_PLANE {
                return moment;
            }
            // As long as it takes the fastest part to move by the depth, it is certainly inside. The least step keeps a
            // slow way out from taking forever.
            moment += (-gap / self.speed).max(LEAVING_STEP);
        }
        1.0
    }

    /// Returns the latest moment before a meeting, but not before `from`, at which the shape is about `margin` units
    /// away from the brush, never more.
    pub(crate) fn keeps(&self, brush: &impl Convex, from: f64, meeting: f64, margin: f64) -> f64 {
        let mut moment = meeting;
        for _ in 0..STEPS_BACK {
            // A step back by what is missing, at the greatest speed, never goes too far, and each comes nearer.
            let missing = margin - self.gap(brush, moment);
            if missing <= margin * MARGIN_PART {
                break;
            }
            moment = (moment - missing / self.speed).max(from);
        }
        moment
    }

    /// Returns the largest distance between the shape and a brush along the normal of a plane between them, in units;
    /// negative if they overlap.
    fn gap(&self, brush: &impl Convex, moment: f64) -> f64 {
        let Placed { shape, point, .. } = (self.place)(moment);
        let center = add(&point, &shape.center);
        let mut gap = f64::NEG_INFINITY;
        all_slabs(&shape, brush, |slab| {
            gap = gap.max(slab.ahead(&center));
            true
        });
        gap
    }

    /// Returns, among the planes between the shape and a brush, the one that keeps them apart for longest, or `None`
    /// if they overlap.
    fn apart(&self, brush: &impl Convex, moment: f64) -> Option<Apart> {
        let placed = (self.place)(moment);
        let center = add(&placed.point, &placed.shape.center);
        let mut best: Option<Apart> = None;
        all_slabs(&placed.shape, brush, |slab| {
            let gap = slab.ahead(&center);
            if gap >= -ON_PLANE {
                let lasts = self.lasts(&placed, brush, &slab, gap);
                if best.is_none_or(|best| lasts > best.lasts) {
                    best = Some(Apart { slab, lasts });
                }
            }
            true
        });
        best
    }

    /// Returns a lower bound on the part of the way for which a plane with a gap of `gap` units keeps the shape and a
    /// brush apart.
    fn lasts(&self, placed: &Placed, brush: &impl Convex, slab: &Slab, gap: f64) -> f64 {
        let Placed { drift, spin, .. } = placed;
        let normal = &slab.normal;
        let tilt = cross(normal, spin);
        let bend = length(&tilt);
        let rate = |at: &Vector| dot(normal, drift) + dot(&tilt, at);
        // A shape that touches the plane has no gap. With a little slack it can slide along it, or turn away from it.
        let width = gap.max(SLACK);
        let support = placed.shape.support(normal);
        let surface = slab.dist - support;
        let center = add(&placed.point, &placed.shape.center);
        // Coriolis and centripetal acceleration.
        let most = bend * (2.0 * length(drift) + length(spin) * self.farthest);
        // The plane may stay with the brush while the shape's corners approach it, or turn with the shape while the
        // brush's corners approach that. Whichever lasts longer keeps the two apart for that long.
        let with_brush = corners(&placed.shape, &center).map(|corner| {
            // Corners that are farther from the plane than the nearest one have more time.
            let beyond = dot(normal, &corner) - surface - gap;
            crossing(width + beyond.max(0.0), rate(&corner), most)
        });
        let with_shape = brush.vertices().map(|corner| {
            let behind = surface - dot(normal, &corner);
            let most = bend * length(spin) * length(&corner);
            crossing(width + behind.max(0.0), rate(&corner), most)
        });
        let with_brush = with_brush.fold(f64::INFINITY, f64::min);
        let with_shape = with_shape.fold(f64::INFINITY, f64::min);
        with_brush.max(with_shape)
    }
}

/// Returns the corners of a shape's core about a center; a flat core repeats some of them.
fn corners(shape: &Shape, center: &Vector) -> impl Iterator<Item = Vector> {
    let flat = [0.0; 3];
    let (halves, prism, polytope) = match &shape.core {
        Core::Point => (Some([flat; 3]), None, None),
        Core::Segment(half) => (Some([*half, flat, flat]), None, None),
        Core::Box([x, y, z]) => {
            let halves = [[*x, 0.0, 0.0], [0.0, *y, 0.0], [0.0, 0.0, *z]];
            (Some(halves), None, None)
        }
        Core::Oriented { axes, half } => {
            let halves = [0, 1, 2].map(|axis| scale(&axes[axis], half[axis]));
            (Some(halves), None, None)
        }
        Core::Prism(prism) => (None, Some(prism), None),
        Core::Polytope(polytope) => (None, None, Some(polytope)),
    };
    let center = *center;
    let of_box = halves.into_iter().flat_map(move |halves| {
        (0..8).map(move |number| {
            let half = halves.into_iter().zip([1, 2, 4]);
            half.fold(center, |corner, (half, bit)| {
                if number & bit == 0 {
                    sub(&corner, &half)
                } else {
                    add(&corner, &half)
                }
            })
        })
    });
    let of_prism = prism.into_iter().flat_map(Prism::corners);
    let of_polytope = polytope.into_iter().flat_map(Polytope::corners);
    let others = of_prism.chain(of_polytope);
    of_box.chain(others.map(move |corner| add(&center, &corner)))
}

/// Returns the earliest moment at which a point at a height above zero may reach zero: it rises at `rate`, and its
/// downward acceleration is at most `most`.
fn crossing(height: f64, rate: f64, most: f64) -> f64 {
    let root = libm::sqrt(rate * rate + 2.0 * most * height);
    if rate < 0.0 {
        2.0 * height / (root - rate)
    } else if most > 0.0 {
        (rate + root) / most
    } else {
        f64::INFINITY
    }
}
