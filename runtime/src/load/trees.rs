//! Checks the trees. Nodes are in pre-order, so one pass with a stack of fixed size proves that every tree is a tree:
//! no cycle, no sharing, no unreachable record, no path deeper than the format allows. The pass also checks the facts
//! that nodes store about their children.

use onion_format::{
    Child, HullSet, InfoRecord, MAX_DEPTH, ModelRecord, NodePlane, NodeRecord, PlaneRecord, Record,
    RootRecord,
};

use crate::error::{LoadError, require};
use crate::file::stack::Stack;
use crate::file::view::View;

/// Checks the models, and their trees of all groups in one pass over the nodes, which must be in pre-order.
pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    let mut order = PreOrder::default();
    // Leaf numbers must not overflow.
    let (n_nodes, n_leaves) = (map.nodes.len(), 2 * map.nodes.len() + map.roots().len());
    // Each node has the numbers of two leaves, whether its children are leaves or not, and each tree has one for a root
    // that is a leaf.
    let is_count = n_leaves <= Child::LEAF_BIT as usize;
    require::<NodeRecord>(is_count, n_nodes, "leaves have numbers below 2^31")?;
    require::<ModelRecord>(!map.models().is_empty(), 0, "there is a world")?;
    for (index, model) in map.models().iter().enumerate() {
        let numbers = [model.mins, model.maxs, model.origin];
        // For games, which place models by them: walks read none of these numbers.
        let is_finite = numbers
            .as_flattened()
            .iter()
            .all(|number| number.is_finite());
        require::<ModelRecord>(is_finite, index, "box and origin are finite")?;
        for group in 0..map.layout.n_groups {
            // A tree has a bit for each hull of its group, in their order; loading checked that there are at most 8.
            let hulls = HullSet::all(map.hulls_of_group(group).len());
            let tree = index * map.layout.n_groups + group;
            order.check_tree(map, tree, hulls.bits() as u8)?;
        }
    }
    // Nodes that no tree reaches could hold anything.
    let n_reached = order.n_nodes as usize;
    require::<NodeRecord>(n_reached == n_nodes, n_reached, "every node is in a tree")?;
    // Queries choose their stack by the depth, so it must not be less than the truth; it must not be more because a map
    // has one form.
    let is_depth = order.depth == map.layout.depth;
    require::<InfoRecord>(is_depth, 0, "the depth is that of the deepest path")?;
    let patch_error = map.info().get(0).map_or(0.0, |info| info.patch_error);
    let is_error = patch_error.is_finite() && patch_error > 0.0;
    require::<InfoRecord>(is_error, 0, "the error of patches is above 0 and finite")
}

/// The facts already established about a node or leaf, as bits by rank: the hulls for which all of it is solid or all
/// of it is empty, and those for which it is solid.
#[derive(Clone, Copy, Default)]
struct KnownFacts {
    /// All of it is solid, or all of it is empty.
    resolved: u8,
    /// All of it is solid; only bits that are in `resolved` too.
    solid: u8,
}

impl KnownFacts {
    /// Returns the facts that a node stores about a child.
    fn of(node: &NodeRecord, side: usize) -> Self {
        Self {
            resolved: node.resolved[side],
            solid: node.solid[side],
        }
    }

    /// Whether it is consistent with the facts about the parent.
    fn follows(self, above: Self) -> bool {
        // A hull that is resolved above stays resolved below, with the same solidity.
        (self.solid & !self.resolved == 0)
            & (above.resolved & !self.resolved == 0)
            & (self.solid & above.resolved == above.solid)
    }
}

/// Whether a node has the same plane as the plane's record, stores facts about its children that follow from those
/// about itself, and resolves all of its leaves. `hulls` has the bits of the tree's hulls.
fn is_node(map: &View<'_>, node: &NodeRecord, hulls: u8, known: KnownFacts) -> bool {
    let plane = map.planes.get(NodePlane(node.plane).index() as usize);
    let has_plane = plane.is_some_and(|bytes| {
        let plane = PlaneRecord::read(bytes);
        // A node repeats its plane, so that a walk loads one record for each node; hits are named by the plane's
        // number. So both must be the same to the bit.
        node.normal == plane.normal && node.dist.to_bits() == plane.dist.to_bits()
    });
    let is_child = |side| {
        let child = KnownFacts::of(node, side);
        let is_all = !node.is_leaf(side) || child.resolved == hulls;
        child.follows(known) && child.resolved & !hulls == 0 && is_all
    };
    // The front child follows its node and has no number. That of the back child means nothing if it is a leaf, and is
    // then zero.
    let is_back = !node.is_leaf(1) || node.back_node() == 0;
    has_plane && is_child(0) && is_child(1) && is_back
}

/// The nodes seen so far in the walk over all trees, and the deepest path.
#[derive(Default)]
struct PreOrder {
    /// Number of nodes seen, which is the number of the next one: a child that is a node must have it.
    n_nodes: u32,
    /// Number of nodes on the deepest path.
    depth: u32,
}

impl PreOrder {
    /// Checks the tree with this number, for hulls with these bits.
    fn check_tree(&mut self, map: &View<'_>, tree: usize, hulls: u8) -> Result<(), LoadError> {
        let root = Child(map.roots().get(tree).map_or(0, |record| record.root));
        // A root that is a leaf has its solidity in place of a number.
        if root.is_leaf() && root.index() & !u32::from(hulls) == 0 {
            return Ok(());
        }
        let rule = "a leaf for hulls of the group, or the node after those of the tree before";
        require::<RootRecord>(root == Child(self.n_nodes), tree, rule)?;
        self.check_nodes(map, hulls)
    }

    /// Checks the nodes of the tree that begins with the next one.
    fn check_nodes(&mut self, map: &View<'_>, hulls: u8) -> Result<(), LoadError> {
        // Back children still to come, each with the number of nodes above it.
        let mut places = [(0, 0, KnownFacts::default()); MAX_DEPTH];
        let mut pending = Stack::on(&mut places);
        let (mut depth, mut known) = (0, KnownFacts::default());
        loop {
            let index = self.n_nodes as usize;
            require::<NodeRecord>(index < map.nodes.len(), index, "children exist")?;
            require::<NodeRecord>(depth < MAX_DEPTH, index, "no path is longer than 256")?;
            let node = map.node(self.n_nodes);
            let rule = "the plane is that of its record, and solidity follows from above to below";
            require::<NodeRecord>(is_node(map, &node, hulls, known), index, rule)?;
            self.n_nodes += 1;
            depth += 1;
            self.depth = self.depth.max(depth as u32);
            if !node.is_leaf(1) {
                // There is room: at most one child waits for each node above, and the depth was checked.
                pending.push((node.back_node(), depth, KnownFacts::of(&node, 1)));
            }
            if !node.is_leaf(0) {
                known = KnownFacts::of(&node, 0);
                continue;
            }
            let Some((back, above, of_back)) = pending.pop() else {
                return Ok(());
            };
            let index = self.n_nodes as usize;
            require::<NodeRecord>(back == self.n_nodes, index, "nodes are in pre-order")?;
            (depth, known) = (above, of_back);
        }
    }
}
