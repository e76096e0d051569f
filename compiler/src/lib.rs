//! The offline onion-BSP map compiler. It turns a map of convex brushes into one BSP tree over the expanded
//! brushes of several hulls, in which moving a hull's box is moving a point (van Waveren, "The Quake III Arena
//! Bot", 2001; Golodetz, "Object-Environment Collision Detection using Onion BSPs", Overload 117).
//!
//! [`compile`] is the pipeline: each [`stage`] is the module of its name. `ARCHITECTURE.md` shows how the
//! modules lie upon each other and what each may rely on.

pub mod archive;
pub mod arguments;
pub mod audit;
pub mod auxiliary;
pub mod bevel;
pub mod brush;
pub mod bsp;
pub mod classify;
pub mod contents;
pub mod cost;
pub mod cover;
pub mod coverage;
pub mod cracks;
pub mod diff;
pub mod dump;
mod editor_text;
pub mod error;
pub mod expand;
pub mod export;
pub mod exposed;
pub mod fast;
pub mod fill;
pub mod flood;
mod floors;
pub mod geometry;
pub mod group;
pub mod grouping;
pub mod heat;
pub mod hull;
pub mod id;
mod items;
pub mod kept;
pub mod lattice;
pub mod leak;
pub mod map;
pub mod options;
pub mod page;
pub mod picture;
pub mod placed;
pub mod polygon;
pub mod portals;
pub mod provenance;
pub mod reach;
pub mod report;
pub mod rope;
pub mod seal;
pub mod seeds;
pub mod serialize;
pub mod shape;
pub mod skin;
pub mod spatial;
pub mod splitter;
pub mod stage;
pub mod stretch;
pub mod text;
pub mod tolerance;
pub mod tree;
pub mod union;
pub mod verify;
pub mod walls;

use error::CompileError;
use fill::Filling;
use geometry::PlaneSet;
use leak::Leak;
use map::Map;
pub use options::{CompileOptions, DEFAULT_PATCH_ERROR};
use report::Report;
use serialize::{Extras, OnionFile};
use stage::Stage;

/// A compiled map.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The bytes of the `.onion` file.
    pub bytes: Vec<u8>,
    /// What was done.
    pub report: Report,
    /// A path out of the map, for the first hull that was not filled because there is one.
    pub leak: Option<Leak>,
}

impl Compiled {
    fn new(file: OnionFile, report: Report, filling: Filling) -> Self {
        Self {
            bytes: file.bytes,
            report,
            leak: filling.leak,
        }
    }
}

/// Compiles a map.
///
/// # Errors
/// The tree cannot be represented, fails its audit, or is larger than the limits allow.
pub fn compile(map: &Map, options: &CompileOptions) -> Result<Compiled, CompileError> {
    let CompileOptions { hulls, limits, .. } = options;
    let mut planes = PlaneSet::default();
    let mut report = Report::start(map, options);

    let brushes = brush::build(map, options.patch_error, &mut planes, &mut report.warnings)?;
    coverage::prove(map, &brushes, options.patch_error, &planes)?;
    report.brush(&brushes);
    let (solids, cells) = expand::expand(&brushes, hulls, &mut planes);
    report.expand(&solids);
    let skins = union::unite(&solids, cells, &planes);
    report.union(&skins);
    let (skins, filling) = fill::fill(map, options, &brushes[0], &solids[0], skins, &mut planes)?;
    report.fill(&filling);
    let groups = group::groups(options, &solids, &filling, &skins, &planes)?;
    let rival = group::rival(options, &solids, &filling, &skins, &groups, &planes)?;
    report.group(&groups, rival);
    let trees = tree::build(&solids, filling.unreachable(), skins, &groups, &mut planes)?;
    report.lap(Stage::Tree);
    let proven = audit::prove(&solids, trees, hulls, filling.claim(), &planes)?;
    report.audit(&proven.audit);
    let fast = fast::fast(options, &proven.trees, &mut planes)?;
    report.lap(Stage::Fast);
    let hits = provenance::hits(options, &brushes, &proven.trees, &mut planes);
    report.lap(Stage::Provenance);
    let shapes = shape::shapes(options, &brushes, hits.as_ref())?;
    report.lap(Stage::Shape);
    let costs = cost::charge(map, hulls, &brushes, &proven.trees);
    report.cost(&costs);
    let extras = Extras { fast, hits, shapes };
    let file = serialize::serialize(map, options, &brushes, &proven, extras, &planes)?;
    report.serialize(&file);
    limits.check(file.n_nodes, file.bytes.len(), &costs)?;
    Ok(Compiled::new(file, report, filling))
}
