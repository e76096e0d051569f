//! Flattens trees into records: nodes in pre-order, and the planes that they use, numbered in the order of their
//! first use, so the same trees always give the same bytes.

use std::collections::HashMap;

use onion_format::{HullSet, NUMBER_BITS, NodePlane, NodeRecord, PlaneRecord};
use onion_geometry::{PlaneId, PlaneSet};

use crate::bsp::Tree;
use crate::error::CompileError;

/// The hulls for which all of a tree is solid, and the hulls for which all of it is solid or all of it is empty, as
/// bits by their ranks.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) solid: u8,
    resolved: u8,
}

/// A writer that flattens trees into records.
pub(super) struct TreeWriter<'a> {
    planes: &'a PlaneSet,
    numbers: HashMap<PlaneId, u32>,
    pub(super) plane_records: Vec<PlaneRecord>,
    pub(super) nodes: Vec<NodeRecord>,
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
            depth: 0,
        }
    }

    /// Appends a tree for some hulls, whose root is `depth` nodes deep.
    pub(super) fn write(
        &mut self,
        tree: &Tree,
        hulls: HullSet,
        depth: u32,
    ) -> Result<Known, CompileError> {
        self.depth = self.depth.max(depth);
        let (plane, faces, children) = match tree {
            Tree::Leaf { solidity } => {
                return Ok(Known {
                    solid: hulls.ranks_of(*solidity),
                    resolved: hulls.ranks_of(hulls),
                });
            }
            Tree::Node {
                plane,
                faces,
                children,
                ..
            } => (*plane, faces, children),
        };
        let index = self.nodes.len();
        let node = self.node(plane, *faces)?;
        self.nodes.push(node);
        let front = self.write(&children[0], hulls, depth + 1)?;
        let next = number(self.nodes.len())?;
        let back = self.write(&children[1], hulls, depth + 1)?;
        let is_leaf = |side: usize| matches!(children[side], Tree::Leaf { .. });
        let leaf_bit = |side| u32::from(is_leaf(side)) * NodeRecord::LEAF_BITS[side];
        let next = if is_leaf(1) { 0 } else { next };
        let node = &mut self.nodes[index];
        node.back = leaf_bit(0) | leaf_bit(1) | next;
        node.resolved = [front.resolved, back.resolved];
        node.solid = [front.solid, back.solid];
        Ok(Known {
            solid: front.solid & back.solid,
            resolved: front.resolved & back.resolved & !(front.solid ^ back.solid),
        })
    }

    /// Returns a node whose children are not known yet.
    fn node(&mut self, plane: PlaneId, faces: [bool; 2]) -> Result<NodeRecord, CompileError> {
        let plane = NodePlane::new(self.plane_number(plane)?, faces[0], faces[1]);
        let PlaneRecord { normal, dist, .. } = self.plane_records[plane.index() as usize];
        Ok(NodeRecord {
            normal,
            plane: plane.0,
            dist,
            back: 0,
            resolved: [0; 2],
            solid: [0; 2],
        })
    }

    /// Returns the bytes of all planes so far.
    pub(super) fn n_plane_bytes(&self) -> usize {
        self.plane_records.len() * PlaneRecord::SIZE
    }

    /// Returns the number of a plane in the file, which is assigned here if the plane has none.
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

/// Returns the number of the record after `length` records.
pub(super) fn number(length: usize) -> Result<u32, CompileError> {
    let number = u32::try_from(length)
        .ok()
        .filter(|&number| number >> NUMBER_BITS == 0);
    number.ok_or(CompileError::TooLarge)
}
