//! Blocks: the equal cubes of a grid over the space of a model. A point yields the block that holds it; a segment
//! yields the blocks on its way, each with the stretch of the segment inside it (`GRID` and `BLCK` of FORMAT.md; the
//! traversal is that of Amanatides and Woo, "A Fast Voxel Traversal Algorithm", 1987). The start of a block's walks
//! is valid in a box of blocks around it, its reach, and one step leaves the whole reach.
//!
//! # Branchless arithmetic
//! If an end of a stretch is on the common face of two blocks, either block serves the walk, as [`super`] shows.
//! Rounding does not matter either, so nothing here is decided by a branch that a processor could mispredict. The
//! latency of a step is the dependency chain from one block's record to the next one's; everything that does not
//! depend on the record is computed beside that chain.

use onion_format::{BlockRecord, GridRecord, OUTSIDE_LIMIT, Record, Start};
use wide::f64x4;

use crate::file::hull::HullId;
use crate::file::view::View;
use crate::tolerance::BEYOND_GRID;

/// A number of this size has no bits below one, so adding it rounds to an integer, whose lowest bits are then the
/// lowest of the sum. The factor 1.5 makes this hold for negative numbers too.
const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;

/// The blocks of a hull in a model.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    /// Lower corner, in units.
    origin: [f64; 3],
    /// Blocks per unit.
    density: f64,
    /// Number of blocks along each axis.
    counts: [u32; 3],
    /// The blocks from the grid's first one on.
    records: &'a [[u8; BlockRecord::SIZE]],
    /// [`GridRecord::outside`].
    outside: Start,
}

/// The location of a point in the grid.
pub(crate) struct GridSpot {
    /// The block that holds it.
    pub(crate) position: [u32; 3],
    /// Distance from the middle of the block along each axis, in blocks.
    from_middle: f64x4,
}

impl GridSpot {
    /// Whether the point is farther than this from all faces of the block, in blocks.
    /// An end that is, and is then rounded, stays in the cell of the node where the walk began.
    #[inline(always)]
    pub(crate) fn is_inside(&self, distance: f64) -> bool {
        self.from_middle.simd_lt(f64x4::splat(0.5 - distance)).all()
    }

    /// Whether a segment between two points may lie in the faces of blocks: along some axis, both points are within
    /// this distance of a face, in blocks.
    #[inline(always)]
    pub(crate) fn may_lie_in_faces(&self, other: &Self, distance: f64) -> bool {
        let from_middle = self.from_middle.fast_min(other.from_middle);
        !from_middle.simd_lt(f64x4::splat(0.5 - distance)).all()
    }
}

/// A block.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// Its position in the grid.
    at: [u32; 3],
    /// The start of walks in it, and the reach of that start.
    record: BlockRecord,
}

impl<'a> Blocks<'a> {
    /// Converts a distance from units to blocks.
    #[inline(always)]
    pub(crate) fn in_blocks(&self, units: f64) -> f64 {
        units * self.density
    }

    /// Returns the blocks of a hull of the file, or `None` if the file has no blocks.
    #[inline(always)]
    pub(crate) fn new(map: &View<'a>, model: usize, hull: HullId) -> Option<Self> {
        let grid = map.grids().get(model * map.layout.n_hulls + hull.index())?;
        let records = map.blocks().all_bytes().as_chunks().0;
        Some(Self {
            origin: grid.origin.map(f64::from),
            // Exact, because sizes are powers of two.
            density: f64::from(reciprocal(grid.size)),
            counts: grid.counts,
            records: records.get(grid.first as usize..)?,
            outside: Start(grid.outside),
        })
    }

    /// Returns the solidity outside of the grid for a point whose absolute coordinates add up to `size`, in units:
    /// empty, solid, or neither if it is unknown.
    #[inline(always)]
    pub(crate) fn outside(&self, size: f64) -> Start {
        if size < OUTSIDE_LIMIT {
            self.outside
        } else {
            Start(GridRecord::UNKNOWN)
        }
    }

