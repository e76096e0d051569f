//! Flattens a fast form into records: grids, blocks, local nodes and their twins. Its planes are those of the trees, which
//! are written before.

use onion_format::{BlockRecord, GridRecord, LocalChild, LocalRecord, TwinRecord};

use super::trees::{TreeWriter, number};
use crate::error::CompileError;
use crate::fast::form::{FastForm, HullBlocks};
use crate::fast::local::{Local, LocalNode};

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
    if form.pool.nodes().len() >> BlockRecord::LEVEL_SHIFT != 0 {
        return Err(CompileError::TooLarge);
    }
    let mut records = FastRecords {
        grids: Vec::with_capacity(form.hulls.len()),
        blocks: Vec::new(),
        nodes: Vec::with_capacity(form.pool.nodes().len()),
        twins: Vec::new(),
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
    let first_twins = push_twins(form, writer, &mut records.twins)?;
    for LocalNode {
        plane,
        twins,
        children,
    } in form.pool.nodes()
    {
        let number = writer.plane_number(*plane)?;
        let (normal, dist) = writer.rounded(number);
        records.nodes.push(LocalRecord {
            normal,
            dist,
            children: children.map(|part| child(part).0),
            plane: number,
            twins: first_twins[*twins as usize],
        });
    }
    Ok(records)
}

/// Appends the lists of twins; returns where each begins.
fn push_twins(
    form: &FastForm,
    writer: &mut TreeWriter<'_>,
    twins: &mut Vec<TwinRecord>,
) -> Result<Vec<u32>, CompileError> {
    let mut firsts = Vec::new();
    for list in form.pool.twin_lists() {
        let Some(last) = list.last() else {
            firsts.push(LocalRecord::NO_TWINS);
            continue;
        };
        firsts.push(number(twins.len())?);
        for twin in list {
            twins.push(TwinRecord::new(writer.plane_number(*twin)?, twin == last));
        }
    }
    Ok(firsts)
}

fn child(part: Local) -> LocalChild {
    match part {
        Local::Empty => LocalChild::EMPTY,
        Local::Solid => LocalChild::SOLID,
        Local::Node(number) => LocalChild(number),
    }
}
