//! The nodes of a hull's tree, read in place. Loading has checked every number; one that is missing all the same makes
//! a walk unclear.

use onion_format::{NodeRecord, Record, Start};

use crate::hull::HullId;
use crate::view::View;

/// The nodes of a file, for a hull.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
    nodes: &'a [[u8; NodeRecord::SIZE]],
    /// The hull's bit in what nodes know of their children.
    bit: u8,
}

impl<'a> Nodes<'a> {
    #[inline(always)]
    pub(super) fn new(map: &View<'a>, hull: HullId) -> Self {
        Self {
            nodes: map.nodes,
            bit: hull.bit,
        }
    }

    #[inline(always)]
    pub(super) fn node(&self, number: u32) -> Option<NodeRecord> {
        Some(NodeRecord::read(self.nodes.get(number as usize)?))
    }

    /// A child of a node. Children follow their nodes, so every walk ends, even if the bytes are others than those
    /// that loading checked.
    #[inline(always)]
    pub(super) fn child(&self, number: u32, node: &NodeRecord, side: usize) -> Start {
        // Bits instead of places in an array, which a processor would have to write first.
        let known = |bits: [u8; 2]| (u16::from_le_bytes(bits) >> (8 * side)) as u8 & self.bit != 0;
        if known(node.resolved) {
            return Start::whole(known(node.solid));
        }
        // Everything is known of a leaf.
        let child = if side == 0 { 0 } else { node.back_node() };
        Start(child.max(number + 1))
    }
}
