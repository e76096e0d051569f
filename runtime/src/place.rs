//! Places of a box: a box in, the leaves of a tree that it touches and the deepest node that holds all of
//! it out (LordHavoc's classification of a box against a node; Quake III's `CM_BoxLeafnums`). For what a
//! game sorts by place: sound, visibility, triggers. The box is the caller's own; no hull is added to it.

use core::ops::ControlFlow;

use onion_format::{Child, MAX_DEPTH, PlaneRecord};

use crate::map::{HullId, LeafId, Model, ON_PLANE, unit_normal};
use crate::point::in_domain;

/// A part of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A node, by its number: all that is below it.
    Node(u32),
    /// A leaf.
    Leaf(LeafId),
}

impl From<Child> for Place {
    fn from(child: Child) -> Self {
        if child.is_leaf() {
            Self::Leaf(LeafId(child.index()))
        } else {
            Self::Node(child.index())
        }
    }
}

/// The sides of a plane that a box reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sides {
    Front,
    Back,
    Both,
}

/// A box to place.
struct Extent {
    mins: [f64; 3],
    maxs: [f64; 3],
}

impl Extent {
    /// None if it is inside out, or a corner is not finite or beyond 2^30 units.
    fn new(mins: [f64; 3], maxs: [f64; 3]) -> Option<Self> {
        let ok =
            in_domain(&mins) && in_domain(&maxs) && (0..3).all(|axis| mins[axis] <= maxs[axis]);
        ok.then_some(Self { mins, maxs })
    }

    /// The sides it reaches; touching the plane counts as reaching both.
    fn sides(&self, plane: &PlaneRecord) -> Sides {
        let normal = unit_normal(plane);
        let along = |near: bool| {
            let at = |axis: usize| {
                let lower = (normal[axis] > 0.0) == near;
                normal[axis]
                    * if lower {
                        self.mins[axis]
                    } else {
                        self.maxs[axis]
                    }
            };
            at(0) + at(1) + at(2) - plane.dist
        };
        if along(true) > ON_PLANE {
            Sides::Front
        } else if along(false) < -ON_PLANE {
            Sides::Back
        } else {
            Sides::Both
        }
    }
}

impl Model<'_> {
    /// Calls `on_leaf` for every leaf that a box touches, in the tree of a hull, until told to stop. None
    /// for a box that is inside out, not finite or beyond 2^30 units.
    pub fn leaves_in_box(
        &self,
        hull: HullId,
        mins: [f64; 3],
        maxs: [f64; 3],
        mut on_leaf: impl FnMut(LeafId) -> ControlFlow<()>,
    ) {
        let Some(extent) = Extent::new(mins, maxs) else {
            return;
        };
        let mut pending = [Child(0); MAX_DEPTH];
        let mut n_pending = 0;
        let mut at = self.map.root_of(self.index, hull);
        loop {
            while !at.is_leaf() {
                let node = self.map.node(at.index());
                let [front, back] = node.children.map(Child);
                let sides = extent.sides(&self.map.plane_of(&node));
                at = if sides == Sides::Back { back } else { front };
                // Each node of a path leaves one: the stack always has room.
                if let (Sides::Both, Some(slot)) = (sides, pending.get_mut(n_pending)) {
                    *slot = back;
                    n_pending += 1;
                }
            }
            if on_leaf(LeafId(at.index())).is_break() {
                return;
            }
            match n_pending.checked_sub(1).and_then(|last| pending.get(last)) {
                Some(&next) => {
                    at = next;
                    n_pending -= 1;
                }
                None => return,
            }
        }
    }

    /// The deepest node, or the leaf, that holds all of a box, in the tree of a hull. None for a box that
    /// is inside out, not finite or beyond 2^30 units.
    pub fn deepest_holding(&self, hull: HullId, mins: [f64; 3], maxs: [f64; 3]) -> Option<Place> {
        let extent = Extent::new(mins, maxs)?;
        let mut at = self.map.root_of(self.index, hull);
        while !at.is_leaf() {
            let node = self.map.node(at.index());
            let [front, back] = node.children.map(Child);
            at = match extent.sides(&self.map.plane_of(&node)) {
                Sides::Front => front,
                Sides::Back => back,
                Sides::Both => break,
            };
        }
        Some(at.into())
    }
}
