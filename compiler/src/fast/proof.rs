//! The proof of a fast form finds the first block, or outside, that differs from its tree, if there is one. It
//! shares the grid, the slabs outside of it, the seams between blocks and the test for twins with the builder, and
//! nothing of how local trees are made: each is cut into cells again, and each cell is pushed down the whole tree,
//! all of whose leaves there must be what the local tree says. A node's plane must be one that the tree has around,
//! and without a twin it must have none among the planes that the tree has in the block.

use std::ops::Range;

use onion_format::HullSet;
use rayon::prelude::*;

use super::form::{FastForm, HullBlocks};
use super::grid::{Faces, Place};
use super::local::{Local, Pool};
use super::outside::slabs;
use super::reach::Seams;
use super::twin::{Above, Kin, Twins};
use crate::bsp::{ModelTree, Tree};
use crate::geometry::{Bounds, Location, PlaneId, PlaneSet, Region};
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
            .all(|slab| prover.is_all(tree, &slab.region, solid))
    {
        let (hull, model) = (blocks.hull.index(), blocks.model.index());
        return Err(format!(
            "what is outside of the grid of hull {hull} in model {model} differs from its tree"
        ));
    }
    let all = alike(blocks)?;
    let in_tops = all.par_chunk_by(|(one, _), (other, _)| one.top() == other.top());
    let wrong = in_tops.find_map_first(|alike| {
        let kin = prover.kin(blocks, alike);
        let holds = |&(place, root): &(Place, Local)| {
            let region = faces.region(&blocks.grid, place, prover.planes);
            prover.holds(root, &region, blocks.grid.bounds(place), &kin)
        };
        alike.par_iter().find_first(|block| !holds(block))
    });
    match wrong {
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

    /// Whether it is solid for a hull, if all of it is alike.
    fn is_solid(&self, hull: HullId) -> Option<bool> {
        match (hull.is_in(self.solid), hull.is_in(self.empty)) {
            (false, false) => None,
            (solid, _) => Some(solid),
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

    /// The planes of the parts that a box may reach, each once.
    fn planes_in(&self, planes: &PlaneSet, bounds: &Bounds) -> Vec<PlaneId> {
        let mut found = Vec::new();
        let mut left = vec![self];
        while let Some(part) = left.pop() {
            if let Some((plane, children)) = &part.around(planes, bounds).division {
                found.push(*plane);
                left.extend(&**children);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a part that a box may reach has this plane.
    fn has_plane_in(&self, wanted: PlaneId, planes: &PlaneSet, bounds: &Bounds) -> bool {
        let division = &self.around(planes, bounds).division;
        division.as_ref().is_some_and(|(plane, children)| {
            let has_plane = |child: &Part| child.has_plane_in(wanted, planes, bounds);
            *plane == wanted || children.iter().any(has_plane)
        })
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
    bounds: Bounds,
    kin: &'a Kin,
    twins: Twins<'a>,
}

impl Prover<'_> {
    /// The kin of the planes that the tree has in the largest place that some places are in; none if these have no
    /// nodes.
    fn kin(&self, blocks: &HullBlocks, alike: &[(Place, Local)]) -> Kin {
        let mut nodes = alike.iter();
        let Some((place, _)) = nodes.find(|(_, root)| matches!(root, Local::Node(_))) else {
            return Kin::default();
        };
        let bounds = blocks.grid.bounds(place.top());
        let planes = self.tree.planes_in(self.planes, &bounds);
        Kin::new(self.planes, &planes, &bounds)
    }

    /// Whether a local tree is right in a block.
    fn holds(&self, root: Local, region: &Region, bounds: Bounds, kin: &Kin) -> bool {
        let tree = self.tree.around(self.planes, &bounds);
        let block = Reached {
            tree,
            bounds,
            kin,
            twins: Twins::new(self.planes, kin, bounds),
        };
        self.is_right(root, region, &block, &mut Vec::new())
    }

    /// Whether a part of a local tree is right in its region.
    fn is_right(
        &self,
        part: Local,
        region: &Region,
        block: &Reached<'_>,
        above: &mut Vec<Above>,
    ) -> bool {
        let node = match part {
            Local::Empty => return self.is_all(block.tree, region, false),
            Local::Solid => return self.is_all(block.tree, region, true),
            Local::Node(number) => self.pool.node(number),
        };
        // Its twins are known of planes that the tree has around here; no other divides what is here.
        if !block.kin.has(node.plane) {
            return false;
        }
        let named = self.pool.twins(node);
        let is_in_tree = |other| block.tree.has_plane_in(other, self.planes, &block.bounds);
        let is_named = |twin| named.binary_search(&twin).is_ok();
        if !block.twins.of(node.plane, above, is_in_tree).all(is_named) {
            return false;
        }
        let parts = region.parts(self.planes, node.plane);
        let mut sides = (0..2).filter(|&side| parts.reaches(side));
        sides.all(|side| {
            above.push((node.plane, side));
            let is_right = self.is_right(node.children[side], parts.of(side), block, above);
            above.pop();
            is_right
        })
    }

    /// Whether a part of the tree is solid for the hull everywhere in a region, or empty everywhere.
    fn is_all(&self, part: &Part, region: &Region, solid: bool) -> bool {
        let bounds = region.bounds();
        let part = part.around(self.planes, &bounds);
        let (None, Some((plane, children))) = (part.is_solid(self.hull), &part.division) else {
            return part.is_solid(self.hull) == Some(solid);
        };
        let parts = region.parts(self.planes, *plane);
        let mut sides = (0..2).filter(|&side| parts.reaches(side));
        sides.all(|side| {
            let child = children[side].around(self.planes, &bounds);
            match child.is_solid(self.hull) {
                Some(other) => other == solid,
                None => self.is_all(child, parts.of(side), solid),
            }
        })
    }
}
