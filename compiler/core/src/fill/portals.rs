//! Portals are the openings between the leaves of a tree (Carmack's portals, made exactly). The part of a node's
//! plane inside its cell is pushed down the front child, and each piece that arrives in a leaf is pushed down the
//! back child. Every piece that arrives there and has an area joins two leaves.

use glam::DVec3;
use onion_format::HullSet;
use onion_geometry::winding::Division;
use onion_geometry::{Cell, Cut, Location, PlaneId, PlaneSet, PointH, Winding};

use crate::bsp::Tree;
use crate::fill::chunked_vec::ChunkedVec;
use crate::id::HullIndex;

/// The depth down to which both sides of a node are tasks of their own.
const TASK_DEPTH: usize = 12;

/// A node or a leaf of a [`LeafTree`].
#[derive(Clone, Copy, Debug)]
pub enum At {
    /// The node of this number.
    Node(u32),
    /// The leaf of this number.
    Leaf(u32),
}

/// A tree whose nodes and leaves are numbered in pre-order.
#[derive(Clone, Debug)]
pub struct LeafTree {
    root: At,
    nodes: Vec<(PlaneId, [At; 2])>,
    /// For each leaf, the hulls for which it is solid.
    pub solidity: Vec<HullSet>,
}

/// The space of the world that filled hulls cannot reach, by the leaves of a tree.
#[derive(Clone, Debug)]
pub struct Unreachable {
    /// The tree.
    pub tree: LeafTree,
    /// For each leaf, the hulls that reach it.
    pub reached: Vec<HullSet>,
    /// The hulls that are filled.
    pub filled: HullSet,
}

impl Unreachable {
    /// Whether a point is in solid or out of the reach of a hull, or `None` if it lies on a plane of the tree.
    pub fn solid_at(&self, planes: &PlaneSet, hull: HullIndex, point: &PointH) -> Option<bool> {
        let leaf = self.tree.leaf_around(planes, point)?;
        Some(!hull.is_in(self.reached[leaf as usize]))
    }
}

/// For each leaf and for each node, the hulls for which something holds there or below.
#[derive(Clone, Debug)]
pub struct Marks {
    leaves: Vec<HullSet>,
    nodes: Vec<HullSet>,
}

impl Marks {
    /// Returns the hulls of a leaf, or of all leaves below a node.
    pub fn at(&self, at: At) -> HullSet {
        match at {
            At::Node(node) => self.nodes[node as usize],
            At::Leaf(leaf) => self.leaves[leaf as usize],
        }
    }
}

/// A piece of a node's plane that two leaves share.
#[derive(Debug)]
pub struct Opening {
    /// The node.
    pub node: u32,
    /// The leaves in front of and behind its plane.
    pub leaves: [u32; 2],
    /// The hulls for which both leaves are marked.
    pub hulls: HullSet,
    /// The piece; it faces the leaf in front.
    pub winding: Winding,
}

/// An opening between two leaves, without its shape.
#[derive(Clone, Debug)]
pub struct Portal {
    /// The leaves in front of and behind its plane.
    pub leaves: [u32; 2],
    /// The hulls for which neither leaf is solid.
    pub hulls: HullSet,
    /// The center of the opening, in units.
    pub center: DVec3,
}

/// The position of a leaf's cell.
#[derive(Clone, Debug)]
pub struct LeafPlace {
    /// A point inside, in units.
    pub center: DVec3,
    /// A place where the leaf touches the box of the tree, beyond which the leaf extends without end, or `None` if it
    /// does not touch the box.
    pub exit: Option<DVec3>,
}

/// The portals of a tree, and its leaves.
#[derive(Clone, Debug, Default)]
pub struct Portals {
    /// The portals that are open for any hull.
    pub portals: Vec<Portal>,
    /// The leaves in order.
    pub leaves: Vec<LeafPlace>,
}

/// For each leaf, the leaves beyond its portals.
#[derive(Debug)]
pub struct Neighbors {
    /// For each leaf, the end of its range of the list.
    ends: Vec<u32>,
    list: Vec<(u32, u32)>,
}

