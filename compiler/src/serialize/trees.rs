//! Flattens trees into records: nodes in pre-order, leaves in visit order, and the planes that they
//! use, numbered in the order of their first use, so the same trees always give the same bytes.

use std::collections::HashMap;

use onion_format::{Child, HullSet, LeafRecord, NUMBER_BITS, NodePlane, NodeRecord, PlaneRecord};

use crate::bsp::Tree;
use crate::error::CompileError;
use crate::geometry::{PlaneId, PlaneSet};

/// A tree that was written.
pub(super) struct Written {
    /// Its root.
    pub(super) child: Child,
    /// The hulls for which all of it is solid.
    solid: HullSet,
    /// The hulls for which all of it is empty.
    empty: HullSet,
}

/// Flattens trees into records.
pub(super) struct TreeWriter<'a> {
    planes: &'a PlaneSet,
    numbers: HashMap<PlaneId, u32>,
    pub(super) plane_records: Vec<PlaneRecord>,
    pub(super) nodes: Vec<NodeRecord>,
    pub(super) leaves: Vec<LeafRecord>,
    /// Nodes on the longest path so far.
    pub(super) depth: u32,
}

impl<'a> TreeWriter<'a> {
    pub(super) fn new(planes: &'a PlaneSet) -> Self {
        Self {
            planes,
            numbers: HashMap::new(),
            plane_records: Vec::new(),
            nodes: Vec::new(),
            leaves: Vec::new(),
            depth: 0,
        }
    }

    /// Appends a tree for some hulls, whose root is this deep.
    pub(super) fn write(
        &mut self,
        tree: &Tree,
        hulls: HullSet,
        depth: u32,
    ) -> Result<Written, CompileError> {
        self.depth = self.depth.max(depth);
        match tree {
            Tree::Leaf { solidity } => self.write_leaf(*solidity, hulls),
            Tree::Node {
                plane,
                faces,
                children,
                ..
            } => {
                let index = number(self.nodes.len())?;
                let plane = self.plane_number(*plane)?;
                let node = self.node(NodePlane::new(plane, faces[0], faces[1]));
                self.nodes.push(node);
                let (mut solid, mut empty) = (hulls, hulls);
                for (side, child) in children.iter().enumerate() {
                    let written = self.write(child, hulls, depth + 1)?;
                    let node = &mut self.nodes[index as usize];
                    node.children[side] = written.child.0;
                    // Of the hulls that have a bit there.
                    node.resolved[side] = (written.solid | written.empty).bits() as u8;
                    node.solid[side] = written.solid.bits() as u8;
                    solid &= written.solid;
                    empty &= written.empty;
                }
                Ok(Written {
                    child: Child::node(index),
                    solid,
                    empty,
                })
            }
        }
    }

    fn write_leaf(&mut self, solidity: HullSet, hulls: HullSet) -> Result<Written, CompileError> {
        let index = number(self.leaves.len())?;
        self.leaves.push(LeafRecord {
            solidity: solidity.bits(),
        });
        Ok(Written {
            child: Child::leaf(index),
            solid: solidity & hulls,
            empty: hulls.without(solidity),
        })
    }

    /// A node without children.
    fn node(&self, plane: NodePlane) -> NodeRecord {
        let PlaneRecord { normal, dist, .. } = self.plane_records[plane.index() as usize];
        NodeRecord {
            normal,
            plane: plane.0,
            dist,
            children: [0; 2],
            resolved: [0; 2],
            solid: [0; 2],
        }
    }

    /// Bytes of all planes so far.
    pub(super) fn n_plane_bytes(&self) -> usize {
        self.plane_records.len() * PlaneRecord::SIZE
    }

    /// The number of a plane in the file, which it gets here if it has none.
    pub(super) fn plane_number(&mut self, plane: PlaneId) -> Result<u32, CompileError> {
        debug_assert!(plane.is_canonical());
        if let Some(&number) = self.numbers.get(&plane) {
            return Ok(number);
        }
        let number = number(self.plane_records.len())?;
        let entry = &self.planes[plane];
        self.plane_records.push(PlaneRecord {
            // Components of a normal are below 2^31, as its length is 1 within 2^-10.
            normal: entry.plane.normal.map(|component| component as i32).into(),
            axis: entry.axis.map_or(3, u32::from),
            dist: entry.dist,
        });
        self.numbers.insert(plane, number);
        Ok(number)
    }
}

/// The number of the record behind so many.
pub(super) fn number(length: usize) -> Result<u32, CompileError> {
    let number = u32::try_from(length)
        .ok()
        .filter(|&number| number >> NUMBER_BITS == 0);
    number.ok_or(CompileError::TooLarge)
}
