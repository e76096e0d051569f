//! Makes the blocks of trees: descends from large places to single blocks, and down the tree as long as a node's
//! plane has the whole place on one side.

use onion_format::{HullSet, Start};
use onion_geometry::{Bounds, PlaneSet, Region};
use rayon::prelude::*;

use super::form::{Block, FastForm, HullBlocks};
use super::grid::{BlockGrid, Faces, OctreeCube};
use super::outside::slabs;
use super::part::Subtree;
use super::reach::Seams;
use super::rooms::Rooms;
use crate::bsp::ModelTree;
use crate::id::HullIndex;

/// Makes the blocks of all trees.
pub fn build(trees: &[ModelTree], planes: &mut PlaneSet) -> FastForm {
    let mut form = FastForm::default();
    let mut n_nodes = 0;
    for tree in trees {
        let first = n_nodes;
        let part = Subtree::new(&tree.tree, &mut n_nodes);
        let grid = BlockGrid::around(&box_of(tree, planes), (n_nodes - first) as usize);
        let faces = Faces::new(&grid, planes);
        let outside = outside(&part, tree.hulls, &slabs(&faces, planes), planes);
        let found = grid.tops().into_par_iter().flat_map_iter(|top| {
            let builder = Builder {
                planes,
                grid: &grid,
            };
            let mut found = Vec::new();
            builder.place(&part, top, tree.hulls, &mut found);
            found
        });
        form.add(
            tree,
            &part,
            planes,
            grid,
            outside,
            &found.collect::<Vec<_>>(),
        );
    }
    form.hulls.sort_by_key(|blocks| (blocks.model, blocks.hull));
    form
}

/// Returns the box that a tree was built in.
fn box_of(tree: &ModelTree, planes: &PlaneSet) -> Bounds {
    let dist = |side: usize| planes[tree.bounds[side]].dist;
    let [x, y, z] = [0, 2, 4];
    Bounds {
        mins: glam::DVec3::new(-dist(x), -dist(y), -dist(z)),
        maxs: glam::DVec3::new(dist(x + 1), dist(y + 1), dist(z + 1)),
    }
}

/// Returns the hulls of a tree for which all slabs around a grid are solid, and those for which all are empty.
fn outside(tree: &Subtree, hulls: HullSet, slabs: &[Region], planes: &PlaneSet) -> [HullSet; 2] {
    slabs.iter().fold([hulls; 2], |known, slab| {
        let alike = tree.alike_in(slab, planes, known[0] | known[1]);
        [known[0] & alike[0], known[1] & alike[1]]
    })
}

/// The start of the walks of a hull in a place.
struct Found {
    hull: HullIndex,
    place: OctreeCube,
    start: Start,
}

struct Builder<'a> {
    planes: &'a PlaneSet,
    grid: &'a BlockGrid,
}

impl Builder<'_> {
    /// Finds the starts of the walks of some hulls in a place that lies in a part of the tree, or in its octants.
    fn place(&self, around: &Subtree, place: OctreeCube, hulls: HullSet, found: &mut Vec<Found>) {
        let mut part = around;
        while let Some((plane, children)) = &part.division
            && let Some(side) = self.grid.side(place, &self.planes[*plane].plane)
        {
            part = &children[side];
        }
        let mut left = hulls;
        for hull in hulls.iter().map(HullIndex::new) {
            let start = part.start(hull);
            if place.level == 0 || start.is_whole() {
                found.push(Found { hull, place, start });
                left.remove(hull.index());
            }
        }
        if !left.is_empty() {
            for half in self.grid.halves(place) {
                self.place(part, half, left, found);
            }
        }
    }
}

impl FastForm {
    /// Adds the blocks of a tree.
    fn add(
        &mut self,
        tree: &ModelTree,
        part: &Subtree,
        planes: &PlaneSet,
        grid: BlockGrid,
        [solid, empty]: [HullSet; 2],
        found: &[Found],
    ) {
        let of_hull = |hull: HullIndex| {
            let mut blocks = vec![Block::UNKNOWN; grid.n_blocks()];
            for found in found.iter().filter(|found| found.hull == hull) {
                for row in grid.rows(found.place) {
                    let row = blocks[row].iter_mut();
                    row.for_each(|block| block.start = found.start);
                }
            }
            let seams = Seams::new(&grid, &blocks);
            for (index, block) in blocks.iter_mut().enumerate() {
                // No walk goes on through solid.
                if block.start != Start::SOLID {
                    block.reach = seams.reach(grid.place(index));
                }
            }
            let rooms = Rooms::new(part, planes, hull, &grid).add(&mut blocks);
            HullBlocks {
                model: tree.model,
                hull,
                grid,
                outside: (hull.is_in(solid) || hull.is_in(empty)).then_some(hull.is_in(solid)),
                blocks,
                rooms,
            }
        };
        let hulls: Vec<_> = tree.hulls.iter().map(HullIndex::new).collect();
        self.hulls.par_extend(hulls.into_par_iter().map(of_hull));
    }
}
