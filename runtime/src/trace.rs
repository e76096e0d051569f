//! Traces: how far a hull can move along a segment, and the plane that stops it. A trace is backed off from the plane
//! it hit, and never ends in solid if it did not start there. The fast walk answers if the file has blocks; cases
//! that touch more than one cell at once go to the reference in [`crate::walk`].

use crate::coordinate::{Coordinate, narrowed, widened};
use crate::fast;
use crate::hull::HullId;
use crate::map::OnionMap;
use crate::model::Model;
use crate::plane::{Plane, distance, turned, unit_normal};
use crate::point::is_solid;
use crate::segment::{in_domain, point_at, retreat};
use crate::view::View;
use crate::walk::{Segment, walk};

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

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Calls [`Model::trace`] on the world.
    #[inline]
    pub fn trace<T: Coordinate>(
        &self,
        hull: HullId,
        start: impl Into<[T; 3]>,
        end: impl Into<[T; 3]>,
    ) -> Trace<T> {
        self.world().trace(hull, start, end)
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
        Tracer { model: self, hull }.trace(start.into(), end.into())
    }
}

/// The parameters of a trace: a hull in a model.
pub(crate) struct Tracer<'a> {
    pub(crate) model: &'a Model<'a>,
    pub(crate) hull: HullId,
}

impl Tracer<'_> {
    /// Traces through a view of the hull.
    #[inline(always)]
    fn trace<T: Coordinate>(&self, start: [T; 3], end: [T; 3]) -> Trace<T> {
        self.model.view(self.hull).trace(start, end)
    }

    /// Converts the result of a fast walk into an answer.
    #[inline(always)]
    pub(crate) fn answer_fast<T: Coordinate>(
        &self,
        found: fast::Found,
        ends: [[T; 3]; 2],
    ) -> Trace<T> {
        match found {
            fast::Found::Nothing => all_empty(ends),
            fast::Found::Solid(entry) if entry.is_settled() => settled(&entry, ends),
            fast::Found::Solid(entry) => {
                let stop = self.retreat(ends[0], ends[1], entry.wanted);
                stopped(ends, entry.fraction, Some(entry.plane), stop, false)
            }
            fast::Found::Unclear => self.trace_by_reference(ends),
        }
    }

    /// Runs [`retreat`] from a fraction.
    #[cold]
    #[inline(never)]
    fn retreat<T: Coordinate>(&self, start: [T; 3], end: [T; 3], wanted: f64) -> (f64, [T; 3]) {
        let is_solid = |point, _| self.is_solid(point);
        retreat(start, &[widened(start), widened(end)], wanted, is_solid)
    }

    /// Traces by the reference, which decides every case, whatever is touched on the way.
    #[cold]
    #[inline(never)]
    fn trace_by_reference<T: Coordinate>(&self, ends: [[T; 3]; 2]) -> Trace<T> {
        let map = &self.model.map;
        let segment = ends.map(widened);
        if !map.has(self.hull) || !segment.iter().all(in_domain) {
            return all_solid(ends);
        }
        let root = map.root_of(self.model.index, self.hull);
        let found = walk(map, root, self.hull.bit, &Segment::new(segment));
        let Some(empty) = found.empty else {
            return all_solid(ends);
        };
        let start_solid = empty.fraction > 0.0;
        let Some(solid) = found.solid else {
            return Trace {
                start_solid,
                ..all_empty(ends)
            };
        };
        let plane = solid.plane.map(|at| facing(map, at.plane, &segment));
        let wanted = (solid.fraction - self.back_off(plane.as_ref())).max(empty.fraction);
        let stop = if start_solid {
            (wanted, narrowed(point_at(&segment, wanted)))
        } else {
            retreat(ends[0], &segment, wanted, |point, _| self.is_solid(point))
        };
        let plane = plane.map(|(plane, _)| plane);
        stopped(ends, solid.fraction, plane, stop, start_solid)
    }

    #[inline(never)]
    fn is_solid(&self, point: [f64; 3]) -> bool {
        is_solid(&self.model.map, self.model.index, self.hull, point)
    }

    /// Returns the part of the segment that keeps it the margin in front of a plane.
    #[inline(always)]
    fn back_off(&self, plane: Option<&(Plane<f64>, f64)>) -> f64 {
        plane.map_or(0.0, |(_, approach)| self.model.margin / approach)
    }
}

/// Returns a plane turned against the motion, and the speed at which the segment approaches it: the decrease in
/// distance from start to end, in units.
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
fn all_solid<T: Coordinate>(ends: [[T; 3]; 2]) -> Trace<T> {
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
fn stopped<T: Coordinate>(
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
