//! The answer to a trace: how far a hull can move along a segment, and the plane that stops it. A trace is backed off
//! from the plane it hit, and never ends in solid if it did not start there. A room answers if it
//! can, then the fast walk; cases that touch more than one cell at once go to the reference in [`crate::walk`].

use crate::fast::{Block, Entry, Found, Segment, SegmentLocation};
use crate::file::hull::HullId;
use crate::file::view::View;
use crate::hull_view::HullView;
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::plane::{Plane, distance, turned, unit_normal};
use crate::math::segment::{in_domain, point_at, retreat};
use crate::model::Model;
use crate::walk::{self, walk};

/// The answer to a trace between points with coordinates of type `T`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace<T> {
    /// The start of the trace, in units of the model's space.
    pub start: [T; 3],
    /// The intended end of the trace, likewise.
    pub end: [T; 3],
    /// The part of the segment that the hull can move, 0 to 1: 1 if nothing was hit, 0 if the segment
    /// is all solid.
    pub fraction: f64,
    /// The part of the segment before the hull enters solid from empty, without back-off, 0 to 1; 1 if
    /// it never does.
    pub hit_fraction: f64,
    /// The end of the hull's move, in units of the model's space. If the start is not solid, neither is this.
    pub end_pos: [T; 3],
    /// The plane that was hit; `None` if nothing was hit, if the segment is all solid, or, seldom, if rounding left no
    /// plane to name.
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

