//! Traces of shapes whose size is known only at run time, against convex brushes: a [`Shape`], a motion and a brush
//! in; the places where the shape enters and leaves the brush out, exact up to the rounding of f64.
//! [`Model::trace_shape`](crate::Model::trace_shape) traces among all brushes of a model.
//!
//! # Semantics
//!
//! * A shape is inside a brush if it overlaps the brush's interior by more than 2^-31 units, the rounding error of a
//!   distance within 2^17 units of the origin. Touching is free, even for a whole motion along a face or an edge; a
//!   motion that ends inside always enters.
//! * Fractions are those of the exact first contact, from the original two points, without back-off.
//! * The answer does not depend on hardware or compiler options: the order of sums is fixed in the source, and the
//!   only function beyond arithmetic is the square root.
//! * For any input, a call takes time proportional to the brush's faces, corners and edges, allocates nothing and
//!   does not panic.
//!
//! # Method
//!
//! A shape meets a brush where the shape's center meets the Minkowski sum of the brush and the reflected shape. A
//! [`Shape`] is a core plus a ball, so the sum is a polyhedron with rounded edges. The segment of the center is
//! clipped by the planes around it, as in Ostgard ("Quake 3 BSP Collision Detection", section 4B) and Puig ("Ray-BSP
//! Collision Detection"). For balls and capsules, the answer is the first and last point of the remaining segment on
//! a face, on a cylinder around an edge or on a ball around a corner.
//!
//! The two texts have errors that are not repeated here:
//! * 1/32 unit is subtracted from distances before they are divided. That moves a fraction back by 1/32 unit
//!   perpendicular to the plane, which can be any length along a motion nearly parallel to it, and results below 0
//!   are clamped. Here fractions are exact; to keep a distance, subtract it afterwards.
//! * In the split at a node, both fractions of a segment that starts behind the plane are the same expression, so its
//!   parts do not overlap as intended. There is no split here.
//! * For a ball, planes are moved out by the radius, so the ball stops in mid-air at sharp edges and corners.
//! * For a box, nodes move their planes by the largest extent to either side, but brushes by the right corner, so an
//!   asymmetric box has two different sizes. And a brush without bevels in the file stops a box in mid-air at its
//!   sharp edges.
//! * A segment in the plane of a face counts as behind it, so a motion that touches a wall and slides along it ends
//!   where the wall begins.
//! * The start of a segment inside a brush is reported, but not the place where the segment leaves the brush.

mod brush;
mod cast;
mod kinds;
mod polytope;
mod prism;
mod ring;
mod round;
mod slabs;
mod solid;
mod turning;
mod world;

pub use brush::{Convex, Edge, FacePlane};
pub use cast::{Passage, Touch, cast, overlaps, separation};
pub use kinds::{Shape, ShapeError};
pub use ring::ring;
pub(crate) use solid::Solid;
pub(crate) use turning::{Placed, Turning};
pub use world::ShapeTrace;
