//! Segments: the points of a segment and its crossings with planes, always computed from its two original ends, and
//! the retreat of a trace whose end would be rounded into solid.

use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::tolerance::BELOW_ONE;

/// Half-extent of the domain of queries on each axis, in units; points beyond it are outside of every map.
pub(crate) const DOMAIN: f64 = (1u64 << 30) as f64;

/// Number of ends that are tried for a trace, the wanted one and nearer ones, before it stays at its start.
const MAX_RETREATS: i32 = 12;

/// Whether a point is finite and within the domain of queries.
#[inline(always)]
pub(crate) fn in_domain([x, y, z]: &[f64; 3]) -> bool {
    // All three at once, without branches.
    (x.abs() <= DOMAIN) & (y.abs() <= DOMAIN) & (z.abs() <= DOMAIN)
}

/// Returns the point at a fraction between two ends.
#[inline(always)]
pub(crate) fn point_at([start, end]: &[[f64; 3]; 2], fraction: f64) -> [f64; 3] {
    let at = |axis: usize| start[axis] + (end[axis] - start[axis]) * fraction;
    [at(0), at(1), at(2)]
}

/// Returns the length of a segment along its longest axis, in units.
#[inline(always)]
pub(crate) fn longest_step([start, end]: &[[f64; 3]; 2]) -> f64 {
    let step = |axis: usize| (end[axis] - start[axis]).abs();
    let longer = |a: f64, b: f64| if a > b { a } else { b };
    longer(longer(step(0), step(1)), step(2))
}

/// Returns the fraction at which a segment crosses a plane, if its ends are on different sides of it.
#[inline(always)]
pub(crate) fn quotient(d_start: f64, d_end: f64) -> f64 {
    let fraction = d_start / (d_start - d_end);
    // The end is behind the plane, however little, so it is never the crossing.
    if fraction < BELOW_ONE {
        fraction
    } else {
        BELOW_ONE
    }
}

/// Returns the end of a trace at `wanted`. If rounding to `T` would put that end into solid, the end moves nearer to
/// the start, which is not solid: every attempt doubles the retreat, to half of the way at most, and after the
/// last one it is the start. `is_solid` receives a point and its fraction.
#[inline(always)]
pub(crate) fn retreat<T: Coordinate>(
    start: [T; 3],
    segment: &[[f64; 3]; 2],
    wanted: f64,
    is_solid: impl Fn([f64; 3], f64) -> bool,
) -> (f64, [T; 3]) {
    let mut fraction = wanted;
    for retreats in 1..=MAX_RETREATS {
        if fraction <= 0.0 {
            break;
        }
        let point = narrowed(point_at(segment, fraction));
        // The point is asked about as the caller gets it.
        if !is_solid(widened(point), fraction) {
            return (fraction, point);
        }
        // Rounding needs a tiny step, unless it is in a corner that opens slowly: doubling finds either in few
        // attempts.
        fraction = wanted - wanted * f64::from(1 << retreats) / f64::from(1 << MAX_RETREATS);
    }
    (0.0, start)
}