    /// Returns the fraction, from `from` on, at which a segment gets a little inside of the grid, or `None` if it
    /// does not. That little is small enough that the space there is still as it is outside of the grid, and far
    /// larger than the rounding error.
    pub(crate) fn entry(&self, [start, end]: &[[f64; 3]; 2], from: f64) -> Option<f64> {
        // The part of the way that is between both sides of the grid along all axes.
        let (mut enters, mut leaves) = (from, 1.0);
        for axis in 0..3 {
            let at = start[axis] - self.origin[axis];
            let part = part_of_one(end[axis] - start[axis]);
            let length = f64::from(self.counts[axis]) / self.density;
            let sides = [BEYOND_GRID, length - BEYOND_GRID].map(|side| (side - at) * part);
            enters = most(enters, least(sides[0], sides[1]));
            leaves = least(leaves, most(sides[0], sides[1]));
        }
        (enters <= leaves).then_some(enters)
    }

    /// Whether both ends of a segment are beyond the same side of the grid, so that all of it is outside.
    #[inline(always)]
    pub(super) fn are_beyond(&self, [start, end]: &[[f64; 3]; 2]) -> bool {
        (0..3).any(|axis| {
            let blocks = |coordinate: f64| (coordinate - self.origin[axis]) * self.density;
            let (start, end) = (blocks(start[axis]), blocks(end[axis]));
            let count = f64::from(self.counts[axis]);
            (start < 0.0 && end < 0.0) || (start > count && end > count)
        })
    }

    /// Returns the spot of a point below 2^30 units.
    #[inline(always)]
    pub(crate) fn spot(&self, [x, y, z]: &[f64; 3]) -> GridSpot {
        let point = f64x4::new([*x, *y, *z, 0.0]);
        let [ox, oy, oz] = self.origin;
        // The fourth lane is always in the middle of a block.
        let origin = f64x4::new([ox, oy, oz, -0.5 / self.density]);
        let along = (point - origin) * self.density - 0.5;
        // Half a block was taken off, so the nearest number is that of the block that holds the point.
        let whole = along + WHOLE;
        let [x, y, z, _] = whole.to_array();
        let low = |number: f64| number.to_bits() as u32;
        GridSpot {
            position: [low(x), low(y), low(z)],
            from_middle: (along - (whole - WHOLE)).abs(),
        }
    }

    /// Returns the grid position of a point below 2^30 units; arbitrary numbers beyond the grid if the point is
    /// outside.
    #[inline(always)]
    pub(crate) fn position(&self, point: &[f64; 3]) -> [u32; 3] {
        self.spot(point).position
    }

    /// Whether a point is farther than a distance, in units, inside of a block's reach.
    /// The tree below the start of a walk describes the block's reach and nothing beyond it, so an end that rounding
    /// may move out of the reach must be queried.
    #[inline(always)]
    pub(crate) fn is_inside(&self, block: &Block, point: &[f64; 3], distance: f64) -> bool {
        let distance = distance * self.density;
        let is_inside = |axis: usize| {
            let along = (point[axis] - self.origin[axis]) * self.density;
            let side = 2 * axis as u32;
            let [before, after] = [side, side + 1].map(|side| block.record.reach(side) as i32);
            let at = block.at[axis] as i32;
            let [lower, upper] = [at - before, at + 1 + after].map(f64::from);
            (along - distance > lower) & (along + distance < upper)
        };
        is_inside(0) & is_inside(1) & is_inside(2)
    }

    /// Returns the block at a position, or `None` outside of the grid.
    #[inline(always)]
    pub(crate) fn block(&self, at: [u32; 3]) -> Option<Block> {
        let [[x, y, z], [nx, ny, nz]] = [at, self.counts];
        if x >= nx || y >= ny || z >= nz {
            return None;
        }
        // In a file as loaded, these are valid block numbers; if the bytes have changed, they may be any numbers.
        let row = z.wrapping_mul(ny).wrapping_add(y) as usize;
        let index = row.wrapping_mul(nx as usize).wrapping_add(x as usize);
        let record = BlockRecord::read(self.records.get(index)?);
        Some(Block { at, record })
    }
}

impl Block {
    /// Returns the node at which walks in this block begin, or the block's solidity.
    #[inline(always)]
    pub(crate) fn start(&self) -> Start {
        self.record.start()
    }

    /// Whether the block at a position has the same start.
    #[inline(always)]
    pub(crate) fn reaches(&self, at: [u32; 3]) -> bool {
        let differs = |axis: usize| at[axis] ^ self.at[axis];
        if differs(0) | differs(1) | differs(2) == 0 {
            return true;
        }
        let along = |axis: usize| {
            let side = 2 * axis as u32;
            let [before, after] = [side, side + 1].map(|side| self.record.reach(side));
            at[axis].wrapping_sub(self.at[axis]).wrapping_add(before) <= before + after
        };
        along(0) & along(1) & along(2)
    }
}

