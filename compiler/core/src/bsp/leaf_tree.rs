//! A tree in a form to search: nodes and leaves are numbered in pre-order, and each leaf is marked with a set of hulls.
//! A branch knows the hulls that mark any of its leaves, and those that do not mark all of them. In a [`Chart`], the
//! hulls for which a leaf is empty mark it.

use onion_format::HullSet;
use onion_geometry::plane::PlaneEntry;
use onion_geometry::{Cell, Location, PlaneId, PlaneSet, PointH, Split, Winding};

use crate::bsp::Tree;

/// A node or a leaf of a [`LeafTree`].
#[derive(Clone, Copy, Debug)]
pub enum NodeOrLeaf {
    /// The node with this number.
    Node(u32),
    /// The leaf with this number.
    Leaf(u32),
}

/// A tree whose nodes and leaves are numbered in pre-order.
#[derive(Clone, Debug)]
pub struct LeafTree {
    /// The first node, or the only leaf.
    root: NodeOrLeaf,
    /// For each node, its plane and what is in front of and behind it.
    nodes: Vec<(PlaneId, [NodeOrLeaf; 2])>,
    /// For each leaf, the hulls for which it is solid.
    pub solidity: Vec<HullSet>,
    /// The number of its first node in a file with several trees.
    first_node: u32,
}

impl LeafTree {
    /// Numbers a tree's nodes and leaves.
    pub fn new(tree: &Tree) -> Self {
        let mut numbered = Self {
            root: NodeOrLeaf::Leaf(0),
            nodes: Vec::new(),
            solidity: Vec::new(),
            first_node: 0,
        };
        numbered.root = numbered.add(tree);
        numbered
    }

    fn add(&mut self, tree: &Tree) -> NodeOrLeaf {
        match tree {
            Tree::Leaf { solidity } => {
                self.solidity.push(*solidity);
                NodeOrLeaf::Leaf(self.solidity.len() as u32 - 1)
            }
            Tree::Node {
                plane, children, ..
            } => {
                let number = self.nodes.len();
                self.nodes.push((*plane, [NodeOrLeaf::Leaf(0); 2]));
                self.nodes[number].1 = children.each_ref().map(|child| self.add(child));
                NodeOrLeaf::Node(number as u32)
            }
        }
    }

    /// Returns the root of the tree.
    pub fn root(&self) -> NodeOrLeaf {
        self.root
    }

    /// Returns the plane of a node, and the children in front of it and behind it.
    pub fn node(&self, number: u32) -> (PlaneId, [NodeOrLeaf; 2]) {
        self.nodes[number as usize]
    }

    /// Marks each leaf with a set of hulls, and gathers the marks up to the root.
    pub(crate) fn marks(&self, leaves: Vec<HullSet>) -> Marks {
        let mut marks = Marks {
            leaves,
            nodes: vec![[HullSet::EMPTY; 2]; self.nodes.len()],
        };
        // Children have higher numbers than their node.
        for (number, (_, children)) in self.nodes.iter().enumerate().rev() {
            let [[any, not_all], [other_any, other_not_all]] =
                children.map(|child| marks.of(child));
            marks.nodes[number] = [any | other_any, not_all | other_not_all];
        }
        marks
    }

    /// Returns the whole tree as a branch.
    pub(crate) fn whole<'a>(&'a self, planes: &'a PlaneSet, marks: &'a Marks) -> Branch<'a> {
        Branch {
            planes,
            tree: self,
            marks,
            root: self.root,
        }
    }

    /// Returns the leaf that contains a point, or `None` if the point lies on a plane between leaves.
    pub(crate) fn leaf_around(&self, planes: &PlaneSet, point: &PointH) -> Option<u32> {
        match self.leaves_touching(planes, point)[..] {
            [leaf] => Some(leaf),
            _ => None,
        }
    }

    /// Returns the leaves that contain a point or touch it, in pre-order.
    pub(crate) fn leaves_touching(&self, planes: &PlaneSet, point: &PointH) -> Vec<u32> {
        let mut found = Vec::new();
        let mut pending = vec![self.root];
        while let Some(part) = pending.pop() {
            match part {
                NodeOrLeaf::Leaf(leaf) => found.push(leaf),
                NodeOrLeaf::Node(node) => {
                    let (plane, [front, back]) = self.node(node);
                    let location = point.locate(&planes[plane]);
                    pending.extend((location != Location::Front).then_some(back));
                    pending.extend((location != Location::Back).then_some(front));
                }
            }
        }
        found
    }
}

