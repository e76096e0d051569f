//! The grid of a model's blocks, which are equal cubes. A block's local tree is right in the block and in a margin
//! around it, so that neither rounding nor the step from one block to the next loses anything. What is alike is
//! made and proven in places: cubes of a power of two of blocks, aligned to their own size.

use std::ops::Range;

use glam::DVec3;
use onion_format::BLOCK_MARGIN;

use crate::geometry::grid::DIST_ONE;
use crate::geometry::{Bounds, Plane, PlaneId, PlaneSet, Region};

/// The edge of the largest places is that of a block times 2 to the power of this.
const MAX_LEVEL: u32 = 4;

/// Edge of a block, in units, unless a model has too many of them. A prototype on one dense
/// map was no quicker with 32, and walks took a sixth longer with 128.
const SMALLEST: i64 = 64;

/// Blocks that a model may have for two nodes of its tree. With three, the fast forms of 20 maps have 1.24 times the
/// bytes of nodes, leaves and planes for two hulls, and 1.29 times for four. With two in place of four, walks and moves
/// took 4 to 15% longer on ten maps for 3,000 queries, and no longer for 20,000.
const BLOCKS_FOR_TWO_NODES: usize = 3;

/// How far a local tree is right beyond its block, in 2^-36 units.
const MARGIN: i64 = (BLOCK_MARGIN * DIST_ONE as f64) as i64;

/// Where the blocks of a model are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The lower corner, in units.
    pub origin: [i64; 3],
    /// Edge of a block, in units: a power of two.
    pub size: i64,
    /// Number of blocks along each axis.
    pub counts: [u32; 3],
}

/// A cube of blocks: its lower corner in blocks, and how many times the edge of a block is doubled to give its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The lower corner; a multiple of 2^level on each axis.
    pub at: [u32; 3],
    /// At most `MAX_LEVEL`.
    pub level: u32,
}

impl Place {
    /// The largest place that it is in.
    pub fn top(&self) -> Self {
        Self {
            at: self.at.map(|along| along >> MAX_LEVEL << MAX_LEVEL),
            level: MAX_LEVEL,
        }
    }
}

impl Grid {
    /// The grid that covers a box, for a tree with so many nodes.
    pub fn around(bounds: &Bounds, n_nodes: usize) -> Self {
        let mins = bounds.mins.floor();
        let extents = bounds.maxs.ceil() - mins;
        let origin = mins.to_array().map(|units| units as i64);
        let mut size = SMALLEST;
        loop {
            let counts = extents
                .to_array()
                .map(|units| (units as u64).div_ceil(size as u64).max(1) as u32);
            let grid = Self {
                origin,
                size,
                counts,
            };
            if 2 * grid.n_blocks() <= BLOCKS_FOR_TWO_NODES * n_nodes || counts == [1; 3] {
                return grid;
            }
            size *= 2;
        }
    }

    /// Number of the blocks.
    pub fn n_blocks(&self) -> usize {
        self.counts.iter().map(|&count| count as usize).product()
    }

