//! Bevels for moved planes: the tree of a point and a box in, the same tree out, with a chain of nodes above each
//! solid leaf that would otherwise grow too far at its edges. A leaf's planes are the moved planes of its path; its
//! bevels are the other planes of the leaf's Minkowski sum with the box.

use glam::DVec3;
use onion_compiler::brush::bevel::bevels;
use onion_compiler::hull::HullEdges;
use onion_compiler::hull::HullSpec;
use onion_format::{Child, DIST_ONE, NodePlane, WORLD_LIMIT};
use onion_geometry::{Bounds, Cell, ExactPlane, PlaneId, PlaneSet, Split};
use onion_runtime::{HullId, OnionMap};

use crate::tree::{EMPTY, Node, SOLID, Tree};

/// A bevel that cuts less than this off a leaf is left out, in units.
const SMALLEST: f64 = 0.25;

/// Leaves at the edge of the world grow by the box, so they need room, in units.
const ROOM: f64 = 8192.0;

/// Builds the tree.
pub struct Beveler<'a> {
    file: &'a OnionMap<Vec<u8>>,
    point: HullId,
    hull: &'a HullSpec,
    set: PlaneSet,
    planes: Vec<PlaneId>,
    room: [PlaneId; 6],
    tree: Tree,
}

impl<'a> Beveler<'a> {
    /// Prepares the tree for the only hull of a file, a point, and the box that will be traced.
    pub fn new(file: &'a OnionMap<Vec<u8>>, point: HullId, hull: &'a HullSpec) -> Self {
        let mut set = PlaneSet::default();
        let planes = file.inspect().planes().map(|record| {
            set.insert(ExactPlane {
                normal: record.normal.map(i64::from).into(),
                dist: (record.dist * DIST_ONE) as i64,
            })
        });
        Self {
            planes: planes.collect(),
            room: cube(WORLD_LIMIT + ROOM).insert_planes(&mut set),
            file,
            point,
            hull,
            set,
            tree: Tree {
                nodes: Vec::new(),
                root: EMPTY,
            },
        }
    }

    /// Builds the tree.
    pub fn tree(mut self) -> Tree {
        let world = cube(WORLD_LIMIT).insert_planes(&mut self.set);
        let cell = Cell::from_planes(&self.set, world, []);
        let root = self.file.inspect().roots_of(0).next();
        if let Some(root) = root {
            self.tree.root = self.child(root, cell, &mut Vec::new());
        }
        self.tree
    }

    /// Copies a child with its cell; the planes of its path face out of the cell.
    fn child(&mut self, child: Child, cell: Option<Cell>, path: &mut Vec<PlaneId>) -> i32 {
        if child.is_leaf() {
            let leaf = self.file.inspect().leaf(child.index());
            let solid = leaf.is_some_and(|hulls| hulls.contains(self.point.index()));
            return match cell {
                _ if !solid => EMPTY,
                Some(cell) => self.leaf(&cell, path),
                None => SOLID,
            };
        }
        let Some(record) = self.file.inspect().node(child.index()) else {
            return EMPTY;
        };
        let plane = self.planes[NodePlane(record.plane).index() as usize];
        let (front, back) = match cell.as_ref().map(|cell| cell.split(&self.set, plane)) {
            Some(Split::Both(front, back)) => (Some(front), Some(back)),
            Some(Split::Front) => (cell, None),
            Some(Split::Back) => (None, cell),
            None => (None, None),
        };
        let at = self.node(plane);
        let sides = [(front, plane.flipped()), (back, plane)];
        let children = record.children(child.index());
        for (side, (cell, outward)) in sides.into_iter().enumerate() {
            path.push(outward);
            let child = self.child(children[side], cell, path);
            self.tree.nodes[at].children[side] = child;
            path.pop();
        }
        at as i32
    }

    fn node(&mut self, plane: PlaneId) -> usize {
        let entry = &self.set[plane];
        self.tree
            .nodes
            .push(Node::new(entry.normal.to_array(), entry.dist));
        self.tree.nodes.len() - 1
    }

    /// Adds a solid leaf below the bevels that it needs.
    fn leaf(&mut self, cell: &Cell, path: &[PlaneId]) -> i32 {
        let path: Vec<PlaneId> = path
            .iter()
            .map(|&plane| self.moved(self.set[plane].plane))
            .collect();
        let mut grown = Cell::from_planes(&self.set, self.room, path);
        let (mut top, mut last) = (SOLID, None);
        let along = [0, 1, 2].map(|axis| self.hull.extent(axis) > 0.0);
        for bevel in bevels(&self.set, cell, &HullEdges::along(along)) {
            let moved = self.moved(bevel);
            let Some(cut) = grown.take_if(|grown| self.sticks_out(grown, moved)) else {
                continue;
            };
            grown = cut.clip(&self.set, moved);
            let plane = self.set.insert(bevel);
            let at = self.node(plane.canonical());
            // The leaf is behind the bevel, which is in front of the canonical plane if it is flipped.
            let side = usize::from(plane.is_canonical());
            self.tree.nodes[at].children[side] = SOLID;
            match last.replace((at, side)) {
                None => top = at as i32,
                Some((above, side)) => self.tree.nodes[above].children[side] = at as i32,
            }
        }
        top
    }

    /// Moves a plane of a leaf by the box's support.
    fn moved(&mut self, plane: ExactPlane) -> PlaneId {
        self.set.insert(ExactPlane {
            dist: plane.dist + self.hull.support(&plane.normal),
            ..plane
        })
    }

    fn sticks_out(&self, grown: &Cell, bevel: PlaneId) -> bool {
        let entry = &self.set[bevel];
        let mut corners = grown.vertices().iter();
        corners.any(|corner| entry.normal.dot(corner.position) - entry.dist > SMALLEST)
    }
}

/// Returns a box around the origin.
fn cube(half_size: f64) -> Bounds {
    Bounds {
        mins: DVec3::splat(-half_size),
        maxs: DVec3::splat(half_size),
    }
}
