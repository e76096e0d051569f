//! The onion BSP tree as a value: nodes that split a convex cell by a plane, and leaves that say for which
//! hulls all of their cell is solid. [`crate::tree`] builds trees, [`crate::verify`] reads them from a
//! file; the audit, the portals and the serializer walk them.

use crate::geometry::PlaneId;

/// A tree or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// A cell that is wholly solid or empty for every hull.
    Leaf {
        /// Bit `h` is set when it is solid for hull `h`.
        solidity: u64,
    },
    /// A cell that is split by a plane.
    Node {
        /// The plane, in its canonical facing.
        plane: PlaneId,
        /// Whether faces in the plane look to its front, and whether any look to its back.
        faces: [bool; 2],
        /// Whose faces lie in it inside the cell, in order, none twice; nobody's in a tree that was read
        /// from a file.
        owners: Box<[Owner]>,
        /// The parts in front of and behind the plane.
        children: Box<[Tree; 2]>,
    },
}

/// Whose face lies in the plane of a node, inside its cell: a hull's and, of those, a brush's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// Number of the hull.
    pub hull: u8,
    /// Number of the brush in its model.
    pub brush: u32,
}

/// The tree of a model for a group of hulls, and the box it was built in.
#[derive(Clone, Debug)]
pub struct ModelTree {
    /// Number of the model.
    pub model: usize,
    /// The hulls that share the tree, one bit each.
    pub hulls: u64,
    /// The tree.
    pub tree: Tree,
    /// The six planes of the box around all expanded brushes, with a unit to spare. No brush is
    /// outside of it, and the outermost leaves reach beyond it.
    pub bounds: [PlaneId; 6],
}

impl Tree {
    /// Number of its nodes.
    pub fn n_nodes(&self) -> usize {
        match self {
            Self::Leaf { .. } => 0,
            Self::Node { children, .. } => {
                let [front, back] = &**children;
                1 + front.n_nodes() + back.n_nodes()
            }
        }
    }
}
