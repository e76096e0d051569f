//! Seals are the audit's proof that no agent can get into filled space. The proof uses the tree, the brushes and the
//! seeds, but not the method by which [`fill`](crate::fill) found the space.
//!
//! # The claim to prove
//! A rest is the part of a solid leaf that brushes do not cover. It is sealed if no seed touches it, if none of its
//! faces on the leaf's surface touches a leaf that is empty for the hull, and if no other
//! [stance](crate::hull::stances) of the hull is empty there, in the leaf or in the tree of the stance's group.
//! Then an agent that starts at a seed and stays in empty leaves never gets into a rest, not even by changing stance.
//! The outermost leaves of a filled hull must be solid, because they extend beyond the tree's box, where nothing is
//! checked.
//!
//! The rest itself is seldom constructed. If leaves beyond the leaf's faces are empty, it suffices that brushes line
//! those faces. If no seed touches the leaf, none touches the rest; if no stance is empty in the leaf, none is empty in
//! the rest.
//!
//! # Hulls without extent
//! A point that does not pass through cracks must be empty and solid exactly where its `Seal` says. The proof has two
//! parts. First, as for any filled hull, the cube does not get out of the leaves that the seal says it reaches. Second,
//! consider the rest of a leaf that is solid for the point: each part of it shares no volume with any cube whose center
//! is in those leaves, or has room for the cube's center but is out of its reach.

use std::iter;

use onion_format::HullSet;
use onion_geometry::relation::location;
use onion_geometry::{Cell, Location, PlaneId, PlaneSet, Split, Winding};

use crate::audit::cover::{CoverPart, all_uncovered, is_lined, lining};
use crate::bsp::leaf_tree::{Branch, Chart};
use crate::expand::{ExpandedBound, expand_into};
use crate::fill::cracks::Seal;
use crate::fill::kept::CUBE;
use crate::fill::seeds::Seed;
use crate::hull::HullSpec;
use crate::id::HullIndex;

/// The claim that some hulls of a model are filled, and the seeds that must not be in filled space.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claim<'a> {
    /// The hulls that are filled.
    pub filled: HullSet,
    /// The positions where agents enter the world.
    pub seeds: &'a [Seed],
    /// The stances of each hull.
    pub stances: &'a [HullSet],
    /// The seals of hulls without extent, which do not pass through cracks.
    pub seals: &'a [Seal],
}

impl Claim<'_> {
    fn stances(&self, hull: HullIndex) -> HullSet {
        self.stances.get(hull.index()).copied().unwrap_or_default()
    }

    /// Returns the filled hulls whose claim is unfounded: none of their stances has a seed, a seed of a stance is
    /// outside of the box of the planes `bounds`, or a stance is not filled. Hulls with a seal are exempt.
    pub fn unfounded(&self, planes: &PlaneSet, bounds: &[PlaneId; 6]) -> HullSet {
        let is_outside =
            |seed: &&Seed| location(planes, &seed.point, bounds.iter().copied()) == Location::Front;
        let hull = |seed: &Seed| seed.hull.index();
        let seeded: HullSet = self.seeds.iter().map(hull).collect();
        let outside: HullSet = self.seeds.iter().filter(is_outside).map(hull).collect();
        let sealed: HullSet = self
            .seals
            .iter()
            .map(|seal| seal.stand_in.hull.index())
            .collect();
        let unfounded = |&hull: &usize| {
            let stances = self.stances(HullIndex::new(hull));
            !seeded.intersects(stances) || stances.intersects(outside | !self.filled)
        };
        let filled = self.filled.without(sealed);
        filled.iter().filter(unfounded).collect()
    }
}

/// A node above a position in a tree, linked to the nodes above it.
#[derive(Clone, Copy)]
pub(super) struct Above<'a> {
    /// The plane of the node.
    pub(super) plane: PlaneId,
    /// The child of the node on the other side of its plane.
    pub(super) other: Branch<'a>,
    /// The node above this one; `None` at the root.
    pub(super) above: Option<&'a Above<'a>>,
}

