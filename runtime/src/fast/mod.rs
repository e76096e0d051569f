//! The fast walk: a segment or a point and a hull in; the first entry into solid out, or "unclear". Its answers equal
//! those of [`crate::walk`], the reference, which decides all unclear cases.
//!
//! # Method
//!
//! The space of a model is divided into blocks ([`blocks`]), and each block stores the node of the tree whose cell
//! contains all of it: a walk begins there. Most segments are within one block; longer ones go from block to block.
//!
//! All arithmetic is in f64. The distances of a stretch's ends from a plane are between those of the segment's ends.
//! A stretch whose ends are both farther from a plane than `Segment::error` is on one side of it: that is far above
//! `ON_PLANE`, the rounding error of a crossing, and `GRAZE` times the root of three. The rounding error of such a
//! distance is smaller: with `P` the larger sum of absolute coordinates of the two ends and `u = 2^-53`, it is at
//! most `5uP + 2^-35` for an end (five roundings; planes are within 2^17 units), three times as much plus `5uP +
//! 2^-36` for a point between the ends, and so below `2^-48 P + 2^-33` in all. Any other plane is decided as the
//! reference does it, from the original ends.
//!
//! # Why rooms change nothing
//!
//! A room ([`rooms`]) is empty, and so is the space within 1/64 unit around it, where the plane of a wall is; right
//! behind that, along the whole side, 1/64 unit is solid. Coordinates are below 2^15, so their f32 error is less than
//! 2^-8 units. A segment whose ends are in the room as f32 is therefore empty. A segment that crosses a wall's plane
//! where the other two coordinates are in the room enters solid there and nowhere before: empty and solid meet in
//! planes of nodes, and only one plane of the tree contains that part of the side.
//!
//! # Why the borders of blocks change nothing
//!
//! Planes above the node where a walk begins do not cut the block, so everything that the reference finds in the
//! block is below that node. The place where a segment passes from block to block is rounded, by less than 2^-26
//! units, as `P` is below 2^24. A crossing within `LONG` of an end of its stretch is unclear, and so is a stretch of
//! solid that is no longer than `LONG`. So an error at a border is smaller than what the reference counts as
//! touching. A stretch that begins in solid, with no plane to name, is unclear as well.
//!
//! A point that may touch a face of a block goes to the reference, and so does a segment that may lie in one: if solid
//! ends in that face, the segment only touches it, as the empty block on the other side holds the segment as well.
//!
//! # Why the end of a trace needs no query
//!
//! A trace ends a little before its entry, rounded to the type of its coordinates: so by at most `2^-24 P` along any
//! normal. The end is in a stretch that was found empty. A plane that has this stretch certainly on one side is
//! farther from all of it than three times as much ([`ROUNDED_END`](crate::tolerance::ROUNDED_END)). If the planes
//! that the stretch crosses and the faces of the block are that far from the end as well, the rounded end is in the
//! same leaf. Then it is empty, and so are all places within `ON_PLANE`. If one is nearer, or a plane was decided to
//! be on one side, the end is queried.
//!
//! # Outside of the grid
//!
//! All of it is empty, or all solid, if the file states so; this includes a margin inside of the grid. A segment that
//! starts there in empty space is walked from the point where it is half of that margin inside, and one that leaves
//! is done if it never comes that far inside again, so rounding at the border decides nothing. A start in solid goes
//! to the reference.
//!
//! # Measured
//!
//! A walk visits only a few nodes, so the overhead around the tree counts: a query for the end, branches in the
//! search for a block, and two numbers that are loaded at once after they were stored one by one, which defeats store
//! forwarding and stalls for 5 to 9 ns. So ends are passed in registers, and a stretch is not a pair. A long segment
//! waits for the record of the next block, which is therefore read before the current block is walked. The lookups of
//! a query are kept in a [`HullView`](crate::HullView). `tests/BENCHMARKS.md` lists the gain and cost of each
//! measure.

mod batch;
mod blocks;
mod crossings;
mod interval;
mod nodes;
mod rooms;
mod segment;

