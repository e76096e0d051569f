//! Flattens the blocks and rooms of all hulls into records. Blocks name nodes by their numbers in the file, which
//! come from a pre-order walk of all trees.

use onion_format::{BlockRecord, GridRecord, NO_WALL, RoomRecord, Start};

use super::document::Document;
use super::trees::{TreeWriter, number};
use crate::error::CompileError;
use crate::fast::form::{Block, FastForm, Room};
use crate::tree::lattice::UNIT;

/// Appends the blocks and rooms of all hulls; returns their size in bytes.
pub(super) fn push_fast(
    document: &mut Document,
    form: &FastForm,
    writer: &mut TreeWriter<'_>,
) -> Result<usize, CompileError> {
    let (mut grids, mut blocks, mut rooms) = (Vec::new(), Vec::new(), Vec::new());
    for own in &form.hulls {
        let outside = own.outside.map(|solid| Start::whole(solid).0);
        grids.push(GridRecord {
            origin: own.grid.origin.map(units),
            size: units(own.grid.size),
            counts: own.grid.counts,
            first: number(blocks.len())?,
            first_room: number(rooms.len())?,
            outside: outside.unwrap_or(GridRecord::UNKNOWN),
        });
        blocks.extend(own.blocks.iter().map(block_record));
        for room in &own.rooms {
            rooms.push(room_record(room, writer)?);
        }
    }
    Ok(document.push(&grids) + document.push(&blocks) + document.push(&rooms))
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
