//! Builds the blocks and rooms of all hulls. For each octree cube, from the largest down to single blocks, it descends
//! the tree while a node's plane has the whole cube on one side. Walks in the cube start where it stops.

use onion_format::{HullSet, Start};
use onion_geometry::{Bounds, PlaneSet};
use rayon::prelude::*;

use super::branch::charts;
use super::form::{Block, FastForm, HullBlocks};
use super::grid::{BlockGrid, OctreeCube};
use super::outside::slabs;
use super::reach::Seams;
use super::rooms::Rooms;
use crate::bsp::ModelTree;
use crate::bsp::leaf_tree::Branch;
use crate::id::{HullIndex, ModelId};

pub(super) fn build(trees: &[ModelTree], planes: &mut PlaneSet) -> FastForm {
    let mut form = FastForm::default();
    for (tree, chart) in charts(trees) {
        let bounds = Bounds::between(planes, tree.bounds);
        let grid = BlockGrid::around(&bounds, tree.tree.n_nodes());
        grid.insert_planes(planes);
        let slabs = slabs(&grid, planes);
        let whole = chart.whole(planes);
        let outside = slabs.iter().fold([tree.hulls; 2], |[solid, empty], slab| {
            let alike = whole.alike_in(slab, solid | empty);
            [solid & alike[0], empty & alike[1]]
        });
        let found = grid.tops().into_par_iter().flat_map_iter(|top| {
            let mut found = Vec::new();
            find_starts(whole, &grid, top, tree.hulls, &mut found);
            found
        });
        let found: Vec<_> = found.collect();
        let hulls: Vec<_> = tree.hulls.iter().map(HullIndex::new).collect();
        let of_hull = |hull| hull_blocks(tree.model, hull, whole, grid, outside, &found);
        form.hulls.par_extend(hulls.into_par_iter().map(of_hull));
    }
    form.hulls.sort_by_key(|blocks| (blocks.model, blocks.hull));
    form
}

/// The start of the walks of a hull in an octree cube.
struct FoundStart {
    hull: HullIndex,
    /// The cube in which all of these walks begin.
    cube: OctreeCube,
    /// The node, or the solidity of the whole cube.
    start: Start,
}

/// Finds the starts of the walks of some hulls in an octree cube, which lies in the branch `around`, or in its octants.
fn find_starts(
    around: Branch<'_>,
    grid: &BlockGrid,
    cube: OctreeCube,
    hulls: HullSet,
    found: &mut Vec<FoundStart>,
) {
    let cuboid = grid.cuboid_of(cube);
    let mut branch = around;
    while let Some((plane, children)) = branch.split()
        && let Some(side) = cuboid.side(&branch.planes[plane].plane)
    {
        branch = children[side];
    }
    let mut left = hulls;
    for hull in hulls.iter().map(HullIndex::new) {
        let start = branch.start(hull);
        if cube.level == 0 || start.is_whole() {
            found.push(FoundStart { hull, cube, start });
            left.remove(hull.index());
        }
    }
    if !left.is_empty() {
        for octant in grid.octants(cube) {
            find_starts(branch, grid, octant, left, found);
        }
    }
}

/// Returns the blocks of a hull, given the hulls for which the outside of the grid is solid and those for which it is
/// empty.
fn hull_blocks(
    model: ModelId,
    hull: HullIndex,
    whole: Branch<'_>,
    grid: BlockGrid,
    [solid, empty]: [HullSet; 2],
    found: &[FoundStart],
) -> HullBlocks {
    let mut blocks = vec![Block::UNKNOWN; grid.n_blocks()];
    for found in found.iter().filter(|found| found.hull == hull) {
        for block in grid.rows(found.cube).flatten() {
            blocks[block].start = found.start;
        }
    }
    let seams = Seams::new(&grid, &blocks);
    for (index, block) in blocks.iter_mut().enumerate() {
        // Walks end at solid, so solid blocks need no reach.
        if block.start != Start::SOLID {
            block.reach = seams.reach(grid.position(index));
        }
    }
    let rooms = Rooms::new(whole, hull, &grid).add(&mut blocks);
    HullBlocks {
        model,
        hull,
        grid,
        outside: (hull.is_in(solid) || hull.is_in(empty)).then_some(hull.is_in(solid)),
        blocks,
        rooms,
    }
}
