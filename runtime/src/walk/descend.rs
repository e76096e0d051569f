//! The reference walk of point queries: a point, a tree and a hull in; whether the point is solid out.
//!
//! Solid is an open set: a point exactly on a splitting plane belongs to the leaves on both sides, and is solid only
//! if all of them are.

use onion_format::{Child, MAX_DEPTH};

use crate::file::stack::Stack;
use crate::file::view::View;
use crate::math::plane::distance;
use crate::tolerance::ON_PLANE;

/// Whether a point within the domain is solid for the hull with this bit.
pub(crate) fn is_solid_at(map: &View<'_>, root: Child, bit: u8, point: &[f64; 3]) -> bool {
    // Most points are on no plane, and are answered without a stack.
    let child = descend(map, root, point);
    if child.is_leaf() {
        map.is_solid(child, bit)
    } else {
        is_solid_around(map, child, bit, point)
    }
}

/// Walks down to the leaf of a point, or to the first node whose plane contains the point.
fn descend(map: &View<'_>, root: Child, point: &[f64; 3]) -> Child {
    let mut at = root;
    while !at.is_leaf() {
        let node = map.node(at.index());
        let dist = distance(&map.plane_of(&node), point);
        if dist.abs() <= ON_PLANE {
            break;
        }
        at = node.children(at.index())[usize::from(dist < 0.0)];
    }
    at
}

/// Whether all leaves that touch the point are solid. Rare, so only this function pays for a stack.
fn is_solid_around(map: &View<'_>, root: Child, bit: u8, point: &[f64; 3]) -> bool {
    // Each node of a path pops one entry and pushes two: `MAX_DEPTH + 1` always suffice.
    let mut stored = [root; MAX_DEPTH + 1];
    let mut pending = Stack::on(&mut stored);
    pending.push(root);
    while let Some(next) = pending.pop() {
        let at = descend(map, next, point);
        if at.is_leaf() {
            if !map.is_solid(at, bit) {
                return false;
            }
        } else {
            // One empty leaf decides, and no order of the two finds it sooner.
            let [front, back] = map.node(at.index()).children(at.index());
            pending.push(back);
            pending.push(front);
        }
    }
    true
}
