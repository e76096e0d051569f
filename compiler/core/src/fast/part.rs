//! Trees with the data that blocks need: the number of each node in the file, and the hulls for which everything
//! below it is solid or empty.

use onion_format::{HullSet, Start};
use onion_geometry::{Location, PlaneId, PlaneSet, Region};

use crate::bsp::Tree;
use crate::id::HullIndex;

/// A tree or a subtree.
pub struct Subtree {
    /// The number of its node in the file, or of the next node if this is a leaf.
    number: u32,
    /// The hulls for which all of it is solid.
    solid: HullSet,
    /// The hulls for which all of it is empty.
    empty: HullSet,
    /// The plane, and the parts in front of and behind it, or `None` if this is a leaf.
    pub division: Option<(PlaneId, Box<[Subtree; 2]>)>,
}

impl Subtree {
    /// Numbers a tree from `next`, which becomes the number of the node after its last.
    pub fn new(tree: &Tree, next: &mut u32) -> Self {
        let number = *next;
        match tree {
            Tree::Leaf { solidity } => Self {
                number,
                solid: *solidity,
                empty: !*solidity,
                division: None,
            },
            Tree::Node {
                plane, children, ..
            } => {
                *next += 1;
                let [front, back] = &**children;
                let children = [Self::new(front, next), Self::new(back, next)];
                Self {
                    number,
                    solid: children[0].solid & children[1].solid,
                    empty: children[0].empty & children[1].empty,
                    division: Some((*plane, Box::new(children))),
                }
            }
        }
    }

    /// Returns the start of walks of a hull that lie in it.
    pub fn start(&self, hull: HullIndex) -> Start {
        match (hull.is_in(self.solid), hull.is_in(self.empty)) {
            (true, _) => Start::SOLID,
            (_, true) => Start::EMPTY,
            _ => Start(self.number),
        }
    }

    /// Whether this part is the node at which walks begin.
    pub fn is_node(&self, start: Start) -> bool {
        self.division.is_some() && start == Start(self.number)
    }

    /// Returns the given hulls for which all of it is solid in a region, and those for which all of it is empty
    /// there.
    pub fn alike_in(&self, region: &Region, planes: &PlaneSet, hulls: HullSet) -> [HullSet; 2] {
        let own = [self.solid & hulls, self.empty & hulls];
        let open = hulls.without(own[0] | own[1]);
        let Some((plane, children)) = self.division.as_ref().filter(|_| !open.is_empty()) else {
            return own;
        };
        let mut below = [open; 2];
        match region.bounds().locate(&planes[*plane]) {
            Some(side) => {
                let child = &children[usize::from(side != Location::Front)];
                below = child.alike_in(region, planes, open);
            }
            None => {
                let parts = region.parts(planes, *plane);
                for side in (0..2).filter(|&side| parts.reaches(side)) {
                    let open = below[0] | below[1];
                    let alike = children[side].alike_in(parts.of(side), planes, open);
                    below = [below[0] & alike[0], below[1] & alike[1]];
                }
            }
        }
        [own[0] | below[0], own[1] | below[1]]
    }
}
