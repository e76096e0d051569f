//! The space that is filled: a flooded tree in, with the hulls that reach each of its leaves, and the hulls to fill; an
//! answer for each point out, solid or not, which stage 7, tree, asks for.

use onion_format::HullSet;
use onion_geometry::{PlaneSet, PointH};

use crate::bsp::leaf_tree::LeafTree;
use crate::id::HullIndex;

/// The leaves of a flooded tree. A leaf is solid for the hulls of `filled` that do not reach it.
#[derive(Clone, Debug)]
pub struct FilledSpace {
    pub(crate) tree: LeafTree,
    /// For each leaf, the hulls that reach it.
    pub(crate) reached: Vec<HullSet>,
    /// The hulls for which the rest is filled.
    pub(crate) filled: HullSet,
}

impl FilledSpace {
    /// Whether a hull does not reach the leaf around a point, or `None` if the point lies on a plane between leaves.
    pub(crate) fn solid_at(
        &self,
        planes: &PlaneSet,
        hull: HullIndex,
        point: &PointH,
    ) -> Option<bool> {
        let leaf = self.tree.leaf_around(planes, point)?;
        Some(!hull.is_in(self.reached[leaf as usize]))
    }
}
