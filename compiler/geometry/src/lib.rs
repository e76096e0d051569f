//! Exact plane-based geometry: planes with integer coefficients, vertices as plane triples, and convex polygons and
//! cells cut by planes. After a plane is made, no rounding and no tolerance decides anything (Bernstein and Fussell,
//! "Fast, Exact, Linear Booleans", 2009). Only the polygons for display in [`polygon`] are rounded.
//!
//! This crate knows nothing of maps, hulls or files.

pub mod bounds;
pub mod cell;
pub mod grid;
pub mod plane;
pub mod polygon;
pub mod predicate;
pub mod region;
pub mod relation;
pub mod spatial;
pub mod split;
pub mod tolerance;
pub mod winding;

pub use bounds::Bounds;
pub use cell::Cell;
pub use plane::{ExactPlane, PlaneEntry, PlaneId, PlaneSet};
pub use predicate::{Location, PointH, Vertex};
pub use region::Region;
pub use split::{Split, subtract};
pub use winding::Winding;
