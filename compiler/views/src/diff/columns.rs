//! Vertical lines through two files, and the stretches of each line that are solid in one file and empty in the
//! other. Stretches no longer than rounding errors are ignored.

use glam::DVec3;
use onion_geometry::Bounds;
use onion_runtime::{HullId, OnionMap};
use rayon::prelude::*;

use super::change::Change;
use crate::solid_intervals::each_solid;
use crate::tolerance::SAME_PLACE;

/// Minimum distance of lines, in units, and maximum number of lines along an axis.
const LEAST_STEP: f64 = 4.0;
const MOST_LINES: usize = 512;

/// The lines, in the middle of the cells of a grid.
pub(super) struct Grid {
    /// Their distance, in units.
    pub step: f64,
    bounds: Bounds,
    counts: [usize; 2],
}

/// A stretch that differs.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangedInterval {
    /// Its change.
    pub change: Change,
    /// Heights of its lower and its upper end, in units.
    pub ends: [f64; 2],
}

impl Grid {
    /// Creates a grid over both files, as far as a hull's origin may be from brushes.
    pub fn of<D: AsRef<[u8]>>(before: &OnionMap<D>, now: &OnionMap<D>) -> Self {
        let all = [before, now].map(bounds);
        let bounds = Bounds {
            mins: all[0].mins.min(all[1].mins),
            maxs: all[0].maxs.max(all[1].maxs),
        };
        let extents = bounds.maxs - bounds.mins;
        let mut step = LEAST_STEP;
        while extents.x.max(extents.y) / step > MOST_LINES as f64 {
            step *= 2.0;
        }
        // Sides of cells are on the lines of a mapper's grid, where most faces are.
        let bounds = Bounds {
            mins: (bounds.mins / step).floor() * step,
            ..bounds
        };
        let extents = bounds.maxs - bounds.mins;
        Self {
            step,
            bounds,
            counts: [extents.x, extents.y].map(|extent| (extent / step).ceil() as usize),
        }
    }

    /// Returns the place of a line at a height.
    pub fn point(&self, number: usize, z: f64) -> DVec3 {
        let cell = [number % self.counts[0], number / self.counts[0]];
        let [x, y] = cell.map(|at| (at as f64 + 0.5) * self.step);
        DVec3::new(self.bounds.mins.x + x, self.bounds.mins.y + y, z)
    }

    /// Returns the lines that are next to a line and have higher numbers.
    pub fn next_to(&self, number: usize) -> impl Iterator<Item = usize> {
        let [width, height] = self.counts;
        let [x, y] = [number % width, number / width];
        let right = (x + 1 < width).then_some(number + 1);
        let below = (x.saturating_sub(1)..(x + 2).min(width)).map(move |x| (y + 1) * width + x);
        right
            .into_iter()
            .chain(below.filter(move |_| y + 1 < height))
    }

    /// Returns for each line the stretches that differ for a hull and a model.
    pub fn columns<D: AsRef<[u8]> + Sync>(
        &self,
        files: [(&OnionMap<D>, HullId); 2],
        model: usize,
    ) -> Vec<Vec<ChangedInterval>> {
        let lines = 0..self.counts[0] * self.counts[1];
        let lines = lines.into_par_iter().map(|number| {
            let Bounds { mins, maxs } = self.bounds;
            let ends = [mins.z, maxs.z].map(|z| self.point(number, z));
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
}

/// Returns the box around a file's models in which hulls may differ.
fn bounds<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Bounds {
    let vector = |corner: [f32; 3]| DVec3::from_array(corner.map(f64::from));
    let boxes = (0..map.n_models()).filter_map(|number| {
        let model = map.model(number)?;
        let (mins, maxs) = model.bounds();
        let origin = vector(model.origin());
        Some([vector(mins) + origin, vector(maxs) + origin])
    });
    let hulls = map
        .hulls()
        .map(|hull| [vector(hull.mins), vector(hull.maxs)]);
    let [below, above] = around(hulls);
    let [mins, maxs] = around(boxes);
    Bounds {
        mins: mins - above - 1.0,
        maxs: maxs - below + 1.0,
    }
}

/// Returns the corners of the box around boxes.
fn around(boxes: impl Iterator<Item = [DVec3; 2]>) -> [DVec3; 2] {
    let joined = boxes.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
    joined.unwrap_or([DVec3::ZERO; 2])
}

/// Returns the heights between which a line is solid, from below; empty if the file does not have the model.
fn solid<D: AsRef<[u8]>>(
    file: &OnionMap<D>,
    hull: HullId,
    model: usize,
    ends: [DVec3; 2],
) -> Vec<[f64; 2]> {
    let Some(model) = file.model(model) else {
        return Vec::new();
    };
    let origin = DVec3::from_array(model.origin().map(f64::from));
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

/// Returns the parts of some stretches that no other stretch covers; both lists are in order and do not overlap
/// themselves.
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
