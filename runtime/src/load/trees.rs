//! Checks the trees. Nodes are in pre-order and leaves are numbered in the order of visits, so one pass with a stack
//! of fixed size proves that every tree is a tree: no cycle, no sharing, no unreachable record, no path deeper than
//! the format allows. The pass also checks what nodes say about their children.

use onion_format::{
    Child, HullSet, InfoRecord, LeafRecord, MAX_DEPTH, ModelRecord, NodePlane, NodeRecord,
    PlaneRecord, Record, RootRecord,
};

use crate::error::LoadError;
use crate::stack::Stack;
use crate::view::View;

pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    let mut order = PreOrder::default();
    if map.models().is_empty() {
        return Err(LoadError::record(ModelRecord::TAG, 0));
    }
    for (index, model) in map.models().iter().enumerate() {
        let numbers = [model.mins, model.maxs, model.origin];
        if !numbers
            .as_flattened()
            .iter()
            .all(|number| number.is_finite())
        {
            return Err(LoadError::record(ModelRecord::TAG, index));
        }
        for (group, root) in map.roots_of(index).enumerate() {
            if !order.expects(root) {
                return Err(LoadError::record(
                    RootRecord::TAG,
                    index * map.layout.n_groups + group,
                ));
            }
            order.check_tree(map, root, map.hulls_of_group(group))?;
        }
    }
    if order.n_nodes as usize != map.nodes.len() {
        return Err(LoadError::record(NodeRecord::TAG, order.n_nodes as usize));
    }
    if order.n_leaves as usize != map.leaves().len() {
        return Err(LoadError::record(LeafRecord::TAG, order.n_leaves as usize));
    }
    let patch_error = map.info().get(0).map_or(0.0, |info| info.patch_error);
    let is_error = patch_error.is_finite() && patch_error > 0.0;
    if order.depth != map.layout.depth || !is_error {
        return Err(LoadError::record(InfoRecord::TAG, 0));
    }
    Ok(())
}

/// What is known of a node or leaf: for which hulls all of it is solid or empty, and for which solid.
#[derive(Clone, Copy, Default)]
struct Known {
    resolved: u8,
    solid: u8,
}

impl Known {
    /// What a node knows of a child.
    fn of(node: &NodeRecord, side: usize) -> Self {
        Self {
            resolved: node.resolved[side],
            solid: node.solid[side],
        }
    }

    /// Whether it agrees with what is known of what it is a part of.
    fn follows(self, above: Self) -> bool {
        (self.solid & !self.resolved == 0)
            & (above.resolved & !self.resolved == 0)
            & (self.solid & above.resolved == above.solid)
    }
}

/// Whether a node has its plane as the file has it.
fn has_plane(node: &NodeRecord, plane: &PlaneRecord) -> bool {
    node.normal == plane.normal && node.dist.to_bits() == plane.dist.to_bits()
}

/// The nodes and leaves seen so far in the walk over all trees, and the deepest path.
#[derive(Default)]
struct PreOrder {
    n_nodes: u32,
    n_leaves: u32,
    depth: u32,
}

impl PreOrder {
    /// Whether `child` is the next node or leaf of the pre-order.
    fn expects(&self, child: Child) -> bool {
        child.index()
            == if child.is_leaf() {
                self.n_leaves
            } else {
                self.n_nodes
            }
    }

    fn check_tree(&mut self, map: &View<'_>, root: Child, hulls: HullSet) -> Result<(), LoadError> {
        let hulls = hulls.bits();
        // Back children still to come, each with the number of nodes above it.
        let mut places = [(Child(0), 0, Known::default()); MAX_DEPTH];
        let mut pending = Stack::on(&mut places);
        let (mut next, mut depth, mut known) = (root, 0, Known::default());
        loop {
            if next.is_leaf() {
                let index = self.n_leaves as usize;
                let leaf = map.leaves().get(index);
                let right = |LeafRecord { solidity }| {
                    // Everything is known of a leaf below a node.
                    let all = depth == 0
                        || (known.resolved == hulls as u8 && known.solid == solidity as u8);
                    all && solidity & !hulls == 0
                };
                if !leaf.is_some_and(right) {
                    return Err(LoadError::record(LeafRecord::TAG, index));
                }
                self.n_leaves += 1;
                let Some(waiting) = pending.pop() else {
                    return Ok(());
                };
                (next, depth, known) = waiting;
            } else {
                let index = self.n_nodes as usize;
                // As it is in the file, with any children.
                let node = map.nodes.get(index).filter(|_| depth < MAX_DEPTH);
                let Some(node) = node.map(|bytes| NodeRecord::read(bytes)) else {
                    return Err(LoadError::record(NodeRecord::TAG, index));
                };
                let plane = map.planes.get(NodePlane(node.plane).index() as usize);
                let Some(plane) = plane.map(|bytes| PlaneRecord::read(bytes)) else {
                    return Err(LoadError::record(NodeRecord::TAG, index));
                };
                let [front, back] = [Known::of(&node, 0), Known::of(&node, 1)];
                let agrees = front.follows(known)
                    && back.follows(known)
                    && (front.resolved | back.resolved) & !(hulls as u8) == 0
                    && has_plane(&node, &plane);
                if !agrees {
                    return Err(LoadError::record(NodeRecord::TAG, index));
                }
                self.n_nodes += 1;
                depth += 1;
                pending.push((Child(node.children[1]), depth, back));
                self.depth = self.depth.max(depth as u32);
                (next, known) = (Child(node.children[0]), front);
            }
            if !self.expects(next) {
                return Err(LoadError::record(NodeRecord::TAG, self.n_nodes as usize));
            }
        }
    }
}
