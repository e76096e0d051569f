//! The fast form of a file, as [`verify`](crate::verify) proves it: its records become grids, blocks and local
//! nodes again. Loading has checked every number.

use std::collections::HashMap;

use onion_format::{BlockRecord, GridRecord, LocalChild, LocalPlane, TwinRecord};
use onion_runtime::inspect::Inspect;

use super::form::{Block, FastForm, HullBlocks};
use super::grid::Grid;
use super::local::{Local, LocalNode, Pool, TwinList};
use crate::geometry::PlaneId;
use crate::id::{HullId, ModelId};

/// The fast form of a file whose planes have these ids; none if it has none.
///
/// # Errors
/// A node that appears twice.
pub fn read(
    file: Inspect<'_>,
    n_hulls: usize,
    planes: &[PlaneId],
) -> Result<Option<FastForm>, String> {
    let mut pool = Pool::default();
    let lists = insert_twins(&mut pool, file.twins(), planes);
    for (number, record) in (0..).zip(file.local_nodes()) {
        let (plane, twins) = match record.local_plane() {
            LocalPlane::Plane(number) => (planes[number as usize], Pool::NO_TWINS),
            LocalPlane::List(first) => lists[&first],
        };
        let children = record.children.map(|child| part(LocalChild(child)));
        let node = LocalNode {
            plane,
            twins,
            children,
        };
        if pool.insert(node) != Local::Node(number) {
            return Err(format!("local node {number} appears twice"));
        }
    }
    let blocks: Vec<Block> = file.blocks().map(block).collect();
    let hulls = file.grids().enumerate().map(|(index, record)| {
        let grid = grid(&record);
        let first = record.first as usize;
        HullBlocks {
            model: ModelId((index / n_hulls) as u32),
            hull: HullId::new(index % n_hulls),
            grid,
            outside: record.is_solid_outside(),
            blocks: blocks[first..first + grid.n_blocks()].to_vec(),
        }
    });
    let hulls: Vec<_> = hulls.collect();
    Ok((!hulls.is_empty()).then_some(FastForm { pool, hulls }))
}

fn grid(record: &GridRecord) -> Grid {
    Grid {
        // Whole numbers.
        origin: record.origin.map(|units| units as i64),
        size: record.size as i64,
        counts: record.counts,
    }
}

fn block(record: BlockRecord) -> Block {
    Block {
        root: part(record.root()),
        reach: std::array::from_fn(|side| record.reach(side as u32)),
    }
}

/// Adds the lists of twins to a pool; returns, by the number of the record at which a list begins, its first plane
/// and the number of the twins in the pool.
fn insert_twins(
    pool: &mut Pool,
    records: impl Iterator<Item = TwinRecord>,
    planes: &[PlaneId],
) -> HashMap<u32, (PlaneId, u32)> {
    let mut lists = HashMap::new();
    let mut records = (0..).zip(records);
    while let Some((first, own)) = records.next() {
        let mut twins = TwinList::new();
        let mut is_last = own.is_last();
        while !is_last && let Some((_, twin)) = records.next() {
            twins.push(planes[twin.index() as usize]);
            is_last = twin.is_last();
        }
        twins.sort_unstable();
        let own = planes[own.index() as usize];
        lists.insert(first, (own, pool.insert_twins(twins)));
    }
    lists
}

fn part(child: LocalChild) -> Local {
    if child.is_empty() {
        Local::Empty
    } else if child.is_solid() {
        Local::Solid
    } else {
        Local::Node(child.index())
    }
}
