//! The choice of a splitter: a cell and the faces in it in, the plane to split at out. Greedy
//! surface-area heuristic: a random line that meets the cell meets a part of it as often as the
//! part's surface is large, so the plane with the least sum of surface area times number of faces
//! on both sides makes the cheapest traces. Choosing for the fewest splits instead gives fewer
//! nodes but trees twice as deep and traces two to three times slower.
//!
//! Only speed and size depend on it, so it is computed in plain f64.

use crate::geometry::{Cell, PlaneId, PlaneSet};
use crate::tree::CellFace;

/// Most planes that are tried in a cell.
const MOST_CANDIDATES: usize = 32;

/// Most faces that are counted on the sides of a candidate.
const MOST_COUNTED: usize = 512;

/// A face that reaches less than this beyond a plane counts as not reaching beyond it, in units.
const TOUCH: f64 = 1.0 / 64.0;

/// The plane of a face at which to split a cell. `faces` is not empty.
pub fn choose(set: &PlaneSet, cell: &Cell, faces: &[CellFace]) -> PlaneId {
    let mut best = (f64::INFINITY, faces[0].face.winding.plane.canonical());
    for plane in candidates(faces) {
        let [front, back] = count(set, plane, faces);
        let [front_area, back_area] = cell.areas_cut_by(set, plane);
        let cost = front_area * front + back_area * back;
        if cost < best.0 {
            best = (cost, plane);
        }
    }
    best.1
}

/// Distinct planes of faces, spread evenly over all of them.
fn candidates(faces: &[CellFace]) -> Vec<PlaneId> {
    let mut planes: Vec<_> = spread(faces, 4 * MOST_CANDIDATES)
        .map(|face| face.face.winding.plane.canonical())
        .collect();
    planes.sort_unstable();
    planes.dedup();
    spread(&planes, MOST_CANDIDATES).copied().collect()
}

/// At most `most` items, evenly spread.
fn spread<T>(items: &[T], most: usize) -> impl Iterator<Item = &T> {
    items.iter().step_by(items.len().div_ceil(most).max(1))
}

/// How many faces reach in front of and behind a plane.
fn count(set: &PlaneSet, plane: PlaneId, faces: &[CellFace]) -> [f64; 2] {
    let entry = &set[plane];
    let mut counts = [0.0; 2];
    for CellFace {
        face,
        center,
        half_size,
    } in spread(faces, MOST_COUNTED)
    {
        if face.winding.plane.canonical() == plane {
            continue;
        }
        let ahead = entry.normal.dot(*center) - entry.dist;
        let reach = entry.normal.abs().dot(*half_size) - TOUCH;
        if ahead > -reach {
            counts[0] += 1.0;
        }
        if ahead < reach {
            counts[1] += 1.0;
        }
    }
    counts
}
