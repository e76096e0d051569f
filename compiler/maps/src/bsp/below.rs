//! Finds the brushes of models in the Quake II family, where brushes do not name their model: a model's brushes are
//! those listed by the leaves below its node. Files may have cycles of nodes and overlapping lists, so visited nodes
//! and brushes are remembered.

use super::lumps::{Records, i32s, number};
use crate::error::MapError;

/// Offset of the root node in a model, in bytes.
const ROOT: usize = 36;

/// The records that lead from models to brushes.
#[derive(Clone, Copy)]
pub struct Lists<'a> {
    pub nodes: Records<'a>,
    pub leaves: Records<'a>,
    /// Offset of the range of brushes in a leaf, in bytes.
    pub leaf_range: usize,
    pub leaf_brushes: Records<'a>,
    pub brushes: Records<'a>,
    /// Whether numbers of leaves and their lists have 32 bits rather than 16.
    pub is_wide: bool,
}

/// The walks of all models, which share counters and marks.
pub struct Walk<'a> {
    lists: Lists<'a>,
    /// The last model whose walk met each node and brush.
    seen_nodes: Vec<u32>,
    seen_brushes: Vec<u32>,
    /// The number of times that any walk did.
    n_nodes: i64,
    n_brushes: i64,
}

impl<'a> Walk<'a> {
    pub fn new(lists: Lists<'a>) -> Self {
        Self {
            seen_nodes: vec![u32::MAX; lists.nodes.len()],
            seen_brushes: vec![u32::MAX; lists.brushes.len()],
            lists,
            n_nodes: 0,
            n_brushes: 0,
        }
    }

    /// Adds the brushes below a model's node that the model does not have yet.
    pub fn collect(
        &mut self,
        model: u32,
        record: &[u8],
        brushes: &mut Vec<usize>,
    ) -> Result<(), MapError> {
        let [root] = i32s(record, ROOT);
        let mut open = vec![(root, None)];
        while let Some((child, parent)) = open.pop() {
            let place = || match parent {
                Some(node) => format!("node {node}"),
                None => format!("model {model}"),
            };
            if child < 0 {
                let leaf = -1 - i64::from(child);
                let record = self.lists.leaves.get(leaf, place)?;
                self.leaf(model, leaf, record, brushes)?;
                continue;
            }
            let record = self.lists.nodes.get(i64::from(child), place)?;
            let seen = &mut self.seen_nodes[child as usize];
            if *seen == model {
                continue;
            }
            *seen = model;
            self.n_nodes += 1;
            self.lists.nodes.check_sharing(self.n_nodes)?;
            let [front, back] = i32s(record, 4);
            open.extend([front, back].map(|below| (below, Some(child))));
        }
        Ok(())
    }

    fn leaf(
        &mut self,
        model: u32,
        leaf: i64,
        record: &[u8],
        brushes: &mut Vec<usize>,
    ) -> Result<(), MapError> {
        let place = || format!("leaf {leaf}");
        let Lists {
            leaf_range,
            is_wide,
            ..
        } = self.lists;
        let width = if is_wide { 4 } else { 2 };
        let [first, count] = [leaf_range, leaf_range + width].map(|at| number(record, at, is_wide));
        self.n_brushes += count;
        self.lists.leaf_brushes.check_sharing(self.n_brushes)?;
        for (_, entry) in self.lists.leaf_brushes.range(first, count, place)? {
            let brush = number(entry, 0, is_wide);
            self.lists.brushes.get(brush, place)?;
            let seen = &mut self.seen_brushes[brush as usize];
            if *seen != model {
                *seen = model;
                brushes.push(brush as usize);
            }
        }
        Ok(())
    }
}
