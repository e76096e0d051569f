//! Part of stage 4, fill: computes the space that is kept for a point, which is a hull without extent, if it gets out
//! of the map through cracks (`cracks.rs`), and the caps that close it off. Each leaf that the point's own flood
//! reaches is compared with the leaves of the flood of its cube. It is split by the cube's tree only if it overlaps
//! reached cubes and also has room for the center of a cube that is out of reach.

use glam::DVec3;
use onion_format::HullSet;
use onion_geometry::{Bounds, Cell, Location, PlaneId, PlaneSet, Split};

use crate::bsp::Tree;
use crate::bsp::leaf_tree::{Branch, LeafTree};
use crate::expand::{ExpandedBound, expand_into};
use crate::fill::filled_space::FilledSpace;
use crate::fill::flood::Flood;
use crate::fill::portals::{Opening, openings};
use crate::hull::HullSpec;
use crate::id::{BrushId, HullIndex, Owner};
use crate::tolerance::INSIDE_CUBE;
use crate::union::Face;

/// The only hull of a cube's flood.
pub const CUBE: HullIndex = HullIndex::FIRST;

/// The marks of a leaf, in the form that a [`LeafTree`] takes.
type LeafMarks = HullSet;

/// The mark of leaves of the cube's tree that the cube's center reaches.
const REACHED: LeafMarks = LeafMarks::single(0);
/// The mark of leaves that have room for the center of the cube, but that it does not reach.
const AWAY: LeafMarks = LeafMarks::single(1);

/// The mark of leaves whose openings are needed.
const BORDER: LeafMarks = LeafMarks::single(0);

/// The relation of a leaf of the point's tree to the cube's flood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeafRelation {
    /// The leaf is inside brushes, or the point's own flood does not reach it.
    Solid,
    /// The point may get there: a cube at a reached position shares volume with the leaf, or the leaf is a niche.
    Kept,
    /// The leaf has no room for the center of a cube, and no cube at a reached position shares volume with it.
    Narrow,
    /// The leaf has room for the center of a cube, but only out of the cube's reach.
    Away,
}

/// The leaves of a point's tree, with the relation of each to the flood of its cube.
pub(super) struct Places {
    /// The tree of the point's flood, with leaves split where their parts have different relations.
    pub(super) tree: Tree,
    /// The relation of each leaf, in pre-order.
    leaves: Vec<LeafRelation>,
    /// The same tree, with its nodes and leaves numbered.
    numbered: LeafTree,
    /// The openings between leaves that may become caps.
    openings: Vec<Opening>,
}

/// The subtree that replaces a leaf of the point's tree: the leaf, split by the cube's tree if necessary.
struct Part {
    tree: Tree,
    leaves: Vec<LeafRelation>,
}

impl Places {
    /// Compares the point's own flood with the flood of its cube, which must not get out of the map.
    pub(super) fn new(own: &Flood, flood: &Flood, cube: &HullSpec, planes: &PlaneSet) -> Self {
        let leaves = flood.tree.solidity.iter().zip(&flood.reached);
        let mark = |(&solidity, &reached): (&HullSet, &HullSet)| {
            if CUBE.is_in(reached) {
                REACHED
            } else if CUBE.is_in(solidity) {
                LeafMarks::EMPTY
            } else {
                AWAY
            }
        };
        let marks = flood.tree.marks(leaves.map(mark).collect());
        let search = CubeSearch {
            tree: &flood.sketch.tree,
            whole: flood.tree.whole(planes, &marks),
            cube,
            planes,
        };
        let reached = own.tree.marks(own.reached.clone());
        let bounds = own.sketch.bounds;
        let cell = Cell::from_box(planes, bounds);
        let parts = search.parts(own.tree.whole(planes, &reached), &cell);
        let is_border = borders(own, &parts);
        let mut grafting = Grafting {
            parts: parts.into_iter().peekable(),
            leaves: Vec::new(),
            marks: Vec::new(),
            is_border,
            next: 0,
        };
        let tree = grafting.graft(&own.sketch.tree);
        let Grafting { leaves, marks, .. } = grafting;
        let numbered = LeafTree::new(&tree);
        let marks = numbered.marks(marks);
        let mut places = Self {
            openings: openings(numbered.whole(planes, &marks), bounds),
            tree,
            leaves,
            numbered,
        };
        places.keep_niches();
        places
    }

