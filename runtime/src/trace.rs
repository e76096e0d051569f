//! The answer to a trace: how far a hull can move along a segment, and the plane that stops it. A trace is backed off
//! from the plane it hit, and never ends in solid if it did not start there. [`crate::hull_view`] finds the answers.

use crate::fast;
use crate::file::hull::HullId;
use crate::file::view::View;
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::plane::{Plane, distance, turned, unit_normal};
use crate::math::segment::point_at;
use crate::model::Model;

/// The answer to a trace between points with coordinates of type `T`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace<T> {
    /// The start of the trace.
    pub start: [T; 3],
    /// The intended end of the trace.
    pub end: [T; 3],
    /// The part of the segment that the hull can move, 0 to 1: 1 if nothing was hit, 0 if the segment
    /// is all solid.
    pub fraction: f64,
    /// The part of the segment before the hull enters solid from empty, without back-off, 0 to 1; 1 if
    /// it never does.
    pub hit_fraction: f64,
    /// The end of the hull's move. If the start is not solid, neither is this.
    pub end_pos: [T; 3],
    /// The plane that was hit; `None` if nothing was hit or the segment is all solid.
    pub plane: Option<Plane<T>>,
    /// Whether the start is solid.
    pub start_solid: bool,
    /// Whether the whole segment is solid.
    pub all_solid: bool,
}

/// Returns a trace that goes nowhere and meets nothing, to initialize buffers for answers.
impl<T: Coordinate> Default for Trace<T> {
    fn default() -> Self {
        all_empty([[T::default(); 3]; 2])
    }
}

impl Model<'_> {
    /// Moves a hull from `start` towards `end`, and stops it the model's margin ([`Model::with_margin`]) in front of
    /// what it hits. Points are positions of the origin of the hull's box, in units of the model's space.
    ///
    /// See also: [`Model::hit`] for the brush that was hit, [`Model::transitions`] for all changes on the way.
    #[inline]
    pub fn trace<T: Coordinate>(
        &self,
        hull: HullId,
        start: impl Into<[T; 3]>,
        end: impl Into<[T; 3]>,
    ) -> Trace<T> {
        self.view(hull).trace(start, end)
    }
}

/// Returns a plane turned against the motion, and how much nearer to it the segment's end is than
/// its start, in units.
#[inline(always)]
pub(crate) fn facing(map: &View<'_>, number: u32, segment: &[[f64; 3]; 2]) -> (Plane<f64>, f64) {
    let record = map.plane(number);
    let d_start = distance(&record, &segment[0]);
    let d_end = distance(&record, &segment[1]);
    let (normal, dist) = (unit_normal(&record), record.dist);
    let plane = turned(normal, dist, number, d_start >= d_end);
    (plane, (d_start - d_end).abs())
}

/// Returns the answer for a segment that is all solid, or that is not in the domain.
pub(crate) fn all_solid<T: Coordinate>(ends: [[T; 3]; 2]) -> Trace<T> {
    Trace {
        fraction: 0.0,
        end_pos: ends[0],
        start_solid: true,
        all_solid: true,
        ..all_empty(ends)
    }
}

/// Returns the answer for a segment that enters solid, if the end of its trace is known.
#[inline(always)]
pub(crate) fn settled<T: Coordinate>(entry: &fast::Entry, ends: [[T; 3]; 2]) -> Trace<T> {
    let wanted = entry.wanted;
    let stop = if wanted <= 0.0 {
        (0.0, ends[0])
    } else {
        (wanted, narrowed(point_at(&ends.map(widened), wanted)))
    };
    stopped(ends, entry.fraction, Some(entry.plane), stop, false)
}

/// Returns the answer for a segment that enters no solid.
#[inline(always)]
pub(crate) fn all_empty<T: Coordinate>([start, end]: [[T; 3]; 2]) -> Trace<T> {
    Trace {
        start,
        end,
        fraction: 1.0,
        hit_fraction: 1.0,
        end_pos: end,
        plane: None,
        start_solid: false,
        all_solid: false,
    }
}

/// Returns the answer for a segment that enters solid through a plane.
#[inline(always)]
pub(crate) fn stopped<T: Coordinate>(
    [start, end]: [[T; 3]; 2],
    hit_fraction: f64,
    plane: Option<Plane<f64>>,
    (fraction, end_pos): (f64, [T; 3]),
    start_solid: bool,
) -> Trace<T> {
    Trace {
        start,
        end,
        fraction,
        hit_fraction,
        end_pos,
        plane: plane.map(Plane::narrowed),
        start_solid,
        all_solid: false,
    }
}
