//! Offline onion-BSP map compiler: convex brushes in, one BSP tree over several hulls out, in which
//! moving a hull's box through the map is moving a point (van Waveren, "The Quake III Arena Bot",
//! 2001; Golodetz, "Object-Environment Collision Detection using Onion BSPs", Overload 117).
//!
//! [`compile`] is the pipeline; each stage is a module of the same name:
//! [`brush`], [`expand`] (with [`bevel`]), [`union`], [`tree`] (with [`splitter`] and
//! [`classify`]), [`optimize`], [`audit`], [`serialize`]. Below them lies [`geometry`], which is
//! exact and knows nothing of maps; before them [`map`], which knows nothing of hulls. [`cost`]
//! tells what the nodes of the trees are there for; [`verify`] redoes the audit from a file and its
//! map.

pub mod audit;
pub mod bevel;
pub mod brush;
pub mod classify;
pub mod cost;
pub mod error;
pub mod expand;
pub mod geometry;
pub mod hull;
pub mod map;
pub mod optimize;
pub mod report;
pub mod serialize;
pub mod spatial;
pub mod splitter;
pub mod tree;
pub mod union;
pub mod verify;

use cost::Limits;
use error::CompileError;
use geometry::PlaneSet;
use hull::HullSpec;
use map::Map;
use report::{Report, StageClock};

/// How a map is compiled.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// The hulls, resolved.
    pub hulls: Vec<HullSpec>,
    /// How far the pieces that stand for a patch may be from its surface, in units, above 0.
    pub patch_error: f32,
    /// How large the result may be; by default as large as it gets.
    pub limits: Limits,
}

/// A compiled map.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The bytes of the `.onion` file.
    pub bytes: Vec<u8>,
    /// What was done.
    pub report: Report,
}

/// Default of [`CompileOptions::patch_error`], in units.
pub const DEFAULT_PATCH_ERROR: f32 = 4.0;

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
    let trees = tree::build(&solids, skins, &mut planes)?;
    clock.lap("tree");
    let trees = optimize::collapse(trees);
    clock.lap("optimize");
    let audit = audit::audit(&solids, &trees, hulls, &planes).proven()?;
    clock.lap("audit");
    let bytes = serialize::serialize(map, &brushes, options, &trees, &audit, &planes)?;
    clock.lap("serialize");

    let file = onion_runtime::OnionMap::from_bytes(&bytes).map_err(CompileError::SelfCheck)?;
    let costs = cost::charge(map, hulls, &brushes, &trees);
    options.limits.check(file.n_nodes(), bytes.len(), &costs)?;
    let report = Report::new(map, options, &file)
        .with_geometry(&brushes, &solids, n_faces)
        .with_costs(costs)
        .with_checks(audit, warnings, clock.laps());
    Ok(Compiled { bytes, report })
}
