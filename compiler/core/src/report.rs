//! The report of a compile: counts, sizes, costs, the audit, warnings, and the time of each stage. The command
//! prints it as text or JSON.

use std::time::Instant;

use onion_maps::contents::{self, CLIPHULLS, Contents};
use onion_maps::wording::counted;
use onion_maps::{Map, Warning};
use serde::Serialize;

use crate::audit::{Audit, Proven};
use crate::brush::{BrushSource, ModelBrushes, SolidBrush};
use crate::cost::Costs;
use crate::expand::ModelSolids;
use crate::fill::leak::Leak;
use crate::fill::{Filling, HullFilling};
use crate::group::{OtherGrouping, grouping};
use crate::hull::HullSpec;
use crate::options::CompileOptions;
use crate::serialize::{OnionFile, Sizes};
use crate::stage::{Observer, Stage};

/// A compiled map.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The bytes of the `.onion` file.
    pub bytes: Vec<u8>,
    /// The report of the compile.
    pub report: Report,
    /// A path out of the map for the first hull that leaks and is therefore not filled, or `None` if no hull leaks.
    pub leak: Option<Leak>,
}

/// The report of a compile.
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
    /// For each hull, the result of filling.
    pub filling: Vec<HullFilling>,
    /// Nodes of all trees.
    pub n_nodes: usize,
    /// Leaves of all trees.
    pub n_leaves: usize,
    /// Distinct planes in the file.
    pub n_planes: usize,
    /// Nodes on the longest path.
    pub depth: u32,
    /// Size of the file.
    pub bytes: usize,
    /// The sizes of its optional parts.
    pub optional: Sizes,
    /// The hulls and brushes that the nodes are charged to.
    pub costs: Costs,
    /// The groups of hulls that share trees, as `--group` takes them.
    pub groups: String,
    /// Another grouping to compare with, or `None` if there is none.
    #[serde(rename = "rival")]
    pub other_grouping: Option<OtherGrouping>,
    /// The result of the audit.
    pub audit: Audit,
    /// The oddities found in the map.
    pub warnings: Vec<Warning>,
    /// Wall time of each stage, in seconds.
    pub stages: Vec<(Stage, f64)>,
    #[serde(skip)]
    last_lap: Option<Instant>,
    #[serde(skip)]
    observer: Observer,
}

impl Report {
    /// Starts the report of a compile that begins now.
    pub(crate) fn start(map: &Map, options: &CompileOptions) -> Self {
        let warnings = map.warnings.iter().cloned();
        Self {
            format: map.format.clone(),
            hulls: options.hulls.clone(),
            last_lap: Some(Instant::now()),
            observer: options.observer.clone(),
            n_models: map.models.len(),
            n_entities: map.entities.len(),
            n_brushes: map.models.iter().map(|model| model.brushes.len()).sum(),
            n_patches: map.models.iter().map(|model| model.patches.len()).sum(),
            warnings: warnings.chain(idle_clips(map, &options.hulls)).collect(),
            ..Self::default()
        }
    }

    /// Records the time of the next stage, whose result is passed on, and reports it to the observer. Stages end in the
    /// order of [`Stage::ALL`]: tests compare it with `compile()`, which has no room to name each.
    pub(crate) fn lap<T>(&mut self, result: T) -> T {
        let stage = Stage::ALL[self.stages.len()];
        let now = Instant::now();
        let last = self.last_lap.replace(now).unwrap_or(now);
        self.stages
            .push((stage, now.duration_since(last).as_secs_f64()));
        self.observer.tell(stage);
        result
    }

    /// Records the results of all stages, and returns them with the file.
    pub(crate) fn finish(
        mut self,
        brushes: &[ModelBrushes],
        solids: &[ModelSolids],
        filling: Filling,
        other_grouping: Option<OtherGrouping>,
        proven: Proven,
        file: OnionFile,
    ) -> Compiled {
        let is_piece = |brush: &&SolidBrush| matches!(brush.source, BrushSource::Patch(_));
        self.n_patch_pieces = brushes.iter().flatten().filter(is_piece).count();
        let solids = solids.iter().flatten();
        self.n_hull_brushes = solids.map(|solid| solid.brushes.len()).sum();
        self.n_faces = filling.n_faces;
        self.filling = filling.hulls;
        self.warnings.extend(filling.warnings);
        self.warnings.extend(file.warnings);
        self.groups = grouping::names(&Vec::from_iter(proven.groups()), &self.hulls);
        self.other_grouping = other_grouping;
        self.audit = proven.audit;
        self.n_nodes = file.n_nodes;
        self.n_leaves = file.n_leaves;
        self.n_planes = file.n_planes;
        self.depth = file.depth;
        self.bytes = file.bytes.len();
        self.optional = file.optional;
        Compiled {
            bytes: file.bytes,
            report: self,
            leak: filling.leak,
        }
    }
}

/// Returns a warning if brushes have contents that are meant for one hull, but block none of the compile.
fn idle_clips(map: &Map, hulls: &[HullSpec]) -> Option<Warning> {
    let stops = hulls.iter().fold(0, |all, hull| all | hull.contents);
    let brushes = map.models.iter().flat_map(|model| &model.brushes);
    let is_idle = |contents: &Contents| contents & CLIPHULLS != 0 && contents & stops == 0;
    let idle = brushes.map(|brush| brush.contents).filter(is_idle);
    let (n_idle, all) = idle.fold((0, 0), |(n_idle, all), contents| {
        (n_idle + 1, all | contents & CLIPHULLS)
    });
    let message = format!(
        "{} made of {} stop no hull of this compile; name these contents in those of a hull: \
         --hull NAME:RxH:contents=solid+playerclip+...",
        counted(n_idle, "brush", "brushes"),
        contents::to_names(all)
    );
    (all != 0).then(|| Warning::new("brushes", message))
}
