//! An onion tree laid out flat, and what of it lies in a box. Each part knows for which hulls all of it is
//! solid or empty, so that a hull's own tree can be read off at once.

use onion_format::HullSet;

use crate::bsp::Tree;
use crate::geometry::{Bounds, Location, PlaneId, PlaneSet, Region};
use crate::id::HullId;

/// A part of a tree: what is known of all of it, and the node that divides it, if any does.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The hulls for which all of it is solid, or all of it empty.
    resolved: HullSet,
    /// Of those, the hulls for which it is solid.
    solid: HullSet,
    node: Option<u32>,
}

/// A node that divides a part.
#[derive(Clone, Copy, Debug)]
pub struct Division {
    /// Its plane, canonical.
    pub plane: PlaneId,
    /// The parts in front and behind.
    pub children: [Part; 2],
}

/// A tree, or what of it lies in a box.
#[derive(Clone, Debug)]
pub struct Source {
    nodes: Vec<Division>,
    /// The whole.
    pub root: Part,
}

impl Part {
    /// Whether it is solid for a hull, if all of it is alike.
    pub fn is_solid(&self, hull: HullId) -> Option<bool> {
        let known = hull.is_in(self.resolved);
        known.then_some(hull.is_in(self.solid))
    }

    /// The hulls for which all of it is empty.
    fn empty(&self) -> HullSet {
        self.resolved.without(self.solid)
    }

    fn of_leaf(solidity: HullSet) -> Self {
        Self {
            resolved: HullSet::FULL,
            solid: solidity,
            node: None,
        }
    }
}

impl Source {
    /// A whole tree.
    pub fn new(tree: &Tree) -> Self {
        let mut source = Self {
            nodes: Vec::new(),
            root: Part::of_leaf(HullSet::EMPTY),
        };
        source.root = source.flatten(tree);
        source
    }

    fn flatten(&mut self, tree: &Tree) -> Part {
        match tree {
            Tree::Leaf { solidity } => Part::of_leaf(*solidity),
            Tree::Node {
                plane, children, ..
            } => {
                let children = [&children[0], &children[1]].map(|child| self.flatten(child));
                self.divided(Division {
                    plane: *plane,
                    children,
                })
            }
        }
    }

    fn divided(&mut self, division: Division) -> Part {
        let [front, back] = division.children;
        let node = self.nodes.len() as u32;
        self.nodes.push(division);
        Part {
            resolved: (front.solid & back.solid) | (front.empty() & back.empty()),
            solid: front.solid & back.solid,
            node: Some(node),
        }
    }

    /// The node that divides a part.
    pub fn division(&self, part: Part) -> Option<&Division> {
        part.node.map(|node| &self.nodes[node as usize])
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The planes of the nodes, each once.
    pub fn planes(&self) -> Vec<PlaneId> {
        let mut planes: Vec<_> = self.nodes.iter().map(|node| node.plane).collect();
        planes.sort_unstable();
        planes.dedup();
        planes
    }

    /// Whether a node has this plane.
    pub fn has_plane(&self, plane: PlaneId) -> bool {
        self.nodes.iter().any(|node| node.plane == plane)
    }

    /// Of some hulls, those for which the tree is solid everywhere in a region, and those for which it is empty.
    pub fn alike_in(&self, region: &Region, planes: &PlaneSet, hulls: HullSet) -> [HullSet; 2] {
        self.part_alike_in(self.root, region, planes, hulls)
    }

    fn part_alike_in(
        &self,
        part: Part,
        region: &Region,
        planes: &PlaneSet,
        hulls: HullSet,
    ) -> [HullSet; 2] {
        let is_known = hulls.without(part.resolved).is_empty();
        let Some(Division { plane, children }) = self.division(part).filter(|_| !is_known) else {
            return [part.solid & hulls, part.empty() & hulls];
        };
        let parts = region.parts(planes, *plane);
        let sides = (0..2).filter(|&side| parts.reaches(side));
        sides.fold([hulls; 2], |[solid, empty], side| {
            let left = solid | empty;
            let alike = self.part_alike_in(children[side], parts.of(side), planes, left);
            [solid & alike[0], empty & alike[1]]
        })
    }

    /// What of the tree lies in a box: without nodes whose planes certainly miss it.
    pub fn within(&self, planes: &PlaneSet, bounds: &Bounds) -> Self {
        let mut source = Self {
            nodes: Vec::with_capacity(self.nodes.len() / 2),
            root: Part::of_leaf(HullSet::EMPTY),
        };
        source.root = self.copy(self.root, planes, bounds, &mut source);
        source
    }

    fn copy(&self, mut part: Part, planes: &PlaneSet, bounds: &Bounds, to: &mut Self) -> Part {
        while let Some(Division { plane, children }) = self.division(part) {
            part = match bounds.locate(&planes[*plane]) {
                Some(Location::Front) => children[0],
                Some(_) => children[1],
                None => {
                    let children = children.map(|child| self.copy(child, planes, bounds, to));
                    return to.divided(Division {
                        plane: *plane,
                        children,
                    });
                }
            };
        }
        part
    }
}
