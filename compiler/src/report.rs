//! The report of a compile: counts, sizes, costs, the audit, warnings, and the time of each stage. The command
//! prints it as text or JSON.

use std::time::Instant;

use onion_runtime::OnionMap;
use serde::Serialize;

use crate::audit::Audit;
use crate::brush::{Brush, ModelBrushes, Source};
use crate::compare::Rival;
use crate::cost::Costs;
use crate::expand::ModelSolids;
use crate::fill::HullFilling;
use crate::hull::HullSpec;
use crate::map::{Map, Warning};
use crate::options::CompileOptions;
use crate::serialize::Sizes;

/// What a compile did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Format of the map.
    pub format: String,
    /// The hulls with their resolved boxes.
    pub hulls: Vec<HullSpec>,
    /// Models, the world included.
    pub n_models: usize,
    /// Entities.
    pub n_entities: usize,
    /// Brushes of all models.
    pub n_brushes: usize,
    /// Curved surfaces of all models.
    pub n_patches: usize,
    /// Convex pieces that stand for the curved surfaces.
    pub n_patch_pieces: usize,
    /// Expanded brushes, over all hulls.
    pub n_hull_brushes: usize,
    /// Pieces of the skins, over all hulls.
    pub n_faces: usize,
    /// For each hull, what filling did, if anything.
    pub filling: Vec<HullFilling>,
    /// Nodes of all trees.
    pub nodes: usize,
    /// Leaves of all trees.
    pub leaves: usize,
    /// Distinct planes in the file.
    pub planes: usize,
    /// Nodes on the longest path.
    pub depth: u32,
    /// Size of the file.
    pub bytes: usize,
    /// How much of it is optional.
    pub optional: Sizes,
    /// What the nodes are there for.
    pub costs: Costs,
    /// The groups of hulls that share trees, as `--group` takes them.
    pub groups: String,
    /// Another grouping to compare with, if there is one.
    pub rival: Option<Rival>,
    /// What the audit found.
    pub audit: Audit,
    /// What was odd in the map.
    pub warnings: Vec<Warning>,
    /// Wall time of each stage, in seconds.
    pub stages: Vec<(&'static str, f64)>,
}

impl Report {
    pub(crate) fn new(map: &Map, options: &CompileOptions, file: &OnionMap<'_>) -> Self {
        Self {
            format: map.format.clone(),
            hulls: options.hulls.clone(),
            n_models: map.models.len(),
            n_entities: map.n_entities,
            n_brushes: map.models.iter().map(|model| model.brushes.len()).sum(),
            n_patches: map.models.iter().map(|model| model.patches.len()).sum(),
            nodes: file.n_nodes(),
            leaves: file.n_leaves(),
            planes: file.n_planes(),
            depth: file.info().depth,
            bytes: file.n_bytes(),
            ..Self::default()
        }
    }

    pub(crate) fn with_geometry(
        self,
        brushes: &[ModelBrushes],
        solids: &[ModelSolids],
        n_faces: usize,
    ) -> Self {
        let is_piece = |brush: &&Brush| matches!(brush.source, Source::Patch(_));
        let solids = solids.iter().flatten();
        Self {
            n_patch_pieces: brushes.iter().flatten().filter(is_piece).count(),
            n_hull_brushes: solids.map(|solid| solid.brushes.len()).sum(),
            n_faces,
            ..self
        }
    }

    pub(crate) fn with_filling(self, filling: Vec<HullFilling>) -> Self {
        Self { filling, ..self }
    }

    pub(crate) fn with_grouping(self, groups: String, rival: Option<Rival>) -> Self {
        Self {
            groups,
            rival,
            ..self
        }
    }

    pub(crate) fn with_costs(self, costs: Costs) -> Self {
        Self { costs, ..self }
    }

    pub(crate) fn with_sizes(self, optional: Sizes) -> Self {
        Self { optional, ..self }
    }

    pub(crate) fn with_checks(
        self,
        audit: Audit,
        warnings: Vec<Warning>,
        stages: Vec<(&'static str, f64)>,
    ) -> Self {
        Self {
            audit,
            warnings,
            stages,
            ..self
        }
    }
}

/// Measures stages one after the other.
pub(crate) struct StageClock {
    since: Instant,
    laps: Vec<(&'static str, f64)>,
}

impl StageClock {
    pub(crate) fn start() -> Self {
        Self {
            since: Instant::now(),
            laps: Vec::new(),
        }
    }

    /// Ends a stage.
    pub(crate) fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        let seconds = now.duration_since(self.since).as_secs_f64();
        self.laps.push((stage, seconds));
        self.since = now;
    }

    pub(crate) fn laps(self) -> Vec<(&'static str, f64)> {
        self.laps
    }
}
