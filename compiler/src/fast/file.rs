//! The fast form of a file, as [`verify`](crate::verify) proves it: its records become grids, blocks and local
//! nodes again. Loading has checked every number.

use onion_format::{BlockRecord, GridRecord, LocalChild, LocalPlane, LocalRecord};
use onion_runtime::inspect::Inspect;

use super::form::{Block, FastForm, HullBlocks};
use super::grid::Grid;
use super::local::{Local, LocalNode, Pool};
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
    for (number, record) in (0..).zip(file.local_nodes()) {
        if pool.insert(node(&record, planes)) != Local::Node(number) {
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

fn node(record: &LocalRecord, planes: &[PlaneId]) -> LocalNode {
    let plane = LocalPlane(record.plane);
    LocalNode {
        plane: planes[plane.index() as usize],
        has_twin: plane.has_twin(),
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