use onion_format::Start;

pub(crate) use self::blocks::Block;
use self::blocks::{Blocks, Way, least};
use self::crossings::Crossings;
use self::nodes::Nodes;
pub(crate) use self::rooms::Rooms;
pub(crate) use self::segment::Segment;
use self::segment::{ScaledPoint, size_of};

use self::interval::Interval;
pub(crate) use self::interval::{Entry, Found};
use crate::file::hull::HullId;
use crate::file::view::View;
use crate::tolerance::{MAX_SIZE, NEAR_FACE, ON_PLANE};

/// The location of a segment.
pub(crate) enum SegmentLocation {
    /// Within the reach of this block.
    Block(Segment, Block),
    /// From this block on, through several.
    Blocks(Segment, Block),
    /// From outside of the grid on.
    Outside,
    /// The reference must decide.
    Unclear,
}

/// The blocks and the tree of a hull in a model.
#[derive(Clone, Copy)]
pub(crate) struct Fast<'a> {
    /// The grid over the model, which tells where the walk of the tree may begin.
    blocks: Blocks<'a>,
    /// The tree, with the hull's bit.
    nodes: Nodes<'a>,
}

impl<'a> Fast<'a> {
    /// Returns those of a hull of the file, or `None` if the file has no blocks.
    #[inline(always)]
    pub(crate) fn new(map: &View<'a>, model: usize, hull: HullId) -> Option<Self> {
        Some(Self {
            blocks: Blocks::new(map, model, hull)?,
            nodes: Nodes::new(map, hull),
        })
    }

    /// Locates a segment that is to keep a margin from what it hits.
    #[inline(always)]
    pub(crate) fn locate(&self, ends: [[f64; 3]; 2], margin: f64) -> SegmentLocation {
        let Some(mut segment) = Segment::new(ends, margin) else {
            return SegmentLocation::Unclear;
        };
        let [start, end] = [self.blocks.spot(&ends[0]), self.blocks.spot(&ends[1])];
        // Spots are measured in blocks, so the error must be, too.
        let error = self.blocks.in_blocks(segment.error);
        if start.may_lie_in_faces(&end, error) {
            return SegmentLocation::Unclear;
        }
        let Some(block) = self.blocks.block(start.position) else {
            return SegmentLocation::Outside;
        };
        if block.reaches(end.position) {
            segment.is_inside = start.is_inside(error) & end.is_inside(error);
            SegmentLocation::Block(segment, block)
        } else {
            SegmentLocation::Blocks(segment, block)
        }
    }

    /// Walks a segment within the reach of a block.
    #[inline(always)]
    pub(crate) fn walk_block(&self, segment: &Segment, block: &Block) -> Found {
        let whole = Interval { from: 0.0, to: 1.0 };
        let mut found = self
            .nodes
            .walk(segment, block.start(), whole, &mut Crossings::new());
        if let Found::Solid(entry) = &mut found {
            entry.is_clear &= segment.is_inside;
        }
        found
    }

    /// Walks a stretch of a segment within the reach of a block.
    #[inline(always)]
    fn walk_stretch(
        &self,
        segment: &Segment,
        block: &Block,
        stretch: Interval,
        crossings: &mut Crossings,
    ) -> Found {
        let mut found = self.nodes.walk(segment, block.start(), stretch, crossings);
        if let Found::Solid(entry) = &mut found {
            let stop = segment.point(entry.stop_at);
            entry.is_clear &= self.blocks.is_inside(block, &stop, segment.error);
        }
        found
    }

    /// Walks a segment that starts outside of the grid, if the space there is known to be empty.
    #[inline(always)]
    pub(crate) fn walk_from_outside(&self, ends: [[f64; 3]; 2], margin: f64) -> Found {
        let size = size_of(&ends[0]).max(size_of(&ends[1]));
        if !self.blocks.outside(size).is_empty() {
            return Found::Unclear;
        }
        if self.blocks.are_beyond(&ends) {
            return Found::Nothing;
        }
        self.walk_from(&ends, margin)
    }