/// A leaf, with all that the proof of its seal needs.
pub(super) struct Leaf<'a> {
    /// The planes of everything here.
    pub(super) planes: &'a PlaneSet,
    /// The claim of filling.
    pub(super) claim: Claim<'a>,
    /// The hulls of its tree.
    pub(super) own: HullSet,
    /// The trees of the same model for the other groups of hulls.
    pub(super) others: &'a [Branch<'a>],
    /// The convex region that it is.
    pub(super) cell: &'a Cell,
    /// The hulls for which it is not empty, including those of other trees.
    pub(super) solidity: HullSet,
    /// The nodes above it.
    pub(super) above: Option<&'a Above<'a>>,
}

impl Leaf<'_> {
    /// Whether the rest of the leaf, outside of all brushes, is sealed for a hull.
    pub(super) fn is_sealed(&self, hull: HullIndex, parts: &[CoverPart<'_>]) -> bool {
        let stances = self.claim.stances(hull);
        (stances & self.own).without(self.solidity).is_empty()
            && self.faces_are_closed(hull, parts)
            && self.rest_is_closed(hull, stances, parts)
    }

    /// Whether, in the rest of the leaf, no stance of a hull is empty in another tree, and no seed of the hull touches
    /// the rest.
    fn rest_is_closed(&self, hull: HullIndex, stances: HullSet, parts: &[CoverPart<'_>]) -> bool {
        let is_closed = |cell: &Cell| {
            let mut others = self.others.iter();
            let mut seeds = self.claim.seeds.iter().filter(|seed| seed.hull == hull);
            !others.any(|other| other.meets(cell, stances))
                && seeds.all(|seed| {
                    location(self.planes, &seed.point, cell.planes()) == Location::Front
                })
        };
        is_closed(self.cell) || all_uncovered(self.planes, self.cell.clone(), parts, &is_closed)
    }

    /// Whether brushes line the leaf's faces from inside wherever the leaf beyond is empty for a hull.
    fn faces_are_closed(&self, hull: HullIndex, parts: &[CoverPart<'_>]) -> bool {
        self.cell.planes().all(|plane| match self.beyond(plane) {
            Some(beyond) if hull.is_in(beyond.any()) => {
                let winding = self.cell.winding_on(plane);
                winding.is_none_or(|face| is_closed(beyond, hull, face, parts))
            }
            _ => true,
        })
    }

    /// Returns the branch beyond a face of the leaf, or `None` if the face lies in the tree's box.
    fn beyond(&self, plane: PlaneId) -> Option<Branch<'_>> {
        let mut above = iter::successors(self.above, |node| node.above);
        let node = above.find(|node| node.plane.canonical() == plane.canonical());
        node.map(|node| node.other)
    }
}

/// A seal with the charts of its trees.
pub(super) struct SealChart<'a> {
    pub(super) seal: &'a Seal,
    /// The planes of its trees.
    planes: &'a PlaneSet,
    /// The tree that says where the center of the cube gets.
    reach: Chart,
    /// The tree that says where the point may get.
    kept: Chart,
}

impl<'a> SealChart<'a> {
    pub(super) fn new(seal: &'a Seal, planes: &'a PlaneSet) -> Self {
        Self {
            seal,
            planes,
            reach: Chart::new(&seal.reach.tree, CUBE.alone()),
            kept: Chart::new(&seal.kept, CUBE.alone()),
        }
    }

    /// Whether a cell is entirely solid for the point, or entirely empty, as the seal states.
    pub(super) fn agrees(&self, cell: &Cell, is_solid: bool) -> bool {
        agrees(self.kept.whole(self.planes), cell, is_solid)
    }

    /// Whether the point cannot reach any part of a cell. Each part shares no volume with any cube at a reached
    /// position, or has room for the cube's center but is not reached by it.
    pub(super) fn shuts(&self, cell: &Cell) -> bool {
        self.is_out_of_reach(cell) || self.shuts_in(self.reach.whole(self.planes), cell)
    }

