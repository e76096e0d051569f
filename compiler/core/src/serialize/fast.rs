//! Flattens the blocks and rooms of all hulls into records. Blocks name nodes by their numbers in the file, which
//! come from a pre-order walk of all trees.

use onion_format::{BlockRecord, GridRecord, NO_WALL, RoomRecord, Start};

use super::trees::{TreeWriter, number};
use crate::error::CompileError;
use crate::fast::form::{Block, FastForm, HullBlocks, Room};
use crate::lattice::UNIT;

/// The chunks of blocks and rooms.
#[derive(Default)]
pub(super) struct FastRecords {
    pub(super) grids: Vec<GridRecord>,
    pub(super) blocks: Vec<BlockRecord>,
    pub(super) rooms: Vec<RoomRecord>,
}

/// Returns the records of the blocks and rooms of all hulls.
pub(super) fn fast_records(
    form: &FastForm,
    writer: &mut TreeWriter<'_>,
) -> Result<FastRecords, CompileError> {
    let mut records = FastRecords::default();
    for own in &form.hulls {
        let firsts = [records.blocks.len(), records.rooms.len()];
        records.grids.push(grid_record(own, firsts)?);
        records.blocks.extend(own.blocks.iter().map(block_record));
        for room in &own.rooms {
            records.rooms.push(room_record(room, writer)?);
        }
    }
    Ok(records)
}

/// Returns the record of a hull's grid, given the numbers of its first block and first room.
fn grid_record(
    HullBlocks { grid, outside, .. }: &HullBlocks,
    [first, first_room]: [usize; 2],
) -> Result<GridRecord, CompileError> {
    Ok(GridRecord {
        origin: grid.origin.map(units),
        size: units(grid.size),
        counts: grid.counts,
        first: number(first)?,
        first_room: number(first_room)?,
        outside: outside.map_or(GridRecord::UNKNOWN, |solid| Start::whole(solid).0),
    })
}

fn block_record(block: &Block) -> BlockRecord {
    BlockRecord {
        start: block.start.0,
        reach: BlockRecord::reach_bits(block.reach),
        rooms: block.rooms,
    }
}

/// Returns the record of a room, which is 1/64 unit smaller on all sides.
fn room_record(room: &Room, writer: &mut TreeWriter<'_>) -> Result<RoomRecord, CompileError> {
    let mut walls = [NO_WALL; 6];
    for (number, wall) in walls.iter_mut().zip(room.walls) {
        if let Some(plane) = wall {
            *number = writer.plane_number(plane)?;
        }
    }
    Ok(RoomRecord {
        mins: room.cuboid.mins.map(|at| units(at + 1)),
        maxs: room.cuboid.maxs.map(|at| units(at - 1)),
        walls,
    })
}

/// Converts a coordinate to units; it is below 2^24 in 1/64 units.
fn units(at: i64) -> f32 {
    at as f32 / UNIT as f32
}