    /// Walks a segment from the point where it gets inside of the grid; before that, it is empty.
    #[inline(never)]
    fn walk_from(&self, ends: &[[f64; 3]; 2], margin: f64) -> Found {
        let Some(segment) = Segment::new(*ends, margin) else {
            return Found::Unclear;
        };
        let Some(from) = self.blocks.entry(ends, 0.0) else {
            return Found::Nothing;
        };
        let position = self.blocks.position(&segment.point(from));
        let block = self.blocks.block(position);
        block.map_or(Found::Unclear, |block| {
            self.walk_blocks(&segment, block, from)
        })
    }

    /// Walks a segment from block to block, from a fraction on; before that, it is empty.
    #[inline(always)]
    pub(crate) fn walk_blocks(&self, segment: &Segment, block: Block, mut from: f64) -> Found {
        let mut way = Way::new(&self.blocks, &segment.ends(), block);
        let mut crossings = Crossings::new();
        // Only rounding that steps back and forth reaches the limit.
        for _ in 0..way.max_steps() {
            let exit = way.exit(from);
            let block = way.block;
            // Before the walk, so that the cache misses of its nodes and of the next block overlap.
            let goes_on = way.go_on(&exit);
            // Most blocks on a long way are empty as a whole, and no node is read for them.
            if !block.start().is_empty() {
                let to = least(exit.at, 1.0);
                let stretch = Interval { from, to };
                match self.walk_stretch(segment, &block, stretch, &mut crossings) {
                    Found::Nothing => {}
                    found => return found,
                }
            }
            // The rest of the segment is in the reach of the block that was walked.
            if exit.at >= 1.0 {
                return Found::Nothing;
            }
            if !goes_on {
                return self.walk_out(segment, exit.at);
            }
            from = exit.at;
        }
        Found::Unclear
    }

    /// Walks the rest of a segment that leaves the grid at a fraction.
    #[cold]
    #[inline(never)]
    fn walk_out(&self, segment: &Segment, from: f64) -> Found {
        // It may come back into the grid, or end in solid there: both are rare, and the reference decides.
        let is_empty = self.blocks.outside(segment.size).is_empty();
        if is_empty && self.blocks.entry(&segment.ends(), from).is_none() {
            Found::Nothing
        } else {
            Found::Unclear
        }
    }

    /// Returns the solidity outside of the grid at a point of this size, or `None` if it is unknown.
    #[inline(always)]
    fn known_outside(&self, size: f64) -> Option<Start> {
        let outside = self.blocks.outside(size);
        outside.is_whole().then_some(outside)
    }

    /// Whether a point is solid; `None` if the reference must decide.
    #[inline(always)]
    pub(crate) fn is_solid(&self, point: &[f64; 3]) -> Option<bool> {
        let mut at = self.start(point)?;
        let point = ScaledPoint::new(point);
        while !at.is_whole() {
            at = self.below(at, &point)?;
        }
        Some(at.is_solid())
    }

    /// Returns the start of a point's walk, or `None` if the reference must decide.
    #[inline(always)]
    fn start(&self, point: &[f64; 3]) -> Option<Start> {
        let size = size_of(point);
        let spot = self.blocks.spot(point);
        // False for a point that is not finite, too.
        let is_clear = (size < MAX_SIZE) & spot.is_inside(NEAR_FACE);
        let start = match self.blocks.block(spot.position) {
            Some(block) => block.start(),
            None => self.known_outside(size)?,
        };
        // The block is read whether the point is clear or not, so that the load does not wait for the comparison.
        is_clear.then_some(start)
    }

    /// Returns the child of a node that the walk of a point goes on to, or `None` if the reference must decide.
    #[inline(always)]
    fn below(&self, at: Start, point: &ScaledPoint) -> Option<Start> {
        let node = self.nodes.node(at.0)?;
        let ahead = point.ahead(&node);
        let child = (self.nodes).child(at.0, &node, usize::from(ahead < 0.0));
        (ahead.abs() > ON_PLANE).then_some(child)
    }
}
