//! Computes the differences between two compiled files: their maps and options, their sizes, and for each hull the
//! regions that became solid or empty, with their volumes. In: two files. Out: lists of differences.
//!
//! Volumes are sampled along vertical lines of a grid, exactly along each line: sizes are estimates, and a difference
//! narrower than the spacing of the lines may be missed.

mod columns;
mod places;

use onion_runtime::{HullId, OnionMap};
use serde::Serialize;

use crate::marked_entities;
use crate::sample_grid::SampleGrid;
pub use columns::Change;
use onion_compiler::hull::HullSpec;
use onion_compiler::options::arguments;
pub use places::ChangedPlace;

/// The differences between a file and the one before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diff {
    /// Whether they were compiled from the same bytes of a map.
    pub same_map: bool,
    /// Options of the earlier compile that the later one does not have; the compiler and the hulls count as options.
    pub options_before: Vec<String>,
    /// Options of the later compile that the earlier one does not have.
    pub options_now: Vec<String>,
    /// Sizes and counts that differ.
    pub counts: Vec<Count>,
    /// Spacing of the vertical lines, in units.
    pub step: f64,
    /// The hulls that both files have, in the order of the later one.
    pub hulls: Vec<HullDiff>,
}

impl Diff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        let options = self.options_before.iter().chain(&self.options_now);
        let is_same = self.same_map && options.count() == 0 && self.counts.is_empty();
        is_same && self.hulls.iter().all(|hull| hull.places.is_empty())
    }
}

/// A count that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Its name.
    pub what: &'static str,
    /// Its value in the file before.
    pub before: usize,
    /// Its value now.
    pub now: usize,
}

/// The differences for a hull.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HullDiff {
    /// Its name.
    pub hull: String,
    /// The volume that became solid, in cubic units.
    pub became_solid: f64,
    /// The volume that became empty, in cubic units.
    pub became_empty: f64,
    /// The regions that differ, the largest first.
    pub places: Vec<ChangedPlace>,
}

/// Compares a file with the one before.
pub fn diff<D: AsRef<[u8]> + Sync>(before: &OnionMap<D>, now: &OnionMap<D>) -> Diff {
    let [old, new] = [before, now].map(options);
    let without = |these: &[String], others: &[String]| {
        let these = these.iter().filter(|option| !others.contains(option));
        these.cloned().collect()
    };
    let counts = counts(before).into_iter().zip(counts(now));
    let counts = counts.map(|((what, before), (_, now))| Count { what, before, now });
    let grid = columns::grid_over(before, now);
    let hulls = now.hulls().filter_map(|hull| {
        let old = before.find_hull(hull.name)?;
        Some(of_hull(hull.name, [(before, old), (now, hull.id)], &grid))
    });
    Diff {
        same_map: before.inspect().info().map_digest == now.inspect().info().map_digest,
        options_before: without(&old, &new),
        options_now: without(&new, &old),
        counts: counts.filter(|count| count.before != count.now).collect(),
        step: grid.step,
        hulls: hulls.collect(),
    }
}

/// Returns the options that a file records about its compile, with the compiler, the hulls and which hulls are filled.
fn options<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Vec<String> {
    let file = map.inspect();
    let hulls = map.hulls().map(|hull| {
        let filled = if hull.filled { "" } else { " (not filled)" };
        arguments::hull_argument(&HullSpec::from(hull)) + filled
    });
    let compiler = [file.compiler().to_owned()].into_iter();
    let options = compiler.chain(hulls);
    options.chain(file.options().map(str::to_owned)).collect()
}

/// Returns the numbers of a file that are compared, by their names.
fn counts<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Vec<(&'static str, usize)> {
    let file = map.inspect();
    let n_entities = map.entities().map_or(0, |entities| entities.len());
    vec![
        ("bytes", file.n_bytes()),
        ("models", map.n_models()),
        ("entities", n_entities),
        ("nodes", file.n_nodes()),
        ("leaves", file.n_leaves()),
        ("planes", file.n_planes()),
        ("depth", file.info().depth as usize),
    ]
}

/// Returns the differences for a hull, whose number may differ between the two files.
fn of_hull<D: AsRef<[u8]> + Sync>(
    name: &str,
    files: [(&OnionMap<D>, HullId); 2],
    grid: &SampleGrid,
) -> HullDiff {
    let [(before, _), (now, _)] = files;
    let entities = marked_entities::reached(now);
    let models = 0..before.n_models().max(now.n_models());
    let places = models.flat_map(|model| {
        let columns = columns::columns(grid, files, model);
        places::places(&columns, grid, model, &entities)
    });
    let mut places: Vec<ChangedPlace> = places.collect();
    places.sort_by(|one, other| other.volume.total_cmp(&one.volume));
    let sum = |change: Change| {
        let places = places.iter().filter(|place| place.change == change);
        // A sum of no volumes is -0, which would be printed.
        places
            .map(|place| place.volume)
            .fold(0.0, |sum, volume| sum + volume)
    };
    HullDiff {
        hull: name.to_owned(),
        became_solid: sum(Change::Solid),
        became_empty: sum(Change::Empty),
        places,
    }
}
