//! The proof of a fast form finds the first block, or outside, that differs from its tree, if there is one. It
//! shares the grid, the slabs outside of it, the seams between blocks and the test for twins with the builder, and
//! nothing of how local trees are made: each is cut into cells again, and each cell is pushed down the whole tree,
//! all of whose leaves there must be what the local tree says. A node without a twin must have none among the
//! planes that the tree has in the block.

use std::ops::Range;

use onion_format::HullSet;
use rayon::prelude::*;

use super::form::{FastForm, HullBlocks};
use super::grid::{Faces, Place};
use super::local::{Local, Pool};
use super::outside::slabs;
use super::reach::Seams;
use super::twin::{Above, Twins};
use crate::bsp::{ModelTree, Tree};
use crate::geometry::{Bounds, Cell, Cut, Location, PlaneId, PlaneSet};
use crate::id::HullId;

/// Proves all blocks of a fast form equal to the trees that they stand for.
///
/// # Errors
/// Hull, model and place of a block that is not.
pub fn prove(form: &FastForm, trees: &[ModelTree], planes: &mut PlaneSet) -> Result<(), String> {
    for tree in trees {
        let part = Part::new(&tree.tree);
        for hull in tree.hulls.iter().map(HullId::new) {
            let is_own = |blocks: &&HullBlocks| (blocks.model, blocks.hull) == (tree.model, hull);
            let Some(blocks) = form.hulls.iter().find(is_own) else {
                let (hull, model) = (hull.index(), tree.model.index());
                return Err(format!("hull {hull} has no blocks in model {model}"));
            };
            prove_hull(blocks, &form.pool, &part, planes)?;
        }
    }
    Ok(())
}

fn prove_hull(
    blocks: &HullBlocks,
    pool: &Pool,
    tree: &Part,
    planes: &mut PlaneSet,
) -> Result<(), String> {
    let faces = Faces::new(&blocks.grid, planes);
    let slabs = slabs(&blocks.grid, &faces, planes);
    let prover = Prover {
        planes,
        pool,
        tree,
        hull: blocks.hull,
    };
    if let Some(solid) = blocks.outside
        && !slabs
            .iter()
            .all(|slab| prover.is_all(tree, &slab.cell, solid))
    {
        let (hull, model) = (blocks.hull.index(), blocks.model.index());
        return Err(format!(
            "what is outside of the grid of hull {hull} in model {model} differs from its tree"
        ));
    }
    let holds = |&(place, root): &(Place, Local)| {
        let cell = faces.cell(&blocks.grid, place, prover.planes);
        prover.holds(root, &cell, blocks.grid.bounds(place))
    };
    let all = alike(blocks)?.into_par_iter();
    match all.find_first(|block| !holds(block)) {
        Some((place, _)) => Err(wrong_block(blocks, place.at, "differs from its tree")),
        None => Ok(()),
    }
}

fn wrong_block(blocks: &HullBlocks, at: [u32; 3], what: &str) -> String {
    let HullBlocks {
        model, hull, grid, ..
    } = blocks;
    let corner = |axis: usize| grid.origin[axis] + i64::from(at[axis]) * grid.size;
    let [x, y, z] = [corner(0), corner(1), corner(2)];
    let (model, hull) = (model.index(), hull.index());
    format!("the block at ({x} {y} {z}) of hull {hull} in model {model} {what}")
}

/// The largest places whose blocks have the same local tree. What a block reaches must have it too: then it is right
/// there because theirs are.
fn alike(blocks: &HullBlocks) -> Result<Vec<(Place, Local)>, String> {
    let grid = &blocks.grid;
    let seams = Seams::new(blocks);
    for (index, block) in blocks.blocks.iter().enumerate() {
        let at = grid.place(index);
        if !seams.is_right(at, block.reach) {
            return Err(wrong_block(blocks, at, "reaches too far"));
        }
    }
    let mut found = Vec::new();
    let mut left = grid.tops();
    while let Some(place) = left.pop() {
        let root = blocks.blocks[grid.index(place.at)].root;
        let is_root = |row: Range<usize>| blocks.blocks[row].iter().all(|block| block.root == root);
        if grid.rows(place).all(is_root) {
            found.push((place, root));
        } else {
            left.extend(grid.halves(place));
        }
    }
    Ok(found)
}

