//! The walk gives, for a segment or a point and one hull, the first entry into solid, or says that the case is not
//! clear. Its answers are those of [`crate::walk`], the reference, which decides all cases that are not clear.
//!
//! # How
//!
//! The space of a model is divided into blocks ([`blocks`]), and each knows the node of the tree whose cell holds all
//! of it: there a walk begins. Most segments lie in one block; longer ones go from block to block.
//!
//! All is computed in f64. The distances of a stretch's ends from a plane lie between those of the segment's ends. A
//! stretch whose ends are both farther from a plane than `Segment::error` is on one side of it: that is far above
//! `ON_PLANE`, what rounds off in a crossing, and `GRAZE` times the root of three. What rounds off in such a distance
//! is less: with `P` the larger sum of absolute coordinates of the two ends and `u = 2^-53`, at most `5uP + 2^-35` in
//! that of an end (five roundings; planes are within 2^17 units), three times as much and `5uP + 2^-36` more in that
//! of a point between them, so below `2^-48 P + 2^-33` in all. Any other plane is settled as the reference does it,
//! from the original ends.
//!
//! # Why rooms change nothing
//!
//! A room ([`rooms`]) is empty, and so is all within 1/64 unit around it, where the plane of a wall lies; right behind
//! that, all along the side, 1/64 unit is solid. Coordinates are below 2^15, so as f32 they are off by less than 2^-8
//! units. A segment whose ends are in the room as f32 is empty then, and one that crosses a wall's plane where the
//! other two coordinates are in the room enters solid there and nowhere before: empty and solid meet in planes of
//! nodes, and only one plane of the tree has that part of the side in it.
//!
//! # Why the borders of blocks change nothing
//!
//! Planes above the node where a walk begins do not cut the block, so all that the reference finds in the block it
//! finds below that node. Where a segment passes from block to block is rounded, by less than 2^-26 units, as `P` is
//! below 2^24. A crossing that is within `LONG` of an end of its stretch is not clear, and neither is a stretch of
//! solid that is not longer. So what is lost or added at a border is less than what the reference takes for touching.
//! A stretch that begins in solid, with no plane to name, is not clear either.
//!
//! A point that may touch a face of a block is for the reference.
//!
//! # Why the end of a trace needs no query
//!
//! A trace ends a little before its entry, rounded to the type of its coordinates: so by `2^-24 P` at most along any
//! normal. The end lies in a stretch that was found empty. Planes that this stretch was certainly on one side of are
//! farther from all of it than three times as much ([`ROUNDED_END`](crate::tolerance::ROUNDED_END)), and if the planes
//! that it crosses are too far from the end as well, and the faces of the block, the rounded end is in the same leaf.
//! Then it is empty, and so are all places within `ON_PLANE`. If one is nearer, or a plane was settled to be on one
//! side, the end is asked about.
//!
//! # Outside of the grid
//!
//! All of it is empty, or solid, if the file says so, a margin inside of the grid too. A segment that starts there in
//! empty is walked from where it is half of that margin inside, and one that leaves is done if it never comes so far
//! inside again, so rounding at the border decides nothing. A start in solid is for the reference.
//!
//! # Measured
//!
//! A walk sees a few nodes, so what surrounds the tree counts: a query for the end, branches in the search for a
//! block, and two numbers that are read at once after they were written one by one, for which a processor waits 5 to 9
//! ns. So ends are passed in registers, and a stretch is no pair. On a long way it waits for the record of the next
//! block, which is read before the block at hand is walked. What a query looks up is kept in a
//! [`HullView`](crate::HullView). `tests/BENCHMARKS.md` has what was gained and lost by what.

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
use self::segment::{Point, size_of};

use self::interval::Interval;
pub(crate) use self::interval::{Entry, Found};
use crate::hull::HullId;
use crate::tolerance::{MAX_SIZE, NEAR_FACE, ON_PLANE};
use crate::view::View;

/// Where a segment lies.
pub(crate) enum Begun {
    /// In what this block reaches.
    Block(Segment, Block),
    /// From this block on.
    Blocks(Segment, Block),
    /// From outside of the grid on.
    Outside,
    /// Ask the reference.
    Unclear,
}

/// The blocks and the tree of a hull in a model.
#[derive(Clone, Copy)]
pub(crate) struct Fast<'a> {
    blocks: Blocks<'a>,
    nodes: Nodes<'a>,
}

