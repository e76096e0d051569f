//! Traces of shapes whose size is known only at run time, against convex brushes: a [`Shape`], a motion and a brush
//! in; where the shape enters and leaves the brush out, exact up to the rounding of f64.
//! [`Model::trace_shape`](crate::Model::trace_shape) traces among all brushes of a model.
//!
//! # Semantics
//!
//! * A shape is inside of a brush if it overlaps the brush's interior by more than 2^-31 units, which is
//!   what rounding leaves of a distance within 2^17 units of the origin. Touching is free, also
//!   for a whole motion along a face or an edge; a motion that ends inside always enters.
//! * Fractions are those of the exact place of touch, from the original two points. Nothing is backed
//!   off.
//! * The answer depends on no hardware and no compiler options: sums are in a written order, and the
//!   only function beyond arithmetic is the square root.
//! * Every call takes time proportional to the brush's faces, corners and edges, for any input, allocates
//!   nothing and does not panic.
//!
//! # Method
//!
//! A shape meets a brush where the shape's center meets the brush plus the shape turned around
//! (Minkowski sum). [`Shape`]s are a core plus a ball, so that is a polyhedron with rounded edges. The
//! segment of the center is clipped by the planes around it, as Ostgard ("Quake 3 BSP Collision
//! Detection", section 4B) and Puig ("Ray-BSP Collision Detection") do it; for balls and capsules, of what
//! is left over, the first and last place on a face, on a cylinder around an edge or on a ball around a
//! corner is the answer.
//!
//! Errors of those two texts that are not in here:
//! * 1/32 unit is taken off distances before they are divided. That moves a fraction back by 1/32 unit
//!   across the plane, which is any length along a motion that is nearly parallel to it, and what is then
//!   below 0 is clamped. Ours is the exact fraction; who wants to keep off takes it off afterwards.
//! * In the split at a node, both fractions of a segment that starts behind the plane are the same
//!   expression, so that its parts do not overlap as they are meant to. There is no split here.
//! * For a ball, planes are moved out by the radius, so that it stops in mid-air at sharp edges and corners.
//! * For a box, nodes move their planes by the largest extent to either side, and brushes theirs by the
//!   right corner: an asymmetric box is one of two sizes. And a brush whose file has no bevels stops a
//!   box in mid-air at its sharp edges.
//! * A segment in the plane of a face is taken to be behind it, so that a motion along a wall that is
//!   touched ends where the wall begins.
//! * A segment that starts inside is said to, but not where it gets out.

mod brush;
mod cast;
mod kinds;
mod round;
mod slabs;
mod solid;
mod turning;
mod world;

pub use brush::{Convex, Edge, FacePlane};
pub use cast::{Passage, Touch, cast, overlaps, separation};
pub use kinds::{Shape, ShapeError};
pub(crate) use solid::Solid;
pub(crate) use turning::{Placed, Turning};
pub use world::ShapeTrace;
