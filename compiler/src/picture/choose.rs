//! Where a map is best cut if nobody says so: through the places where agents start, at the height that shows
//! most of the entities, and most that is empty.

use onion_runtime::{HullId, OnionMap};

use super::marks::{Kind, Mark};
use crate::geometry::Bounds;

/// How high above where an agent stands the cut is, in units: above steps, below what one looks over.
const ABOVE_FEET: f64 = 20.0;
/// Points along each side of the map that are looked at.
const POINTS: usize = 96;

/// How far below a cut an agent may stand whose surroundings it shows, in units.
const BELOW_CUT: f64 = 80.0;

/// The height of the best cut.
pub fn height<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    hull: HullId,
    marks: &[Mark],
    bounds: Bounds,
) -> f64 {
    let feet = marks.iter().map(|mark| {
        let below = mark.place.with_z(bounds.mins.z);
        let fall = map.trace(hull, mark.place.to_array(), below.to_array());
        (mark.kind == Kind::Start, fall.end_pos[2])
    });
    let feet: Vec<(bool, f64)> = feet.collect();
    let starts = feet.iter().filter(|(is_start, _)| *is_start);
    let mut heights: Vec<f64> = starts.map(|(_, z)| (z + ABOVE_FEET).floor()).collect();
    if heights.is_empty() {
        let step = (bounds.maxs.z - bounds.mins.z) / 16.0;
        let evenly = (1..16).map(|number| (bounds.mins.z + step * f64::from(number)).floor());
        heights = evenly.collect();
    }
    heights.sort_by(f64::total_cmp);
    heights.dedup();
    let best = heights.iter().rev().max_by_key(|&&z| {
        let shown = feet
            .iter()
            .filter(|(_, at)| (z - BELOW_CUT..z).contains(at));
        (shown.count(), n_empty(map, hull, bounds, z))
    });
    best.copied().unwrap_or(0.0)
}

/// How many points of a grid at a height are empty.
fn n_empty<D: AsRef<[u8]>>(map: &OnionMap<D>, hull: HullId, bounds: Bounds, z: f64) -> usize {
    let step = (bounds.maxs - bounds.mins) / POINTS as f64;
    let points = (0..POINTS * POINTS).map(|number| {
        let x = bounds.mins.x + step.x * ((number % POINTS) as f64 + 0.5);
        let y = bounds.mins.y + step.y * ((number / POINTS) as f64 + 0.5);
        [x, y, z]
    });
    points.filter(|&point| !map.is_solid(hull, point)).count()
}