impl<'a> Fast<'a> {
    /// Those of a hull of the file; none if the file has no blocks.
    #[inline(always)]
    pub(crate) fn new(map: &View<'a>, model: usize, hull: HullId) -> Option<Self> {
        Some(Self {
            blocks: Blocks::new(map, model, hull)?,
            nodes: Nodes::new(map, hull),
        })
    }

    /// Looks where a segment lies, which is to keep a margin from what it hits.
    #[inline(always)]
    pub(crate) fn begin(&self, ends: [[f64; 3]; 2], margin: f64) -> Begun {
        let Some(mut segment) = Segment::new(ends, margin) else {
            return Begun::Unclear;
        };
        let [start, end] = [self.blocks.spot(&ends[0]), self.blocks.spot(&ends[1])];
        let Some(block) = self.blocks.block(start.place) else {
            return Begun::Outside;
        };
        if block.reaches(end.place) {
            let error = self.blocks.in_blocks(segment.error);
            segment.is_inside = start.is_inside(error) & end.is_inside(error);
            Begun::Block(segment, block)
        } else {
            Begun::Blocks(segment, block)
        }
    }

    /// Walks a segment that lies in what a block reaches.
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

    /// Walks a stretch of a segment that lies in what a block reaches.
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
            let stop = segment.point(entry.wanted);
            entry.is_clear &= self.blocks.is_inside(block, &stop, segment.error);
        }
        found
    }

    /// Walks a segment that starts outside of the grid and may be asked about here.
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

    /// Walks a segment from where it gets inside of the grid, before which it is empty.
    #[inline(never)]
    fn walk_from(&self, ends: &[[f64; 3]; 2], margin: f64) -> Found {
        let Some(segment) = Segment::new(*ends, margin) else {
            return Found::Unclear;
        };
        let Some(from) = self.blocks.entry(ends, 0.0) else {
            return Found::Nothing;
        };
        let block = self.blocks.block(self.blocks.place(&segment.point(from)));
        block.map_or(Found::Unclear, |block| {
            self.walk_blocks(&segment, block, from)
        })
    }

    /// Walks a segment from block to block, from a fraction on, before which it is empty.
    #[inline(always)]
    pub(crate) fn walk_blocks(&self, segment: &Segment, block: Block, mut from: f64) -> Found {
        let mut way = Way::new(&self.blocks, &segment.ends(), block);
        let mut crossings = Crossings::new();
        for _ in 0..way.max_steps() {
            let exit = way.exit(from);
            let block = way.block;
            // Before the walk, so that its nodes and the next block are waited for together.
            let goes_on = way.go_on(&exit);
            if !block.start().is_empty() {
                let to = least(exit.at, 1.0);
                let stretch = Interval { from, to };
                match self.walk_stretch(segment, &block, stretch, &mut crossings) {
                    Found::Nothing => {}
                    found => return found,
                }
            }
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
        let is_empty = self.blocks.outside(segment.size).is_empty();
        if is_empty && self.blocks.entry(&segment.ends(), from).is_none() {
            Found::Nothing
        } else {
            Found::Unclear
        }
    }

    /// What is outside of the grid at a point of this size, if that is known.
    #[inline(always)]
    fn known_outside(&self, size: f64) -> Option<Start> {
        let outside = self.blocks.outside(size);
        outside.is_whole().then_some(outside)
    }

    /// Whether a point is solid; none if the reference decides.
    #[inline(always)]
    pub(crate) fn is_solid(&self, point: &[f64; 3]) -> Option<bool> {
        let mut at = self.start(point)?;
        let point = Point::new(point);
        while !at.is_whole() {
            at = self.below(at, &point)?;
        }
        Some(at.is_solid())
    }

    /// Where the walk of a point begins; none if the reference decides.
    #[inline(always)]
    fn start(&self, point: &[f64; 3]) -> Option<Start> {
        let size = size_of(point);
        let spot = self.blocks.spot(point);
        // Not true for what is not finite either.
        let is_clear = (size < MAX_SIZE) & spot.is_inside(NEAR_FACE);
        let start = match self.blocks.block(spot.place) {
            Some(block) => block.start(),
            None => self.known_outside(size)?,
        };
        is_clear.then_some(start)
    }

    /// Where the walk of a point goes on from a node; none if the reference decides.
    #[inline(always)]
    fn below(&self, at: Start, point: &Point) -> Option<Start> {
        let node = self.nodes.node(at.0)?;
        let ahead = point.ahead(&node);
        let child = (self.nodes).child(at.0, &node, usize::from(ahead < 0.0));
        (ahead.abs() > ON_PLANE).then_some(child)
    }
}