/// The sets of hulls that mark the leaves of a tree.
pub(crate) struct Marks {
    /// For each leaf, the hulls that mark it.
    leaves: Vec<HullSet>,
    /// For each node, the hulls that mark any leaf below, and those that do not mark all leaves below.
    nodes: Vec<[HullSet; 2]>,
}

impl Marks {
    /// Returns the hulls that mark any leaf of a branch, and those that do not mark all of them.
    #[inline]
    fn of(&self, root: NodeOrLeaf) -> [HullSet; 2] {
        match root {
            NodeOrLeaf::Node(node) => self.nodes[node as usize],
            NodeOrLeaf::Leaf(leaf) => [self.leaves[leaf as usize], !self.leaves[leaf as usize]],
        }
    }
}

/// A tree whose leaves are marked with the hulls for which they are empty.
pub struct Chart {
    tree: LeafTree,
    /// The marks: the hulls for which each leaf is empty.
    empty: Marks,
}

impl Chart {
    /// Makes the chart of a tree, which has these hulls.
    pub fn new(tree: &Tree, hulls: HullSet) -> Self {
        Self::numbered(tree, hulls, 0)
    }

    /// Makes the chart of a tree, given the number of its first node in the file.
    pub(crate) fn numbered(tree: &Tree, hulls: HullSet, first_node: u32) -> Self {
        let tree = LeafTree {
            first_node,
            ..LeafTree::new(tree)
        };
        let empty = tree.solidity.iter().map(|&solid| hulls.without(solid));
        Self {
            empty: tree.marks(empty.collect()),
            tree,
        }
    }

    /// Returns the whole tree as a branch.
    pub fn whole<'a>(&'a self, planes: &'a PlaneSet) -> Branch<'a> {
        self.tree.whole(planes, &self.empty)
    }
}

/// Returns the side of a plane that certainly contains all of a shape, or `None` if neither side certainly does.
pub(crate) type Locate<'a> = dyn Fn(&PlaneEntry) -> Option<Location> + 'a;

/// A part of a marked tree: a node with everything below it, or a leaf.
#[derive(Clone, Copy)]
pub struct Branch<'a> {
    /// The planes of the tree.
    pub(crate) planes: &'a PlaneSet,
    tree: &'a LeafTree,
    /// The marks of its leaves.
    marks: &'a Marks,
    /// Where the branch begins.
    pub(crate) root: NodeOrLeaf,
}

