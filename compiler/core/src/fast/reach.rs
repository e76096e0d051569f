//! Reaches: how far around each block walks start at the same node. A seam is a face between neighboring blocks with
//! different starts. The reach of a block is a box of blocks. It grows from the block by one layer on each side in
//! turn, until a seam or the border of the grid is in the way.

use onion_format::MAX_REACH;

use super::cuboid::Cuboid;
use super::form::Block;
use super::grid::BlockGrid;

/// The seams of a grid, in summed-area tables.
pub struct Seams {
    /// Number of blocks along each axis.
    counts: [i64; 3],
    /// For each axis, a summed-area table for each layer of faces across it. An entry is the number of seams in the
    /// layer at lower positions on both other axes, so a table has one row and one column more than the layer has
    /// blocks.
    sums: [Vec<u32>; 3],
}

impl Seams {
    pub fn new(grid: &BlockGrid, blocks: &[Block]) -> Self {
        Self {
            counts: grid.counts.map(i64::from),
            sums: std::array::from_fn(|axis| sums(grid, blocks, axis)),
        }
    }

    /// Returns the reach of a block: the number of blocks to each side.
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

    /// Whether the reach of a block stays in the grid and contains only blocks with the block's start.
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

    /// Whether the layer of blocks beyond a side of a box of blocks is in the grid and has no seam to the box.
    fn is_open(&self, blocks: &Cuboid, side: usize) -> bool {
        let axis = side / 2;
        // The number of the layer of faces on this side.
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

/// Returns a block as a box whose unit is the edge of a block.
fn block(at: [u32; 3]) -> Cuboid {
    Cuboid {
        mins: at.map(i64::from),
        maxs: at.map(|along| i64::from(along) + 1),
    }
}

/// Returns the other two axes.
fn across(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

/// Returns the summed-area tables of the seams along an axis.
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
