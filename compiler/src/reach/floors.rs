//! The floors of a hull: where it can stand, for each point of a grid, from the highest floor down; and the parts of
//! them where a larger hull has no floor, as places.

use std::ops::ControlFlow;

use onion_runtime::{Hull, OnionMap, Transition};
use rayon::prelude::*;

use super::place::LowPlace;

/// Least vertical component of the normal of what one stands on, as in Quake III.
const MIN_GROUND_Z: f64 = 0.7;
/// Floors that are this near in height are one, in units: a step.
const STEP: f64 = 18.0;
/// How far above the floor a hull is, in units.
const ABOVE: f64 = 1.0 / 32.0;
/// The least distance of points, and most points along an axis.
const LEAST_STEP: f64 = 4.0;
const MOST_POINTS: usize = 512;

/// The points that are looked at.
pub(super) struct Grid {
    pub step: f64,
    mins: [f64; 3],
    maxs: [f64; 3],
    counts: [usize; 2],
}

/// For each point of a grid, the heights of its floors.
pub(super) struct Floors(Vec<Vec<f64>>);

impl Grid {
    /// A grid over the world of a map.
    pub fn of<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Self {
        let (mins, maxs) = map.world().bounds();
        let [mins, maxs] = [mins, maxs].map(|corner| corner.map(f64::from));
        let extents = [0, 1].map(|k| maxs[k] - mins[k]);
        let mut step = LEAST_STEP;
        while extents
            .iter()
            .any(|extent| extent / step > MOST_POINTS as f64)
        {
            step *= 2.0;
        }
        Self {
            step,
            mins,
            maxs,
            counts: extents.map(|extent| (extent / step).ceil() as usize),
        }
    }

    /// The middle of a cell.
    fn point(&self, number: usize) -> [f64; 2] {
        let cell = [number % self.counts[0], number / self.counts[0]];
        [0, 1].map(|k| self.mins[k] + (cell[k] as f64 + 0.5) * self.step)
    }

    /// The cells at most so many steps away along each axis, the cell among them.
    fn around(&self, number: usize, reach: usize) -> impl Iterator<Item = usize> {
        let [width, height] = self.counts;
        let [x, y] = [number % width, number / width];
        let columns = x.saturating_sub(reach)..(x + reach + 1).min(width);
        let rows = y.saturating_sub(reach)..(y + reach + 1).min(height);
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }
}

impl Floors {
    /// The floors of a hull.
    pub fn of<D: AsRef<[u8]> + Sync>(map: &OnionMap<D>, hull: &Hull<'_>, grid: &Grid) -> Self {
        let [width, height] = grid.counts;
        let cells = (0..width * height).into_par_iter();
        let [below, above] = [grid.mins[2] - 1.0, grid.maxs[2] + 1.0];
        let id = hull.id;
        let floors = cells.map(|number| {
            let [x, y] = grid.point(number);
            let mut found = Vec::new();
            map.world()
                .transitions(id, [x, y, above], [x, y, below], |transition| {
                    if let Transition::EnterSolid(crossing) = transition
                        && crossing
                            .plane
                            .is_some_and(|plane| plane.normal[2] >= MIN_GROUND_Z)
                    {
                        found.push(crossing.point[2] + ABOVE);
                    }
                    ControlFlow::Continue(())
                });
            found
        });
        Self(floors.collect())
    }

    /// The size of all floors, in square units.
    pub fn area(&self, grid: &Grid) -> f64 {
        let count: usize = self.0.iter().map(Vec::len).sum();
        count as f64 * grid.step * grid.step
    }

    /// The places where this hull stands and a larger one does not, nor beside it as far as it is wider.
    pub fn without(
        &self,
        wide: &Self,
        [larger, own]: [&Hull<'_>; 2],
        grid: &Grid,
    ) -> Vec<LowPlace> {
        let rise = f64::from(own.mins[2] - larger.mins[2]);
        let wider = (0..2).map(|k| (larger.maxs[k] - larger.mins[k]) - (own.maxs[k] - own.mins[k]));
        let wider = wider.fold(0.0, f32::max) / 2.0;
        let reach = (f64::from(wider) / grid.step).ceil() as usize;
        let is_low = |number: usize, z: f64| {
            let mut around = grid.around(number, reach);
            !around.any(|other| wide.0[other].iter().any(|at| (at - z - rise).abs() < STEP))
        };
        let low = self.0.iter().enumerate().map(|(number, floors)| {
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
}

/// The floors that are one with a floor, which are taken out of those that are left.
fn connected(left: &mut [Vec<f64>], number: usize, z: f64, grid: &Grid) -> Vec<(usize, f64)> {
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

fn place(points: &[(usize, f64)], [larger, own]: [&Hull<'_>; 2], grid: &Grid) -> LowPlace {
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
