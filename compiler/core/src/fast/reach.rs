//! Reaches: the number of blocks around a block in which walks begin at the same place. Seams lie between neighbors
//! whose starts differ; a reach is a box of blocks that grows from its block to all sides in turn, each time by a
//! layer, until a seam is in the way.

use onion_format::MAX_REACH;

use super::form::Block;
use super::grid::BlockGrid;

/// The seams of a grid.
pub struct Seams {
    counts: [usize; 3],
    /// For each axis, and for each place in a layer of blocks across it, the number of seams below the blocks of the
    /// layer that are lower on both other axes. A row, and a layer, has one place more than blocks.
    sums: [Vec<u32>; 3],
}

/// A box of blocks: the first and the last one.
#[derive(Clone, Copy)]
struct Boxed {
    mins: [usize; 3],
    last: [usize; 3],
}

impl Boxed {
    fn of_block(at: [u32; 3]) -> Self {
        let at = at.map(|along| along as usize);
        Self { mins: at, last: at }
    }

    /// Adds a layer on a side.
    fn grow(&mut self, side: usize) {
        if side & 1 == 0 {
            self.mins[side / 2] -= 1;
        } else {
            self.last[side / 2] += 1;
        }
    }
}

impl Seams {
    /// Finds the seams between the blocks of a grid.
    pub fn new(grid: &BlockGrid, blocks: &[Block]) -> Self {
        Self {
            counts: grid.counts.map(|count| count as usize),
            sums: std::array::from_fn(|axis| sums(grid, blocks, axis)),
        }
    }

    /// Returns the reach of a block.
    pub fn reach(&self, at: [u32; 3]) -> [u32; 6] {
        let mut boxed = Boxed::of_block(at);
        let mut reach = [0; 6];
        let mut grows = [true; 6];
        while grows.contains(&true) {
            for side in 0..6 {
                grows[side] = grows[side] && reach[side] < MAX_REACH && self.is_open(&boxed, side);
                if grows[side] {
                    reach[side] += 1;
                    boxed.grow(side);
                }
            }
        }
        reach
    }

    /// Whether the reach of a block stays in the grid, and all blocks in it have the block's start.
    pub fn is_right(&self, at: [u32; 3], reach: [u32; 6]) -> bool {
        let mut boxed = Boxed::of_block(at);
        (0..6).all(|side| {
            (0..reach[side]).all(|_| {
                let is_open = self.is_open(&boxed, side);
                if is_open {
                    boxed.grow(side);
                }
                is_open
            })
        })
    }

    /// Whether the layer of blocks beyond a box, on a side, continues it without a seam.
    fn is_open(&self, Boxed { mins, last }: &Boxed, side: usize) -> bool {
        let axis = side / 2;
        // The upper one of the two layers at the seam.
        let layer = if side & 1 == 0 {
            mins[axis]
        } else {
            last[axis] + 1
        };
        if layer == 0 || layer == self.counts[axis] {
            return false;
        }
        let [u, v] = across(axis);
        let row = |at: usize| (layer * (self.counts[u] + 1) + at) * (self.counts[v] + 1);
        let sums = &self.sums[axis];
        let (first, end) = (row(mins[u]), row(last[u] + 1));
        let (from, to) = (mins[v], last[v] + 1);
        sums[end + to] + sums[first + from] == sums[first + to] + sums[end + from]
    }
}

/// Returns the two axes across an axis.
fn across(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

/// Returns the numbers of seams along an axis, added up across it.
fn sums(grid: &BlockGrid, blocks: &[Block], axis: usize) -> Vec<u32> {
    let [u, v] = across(axis);
    let [rows, places] = [u, v].map(|axis| grid.counts[axis] as usize + 1);
    let n_layers = grid.counts[axis];
    let start = |at: [u32; 3]| blocks[grid.index(at)].start;
    let mut sums = vec![0; n_layers as usize * rows * places];
    let mut at = [0; 3];
    for layer in 1..n_layers {
        for row in 0..grid.counts[u] {
            let mut in_row = 0;
            for place in 0..grid.counts[v] {
                (at[axis], at[u], at[v]) = (layer, row, place);
                let mut below = at;
                below[axis] -= 1;
                in_row += u32::from(start(at) != start(below));
                let before = (layer as usize * rows + row as usize) * places + place as usize + 1;
                sums[before + places] = sums[before] + in_row;
            }
        }
    }
    sums
}
