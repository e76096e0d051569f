//! Walks a stretch of a segment down the tree: node by node to the near side of each plane that divides it, then back
//! up to the far sides, until it enters solid or all of it is empty.

use onion_format::{NodePlane, Start};

use super::crossings::{Crossings, PlaneCrossing};
use super::nodes::Nodes;
use super::segment::Segment;
use crate::math::plane::{Plane, exact_normal, turned};
use crate::math::segment::quotient;
use crate::tolerance::{LONG, ON_PLANE};

/// The result of a fast walk.
pub(crate) enum Found {
    /// The whole segment is empty.
    Nothing,
    /// The segment starts in empty space and enters solid.
    Solid(Entry),
    /// The reference must decide.
    Unclear,
}

/// An entry into solid.
pub(crate) struct Entry {
    /// Fraction of the segment.
    pub(crate) fraction: f64,
    /// The fraction at which the trace keeps the margin from the plane, at least 0.
    pub(crate) stop_at: f64,
    /// Whether the rounded point at `stop_at` is certainly not solid.
    pub(crate) is_clear: bool,
    /// The plane.
    pub(crate) plane: Plane<f64>,
}

impl Entry {
    /// Whether the end of a trace that stops here is known.
    #[inline(always)]
    pub(crate) fn is_settled(&self) -> bool {
        self.is_clear || self.stop_at <= 0.0
    }
}

/// A part of a segment, between two fractions. Two fields instead of an array: a pair that is loaded at once right
/// after its halves were stored separately defeats store forwarding.
pub(super) struct Interval {
    /// Where it begins, as a fraction of the segment.
    pub(super) from: f64,
    /// Where it ends, likewise; at least `from`.
    pub(super) to: f64,
}

impl Nodes<'_> {
    /// Walks a stretch of a segment down the tree.
    #[inline(always)]
    pub(super) fn walk(
        &self,
        segment: &Segment,
        mut at: Start,
        mut stretch: Interval,
        crossings: &mut Crossings,
    ) -> Found {
        let (first, end) = (stretch.from, stretch.to);
        crossings.clear();
        let mut entered = None;
        loop {
            while !at.is_whole() {
                match self.step(segment, at, &mut stretch, crossings) {
                    Some(child) => at = child,
                    None => return Found::Unclear,
                }
            }
            if at.is_solid() {
                // `split` makes only parts that are longer than `LONG`, so the stretch is more than touched.
                let entry =
                    entered.and_then(|crossing| self.enter(segment, &crossing, crossings, first));
                return entry.map_or(Found::Unclear, Found::Solid);
            }
            let Some((crossing, next)) = crossings.pop() else {
                return Found::Nothing;
            };
            stretch = Interval {
                from: crossing.at,
                // The planes still to be crossed were met on the way down, the farther ones first.
                to: next.map_or(end, |next| next.at),
            };
            at = crossing.beyond;
            entered = Some(*crossing);
        }
    }

    /// Descends one node. If its plane divides the stretch, the stretch becomes its near part. `None` if the
    /// reference must decide.
    #[inline(always)]
    fn step(
        &self,
        segment: &Segment,
        at: Start,
        stretch: &mut Interval,
        crossings: &mut Crossings,
    ) -> Option<Start> {
        let node = self.node(at.0)?;
        let [d_start, d_end] = segment.distances(node.normal, node.dist);
        let approach = d_start - d_end;
        // The distances of the stretch's ends: most planes are certainly on one side of it, and need no division.
        let near = d_start - approach * stretch.from;
        let far = d_start - approach * stretch.to;
        if near > segment.error && far > segment.error {
            return Some(self.child(at.0, &node, 0));
        }
        if near < -segment.error && far < -segment.error {
            return Some(self.child(at.0, &node, 1));
        }
        // Some end is within the error of the plane: now it is decided as the reference does, from the original ends.
        let range = [stretch.from, stretch.to];
        let (fraction, side) = match split([d_start, d_end], segment.longest, range) {
            Split::Both(fraction, side) => (fraction, side & 1),
            Split::One(side) => {
                // The end of the trace may be as near, and then rounding may take it to the other side.
                crossings.is_near = true;
                return Some(self.child(at.0, &node, side));
            }
            Split::Unclear => return None,
        };
        stretch.to = fraction;
        let child = self.child(at.0, &node, side);
        let beyond = self.child(at.0, &node, side ^ 1);
        let crossing = PlaneCrossing {
            at: fraction,
            approach,
            node: at.0,
            beyond,
        };
        // A stretch that crosses more planes than there is room for goes to the reference.
        crossings.push(crossing).then_some(child)
    }

    /// Returns the entry into solid through a plane, for a stretch that began at a fraction. Some face in the plane
    /// faces the segment, which is empty before the plane and solid behind it, for longer than rounding explains.
    /// `None` if the bytes have changed since loading checked them.
    #[inline(always)]
    fn enter(
        &self,
        segment: &Segment,
        crossing: &PlaneCrossing,
        crossings: &Crossings,
        first: f64,
    ) -> Option<Entry> {
        let node = self.node(crossing.node)?;
        let plane = NodePlane(node.plane);
        // The segment starts in front of the plane if its distance falls.
        let is_ahead = crossing.approach > 0.0;
        // Back by the part of the segment in which it comes nearer by the margin; its speed against the plane is
        // constant.
        let stop_at = (crossing.at - segment.margin / crossing.approach.abs()).max(0.0);
        Some(Entry {
            fraction: crossing.at,
            stop_at,
            // Before the stretch is another block, whose planes this walk has not seen.
            is_clear: stop_at >= first && crossings.is_clear(stop_at, segment.error),
            plane: turned(
                exact_normal(node.normal),
                node.dist,
                plane.index(),
                is_ahead,
            ),
        })
    }
}

/// The position of a stretch relative to a plane.
enum Split {
    /// All of it is on one side: 0 in front, 1 behind.
    One(usize),
    /// The plane divides it at a fraction; the second number is the side of the near part.
    Both(f64, usize),
    /// The reference must decide.
    Unclear,
}

/// Classifies the stretch between two fractions of a segment against a plane, as the reference does, from the signed
/// distances of the segment's ends. `longest` is the segment's length along its longest axis, in units.
#[inline(always)]
fn split([d_start, d_end]: [f64; 2], longest: f64, [from, to]: [f64; 2]) -> Split {
    if d_start.abs() <= ON_PLANE || d_end.abs() <= ON_PLANE {
        return Split::Unclear;
    }
    // Neither end is on the plane from here on, so both signs are certain.
    let (near, far) = (usize::from(d_start < 0.0), usize::from(d_end < 0.0));
    if near == far {
        return Split::One(near);
    }
    let fraction = quotient(d_start, d_end);
    let (after, before) = ((fraction - from) * longest, (to - fraction) * longest);
    // Both parts are longer than what the reference counts as a touch, by enough for the rounding of the crossing.
    if after > LONG && before > LONG {
        Split::Both(fraction, near)
    } else if before < -LONG {
        Split::One(near)
    } else if after < -LONG {
        Split::One(far)
    } else {
        Split::Unclear
    }
}
