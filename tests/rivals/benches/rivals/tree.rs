//! A solid-leaf BSP tree of one hull as Quake's engine would lay it out: the tree of the world in an onion file in,
//! nodes of 32 bytes with their plane in f32 out. A child is a node, or one of two negative numbers for the contents
//! of its leaf.

use onion_format::{Child, NORMAL_ONE, NodePlane};
use onion_runtime::{HullId, OnionMap};

use crate::rival::Visits;

/// Contents of an empty leaf.
pub const EMPTY: i32 = -1;
/// Contents of a solid leaf.
pub const SOLID: i32 = -2;

/// The value of [`Node::axis`] for a plane that is not axial.
pub const GENERAL: u32 = 3;

/// A node, half a cache line.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Node {
    /// Unit normal.
    pub normal: [f32; 3],
    /// Distance from the origin along the normal, in units.
    pub dist: f32,
    /// Front and back child.
    pub children: [i32; 2],
    /// Axis 0 to 2 of an axial plane, or [`GENERAL`].
    pub axis: u32,
}

/// The nodes, each followed by its front child, and the root.
pub struct Tree {
    /// The nodes in pre-order.
    pub nodes: Vec<Node>,
    /// The root, as a child.
    pub root: i32,
}

impl Node {
    /// Makes a node without children.
    pub fn new(normal: [f64; 3], dist: f64) -> Self {
        let axis = (0..3).find(|&axis| normal[axis] == 1.0);
        Self {
            normal: normal.map(|x| x as f32),
            dist: dist as f32,
            children: [EMPTY; 2],
            axis: axis.map_or(GENERAL, |axis| axis as u32),
        }
    }

    /// Returns the signed distances of two points in front of the plane, in units.
    #[inline(always)]
    pub fn distances(&self, a: &[f32; 3], b: &[f32; 3]) -> [f32; 2] {
        if let (Some(a), Some(b)) = (a.get(self.axis as usize), b.get(self.axis as usize)) {
            return [a - self.dist, b - self.dist];
        }
        [
            dot(&self.normal, a) - self.dist,
            dot(&self.normal, b) - self.dist,
        ]
    }

    /// Returns the signed distance of a point in front of the plane, in units.
    #[inline(always)]
    pub fn distance(&self, point: &[f32; 3]) -> f32 {
        match point.get(self.axis as usize) {
            Some(component) => component - self.dist,
            None => dot(&self.normal, point) - self.dist,
        }
    }
}

impl Tree {
    /// Reads the tree of the only hull of a file.
    pub fn of_single_hull(file: &OnionMap<Vec<u8>>, hull: HullId) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            root: EMPTY,
        };
        let planes: Vec<Node> = file
            .inspect()
            .planes()
            .map(|plane| {
                let unit = |component| f64::from(component) / f64::from(NORMAL_ONE);
                Node::new(plane.normal.map(unit), plane.dist)
            })
            .collect();
        if let Some(root) = file.inspect().roots_of(0).next() {
            tree.root = tree.copy(file, hull.alone().bits(), &planes, root);
        }
        tree
    }

    fn copy(&mut self, file: &OnionMap<Vec<u8>>, bit: u64, planes: &[Node], child: Child) -> i32 {
        if child.is_leaf() {
            let leaf = file.inspect().leaf(child.index());
            let solid = leaf.is_some_and(|hulls| hulls.bits() & bit != 0);
            return if solid { SOLID } else { EMPTY };
        }
        let Some(record) = file.inspect().node(child.index()) else {
            return EMPTY;
        };
        let at = self.nodes.len();
        self.nodes
            .push(planes[NodePlane(record.plane).index() as usize]);
        for (side, child) in record.children(child.index()).into_iter().enumerate() {
            let child = self.copy(file, bit, planes, child);
            self.nodes[at].children[side] = child;
        }
        at as i32
    }

    /// Returns the memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.nodes)
    }

    /// Returns the contents at a point; a point on a plane is in front.
    #[inline(always)]
    pub fn contents<const COUNT: bool>(&self, point: &[f32; 3], visits: &mut Visits) -> i32 {
        let mut child = self.root;
        // Loops of branches, not arithmetic: the processor then speculates down the likely side.
        while child >= 0 {
            let mut node = &self.nodes[child as usize];
            visits.node::<COUNT, Node>();
            while node.distance(point) >= 0.0 {
                child = node.children[0];
                if child < 0 {
                    return child;
                }
                node = &self.nodes[child as usize];
                visits.node::<COUNT, Node>();
            }
            child = node.children[1];
        }
        child
    }
}

/// Returns the dot product.
#[inline(always)]
pub fn dot(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the point of a segment at a fraction.
#[inline(always)]
pub fn lerp(a: &[f32; 3], b: &[f32; 3], fraction: f32) -> [f32; 3] {
    std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * fraction)
}
