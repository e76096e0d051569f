//! The fast form of a file, as [`verify`](crate::verify) proves it: its records become grids, blocks and local
//! nodes again. Loading has checked every number.

use onion_format::{BlockRecord, GridRecord, LocalChild, LocalRecord, TwinRecord};
use onion_runtime::inspect::Inspect;

use super::form::{Block, FastForm, HullBlocks};
use super::grid::Grid;
use super::local::{Local, LocalNode, Pool, TwinList};
use crate::geometry::PlaneId;
use crate::id::{HullId, ModelId};

/// The fast form of a file whose planes have these ids; none if it has none.
///
/// # Errors
/// A node that appears twice, or whose twins begin inside of a list.
pub fn read(
    file: Inspect<'_>,
    n_hulls: usize,
    planes: &[PlaneId],
) -> Result<Option<FastForm>, String> {
    let mut pool = Pool::default();
    let lists = insert_twins(&mut pool, file.twins(), planes);
    for (number, record) in (0..).zip(file.local_nodes()) {
        let twins = match record.twins {
            LocalRecord::NO_TWINS => Pool::NO_TWINS,
            first => lists[first as usize].ok_or_else(|| {
                format!("the twins of local node {number} begin inside of a list")
            })?,
        };
        if pool.insert(node(&record, twins, planes)) != Local::Node(number) {
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
        level: record.level(),
        root: part(record.root()),
    }
}

/// Adds the lists of twins to a pool; returns the number of the list that begins at each record, if one does.
fn insert_twins(
    pool: &mut Pool,
    twins: impl Iterator<Item = TwinRecord>,
    planes: &[PlaneId],
) -> Vec<Option<u32>> {
    let mut numbers = Vec::new();
    let mut list = TwinList::new();
    for twin in twins {
        list.push(planes[twin.index() as usize]);
        if twin.is_last() {
            let n_others = list.len() - 1;
            list.sort_unstable();
            numbers.push(Some(pool.insert_twins(std::mem::take(&mut list))));
            numbers.extend(std::iter::repeat_n(None, n_others));
        }
    }
    numbers
}

fn node(record: &LocalRecord, twins: u32, planes: &[PlaneId]) -> LocalNode {
    LocalNode {
        plane: planes[record.plane as usize],
        twins,
        children: record.children.map(|child| part(LocalChild(child))),
    }
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
