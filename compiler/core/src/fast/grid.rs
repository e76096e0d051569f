//! The grid of a model's blocks, which are equal cubes between planes of the lattice. Blocks with the same start are
//! made and proven together in places: cubes whose edge is a power of two blocks, aligned to their own size.

use std::ops::Range;

use onion_format::OUTSIDE_MARGIN;
use onion_geometry::grid::DIST_ONE;
use onion_geometry::{Bounds, ExactPlane, PlaneId, PlaneSet, Region};

use super::cuboid::Cuboid;
use crate::lattice::{self, SHIFT, STEP, UNIT};

/// The edge of the largest places is the edge of a block times 2 to the power of this.
const MAX_LEVEL: u32 = 4;

/// The number of blocks that a model may have for two nodes of its tree. With three, the blocks of two hulls take 6
/// to 20% of a file (five maps).
const BLOCKS_FOR_TWO_NODES: usize = 3;

/// The margin inside the border of a grid in which the solidity of its outside still holds, in 2^-36 units.
const MARGIN: i64 = (OUTSIDE_MARGIN * DIST_ONE as f64) as i64;

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

/// A cube of blocks: its lower corner in blocks, and the number of times that the edge of a block is doubled to give
/// the edge of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OctreeCube {
    /// The lower corner; a multiple of 2^level on each axis.
    pub at: [u32; 3],
    /// At most `MAX_LEVEL`.
    pub level: u32,
}

impl OctreeCube {
    /// Returns the largest place that contains it.
    pub fn top(&self) -> Self {
        Self {
            at: self.at.map(|along| along >> MAX_LEVEL << MAX_LEVEL),
            level: MAX_LEVEL,
        }
    }
}

impl BlockGrid {
    /// Returns the grid that covers a box: along the lattice, or a single block if the tree has few nodes.
    pub fn around(bounds: &Bounds, n_nodes: usize) -> Self {
        let units = |corner: glam::DVec3| corner.to_array().map(|at| (at * UNIT as f64) as i64);
        // The corners are integers.
        let [mins, maxs] = [units(bounds.mins), units(bounds.maxs)];
        let longest = (0..3)
            .map(|axis| maxs[axis] - mins[axis])
            .fold(UNIT, i64::max);
        let sizes = (0..).map(|power| STEP << power);
        let mut grids = sizes.take_while(|&size| size < longest).map(|size| {
            let origin = mins.map(|least| (least - SHIFT).div_euclid(size) * size + SHIFT);
            Self::from(origin, size, maxs)
        });
        let is_small = |grid: &Self| 2 * grid.n_blocks() <= BLOCKS_FOR_TWO_NODES * n_nodes;
        let single = || Self::from(mins, (longest as u64).next_power_of_two() as i64, maxs);
        grids.find(is_small).unwrap_or_else(single)
    }

    /// Returns the grid between two corners.
    fn from(origin: [i64; 3], size: i64, maxs: [i64; 3]) -> Self {
        let count = |axis: usize| (maxs[axis] - origin[axis] + size - 1).div_euclid(size) as u32;
        Self {
            origin,
            size,
            counts: [count(0), count(1), count(2)],
        }
    }

    /// Returns the number of blocks.
    pub fn n_blocks(&self) -> usize {
        self.counts.iter().map(|&count| count as usize).product()
    }