    /// Returns, for each leaf in pre-order, whether the point may get there.
    pub(super) fn kept(&self) -> impl Iterator<Item = bool> {
        self.leaves.iter().map(|&leaf| leaf == LeafRelation::Kept)
    }

    /// Keeps narrow leaves that lead only to kept leaves, such as the tips of acute corners.
    fn keep_niches(&mut self) {
        let mut neighbors = vec![Vec::new(); self.leaves.len()];
        for [front, back] in self.openings.iter().map(|opening| opening.leaves) {
            neighbors[front as usize].push(back);
            neighbors[back as usize].push(front);
        }
        let mut seen = vec![false; self.leaves.len()];
        for first in 0..self.leaves.len() {
            if self.leaves[first] == LeafRelation::Narrow && !seen[first] {
                for leaf in self.niche(first as u32, &neighbors, &mut seen) {
                    self.leaves[leaf as usize] = LeafRelation::Kept;
                }
            }
        }
    }

    /// Returns the narrow leaves connected with `first`, if they touch a kept leaf and no [`LeafRelation::Away`];
    /// otherwise none.
    fn niche(&self, first: u32, neighbors: &[Vec<u32>], seen: &mut [bool]) -> Vec<u32> {
        let mut niche = Vec::new();
        let mut pending = vec![first];
        let (mut is_next_to_kept, mut is_way_out) = (false, false);
        while let Some(leaf) = pending.pop() {
            let number = leaf as usize;
            match self.leaves[number] {
                LeafRelation::Kept => is_next_to_kept = true,
                LeafRelation::Away => is_way_out = true,
                LeafRelation::Narrow if !std::mem::replace(&mut seen[number], true) => {
                    niche.push(leaf);
                    pending.extend(&neighbors[number]);
                }
                LeafRelation::Narrow | LeafRelation::Solid => {}
            }
        }
        niche.retain(|_| is_next_to_kept && !is_way_out);
        niche
    }

    /// Returns the caps, which are the openings from kept leaves to others, as faces, and the space that the point does
    /// not reach. A cap belongs to a brush with a face in its plane or, if there is none, to the brush of the nearest
    /// node above that has one.
    pub(super) fn close(self, hull: HullIndex) -> (Vec<Face>, FilledSpace) {
        let mut brushes = Vec::new();
        owners(&self.tree, BrushId(0), &mut brushes);
        let is_kept = |leaf| self.leaves[leaf as usize] == LeafRelation::Kept;
        let cap = |opening: Opening| {
            let winding = match opening.leaves.map(is_kept) {
                [true, false] => opening.winding,
                [false, true] => opening.winding.flipped(),
                _ => return None,
            };
            let brush = brushes[opening.node as usize];
            let owner = Owner { hull, brush };
            Some(Face { owner, winding })
        };
        let caps = self.openings.into_iter().filter_map(cap).collect();
        let reached = self.leaves.iter().map(|&leaf| match leaf {
            LeafRelation::Kept => hull.alone(),
            _ => HullSet::EMPTY,
        });
        let space = FilledSpace {
            tree: self.numbered,
            reached: reached.collect(),
            filled: hull.alone(),
        };
        (caps, space)
    }
}

/// Returns, for each leaf of the point's flood, whether its openings are needed: it or a neighbor is split or narrow,
/// or a neighbor has another relation.
fn borders(own: &Flood, parts: &[(u32, Part)]) -> Vec<bool> {
    let mut whole = vec![Some(LeafRelation::Solid); own.reached.len()];
    for (leaf, part) in parts {
        whole[*leaf as usize] = match part.leaves[..] {
            [leaf] => Some(leaf),
            _ => None,
        };
    }
    let mut is_border: Vec<_> = whole.iter().map(Option::is_none).collect();
    for portal in &own.portals.list {
        let leaves = portal.leaves.map(|leaf| leaf as usize);
        let [front, back] = leaves.map(|leaf| whole[leaf]);
        if front != back || matches!(front, None | Some(LeafRelation::Narrow)) {
            leaves.into_iter().for_each(|leaf| is_border[leaf] = true);
        }
    }
    is_border
}