impl Neighbors {
    /// Returns the leaves beyond the portals of a leaf, each with the number of the portal.
    pub fn of(&self, leaf: u32) -> &[(u32, u32)] {
        let before = leaf.checked_sub(1);
        let start = before.map_or(0, |before| self.ends[before as usize]);
        &self.list[start as usize..self.ends[leaf as usize] as usize]
    }
}

impl Portals {
    /// Lists, for each leaf, the leaves beyond its portals.
    pub fn neighbors(&self) -> Neighbors {
        let mut starts = vec![0; self.leaves.len() + 1];
        for leaf in self.portals.iter().flat_map(|portal| portal.leaves) {
            starts[leaf as usize + 1] += 1;
        }
        for leaf in 0..self.leaves.len() {
            starts[leaf + 1] += starts[leaf];
        }
        let mut list = vec![(0, 0); 2 * self.portals.len()];
        // The start of a leaf moves on with each neighbor, and becomes its end.
        for (number, portal) in (0..).zip(&self.portals) {
            let [front, back] = portal.leaves;
            for (leaf, other) in [(front, back), (back, front)] {
                let start: &mut u32 = &mut starts[leaf as usize];
                list[*start as usize] = (other, number);
                *start += 1;
            }
        }
        starts.pop();
        Neighbors { ends: starts, list }
    }
}

impl LeafTree {
    /// Numbers a tree's nodes and leaves.
    pub fn new(tree: &Tree) -> Self {
        let mut numbered = Self {
            root: At::Leaf(0),
            nodes: Vec::new(),
            solidity: Vec::new(),
        };
        numbered.root = numbered.add(tree);
        numbered
    }

    fn add(&mut self, tree: &Tree) -> At {
        match tree {
            Tree::Leaf { solidity } => {
                self.solidity.push(*solidity);
                At::Leaf(self.solidity.len() as u32 - 1)
            }
            Tree::Node {
                plane, children, ..
            } => {
                let number = self.nodes.len();
                self.nodes.push((*plane, [At::Leaf(0); 2]));
                let [front, back] = &**children;
                self.nodes[number].1 = [self.add(front), self.add(back)];
                At::Node(number as u32)
            }
        }
    }

    /// Returns the root of the tree.
    pub fn root(&self) -> At {
        self.root
    }

    /// Returns the plane of a node, and the children in front of it and behind it.
    pub fn node(&self, number: u32) -> (PlaneId, [At; 2]) {
        self.nodes[number as usize]
    }

    /// Marks leaves and gathers the marks up to the root.
    pub fn marks(&self, leaves: Vec<HullSet>) -> Marks {
        let mut marks = Marks {
            leaves,
            nodes: vec![HullSet::EMPTY; self.nodes.len()],
        };
        // Children have higher numbers than their node.
        for (number, (_, [front, back])) in self.nodes.iter().enumerate().rev() {
            marks.nodes[number] = marks.at(*front) | marks.at(*back);
        }
        marks
    }

    /// Returns the leaf that holds a point, or `None` if the point lies on a plane that divides leaves there.
    pub fn leaf_around(&self, planes: &PlaneSet, point: &PointH) -> Option<u32> {
        let mut at = self.root;
        loop {
            let (plane, [front, back]) = match at {
                At::Leaf(leaf) => return Some(leaf),
                At::Node(node) => self.nodes[node as usize],
            };
            at = match point.locate(&planes[plane]) {
                Location::Front => front,
                Location::Back => back,
                Location::On => return None,
            };
        }
    }

    /// Returns the leaves that a point touches, in order.
    pub fn leaves_touching(&self, planes: &PlaneSet, point: &PointH) -> Vec<u32> {
        let mut found = Vec::new();
        let mut pending = vec![self.root];
        while let Some(at) = pending.pop() {
            match at {
                At::Leaf(leaf) => found.push(leaf),
                At::Node(node) => {
                    let (plane, [front, back]) = self.nodes[node as usize];
                    let location = point.locate(&planes[plane]);
                    pending.extend((location != Location::Front).then_some(back));
                    pending.extend((location != Location::Back).then_some(front));
                }
            }
        }
        found
    }

    /// Whether a piece of a winding with an area touches, in front of the winding's plane, a leaf
    /// that is marked for any of the hulls.
    pub fn front_touches(
        &self,
        planes: &PlaneSet,
        winding: &Winding,
        marks: &Marks,
        hulls: HullSet,
    ) -> bool {
        self.touches_below(planes, self.root, winding, marks, hulls)
    }