/// A tree or a part of one, and the hulls for which all of it is solid or all of it is empty.
struct Part {
    solid: HullSet,
    empty: HullSet,
    division: Option<(PlaneId, Box<[Part; 2]>)>,
}

impl Part {
    fn new(tree: &Tree) -> Self {
        match tree {
            Tree::Leaf { solidity } => {
                let solid = *solidity;
                Self {
                    solid,
                    empty: !solid,
                    division: None,
                }
            }
            Tree::Node {
                plane, children, ..
            } => {
                let [front, back] = &**children;
                let children = [Self::new(front), Self::new(back)];
                Self {
                    solid: children[0].solid & children[1].solid,
                    empty: children[0].empty & children[1].empty,
                    division: Some((*plane, Box::new(children))),
                }
            }
        }
    }

    /// The part that holds all of a box.
    fn around(&self, planes: &PlaneSet, bounds: &Bounds) -> &Self {
        let mut part = self;
        while let Some((plane, children)) = &part.division {
            part = match bounds.locate(&planes[*plane]) {
                Some(Location::Front) => &children[0],
                Some(_) => &children[1],
                None => break,
            };
        }
        part
    }

    /// The planes of the parts that a box may reach.
    fn planes_in(&self, planes: &PlaneSet, bounds: &Bounds, found: &mut Vec<PlaneId>) {
        if let Some((plane, children)) = &self.around(planes, bounds).division {
            found.push(*plane);
            for child in &**children {
                child.planes_in(planes, bounds, found);
            }
        }
    }
}

/// Proves the blocks of a hull.
struct Prover<'a> {
    planes: &'a PlaneSet,
    pool: &'a Pool,
    tree: &'a Part,
    hull: HullId,
}

/// A block, with what of the tree reaches it.
struct Reached<'a> {
    tree: &'a Part,
    twins: Twins<'a>,
}

impl Prover<'_> {
    /// Whether a local tree is right in a block.
    fn holds(&self, root: Local, cell: &Cell, bounds: Bounds) -> bool {
        let tree = self.tree.around(self.planes, &bounds);
        let mut planes = Vec::new();
        tree.planes_in(self.planes, &bounds, &mut planes);
        let block = Reached {
            tree,
            twins: Twins::new(self.planes, &planes, bounds),
        };
        self.is_right(root, cell, &block, &mut Vec::new())
    }

    /// Whether a part of a local tree is right in its cell.
    fn is_right(
        &self,
        part: Local,
        cell: &Cell,
        block: &Reached<'_>,
        above: &mut Vec<Above>,
    ) -> bool {
        let node = match part {
            Local::Empty => return self.is_all(block.tree, cell, false),
            Local::Solid => return self.is_all(block.tree, cell, true),
            Local::Node(number) => self.pool.node(number),
        };
        let named = self.pool.twins(node);
        if !block
            .twins
            .of(node.plane, above)
            .all(|twin| named.binary_search(&twin).is_ok())
        {
            return false;
        }
        let mut side = |side: usize, cell: &Cell| {
            above.push((node.plane, side));
            let is_right = self.is_right(node.children[side], cell, block, above);
            above.pop();
            is_right
        };
        match cell.cut(self.planes, node.plane) {
            Cut::Front => side(0, cell),
            Cut::Back => side(1, cell),
            Cut::Both(front, back) => side(0, &front) && side(1, &back),
        }
    }

    /// Whether a part of the tree is solid for the hull everywhere in a cell, or empty everywhere.
    fn is_all(&self, part: &Part, cell: &Cell, solid: bool) -> bool {
        let part = part.around(self.planes, &cell.bounds());
        let [is_solid, is_empty] = [part.solid, part.empty].map(|hulls| self.hull.is_in(hulls));
        let Some((plane, children)) = part.division.as_ref().filter(|_| !is_solid && !is_empty)
        else {
            return is_solid == solid;
        };
        match cell.cut(self.planes, *plane) {
            Cut::Front => self.is_all(&children[0], cell, solid),
            Cut::Back => self.is_all(&children[1], cell, solid),
            Cut::Both(front, back) => {
                self.is_all(&children[0], &front, solid) && self.is_all(&children[1], &back, solid)
            }
        }
    }
}
