//! The offline onion-BSP map compiler. It turns a map of convex brushes into one BSP tree over the expanded brushes
//! of several hulls, in which moving a hull's box is moving a point (van Waveren, "The Quake III Arena Bot", 2001;
//! Golodetz, "Object-Environment Collision Detection using Onion BSPs", Overload 117).
//!
//! [`compile`] is the pipeline: each [`stage`] is the module of its name. The modules of stages are public for the
//! views and tests of this workspace, hidden from this page, and may change in any release; `ARCHITECTURE.md`
//! describes them.
//!
//! # A build step
//!
//! ```
//! use onion_compiler::hull::{HullOption, resolve};
//! use onion_compiler::{CompileOptions, compile};
//! use onion_maps::ReadOptions;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = "../../sample-maps/low_tunnel.bsp";
//! let map = onion_maps::parse(&std::fs::read(path)?, &ReadOptions::default())?;
//! let hulls: [HullOption; 2] = ["stand:16x56".parse()?, "crouch:16x32".parse()?];
//! let hulls = resolve(&hulls, None)?;
//! let compiled = compile(&map, &CompileOptions::new(hulls))?;
//! println!("{} nodes, {} bytes", compiled.report.n_nodes, compiled.bytes.len());
//! # Ok(())
//! # }
//! ```

#[doc(hidden)]
pub mod audit;
#[doc(hidden)]
pub mod brush;
#[doc(hidden)]
pub mod bsp;
#[doc(hidden)]
pub mod cost;
pub mod error;
#[doc(hidden)]
pub mod expand;
mod fast;
#[doc(hidden)]
pub mod fill;
#[doc(hidden)]
pub mod floors;
#[doc(hidden)]
pub mod group;
pub mod hull;
#[doc(hidden)]
pub mod id;
mod links;
#[doc(hidden)]
pub mod options;
mod provenance;
pub mod report;
#[doc(hidden)]
pub mod serialize;
mod shape;
pub mod stage;
#[doc(hidden)]
pub mod tolerance;
#[doc(hidden)]
pub mod tree;
#[doc(hidden)]
pub mod union;
pub mod verify;

use onion_geometry::PlaneSet;
use onion_maps::Map;

use brush::patch_coverage;
pub use error::CompileError;
pub use fill::leak::Leak;
pub use fill::seeds::Fill;
use floors::triggers;
pub use group::grouping::Grouping;
pub use options::{CompileOptions, DEFAULT_PATCH_ERROR};
pub use report::{Compiled, Report};
use serialize::Extras;
pub use verify::verify;

/// Compiles a map.
///
/// # Errors
/// The options cannot be used, or the tree cannot be represented, fails its audit, or is larger than the limits allow.
pub fn compile(map: &Map, options: &CompileOptions) -> Result<Compiled, CompileError> {
    let CompileOptions { hulls, limits, .. } = options.checked()?;
    let mut planes = PlaneSet::default();
    let mut report = Report::start(map, options);
    let brushes = brush::build(map, options.patch_error, &mut planes, &mut report.warnings)?;
    report.lap(patch_coverage::prove(map, &brushes, options, &planes)?);
    let (solids, cells) = report.lap(expand::expand(&brushes, hulls, &mut planes));
    let skins = report.lap(union::unite(&solids, cells, &planes));
    let filled = fill::fill(map, options, &brushes[0], &solids[0], skins, &mut planes)?;
    let (skins, filling) = report.lap(filled);
    let volumes = triggers::find(map, options, &brushes, &mut planes, &mut report.warnings);
    let floors = report.lap(floors::find(options, &skins, &filling, &volumes, &planes));
    let (plan, other) = report.lap(group::group(options, &solids, &filling, &skins, &planes)?);
    let trees = tree::build(&solids, filling.spaces(), skins, plan, &mut planes)?;
    let trees = report.lap(trees);
    let proven = audit::prove(&solids, trees, hulls, filling.claim(), &planes)?;
    let proven = report.lap(proven);
    let fast = report.lap(fast::fast(options, &proven.trees, &mut planes)?);
    let hits = report.lap(provenance::hits(options, &brushes, &proven, &mut planes));
    let shapes = report.lap(shape::shapes(options, &brushes, hits.as_ref())?);
    report.costs = report.lap(cost::charge(map, hulls, &brushes, &proven.trees));
    let extras = Extras::new(floors, fast, hits, shapes);
    let file = serialize::serialize(map, options, &brushes, &proven, extras, &planes)?;
    let file = links::links(options, report.lap(file), &volumes)?;
    let file = report.lap(file);
    limits.check(file.n_nodes, file.bytes.len(), &report.costs)?;
    Ok(report.finish(&brushes, &solids, filling, other, proven, file))
}
