//! Seals are the audit's proof that no agent can get into what was filled. This module knows the tree, the
//! brushes and the seeds, and nothing of how [`fill`](crate::fill) found what to fill.
//!
//! # What is proven
//! A rest is what brushes do not cover of a solid leaf. It is sealed if no seed touches it; if no face of it
//! that lies on the leaf's surface touches a leaf that is empty for the hull; and if no other
//! [stance](crate::seeds::stances) of the hull is empty there, in the leaf or in the tree of the stance's
//! group. Then whoever starts at a seed and keeps to empty leaves never gets into a rest, nor by changing
//! stance. The outermost leaves of a filled hull must be solid, because they extend beyond the tree's box,
//! where nothing is checked.

use onion_format::HullSet;

use crate::bsp::Tree;
use crate::geometry::winding::Division;
use crate::geometry::{Cell, Cut, Location, PlaneId, PlaneSet, Winding};
use crate::id::HullId;
use crate::seeds::{Seed, location};

/// What is said to be filled in a model, and the seeds that must not be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claim<'a> {
    /// The hulls that are filled.
    pub filled: HullSet,
    /// Where agents come into the world.
    pub seeds: &'a [Seed],
    /// For each hull, its stances.
    pub stances: &'a [HullSet],
}

impl Claim<'_> {
    fn stances(&self, hull: HullId) -> HullSet {
        self.stances.get(hull.index()).copied().unwrap_or_default()
    }

    /// The hulls that are filled although no seed of theirs or of another stance tells what is reached,
    /// one lies outside of the box of the planes, or another stance is not filled.
    pub fn unfounded(&self, planes: &PlaneSet, bounds: &[PlaneId; 6]) -> HullSet {
        let mut seeded = HullSet::EMPTY;
        let mut outside = HullSet::EMPTY;
        for seed in self.seeds {
            let out = |plane: &PlaneId| seed.point.locate(&planes[*plane]) == Location::Front;
            seeded |= seed.hull.alone();
            if bounds.iter().any(out) {
                outside |= seed.hull.alone();
            }
        }
        let unfounded = |&hull: &usize| {
            let stances = self.stances(HullId::new(hull));
            !seeded.intersects(stances) || stances.intersects(outside | !self.filled)
        };
        self.filled.iter().filter(unfounded).collect()
    }
}

/// The nodes above a place in a tree, the nearest first.
#[derive(Clone, Copy)]
pub struct Above<'a> {
    /// Plane of the node.
    pub plane: PlaneId,
    /// What is on the other side of the node.
    pub other: &'a Tree,
    /// The nodes above that one.
    pub above: Option<&'a Above<'a>>,
}

/// A leaf whose seals are asked for.
pub struct Leaf<'a> {
    /// The planes.
    pub planes: &'a PlaneSet,
    /// What is claimed.
    pub claim: Claim<'a>,
    /// The hulls of its tree.
    pub own: HullSet,
    /// The trees of the model's other hulls.
    pub others: &'a [(HullSet, &'a Tree)],
    /// The hulls that it is solid for.
    pub solidity: HullSet,
    /// The nodes above it.
    pub above: Option<&'a Above<'a>>,
}

impl Leaf<'_> {
    /// The hulls, of those that are filled and solid in a leaf, for which any leaf beyond a face of
    /// the whole cell is empty.
    pub fn exposed(&self, cell: &Cell) -> HullSet {
        let filled = self.claim.filled & self.solidity;
        if filled.is_empty() {
            return filled;
        }
        let windings = cell.windings();
        windings.iter().fold(HullSet::EMPTY, |exposed, winding| {
            exposed | self.beyond(winding, filled.without(exposed))
        })
    }

    /// Whether a hull's rest in the leaf is sealed. `exposed` tells whether any face of the whole
    /// leaf touches what is empty for the hull.
    pub fn is_sealed(&self, hull: HullId, rest: &[Cell], exposed: bool) -> bool {
        let stances = self.claim.stances(hull);
        if !(stances & self.own).without(self.solidity).is_empty() {
            return false;
        }
        let is_open = |&(hulls, tree): &(HullSet, _)| {
            let open = |part: &Cell| any_empty(self.planes, tree, part.clone(), stances & hulls);
            stances.intersects(hulls) && rest.iter().any(open)
        };
        if self.others.iter().any(is_open) {
            return false;
        }
        let mut seeds = self.claim.seeds.iter().filter(|seed| seed.hull == hull);
        let touches =
            |seed: &Seed, part| location(self.planes, &seed.point, part) != Location::Front;
        if seeds.any(|seed| rest.iter().any(|part| touches(seed, part))) {
            return false;
        }
        !exposed
            || !rest
                .iter()
                .flat_map(Cell::windings)
                .any(|winding| !self.beyond(&winding, hull.alone()).is_empty())
    }

    /// The hulls, of some, for which a leaf beyond a face is empty. A face inside of the leaf has
    /// nothing beyond it, and neither has one in the tree's box.
    fn beyond(&self, winding: &Winding, hulls: HullSet) -> HullSet {
        let mut above = self.above;
        while let Some(node) = above {
            if node.plane.canonical() == winding.plane.canonical() {
                return empty_below(self.planes, node.other, winding, hulls);
            }
            above = node.above;
        }
        HullSet::EMPTY
    }
}

/// Whether a cell shares volume with a leaf of a tree that is empty for any of some hulls.
fn any_empty(planes: &PlaneSet, tree: &Tree, cell: Cell, hulls: HullSet) -> bool {
    let (plane, [front, back]) = match tree {
        Tree::Leaf { solidity } => return !hulls.without(*solidity).is_empty(),
        Tree::Node {
            plane, children, ..
        } => (*plane, &**children),
    };
    match cell.cut(planes, plane) {
        Cut::Front => any_empty(planes, front, cell, hulls),
        Cut::Back => any_empty(planes, back, cell, hulls),
        Cut::Both(in_front, behind) => {
            any_empty(planes, front, in_front, hulls) || any_empty(planes, back, behind, hulls)
        }
    }
}

/// The hulls, of some, for which a leaf of a tree that a winding touches is empty.
fn empty_below(planes: &PlaneSet, tree: &Tree, winding: &Winding, hulls: HullSet) -> HullSet {
    let (plane, [front, back]) = match tree {
        Tree::Leaf { solidity } => return hulls.without(*solidity),
        Tree::Node {
            plane, children, ..
        } => (*plane, &**children),
    };
    let below = |tree, winding: &_, hulls| empty_below(planes, tree, winding, hulls);
    let both = |in_front: &_, behind: &_| {
        let found = below(front, in_front, hulls);
        found | below(back, behind, hulls.without(found))
    };
    match winding.divide(planes, plane) {
        _ if hulls.is_empty() => hulls,
        Division::Front => below(front, winding, hulls),
        Division::Back => below(back, winding, hulls),
        Division::Both(in_front, behind) => both(&in_front, &behind),
        // Not in a right tree: the plane of a node above divides nothing again.
        Division::On => both(winding, winding),
    }
}
