//! The grid that divides a model's space into blocks: equal cubes between planes of the lattice, or one block around
//! everything. Blocks with the same start are built and proven together in octree cubes, whose edge is a power of two
//! blocks and which are aligned to their own size.

use std::ops::Range;

use onion_geometry::{Bounds, PlaneSet};

use super::cuboid::Cuboid;
use crate::tree::lattice::{self, SHIFT, STEP, UNIT};

/// The level of the largest octree cubes: their edge is the edge of a block times 2 to the power of this.
const MAX_LEVEL: u32 = 4;

/// Limit on the blocks of a model for every two nodes of its tree. With three, the blocks of two hulls take 6 to 20% of
/// a file (five maps).
const BLOCKS_FOR_TWO_NODES: usize = 3;

/// The positions of the blocks of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockGrid {
    /// The lower corner, in 1/64 units.
    pub origin: [i64; 3],
    /// Edge of a block, in 1/64 units: a power of two.
    pub size: i64,
    /// Number of blocks along each axis.
    pub counts: [u32; 3],
}

/// An octree cube of blocks: its edge is 2^level blocks long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OctreeCube {
    /// The lower corner, in blocks; a multiple of 2^level on each axis.
    pub at: [u32; 3],
    /// At most `MAX_LEVEL`; zero for a single block.
    pub level: u32,
}

impl BlockGrid {
    /// Returns a grid that covers a box: the finest one along the lattice that has few blocks compared to nodes, or
    /// else a single block.
    pub fn around(bounds: &Bounds, n_nodes: usize) -> Self {
        let units = |corner: glam::DVec3| corner.to_array().map(|at| (at * UNIT as f64) as i64);
        // The corners are integers.
        let [mins, maxs] = [units(bounds.mins), units(bounds.maxs)];
        let lengths = [0, 1, 2].map(|axis| maxs[axis] - mins[axis]);
        let longest = lengths.into_iter().fold(UNIT, i64::max);
        let sizes = (0..).map(|power| STEP << power);
        let mut grids = sizes.take_while(|&size| size < longest).map(|size| {
            let origin = mins.map(|least| (least - SHIFT).div_euclid(size) * size + SHIFT);
            Self::from(origin, size, maxs)
        });
        let is_small = |grid: &Self| 2 * grid.n_blocks() <= BLOCKS_FOR_TWO_NODES * n_nodes;
        let single = || Self::from(mins, (longest as u64).next_power_of_two() as i64, maxs);
        grids.find(is_small).unwrap_or_else(single)
    }

    /// Returns the grid of blocks of a size that covers the space between two corners.
    fn from(origin: [i64; 3], size: i64, maxs: [i64; 3]) -> Self {
        let count = |axis: usize| (maxs[axis] - origin[axis] + size - 1).div_euclid(size) as u32;
        Self {
            origin,
            size,
            counts: [0, 1, 2].map(count),
        }
    }

    pub fn n_blocks(&self) -> usize {
        self.counts.iter().map(|&count| count as usize).product()
    }

    /// Returns the number of a block: x runs fastest, then y.
    pub fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        let [nx, ny, _] = self.counts.map(|count| count as usize);
        (z as usize * ny + y as usize) * nx + x as usize
    }

    /// Returns the position of the block with a number, in blocks.
    pub fn position(&self, index: usize) -> [u32; 3] {
        let [nx, ny, _] = self.counts.map(|count| count as usize);
        [index % nx, index / nx % ny, index / nx / ny].map(|along| along as u32)
    }

    /// Returns the largest octree cubes of the grid, ordered by z, y and x.
    pub fn tops(&self) -> Vec<OctreeCube> {
        let starts = |axis: usize| (0..self.counts[axis]).step_by(1 << MAX_LEVEL);
        let mut tops = Vec::new();
        for z in starts(2) {
            for y in starts(1) {
                tops.extend(starts(0).map(|x| OctreeCube {
                    at: [x, y, z],
                    level: MAX_LEVEL,
                }));
            }
        }
        tops
    }

    /// Returns the numbers of an octree cube's blocks, as a range for each row along x. Blocks outside of the grid are
    /// left out.
    pub fn rows(&self, cube: OctreeCube) -> impl Iterator<Item = Range<usize>> {
        let ends = self.ends(cube);
        let range = move |axis: usize| cube.at[axis]..ends[axis];
        range(2).flat_map(move |z| {
            range(1).map(move |y| {
                let first = self.index([cube.at[0], y, z]);
                first..first + range(0).len()
            })
        })
    }

    /// Returns the upper corner of an octree cube, clipped to the grid, in blocks.
    fn ends(&self, cube: OctreeCube) -> [u32; 3] {
        std::array::from_fn(|axis| (cube.at[axis] + (1 << cube.level)).min(self.counts[axis]))
    }

    /// Returns the octants of an octree cube, without those outside of the grid.
    pub fn octants(&self, cube: OctreeCube) -> impl Iterator<Item = OctreeCube> {
        let level = cube.level - 1;
        let octants = (0..8).map(move |octant: u32| OctreeCube {
            at: std::array::from_fn(|axis| cube.at[axis] + ((octant >> axis & 1) << level)),
            level,
        });
        octants.filter(|octant| (0..3).all(|axis| octant.at[axis] < self.counts[axis]))
    }

    /// Returns the coordinate of the lower faces of the blocks with a number on an axis, in 1/64 units.
    fn face(&self, axis: usize, number: u32) -> i64 {
        self.origin[axis] + i64::from(number) * self.size
    }

    /// Returns the box between two corners, which are given in blocks.
    fn between(&self, mins: [u32; 3], maxs: [u32; 3]) -> Cuboid {
        Cuboid {
            mins: std::array::from_fn(|axis| self.face(axis, mins[axis])),
            maxs: std::array::from_fn(|axis| self.face(axis, maxs[axis])),
        }
    }

    pub fn cuboid(&self) -> Cuboid {
        self.between([0; 3], self.counts)
    }

    pub fn cuboid_of(&self, cube: OctreeCube) -> Cuboid {
        self.between(cube.at, self.ends(cube))
    }

    /// Adds the planes of all faces of blocks to the set.
    pub fn insert_planes(&self, planes: &mut PlaneSet) {
        for axis in 0..3 {
            for number in 0..=self.counts[axis] {
                planes.insert(lattice::plane(axis, self.face(axis, number)));
            }
        }
    }

    /// Returns the lower corner of a block, in units.
    pub fn corner(&self, at: [u32; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| self.face(axis, at[axis]) as f64 / UNIT as f64)
    }
}