    fn is_out_of_reach(&self, cell: &Cell) -> bool {
        is_out_of_reach(
            self.reach.whole(self.planes),
            &self.seal.stand_in.cube,
            cell,
        )
    }

    /// Whether [`Self::shuts`] holds for a part of a cell in a branch of the cube's tree.
    fn shuts_in(&self, reach: Branch<'_>, cell: &Cell) -> bool {
        let Some((plane, [front, back])) = reach.split() else {
            let is_open = CUBE.is_in(reach.any());
            return !is_open && (self.has_room(cell) || self.is_out_of_reach(cell));
        };
        match cell.split(self.planes, plane) {
            Split::Front => self.shuts_in(front, cell),
            Split::Back => self.shuts_in(back, cell),
            Split::Both(in_front, behind) => {
                self.shuts_in(front, &in_front) && self.shuts_in(back, &behind)
            }
        }
    }

    /// Whether the cube has room with its center anywhere in a cell.
    fn has_room(&self, cell: &Cell) -> bool {
        self.seal.stand_in.solids.iter().all(|solid| {
            let near = solid.index.touching(&cell.bounds());
            let mut near = near.iter().map(|&brush| &solid.brushes[brush as usize]);
            !near.any(|brush| CoverPart::of(brush).meets(self.planes, cell))
        })
    }
}

/// Whether a tree has the given solidity in all of a cell.
fn agrees(kept: Branch<'_>, cell: &Cell, is_solid: bool) -> bool {
    let other = if is_solid { kept.any() } else { kept.not_all() };
    if !CUBE.is_in(other) {
        return true;
    }
    let Some((plane, [front, back])) = kept.split() else {
        return false;
    };
    match cell.split(kept.planes, plane) {
        Split::Front => agrees(front, cell, is_solid),
        Split::Back => agrees(back, cell, is_solid),
        Split::Both(in_front, behind) => {
            agrees(front, &in_front, is_solid) && agrees(back, &behind, is_solid)
        }
    }
}

/// Whether a cell shares no volume with any cube whose center is in an empty leaf of a seal's tree.
pub fn is_out_of_reach(seal: Branch<'_>, cube: &HullSpec, cell: &Cell) -> bool {
    let around = ExpandedBound::new(cell, cube);
    if !seal.may_meet(&|plane| around.locate(plane), CUBE.alone()) {
        return true;
    }
    let mut own = PlaneSet::default();
    let centers = expand_into(seal.planes, cell, cube, &mut own);
    let mut pending = vec![(seal, centers)];
    while let Some((part, centers)) = pending.pop() {
        if !CUBE.is_in(part.any()) {
            continue;
        }
        let Some((plane, [front, back])) = part.split() else {
            return false;
        };
        let plane = own.insert(seal.planes[plane].plane);
        let in_front = centers.clone().clip(&own, plane.flipped());
        let behind = centers.clip(&own, plane);
        pending.extend(in_front.map(|centers| (front, centers)));
        pending.extend(behind.map(|centers| (back, centers)));
    }
    true
}

/// Whether brushes line a face from inside wherever the branch beyond it has a leaf that is empty for a hull.
fn is_closed(beyond: Branch<'_>, hull: HullIndex, face: Winding, parts: &[CoverPart<'_>]) -> bool {
    if !hull.is_in(beyond.any()) {
        return true;
    }
    let Some(near) = lining(beyond.planes, &face, parts) else {
        return true;
    };
    let Some((plane, [front, back])) = beyond.split() else {
        return is_lined(beyond.planes, face, &near);
    };
    let below = |beyond, face| is_closed(beyond, hull, face, &near);
    match face.split(beyond.planes, plane) {
        Some(Split::Front) => below(front, face),
        Some(Split::Back) => below(back, face),
        Some(Split::Both(in_front, behind)) => below(front, in_front) && below(back, behind),
        // This does not happen in a correct tree: the plane of a node above splits no cell again.
        None => below(front, face.clone()) && below(back, face),
    }
}
