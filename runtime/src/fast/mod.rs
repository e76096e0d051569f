//! The fast walk gives, for a segment or a point and one hull, the first entry into solid, or says that the
//! case is not clear. Its answers are those of [`crate::walk`], which is the reference.
//!
//! # How
//!
//! The file has a small local tree of each hull for each block of space ([`blocks`], `LOCL` of FORMAT.md).
//! Most segments lie in one block; longer ones go from block to block. A local tree is right in its block and
//! [`BLOCK_MARGIN`](onion_format::BLOCK_MARGIN) around it. A stretch of the segment ends half of that beyond
//! its block, and what is computed of such an end is off by far less, so no part of the segment is left out.
//!
//! Nodes have their planes exactly, and all is computed in f64. The distances of a stretch's ends from a plane lie
//! between those of the segment's ends. A stretch whose ends are both farther from a plane than `Segment::error` is on
//! one side of it: that is far above `ON_PLANE`, what rounds off in a crossing, and `GRAZE` times the root of three.
//! What rounds off in such a distance is less: with `P` the larger sum of absolute coordinates of the two ends and
//! `u = 2^-53`, at most `5uP + 2^-35` in that of an end (five roundings; planes are within 2^17 units), three times as
//! much and `5uP + 2^-36` more in that of a point between them, so below `2^-48 P + 2^-33` in all.
//!
//! Any other plane is settled as the reference does it, from the original ends, and where crossings coincide, the
//! reference decides. Planes of the tree that nearly coincide with that of a node, on its face, are its twins, and an
//! entry at which one is crossed too is for the tree.
//!
//! # Why the end of a trace needs no query
//!
//! A trace ends a little before its entry, rounded to the type of its coordinates: so by `2^-24 P` at most along
//! any normal, where `P` is the larger sum of absolute coordinates of the two ends. The end lies in a stretch
//! that was found empty. Planes that this stretch was certainly on one side of are farther from all of it than
//! three times as much ([`ROUNDED_END`]), and if the planes that it crosses are too far from the end as well, the
//! rounded end is in the same part of the local tree. Then it is empty, and so are all places within `ON_PLANE`. If
//! one is nearer, or a plane was settled to be on one side, the end is asked about.
//!
//! # Outside of the grid
//!
//! All of it is empty, or solid, if the file says so, a margin inside of the grid too. A segment that starts there in
//! empty is walked from where it is half of that margin inside, and one that leaves is done if it never comes so far
//! inside again, so rounding at the border decides nothing. A start in solid is for the reference.
//!
//! # What is not proven
//!
//! An entry within `GRAZE` of which the segment crosses a plane of the tree that was left out here and is no twin. The
//! reference counts both planes as touched, and names the one with a face at most of eight places around
//! ([`PROBES`](crate::tolerance::PROBES)). If no other plane of the local tree is within 2^-7 units of the entry, the
//! plane of this walk has a face at all eight of them, and another one at seven at most, unless their unit normals are
//! less than 1/29 apart. Nearer to an edge, the reference may name the plane that was left out.
//!
//! Such a segment must be aimed. On three maps with four hulls, none of 3.0 million entries of walks, shots and
//! segments anywhere was of this kind, and 453 of 4.5 million of segments between whole numbers or along an axis,
//! with the right plane. Of 37 million entries, most of them aimed at lines and corners of planes that were left out,
//! 4.9 million were, and 111 had another plane than the reference names, all of them beside an edge. To look for
//! planes beside each entry took 3 to 40% of the time of traces, so it is not done.
//!
//! # Measured
//!
//! A walk sees two or three nodes (five where there are many curves), so what surrounds the tree counts: a query for
//! the end, branches in the search for a block, and two numbers that are read at once after they were written one by
//! one, for which a processor waits 5 to 9 ns. So ends are passed in registers, a stretch is no pair, and the place of
//! a point is found on all axes at once (points 1.12, walks 1.07, moves 1.05 times as fast). On a long way it waits for
//! the record of the next block, which is read before the block at hand is walked. What a query looks up is kept in a
//! [`HullView`](crate::HullView). `tests/BENCHMARKS.md` has what was gained and lost by what.

