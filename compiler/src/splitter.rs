//! The choice of a splitter: a cell and the faces in it in, the plane to split at out. Greedy
//! surface-area heuristic: a random line that meets the cell meets a part of it as often as the
//! part's surface is large, so the plane with the least sum of surface area times number of faces
//! on both sides makes the cheapest traces. Choosing for the fewest splits instead gives fewer
//! nodes but trees twice as deep and traces two to three times slower.
//!
//! Deep in the tree an axial plane through the middle of the faces is tried too: it divides what
//! planes of faces cannot, such as the many sides of a pillar, each of which has all others behind
//! it. Trying such planes everywhere made trees of curved maps a quarter larger.
//!
//! Only speed and size depend on it, so it is computed in plain f64.

use crate::geometry::{Bounds, Cell, Plane, PlaneId, PlaneSet};
use crate::tree::CellFace;

/// Most planes that are tried in a cell.
const MOST_CANDIDATES: usize = 32;

/// Most faces that are counted on the sides of a candidate.
const MOST_COUNTED: usize = 512;

/// From this depth on, axial planes through the middle of the faces are tried too. The trees of real
/// maps end before it, at 17 to 42.
const DEEP: usize = 48;

/// A face that reaches less than this beyond a plane counts as not reaching beyond it, in units.
const TOUCH: f64 = 1.0 / 64.0;

/// Most grid planes on one axis.
const MOST_GRID_PLANES: f64 = 2048.0;

/// Least distance of two grid planes, in units.
const LEAST_SPACING: f64 = 8.0;

/// Axial planes at equal distances, made before the tree because a builder adds no planes.
#[derive(Clone, Debug)]
pub struct AxialGrid {
    spacing: f64,
    /// For each axis, the number of the first plane in units of the spacing, and the planes.
    axes: [(f64, Vec<PlaneId>); 3],
}

impl AxialGrid {
    /// A grid over a box; its distances are powers of two.
    pub fn new(set: &mut PlaneSet, bounds: &Bounds) -> Self {
        let longest = (bounds.maxs - bounds.mins).max_element();
        let mut spacing = LEAST_SPACING;
        while longest / spacing > MOST_GRID_PLANES {
            spacing *= 2.0;
        }
        let axes = [0, 1, 2].map(|axis| {
            let first = (bounds.mins[axis] / spacing).ceil();
            let last = (bounds.maxs[axis] / spacing).floor();
            let n_planes = (last - first + 1.0).max(0.0) as i64;
            let units = |number: i64| (first as i64 + number) * spacing as i64;
            let planes =
                (0..n_planes).map(|number| set.insert(Plane::whole(axis, true, units(number))));
            (first, planes.collect())
        });
        Self { spacing, axes }
    }

    /// The grid plane nearest to a place on an axis, if it passes through the inside of a box.
    fn plane(&self, axis: usize, at: f64, bounds: &Bounds) -> Option<PlaneId> {
        let (first, planes) = &self.axes[axis];
        let number = (at / self.spacing).round();
        let units = number * self.spacing;
        let inside = bounds.mins[axis] + TOUCH < units && units < bounds.maxs[axis] - TOUCH;
        inside
            .then(|| planes.get((number - first) as usize).copied())
            .flatten()
    }
}

/// The plane at which to split a cell that lies `depth` nodes deep. `faces` is not empty.
pub fn choose(
    set: &PlaneSet,
    grid: &AxialGrid,
    cell: &Cell,
    faces: &[CellFace],
    depth: usize,
) -> PlaneId {
    let mut planes = candidates(faces);
    if depth >= DEEP {
        let bounds = cell.bounds();
        let middles = (0..3).map(|axis| (axis, middle(faces, axis)));
        planes.extend(middles.filter_map(|(axis, at)| grid.plane(axis, at, &bounds)));
    }
    let mut best = (f64::INFINITY, planes[0]);
    for plane in planes {
        let [front, back] = count(set, plane, faces);
        let [front_area, back_area] = cell.areas_cut_by(set, plane);
        let cost = front_area * front + back_area * back;
        if cost < best.0 {
            best = (cost, plane);
        }
    }
    best.1
}

/// Median of the faces' centers on an axis, of those that are counted.
fn middle(faces: &[CellFace], axis: usize) -> f64 {
    let mut centers: Vec<f64> = spread(faces, MOST_COUNTED)
        .map(|face| face.center[axis])
        .collect();
    let half = centers.len() / 2;
    *centers.select_nth_unstable_by(half, f64::total_cmp).1
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
