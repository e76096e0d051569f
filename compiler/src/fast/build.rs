//! Builds the fast form of trees: goes down from large places to single blocks with what of a tree lies in them,
//! and stops for a hull where its local tree is small. The parts of a grid are built side by side, and put
//! together in their order, so the result does not depend on the number of threads.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use onion_format::HullSet;
use rayon::prelude::*;

use super::form::{FastForm, HullBlocks};
use super::grid::{Faces, Grid, Place};
use super::local::{Local, LocalNode, Localizer, Pool};
use super::outside::{Slab, slabs};
use super::reach::Seams;
use super::source::Source;
use super::twin::{Kin, Twins};
use crate::bsp::ModelTree;
use crate::geometry::{Bounds, PlaneSet};
use crate::id::HullId;

/// A place with a local tree of more nodes than this is divided, unless it is a block.
const MAX_NODES: usize = 4;

/// A place in which the tree of all hulls has more nodes than this is divided at once: it would hardly have
/// a small local tree.
const MAX_TRIED: usize = 24;

/// Makes the fast form of all trees.
pub fn build(trees: &[ModelTree], planes: &mut PlaneSet) -> FastForm {
    let mut form = FastForm::default();
    for tree in trees {
        let grid = Grid::around(&box_of(tree, planes), tree.tree.n_nodes());
        let faces = Faces::new(&grid, planes);
        let source = Source::new(&tree.tree);
        let outside = outside(&source, tree.hulls, &slabs(&grid, &faces, planes), planes);
        let tops = grid.tops();
        let parts = tops.into_par_iter().map(|top| {
            let bounds = grid.bounds(top);
            let source = source.within(planes, &bounds);
            let kin = Kin::new(planes, &source.planes(), &bounds);
            let mut builder = Builder {
                planes,
                grid: &grid,
                faces: &faces,
                kin: &kin,
                pool: Pool::default(),
                found: Vec::new(),
            };
            builder.place(&source, top, tree.hulls);
            (builder.pool, builder.found)
        });
        let parts: Vec<_> = parts.collect();
        form.add(tree, grid, outside, parts);
    }
    form.hulls.sort_by_key(|blocks| (blocks.model, blocks.hull));
    form
}

/// The box that a tree was built in.
fn box_of(tree: &ModelTree, planes: &PlaneSet) -> Bounds {
    let dist = |side: usize| planes[tree.bounds[side]].dist;
    let [x, y, z] = [0, 2, 4];
    Bounds {
        mins: glam::DVec3::new(-dist(x), -dist(y), -dist(z)),
        maxs: glam::DVec3::new(dist(x + 1), dist(y + 1), dist(z + 1)),
    }
}

/// Of the hulls of a tree, those for which all slabs around a grid are solid, and those for which all are empty.
fn outside(source: &Source, hulls: HullSet, slabs: &[Slab], planes: &PlaneSet) -> [HullSet; 2] {
    slabs.iter().fold([hulls; 2], |known, slab| {
        let part = source.within(planes, &slab.bounds);
        let alike = part.alike_in(&slab.region, planes, known[0] | known[1]);
        [known[0] & alike[0], known[1] & alike[1]]
    })
}

/// The local tree of a hull that was made for a place.
struct Found {
    hull: HullId,
    place: Place,
    root: Local,
}

/// Makes the local trees of a part of a grid.
struct Builder<'a> {
    planes: &'a PlaneSet,
    grid: &'a Grid,
    faces: &'a Faces,
    kin: &'a Kin,
    pool: Pool,
    found: Vec<Found>,
}

impl Builder<'_> {
    /// Makes the local trees of a place for some hulls, or those of its halves.
    fn place(&mut self, around: &Source, place: Place, hulls: HullSet) {
        let bounds = self.grid.bounds(place);
        let source = around.within(self.planes, &bounds);
        let is_block = place.level == 0;
        let mut left = hulls;
        let region = self.faces.region(self.grid, place, self.planes);
        let twins = Twins::new(self.planes, self.kin, bounds);
        let localizer = Localizer::new(self.planes, &source, twins);
        for hull in hulls.iter().map(HullId::new) {
            let is_alike = source.root.is_solid(hull).is_some();
            if !is_alike && !is_block && source.n_nodes() > MAX_TRIED {
                continue;
            }
            let tree = localizer.tree(hull, &region, &mut self.pool);
            if is_block || self.pool.has_at_most(tree, MAX_NODES) {
                let root = localizer.marked(tree, &mut Vec::new(), &mut self.pool);
                self.found.push(Found { hull, place, root });
                left.remove(hull.index());
            }
        }
        if !left.is_empty() {
            for half in self.grid.halves(place) {
                self.place(&source, half, left);
            }
        }
    }
}

impl FastForm {
    /// Adds the blocks of a tree, in the order of its parts.
    fn add(
        &mut self,
        tree: &ModelTree,
        grid: Grid,
        [solid, empty]: [HullSet; 2],
        parts: Vec<(Pool, Vec<Found>)>,
    ) {
        let of_hull = |hull: HullId| HullBlocks {
            outside: (hull.is_in(solid) || hull.is_in(empty)).then_some(hull.is_in(solid)),
            ..HullBlocks::new(tree.model, hull, grid)
        };
        let mut of_hulls: Vec<_> = tree.hulls.iter().map(HullId::new).map(of_hull).collect();
        for (pool, found) in &parts {
            let mut known = HashMap::default();
            for Found { hull, place, root } in found {
                let root = self.import(pool, *root, &mut known);
                let own = of_hulls.iter_mut().find(|blocks| blocks.hull == *hull);
                if let Some(blocks) = own {
                    for row in grid.rows(*place) {
                        blocks.blocks[row]
                            .iter_mut()
                            .for_each(|block| block.root = root);
                    }
                }
            }
        }
        of_hulls.par_iter_mut().for_each(|blocks| {
            let seams = Seams::new(blocks);
            for (index, block) in blocks.blocks.iter_mut().enumerate() {
                // No walk goes on through solid.
                if block.root != Local::Solid {
                    block.reach = seams.reach(blocks.grid.place(index));
                }
            }
        });
        self.hulls.extend(of_hulls);
    }

    /// A local tree of another pool.
    fn import(
        &mut self,
        pool: &Pool,
        part: Local,
        known: &mut HashMap<u32, Local, RandomState>,
    ) -> Local {
        let Local::Node(number) = part else {
            return part;
        };
        if let Some(&part) = known.get(&number) {
            return part;
        }
        let node = *pool.node(number);
        let children = node.children.map(|child| self.import(pool, child, known));
        let twins = self.pool.insert_twins(pool.twins(&node).clone());
        let part = self.pool.insert(LocalNode {
            plane: node.plane,
            twins,
            children,
        });
        known.insert(number, part);
        part
    }
}
