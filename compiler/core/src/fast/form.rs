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
    /// The blocks of each hull.
    pub hulls: Vec<HullBlocks>,
}

/// The blocks of a hull in a model.
#[derive(Clone, Debug)]
pub struct HullBlocks {
    /// Number of the model.
    pub model: ModelId,
    /// Number of the hull.
    pub hull: HullIndex,
    /// The grid of the blocks.
    pub grid: BlockGrid,
    /// Whether everything outside of the grid is solid (`true`) or empty (`false`), or `None` if it is neither.
    pub outside: Option<bool>,
    /// The blocks of the grid.
    pub blocks: Vec<Block>,
    /// The rooms that the blocks name.
    pub rooms: Vec<Room>,
}

/// A block.
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
    /// The box.
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
