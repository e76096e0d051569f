//! The reference for point queries: a point and a tree in, the hulls for which the point is solid out.
//!
//! Solid is open: a point exactly on a splitting plane belongs to the leaves on both sides, and is solid only if all
//! of them are.

use onion_format::{Child, HullSet, MAX_DEPTH};

use crate::hull::LeafId;
use crate::plane::distance;
use crate::stack::Stack;
use crate::tolerance::ON_PLANE;
use crate::view::View;

/// Solidity of a point within the domain.
pub(crate) fn solidity_at(map: &View<'_>, root: Child, point: &[f64; 3]) -> HullSet {
    match descend(map, root, point) {
        Place::Inside(leaf) => map.leaf_solidity(leaf),
        Place::OnPlane(node) => common_solidity(map, node, point),
    }
}

/// Where a walk down ends.
enum Place {
    Inside(LeafId),
    OnPlane(Child),
}

/// Walks down to the leaf of a point, or to the first node whose plane holds the point.
fn descend(map: &View<'_>, root: Child, point: &[f64; 3]) -> Place {
    let mut at = root;
    while !at.is_leaf() {
        let node = map.node(at.index());
        let dist = distance(&map.plane_of(&node), point);
        if dist.abs() <= ON_PLANE {
            return Place::OnPlane(at);
        }
        at = Child(node.children[usize::from(dist < 0.0)]);
    }
    Place::Inside(LeafId(at.index()))
}

/// What all leaves that touch the point have in common; rare, so it alone pays for a stack.
fn common_solidity(map: &View<'_>, root: Child, point: &[f64; 3]) -> HullSet {
    // Each node of a path takes one entry and leaves two: MAX_DEPTH + 1 always fit.
    let mut places = [root; MAX_DEPTH + 1];
    let mut pending = Stack::on(&mut places);
    pending.push(root);
    let mut solidity = HullSet::FULL;
    while let Some(next) = pending.pop() {
        match descend(map, next, point) {
            Place::Inside(leaf) => solidity &= map.leaf_solidity(leaf),
            Place::OnPlane(at) => {
                let [front, back] = map.node(at.index()).children;
                pending.push(Child(back));
                pending.push(Child(front));
            }
        }
    }
    solidity
}