    fn touches_below(
        &self,
        planes: &PlaneSet,
        at: At,
        winding: &Winding,
        marks: &Marks,
        hulls: HullSet,
    ) -> bool {
        let At::Node(node) = at else {
            return marks.at(at).intersects(hulls);
        };
        if !marks.at(at).intersects(hulls) {
            return false;
        }
        let (plane, [front, back]) = self.nodes[node as usize];
        let touches = |at, winding: &_| self.touches_below(planes, at, winding, marks, hulls);
        match winding.divide(planes, plane) {
            Division::Front => touches(front, winding),
            Division::Back => touches(back, winding),
            Division::On if look_alike(planes, winding.plane, plane) => touches(front, winding),
            Division::On => touches(back, winding),
            Division::Both(in_front, behind) => touches(front, &in_front) || touches(back, &behind),
        }
    }

    /// Returns the results of `make` for the cells of the leaves that are marked for any hull, in order.
    pub fn cells<T: Send>(
        &self,
        planes: &PlaneSet,
        bounds: [PlaneId; 6],
        marks: &Marks,
        make: &(dyn Fn(u32, &Cell) -> Option<T> + Sync),
    ) -> Vec<T> {
        self.cells_below(
            planes,
            self.root,
            &Cell::from_box(planes, bounds),
            marks,
            make,
        )
    }

    fn cells_below<T: Send>(
        &self,
        planes: &PlaneSet,
        at: At,
        cell: &Cell,
        marks: &Marks,
        make: &(dyn Fn(u32, &Cell) -> Option<T> + Sync),
    ) -> Vec<T> {
        if marks.at(at).is_empty() {
            return Vec::new();
        }
        let node = match at {
            At::Leaf(leaf) => return make(leaf, cell).into_iter().collect(),
            At::Node(node) => node,
        };
        let (plane, [front, back]) = self.node(node);
        let Cut::Both(front_cell, back_cell) = cell.cut(planes, plane) else {
            unreachable!("a node's plane cuts its cell");
        };
        let below = |at, cell: &Cell| self.cells_below(planes, at, cell, marks, make);
        let (mut made, behind) =
            rayon::join(|| below(front, &front_cell), || below(back, &back_cell));
        made.extend(behind);
        made
    }

    /// Returns the portals between leaves that are empty for the same hulls, and all leaves, in the box of the tree.
    pub fn portals(&self, planes: &PlaneSet, bounds: [PlaneId; 6]) -> Portals {
        let portal = |opening: Opening| {
            Some(Portal {
                leaves: opening.leaves,
                hulls: opening.hulls,
                center: opening.winding.center(),
            })
        };
        let empty = self.solidity.iter().map(|&solidity| !solidity).collect();
        let found = self.all_openings(planes, bounds, self.marks(empty), true, &portal);
        Portals {
            portals: found.made.into_vec(),
            leaves: found.leaves.into_vec(),
        }
    }

    /// Returns the results of `make` for the openings between leaves that are marked for the same hulls.
    pub fn openings<T: Send>(
        &self,
        planes: &PlaneSet,
        bounds: [PlaneId; 6],
        marks: Marks,
        make: &(dyn Fn(Opening) -> Option<T> + Sync),
    ) -> Vec<T> {
        let found = self.all_openings(planes, bounds, marks, false, make);
        found.made.into_vec()
    }

    fn all_openings<T: Send>(
        &self,
        planes: &PlaneSet,
        bounds: [PlaneId; 6],
        marks: Marks,
        with_leaves: bool,
        make: &(dyn Fn(Opening) -> Option<T> + Sync),
    ) -> Openings<T> {
        let maker = OpeningMaker {
            tree: self,
            planes,
            bounds,
            marks,
            with_leaves,
            make,
        };
        let mut found = Openings::default();
        maker.below(self.root, Cell::from_box(planes, bounds), 0, &mut found);
        found
    }
}

/// Whether the normals of two planes that nearly coincide point the same way.
fn look_alike(planes: &PlaneSet, one: PlaneId, other: PlaneId) -> bool {
    planes[one].normal.dot(planes[other].normal) > 0.0
}

