//! Makes rooms: empty boxes above floors, in which most moves of agents stay or hit a side that is all solid. A room
//! grows from a sample position on a floor, on all sides but the lower one in turn, by steps that become longer, until
//! solid is in the way or its floor ends. Each block gets the two rooms that contain most of the sample positions on
//! its floors; the blocks of a hall share their rooms.

use indexmap::IndexSet;
use onion_format::{NO_ROOM, ROOM_LIMIT};
use onion_geometry::PlaneId;
use rayon::prelude::*;

use super::cuboid::{Cuboid, Search};
use super::form::{Block, Room};
use super::grid::{BlockGrid, OctreeCube};
use crate::bsp::leaf_tree::Branch;
use crate::id::HullIndex;
use crate::tree::lattice::{self, UNIT};

/// The number of rows, and of columns, of sample positions in a block.
const ROWS: i64 = 4;

/// The steps by which a side moves outward, in this order, in 1/64 units.
const STEPS: [i64; 4] = [32 * UNIT, 64 * UNIT, 128 * UNIT, 256 * UNIT];

/// The lower side, on which agents stand.
const FLOOR: usize = 4;

const CEILING: usize = 5;

/// The sides that grow, in this order.
const SIDES: [usize; 5] = [0, 1, 2, 3, CEILING];

/// The builder of a hull's rooms.
pub struct Rooms<'a> {
    /// The grid whose blocks the rooms are for.
    grid: &'a BlockGrid,
    /// The search for the nearest solid space.
    solid: Search<'a>,
    /// The search for the nearest empty space.
    empty: Search<'a>,
}

impl<'a> Rooms<'a> {
    pub fn new(whole: Branch<'a>, hull: HullIndex, grid: &'a BlockGrid) -> Self {
        let search = |solid| Search { whole, hull, solid };
        Self {
            grid,
            solid: search(true),
            empty: search(false),
        }
    }

    /// Stores the numbers of their rooms in blocks, and returns the rooms. Blocks that are all empty or solid need
    /// none.
    pub fn add(&self, blocks: &mut [Block]) -> Vec<Room> {
        let of_block = |(index, block): (usize, &Block)| {
            if block.start.is_whole() {
                return Vec::new();
            }
            self.best(self.grid.position(index))
        };
        let found: Vec<_> = blocks.par_iter().enumerate().map(of_block).collect();
        let mut rooms = IndexSet::new();
        for (block, found) in blocks.iter_mut().zip(found) {
            for (number, room) in block.rooms.iter_mut().zip(found) {
                if rooms.len() < usize::from(NO_ROOM) || rooms.contains(&room) {
                    *number = rooms.insert_full(room).0 as u16;
                }
            }
        }
        rooms.into_iter().collect()
    }

    /// Returns up to two rooms of a block: the one with most of the sample positions on its floors, and the one with
    /// most of the remaining positions.
    fn best(&self, block: [u32; 3]) -> Vec<Room> {
        let mut points = self.floor_points(&self.grid.cuboid_of(OctreeCube {
            at: block,
            level: 0,
        }));
        let mut found: Vec<Room> = Vec::new();
        for &point in &points {
            if !found.iter().any(|room| room.cuboid.contains(point)) {
                found.extend(self.grow(point));
            }
        }
        let mut best = Vec::new();
        for _ in 0..Block::UNKNOWN.rooms.len() {
            let n_points = |room: &&Room| {
                let inside = points.iter().filter(|&&point| room.cuboid.contains(point));
                inside.count()
            };
            // On a tie, the last room is taken.
            let most = found.iter().max_by_key(n_points);
            let Some(&most) = most.filter(|room| n_points(room) > 0) else {
                break;
            };
            points.retain(|&point| !most.cuboid.contains(point));
            best.push(most);
        }
        best
    }

    /// Returns the sample positions on the floors in a block, in 1/64 units.
    fn floor_points(&self, block: &Cuboid) -> Vec<[i64; 3]> {
        let mut points = Vec::new();
        let middle = |axis: usize, row: i64| {
            let size = block.maxs[axis] - block.mins[axis];
            block.mins[axis] + size * (2 * row + 1) / (2 * ROWS)
        };
        for number in 0..ROWS * ROWS {
            let (x, y) = (middle(0, number % ROWS), middle(1, number / ROWS));
            let mut shaft = Cuboid::upward([x, y, block.mins[2]], block.maxs[2]);
            while let Some(top) = self.empty.nearest(CEILING, shaft) {
                shaft.maxs[2] = top;
                let Some(floor) = self.solid.nearest(CEILING, shaft) else {
                    break;
                };
                points.push([x, y, floor]);
                shaft.maxs[2] = floor - UNIT;
                if shaft.maxs[2] <= shaft.mins[2] {
                    break;
                }
            }
        }
        points
    }

    /// Returns the room that grows from a position on a floor, or `None` if the floor is not level there, the room is
    /// narrower or lower than a unit, or it extends beyond [`ROOM_LIMIT`].
    fn grow(&self, point: [i64; 3]) -> Option<Room> {
        let mut cuboid = Cuboid::upward(point, point[2] + UNIT);
        if self.wall(FLOOR, cuboid).is_none() || self.solid.nearest(CEILING, cuboid).is_some() {
            return None;
        }
        let mut grows = [true; 6];
        for step in STEPS {
            for side in SIDES {
                if grows[side] {
                    let by = self.growth(side, cuboid, step);
                    grows[side] = by == step;
                    cuboid = cuboid.grown(side, by);
                }
            }
        }
        let is_near = |at: &i64| at.abs() <= ROOM_LIMIT as i64 * UNIT;
        let has_inside = (0..2).all(|axis| cuboid.maxs[axis] - cuboid.mins[axis] >= UNIT);
        (has_inside && cuboid.mins.iter().chain(&cuboid.maxs).all(is_near)).then(|| Room {
            cuboid,
            walls: std::array::from_fn(|side| self.wall(side, cuboid)),
        })
    }

    /// Returns the distance that a side can move outward, at most a step, until solid is in the way or, except for the
    /// ceiling, the floor ends.
    fn growth(&self, side: usize, cuboid: Cuboid, step: i64) -> i64 {
        let swept = cuboid.swept(side, step);
        let ground = swept.swept(FLOOR, 1);
        let stops = [
            self.solid.nearest(side ^ 1, swept),
            self.empty
                .nearest(side ^ 1, ground)
                .filter(|_| side != CEILING),
        ];
        let along = |at: i64| (at - cuboid.face(side)).abs();
        stops.into_iter().flatten().map(along).min().unwrap_or(step)
    }

    /// Returns the plane of a side if it is in the set and everything right behind the side is solid, otherwise `None`.
    fn wall(&self, side: usize, cuboid: Cuboid) -> Option<PlaneId> {
        let behind = cuboid.swept(side, 1);
        let is_solid = self.empty.nearest(side, behind).is_none();
        let plane = lattice::plane(side / 2, cuboid.face(side));
        let planes = self.solid.whole.planes;
        planes.find(plane).filter(|_| is_solid)
    }
}
