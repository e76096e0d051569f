//! Reads the blocks and rooms of a file, for [`verify`](mod@crate::verify) to prove: it converts the file's records of
//! grids, blocks and rooms to a [`FastForm`]. Loading has already checked the range of every number.

use onion_format::{BlockRecord, GridRecord, RoomRecord};
use onion_geometry::PlaneId;
use onion_runtime::inspect::Inspect;

use super::cuboid::Cuboid;
use super::form::{Block, FastForm, HullBlocks, Room};
use super::grid::BlockGrid;
use crate::id::{HullIndex, ModelId};
use crate::tree::lattice::UNIT;

/// Returns the blocks of a file, or `None` if it was compiled without. `planes` has the id of each plane of the file.
pub fn read(file: Inspect<'_>, n_hulls: usize, planes: &[PlaneId]) -> Option<FastForm> {
    let blocks: Vec<Block> = file.blocks().map(block).collect();
    let rooms: Vec<Room> = file.rooms().map(|record| room(&record, planes)).collect();
    let grids: Vec<GridRecord> = file.grids().collect();
    let hulls = grids.iter().enumerate().map(|(index, record)| {
        let grid = grid(record);
        let first = record.first as usize;
        let next = grids.get(index + 1);
        let end_room = next.map_or(rooms.len(), |next| next.first_room as usize);
        HullBlocks {
            model: ModelId((index / n_hulls) as u32),
            hull: HullIndex::new(index % n_hulls),
            grid,
            outside: record.is_solid_outside(),
            blocks: blocks[first..first + grid.n_blocks()].to_vec(),
            rooms: rooms[record.first_room as usize..end_room].to_vec(),
        }
    });
    let hulls: Vec<_> = hulls.collect();
    (!hulls.is_empty()).then_some(FastForm { hulls })
}

fn grid(record: &GridRecord) -> BlockGrid {
    BlockGrid {
        origin: record.origin.map(fixed),
        size: fixed(record.size),
        counts: record.counts,
    }
}

fn block(record: BlockRecord) -> Block {
    Block {
        start: record.start(),
        reach: std::array::from_fn(|side| record.reach(side as u32)),
        rooms: record.rooms,
    }
}

fn room(record: &RoomRecord, planes: &[PlaneId]) -> Room {
    Room {
        cuboid: Cuboid {
            mins: record.mins.map(|at| fixed(at) - 1),
            maxs: record.maxs.map(|at| fixed(at) + 1),
        },
        walls: (record.walls).map(|number| planes.get(number as usize).copied()),
    }
}

/// Converts a coordinate, which is a multiple of 1/64, to 1/64 units.
fn fixed(units: f32) -> i64 {
    (f64::from(units) * UNIT as f64) as i64
}
