//! Blocks: the cubes that the fast form divides the space of a model into. A point gives the block that holds
//! it, a segment the blocks on its way, each with the stretch of the segment that belongs to it (`GRID` and
//! `BLCK` of FORMAT.md; the steps are those of Amanatides and Woo, "A Fast Voxel Traversal Algorithm", 1987,
//! with blocks of several sizes).

use onion_format::{BlockRecord, GridRecord, LocalChild, Record};

use crate::hull::HullId;
use crate::tolerance::BEYOND_BLOCK;
use crate::view::View;

/// The blocks of a hull in a model.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    grid: GridRecord,
    /// Smallest blocks in a unit.
    density: f32,
    records: &'a [[u8; BlockRecord::SIZE]],
}

/// The block that holds a smallest block.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// The smallest block, by its place in the grid.
    at: [u32; 3],
    /// The edge of the block, in smallest blocks: a power of two.
    edge: u32,
    /// The root of its local tree.
    pub(crate) root: LocalChild,
}

impl<'a> Blocks<'a> {
    /// The blocks of a hull of the file; none if the file has no fast form.
    #[inline(always)]
    pub(crate) fn new(map: &View<'a>, model: usize, hull: HullId) -> Option<Self> {
        let grid = map.grids().get(model * map.layout.n_hulls + hull.index())?;
        let records = map.blocks().all_bytes().as_chunks().0;
        Some(Self {
            density: reciprocal(grid.size),
            records: records.get(grid.first as usize..)?,
            grid,
        })
    }

    /// The block that holds a point; none outside of the grid.
    #[inline(always)]
    pub(crate) fn holding(&self, point: &[f32; 3]) -> Option<Block> {
        let [x, y, z] = self.place(point);
        let is_ahead = x >= 0.0 && y >= 0.0 && z >= 0.0;
        self.block([x as u32, y as u32, z as u32])
            .filter(|_| is_ahead)
    }

    /// A point, in smallest blocks from the corner of the grid.
    #[inline(always)]
    fn place(&self, point: &[f32; 3]) -> [f32; 3] {
        let along = |axis: usize| (point[axis] - self.grid.origin[axis]) * self.density;
        [along(0), along(1), along(2)]
    }

    /// The block that holds a smallest block; none outside of the grid.
    #[inline(always)]
    fn block(&self, at: [u32; 3]) -> Option<Block> {
        let [[x, y, z], [nx, ny, nz]] = [at, self.grid.counts];
        if x >= nx || y >= ny || z >= nz {
            return None;
        }
        let index = (z * ny + y) * nx + x;
        let record = BlockRecord::read(self.records.get(index as usize)?);
        Some(Block {
            at,
            edge: 1 << record.level(),
            root: record.root(),
        })
    }

    /// Whether a point lies in a block, or so near to it that its local tree tells.
    #[inline(always)]
    pub(crate) fn reaches(&self, block: &Block, point: &[f32; 3]) -> bool {
        let half = block.edge as f32 * 0.5;
        let reach = half + BEYOND_BLOCK as f32 * self.density;
        let (place, corner) = (self.place(point), block.corner());
        let is_near = |axis: usize| (place[axis] - (corner[axis] as f32 + half)).abs() <= reach;
        is_near(0) && is_near(1) && is_near(2)
    }
}

impl Block {
    /// Its lower corner, by its place in the grid.
    #[inline(always)]
    fn corner(&self) -> [u32; 3] {
        self.at.map(|at| at & self.edge.wrapping_neg())
    }
}

/// One over a power of two, without a division: the negated exponent.
#[inline(always)]
fn reciprocal(power: f32) -> f32 {
    f32::from_bits((2 * 1f32.to_bits()).wrapping_sub(power.to_bits()))
}

/// A segment on its way through blocks.
pub(crate) struct Way<'a> {
    blocks: &'a Blocks<'a>,
    start: [f64; 3],
    step: [f64; 3],
    /// The part of the segment that one unit along each axis is.
    per_unit: [f64; 3],
    /// The block at hand.
    pub(crate) block: Block,
    /// Where the segment leaves the block, along each axis, as a part of the segment.
    exits: [f64; 3],
    /// The axis along which it leaves first.
    axis: usize,
}

impl<'a> Way<'a> {
    /// The way of a segment that starts in a block.
    #[inline(always)]
    pub(crate) fn new(blocks: &'a Blocks<'a>, [start, end]: &[[f64; 3]; 2], block: Block) -> Self {
        let step = [end[0] - start[0], end[1] - start[1], end[2] - start[2]];
        let mut way = Self {
            blocks,
            start: *start,
            step,
            per_unit: step.map(|step| 1.0 / step),
            block,
            exits: [0.0; 3],
            axis: 0,
        };
        way.look_ahead();
        way
    }

    /// More steps than a way can have: each leaves a layer of smallest blocks for good.
    #[inline(always)]
    pub(crate) fn max_steps(&self) -> u32 {
        let [nx, ny, nz] = self.blocks.grid.counts;
        nx + ny + nz
    }

    /// Finds where the segment leaves the block.
    #[inline(always)]
    fn look_ahead(&mut self) {
        let corner = self.block.corner();
        let GridRecord { origin, size, .. } = self.blocks.grid;
        for axis in 0..3 {
            self.exits[axis] = f64::INFINITY;
            if self.step[axis] != 0.0 {
                let ahead = if self.step[axis] > 0.0 {
                    self.block.edge
                } else {
                    0
                };
                let face = f64::from(corner[axis] + ahead) * f64::from(size);
                let face = f64::from(origin[axis]) + face;
                self.exits[axis] = (face - self.start[axis]) * self.per_unit[axis];
            }
        }
        let [x, y, z] = self.exits;
        let after_x = if y < z { 1 } else { 2 };
        self.axis = if x <= y && x <= z { 0 } else { after_x };
    }

    /// Where the segment leaves the block, as a part of the segment.
    #[inline(always)]
    pub(crate) fn exit(&self) -> f64 {
        self.exits[self.axis]
    }

    /// How far the local tree of the block surely tells, as a part of the segment, at most 1.
    #[inline(always)]
    pub(crate) fn end(&self) -> f64 {
        let beyond = |axis: usize| self.exits[axis] + (BEYOND_BLOCK * self.per_unit[axis]).abs();
        beyond(0).min(beyond(1)).min(beyond(2)).min(1.0)
    }

    /// Goes on to the next block, given the point where the segment leaves this one. Whether there is one.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, exit: &[f32; 3]) -> bool {
        let (place, corner) = (self.blocks.place(exit), self.block.corner());
        let edge = self.block.edge;
        // Rounding may put the point a little outside of the block.
        let mut at = [0, 1, 2]
            .map(|axis: usize| (place[axis] as u32).clamp(corner[axis], corner[axis] + edge - 1));
        at[self.axis] = if self.step[self.axis] > 0.0 {
            corner[self.axis] + edge
        } else {
            corner[self.axis].wrapping_sub(1)
        };
        let Some(block) = self.blocks.block(at) else {
            return false;
        };
        self.block = block;
        self.look_ahead();
        true
    }
}
