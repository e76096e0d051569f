//! The default slice of a map: through the places where agents start, at the height that shows most of the entities
//! and most of the empty space. And the part of a slice that is worth showing.

use glam::DVec3;
use onion_runtime::{HullId, OnionMap};

use super::marks::{Kind, Mark};
use super::view::Sight;
use crate::geometry::Bounds;
use crate::stretch::each_solid;

/// How high above where an agent stands the cut is, in units: above steps, below what one looks over.
const ABOVE_FEET: f64 = 20.0;
/// Points along each side of the map that are looked at.
const POINTS: usize = 96;

/// How far below a cut an agent may stand whose surroundings it shows, in units.
const BELOW_CUT: f64 = 80.0;

/// Lines along which a cut is looked at for what is empty.
const LINES: usize = 512;
/// How much of the walls around what is empty is shown, of its size and in units.
const AROUND: [f64; 2] = [0.04, 96.0];
/// A frame is narrower than the world if it is smaller than this part of it.
const NARROW: f64 = 0.75;

/// What of the world a cut shows: all, or, if much of it has no place for a hull, what surrounds those places.
pub fn frame<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    hull: HullId,
    (sight, at): (Sight, f64),
    bounds: Bounds,
) -> Bounds {
    let seen = empty_bounds(map, hull, (sight, at), bounds);
    let axes = sight.across();
    if axes.iter().any(|&axis| seen.mins[axis] >= seen.maxs[axis]) {
        return bounds;
    }
    let mut frame = bounds;
    for axis in axes {
        let around = (seen.maxs[axis] - seen.mins[axis]) * AROUND[0] + AROUND[1];
        frame.mins[axis] = bounds.mins[axis].max(seen.mins[axis] - around);
        frame.maxs[axis] = bounds.maxs[axis].min(seen.maxs[axis] + around);
    }
    let area = |bounds: &Bounds| {
        let [width, height] = axes.map(|axis| bounds.maxs[axis] - bounds.mins[axis]);
        width * height
    };
    if area(&frame) < NARROW * area(&bounds) {
        frame
    } else {
        bounds
    }
}

/// A box around what is empty in a cut, line by line.
fn empty_bounds<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    hull: HullId,
    (sight, at): (Sight, f64),
    bounds: Bounds,
) -> Bounds {
    let up = sight.across()[1];
    let mut seen = Bounds::NONE;
    for line in 0..LINES {
        let part = (line as f64 + 0.5) / LINES as f64;
        let height = bounds.mins[up] + (bounds.maxs[up] - bounds.mins[up]) * part;
        let ends = [bounds.mins, bounds.maxs].map(|mut end| {
            end[up] = height;
            end[sight.axis()] = at;
            end
        });
        for part in empty_ends(map, hull, ends) {
            let place = ends[0].lerp(ends[1], part);
            seen.mins = seen.mins.min(place);
            seen.maxs = seen.maxs.max(place);
        }
    }
    seen
}

/// Where the first empty stretch of a segment begins and the last one ends, as fractions of it; nothing if all is
/// solid.
fn empty_ends<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    hull: HullId,
    ends: [DVec3; 2],
) -> impl Iterator<Item = f64> {
    let mut free = Vec::new();
    let mut from = 0.0;
    each_solid(&map.world(), hull, ends, |[enter, leave]| {
        if enter > from {
            free.extend([from, enter]);
        }
        from = leave;
    });
    if from < 1.0 {
        free.extend([from, 1.0]);
    }
    let last = free.last().copied();
    free.into_iter().take(1).chain(last)
}

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