    /// Returns the number of a block: x runs fastest, then y.
    pub fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        let [nx, ny, _] = self.counts.map(|count| count as usize);
        (z as usize * ny + y as usize) * nx + x as usize
    }

    /// Returns the place of the block with a number.
    pub fn place(&self, index: usize) -> [u32; 3] {
        let [nx, ny, _] = self.counts.map(|count| count as usize);
        [index % nx, index / nx % ny, index / nx / ny].map(|along| along as u32)
    }

    /// Returns the largest places, in the order of their corners.
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

    /// Returns the numbers of the blocks of a place, row by row, without the part of the place that is outside of the
    /// grid.
    pub fn rows(&self, place: OctreeCube) -> impl Iterator<Item = Range<usize>> {
        let ends = self.ends(place);
        let range = move |axis: usize| place.at[axis]..ends[axis];
        range(2).flat_map(move |z| {
            range(1).map(move |y| {
                let first = self.index([place.at[0], y, z]);
                first..first + range(0).len()
            })
        })
    }

    /// Returns the upper corner of a place or of the grid, whichever is lower, in blocks.
    fn ends(&self, place: OctreeCube) -> [u32; 3] {
        std::array::from_fn(|axis| (place.at[axis] + (1 << place.level)).min(self.counts[axis]))
    }

    /// Returns those of the eight octants of a place that are not outside of the grid.
    pub fn halves(&self, place: OctreeCube) -> impl Iterator<Item = OctreeCube> {
        let level = place.level - 1;
        let halves = (0..8).map(move |half: u32| OctreeCube {
            at: std::array::from_fn(|axis| place.at[axis] + ((half >> axis & 1) << level)),
            level,
        });
        halves.filter(|half| (0..3).all(|axis| half.at[axis] < self.counts[axis]))
    }

    /// Returns the coordinate of a face of blocks, in 1/64 units.
    fn face(&self, axis: usize, number: u32) -> i64 {
        self.origin[axis] + i64::from(number) * self.size
    }

    /// Returns a place as a box.
    pub fn cuboid(&self, place: OctreeCube) -> Cuboid {
        let ends = self.ends(place);
        Cuboid {
            mins: std::array::from_fn(|axis| self.face(axis, place.at[axis])),
            maxs: std::array::from_fn(|axis| self.face(axis, ends[axis])),
        }
    }

    /// Returns the lower corner of a block, in units.
    pub fn corner(&self, at: [u32; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| self.face(axis, at[axis]) as f64 / UNIT as f64)
    }

    /// Returns the side of a plane that holds all of a place, 0 in front and 1 behind, exactly, or `None` if it is on
    /// both sides. A place that touches the plane is on its own side. Below 2^24 1/64 units, products with a normal
    /// are integer multiples of 2^-36 units below 2^55.
    pub fn side(&self, place: OctreeCube, plane: &ExactPlane) -> Option<usize> {
        let ends = self.ends(place);
        let along = |axis: usize| {
            let coordinates = [place.at[axis], ends[axis]].map(|at| self.face(axis, at));
            coordinates.map(|at| plane.normal[axis] * at)
        };
        let along = [along(0), along(1), along(2)];
        let least: i64 = along.iter().map(|[lower, upper]| lower.min(upper)).sum();
        let most: i64 = along.iter().map(|[lower, upper]| lower.max(upper)).sum();
        let (least, most) = (least - plane.dist, most - plane.dist);
        match (least >= 0, most <= 0) {
            (true, _) => Some(0),
            (_, true) => Some(1),
            _ => None,
        }
    }
}

/// The planes that bound the blocks of a grid and the space outside of it.
pub struct Faces {
    /// For each axis, in order, facing higher coordinates.
    axes: [Vec<PlaneId>; 3],
    /// The lower and upper bound of the grid on each axis, moved inward by the margin, facing inward.
    margins: [[PlaneId; 2]; 3],
}

impl Faces {
    /// Adds the planes of a grid to the set.
    pub fn new(grid: &BlockGrid, planes: &mut PlaneSet) -> Self {
        let axes = std::array::from_fn(|axis| {
            let faces = 0..=grid.counts[axis];
            let insert = |number| planes.insert(lattice::plane(axis, grid.face(axis, number)));
            faces.map(insert).collect()
        });
        let margins = std::array::from_fn(|axis| {
            let dist = |number| grid.face(axis, number) * (DIST_ONE / UNIT);
            let (lower, upper) = (dist(0), dist(grid.counts[axis]));
            let lower = ExactPlane::axial(axis, true, lower + MARGIN);
            [lower, ExactPlane::axial(axis, false, MARGIN - upper)]
                .map(|plane| planes.insert(plane))
        });
        Self { axes, margins }
    }

    /// Returns the plane that bounds the space beyond a side of the grid and the margin in the grid, facing the grid.
    pub fn of_slab(&self, axis: usize, is_upper: bool) -> PlaneId {
        self.margins[axis][usize::from(is_upper)]
    }

    /// Returns a place as a region.
    pub fn region(&self, grid: &BlockGrid, place: OctreeCube, planes: &PlaneSet) -> Region {
        let ends = grid.ends(place);
        let sides = std::array::from_fn(|side| {
            let (axis, is_upper) = (side / 2, side % 2 == 1);
            let number = if is_upper { ends[axis] } else { place.at[axis] };
            let plane = self.axes[axis][number as usize];
            if is_upper { plane } else { plane.flipped() }
        });
        match Region::of_box(planes, sides) {
            Some(region) => region,
            None => unreachable!("a place has a volume"),
        }
    }
}
