//! Flattens a fast form into records: grids, blocks, local nodes and lists of their twins. Its planes are those of
//! the trees, which are written before.

use std::collections::HashMap;

use onion_format::{BlockRecord, GridRecord, LocalChild, LocalPlane, LocalRecord, TwinRecord};

use super::trees::{TreeWriter, number};
use crate::error::CompileError;
use crate::fast::form::{FastForm, HullBlocks};
use crate::fast::local::{Local, LocalNode, Pool};
use crate::geometry::PlaneId;

/// The chunks of a fast form.
pub(super) struct FastRecords {
    pub(super) grids: Vec<GridRecord>,
    pub(super) blocks: Vec<BlockRecord>,
    pub(super) nodes: Vec<LocalRecord>,
    pub(super) twins: Vec<TwinRecord>,
}

/// The records of a fast form, whose planes are those of trees that were written.
pub(super) fn fast_records(
    form: &FastForm,
    writer: &mut TreeWriter<'_>,
) -> Result<FastRecords, CompileError> {
    if form.pool.nodes().len() as u64 >= u64::from(LocalChild::LEAF_BIT) {
        return Err(CompileError::TooLarge);
    }
    let order = Order::new(form);
    let mut records = FastRecords {
        grids: Vec::with_capacity(form.hulls.len()),
        blocks: Vec::new(),
        nodes: Vec::with_capacity(form.pool.nodes().len()),
        twins: Vec::new(),
    };
    for own in &form.hulls {
        let first = number(records.blocks.len())?;
        records.grids.push(grid_record(own, first));
        let blocks = own.blocks.iter();
        let record = blocks.map(|block| BlockRecord::new(order.child(block.root), block.reach));
        records.blocks.extend(record);
    }
    let mut lists = Lists::default();
    for node in order.nodes.iter().map(|&node| form.pool.node(node)) {
        let number = writer.plane_number(node.plane)?;
        let plane = match node.twins {
            Pool::NO_TWINS => LocalPlane::Plane(number),
            _ => LocalPlane::List(lists.push(&form.pool, node, writer)?),
        };
        let record = &writer.plane_records[number as usize];
        records.nodes.push(LocalRecord {
            normal: record.normal,
            plane: plane.bits(),
            dist: record.dist,
            children: node.children.map(|part| order.child(part).0),
        });
    }
    records.twins = lists.records;
    Ok(records)
}

/// The record of a hull's grid, whose blocks begin with this one.
fn grid_record(HullBlocks { grid, outside, .. }: &HullBlocks, first: u32) -> GridRecord {
    let leaf = |solid: bool| {
        if solid {
            LocalChild::SOLID
        } else {
            LocalChild::EMPTY
        }
    };
    GridRecord {
        // Whole numbers below 2^24.
        origin: grid.origin.map(|units| units as f32),
        size: grid.size as f32,
        counts: grid.counts,
        first,
        outside: outside.map_or(GridRecord::UNKNOWN, |solid| leaf(solid).0),
    }
}

/// Lists of a node's plane and its twins, none twice.
#[derive(Default)]
struct Lists {
    /// Where the list of a plane and a list of twins begins.
    firsts: HashMap<(PlaneId, u32), u32>,
    records: Vec<TwinRecord>,
}

impl Lists {
    /// Appends the list of a node that has twins, unless it is there; returns where it begins.
    fn push(
        &mut self,
        pool: &Pool,
        node: &LocalNode,
        writer: &mut TreeWriter<'_>,
    ) -> Result<u32, CompileError> {
        let key = (node.plane, node.twins);
        if let Some(&first) = self.firsts.get(&key) {
            return Ok(first);
        }
        let first = number(self.records.len())?;
        if first >= LocalPlane::LIST_BIT {
            return Err(CompileError::TooLarge);
        }
        let twins = pool.twins(node);
        let planes = std::iter::once(&node.plane).chain(twins);
        for (index, &plane) in planes.enumerate() {
            let plane = writer.plane_number(plane)?;
            let is_last = index == twins.len();
            self.records.push(TwinRecord::new(plane, is_last));
        }
        self.firsts.insert(key, first);
        Ok(first)
    }
}

/// The order of the nodes in the file: hull by hull and block by block, children before their parents. So what the
/// queries of a hull in a place read is close together, and not among what other hulls have there.
struct Order {
    /// The nodes, by their numbers in the pool.
    nodes: Vec<u32>,
    /// For each node of the pool, its number in the file.
    numbers: Vec<Option<u32>>,
}

impl Order {
    fn new(form: &FastForm) -> Self {
        let mut order = Self {
            nodes: Vec::with_capacity(form.pool.nodes().len()),
            numbers: vec![None; form.pool.nodes().len()],
        };
        for block in form.hulls.iter().flat_map(|own| &own.blocks) {
            order.add(&form.pool, block.root);
        }
        order
    }

    /// Adds a part, unless it is there.
    fn add(&mut self, pool: &Pool, part: Local) {
        let Local::Node(node) = part else {
            return;
        };
        if self.numbers[node as usize].is_none() {
            for child in pool.node(node).children {
                self.add(pool, child);
            }
            self.numbers[node as usize] = Some(self.nodes.len() as u32);
            self.nodes.push(node);
        }
    }

    /// A part that was added, as the file has it.
    fn child(&self, part: Local) -> LocalChild {
        match part {
            Local::Empty => LocalChild::EMPTY,
            Local::Solid => LocalChild::SOLID,
            Local::Node(node) => LocalChild(self.numbers[node as usize].expect("was added")),
        }
    }
}
