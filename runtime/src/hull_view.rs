//! A view of one hull in a model, which answers traces and point queries. It caches the lookups that every query
//! repeats: the locations of blocks, nodes and planes, a fifth of the time of a short trace. A room answers if it can,
//! then the fast walk; cases that touch more than one cell at once go to the reference in [`crate::walk`].

use core::fmt;

use crate::fast::{Begun, Block, Fast, Found, Rooms, Segment};
use crate::file::hull::HullId;
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::segment::{in_domain, point_at, retreat};
use crate::model::Model;
use crate::point::is_solid_in_tree;
use crate::trace::{Trace, all_empty, all_solid, facing, settled, stopped};
use crate::walk::{self, walk};

/// A hull in a model, for many queries: it gives the answers of [`Model::trace`] and [`Model::is_solid`], faster.
/// [`Model::view`] makes one for a frame or a batch of queries.
#[derive(Clone, Copy)]
pub struct HullView<'a> {
    pub(crate) model: Model<'a>,
    pub(crate) hull: HullId,
    /// `None` if the file has no blocks, or the hull belongs to another map.
    fast: Option<Fast<'a>>,
    /// `None` in the same cases.
    rooms: Option<Rooms<'a>>,
}

/// Prints the model and the hull.
impl fmt::Debug for HullView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HullView")
            .field("model", &self.model)
            .field("hull", &self.hull)
            .finish_non_exhaustive()
    }
}

impl<'a> Model<'a> {
    /// Returns a view of a hull in this model, for many queries. For a hull of another map everything is solid.
    ///
    /// ```
    /// # let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
    /// # let map = onion_runtime::OnionMap::from_bytes(std::fs::read(golden)?)?;
    /// # let hull = map.find_hull("stand").ok_or("no such hull")?;
    /// let stand = map.world().view(hull);
    /// let start = [-200.0, 0.0, 24.0_f32];
    /// for end in [[64.0, 0.0, 24.0], [64.0, 16.0, 24.0]] {
    ///     assert!(!stand.is_solid(stand.trace(start, end).end_pos));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(&self, hull: HullId) -> HullView<'a> {
        let own = self.map.has(hull).then_some(&self.map);
        HullView {
            model: *self,
            hull,
            fast: own.and_then(|map| Fast::new(map, self.index, hull)),
            rooms: own.and_then(|map| Rooms::new(map, self.index, hull)),
        }
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
            _ => self.trace_walk(ax, ay, az, bx, by, bz),
        }
    }

    /// Traces between two points by a walk. The coordinates come in registers: from memory a processor loads them two
    /// at a time, and a load of a pair whose halves were just stored separately defeats store forwarding. For the
    /// same reason, the fast path answers before anything is written to memory, and the slow paths receive the points
    /// as a segment.
    #[inline(never)]
    fn trace_walk<T: Coordinate>(&self, ax: T, ay: T, az: T, bx: T, by: T, bz: T) -> Trace<T> {
        let ends = [[ax, ay, az], [bx, by, bz]];
        let Some(fast) = &self.fast else {
            return self.trace_tree(ax, ay, az, bx, by, bz);
        };
        match fast.begin(ends.map(widened), self.model.margin) {
            Begun::Block(segment, block) => match fast.walk_block(&segment, &block) {
                Found::Nothing => all_empty(ends),
                Found::Solid(entry) if entry.is_settled() => settled(&entry, ends),
                // Copies: the addresses of the originals would keep them in memory on the fast path.
                _ => self.trace_again(&{ segment }, &{ block }),
            },
            Begun::Blocks(segment, block) => self.trace_blocks(&{ segment }, &{ block }),
            Begun::Outside => self.trace_from_outside(ax, ay, az, bx, by, bz),
            Begun::Unclear => self.trace_tree(ax, ay, az, bx, by, bz),
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
            Found::Solid(entry) => {
                let stop = self.retreat(ends, entry.wanted);
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
        if !map.has(self.hull) || !segment.iter().all(in_domain) {
            return all_solid(ends);
        }
        let root = map.root_of(self.model.index, self.hull);
        let found = walk(map, root, self.hull.bit, &walk::WalkSegment::new(segment));
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
        let back_off = plane.map_or(0.0, |(_, approach)| self.model.margin / approach);
        let wanted = (solid.fraction - back_off).max(empty.fraction);
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

    /// Runs [`Model::is_solid`] for this hull.
    #[inline]
    pub fn is_solid<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> bool {
        let point = point.into();
        let point = widened(point);
        let solid = self.fast.as_ref().and_then(|fast| fast.is_solid(&point));
        solid.unwrap_or_else(|| {
            is_solid_in_tree(&self.model.map, self.model.index, self.hull, &point)
        })
    }
}