impl Branch<'_> {
    /// Returns the number of the branch's node or leaf.
    pub(crate) fn number(self) -> u32 {
        match self.root {
            NodeOrLeaf::Node(number) | NodeOrLeaf::Leaf(number) => number,
        }
    }

    /// Returns the number of the branch's node in the file.
    pub(crate) fn number_in_file(self) -> u32 {
        self.tree.first_node + self.number()
    }

    /// Returns the hulls that mark any leaf, and those that do not mark all leaves. In a chart, these are the hulls for
    /// which any leaf is empty, and those for which any leaf is not.
    #[inline]
    pub(crate) fn any_and_not_all(self) -> [HullSet; 2] {
        self.marks.of(self.root)
    }

    /// Returns the hulls that mark any leaf.
    pub(crate) fn any(self) -> HullSet {
        self.any_and_not_all()[0]
    }

    /// Returns the hulls that do not mark all leaves.
    pub(crate) fn not_all(self) -> HullSet {
        self.any_and_not_all()[1]
    }

    /// Returns another branch of the same tree.
    #[inline]
    pub(crate) fn with_root(self, root: NodeOrLeaf) -> Self {
        Self { root, ..self }
    }

    /// Returns the plane of a node and its children, front and back, or `None` if this is a leaf.
    #[inline]
    pub(crate) fn children(self) -> Option<(PlaneId, [NodeOrLeaf; 2])> {
        match self.root {
            NodeOrLeaf::Node(node) => Some(self.tree.node(node)),
            NodeOrLeaf::Leaf(_) => None,
        }
    }

    /// Returns the plane of a node and the parts in front of it and behind it, or `None` if this is a leaf.
    #[inline]
    pub(crate) fn split(self) -> Option<(PlaneId, [Self; 2])> {
        let (plane, children) = self.children()?;
        Some((plane, children.map(|child| self.with_root(child))))
    }

    /// Whether a cell shares volume with a leaf that is marked by any of `hulls`.
    pub(crate) fn meets(self, cell: &Cell, hulls: HullSet) -> bool {
        let is_marked = self.any().intersects(hulls);
        let split = self.split().filter(|_| is_marked);
        let Some((plane, [front, back])) = split else {
            return is_marked;
        };
        match cell.split(self.planes, plane) {
            Split::Front => front.meets(cell, hulls),
            Split::Back => back.meets(cell, hulls),
            Split::Both(in_front, behind) => {
                front.meets(&in_front, hulls) || back.meets(&behind, hulls)
            }
        }
    }

    /// Whether a leaf that is marked by any of `hulls` lies directly in front of a part of a winding that has an area.
    pub(crate) fn touches_front_of(self, winding: &Winding, hulls: HullSet) -> bool {
        self.find_in_front_of(winding, hulls, &mut |_| true)
    }

    /// Divides a winding into parts and calls `is_found` with each part that lies directly behind leaves marked by any
    /// of `hulls`, until a call returns true. Whether one did.
    pub(crate) fn find_in_front_of(
        self,
        winding: &Winding,
        hulls: HullSet,
        is_found: &mut impl FnMut(&Winding) -> bool,
    ) -> bool {
        let [any, not_all] = self.any_and_not_all();
        if !any.intersects(hulls) {
            return false;
        }
        let split = self.split().filter(|_| not_all.intersects(hulls));
        let Some((plane, [front, back])) = split else {
            return is_found(winding);
        };
        match winding.split(self.planes, plane) {
            Some(Split::Front) => front.find_in_front_of(winding, hulls, is_found),
            Some(Split::Back) => back.find_in_front_of(winding, hulls, is_found),
            None => {
                let [own, other] = [winding.plane, plane].map(|plane| self.planes[plane].normal);
                let ahead = if own.dot(other) > 0.0 { front } else { back };
                ahead.find_in_front_of(winding, hulls, is_found)
            }
            Some(Split::Both(in_front, behind)) => {
                front.find_in_front_of(&in_front, hulls, is_found)
                    || back.find_in_front_of(&behind, hulls, is_found)
            }
        }
    }

    /// Whether a shape may share volume with a leaf that is marked by any of `hulls`. `locate` returns the side of a
    /// plane that contains the shape.
    pub(crate) fn may_meet(self, locate: &Locate<'_>, hulls: HullSet) -> bool {
        let is_marked = self.any().intersects(hulls);
        let split = self.split().filter(|_| is_marked);
        split.map_or(is_marked, |(plane, [front, back])| {
            let side = locate(&self.planes[plane]);
            side != Some(Location::Back) && front.may_meet(locate, hulls)
                || side != Some(Location::Front) && back.may_meet(locate, hulls)
        })
    }
}