/// A callback that receives a leaf, the piece that touches it, and the hulls for which it is marked.
type Found<'a> = &'a mut dyn FnMut(u32, Winding, HullSet);

struct OpeningMaker<'a, T> {
    tree: &'a LeafTree,
    planes: &'a PlaneSet,
    bounds: [PlaneId; 6],
    marks: Marks,
    /// Whether all leaves are needed, not only openings.
    with_leaves: bool,
    make: &'a (dyn Fn(Opening) -> Option<T> + Sync),
}

/// The results for the openings below a node, and the leaves there, in order.
struct Openings<T> {
    made: ChunkedVec<T>,
    leaves: ChunkedVec<LeafPlace>,
}

impl<T> Default for Openings<T> {
    fn default() -> Self {
        Self {
            made: ChunkedVec::default(),
            leaves: ChunkedVec::default(),
        }
    }
}

impl<T: Send> OpeningMaker<'_, T> {
    /// Adds the results for all openings below, and the leaves there.
    fn below(&self, at: At, cell: Cell, depth: usize, found: &mut Openings<T>) {
        let node = match at {
            At::Leaf(_) if self.with_leaves => return found.leaves.push(self.place(&cell)),
            At::Node(node) if self.with_leaves || !self.marks.at(at).is_empty() => node,
            _ => return,
        };
        let (plane, [front, back]) = self.tree.node(node);
        let Cut::Both(front_cell, back_cell) = cell.cut(self.planes, plane) else {
            unreachable!("a node's plane cuts its cell");
        };
        let Some(opening) = back_cell.winding_on(plane) else {
            unreachable!("the part behind a plane has a face in it");
        };
        drop(cell);
        if depth >= TASK_DEPTH {
            self.across(node, opening, &mut found.made);
            self.below(front, front_cell, depth + 1, found);
            return self.below(back, back_cell, depth + 1, found);
        }
        let mut rest = Openings::default();
        let in_front = || {
            self.across(node, opening, &mut found.made);
            self.below(front, front_cell, depth + 1, found);
        };
        let behind = || self.below(back, back_cell, depth + 1, &mut rest);
        rayon::join(in_front, behind);
        found.made.append(rest.made);
        found.leaves.append(rest.leaves);
    }

    fn place(&self, cell: &Cell) -> LeafPlace {
        let exits = cell.planes().filter(|plane| self.bounds.contains(plane));
        let exit = exits.filter_map(|plane| cell.winding_on(plane)).next();
        LeafPlace {
            center: cell.center(),
            exit: exit.map(|exit| exit.center()),
        }
    }

    /// Adds the results for the openings in a node's plane, of which `stretch` is the part in the node's cell.
    fn across(&self, node: u32, stretch: Winding, made: &mut ChunkedVec<T>) {
        let (_, [front, back]) = self.tree.node(node);
        self.push(front, stretch, HullSet::FULL, &mut |leaf, piece, hulls| {
            self.push(back, piece, hulls, &mut |other, winding, hulls| {
                let opening = Opening {
                    node,
                    leaves: [leaf, other],
                    hulls,
                    winding,
                };
                if let Some(one) = (self.make)(opening) {
                    made.push(one);
                }
            });
        });
    }

    /// Finds the leaves below a child of a node that pieces of the node's stretch touch, among those that are marked
    /// for any of the hulls.
    fn push(&self, at: At, winding: Winding, hulls: HullSet, found: Found<'_>) {
        let hulls = hulls & self.marks.at(at);
        if hulls.is_empty() {
            return;
        }
        let node = match at {
            At::Leaf(leaf) => return found(leaf, winding, hulls),
            At::Node(node) => node,
        };
        let (plane, [front, back]) = self.tree.node(node);
        match winding.divide(self.planes, plane) {
            Division::Front => self.push(front, winding, hulls, found),
            Division::Back => self.push(back, winding, hulls, found),
            Division::On => unreachable!("no plane divides a cell that it bounds"),
            Division::Both(in_front, behind) => {
                self.push(front, in_front, hulls, found);
                self.push(back, behind, hulls, found);
            }
        }
    }
}
