//! The fast form as a value: for each hull in each model the blocks of a grid, and the local trees that they
//! have in common. [`build`](super::build) makes it, [`file`](super::file) reads it from a file, and
//! [`proof`](super::proof) proves it.

use super::grid::Grid;
use super::local::{Local, Pool};
use crate::id::{HullId, ModelId};

/// The fast form of all trees.
#[derive(Clone, Debug, Default)]
pub struct FastForm {
    /// The nodes of the local trees.
    pub pool: Pool,
    /// For each model, and in each model for each hull, its blocks.
    pub hulls: Vec<HullBlocks>,
}

/// The blocks of a hull in a model.
#[derive(Clone, Debug)]
pub struct HullBlocks {
    /// Number of the model.
    pub model: ModelId,
    /// Number of the hull.
    pub hull: HullId,
    /// Where they are.
    pub grid: Grid,
    /// Whether all of what is outside of the grid is solid, or all of it is empty; none where it is neither.
    pub outside: Option<bool>,
    /// The blocks of the grid.
    pub blocks: Vec<Block>,
}

impl HullBlocks {
    /// Blocks of which nothing is known yet.
    pub fn new(model: ModelId, hull: HullId, grid: Grid) -> Self {
        let unknown = Block {
            root: Local::Empty,
            reach: [0; 6],
        };
        Self {
            model,
            hull,
            grid,
            outside: None,
            blocks: vec![unknown; grid.n_blocks()],
        }
    }
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// What is in it.
    pub root: Local,
    /// How many blocks to each side have the same root, as [`BlockRecord::reach`](onion_format::BlockRecord).
    pub reach: [u32; 6],
}