/// Rounds a number between -2^31 and 2^31 to the nearest integer. Negative results wrap around to large ones.
#[inline(always)]
fn whole(number: f64) -> u32 {
    (number + WHOLE).to_bits() as u32
}

/// Returns the reciprocal of a step, clamped to finite, so that its product with 0 is a number.
#[inline(always)]
fn part_of_one(step: f64) -> f64 {
    (1.0 / step).clamp(f64::MIN, f64::MAX)
}

/// Returns the reciprocal of a power of two without a division, by negating the exponent.
#[inline(always)]
fn reciprocal(power: f32) -> f32 {
    f32::from_bits((2 * 1f32.to_bits()).wrapping_sub(power.to_bits()))
}

/// A segment on its way through blocks, in blocks from the corner of the grid.
pub(crate) struct Way<'a> {
    /// The blocks that the segment crosses.
    blocks: &'a Blocks<'a>,
    /// The start, and the vector from there to the end.
    start: [f64; 3],
    /// In blocks: the segment at fraction `t` is at `start + t * step`.
    step: [f64; 3],
    /// The part of the segment that crosses one block along each axis.
    per_block: [f64; 3],
    /// Along each axis, 1 if coordinates grow, otherwise 0.
    forward: [u32; 3],
    /// The current block.
    pub(crate) block: Block,
}

/// The exit of a segment from a block's reach.
pub(crate) struct Exit {
    /// The exit along each axis, as a fraction of the segment.
    along: [f64; 3],
    /// The first of them.
    pub(crate) at: f64,
}

impl<'a> Way<'a> {
    /// Returns the way of a segment that starts in a block.
    #[inline(always)]
    pub(crate) fn new(blocks: &'a Blocks<'a>, [start, end]: &[[f64; 3]; 2], block: Block) -> Self {
        let Blocks {
            origin, density, ..
        } = blocks;
        let scaled = |axis: usize| (start[axis] - origin[axis]) * density;
        let step = |axis: usize| (end[axis] - start[axis]) * density;
        let step = [step(0), step(1), step(2)];
        let per_block = step.map(part_of_one);
        Self {
            blocks,
            start: [scaled(0), scaled(1), scaled(2)],
            step,
            per_block,
            forward: per_block.map(|part| u32::from(part > 0.0)),
            block,
        }
    }

    /// Returns an upper bound on the number of steps: each leaves a layer of blocks for good, except where rounding
    /// steps back into it.
    #[inline(always)]
    pub(crate) fn max_steps(&self) -> u32 {
        let [nx, ny, nz] = self.blocks.counts;
        nx.saturating_add(ny).saturating_add(nz)
    }

    /// Returns the number of blocks that the current block reaches ahead along an axis.
    #[inline(always)]
    fn ahead(&self, axis: usize) -> u32 {
        self.block
            .record
            .reach(2 * axis as u32 + self.forward[axis])
    }

    /// Returns the exit of a segment that enters the block at a fraction from the block's reach.
    #[inline(always)]
    pub(crate) fn exit(&self, from: f64) -> Exit {
        let along = |axis: usize| {
            // The exit from the block itself; block numbers are below 2^18.
            let face = (self.block.at[axis] + self.forward[axis]) as i32;
            let own = (f64::from(face) - self.start[axis]) * self.per_block[axis];
            // Not before the entry: where a segment enters at a corner, rounding may find an exit that is behind it.
            most(own, from) + f64::from(self.ahead(axis) as i32) * self.per_block[axis].abs()
        };
        let along = [along(0), along(1), along(2)];
        Exit {
            at: least(along[0], least(along[1], along[2])),
            along,
        }
    }

    /// Advances to the next block. Whether there is one.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, exit: &Exit) -> bool {
        let along = |axis: usize| {
            // Rounding may put the point in a neighbor of its block, by a negligible distance.
            let inside = whole(self.start[axis] - 0.5 + self.step[axis] * exit.at);
            // All of the reach is left at once along the axis of the exit; along the others, the position follows from
            // the point.
            let steps = self.ahead(axis) + 1;
            let back = self.forward[axis].wrapping_sub(1);
            // The position before the first wraps around to a number beyond the grid.
            let next = self.block.at[axis].wrapping_add((steps ^ back).wrapping_sub(back));
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

/// Returns the smaller of two numbers.
#[inline(always)]
pub(super) fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Returns the larger of two numbers.
#[inline(always)]
fn most(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
