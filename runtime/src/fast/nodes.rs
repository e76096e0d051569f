//! The nodes of a hull's tree, read in place. Loading has checked every number; one that is missing all the same makes
//! a walk unclear.

use onion_format::{Child, HullSet, KNOWN_HULLS, LeafRecord, NodeRecord, Record, Start};

use crate::hull::HullId;
use crate::records::Records;
use crate::view::View;

/// The nodes of a file, for a hull.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
    nodes: &'a [[u8; NodeRecord::SIZE]],
    leaves: Records<'a, LeafRecord>,
    /// The hull alone.
    hull: HullSet,
    /// The hull's bit in what nodes know of their children; none of a hull that has no bit there.
    bit: u8,
}

impl<'a> Nodes<'a> {
    #[inline(always)]
    pub(super) fn new(map: &View<'a>, hull: HullId) -> Self {
        let known = hull.alone() & HullSet::all(KNOWN_HULLS);
        Self {
            nodes: map.nodes,
            leaves: map.leaves(),
            hull: hull.alone(),
            bit: known.bits() as u8,
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
        let [front, back] = node.children;
        let child = Child(if side == 0 { front } else { back });
        if child.is_leaf() {
            return self.leaf(child);
        }
        Start(child.0.max(number + 1))
    }

    /// A leaf, for a hull of which nodes do not tell; solid if it is not there.
    #[cold]
    fn leaf(&self, leaf: Child) -> Start {
        let record = self.leaves.get(leaf.index() as usize);
        let solidity = record.map_or(HullSet::FULL, |leaf| HullSet::from_bits(leaf.solidity));
        Start::whole(solidity.intersects(self.hull))
    }
}
