//! The onion BSP tree as a value: nodes that split a convex cell by a plane, and leaves that list the hulls for which
//! their whole cell is solid. [`crate::tree`] builds trees, [`mod@crate::verify`] reads them from a file; the audit,
//! the portals and the serializer walk them.

pub mod leaf_tree;

use onion_format::HullSet;
use onion_geometry::PlaneId;

use crate::id::{ModelId, Owner};
use crate::union::Face;

/// A tree or a subtree.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A cell that, for every hull, is all solid or all empty.
    Leaf {
        /// The hulls for which it is solid.
        solidity: HullSet,
    },
    /// A cell that is split by a plane.
    Node {
        /// The plane, in its canonical facing.
        plane: PlaneId,
        /// Whether any face in the plane faces its front, and whether any faces its back. Both are false in a tree that
        /// was read from a file.
        faces: [bool; 2],
        /// The owners of the faces that lie in the plane inside the cell, in order, without duplicates. Empty in a tree
        /// that was read from a file.
        owners: Box<[Owner]>,
        /// These faces themselves, if they belong to several sides of brushes; otherwise empty.
        shared: Box<[Face]>,
        /// The parts in front of and behind the plane.
        children: Box<[Tree; 2]>,
    },
}

/// The tree of a model for a group of hulls, and the box it was built in.
#[derive(Clone, Debug)]
pub struct ModelTree {
    /// The model.
    pub model: ModelId,
    /// The hulls that share the tree.
    pub hulls: HullSet,
    /// The tree.
    pub tree: Tree,
    /// The six planes of the box around all expanded brushes, with a unit to spare. No brush is outside of it, and the
    /// outermost leaves reach beyond it.
    pub bounds: [PlaneId; 6],
}

impl Tree {
    /// Returns the nodes, in pre-order.
    pub fn nodes(&self) -> Vec<&Self> {
        let mut nodes = Vec::new();
        let mut pending = vec![self];
        while let Some(tree) = pending.pop() {
            if let Self::Node { children, .. } = tree {
                nodes.push(tree);
                pending.extend(children.iter().rev());
            }
        }
        nodes
    }

    /// Returns the planes of the nodes, in pre-order.
    pub fn planes(&self) -> impl Iterator<Item = PlaneId> {
        let nodes = self.nodes().into_iter();
        nodes.filter_map(|node| match node {
            Self::Node { plane, .. } => Some(*plane),
            Self::Leaf { .. } => None,
        })
    }

    /// Makes a node that has the owners of its faces, but not the faces or their facing.
    pub fn node(plane: PlaneId, owners: &[Owner], children: [Self; 2]) -> Self {
        Self::Node {
            plane,
            faces: [false; 2],
            owners: owners.into(),
            shared: Box::default(),
            children: Box::new(children),
        }
    }

    /// Returns the number of nodes.
    pub fn n_nodes(&self) -> usize {
        match self {
            Self::Leaf { .. } => 0,
            Self::Node { children, .. } => 1 + children.iter().map(Self::n_nodes).sum::<usize>(),
        }
    }

    /// Returns the number of nodes on the longest path to a leaf.
    pub fn depth(&self) -> u32 {
        match self {
            Self::Leaf { .. } => 0,
            Self::Node { children, .. } => 1 + children[0].depth().max(children[1].depth()),
        }
    }
}
