//! Offline onion-BSP map compiler: convex brushes in, one BSP tree over several hulls out, in which
//! moving a hull's box through the map is moving a point (van Waveren, "The Quake III Arena Bot",
//! 2001; Golodetz, "Object-Environment Collision Detection using Onion BSPs", Overload 117).
//!
//! [`compile`] is the pipeline; each stage is a module of the same name:
//! [`brush`], [`expand`] (with [`bevel`]), [`union`], [`fill`] (with [`seeds`], [`portals`] and
//! [`leak`]), [`group`] (with [`compare`]), [`tree`] (with [`splitter`] and [`classify`]),
//! [`audit`] (with [`seal`]), [`provenance`] and [`shape`], [`serialize`]. Below them lies [`geometry`], which is
//! exact and knows nothing of maps; before them [`map`], which knows nothing of hulls. [`cost`] tells
//! what the nodes of the trees are there for; [`verify`] redoes the audit from a file and its map.

pub mod arguments;
pub mod audit;
pub mod bevel;
pub mod brush;
pub mod bsp;
pub mod classify;
pub mod compare;
pub mod contents;
pub mod cost;
pub mod error;
pub mod expand;
pub mod fill;
pub mod geometry;
pub mod group;
pub mod hull;
pub mod leak;
pub mod map;
pub mod options;
pub mod portals;
pub mod provenance;
pub mod report;
pub mod seal;
pub mod seeds;
pub mod serialize;
pub mod shape;
pub mod spatial;
pub mod splitter;
pub mod text;
pub mod tree;
pub mod union;
pub mod verify;

use error::CompileError;
use geometry::PlaneSet;
use leak::Leak;
use map::Map;
pub use options::{CompileOptions, DEFAULT_PATCH_ERROR};
use report::{Report, StageClock};
use seal::Claim;
use serialize::Content;
use splitter::Effort;

/// A compiled map.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The bytes of the `.onion` file.
    pub bytes: Vec<u8>,
    /// What was done.
    pub report: Report,
    /// A way out of the map, for the first hull that was not filled because there is one.
    pub leak: Option<Leak>,
}

/// Compiles a map.
///
/// # Errors
/// The tree cannot be represented, fails its audit, or is larger than the limits allow.
pub fn compile(map: &Map, options: &CompileOptions) -> Result<Compiled, CompileError> {
    let hulls = &options.hulls;
    let mut planes = PlaneSet::default();
    let mut warnings = map.warnings.clone();
    let mut clock = StageClock::start();

    let brushes = brush::build(map, options.patch_error, &mut planes, &mut warnings)?;
    clock.lap("brush");
    let solids = expand::expand(&brushes, hulls, &mut planes);
    clock.lap("expand");
    let skins = union::unite(&solids, &planes);
    clock.lap("union");
    let n_faces = skins.iter().map(Vec::len).sum();
    let (skins, filling) = fill::fill(map, options, &solids, skins, &mut planes, &mut warnings)?;
    let unreachable = filling.unreachable.as_ref();
    clock.lap("fill");
    let groups = group::groups(&options.grouping, hulls, &skins);
    clock.lap("group");
    let rival = compare::compare(&solids, unreachable, &skins, &groups, hulls, &mut planes)?;
    clock.lap("compare");
    let trees = tree::build(
        &solids,
        unreachable,
        skins,
        &groups,
        Effort::FULL,
        &mut planes,
    )?;
    clock.lap("tree");
    let claim = Claim {
        filled: filling.filled,
        seeds: &filling.seeds,
        stances: &filling.stances,
    };
    let audit = audit::audit(&solids, &trees, hulls, claim, &planes).proven()?;
    clock.lap("audit");
    let has_table = options.surfaces || options.brushes;
    let table = has_table.then(|| provenance::sides(map, &brushes, &mut planes));
    let faces = table
        .as_ref()
        .filter(|_| options.surfaces)
        .map(|table| provenance::faces(&trees, table, hulls, &planes));
    let shapes = options.brushes.then(|| shape::shapes(&brushes));
    let shapes = shapes.transpose()?;
    clock.lap("details");
    let content = Content {
        map,
        models: &brushes,
        options,
        filled: filling.filled,
        groups: &groups,
        trees: &trees,
        audit: &audit,
        table: table.as_ref(),
        faces: faces.as_deref(),
        shapes: shapes.as_ref(),
    };
    let (bytes, sizes) = serialize::serialize(content, &planes)?;
    clock.lap("serialize");

    let file = onion_runtime::OnionMap::from_bytes(&bytes).map_err(CompileError::SelfCheck)?;
    let costs = cost::charge(map, hulls, &brushes, &trees);
    options.limits.check(file.n_nodes(), bytes.len(), &costs)?;
    let report = Report::new(map, options, &file)
        .with_geometry(&brushes, &solids, n_faces)
        .with_filling(filling.hulls)
        .with_grouping(group::names(&groups, hulls), rival)
        .with_costs(costs)
        .with_sizes(sizes)
        .with_checks(audit, warnings, clock.laps());
    Ok(Compiled {
        bytes,
        report,
        leak: filling.leak,
    })
}
