//! Joins differing intervals to regions: intervals of neighboring vertical lines belong together if they changed in the
//! same way and overlap in height.

use glam::DVec3;
use serde::Serialize;

use super::columns::{Change, ChangedInterval};
use crate::marked_entities::MarkedEntity;
use crate::reach::{self, Near};
use crate::sample_grid::SampleGrid;

/// A region that differs between two files.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangedPlace {
    /// The way in which it changed.
    pub change: Change,
    /// Number of the model.
    pub model: usize,
    /// Its size, in cubic units.
    pub volume: f64,
    /// A position of the hull's origin in it, in units.
    pub at: [f64; 3],
    /// The lower corner of the box around it, in units.
    pub mins: [f64; 3],
    /// The upper corner, in units.
    pub maxs: [f64; 3],
    /// The nearest entity that agents start from or get to; `None` if there is none.
    pub near: Option<Near>,
}

/// Joins changed intervals of neighboring columns into places, and describes each. `columns` has the intervals of each
/// point of the grid.
pub(super) fn places(
    columns: &[Vec<ChangedInterval>],
    grid: &SampleGrid,
    model: usize,
    entities: &[MarkedEntity],
) -> Vec<ChangedPlace> {
    let mut first = Vec::with_capacity(columns.len());
    let mut intervals = Vec::new();
    for (number, column) in columns.iter().enumerate() {
        first.push(intervals.len());
        intervals.extend(column.iter().map(|interval| (number, interval)));
    }
    let mut sets = Sets((0..intervals.len()).collect());
    for (own, &(number, one)) in intervals.iter().enumerate() {
        for other in grid.around(number, 1).filter(|&other| other > number) {
            for (its, two) in columns[other].iter().enumerate() {
                if belong_together(one, two) {
                    sets.join(own, first[other] + its);
                }
            }
        }
    }
    let mut places = vec![None; intervals.len()];
    for (own, &(number, interval)) in intervals.iter().enumerate() {
        add(&mut places[sets.of(own)], grid, number, interval, model);
    }
    let places = places.into_iter().flatten();
    let near = |(place, _): (ChangedPlace, _)| ChangedPlace {
        near: reach::nearest(entities, place.at),
        ..place
    };
    places.map(near).collect()
}

/// Whether intervals of neighboring columns are of one place: the change is the same, and the heights overlap.
fn belong_together(one: &ChangedInterval, other: &ChangedInterval) -> bool {
    one.change == other.change && one.ends[0] <= other.ends[1] && other.ends[0] <= one.ends[1]
}

/// Adds an interval to a region, which is kept with the length of its longest interval.
fn add(
    place: &mut Option<(ChangedPlace, f64)>,
    grid: &SampleGrid,
    number: usize,
    stretch: &ChangedInterval,
    model: usize,
) {
    let [from, to] = stretch.ends;
    let middle = grid.point(number, (from + to) / 2.0).to_array();
    let (place, longest) = place.get_or_insert_with(|| {
        let place = ChangedPlace {
            change: stretch.change,
            model,
            volume: 0.0,
            at: middle,
            mins: [f64::INFINITY; 3],
            maxs: [f64::NEG_INFINITY; 3],
            near: None,
        };
        (place, 0.0)
    });
    let length = to - from;
    if length > *longest {
        *longest = length;
        place.at = middle;
    }
    place.volume += length * grid.step * grid.step;
    let half = DVec3::new(grid.step, grid.step, 0.0) / 2.0;
    let [low, high] = [
        grid.point(number, from) - half,
        grid.point(number, to) + half,
    ];
    place.mins = DVec3::from_array(place.mins).min(low).to_array();
    place.maxs = DVec3::from_array(place.maxs).max(high).to_array();
}

/// Disjoint sets of numbers (union-find); the least number of a set represents it.
struct Sets(Vec<usize>);

impl Sets {
    /// Returns the first member of the set of an item, and shortens the way to it for later calls.
    fn of(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    /// Makes one set of those of two items.
    fn join(&mut self, one: usize, other: usize) {
        let [one, other] = [self.of(one), self.of(other)];
        self.0[one.max(other)] = one.min(other);
    }
}