    /// Number of a block: x runs fastest, then y.
    pub fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        let [nx, ny, _] = self.counts.map(|count| count as usize);
        (z as usize * ny + y as usize) * nx + x as usize
    }

    /// Where the block of a number is.
    pub fn place(&self, index: usize) -> [u32; 3] {
        let [nx, ny, _] = self.counts.map(|count| count as usize);
        [index % nx, index / nx % ny, index / nx / ny].map(|along| along as u32)
    }

    /// The largest places, in the order of their corners.
    pub fn tops(&self) -> Vec<Place> {
        let starts = |axis: usize| (0..self.counts[axis]).step_by(1 << MAX_LEVEL);
        let mut tops = Vec::new();
        for z in starts(2) {
            for y in starts(1) {
                tops.extend(starts(0).map(|x| Place {
                    at: [x, y, z],
                    level: MAX_LEVEL,
                }));
            }
        }
        tops
    }

    /// The numbers of the blocks of a place, row by row; what of it is outside of the grid is none.
    pub fn rows(&self, place: Place) -> impl Iterator<Item = Range<usize>> {
        let ends = self.ends(place);
        let range = move |axis: usize| place.at[axis]..ends[axis];
        range(2).flat_map(move |z| {
            range(1).map(move |y| {
                let first = self.index([place.at[0], y, z]);
                first..first + range(0).len()
            })
        })
    }

    /// The upper corner of a place or of the grid, whichever is lower, in blocks.
    fn ends(&self, place: Place) -> [u32; 3] {
        std::array::from_fn(|axis| (place.at[axis] + (1 << place.level)).min(self.counts[axis]))
    }

    /// The eight halves of a place that are not outside of the grid.
    pub fn halves(&self, place: Place) -> impl Iterator<Item = Place> {
        let level = place.level - 1;
        let halves = (0..8).map(move |half: u32| Place {
            at: std::array::from_fn(|axis| place.at[axis] + ((half >> axis & 1) << level)),
            level,
        });
        halves.filter(|half| (0..3).all(|axis| half.at[axis] < self.counts[axis]))
    }

    /// A coordinate of a face of blocks, in 2^-36 units.
    fn face(&self, axis: usize, number: u32) -> i64 {
        (self.origin[axis] + i64::from(number) * self.size) * DIST_ONE
    }

    /// The box of a place with its margin.
    pub fn bounds(&self, place: Place) -> Bounds {
        self.box_between(place.at, self.ends(place))
    }

    /// The box of all blocks with its margin.
    pub fn whole(&self) -> Bounds {
        self.box_between([0; 3], self.counts)
    }

    /// The box between two corners, in blocks, with its margin.
    fn box_between(&self, at: [u32; 3], ends: [u32; 3]) -> Bounds {
        let units = |corner: [u32; 3], margin| {
            let units = |axis| (self.face(axis, corner[axis]) + margin) as f64 / DIST_ONE as f64;
            DVec3::from_array(std::array::from_fn(units))
        };
        Bounds {
            mins: units(at, -MARGIN),
            maxs: units(ends, MARGIN),
        }
    }
}

/// The planes that bound the blocks of a grid with their margins, facing outward.
pub struct Faces {
    lower: [Vec<PlaneId>; 3],
    upper: [Vec<PlaneId>; 3],
}

impl Faces {
    /// Adds the planes of a grid to the set.
    pub fn new(grid: &Grid, planes: &mut PlaneSet) -> Self {
        let mut insert = |axis, forward| {
            let faces = 0..=grid.counts[axis];
            let planes = faces.map(|number| {
                let sign = if forward { 1 } else { -1 };
                let dist = sign * grid.face(axis, number) + MARGIN;
                planes.insert(Plane::axial(axis, forward, dist))
            });
            planes.collect()
        };
        Self {
            lower: std::array::from_fn(|axis| insert(axis, false)),
            upper: std::array::from_fn(|axis| insert(axis, true)),
        }
    }

    /// The plane that bounds what lies beyond a side of the grid, and the margin in the grid, facing the grid.
    pub fn of_slab(&self, grid: &Grid, axis: usize, is_upper: bool) -> PlaneId {
        if is_upper {
            self.lower[axis][grid.counts[axis] as usize]
        } else {
            self.upper[axis][0]
        }
    }

    /// A place with its margin.
    pub fn region(&self, grid: &Grid, place: Place, planes: &PlaneSet) -> Region {
        let ends = grid.ends(place);
        let sides = std::array::from_fn(|side| {
            let axis = side / 2;
            if side % 2 == 0 {
                self.lower[axis][place.at[axis] as usize]
            } else {
                self.upper[axis][ends[axis] as usize]
            }
        });
        match Region::of_box(planes, sides) {
            Some(region) => region,
            None => unreachable!("a place has a volume"),
        }
    }
}
