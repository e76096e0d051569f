//! The blocks of all hulls as a value. [`build`](super::build) makes it, [`file`](super::file) reads it from a file,
//! and [`proof`](super::proof) proves it.

use onion_format::{NO_ROOM, Start};
use onion_geometry::PlaneId;

use super::cuboid::Cuboid;
use super::grid::BlockGrid;
use crate::id::{HullIndex, ModelId};

/// The blocks of all trees: for each model, and in each model for each hull.
#[derive(Clone, Debug, Default)]
pub struct FastForm {
    pub hulls: Vec<HullBlocks>,
}

/// The blocks of a hull in a model.
#[derive(Clone, Debug)]
pub struct HullBlocks {
    pub model: ModelId,
    pub hull: HullIndex,
    pub grid: BlockGrid,
    /// Whether everything outside of the grid is solid (`true`) or empty (`false`), or `None` if it is neither.
    pub outside: Option<bool>,
    pub blocks: Vec<Block>,
    /// The rooms that the blocks name.
    pub rooms: Vec<Room>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The start of walks in it.
    pub start: Start,
    /// The number of blocks to each side that have the same start, as in
    /// [`BlockRecord::reach`](onion_format::BlockRecord).
    pub reach: [u32; 6],
    /// The numbers of its rooms, or [`NO_ROOM`].
    pub rooms: [u16; 2],
}

/// An empty box, and its walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Room {
    pub cuboid: Cuboid,
    /// The planes of those sides behind which it is solid, all along the side.
    pub walls: [Option<PlaneId>; 6],
}

impl Block {
    /// A block about which nothing is known yet.
    pub const UNKNOWN: Self = Self {
        start: Start::EMPTY,
        reach: [0; 6],
        rooms: [NO_ROOM; 2],
    };
}
