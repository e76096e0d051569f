//! The fast form of a file as a value: the blocks and rooms of every hull in every model. [`build`](super::build) makes
//! it, [`file`](super::file) reads it from a file, and [`proof`](super::proof) proves it.

use onion_format::{NO_ROOM, Start};
use onion_geometry::PlaneId;

use super::cuboid::Cuboid;
use super::grid::BlockGrid;
use crate::id::{HullIndex, ModelId};

/// The blocks of all hulls, ordered by model and hull.
#[derive(Clone, Debug, Default)]
pub struct FastForm {
    /// For each model and hull, its blocks.
    pub hulls: Vec<HullBlocks>,
}

/// The blocks of a hull in a model.
#[derive(Clone, Debug)]
pub struct HullBlocks {
    /// The model.
    pub model: ModelId,
    /// The hull.
    pub hull: HullIndex,
    /// The grid whose cubes the blocks are.
    pub grid: BlockGrid,
    /// Whether everything outside of the grid is solid (`true`) or empty (`false`), or `None` if it is neither.
    pub outside: Option<bool>,
    /// The blocks: x varies first, then y, then z.
    pub blocks: Vec<Block>,
    /// The rooms to which the blocks refer by number.
    pub rooms: Vec<Room>,
}

/// A cube of space with the facts that a query starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The node at which walks in the block start, or that the block is all solid or all empty.
    pub start: Start,
    /// The number of blocks to each side that have the same start, as in
    /// [`BlockRecord::reach`](onion_format::BlockRecord).
    pub reach: [u32; 6],
    /// The numbers of its rooms; [`NO_ROOM`] stands for a missing one.
    pub rooms: [u16; 2],
}

/// An empty box, with its solid sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Room {
    /// The box, which is empty.
    pub cuboid: Cuboid,
    /// The plane of each side that has only solid right behind it; `None` for other sides.
    pub walls: [Option<PlaneId>; 6],
}

impl Block {
    /// A block whose start, reach and rooms are not known yet.
    pub const UNKNOWN: Self = Self {
        start: Start::EMPTY,
        reach: [0; 6],
        rooms: [NO_ROOM; 2],
    };
}
