//! The records that say what was hit: the sides of all brushes, and which of them have faces in the
//! plane of each node.

use onion_format::{BrushRecord, FaceRecord, FirstFaceRecord, SIDE_LOOKS_BACK, SideRecord};

use super::trees::{TreeWriter, number};
use crate::brush::{ModelBrushes, Source};
use crate::error::CompileError;
use crate::provenance::{BrushSides, BrushTable, Side};

/// The records of all brushes, and of their sides.
pub(super) fn brush_records(
    models: &[ModelBrushes],
    table: &BrushTable,
    writer: &mut TreeWriter<'_>,
) -> Result<(Vec<BrushRecord>, Vec<SideRecord>), CompileError> {
    let (mut brushes, mut sides) = (Vec::new(), Vec::new());
    for ((model, own), listed) in (0..).zip(models).zip(&table.models) {
        for (brush, BrushSides { first, sides: all }) in own.iter().zip(listed) {
            let (kind, number) = match brush.source {
                Source::Brush(number) => (0, number),
                Source::Patch(number) => (1, number),
            };
            let n_faces = brush.faces.len() as u32;
            brushes.push(BrushRecord {
                model,
                kind,
                number: number as u32,
                contents: brush.contents,
                first_side: *first,
                n_faces,
                n_bevels: all.len() as u32 - n_faces,
            });
            for side in all {
                sides.push(side_record(side, writer)?);
            }
        }
    }
    Ok((brushes, sides))
}

fn side_record(side: &Side, writer: &mut TreeWriter<'_>) -> Result<SideRecord, CompileError> {
    let looks_back = if side.plane.is_canonical() {
        0
    } else {
        SIDE_LOOKS_BACK
    };
    Ok(SideRecord {
        plane: writer.plane_number(side.plane.canonical())? | looks_back,
        surface: side.face.surface,
        number: side.face.number,
    })
}

/// Where the faces of each node begin, and the faces.
pub(super) fn face_records(
    faces: &[Vec<u32>],
) -> Result<(Vec<FirstFaceRecord>, Vec<FaceRecord>), CompileError> {
    let all = faces.iter().flatten().map(|&side| FaceRecord { side });
    let all: Vec<_> = all.collect();
    number(all.len())?;
    let ends = faces.iter().scan(0, |end, faces| {
        *end += faces.len() as u32;
        Some(*end)
    });
    let firsts = std::iter::once(0).chain(ends);
    let firsts = firsts.map(|first| FirstFaceRecord { first });
    Ok((firsts.collect(), all))
}
