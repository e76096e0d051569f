//! The fast form: the report of a compile in, its size relative to the trees and the time to build
//! and prove it out.

use onion_compiler::report::Report;
use onion_compiler::stage::Stage;
use onion_format::{NodeRecord, PlaneRecord};
use serde::Serialize;

/// The cost of the fast form of one file.
#[derive(Clone, Debug, Serialize)]
pub struct FastForm {
    /// File name of the map.
    pub map: String,
    /// Size, in bytes.
    pub bytes: usize,
    /// Size relative to the bytes of nodes and planes.
    pub over_trees: f64,
    /// Seconds to build and prove it.
    pub seconds: f64,
    /// Those seconds relative to the whole compile.
    pub share: f64,
}

impl FastForm {
    /// Returns the cost in a compile.
    pub fn of(map: &str, report: &Report) -> Self {
        let bytes = report.optional.fast;
        let trees = report.n_nodes * NodeRecord::SIZE + report.n_planes * PlaneRecord::SIZE;
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
}
