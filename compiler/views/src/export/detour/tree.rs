//! The tree of boxes in a tile of Detour, by which it finds polygons near a place: in depth-first order, each inner
//! node with the number of nodes to skip. Boxes are whole numbers of cells.

/// A box in cells, and the number of its polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub mins: [u16; 3],
    pub maxs: [u16; 3],
    pub polygon: i32,
}

/// A node: the polygon of a leaf, or the negative number of nodes from an inner node to the next one beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode {
    pub mins: [u16; 3],
    pub maxs: [u16; 3],
    pub index: i32,
}

/// Returns the nodes over some items.
pub(super) fn nodes(items: &mut [Item]) -> Vec<TreeNode> {
    let mut nodes = Vec::new();
    if !items.is_empty() {
        add(items, &mut nodes);
    }
    nodes
}

fn add(items: &mut [Item], nodes: &mut Vec<TreeNode>) {
    let mins =
        std::array::from_fn(|axis| items.iter().map(|item| item.mins[axis]).min().unwrap_or(0));
    let maxs =
        std::array::from_fn(|axis| items.iter().map(|item| item.maxs[axis]).max().unwrap_or(0));
    let number = nodes.len();
    let index = items[0].polygon;
    nodes.push(TreeNode { mins, maxs, index });
    if items.len() > 1 {
        let extent = |axis: &usize| maxs[*axis] - mins[*axis];
        let axis = [2, 1, 0].into_iter().max_by_key(extent).unwrap_or(0);
        items.sort_by_key(|item| (item.mins[axis], item.polygon));
        let (first, second) = items.split_at_mut(items.len() / 2);
        add(first, nodes);
        add(second, nodes);
        nodes[number].index = -((nodes.len() - number) as i32);
    }
}
