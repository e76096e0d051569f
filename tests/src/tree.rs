//! The tree of a file, taken from its records: a loaded map in, the planes above every node and leaf out. Shares
//! nothing with the runtime except the records, and visits every leaf for every query.

use std::collections::HashMap;

use onion_format::{Child, NORMAL_ONE, NodePlane, PlaneRecord};
use onion_runtime::{HullId, OnionMap};

use crate::oracle::vec3::dot;

/// A point this near to a plane is on it, in units: the runtime's documented 2^-31.
pub const ON_PLANE: f64 = 1.0 / (1u64 << 31) as f64;

/// A plane above a node or leaf.
#[derive(Clone, Copy, Debug)]
pub struct Above {
    /// Number of the plane.
    pub plane: usize,
    /// Whether the node or leaf is in front of it.
    pub is_front: bool,
}

/// A tree.
pub struct Tree {
    /// The planes of the file.
    pub planes: Vec<PlaneRecord>,
    /// The first node, or the only leaf.
    pub root: Child,
    /// The parent of each node and leaf and the plane between, keyed by its child reference.
    parents: HashMap<u32, (u32, Above)>,
    /// The numbers of the planes of nodes.
    splitters: HashMap<u32, usize>,
    /// The leaves, as child references.
    leaves: Vec<u32>,
}

impl Tree {
    /// Reads the tree of a model for a hull.
    pub fn new(map: &OnionMap<impl AsRef<[u8]>>, model: usize, hull: HullId) -> Self {
        let of_hull =
            |&(group, _): &(usize, _)| map.inspect().hulls_of_group(group).contains(hull.index());
        let (_, root) = map
            .inspect()
            .roots_of(model)
            .enumerate()
            .find(of_hull)
            .unwrap();
        let mut tree = Self {
            planes: map.inspect().planes().collect(),
            root,
            parents: HashMap::new(),
            splitters: HashMap::new(),
            leaves: Vec::new(),
        };
        let mut pending = vec![root];
        while let Some(at) = pending.pop() {
            if at.is_leaf() {
                tree.leaves.push(at.0);
                continue;
            }
            let node = map.inspect().node(at.index()).unwrap();
            let plane = NodePlane(node.plane).index() as usize;
            tree.splitters.insert(at.index(), plane);
            let children = node.children(at.index());
            for (child, is_front) in children.into_iter().zip([true, false]) {
                let above = (at.0, Above { plane, is_front });
                let other = tree.parents.insert(child.0, above);
                assert!(other.is_none(), "a cell that hangs in two places");
                pending.push(child);
            }
        }
        tree
    }

    /// Returns the numbers of the leaves.
    pub fn leaves(&self) -> impl Iterator<Item = usize> {
        self.leaves.iter().map(|&leaf| Child(leaf).index() as usize)
    }

    /// Returns the planes above a node or leaf, nearest first.
    pub fn above(&self, place: Child) -> impl Iterator<Item = Above> {
        let mut at = place.0;
        std::iter::from_fn(move || {
            let &(parent, above) = self.parents.get(&at)?;
            at = parent;
            Some(above)
        })
    }

    /// Returns the plane of a node.
    pub fn splitter(&self, node: u32) -> usize {
        self.splitters[&node]
    }

    /// Returns the unit normal of a plane.
    pub fn normal(&self, plane: usize) -> [f64; 3] {
        let normal = self.planes[plane].normal;
        normal.map(|component| f64::from(component) / f64::from(NORMAL_ONE))
    }

    /// Returns the signed distance of a point in front of a plane, in units.
    pub fn ahead(&self, plane: usize, point: [f64; 3]) -> f64 {
        dot(self.normal(plane), point) - self.planes[plane].dist
    }

    /// Returns the distance of a point from a cell by the plane that it is farthest outside of, in units; 0 if it is
    /// inside.
    pub fn outside_by(&self, place: Child, point: [f64; 3]) -> f64 {
        let outside = self.above(place).map(|above| {
            let ahead = self.ahead(above.plane, point);
            if above.is_front { -ahead } else { ahead }
        });
        outside.fold(0.0, f64::max)
    }
}
