//! Stage 7, optimize: trees in, the same trees without nodes that decide nothing out. A node
//! whose children are equal leaves is that leaf (Quake II's `PruneNodes`).

use crate::tree::{ModelTree, Tree};

/// Collapses nodes whose children are equal leaves, from the bottom up.
pub fn collapse(trees: Vec<ModelTree>) -> Vec<ModelTree> {
    let collapse_model = |model: ModelTree| ModelTree {
        tree: collapse_tree(model.tree),
        ..model
    };
    trees.into_iter().map(collapse_model).collect()
}

fn collapse_tree(tree: Tree) -> Tree {
    let Tree::Node {
        plane,
        faces,
        owners,
        children,
    } = tree
    else {
        return tree;
    };
    let [front, back] = (*children).map(collapse_tree);
    match (&front, &back) {
        (Tree::Leaf { solidity }, Tree::Leaf { solidity: other }) if solidity == other => front,
        _ => Tree::Node {
            plane,
            faces,
            owners,
            children: Box::new([front, back]),
        },
    }
}
