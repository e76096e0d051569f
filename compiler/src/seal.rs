//! Seals: what a filled hull's solid leaves have beyond brushes in, whether an agent can get into it
//! out. A part of the audit: it knows the tree, the brushes and the seeds, nothing of how [`fill`]
//! found what to fill.
//!
//! A rest is what brushes do not cover of a leaf that is solid. Every rest is sealed if no seed
//! touches it, no face of it, where it lies on the leaf's surface, touches a leaf that is empty for
//! the hull, and no other [stance](crate::seeds::stances) of the hull is empty there, in the leaf or in
//! the tree of the stance's group. Then
//! whoever starts at a seed and keeps to empty leaves never gets into a rest, nor could by taking
//! another stance. The
//! outermost leaves of a filled hull must be solid, because they go on beyond the tree's box, where
//! nothing is checked.
//!
//! [`fill`]: crate::fill

use crate::bsp::Tree;
use crate::geometry::winding::Division;
use crate::geometry::{Cell, Cut, Location, PlaneId, PlaneSet, Winding};
use crate::seeds::{Seed, location};

/// What is said to be filled in a model, and the seeds that must not be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claim<'a> {
    /// The hulls that are filled, one bit each.
    pub filled: u64,
    /// Where agents come into the world.
    pub seeds: &'a [Seed],
    /// For each hull, its stances.
    pub stances: &'a [u64],
}

impl Claim<'_> {
    fn stances(&self, hull: usize) -> u64 {
        self.stances.get(hull).copied().unwrap_or(0)
    }

    /// The hulls that are filled although no seed of theirs or of another stance tells what is reached,
    /// one lies outside of the box of the planes, or another stance is not filled.
    pub fn unfounded(&self, planes: &PlaneSet, bounds: &[PlaneId; 6]) -> u64 {
        let mut seeded = 0;
        let mut outside = 0;
        for seed in self.seeds {
            let out = |plane: &PlaneId| seed.point.locate(&planes[*plane]) == Location::Front;
            seeded |= 1 << seed.hull;
            outside |= u64::from(bounds.iter().any(out)) << seed.hull;
        }
        let unfounded = |hull: usize| {
            let stances = self.stances(hull);
            seeded & stances == 0 || (outside | !self.filled) & stances != 0
        };
        let hulls = (0..u64::BITS as usize).filter(|hull| self.filled >> hull & 1 == 1);
        hulls
            .filter(|&hull| unfounded(hull))
            .fold(0, |bits, hull| bits | 1 << hull)
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
    pub own: u64,
    /// The trees of the model's other hulls.
    pub others: &'a [(u64, &'a Tree)],
    /// The hulls that it is solid for.
    pub solidity: u64,
    /// The nodes above it.
    pub above: Option<&'a Above<'a>>,
}

impl Leaf<'_> {
    /// The hulls, of those that are filled and solid in a leaf, for which any leaf beyond a face of
    /// the whole cell is empty.
    pub fn exposed(&self, cell: &Cell) -> u64 {
        let filled = self.claim.filled & self.solidity;
        if filled == 0 {
            return 0;
        }
        let windings = cell.windings();
        windings.iter().fold(0, |exposed, winding| {
            exposed | self.beyond(winding, filled & !exposed)
        })
    }

    /// Whether a hull's rest in the leaf is sealed. `exposed` tells whether any face of the whole
    /// leaf touches what is empty for the hull.
    pub fn is_sealed(&self, hull: usize, rest: &[Cell], exposed: bool) -> bool {
        let stances = self.claim.stances(hull);
        if stances & self.own & !self.solidity != 0 {
            return false;
        }
        let is_open = |&(hulls, tree): &(u64, _)| {
            let open = |part: &Cell| any_empty(self.planes, tree, part.clone(), stances & hulls);
            stances & hulls != 0 && rest.iter().any(open)
        };
        if self.others.iter().any(is_open) {
            return false;
        }
        let seeds = self.claim.seeds.iter().filter(|seed| seed.hull == hull);
        let touches =
            |seed: &Seed, part| location(self.planes, &seed.point, part) != Location::Front;
        for seed in seeds {
            if rest.iter().any(|part| touches(seed, part)) {
                return false;
            }
        }
        !exposed
            || !rest
                .iter()
                .flat_map(Cell::windings)
                .any(|winding| self.beyond(&winding, 1 << hull) != 0)
    }

    /// The hulls, of some, for which a leaf beyond a face is empty. A face inside of the leaf has
    /// nothing beyond it, and neither has one in the tree's box.
    fn beyond(&self, winding: &Winding, hulls: u64) -> u64 {
        let mut above = self.above;
        while let Some(node) = above {
            if node.plane.canonical() == winding.plane.canonical() {
                return empty_below(self.planes, node.other, winding, hulls);
            }
            above = node.above;
        }
        0
    }
}

/// Whether a cell shares volume with a leaf of a tree that is empty for any of some hulls.
fn any_empty(planes: &PlaneSet, tree: &Tree, cell: Cell, hulls: u64) -> bool {
    let (plane, [front, back]) = match tree {
        Tree::Leaf { solidity } => return hulls & !solidity != 0,
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
fn empty_below(planes: &PlaneSet, tree: &Tree, winding: &Winding, hulls: u64) -> u64 {
    let (plane, [front, back]) = match tree {
        Tree::Leaf { solidity } => return hulls & !solidity,
        Tree::Node {
            plane, children, ..
        } => (*plane, &**children),
    };
    let below = |tree, winding: &_, hulls| empty_below(planes, tree, winding, hulls);
    let both = |in_front: &_, behind: &_| {
        let found = below(front, in_front, hulls);
        found | below(back, behind, hulls & !found)
    };
    match winding.divide(planes, plane) {
        _ if hulls == 0 => 0,
        Division::Front => below(front, winding, hulls),
        Division::Back => below(back, winding, hulls),
        Division::Both(in_front, behind) => both(&in_front, &behind),
        // Not in a right tree: the plane of a node above divides nothing again.
        Division::On => both(winding, winding),
    }
}
