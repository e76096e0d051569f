//! The local trees of a file: their nodes, the planes of these, and the lists of twins, read in place. Loading has
//! checked every number; one that is missing all the same makes a walk unclear.

use onion_format::{LocalChild, LocalRecord, PlaneRecord, Record, TwinRecord};

use crate::view::View;

/// The local trees of a file.
#[derive(Clone, Copy)]
pub(super) struct Trees<'a> {
    nodes: &'a [[u8; LocalRecord::SIZE]],
    twins: &'a [[u8; TwinRecord::SIZE]],
    planes: &'a [[u8; PlaneRecord::SIZE]],
}

impl<'a> Trees<'a> {
    #[inline(always)]
    pub(super) fn new(map: &View<'a>) -> Self {
        Self {
            nodes: map.locals().all_bytes().as_chunks().0,
            twins: map.twins().all_bytes().as_chunks().0,
            planes: map.planes,
        }
    }

    #[inline(always)]
    pub(super) fn node(&self, number: u32) -> Option<LocalRecord> {
        Some(LocalRecord::read(self.nodes.get(number as usize)?))
    }

    /// A child of a node. Children come before their nodes, so every walk ends, even if the bytes are others than those
    /// that loading checked; none for a child that does not.
    #[inline(always)]
    pub(super) fn child(&self, node: LocalChild, child: u32) -> Option<LocalChild> {
        let child = LocalChild(child);
        (child.is_leaf() || child.0 < node.0).then_some(child)
    }

    #[inline(always)]
    pub(super) fn plane(&self, number: u32) -> Option<PlaneRecord> {
        Some(PlaneRecord::read(self.planes.get(number as usize)?))
    }

    /// The twins from the record of this number on, to the end of the file.
    #[inline(always)]
    pub(super) fn twins_from(&self, first: u32) -> Option<&'a [[u8; TwinRecord::SIZE]]> {
        self.twins.get(first as usize..)
    }
}