mod blocks;
mod crossings;
mod segment;
mod stretch;
mod trees;

use onion_format::LocalChild;

pub(crate) use self::blocks::Block;
use self::blocks::{Blocks, Way};
use self::crossings::Crossings;
pub(crate) use self::segment::Segment;
use self::segment::{Point, size_of};

use self::stretch::Stretch;
pub(crate) use self::stretch::{Entry, Found};
use self::trees::Trees;
use crate::filter::MAX_SIZE;
use crate::hull::HullId;
use crate::tolerance::ON_PLANE;
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

/// The fast form of a hull in a model.
#[derive(Clone, Copy)]
pub(crate) struct Fast<'a> {
    blocks: Blocks<'a>,
    trees: Trees<'a>,
}

impl<'a> Fast<'a> {
    /// The fast form of a hull of the file; none if the file has none.
    #[inline(always)]
    pub(crate) fn new(map: &View<'a>, model: usize, hull: HullId) -> Option<Self> {
        Some(Self {
            blocks: Blocks::new(map, model, hull)?,
            trees: Trees::new(map),
        })
    }

    /// Looks where a segment lies, which is to keep a skin from what it hits.
    #[inline(always)]
    pub(crate) fn begin(&self, ends: [[f64; 3]; 2], skin: f64) -> Begun {
        let Some(segment) = Segment::new(ends, skin) else {
            return Begun::Unclear;
        };
        let Some(block) = self.blocks.block(self.blocks.place(&ends[0])) else {
            return Begun::Outside;
        };
        if block.reaches(self.blocks.place(&ends[1])) {
            Begun::Block(segment, block)
        } else {
            Begun::Blocks(segment, block)
        }
    }

    /// Walks a segment that lies in what a block reaches.
    #[inline(always)]
    pub(crate) fn walk_block(&self, segment: &Segment, block: &Block) -> Found {
        let whole = Stretch { from: 0.0, to: 1.0 };
        self.trees
            .walk(segment, block.root(), whole, &mut Crossings::new())
    }

    /// Walks a segment that starts outside of the grid and may be asked about here.
    #[inline(always)]
    pub(crate) fn walk_from_outside(&self, ends: [[f64; 3]; 2], skin: f64) -> Found {
        let size = size_of(&ends[0]).max(size_of(&ends[1]));
        if !self.blocks.outside(size).is_empty() {
            return Found::Unclear;
        }
        if self.blocks.are_beyond(&ends) {
            return Found::Nothing;
        }
        self.walk_from(&ends, skin)
    }

    /// Walks a segment from where it gets inside of the grid, before which it is empty.
    #[inline(never)]
    fn walk_from(&self, ends: &[[f64; 3]; 2], skin: f64) -> Found {
        let Some(segment) = Segment::new(*ends, skin) else {
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
            let root = way.block.root();
            // Before the walk, so that its nodes and the next block are waited for together.
            let goes_on = way.go_on(&exit);
            if !root.is_empty() {
                let to = exit.end;
                match self
                    .trees
                    .walk(segment, root, Stretch { from, to }, &mut crossings)
                {
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
    fn known_outside(&self, size: f64) -> Option<LocalChild> {
        let outside = self.blocks.outside(size);
        outside.is_leaf().then_some(outside)
    }

    /// Whether a point is solid; none if the reference decides.
    #[inline(always)]
    pub(crate) fn is_solid(&self, point: &[f64; 3]) -> Option<bool> {
        let size = size_of(point);
        // Not true for what is not finite either.
        let is_small = size < f64::from(MAX_SIZE);
        let block = self.blocks.block(self.blocks.place(point));
        let mut part = match block {
            Some(block) => block.root(),
            None => self.known_outside(size)?,
        };
        let point = Point::new(point);
        while !part.is_leaf() {
            let node = self.trees.node(part.index())?;
            let ahead = point.ahead(&node);
            if ahead.abs() <= ON_PLANE {
                return None;
            }
            part = (self.trees).child(part, node.children[usize::from(ahead < 0.0)])?;
        }
        is_small.then(|| part.is_solid())
    }
}
