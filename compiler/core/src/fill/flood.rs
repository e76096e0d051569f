//! Part of stage 4, fill: the flood of a set of hulls. It quickly builds a temporary tree over the skins of these
//! hulls, and floods the tree through its portals from the seeds (Carmack's filling of the outside), for all hulls at
//! once. The results are the hulls that reach each leaf and, for a hull that leaks, the path out of the map.

use std::borrow::Cow;

use onion_format::HullSet;
use onion_geometry::PlaneSet;

use crate::bsp::ModelTree;
use crate::bsp::leaf_tree::LeafTree;
use crate::error::CompileError;
use crate::expand::ModelSolids;
use crate::fill::filled_space::FilledSpace;
use crate::fill::leak::{self, Leak};
use crate::fill::portals::Portals;
use crate::fill::seeds::Seed;
use crate::id::HullIndex;
use crate::tree;
use crate::tree::splitter::CellFace;
use crate::union::Face;

/// A temporary tree, its portals, and the hulls that reach each leaf.
pub struct Flood {
    /// The tree, with the planes of its bounding box.
    pub sketch: ModelTree,
    /// The same tree, with its nodes and leaves numbered.
    pub tree: LeafTree,
    /// The portals between its leaves.
    pub portals: Portals,
    /// For each leaf, the hulls that reach it.
    pub reached: Vec<HullSet>,
    /// The seeds, each with the leaves that it touches and that are not solid for its hull.
    starts: Vec<(Seed, Vec<u32>)>,
}

impl Flood {
    /// Floods the world for `hulls` from their seeds. `stances` lists sets of hulls: where one hull of a set gets, all
    /// hulls of the set that fit there get too.
    ///
    /// # Errors
    /// The temporary tree is deeper than the format allows.
    pub fn new(
        world: &ModelSolids,
        hulls: HullSet,
        skin: &[Face],
        seeds: &[Seed],
        stances: &[HullSet],
        planes: &mut PlaneSet,
    ) -> Result<Self, CompileError> {
        let own = || skin.iter().filter(|face| face.owner.hull.is_in(hulls));
        // Allocated at the exact size, because there are many faces.
        let mut faces = Vec::with_capacity(own().count());
        faces.extend(own().map(|face| CellFace::new(face.owner, Cow::Borrowed(&face.winding))));
        let sketch = tree::sketch(world, hulls, faces, planes)?;
        let tree = LeafTree::new(&sketch.tree);
        let portals = Portals::new(&tree, planes, sketch.bounds);
        let start = |seed: &Seed| {
            let mut leaves = tree.leaves_touching(planes, &seed.point);
            leaves.retain(|&leaf| !seed.hull.is_in(tree.solidity[leaf as usize]));
            (seed.clone(), leaves)
        };
        let seeds = seeds.iter().filter(|seed| seed.hull.is_in(hulls));
        let starts: Vec<_> = seeds.map(start).collect();
        let reached = reached(&tree, &portals, &starts, stances);
        Ok(Self {
            sketch,
            tree,
            portals,
            reached,
            starts,
        })
    }

    /// Returns the space to fill for the hulls `filled`: what they do not reach.
    pub(super) fn fill(self, filled: HullSet) -> FilledSpace {
        FilledSpace {
            tree: self.tree,
            reached: self.reached,
            filled,
        }
    }

    /// Whether a hull reaches a leaf that touches the box of the tree, and thus gets out of the map.
    pub fn leaks(&self, hull: HullIndex) -> bool {
        let mut leaves = self.portals.leaves.iter().zip(&self.reached);
        leaves.any(|(place, &reached)| place.exit.is_some() && hull.is_in(reached))
    }

    /// Returns the path out of the map from a seed of any of `stances`, attributed to `hull`, or `None` if `hull` does
    /// not leak.
    pub fn path_out(&self, hull: HullIndex, stances: HullSet) -> Option<Leak> {
        if !self.leaks(hull) {
            return None;
        }
        leak::path_out(&self.portals, &self.starts, hull, stances)
    }
}

/// Returns, for each leaf, the hulls that reach it from the seeds.
fn reached(
    tree: &LeafTree,
    portals: &Portals,
    starts: &[(Seed, Vec<u32>)],
    stances: &[HullSet],
) -> Vec<HullSet> {
    // Adds all stances of some hulls, and removes the hulls for which a leaf is solid.
    let with_stances = |hulls: HullSet, leaf: u32| {
        let taken = stances.iter().filter(|stances| stances.intersects(hulls));
        let taken = taken.fold(HullSet::EMPTY, |all, &stances| all | stances);
        taken.without(tree.solidity[leaf as usize])
    };
    let neighbors = portals.neighbors();
    let mut reached = vec![HullSet::EMPTY; portals.leaves.len()];
    // For each leaf, the hulls that have reached it and have not been passed on to its neighbors yet.
    let mut fresh = vec![HullSet::EMPTY; portals.leaves.len()];
    let mut pending = Vec::new();
    for (seed, leaves) in starts {
        for &leaf in leaves {
            fresh[leaf as usize] |= with_stances(seed.hull.alone(), leaf);
            pending.push(leaf);
        }
    }
    while let Some(leaf) = pending.pop() {
        let hulls = std::mem::take(&mut fresh[leaf as usize]);
        reached[leaf as usize] |= hulls;
        for (other, portal) in neighbors.of(leaf) {
            let open = hulls & portals.list[portal as usize].hulls;
            let known = &mut fresh[other as usize];
            let new = open.without(reached[other as usize] | *known);
            if !new.is_empty() {
                *known |= with_stances(new, other).without(reached[other as usize]);
                pending.push(other);
            }
        }
    }
    reached
}
