//! Vertical lines through two files, and the intervals of each line that are solid in one file and empty in the other.
//! Intervals no longer than rounding errors are ignored.

use glam::DVec3;
use onion_geometry::Bounds;
use onion_runtime::{HullId, OnionMap};
use rayon::prelude::*;
use serde::Serialize;

use crate::boxes;
use crate::sample_grid::SampleGrid;
use crate::solid_intervals::each_solid;
use crate::tolerance::SAME_PLACE;

/// The way in which space changed from one file to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It was empty and became solid.
    Solid,
    /// It was solid and became empty.
    Empty,
}

/// An interval of a vertical line that is solid in only one of two files.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangedInterval {
    /// Its change.
    pub change: Change,
    /// Heights of its lower and its upper end, in units.
    pub ends: [f64; 2],
}

/// Creates a grid that covers all positions of a hull's origin near the brushes of either file.
pub(super) fn grid_over<D: AsRef<[u8]>>(before: &OnionMap<D>, now: &OnionMap<D>) -> SampleGrid {
    let mut bounds = bounds(before).union(self::bounds(now));
    let step = SampleGrid::step_over(bounds);
    // Sides of cells lie on lines of the mapper's grid, as most faces do.
    bounds.mins = (bounds.mins / step).floor() * step;
    SampleGrid::new(bounds, step)
}

/// Returns, for the vertical line in the middle of each cell of a grid, the intervals that differ for a hull and a
/// model.
pub(super) fn columns<D: AsRef<[u8]> + Sync>(
    grid: &SampleGrid,
    files: [(&OnionMap<D>, HullId); 2],
    model: usize,
) -> Vec<Vec<ChangedInterval>> {
    let lines = (0..grid.n_points()).into_par_iter().map(|number| {
        let Bounds { mins, maxs } = grid.bounds;
        let ends = [mins.z, maxs.z].map(|z| grid.point(number, z));
        let [before, now] = files.map(|(file, hull)| solid(file, hull, model, ends));
        let became = |change, these: &[[f64; 2]], others: &[[f64; 2]]| {
            let ends = without(these, others).into_iter();
            ends.map(move |ends| ChangedInterval { change, ends })
        };
        let gained = became(Change::Solid, &now, &before);
        gained.chain(became(Change::Empty, &before, &now)).collect()
    });
    lines.collect()
}

/// Returns a box around all positions of a hull's origin at which hulls touch a file's models, and a unit more.
fn bounds<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Bounds {
    let models = (0..map.n_models()).filter_map(|number| map.model(number));
    let models =
        models.map(|model| boxes::moved(boxes::of_model(&model), boxes::vector(model.origin())));
    let hulls = map.hulls().map(|hull| boxes::of_hull(&hull));
    let [models, hulls] = [models.reduce(Bounds::union), hulls.reduce(Bounds::union)];
    let none = boxes::ORIGIN;
    let Bounds { mins, maxs } = boxes::touching(models.unwrap_or(none), hulls.unwrap_or(none));
    Bounds {
        mins: mins - 1.0,
        maxs: maxs + 1.0,
    }
}

/// Returns the intervals of heights in which a vertical line is solid, from the lowest; empty if the file does not have
/// the model.
fn solid<D: AsRef<[u8]>>(
    file: &OnionMap<D>,
    hull: HullId,
    model: usize,
    ends: [DVec3; 2],
) -> Vec<[f64; 2]> {
    let Some(model) = file.model(model) else {
        return Vec::new();
    };
    let origin = boxes::vector(model.origin());
    let length = ends[1].z - ends[0].z;
    let mut solid: Vec<[f64; 2]> = Vec::new();
    each_solid(&model, hull, ends.map(|end| end - origin), |part| {
        let [from, to] = part.map(|fraction| ends[0].z + fraction * length);
        match solid.last_mut() {
            Some(last) if from <= last[1] => last[1] = to,
            _ => solid.push([from, to]),
        }
    });
    solid
}

/// Returns the parts of some intervals that no other interval covers, without very short ones. Each list is ordered and
/// without overlap.
fn without(these: &[[f64; 2]], others: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut rest = Vec::new();
    for &[mut from, to] in these {
        for &[start, end] in others {
            if end > from && start < to {
                rest.push([from, start]);
                from = end;
            }
        }
        rest.push([from, to]);
    }
    rest.retain(|[from, to]| to - from > SAME_PLACE);
    rest
}