/// Replaces the leaves that the point's flood reaches by their parts, in pre-order.
struct Grafting<I: Iterator<Item = (u32, Part)>> {
    parts: std::iter::Peekable<I>,
    /// The relations of the new leaves so far.
    leaves: Vec<LeafRelation>,
    /// For each new leaf, [`BORDER`] if its openings are needed, otherwise no mark.
    marks: Vec<LeafMarks>,
    /// For each leaf of the old tree, whether its openings are needed.
    is_border: Vec<bool>,
    /// The number of the next leaf of the old tree.
    next: u32,
}

impl<I: Iterator<Item = (u32, Part)>> Grafting<I> {
    fn graft(&mut self, tree: &Tree) -> Tree {
        match tree {
            Tree::Leaf { .. } => self.leaf(),
            Tree::Node {
                plane,
                owners,
                children,
                ..
            } => {
                let children = children.each_ref().map(|child| self.graft(child));
                Tree::node(*plane, owners, children)
            }
        }
    }

    fn leaf(&mut self) -> Tree {
        let leaf = self.next;
        self.next += 1;
        let part = self.parts.next_if(|(number, _)| *number == leaf);
        let part = part.map_or_else(|| Part::leaf(LeafRelation::Solid), |(_, part)| part);
        let is_border = self.is_border[leaf as usize];
        let mark = |leaf: &LeafRelation| {
            if is_border && *leaf != LeafRelation::Solid {
                BORDER
            } else {
                LeafMarks::EMPTY
            }
        };
        self.marks.extend(part.leaves.iter().map(mark));
        self.leaves.extend(part.leaves);
        part.tree
    }
}

impl Part {
    fn leaf(relation: LeafRelation) -> Self {
        let solidity = HullSet::EMPTY;
        Self {
            tree: Tree::Leaf { solidity },
            leaves: vec![relation],
        }
    }

    /// Joins the parts in front of and behind a plane. Two unsplit parts with the same relation become one leaf.
    fn joined(plane: PlaneId, owners: &[Owner], [mut front, back]: [Self; 2]) -> Self {
        if front.leaves.len() == 1 && front.leaves == back.leaves {
            return front;
        }
        front.leaves.extend(back.leaves);
        Self {
            tree: Tree::node(plane, owners, [front.tree, back.tree]),
            leaves: front.leaves,
        }
    }
}

/// The flood of a cube, to which leaves of the point's tree are compared.
struct CubeSearch<'a> {
    /// The tree of the cube's flood, and the same tree with `REACHED` and `AWAY` marked.
    tree: &'a Tree,
    whole: Branch<'a>,
    cube: &'a HullSpec,
    planes: &'a PlaneSet,
}

