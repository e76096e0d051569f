//! Finds low places: floors where a hull stands and the next larger hull does not. Neighboring floors with a height
//! difference of at most a step form one low place, which has a middle point and a bounding box.

use glam::DVec3;
use onion_geometry::Bounds;
use onion_runtime::Hull;

use super::place::LowPlace;
use crate::floors::{Floors, STEP};
use crate::sample_grid::SampleGrid;

/// Returns the low places of a hull: floors where it stands, with no floor of the larger hull within the distance by
/// which that hull is wider.
pub(super) fn without(
    fits: &Floors,
    wide: &Floors,
    [larger, own]: [&Hull<'_>; 2],
    grid: &SampleGrid,
) -> Vec<LowPlace> {
    // Where both hulls stand on one floor, their origins are at different heights above it.
    let rise = f64::from(own.bounds.mins[2] - larger.bounds.mins[2]);
    let [size, own_size] = [larger, own].map(|hull| hull.bounds.size());
    // The larger hull may stand beside the point, as far as its box still covers that of the smaller one.
    let wider = (0..2).map(|k| size[k] - own_size[k]);
    let wider = wider.fold(0.0, f32::max) / 2.0;
    let reach = (f64::from(wider) / grid.step).ceil() as usize;
    let is_low = |number: usize, z: f64| {
        let mut around = grid.around(number, reach);
        !around.any(|other| wide.0[other].iter().any(|at| (at - z - rise).abs() < STEP))
    };
    let mut low = fits.0.clone();
    for (number, floors) in low.iter_mut().enumerate() {
        floors.retain(|&z| is_low(number, z));
    }
    let mut places = Vec::new();
    for number in 0..low.len() {
        while let Some(z) = low[number].pop() {
            let points = connected(&mut low, number, z, grid);
            places.push(place(&points, [larger, own], grid));
        }
    }
    places
}

/// Removes the floors connected to a floor from `left`, and returns them with that floor.
fn connected(left: &mut [Vec<f64>], number: usize, z: f64, grid: &SampleGrid) -> Vec<(usize, f64)> {
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

/// Describes a place of some points of a grid, given with their heights: where a hull fits and a larger one does not.
fn place(points: &[(usize, f64)], [larger, own]: [&Hull<'_>; 2], grid: &SampleGrid) -> LowPlace {
    let places = points.iter().map(|&(number, z)| grid.point(number, z));
    let Bounds { mins, maxs } = Bounds::of(places.clone());
    let off = |place: &DVec3| place.distance_squared((mins + maxs) / 2.0);
    let at = places.min_by(|one, other| off(one).total_cmp(&off(other)));
    LowPlace {
        fits: own.name.to_owned(),
        too_large: larger.name.to_owned(),
        area: points.len() as f64 * grid.step * grid.step,
        at: at.unwrap_or_default().to_array(),
        mins: mins.to_array(),
        maxs: maxs.to_array(),
        near: None,
    }
}
