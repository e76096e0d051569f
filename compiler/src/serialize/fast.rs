//! Flattens the blocks of all hulls into records. Blocks name nodes by their numbers in the file, which are those of a
//! pre-order walk of all trees.

use onion_format::{BlockRecord, GridRecord, Start};

use super::trees::number;
use crate::error::CompileError;
use crate::fast::form::{FastForm, HullBlocks};
use crate::lattice::UNIT;

/// The chunks of blocks.
#[derive(Default)]
pub(super) struct FastRecords {
    pub(super) grids: Vec<GridRecord>,
    pub(super) blocks: Vec<BlockRecord>,
}

/// The records of the blocks of all hulls.
pub(super) fn fast_records(form: &FastForm) -> Result<FastRecords, CompileError> {
    let mut records = FastRecords::default();
    for own in &form.hulls {
        let first = number(records.blocks.len())?;
        records.grids.push(grid_record(own, first));
        let blocks = own.blocks.iter();
        let record = blocks.map(|block| BlockRecord::new(block.start, block.reach));
        records.blocks.extend(record);
    }
    Ok(records)
}

/// The record of a hull's grid, whose blocks begin with this one.
fn grid_record(HullBlocks { grid, outside, .. }: &HullBlocks, first: u32) -> GridRecord {
    let units = |at: i64| at as f32 / UNIT as f32;
    GridRecord {
        // Below 2^24 in 1/64 units.
        origin: grid.origin.map(units),
        size: units(grid.size),
        counts: grid.counts,
        first,
        outside: outside.map_or(GridRecord::UNKNOWN, |solid| Start::whole(solid).0),
    }
}
