//! A box and a brush that turn against each other: where the box is and how it lies at each moment in,
//! the moment at which it meets the brush out, by conservative advancement (Mirtich, "Impulse-based Dynamic
//! Simulation of Rigid Body Systems", 1996): no step is longer than the gap allows.

use super::brush::{Convex, side_of};
use super::slabs::slabs;
use super::vector::length;
use super::{Shape, TOUCH, Touch};

/// The smallest step, in units of the fastest motion: how much too early a meeting may be found. Far below
/// the skin of a trace.
const STEP: f64 = 1.0 / 256.0;

/// Steps that a search takes at most; one that is not done by then has met the brush. A box that slides
/// along a brush takes 256 for each unit.
const MOST_STEPS: usize = 1 << 14;

/// How a shape meets a brush that turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meeting {
    /// It is inside of the brush from the start.
    Inside,
    /// It is stopped at this moment, 0 to 1.
    At(f64, Touch),
}

/// The moment at which a shape meets a brush, up to `limit`. `place` gives the shape and its point, in the
/// brush's frame, at each moment, 0 to 1; no part of the shape moves by more than `speed` units in all.
pub(crate) fn meeting(
    brush: &impl Convex,
    place: impl Fn(f64) -> (Shape, [f64; 3]),
    speed: f64,
    limit: f64,
) -> Option<Meeting> {
    let gap = |moment| {
        let (shape, point) = place(moment);
        gap(&shape, &point, brush)
    };
    let (mut moment, mut last) = (0.0, gap(0.0));
    if last.0 < -TOUCH {
        return Some(Meeting::Inside);
    }
    for _ in 0..MOST_STEPS {
        if moment >= limit {
            return None;
        }
        // At the end too, whatever rounding makes of the last step.
        let next_moment = (moment + last.0.max(STEP) / speed).min(1.0);
        let next = gap(next_moment);
        if next.0 < -TOUCH {
            break;
        }
        if next_moment >= 1.0 {
            return None;
        }
        (moment, last) = (next_moment, next);
    }
    Some(Meeting::At(moment, last.1))
}

/// The largest distance between a brush and a shape along a normal of either, or of an edge of each, in
/// units, and what is touched there; negative if they overlap.
fn gap(shape: &Shape, point: &[f64; 3], brush: &impl Convex) -> (f64, Touch) {
    let center = super::vector::add(point, &shape.center);
    let ahead = slabs(shape, brush).map(|slab| {
        let size = length(&slab.normal);
        (slab.ahead(&center, 0.0) / size, slab)
    });
    let widest = ahead.reduce(|best, next| if next.0 > best.0 { next } else { best });
    match widest {
        Some((gap, slab)) => {
            let normal = slab.normal;
            let face = side_of(brush, slab.feature, &normal);
            (gap, Touch { normal, face })
        }
        None => {
            let normal = [0.0; 3];
            (f64::INFINITY, Touch { normal, face: 0 })
        }
    }
}