impl HullView<'_> {
    /// Runs [`Model::trace`] for this hull.
    #[inline]
    pub fn trace<T: Coordinate>(
        &self,
        start: impl Into<[T; 3]>,
        end: impl Into<[T; 3]>,
    ) -> Trace<T> {
        let ([ax, ay, az], [bx, by, bz]) = (start.into(), end.into());
        self.trace_between(ax, ay, az, bx, by, bz)
    }

    /// Traces between two points: answers from a room if possible, otherwise walks.
    ///
    /// Here and below, the coordinates are six arguments because they then come in registers: from memory a processor
    /// loads them two at a time, and a load of a pair whose halves were just stored separately defeats store
    /// forwarding. For the same reason, the fast path answers before anything is written to memory, and the slow paths
    /// receive the points as a segment.
    #[inline(never)]
    fn trace_between<T: Coordinate>(&self, ax: T, ay: T, az: T, bx: T, by: T, bz: T) -> Trace<T> {
        let ends = [[ax, ay, az], [bx, by, bz]];
        let found = match &self.rooms {
            Some(rooms) => rooms.ask(ends, self.model.margin),
            None => Found::Unclear,
        };
        match found {
            Found::Nothing => all_empty(ends),
            Found::Solid(entry) if entry.is_settled() => settled(&entry, ends),
            // Also for a hit whose end may be solid after rounding: the walk may know better.
            _ => self.trace_walk(ax, ay, az, bx, by, bz),
        }
    }

    /// Traces between two points by a walk: in one block, from block to block, or from outside of the grid.
    #[inline(never)]
    fn trace_walk<T: Coordinate>(&self, ax: T, ay: T, az: T, bx: T, by: T, bz: T) -> Trace<T> {
        let ends = [[ax, ay, az], [bx, by, bz]];
        let Some(fast) = &self.fast else {
            return self.trace_tree(ax, ay, az, bx, by, bz);
        };
        match fast.locate(ends.map(widened), self.model.margin) {
            SegmentLocation::Block(segment, block) => match fast.walk_block(&segment, &block) {
                Found::Nothing => all_empty(ends),
                Found::Solid(entry) if entry.is_settled() => settled(&entry, ends),
                // Copies: the addresses of the originals would keep them in memory on the fast path.
                _ => self.trace_again(&{ segment }, &{ block }),
            },
            SegmentLocation::Blocks(segment, block) => self.trace_blocks(&{ segment }, &{ block }),
            SegmentLocation::Outside => self.trace_from_outside(ax, ay, az, bx, by, bz),
            SegmentLocation::Unclear => self.trace_tree(ax, ay, az, bx, by, bz),
        }
    }

    /// Traces down the whole tree.
    #[cold]
    #[inline(never)]
    fn trace_tree<T: Coordinate>(&self, ax: T, ay: T, az: T, bx: T, by: T, bz: T) -> Trace<T> {
        self.answer(Found::Unclear, [[ax, ay, az], [bx, by, bz]])
    }

    /// Traces a segment in one block whose answer a walk there did not settle.
    #[cold]
    #[inline(never)]
    fn trace_again<T: Coordinate>(&self, segment: &Segment, block: &Block) -> Trace<T> {
        let found = self
            .fast
            .as_ref()
            // Walked once more: to hand over the result of the first walk, the fast path would have to store it.
            .map(|fast| fast.walk_block(segment, block));
        self.answer(found.unwrap_or(Found::Unclear), segment.narrowed())
    }

    /// Traces a segment that goes on beyond a block.
    #[inline(never)]
    fn trace_blocks<T: Coordinate>(&self, segment: &Segment, block: &Block) -> Trace<T> {
        let found = self
            .fast
            .as_ref()
            .map(|fast| fast.walk_blocks(segment, *block, 0.0));
        self.answer(found.unwrap_or(Found::Unclear), segment.narrowed())
    }

    /// Traces a segment that begins outside of the grid. Most such segments stay there.
    #[inline(never)]
    fn trace_from_outside<T: Coordinate>(
        &self,
        ax: T,
        ay: T,
        az: T,
        bx: T,
        by: T,
        bz: T,
    ) -> Trace<T> {
        let ends = [[ax, ay, az], [bx, by, bz]];
        let found = self
            .fast
            .as_ref()
            .map(|fast| fast.walk_from_outside(ends.map(widened), self.model.margin));
        match found {
            Some(Found::Nothing) => all_empty(ends),
            Some(found) => self.answer(found, ends),
            None => self.answer(Found::Unclear, ends),
        }
    }

    /// Converts the result of a fast walk into an answer.
    #[inline(always)]
    fn answer<T: Coordinate>(&self, found: Found, ends: [[T; 3]; 2]) -> Trace<T> {
        match found {
            Found::Nothing => all_empty(ends),
            Found::Solid(entry) if entry.is_settled() => settled(&entry, ends),
            // The entry is certain, but rounding may put the end into solid, so the end is queried.
            Found::Solid(entry) => {
                let stop = self.retreat(ends, entry.stop_at);
                stopped(ends, entry.fraction, Some(entry.plane), stop, false)
            }
            Found::Unclear => self.trace_by_reference(ends),
        }
    }

    /// Traces by the reference, which decides every case, whatever is touched on the way.
    #[cold]
    #[inline(never)]
    fn trace_by_reference<T: Coordinate>(&self, ends: [[T; 3]; 2]) -> Trace<T> {
        let map = &self.model.map;
        let segment = ends.map(widened);
        // Solid is the safe answer: the agent stays where it is and does not leave the map.
        if !map.has(self.hull) || !segment.iter().all(in_domain) {
            return all_solid(ends);
        }
        let root = map.root_of(self.model.index, self.hull);
        let found = walk(map, root, self.hull.bit, &walk::WalkSegment::new(segment));
        // No point of the segment is empty.
        let Some(empty) = found.empty else {
            return all_solid(ends);
        };
        let start_solid = empty.fraction > 0.0;
        // The hull gets out of what it starts in, if it does, and enters nothing afterwards.
        let Some(solid) = found.solid else {
            return Trace {
                start_solid,
                ..all_empty(ends)
            };
        };
        let plane = solid.plane.map(|at| facing(map, at.plane, &segment));
        // Along the segment, until the distance from the plane is the margin. Without a plane there is nothing to keep
        // away from.
        let back_off = plane.map_or(0.0, |(_, approach)| self.model.margin / approach);
        // Not back into the solid that the segment has left.
        let wanted = (solid.fraction - back_off).max(empty.fraction);
        // Only a trace that starts outside of solid promises to end there, and only it pays for a query.
        let stop = if start_solid {
            (wanted, narrowed(point_at(&segment, wanted)))
        } else {
            self.retreat(ends, wanted)
        };
        let plane = plane.map(|(plane, _)| plane);
        stopped(ends, solid.fraction, plane, stop, start_solid)
    }

    /// Runs [`retreat`] from a fraction.
    #[cold]
    #[inline(never)]
    fn retreat<T: Coordinate>(&self, ends: [[T; 3]; 2], wanted: f64) -> (f64, [T; 3]) {
        let is_solid = |point: [f64; 3], _| self.is_solid(point);
        retreat(ends[0], &ends.map(widened), wanted, is_solid)
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
    // Both ends may be behind the plane by rounding, so the motion decides and not the side of the start.
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
fn settled<T: Coordinate>(entry: &Entry, ends: [[T; 3]; 2]) -> Trace<T> {
    // A start that is nearer than the margin is kept to the bit: the hull moves neither on nor back.
    let wanted = entry.stop_at;
    let stop = if wanted <= 0.0 {
        (0.0, ends[0])
    } else {
        (wanted, narrowed(point_at(&ends.map(widened), wanted)))
    };
    stopped(ends, entry.fraction, Some(entry.plane), stop, false)
}

/// Returns the answer for a segment that enters no solid.
#[inline(always)]
fn all_empty<T: Coordinate>([start, end]: [[T; 3]; 2]) -> Trace<T> {
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
