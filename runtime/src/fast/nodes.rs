//! The nodes of a hull's tree, read in place. Loading has checked every number; if one is missing nevertheless, the
//! walk is unclear.

use onion_format::{NodeRecord, Record, Start};

use crate::file::hull::HullId;
use crate::file::view::View;

/// The nodes of a file, read for one hull.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
    /// The nodes of all trees of the file; a walk meets only those of its own tree.
    nodes: &'a [[u8; NodeRecord::SIZE]],
    /// The hull's bit in the masks of nodes.
    bit: u8,
}

impl<'a> Nodes<'a> {
    /// Returns the nodes of a file, to be read for a hull of the file.
    #[inline(always)]
    pub(super) fn new(map: &View<'a>, hull: HullId) -> Self {
        Self {
            nodes: map.nodes,
            bit: hull.bit,
        }
    }

    /// Returns a node, or `None` if the bytes have changed since loading checked them.
    #[inline(always)]
    pub(super) fn node(&self, number: u32) -> Option<NodeRecord> {
        Some(NodeRecord::read(self.nodes.get(number as usize)?))
    }

    /// Returns a child of a node. Children follow their nodes, so every walk ends, even if the bytes have changed
    /// since loading checked them.
    #[inline(always)]
    pub(super) fn child(&self, number: u32, node: &NodeRecord, side: usize) -> Start {
        // Shifts instead of array indexing, for which the array would have to be stored first.
        let known = |bits: [u8; 2]| (u16::from_le_bytes(bits) >> (8 * side)) as u8 & self.bit != 0;
        if known(node.resolved) {
            return Start::whole(known(node.solid));
        }
        // A leaf is always resolved for every hull of its tree, so this child is a node.
        // The front child follows its node and has no number of its own.
        let child = if side == 0 { 0 } else { node.back_node() };
        Start(child.max(number + 1))
    }
}
