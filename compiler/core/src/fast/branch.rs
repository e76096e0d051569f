//! What stage 9, fast, asks of a branch of a tree: the start of the walks in it, as the number of a node in the file,
//! and the hulls for which a region is all solid or all empty.

use onion_format::{HullSet, Start};
use onion_geometry::{Location, Region, Split};

use crate::bsp::ModelTree;
use crate::bsp::leaf_tree::{Branch, Chart};
use crate::id::HullIndex;

/// Returns each tree with its chart, in which nodes have their numbers in the file.
pub(super) fn charts(trees: &[ModelTree]) -> impl Iterator<Item = (&ModelTree, Chart)> {
    let mut first = 0;
    trees.iter().map(move |tree| {
        let chart = Chart::numbered(&tree.tree, tree.hulls, first);
        first += tree.tree.n_nodes() as u32;
        (tree, chart)
    })
}

impl Branch<'_> {
    /// Returns the start of a hull's walks in the branch: all solid, all empty, or the branch's node.
    #[inline]
    pub(super) fn start(self, hull: HullIndex) -> Start {
        match self.any_and_not_all().map(|hulls| hull.is_in(hulls)) {
            [false, _] => Start::SOLID,
            [_, false] => Start::EMPTY,
            _ => Start(self.number_in_file()),
        }
    }

    /// Returns those of the given hulls for which a region is all solid in the branch, and those for which it is all
    /// empty.
    pub(super) fn alike_in(self, region: &Region, hulls: HullSet) -> [HullSet; 2] {
        let own = self.any_and_not_all().map(|any| hulls.without(any));
        let left = hulls.without(own[0] | own[1]);
        let Some((plane, [front, back])) = self.split().filter(|_| !left.is_empty()) else {
            return own;
        };
        let cut = match region.bounds().locate(&self.planes[plane]) {
            Some(Location::Front) => Split::Front,
            Some(_) => Split::Back,
            None => region.split(self.planes, plane),
        };
        let below = match cut {
            Split::Front => front.alike_in(region, left),
            Split::Back => back.alike_in(region, left),
            Split::Both(in_front, behind) => {
                let [solid, empty] = front.alike_in(&in_front, left);
                let other = back.alike_in(&behind, solid | empty);
                [solid & other[0], empty & other[1]]
            }
        };
        [own[0] | below[0], own[1] | below[1]]
    }
}
