//! Flattens a fast form into records: grids, blocks and local nodes. Its planes are those of the trees, which
//! are written before.

use onion_format::{BlockRecord, GridRecord, LocalChild, LocalPlane, LocalRecord};

use super::trees::{TreeWriter, number};
use crate::error::CompileError;
use crate::fast::form::{FastForm, HullBlocks};
use crate::fast::local::{Local, LocalNode};

/// The chunks of a fast form.
pub(super) struct FastRecords {
    pub(super) grids: Vec<GridRecord>,
    pub(super) blocks: Vec<BlockRecord>,
    pub(super) nodes: Vec<LocalRecord>,
}

/// The records of a fast form, whose planes are those of trees that were written.
pub(super) fn fast_records(
    form: &FastForm,
    writer: &mut TreeWriter<'_>,
) -> Result<FastRecords, CompileError> {
    if form.pool.nodes().len() >> BlockRecord::LEVEL_SHIFT != 0 {
        return Err(CompileError::TooLarge);
    }
    let mut records = FastRecords {
        grids: Vec::with_capacity(form.hulls.len()),
        blocks: Vec::new(),
        nodes: Vec::with_capacity(form.pool.nodes().len()),
    };
    for HullBlocks { grid, blocks, .. } in &form.hulls {
        records.grids.push(GridRecord {
            // Whole numbers below 2^24.
            origin: grid.origin.map(|units| units as f32),
            size: grid.size as f32,
            counts: grid.counts,
            first: number(records.blocks.len())?,
        });
        let blocks = blocks.iter();
        let record = blocks.map(|block| BlockRecord::new(child(block.root), block.level));
        records.blocks.extend(record);
    }
    for LocalNode {
        plane,
        has_twin,
        children,
    } in form.pool.nodes()
    {
        let number = writer.plane_number(*plane)?;
        let record = &writer.plane_records[number as usize];
        records.nodes.push(LocalRecord {
            normal: record.normal,
            plane: LocalPlane::new(number, *has_twin).0,
            dist: record.dist,
            children: children.map(|part| child(part).0),
        });
    }
    Ok(records)
}

fn child(part: Local) -> LocalChild {
    match part {
        Local::Empty => LocalChild::EMPTY,
        Local::Solid => LocalChild::SOLID,
        Local::Node(number) => LocalChild(number),
    }
}
