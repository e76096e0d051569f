//! Rules for blocks and rooms. Each row has a text that says how a rule is broken, and a function that plants the
//! fault and returns the runtime's error, which names the first wrong record.

use onion_format::{BlockRecord, GridRecord, NO_ROOM, NO_WALL, NodeRecord, RoomRecord, Start};

use super::rule::{Rule, at, beyond, change, last, one_less};
use crate::planted::{count, edit, record, replace};

/// Rules for grids, blocks and rooms.
pub(super) const GRIDS: &[Rule] = &[
    ("a grid too few", one_less::<GridRecord>),
    ("blocks without grids", |file| {
        replace::<GridRecord>(file, &[]);
        at::<GridRecord>(0)
    }),
    ("chunks of blocks without records", |file| {
        replace::<GridRecord>(file, &[]);
        replace::<BlockRecord>(file, &[]);
        replace::<RoomRecord>(file, &[]);
        at::<GridRecord>(0)
    }),
    ("a corner of a grid between 1/64 units", |file| {
        change::<GridRecord>(file, 1, |grid| grid.origin[0] += 1.0 / 128.0)
    }),
    ("a corner of a grid too far out", |file| {
        change::<GridRecord>(file, 1, |grid| grid.origin[1] = -262_144.0)
    }),
    ("a corner of a grid that is not finite", |file| {
        change::<GridRecord>(file, 1, |grid| grid.origin[2] = f32::INFINITY)
    }),
    ("a size of blocks that is no power of two", |file| {
        change::<GridRecord>(file, 1, |grid| grid.size = 48.0)
    }),
    ("a size of blocks below one", |file| {
        change::<GridRecord>(file, 1, |grid| grid.size = 0.5)
    }),
    ("a negative size of blocks", |file| {
        change::<GridRecord>(file, 1, |grid| grid.size = -grid.size)
    }),
    ("a size of blocks that is no number", |file| {
        change::<GridRecord>(file, 1, |grid| grid.size = f32::NAN)
    }),
    ("a grid too long", |file| {
        let count = record::<GridRecord>(file, 1)
            .counts
            .into_iter()
            .max()
            .unwrap();
        assert!(count > 1);
        change::<GridRecord>(file, 1, |grid| grid.size = 262_144.0)
    }),
    ("no blocks along an axis", |file| {
        change::<GridRecord>(file, 1, |grid| grid.counts[2] = 0)
    }),
    ("more blocks than there are numbers", |file| {
        change::<GridRecord>(file, 1, |grid| {
            (grid.size, grid.counts) = (1.0, [1 << 17; 3])
        })
    }),
    ("blocks that do not follow", |file| {
        change::<GridRecord>(file, 1, |grid| grid.first += 1)
    }),
    ("an unknown solidity outside", |file| {
        change::<GridRecord>(file, 1, |grid| grid.outside = 1)
    }),
    ("a solidity outside beyond solid", |file| {
        change::<GridRecord>(file, 1, |grid| grid.outside = Start::SOLID.0 + 1)
    }),
    ("a block too few", one_less::<BlockRecord>),
    ("a start that is not there", |file| {
        beyond::<NodeRecord, BlockRecord>(file, 3, |block, n_nodes| block.start = n_nodes)
    }),
    ("a start in the tree of another model", |file| {
        let grids = count(file, GridRecord::TAG);
        let first = record::<GridRecord>(file, grids - 1).first as usize;
        change::<BlockRecord>(file, first, |block| block.start = 0)
    }),
    ("a start beyond solid", |file| {
        change::<BlockRecord>(file, 3, |block| block.start = Start::SOLID.0 + 1)
    }),
    ("a reach to a seventh side", |file| {
        change::<BlockRecord>(file, 3, |block| block.reach |= 1 << 30)
    }),
    ("a room of another grid", |file| {
        let n_rooms = record::<GridRecord>(file, 1).first_room as u16;
        assert!(n_rooms > 0);
        change::<BlockRecord>(file, 3, |block| block.rooms[1] = n_rooms)
    }),
    (
        "a start that is not there, in a file without rooms",
        |file| {
            for number in 0..=last::<GridRecord>(file) {
                edit::<GridRecord>(file, number, |grid| grid.first_room = 0);
            }
            for number in 0..=last::<BlockRecord>(file) {
                edit::<BlockRecord>(file, number, |block| block.rooms = [NO_ROOM; 2]);
            }
            replace::<RoomRecord>(file, &[]);
            let n_nodes = count(file, NodeRecord::TAG) as u32;
            change::<BlockRecord>(file, 3, |block| block.start = n_nodes)
        },
    ),
    ("rooms that do not follow", |file| {
        change::<GridRecord>(file, 0, |grid| grid.first_room = 1)
    }),
    ("rooms of a grid that are not there", |file| {
        let n_rooms = count(file, RoomRecord::TAG) as u32;
        change::<GridRecord>(file, 1, |grid| grid.first_room = n_rooms + 1);
        // The blocks of the grid before end there.
        at::<GridRecord>(0)
    }),
    ("a corner of a room between 1/64 units", |file| {
        change::<RoomRecord>(file, 1, |room| {
            (room.mins[0], room.walls[0]) = (room.mins[0] + 1.0 / 128.0, NO_WALL);
        })
    }),
    ("a corner of a room too far out", |file| {
        change::<RoomRecord>(file, 1, |room| {
            (room.maxs[2], room.walls[5]) = (32_769.0, NO_WALL)
        })
    }),
    ("a corner of a room that is no number", |file| {
        change::<RoomRecord>(file, 1, |room| {
            (room.maxs[2], room.walls[5]) = (f32::NAN, NO_WALL)
        })
    }),
    ("a room without a volume", |file| {
        change::<RoomRecord>(file, 1, |room| {
            (room.maxs[1], room.walls[3]) = (room.mins[1], NO_WALL)
        })
    }),
    ("a wall that is not there", |file| {
        change::<RoomRecord>(file, 1, |room| room.walls[4] = NO_WALL - 1)
    }),
    ("a wall with another axis", |file| {
        change::<RoomRecord>(file, 1, |room| {
            // At the coordinate of the floor's plane, whose number the wall takes.
            room.mins[0] = room.mins[2];
            room.maxs[0] = room.mins[0] + 64.0;
            (room.walls[0], room.walls[1]) = (room.walls[4], NO_WALL);
        })
    }),
    ("a wall elsewhere than its side", |file| {
        change::<RoomRecord>(file, 1, |room| room.mins[2] += 1.0 / 64.0)
    }),
];