impl CubeSearch<'_> {
    /// Returns the parts of all marked leaves in a branch of the point's tree, in pre-order, each with its leaf's
    /// number.
    fn parts(&self, branch: Branch<'_>, cell: &Cell) -> Vec<(u32, Part)> {
        if branch.any().is_empty() {
            return Vec::new();
        }
        let Some((plane, [front, back])) = branch.split() else {
            return vec![(branch.number(), self.part(cell))];
        };
        let Split::Both(front_cell, back_cell) = cell.split(self.planes, plane) else {
            unreachable!("a node's plane cuts its cell");
        };
        let in_front = || self.parts(front, &front_cell);
        let (mut parts, behind) = rayon::join(in_front, || self.parts(back, &back_cell));
        parts.extend(behind);
        parts
    }

    /// Returns the part for a leaf of the point's tree, given the leaf's cell.
    fn part(&self, cell: &Cell) -> Part {
        let bounds = cell.bounds();
        let is_away = self.whole.may_meet(&|plane| bounds.locate(plane), AWAY)
            && self.whole.meets(cell, AWAY);
        let is_kept = self.holds_middle(cell) || self.covers(cell);
        match (is_kept, is_away) {
            (true, true) => self.split(self.tree, self.whole, cell),
            (true, false) => Part::leaf(LeafRelation::Kept),
            (false, true) => Part::leaf(LeafRelation::Away),
            (false, false) => Part::leaf(LeafRelation::Narrow),
        }
    }

    /// Splits a cell of the point's tree by a branch of the cube's tree, and relates each part to the cube's flood.
    fn split(&self, tree: &Tree, branch: Branch<'_>, cell: &Cell) -> Part {
        let (
            Some((plane, branches)),
            Tree::Node {
                owners, children, ..
            },
        ) = (branch.split(), tree)
        else {
            return Part::leaf(match branch.any() {
                marks if marks.intersects(REACHED) => LeafRelation::Kept,
                marks if marks.intersects(AWAY) => LeafRelation::Away,
                _ if self.covers(cell) => LeafRelation::Kept,
                _ => LeafRelation::Narrow,
            });
        };
        let below = |side: usize, cell: &_| self.split(&children[side], branches[side], cell);
        match cell.split(self.planes, plane) {
            Split::Front => below(0, cell),
            Split::Back => below(1, cell),
            Split::Both(in_front, behind) => {
                Part::joined(plane, owners, [below(0, &in_front), below(1, &behind)])
            }
        }
    }

    /// Whether one of nine cubes certainly is at a reached position: a cube around the center of a cell, and those with
    /// a corner there. It is a quick test that a reached cube shares volume with the cell.
    fn holds_middle(&self, cell: &Cell) -> bool {
        let middle = cell.center();
        let HullSpec { mins, maxs, .. } = self.cube;
        let corner = |number: usize| {
            let axis = |axis: usize| match number >> axis & 1 {
                0 => f64::from(mins[axis]) + INSIDE_CUBE,
                _ => f64::from(maxs[axis]) - INSIDE_CUBE,
            };
            DVec3::new(axis(0), axis(1), axis(2))
        };
        self.is_reached(middle) || (0..8).any(|number| self.is_reached(middle - corner(number)))
    }

    /// Whether the cube's center certainly reaches a position.
    fn is_reached(&self, place: DVec3) -> bool {
        let around = Bounds::around(std::iter::once(place));
        let mut branch = self.whole;
        while let Some((plane, [front, back])) = branch.split() {
            branch = match around.locate(&self.planes[plane]) {
                Some(Location::Front) => front,
                Some(_) => back,
                None => return false,
            };
        }
        branch.any().intersects(REACHED)
    }

    /// Whether a cube at a reached position shares volume with a cell.
    fn covers(&self, cell: &Cell) -> bool {
        let cube = ExpandedBound::new(cell, self.cube);
        if !self.whole.may_meet(&|plane| cube.locate(plane), REACHED) {
            return false;
        }
        let mut own = PlaneSet::default();
        let centers = expand_into(self.planes, cell, self.cube, &mut own);
        self.holds_any(self.whole, centers, &mut own)
    }

    /// Whether the cube's center reaches any part of the cell `centers`, whose planes are in the set `own`.
    fn holds_any(&self, branch: Branch<'_>, centers: Cell, own: &mut PlaneSet) -> bool {
        let is_marked = branch.any().intersects(REACHED);
        let split = branch.split().filter(|_| is_marked);
        let Some((plane, [front, back])) = split else {
            return is_marked;
        };
        let plane = own.insert(self.planes[plane].plane);
        match centers.split(own, plane) {
            Split::Front => self.holds_any(front, centers, own),
            Split::Back => self.holds_any(back, centers, own),
            Split::Both(in_front, behind) => {
                self.holds_any(front, in_front, own) || self.holds_any(back, behind, own)
            }
        }
    }
}

/// Lists, for each node in pre-order, a brush with a face in its plane or, if there is none, the brush of the node
/// above.
fn owners(tree: &Tree, above: BrushId, brushes: &mut Vec<BrushId>) {
    if let Tree::Node {
        owners: here,
        children,
        ..
    } = tree
    {
        let brush = here.first().map_or(above, |owner| owner.brush);
        brushes.push(brush);
        for child in &**children {
            owners(child, brush, brushes);
        }
    }
}
