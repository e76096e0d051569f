//! The fast form: the report of a compile in, its size over that of the trees and what it takes to build and
//! prove it out.

use onion_compiler::report::Report;
use onion_compiler::stage::Stage;
use onion_format::{NodeRecord, PlaneRecord};
use serde::Serialize;

/// What the fast form of one file costs.
#[derive(Clone, Debug, Serialize)]
pub struct FastForm {
    /// File name of the map.
    pub map: String,
    /// Bytes.
    pub bytes: usize,
    /// The same over the bytes of nodes and planes.
    pub over_trees: f64,
    /// Seconds to build and prove it.
    pub seconds: f64,
    /// The same over those of the whole compile.
    pub share: f64,
}

impl FastForm {
    /// That of a compile.
    pub fn of(map: &str, report: &Report) -> Self {
        let bytes = report.optional.fast;
        let trees = report.nodes * NodeRecord::SIZE + report.planes * PlaneRecord::SIZE;
        let seconds = |(_, seconds): &(Stage, f64)| *seconds;
        let own = report
            .stages
            .iter()
            .filter(|(stage, _)| *stage == Stage::Fast);
        let own: f64 = own.map(seconds).sum();
        Self {
            map: map.to_owned(),
            bytes,
            over_trees: bytes as f64 / trees as f64,
            seconds: own,
            share: own / report.stages.iter().map(seconds).sum::<f64>(),
        }
    }

    /// A line of a table.
    pub fn line(&self) -> String {
        let Self {
            map,
            bytes,
            over_trees,
            seconds,
            share,
        } = self;
        let (kib, percent) = (bytes >> 10, 100.0 * share);
        format!("| {map} | {kib} | {over_trees:.2} | {seconds:.2} | {percent:.0} |")
    }
}
