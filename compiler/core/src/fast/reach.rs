//! Reaches: the number of blocks around a block in which walks begin at the same place. Seams lie between neighbors
//! whose starts differ; a reach is a box of blocks that grows from its block to all sides in turn, each time by a
//! layer, until a seam is in the way.

use onion_format::MAX_REACH;

use super::cuboid::Cuboid;
use super::form::Block;
use super::grid::BlockGrid;

pub struct Seams {
    counts: [i64; 3],
    /// For each axis, and for each row and column of a layer of blocks across it, the number of seams below the blocks
    /// of the layer that are lower on both other axes. A layer has one row and one column more than blocks.
    sums: [Vec<u32>; 3],
}

impl Seams {
    pub fn new(grid: &BlockGrid, blocks: &[Block]) -> Self {
        Self {
            counts: grid.counts.map(i64::from),
            sums: std::array::from_fn(|axis| sums(grid, blocks, axis)),
        }
    }

    pub fn reach(&self, at: [u32; 3]) -> [u32; 6] {
        let mut blocks = block(at);
        let mut reach = [0; 6];
        let mut grows = [true; 6];
        while grows.contains(&true) {
            for side in 0..6 {
                grows[side] = grows[side] && reach[side] < MAX_REACH && self.is_open(&blocks, side);
                if grows[side] {
                    reach[side] += 1;
                    blocks = blocks.grown(side, 1);
                }
            }
        }
        reach
    }

    /// Whether the reach of a block stays in the grid, and all blocks in it have the block's start.
    pub fn is_right(&self, at: [u32; 3], reach: [u32; 6]) -> bool {
        let mut blocks = block(at);
        (0..6).all(|side| {
            (0..reach[side]).all(|_| {
                let is_open = self.is_open(&blocks, side);
                blocks = blocks.grown(side, 1);
                is_open
            })
        })
    }

    /// Whether the layer of blocks beyond a box, on a side, continues it without a seam.
    fn is_open(&self, blocks: &Cuboid, side: usize) -> bool {
        let axis = side / 2;
        // The upper one of the two layers at the seam.
        let layer = blocks.face(side);
        if layer == 0 || layer == self.counts[axis] {
            return false;
        }
        let [u, v] = across(axis);
        let Cuboid { mins, maxs } = blocks;
        let sum = |row: i64, column: i64| {
            let row = layer * (self.counts[u] + 1) + row;
            self.sums[axis][(row * (self.counts[v] + 1) + column) as usize]
        };
        sum(maxs[u], maxs[v]) + sum(mins[u], mins[v])
            == sum(mins[u], maxs[v]) + sum(maxs[u], mins[v])
    }
}

/// Returns a block as a box whose sides count blocks.
fn block(at: [u32; 3]) -> Cuboid {
    Cuboid {
        mins: at.map(i64::from),
        maxs: at.map(|along| i64::from(along) + 1),
    }
}

/// Returns the two axes across an axis.
fn across(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

/// Returns the numbers of seams along an axis, added up across it.
fn sums(grid: &BlockGrid, blocks: &[Block], axis: usize) -> Vec<u32> {
    let [u, v] = across(axis);
    let [rows, columns] = [u, v].map(|axis| grid.counts[axis] as usize + 1);
    let n_layers = grid.counts[axis];
    let start = |at: [u32; 3]| blocks[grid.index(at)].start;
    let mut sums = vec![0; n_layers as usize * rows * columns];
    let mut at = [0; 3];
    for layer in 1..n_layers {
        for row in 0..grid.counts[u] {
            let mut in_row = 0;
            for column in 0..grid.counts[v] {
                (at[axis], at[u], at[v]) = (layer, row, column);
                let mut below = at;
                below[axis] -= 1;
                in_row += u32::from(start(at) != start(below));
                let before = (layer as usize * rows + row as usize) * columns + column as usize + 1;
                sums[before + columns] = sums[before] + in_row;
            }
        }
    }
    sums
}
