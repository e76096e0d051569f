//! Flattens trees into records: nodes in pre-order, and the planes that they use, numbered in the order of their first
//! use, so the same trees always give the same bytes.

use std::collections::HashMap;

use onion_format::{Child, HullSet, NUMBER_BITS, NodePlane, NodeRecord, PlaneRecord, RootRecord};
use onion_geometry::{PlaneId, PlaneSet};

use crate::bsp::leaf_tree::{Branch, Chart};
use crate::bsp::{ModelTree, Tree};
use crate::error::CompileError;

pub(super) struct TreeWriter<'a> {
    /// The planes of the compile.
    pub(super) planes: &'a PlaneSet,
    /// The numbers that planes have in the file.
    numbers: HashMap<PlaneId, u32>,
    /// The records of these planes, in the order of their numbers.
    pub(super) plane_records: Vec<PlaneRecord>,
    /// The records of all nodes so far.
    pub(super) nodes: Vec<NodeRecord>,
    /// The number of nodes on the longest path so far.
    pub(super) depth: u32,
}

impl<'a> TreeWriter<'a> {
    pub(super) fn new(planes: &'a PlaneSet) -> Self {
        Self {
            planes,
            numbers: HashMap::new(),
            plane_records: Vec::new(),
            nodes: Vec::new(),
            depth: 0,
        }
    }

    /// Appends a tree; returns the record of its root.
    pub(super) fn write(&mut self, tree: &ModelTree) -> Result<RootRecord, CompileError> {
        let ModelTree { tree, hulls, .. } = tree;
        self.depth = self.depth.max(tree.depth());
        let first = number(self.nodes.len())?;
        let chart = Chart::numbered(tree, *hulls, first);
        let whole = chart.whole(self.planes);
        self.add(tree, whole, *hulls)?;
        let Child(leaf) = Child::leaf(hulls.ranks_of(!whole.any()).into());
        let root = whole.split().map_or(leaf, |_| first);
        Ok(RootRecord { root })
    }

    /// Appends the nodes of a tree, which is also given as a branch of its chart.
    fn add(&mut self, tree: &Tree, branch: Branch<'_>, hulls: HullSet) -> Result<(), CompileError> {
        let (
            Some((plane, branches)),
            Tree::Node {
                faces, children, ..
            },
        ) = (branch.split(), tree)
        else {
            return Ok(());
        };
        let leaf_bit = |side: usize| match branches[side].split() {
            None => NodeRecord::LEAF_BITS[side],
            Some(_) => 0,
        };
        let next = match branches[1].split() {
            None => 0,
            Some(_) => number(branches[1].number_in_file() as usize)?,
        };
        let plane = NodePlane::new(self.plane_number(plane)?, faces[0], faces[1]);
        let PlaneRecord { normal, dist, .. } = self.plane_records[plane.index() as usize];
        self.nodes.push(NodeRecord {
            normal,
            plane: plane.0,
            dist,
            back: leaf_bit(0) | leaf_bit(1) | next,
            resolved: branches.map(|child| hulls.ranks_of(!(child.any() & child.not_all()))),
            solid: branches.map(|child| hulls.ranks_of(!child.any())),
        });
        let mut children = children.iter().zip(branches);
        children.try_for_each(|(child, branch)| self.add(child, branch, hulls))
    }

    pub(super) fn n_plane_bytes(&self) -> usize {
        self.plane_records.len() * PlaneRecord::SIZE
    }

    /// Returns the number of a plane in the file, which is assigned here if the plane has none.
    pub(super) fn plane_number(&mut self, plane: PlaneId) -> Result<u32, CompileError> {
        debug_assert!(plane.is_canonical());
        if let Some(&number) = self.numbers.get(&plane) {
            return Ok(number);
        }
        let number = number(self.plane_records.len())?;
        let entry = &self.planes[plane];
        self.plane_records.push(PlaneRecord {
            // Components of a normal are below 2^31, as its length is 1 within 2^-10.
            normal: entry.plane.normal.map(|component| component as i32).into(),
            axis: entry.axis.map_or(3, u32::from),
            dist: entry.dist,
        });
        self.numbers.insert(plane, number);
        Ok(number)
    }
}

/// Pads a name with zero bytes, or cuts it off.
pub(crate) fn padded<const N: usize>(name: &[u8]) -> [u8; N] {
    std::array::from_fn(|at| name.get(at).copied().unwrap_or_default())
}

/// Returns the number of the record after `length` records.
pub(super) fn number(length: usize) -> Result<u32, CompileError> {
    match u32::try_from(length) {
        Ok(number) if number >> NUMBER_BITS == 0 => Ok(number),
        _ => Err(CompileError::TooLarge),
    }
}
