//! Joins differing stretches into places: stretches of neighboring lines belong together if they changed in the same
//! way and overlap in height.

use glam::DVec3;
use serde::Serialize;

use super::change::Change;
use super::columns::{Grid, Stretch};
use crate::placed::Placed;
use crate::reach::{self, Near};

/// A place that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangedPlace {
    /// What it became.
    pub change: Change,
    /// Number of the model.
    pub model: usize,
    /// Its size, in cubic units.
    pub volume: f64,
    /// A place in it, of the hull's origin, in units.
    pub at: [f64; 3],
    /// The lower corner of the box around it.
    pub mins: [f64; 3],
    /// The upper corner.
    pub maxs: [f64; 3],
    /// The nearest entity that agents start from or get to, if there is one.
    pub near: Option<Near>,
}

/// The places of a model.
pub(super) fn places(
    columns: &[Vec<Stretch>],
    grid: &Grid,
    model: usize,
    entities: &[Placed],
) -> Vec<ChangedPlace> {
    let first: Vec<usize> = columns
        .iter()
        .scan(0, |next, column| {
            let first = *next;
            *next += column.len();
            Some(first)
        })
        .collect();
    let n_stretches = columns.iter().map(Vec::len).sum();
    let mut sets = Sets((0..n_stretches).collect());
    for (number, column) in columns
        .iter()
        .enumerate()
        .filter(|(_, column)| !column.is_empty())
    {
        for other in grid.next_to(number) {
            for (own, one) in column.iter().enumerate() {
                for (its, two) in columns[other].iter().enumerate() {
                    if belong_together(one, two) {
                        sets.join(first[number] + own, first[other] + its);
                    }
                }
            }
        }
    }
    let mut places = vec![None; n_stretches];
    for (number, column) in columns.iter().enumerate() {
        for (own, stretch) in column.iter().enumerate() {
            let set = sets.of(first[number] + own);
            add(&mut places[set], grid, number, stretch, model);
        }
    }
    let mut places: Vec<ChangedPlace> = places
        .into_iter()
        .flatten()
        .map(|(place, _)| place)
        .collect();
    for place in &mut places {
        place.near = reach::nearest(entities, place.at);
    }
    places
}

fn belong_together(one: &Stretch, other: &Stretch) -> bool {
    one.change == other.change && one.ends[0] <= other.ends[1] && other.ends[0] <= one.ends[1]
}

/// Adds a stretch to a place, which keeps the length of its longest one.
fn add(
    place: &mut Option<(ChangedPlace, f64)>,
    grid: &Grid,
    number: usize,
    stretch: &Stretch,
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

/// Sets of numbers, each with its least one as its name.
struct Sets(Vec<usize>);

impl Sets {
    fn of(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join(&mut self, one: usize, other: usize) {
        let [one, other] = [self.of(one), self.of(other)];
        self.0[one.max(other)] = one.min(other);
    }
}
