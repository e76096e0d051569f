//! The blocks of a file, as [`verify`](crate::verify) proves them: records become grids and blocks again. Loading has
//! checked every number.

use onion_format::{BlockRecord, GridRecord};
use onion_runtime::inspect::Inspect;

use super::form::{Block, FastForm, HullBlocks};
use super::grid::Grid;
use crate::id::{HullId, ModelId};
use crate::lattice::UNIT;

/// The blocks of a file, or `None` if it was compiled without them.
pub fn read(file: Inspect<'_>, n_hulls: usize) -> Option<FastForm> {
    let blocks: Vec<Block> = file.blocks().map(block).collect();
    let hulls = file.grids().enumerate().map(|(index, record)| {
        let grid = grid(&record);
        let first = record.first as usize;
        HullBlocks {
            model: ModelId((index / n_hulls) as u32),
            hull: HullId::new(index % n_hulls),
            grid,
            outside: record.is_solid_outside(),
            blocks: blocks[first..first + grid.n_blocks()].to_vec(),
        }
    });
    let hulls: Vec<_> = hulls.collect();
    (!hulls.is_empty()).then_some(FastForm { hulls })
}

fn grid(record: &GridRecord) -> Grid {
    Grid {
        // Multiples of 1/64.
        origin: record
            .origin
            .map(|units| (f64::from(units) * UNIT as f64) as i64),
        size: record.size as i64 * UNIT,
        counts: record.counts,
    }
}

fn block(record: BlockRecord) -> Block {
    Block {
        start: record.start(),
        reach: std::array::from_fn(|side| record.reach(side as u32)),
    }
}
