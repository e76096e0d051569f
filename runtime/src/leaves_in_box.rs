//! Boxes in trees: the leaves that a box touches, in any order or in that of their distance from an eye, and the
//! deepest node that contains all of it (LordHavoc's classification of a box against a node; Quake III's
//! `CM_BoxLeafnums`). Games can use them to sort sounds, visibility and triggers by place. The box is the caller's own
//! and is not expanded by a hull.

use core::ops::ControlFlow;

#[cfg(feature = "tools")]
use onion_format::Child;
use onion_format::{MAX_DEPTH, PlaneRecord};

use crate::file::hull::{HullId, LeafId};
use crate::file::stack::Stack;
use crate::math::aabb::Aabb;
use crate::math::coordinate::{Coordinate, widened};
use crate::math::plane::{distance, unit_normal};
use crate::math::segment::in_domain;
use crate::math::vector::support;
use crate::model::Model;
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
        // The two corners that are nearest and farthest along the normal decide for all eight.
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
        on_leaf: impl FnMut(LeafId) -> ControlFlow<()>,
    ) {
        self.visit_leaves(hull, bounds, |_| true, on_leaf);
    }

    /// Calls `on_leaf` for the leaves of [`Self::leaves_in_box`], front to back as seen from a point: a leaf that hides
    /// another one comes first. If the point lies in the plane between two leaves, neither hides the other.
    pub fn leaves_front_to_back<T: Coordinate>(
        &self,
        hull: HullId,
        eye: impl Into<[T; 3]>,
        bounds: Aabb<T>,
        on_leaf: impl FnMut(LeafId) -> ControlFlow<()>,
    ) {
        let eye = widened(eye.into());
        self.visit_leaves(hull, bounds, |plane| distance(plane, &eye) >= 0.0, on_leaf);
    }

    /// Calls `on_leaf` for the leaves of [`Self::leaves_in_box`], back to front as seen from a point: a leaf that hides
    /// another one comes later.
    pub fn leaves_back_to_front<T: Coordinate>(
        &self,
        hull: HullId,
        eye: impl Into<[T; 3]>,
        bounds: Aabb<T>,
        on_leaf: impl FnMut(LeafId) -> ControlFlow<()>,
    ) {
        let eye = widened(eye.into());
        self.visit_leaves(hull, bounds, |plane| distance(plane, &eye) < 0.0, on_leaf);
    }

    /// Calls `on_leaf` for every leaf that a box touches, until it breaks; `front_first` tells for a plane whether the
    /// leaves in front of it come first.
    fn visit_leaves<T: Coordinate>(
        &self,
        hull: HullId,
        bounds: Aabb<T>,
        front_first: impl Fn(&PlaneRecord) -> bool,
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
                let plane = self.map.plane_of(&node);
                at = match bounds.sides(&plane) {
                    BoxSides::Front => front,
                    BoxSides::Back => back,
                    BoxSides::Both => {
                        let (first, then) = if front_first(&plane) {
                            (front, back)
                        } else {
                            (back, front)
                        };
                        pending.push(then);
                        first
                    }
                };
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
                // No child holds all of the box.
                BoxSides::Both => break,
            };
        }
        Some(at)
    }
}
