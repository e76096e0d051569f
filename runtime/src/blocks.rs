//! Blocks: the cubes that the fast form divides the space of a model into. A point gives the block that holds
//! it, a segment the blocks on its way, each with the stretch of the segment that belongs to it (`GRID` and
//! `BLCK` of FORMAT.md; the steps are those of Amanatides and Woo, "A Fast Voxel Traversal Algorithm", 1987,
//! with blocks of several sizes).
//!
//! Which of two blocks holds a point on their common face does not matter: the local trees of both are right
//! there. Nor does rounding, so nothing here is decided by a branch that a processor could guess wrongly.

use onion_format::{BlockRecord, LocalChild, Record};

use crate::hull::HullId;
use crate::tolerance::BEYOND_BLOCK;
use crate::view::View;

/// A number of this size has no bits below one, so adding it rounds to a whole number, whose lowest bits are
/// then the lowest of the sum; half as much again, so that this is true of negative numbers too.
const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;

/// The blocks of a hull in a model.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    /// Lower corner, in units.
    origin: [f64; 3],
    /// Smallest blocks in a unit.
    density: f64,
    /// Number of smallest blocks along each axis.
    counts: [u32; 3],
    records: &'a [[u8; BlockRecord::SIZE]],
}

/// The block that holds a smallest block.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// The smallest block, by its place in the grid.
    at: [u32; 3],
    level: u32,
    /// The root of its local tree.
    pub(crate) root: LocalChild,
}

impl<'a> Blocks<'a> {
    /// The blocks of a hull of the file; none if the file has no fast form.
    #[inline(always)]
    pub(crate) fn new(map: &View<'a>, model: usize, hull: HullId) -> Option<Self> {
        let grid = map.grids().get(model * map.layout.n_hulls + hull.index())?;
        let records = map.blocks().all_bytes().as_chunks().0;
        Some(Self {
            origin: grid.origin.map(f64::from),
            density: f64::from(reciprocal(grid.size)),
            counts: grid.counts,
            records: records.get(grid.first as usize..)?,
        })
    }

    /// The smallest block that holds a point below 2^30 units; any number of blocks outside of the grid if
    /// it is there.
    #[inline(always)]
    pub(crate) fn place(&self, point: &[f64; 3]) -> [u32; 3] {
        let along = |axis: usize| whole((point[axis] - self.origin[axis]) * self.density);
        [along(0), along(1), along(2)]
    }

    /// The block that holds a smallest block; none outside of the grid.
    #[inline(always)]
    pub(crate) fn block(&self, at: [u32; 3]) -> Option<Block> {
        let [[x, y, z], [nx, ny, nz]] = [at, self.counts];
        if x >= nx || y >= ny || z >= nz {
            return None;
        }
        let index = (z as usize * ny as usize + y as usize) * nx as usize + x as usize;
        let record = BlockRecord::read(self.records.get(index)?);
        Some(Block {
            at,
            level: record.level(),
            root: record.root(),
        })
    }
}

impl Block {
    /// Whether a smallest block is a part of it.
    #[inline(always)]
    pub(crate) fn holds(&self, at: [u32; 3]) -> bool {
        let apart = |axis: usize| self.at[axis] ^ at[axis];
        (apart(0) | apart(1) | apart(2)) >> self.level == 0
    }
}

/// The whole number below, or the number itself or the one below it if it is whole; of numbers below 2^31.
/// Negative ones come out as large ones.
#[inline(always)]
fn whole(number: f64) -> u32 {
    ((number - 0.5) + WHOLE).to_bits() as u32
}

/// One over a power of two, without a division: the negated exponent.
#[inline(always)]
fn reciprocal(power: f32) -> f32 {
    f32::from_bits((2 * 1f32.to_bits()).wrapping_sub(power.to_bits()))
}

/// A segment on its way through blocks, in smallest blocks from the corner of the grid.
pub(crate) struct Way<'a> {
    blocks: &'a Blocks<'a>,
    start: [f64; 3],
    step: [f64; 3],
    /// The part of the segment that one block along each axis is.
    per_block: [f64; 3],
    /// How far beyond the faces of a block its stretch ends, as parts of the segment.
    beyond: [f64; 3],
    /// All bits along an axis on which coordinates grow.
    forward: [u32; 3],
    /// The block at hand.
    pub(crate) block: Block,
}

/// Where a segment leaves a block.
pub(crate) struct Exit {
    /// Along each axis, as a part of the segment.
    along: [f64; 3],
    /// Where it leaves first.
    pub(crate) at: f64,
    /// How far the local tree of the block surely tells, at most 1.
    pub(crate) end: f64,
}

impl<'a> Way<'a> {
    /// The way of a segment that starts in a block.
    #[inline(always)]
    pub(crate) fn new(blocks: &'a Blocks<'a>, [start, end]: &[[f64; 3]; 2], block: Block) -> Self {
        let Blocks {
            origin, density, ..
        } = blocks;
        let scaled = |axis: usize| (start[axis] - origin[axis]) * density;
        let step = |axis: usize| (end[axis] - start[axis]) * density;
        let step = [step(0), step(1), step(2)];
        // Finite where the segment stays at a coordinate, so that it times 0 is a number.
        let per_block = step.map(|step| (1.0 / step).clamp(f64::MIN, f64::MAX));
        Self {
            blocks,
            start: [scaled(0), scaled(1), scaled(2)],
            step,
            per_block,
            beyond: per_block.map(|part| part.abs() * (BEYOND_BLOCK * density)),
            forward: step.map(|step| u32::from(step >= 0.0).wrapping_neg()),
            block,
        }
    }

    /// More steps than a way can have: each leaves a layer of smallest blocks for good.
    #[inline(always)]
    pub(crate) fn max_steps(&self) -> u32 {
        let [nx, ny, nz] = self.blocks.counts;
        nx + ny + nz
    }

    /// Where the segment, which enters the block at a fraction, leaves it.
    #[inline(always)]
    pub(crate) fn exit(&self, from: f64) -> Exit {
        let (edge, at) = (1 << self.block.level, self.block.at);
        let along = |axis: usize| {
            let face = (at[axis] & 0u32.wrapping_sub(edge)) + (edge & self.forward[axis]);
            // Numbers of blocks are below 2^18.
            (f64::from(face as i32) - self.start[axis]) * self.per_block[axis]
        };
        let along = [along(0), along(1), along(2)];
        let beyond = |axis: usize| along[axis] + self.beyond[axis];
        Exit {
            at: least(along[0], least(along[1], along[2])).max(from),
            end: least(least(beyond(0), 1.0), least(beyond(1), beyond(2))),
            along,
        }
    }

    /// Goes on to the next block. Whether there is one.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, exit: &Exit) -> bool {
        let (edge, at) = (1 << self.block.level, self.block.at);
        let along = |axis: usize| {
            let first = at[axis] & 0u32.wrapping_sub(edge);
            // Rounding may put the point a little outside of the block.
            let inside = whole(self.start[axis] + self.step[axis] * exit.at) as i32;
            let inside = inside.clamp(first as i32, (first + edge) as i32 - 1) as u32;
            // The one before the first is beyond the grid, as any number that is too large.
            let ahead = (edge + 1) & self.forward[axis];
            let next = first.wrapping_sub(1).wrapping_add(ahead);
            if exit.along[axis] <= exit.at {
                next
            } else {
                inside
            }
        };
        let Some(block) = self.blocks.block([along(0), along(1), along(2)]) else {
            return false;
        };
        self.block = block;
        true
    }
}

/// The smaller of two numbers.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
