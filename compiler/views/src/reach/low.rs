//! Finds low places: floors where a hull stands and the next larger one does not. Floors at most one step apart are
//! one place, which a report names by its middle and the box around it.

use onion_runtime::Hull;

use super::place::LowPlace;
use crate::floors::{FloorGrid, Floors, STEP};

/// Returns the places where a hull stands and a larger one does not, nor beside it as far as the larger one is wider.
pub(super) fn without(
    fits: &Floors,
    wide: &Floors,
    [larger, own]: [&Hull<'_>; 2],
    grid: &FloorGrid,
) -> Vec<LowPlace> {
    let rise = f64::from(own.mins[2] - larger.mins[2]);
    let wider = (0..2).map(|k| (larger.maxs[k] - larger.mins[k]) - (own.maxs[k] - own.mins[k]));
    let wider = wider.fold(0.0, f32::max) / 2.0;
    let reach = (f64::from(wider) / grid.step).ceil() as usize;
    let is_low = |number: usize, z: f64| {
        let mut around = grid.around(number, reach);
        !around.any(|other| wide.0[other].iter().any(|at| (at - z - rise).abs() < STEP))
    };
    let low = fits.0.iter().enumerate().map(|(number, floors)| {
        let floors = floors.iter().copied().filter(|&z| is_low(number, z));
        floors.collect::<Vec<f64>>()
    });
    let mut low: Vec<Vec<f64>> = low.collect();
    let mut places = Vec::new();
    for number in 0..low.len() {
        while let Some(z) = low[number].pop() {
            let points = connected(&mut low, number, z, grid);
            places.push(place(&points, [larger, own], grid));
        }
    }
    places
}

/// Returns the floors that are connected to a floor, and removes them from those that are left.
fn connected(left: &mut [Vec<f64>], number: usize, z: f64, grid: &FloorGrid) -> Vec<(usize, f64)> {
    let mut found = Vec::new();
    let mut pending = vec![(number, z)];
    while let Some((number, z)) = pending.pop() {
        found.push((number, z));
        for other in grid.around(number, 1) {
            let near = left[other].extract_if(.., |at| (*at - z).abs() <= STEP);
            pending.extend(near.map(|at| (other, at)));
        }
    }
    found
}

fn place(points: &[(usize, f64)], [larger, own]: [&Hull<'_>; 2], grid: &FloorGrid) -> LowPlace {
    let places = points.iter().map(|&(number, z)| {
        let [x, y] = grid.point(number);
        [x, y, z]
    });
    let places: Vec<[f64; 3]> = places.collect();
    let edge = |start: f64, pick: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|k| places.iter().map(|place| place[k]).fold(start, pick))
    };
    let [mins, maxs] = [
        edge(f64::INFINITY, f64::min),
        edge(f64::NEG_INFINITY, f64::max),
    ];
    let off = |place: &[f64; 3]| {
        let steps = [0, 1, 2].map(|k| place[k] - (mins[k] + maxs[k]) / 2.0);
        steps.iter().map(|step| step * step).sum::<f64>()
    };
    let at = places
        .iter()
        .min_by(|one, other| off(one).total_cmp(&off(other)));
    LowPlace {
        fits: own.name.to_owned(),
        too_large: larger.name.to_owned(),
        area: points.len() as f64 * grid.step * grid.step,
        at: at.copied().unwrap_or_default(),
        mins,
        maxs,
        near: None,
    }
}
