//! Boxes in trees: the leaves that a box touches, and the deepest node that contains all of it (LordHavoc's
//! classification of a box against a node; Quake III's `CM_BoxLeafnums`). Games can use them to sort sounds,
//! visibility and triggers by place. The box is the caller's own and is not expanded by a hull.

use core::ops::ControlFlow;

#[cfg(feature = "tools")]
use onion_format::Child;
use onion_format::{MAX_DEPTH, PlaneRecord};

use crate::file::hull::{HullId, LeafId};
use crate::math::aabb::Aabb;
use crate::math::coordinate::Coordinate;
use crate::math::plane::unit_normal;
use crate::math::segment::in_domain;
use crate::math::vector::support;
use crate::model::Model;
use crate::stack::Stack;
use crate::tolerance::ON_PLANE;

/// The sides of a plane that a box reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BoxSides {
    /// Only the front: all corners are in front, farther than the plane's touching distance.
    Front,
    /// Only the back.
    Back,
    /// Both; also a box that touches the plane.
    Both,
}

impl Aabb<f64> {
    /// Whether the box is not inside out, finite, and within 2^30 units.
    fn is_valid(&self) -> bool {
        let in_order = (0..3).all(|axis| self.mins[axis] <= self.maxs[axis]);
        in_domain(&self.mins) && in_domain(&self.maxs) && in_order
    }

    /// Returns the sides that the box reaches; a box that touches the plane reaches both.
    fn sides(&self, plane: &PlaneRecord) -> BoxSides {
        let normal = unit_normal(plane);
        let begins = support(&normal, &self.maxs, &self.mins) - plane.dist;
        let ends = support(&normal, &self.mins, &self.maxs) - plane.dist;
        if begins > ON_PLANE {
            BoxSides::Front
        } else if ends < -ON_PLANE {
            BoxSides::Back
        } else {
            BoxSides::Both
        }
    }
}

impl Model<'_> {
    /// Calls `on_leaf` for every leaf that a box touches, in the tree of a hull, until it breaks. There are no leaves
    /// for a box that is inside out, not finite or beyond 2^30 units, or for a hull of another map.
    pub fn leaves_in_box<T: Coordinate>(
        &self,
        hull: HullId,
        bounds: Aabb<T>,
        mut on_leaf: impl FnMut(LeafId) -> ControlFlow<()>,
    ) {
        let bounds = bounds.widened();
        if !(bounds.is_valid() && self.map.has(hull)) {
            return;
        }
        let mut at = self.map.root_of(self.index, hull);
        // Each node of a path pushes one entry, so the stack always has room.
        let mut places = [at; MAX_DEPTH];
        let mut pending = Stack::on(&mut places);
        loop {
            while !at.is_leaf() {
                let node = self.map.node(at.index());
                let [front, back] = node.children(at.index());
                let sides = bounds.sides(&self.map.plane_of(&node));
                at = if sides == BoxSides::Back { back } else { front };
                if sides == BoxSides::Both {
                    pending.push(back);
                }
            }
            if on_leaf(LeafId(at.index())).is_break() {
                return;
            }
            match pending.pop() {
                Some(next) => at = next,
                None => return,
            }
        }
    }

    /// Returns the deepest node, or the leaf, that contains all of a box, in the tree of a hull. `None` in the cases
    /// for which [`Self::leaves_in_box`] finds no leaves.
    #[cfg(feature = "tools")]
    pub(crate) fn deepest_holding(&self, hull: HullId, bounds: Aabb<f64>) -> Option<Child> {
        if !(bounds.is_valid() && self.map.has(hull)) {
            return None;
        }
        let mut at = self.map.root_of(self.index, hull);
        while !at.is_leaf() {
            let node = self.map.node(at.index());
            let [front, back] = node.children(at.index());
            at = match bounds.sides(&self.map.plane_of(&node)) {
                BoxSides::Front => front,
                BoxSides::Back => back,
                BoxSides::Both => break,
            };
        }
        Some(at)
    }
}
