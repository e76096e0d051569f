//! The records of floors and their corners: the windings of stage 5, floors, go in; chunks of the document come out.
//! Corners are rounded to f64 here, and boxes outward to f32; planes are exact.

use onion_format::{FACE_LOOKS_BACK, FloorCornerRecord, FloorRecord};

use super::document::Document;
use super::trees::{TreeWriter, number};
use crate::error::CompileError;
use crate::floors::{Floors, tree};

/// Appends the chunks of floors. Returns their size and that of the planes that they add.
pub(super) fn push_floors(
    document: &mut Document,
    floors: &Floors,
    writer: &mut TreeWriter<'_>,
) -> Result<usize, CompileError> {
    let before = writer.n_plane_bytes();
    let (mut records, mut corners) = (Vec::new(), Vec::new());
    for (hull, floors) in (0..).zip(floors) {
        let boxes = tree::boxes(writer.planes, floors);
        for (floor, [mins, maxs]) in floors.iter().zip(boxes) {
            let looks_back = u32::from(!floor.plane.is_canonical()) * FACE_LOOKS_BACK;
            records.push(FloorRecord {
                hull,
                plane: writer.plane_number(floor.plane.canonical())? | looks_back,
                first_corner: number(corners.len())?,
                n_corners: number(floor.corners.len())?,
                mins,
                maxs,
            });
            corners.extend(floor.corners.iter().map(|corner| FloorCornerRecord {
                place: corner.position.truncate().to_array(),
            }));
        }
    }
    let planes = writer.n_plane_bytes() - before;
    Ok(planes + document.push(&records) + document.push(&corners))
}
