//! Boxes in trees: the leaves that a box touches, and the deepest node that contains all of it (LordHavoc's
//! classification of a box against a node; Quake III's `CM_BoxLeafnums`). Games can use them to sort sounds,
//! visibility and triggers by place. The box is the caller's own and is not expanded by a hull.

use core::ops::ControlFlow;

use onion_format::{Child, MAX_DEPTH, PlaneRecord};

use crate::coordinate::{Coordinate, widened};
use crate::hull::{HullId, LeafId};
use crate::model::Model;
use crate::plane::unit_normal;
use crate::segment::in_domain;
use crate::stack::Stack;
use crate::tolerance::ON_PLANE;
use crate::vector::support;

/// The sides of a plane that a box reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sides {
    Front,
    Back,
    Both,
}

/// A box to classify.
struct Extent {
    mins: [f64; 3],
    maxs: [f64; 3],
}

impl Extent {
    /// Returns a box, or `None` if it is inside out, or a corner is not finite or beyond 2^30 units.
    fn new(mins: [f64; 3], maxs: [f64; 3]) -> Option<Self> {
        let ok =
            in_domain(&mins) && in_domain(&maxs) && (0..3).all(|axis| mins[axis] <= maxs[axis]);
        ok.then_some(Self { mins, maxs })
    }

    /// Returns the sides that the box reaches; a box that touches the plane reaches both.
    fn sides(&self, plane: &PlaneRecord) -> Sides {
        let normal = unit_normal(plane);
        let begins = support(&normal, &self.maxs, &self.mins) - plane.dist;
        let ends = support(&normal, &self.mins, &self.maxs) - plane.dist;
        if begins > ON_PLANE {
            Sides::Front
        } else if ends < -ON_PLANE {
            Sides::Back
        } else {
            Sides::Both
        }
    }
}

impl Model<'_> {
    /// Calls `on_leaf` for every leaf that a box touches, in the tree of a hull, until it breaks. There are no leaves
    /// for a box that is inside out, not finite or beyond 2^30 units, or for a hull of another map.
    pub fn leaves_in_box<T: Coordinate>(
        &self,
        hull: HullId,
        mins: impl Into<[T; 3]>,
        maxs: impl Into<[T; 3]>,
        mut on_leaf: impl FnMut(LeafId) -> ControlFlow<()>,
    ) {
        let extent = Extent::new(widened(mins.into()), widened(maxs.into()));
        let Some(extent) = extent.filter(|_| self.map.has(hull)) else {
            return;
        };
        let mut at = self.map.root_of(self.index, hull);
        // Each node of a path pushes one entry, so the stack always has room.
        let mut places = [at; MAX_DEPTH];
        let mut pending = Stack::on(&mut places);
        loop {
            while !at.is_leaf() {
                let node = self.map.node(at.index());
                let [front, back] = node.children(at.index());
                let sides = extent.sides(&self.map.plane_of(&node));
                at = if sides == Sides::Back { back } else { front };
                if sides == Sides::Both {
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
    pub(crate) fn deepest_holding(
        &self,
        hull: HullId,
        mins: [f64; 3],
        maxs: [f64; 3],
    ) -> Option<Child> {
        let extent = Extent::new(mins, maxs).filter(|_| self.map.has(hull))?;
        let mut at = self.map.root_of(self.index, hull);
        while !at.is_leaf() {
            let node = self.map.node(at.index());
            let [front, back] = node.children(at.index());
            at = match extent.sides(&self.map.plane_of(&node)) {
                Sides::Front => front,
                Sides::Back => back,
                Sides::Both => break,
            };
        }
        Some(at)
    }
}
