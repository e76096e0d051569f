//! Collision queries on compiled onion-BSP maps. The crate loads a `.onion` file in place and finds, for a chosen
//! hull, where a moving box first meets the map. The compiler expanded the map by the box, so at run time the box is
//! a point, and a trace walks a segment down one tree.
//!
//! ```
//! use onion_runtime::{Aabb, OnionMap};
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
//! let map = OnionMap::from_bytes(std::fs::read(file)?)?;
//! let stand = map.require_hull("stand", Aabb::new([-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]))?;
//! let world = map.world();
//! let trace = world.trace(stand, [-200.0, 0.0, 24.0], [64.0, 0.0, 24.0]);
//! let position: [f32; 3] = trace.end_pos;
//! if let Some(hit) = world.hit(stand, &trace)? {
//!     println!("stopped at {position:?} by brush {} ({})", hit.brush.number, hit.side.surface.name());
//! }
//! # assert!(trace.plane.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`OnionMap`] owns or borrows the bytes of a file. Keep it; it is `Send`, `Sync` and `'static` if its bytes are.
//! * [`Model`] is the world ([`OnionMap::world`]), or a door or lift ([`OnionMap::model`]), and answers queries in
//!   its own space. It is a small view of the map and costs next to nothing to make.
//! * A point is anything that converts into an array of three `f32` or `f64`: an array, or a vector of glam, nalgebra
//!   or mint. Answers hold arrays of the same type, which convert back into such vectors.
//! * A query that the file cannot answer returns [`Unsupported`], never a substitute.
//!
//! # Semantics
//!
//! * Coordinates are in the map's units; a point is the origin of the agent's box.
//! * **Solid** is the interior of the union of the brushes, each expanded by the hull's box.
//!   Touching is free; the seam between two touching brushes is solid. A point on a splitting
//!   plane (within 2^-31 units, the rounding error of a distance) looks at both sides and is
//!   solid only if both are; so does a segment that lies in a splitting plane.
//! * A segment that crosses less than 2^-24 units of solid only touches it, unless it ends there:
//!   rounding moves planes that should meet in a line apart by less than that.
//! * A **trace** runs from `start` towards `end` until it first enters solid. `hit_fraction` is
//!   where that happens; `fraction` is backed off so that the end stays the margin
//!   ([`Model::with_margin`]) in front of the plane that was hit. Every fraction is computed from the
//!   original two points.
//! * A trace that starts in solid sets `start_solid`, passes through the solid it starts in, and
//!   stops at the first solid it enters after that, so that a stuck agent can get out. If it
//!   never leaves solid, it sets `all_solid`, and its `fraction` is 0.
//! * **Contract**: if the start is not solid, `end_pos` is not solid, in the type of the query.
//! * Input that is not finite, or farther than 2^30 units from the origin, yields `all_solid` with fraction 0; such a
//!   point is solid for every hull. Queries for a hull of another map answer the same.
//! * No call panics, allocates or recurses. A trace walks the tree once, and at most twice more if the first walk
//!   cannot decide. A trace that lies in a splitting plane walks again at each place where the empty side of the plane
//!   changes.
//! * Golodetz's listing retries from a point moved back (`s' = s - eps (d - s)`) if rounding put the start exactly on
//!   a boundary. No retry is needed here: such a start looks at both sides and is free if either side is.
//!
//! # More than traces
//!
//! * Hits: [`Model::hit`] names what a trace hit. [`Model::transitions`] lists all changes along a segment.
//! * Room: [`Model::hulls_that_fit`], [`Model::switched_position`], [`Model::nearest_fit`].
//! * Leaves in a box: [`Model::leaves_in_box`], [`Model::leaves_front_to_back`].
//! * Contents at a point: [`Model::contents_at`]; [`contents`] names the bits.
//! * The map's entities, as keys and values: [`OnionMap::entities`], [`Model::entity`].
//! * With the feature `shapes`: balls, capsules, cylinders, boxes and convex sets of any size (`Model::trace_shape`),
//!   and models that move and turn (`Scene`).
//! * Walking agents that slide, step, fall and crouch: [`movement`].
//! * Floors: [`navigation`]. With the feature `navigation`: links between them, paths, and walkers that follow these.
//! * Records and counts, which only tools need: the feature `tools` adds the module `inspect`.
//!
//! The [`guide`] begins with a first level, explains the choice of hulls, and lists what to do when a player is
//! stuck.
//!
//! # Speed
//!
//! All arithmetic is in f64, on the exact planes of the file, and answers are the same on every machine. Unless a
//! file was compiled with `--no-fast`, it stores, for each block of the map, the node of the tree at which a hull's
//! walk begins: [`Model::trace`], [`Model::is_solid`] and the batches start there. All other queries descend the tree
//! from its root. [`Model::view`] keeps the lookups that every query of a hull repeats,
//! which speeds up short queries.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod boxes;
mod error;
mod fast;
mod file;
mod fit;
pub mod guide;
mod hit;
mod hull_view;
#[cfg(feature = "tools")]
#[cfg_attr(docsrs, doc(cfg(feature = "tools")))]
pub mod inspect;
mod leaves_in_box;
mod load;
mod map;
mod math;
mod model;
pub mod movement;
pub mod navigation;
mod point;
#[cfg(feature = "shapes")]
mod scene;
#[cfg(feature = "shapes")]
#[cfg_attr(docsrs, doc(cfg(feature = "shapes")))]
pub mod shape;
mod tolerance;
mod trace;
mod transition;
mod walk;

pub use error::{HullError, LoadError, PortalError, Text, Unsupported};
pub use file::brushes::{Brush, Side, Source, Surface};
pub use file::entity::Entity;
pub use file::hull::{Hull, HullId, LeafId};
pub use hit::Hit;
pub use hull_view::HullView;
pub use map::OnionMap;
pub use math::aabb::Aabb;
pub use math::coordinate::Coordinate;
pub use math::plane::Plane;
pub use model::Model;
pub use movement::{LinkedPortal, LinkedWorld};
pub use onion_format::{HullSet, contents};
#[cfg(feature = "shapes")]
#[cfg_attr(docsrs, doc(cfg(feature = "shapes")))]
pub use scene::Scene;
#[cfg(feature = "shapes")]
#[cfg_attr(docsrs, doc(cfg(feature = "shapes")))]
pub use scene::mover::Mover;
#[cfg(feature = "shapes")]
#[cfg_attr(docsrs, doc(cfg(feature = "shapes")))]
pub use scene::pose::Pose;
pub use tolerance::DEFAULT_MARGIN;
pub use trace::Trace;
pub use transition::{Crossing, Transition};
