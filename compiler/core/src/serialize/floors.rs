//! The records of floors, their corners and the places of these: the windings of stage 5, floors, go in; chunks of the
//! document come out. Corners are rounded to f64 here, and boxes outward to f32; planes are exact.

use indexmap::IndexSet;
use onion_format::{
    FACE_LOOKS_BACK, FloorCornerRecord, FloorPlaceRecord, FloorRecord, MAX_FLOOR_CORNERS,
    MAX_FLOORS,
};

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
    let mut places = IndexSet::new();
    for (hull, floors) in (0..).zip(floors) {
        let boxes = tree::boxes(writer.planes, floors);
        for (floor, [mins, maxs]) in floors.iter().zip(boxes) {
            let looks_back = u32::from(!floor.plane.is_canonical()) * FACE_LOOKS_BACK;
            records.push(FloorRecord {
                plane: writer.plane_number(floor.plane.canonical())? | looks_back,
                begins: FloorRecord::begin(hull, number(corners.len())?),
                mins,
                maxs,
            });
            for corner in &floor.corners {
                let at = corner.position.truncate().to_array();
                let (place, _) = places.insert_full(at.map(f64::to_bits));
                corners.push(FloorCornerRecord {
                    place: number(place)?,
                });
            }
        }
    }
    if records.len() > MAX_FLOORS as usize || corners.len() > MAX_FLOOR_CORNERS as usize {
        return Err(CompileError::TooLarge);
    }
    let planes = writer.n_plane_bytes() - before;
    let places = places.into_iter().map(|at| FloorPlaceRecord {
        at: at.map(f64::from_bits),
    });
    let places = Vec::from_iter(places);
    Ok(planes + document.push(&records) + document.push(&corners) + document.push(&places))
}
