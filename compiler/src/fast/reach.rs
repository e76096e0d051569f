//! Reaches: how far around a block all blocks have the same root, and so the same local tree. Seams lie between
//! neighbors whose roots differ; a reach is a box of blocks that grows from its block to all sides in turn, each time
//! by a layer, until a seam is in the way.

use onion_format::MAX_REACH;

use super::form::HullBlocks;
use super::grid::Grid;

/// The seams of a grid.
pub struct Seams {
    grid: Grid,
    /// For each axis and each block the number of seams below blocks, along the axis, in the rectangle across the
    /// axis from the corner of the grid to the block.
    sums: [Vec<u32>; 3],
}

impl Seams {
    /// Those between the blocks of a hull.
    pub fn new(blocks: &HullBlocks) -> Self {
        let grid = blocks.grid;
        Self {
            grid,
            sums: std::array::from_fn(|axis| sums(blocks, axis)),
        }
    }

    /// How far a block reaches.
    pub fn reach(&self, at: [u32; 3]) -> [u32; 6] {
        let mut reach = [0; 6];
        let mut grows = [true; 6];
        while grows.contains(&true) {
            for side in 0..6 {
                grows[side] =
                    grows[side] && reach[side] < MAX_REACH && self.is_open(at, &reach, side);
                reach[side] += u32::from(grows[side]);
            }
        }
        reach
    }

    /// Whether all blocks that a block reaches have its root. A reach beyond the grid has not.
    pub fn is_right(&self, at: [u32; 3], reach: [u32; 6]) -> bool {
        let mut grown = [0; 6];
        (0..6).all(|side| {
            (0..reach[side]).all(|_| {
                let is_open = self.is_open(at, &grown, side);
                grown[side] += 1;
                is_open
            })
        })
    }

    /// Whether the layer of blocks beyond a box, on a side, continues it without a seam.
    fn is_open(&self, at: [u32; 3], reach: &[u32; 6], side: usize) -> bool {
        let axis = side / 2;
        let mut mins: [u32; 3] = std::array::from_fn(|axis| at[axis] - reach[2 * axis]);
        let mut last: [u32; 3] = std::array::from_fn(|axis| at[axis] + reach[2 * axis + 1]);
        // The upper one of the two layers at the seam.
        let layer = if side & 1 == 0 {
            mins[axis]
        } else {
            last[axis] + 1
        };
        if layer == 0 || layer == self.grid.counts[axis] {
            return false;
        }
        (mins[axis], last[axis]) = (layer, layer);
        self.count(axis, mins, last) == 0
    }

    /// Number of seams below the blocks of a rectangle across an axis.
    fn count(&self, axis: usize, mins: [u32; 3], last: [u32; 3]) -> u32 {
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        let sum = |to_u: u32, to_v: u32| {
            let mut corner = last;
            (corner[u], corner[v]) = (to_u.wrapping_sub(1), to_v.wrapping_sub(1));
            if to_u == 0 || to_v == 0 {
                0
            } else {
                self.sums[axis][self.grid.index(corner)]
            }
        };
        let (end_u, end_v) = (last[u] + 1, last[v] + 1);
        sum(end_u, end_v) + sum(mins[u], mins[v]) - sum(mins[u], end_v) - sum(end_u, mins[v])
    }
}

/// Numbers of seams along an axis, added up across it.
fn sums(blocks: &HullBlocks, axis: usize) -> Vec<u32> {
    let grid = &blocks.grid;
    let root = |index: usize| blocks.blocks[index].root;
    let below = |at: [u32; 3], axis: usize| {
        let mut below = at;
        below[axis] = at[axis].checked_sub(1)?;
        Some(grid.index(below))
    };
    let is_seam = |index: usize| {
        let other = below(grid.place(index), axis);
        u32::from(other.is_some_and(|other| root(other) != root(index)))
    };
    let mut sums: Vec<u32> = (0..grid.n_blocks()).map(is_seam).collect();
    for across in [(axis + 1) % 3, (axis + 2) % 3] {
        for index in 0..sums.len() {
            if let Some(before) = below(grid.place(index), across) {
                sums[index] += sums[before];
            }
        }
    }
    sums
}
