//! The blocks of the onion's fast form, for counting: a grid's records in, the block that holds a point and the
//! way of a segment through blocks out, as `fast/blocks.rs` of `onion-runtime` finds them, written plainly.

use onion_format::{BlockRecord, GridRecord, LocalChild};
use onion_runtime::inspect::Inspect;

use crate::rival::Visits;

/// The runtime's: how far beyond its block a stretch ends, in units.
const BEYOND: f64 = onion_format::BLOCK_MARGIN / 2.0;

/// The blocks of a hull in the world.
pub struct Blocks {
    grid: GridRecord,
    records: Vec<BlockRecord>,
}

/// A block: the corners of the box of blocks that it reaches, and its local tree.
#[derive(Clone, Copy)]
pub struct Block {
    mins: [i64; 3],
    maxs: [i64; 3],
    pub root: LocalChild,
}

/// Where a segment leaves what a block reaches, and how far the local tree tells, as fractions; and the next block.
pub struct Exit {
    pub at: f64,
    pub end: f64,
    pub next: Option<Block>,
}

impl Blocks {
    /// Those of a hull; none if the file has no fast form.
    pub fn new(file: Inspect<'_>, hull: usize) -> Option<Self> {
        let grid = file.grids().nth(hull)?;
        let n_blocks = grid.counts.iter().product::<u32>() as usize;
        let records = file.blocks().skip(grid.first as usize).take(n_blocks);
        Some(Self {
            grid,
            records: records.collect(),
        })
    }

    /// A point in blocks from the corner of the grid.
    fn scaled(&self, point: &[f64; 3]) -> [f64; 3] {
        let GridRecord { origin, size, .. } = self.grid;
        std::array::from_fn(|axis| (point[axis] - f64::from(origin[axis])) / f64::from(size))
    }

    /// Where the block that holds a point is.
    pub fn place(&self, point: &[f64; 3]) -> [i64; 3] {
        self.scaled(point).map(|x| x.floor() as i64)
    }

    /// Whether the grid has a block there.
    pub fn has(&self, at: [i64; 3]) -> bool {
        (0..3).all(|axis| 0 <= at[axis] && at[axis] < self.grid.counts[axis].into())
    }

    /// The block at a place, read; none outside of the grid.
    pub fn block(&self, at: [i64; 3], visits: &mut Visits) -> Option<Block> {
        if !self.has(at) {
            return None;
        }
        let counts = self.grid.counts.map(i64::from);
        let index = (at[2] * counts[1] + at[1]) * counts[0] + at[0];
        let record = self.records.get(index as usize)?;
        visits.node::<BlockRecord>();
        let reach = |side: usize| i64::from(record.reach(side as u32));
        Some(Block {
            mins: std::array::from_fn(|axis| at[axis] - reach(2 * axis)),
            maxs: std::array::from_fn(|axis| at[axis] + reach(2 * axis + 1) + 1),
            root: record.root(),
        })
    }

    /// Where a segment that enters a block at a fraction leaves what it reaches.
    pub fn exit(
        &self,
        [start, end]: &[[f64; 3]; 2],
        block: &Block,
        from: f64,
        visits: &mut Visits,
    ) -> Exit {
        let [start, end] = [self.scaled(start), self.scaled(end)];
        let (mut at, mut far, mut through) = (f64::INFINITY, 1.0f64, 0);
        for axis in 0..3 {
            let step = end[axis] - start[axis];
            let face = if step >= 0.0 { block.maxs } else { block.mins }[axis];
            // A number also where the segment stays at a coordinate.
            let along = (face as f64 - start[axis]) * (1.0 / step).clamp(f64::MIN, f64::MAX);
            far = far.min(along + (BEYOND / f64::from(self.grid.size) / step).abs());
            if along < at {
                (at, through) = (along, axis);
            }
        }
        let at = at.max(from);
        let place = |axis: usize| {
            let step = end[axis] - start[axis];
            if axis == through {
                return if step >= 0.0 {
                    block.maxs[axis]
                } else {
                    block.mins[axis] - 1
                };
            }
            let inside = (start[axis] + step * at).floor() as i64;
            inside.clamp(block.mins[axis], block.maxs[axis] - 1)
        };
        let next = self.block(std::array::from_fn(place), visits);
        Exit { at, end: far, next }
    }
}

impl Block {
    /// Whether it reaches a block.
    pub fn holds(&self, at: [i64; 3]) -> bool {
        (0..3).all(|axis| self.mins[axis] <= at[axis] && at[axis] < self.maxs[axis])
    }
}
