//! Crops the view to the part of the world that is worth showing: the surroundings of space that is not solid, in a
//! slice or in a view of the whole map.

use glam::DVec3;
use onion_geometry::Bounds;
use onion_runtime::{HullId, OnionMap};
use rayon::prelude::*;

use super::eye::Eye;
use super::view::{Sight, View};
use crate::solid_intervals::each_solid;

/// Number of lines, in each direction, along which space that is not solid is searched.
const LINES: usize = 512;
/// Margin around that space, as a fraction of its extent and in units.
const AROUND: [f64; 2] = [0.04, 96.0];
/// The view is cropped only if less than this fraction of the world's area remains.
const NARROW: f64 = 0.75;

/// Returns the part of the world that a view shows: all of it or, if a hull has no room in much of it, the surroundings
/// of the space where the hull has room.
pub fn frame<D: AsRef<[u8]> + Sync>(
    map: &OnionMap<D>,
    eye: &Eye,
    view: &View,
    bounds: Bounds,
) -> Bounds {
    let seen = match view.cut {
        Some(at) => empty_bounds(map, eye.hull, view.sight, at, bounds),
        None => open_bounds(map, eye, view),
    };
    let axes = view.sight.across();
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
    let is_narrow = area(&frame) < NARROW * area(&bounds);
    if is_narrow { frame } else { bounds }
}

/// Returns the coordinate of a search line in a box, along an axis.
fn line(Bounds { mins, maxs }: Bounds, axis: usize, number: usize) -> f64 {
    let part = (number as f64 + 0.5) / LINES as f64;
    mins[axis] + (maxs[axis] - mins[axis]) * part
}

/// Returns a box around the points of the view's nearest plane whose lines of sight are not solid all the way.
fn open_bounds<D: AsRef<[u8]> + Sync>(map: &OnionMap<D>, eye: &Eye, view: &View) -> Bounds {
    let [right, up] = view.sight.across();
    let rows = (0..LINES).into_par_iter().map(|row| {
        let mut seen = Bounds::NONE;
        for column in 0..LINES {
            let mut place = view.place([0.0, 0.0]);
            for (axis, number) in [(right, column), (up, row)] {
                place[axis] = line(view.bounds, axis, number);
            }
            if eye.is_open(map, view, place) {
                seen = seen.union(Bounds::around(std::iter::once(place)));
            }
        }
        seen
    });
    rows.reduce(|| Bounds::NONE, Bounds::union)
}

/// Returns a box around the empty intervals of the search lines in a cut.
fn empty_bounds<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    hull: HullId,
    sight: Sight,
    at: f64,
    bounds: Bounds,
) -> Bounds {
    let up = sight.across()[1];
    let mut seen = Bounds::NONE;
    for number in 0..LINES {
        let ends = [bounds.mins, bounds.maxs].map(|mut end| {
            end[up] = line(bounds, up, number);
            end[sight.axis()] = at;
            end
        });
        for part in empty_ends(map, hull, ends) {
            let place = ends[0].lerp(ends[1], part);
            seen = seen.union(Bounds::of([place].into_iter()));
        }
    }
    seen
}

/// Returns where the first empty interval of a segment begins and where the last one ends, as fractions of the segment,
/// or no items if all of it is solid.
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
