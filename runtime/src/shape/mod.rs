//! Traces of shapes of any size, known only at run time, against convex brushes: a [`Shape`], a motion and
//! a brush in; where the shape enters the brush and leaves it out, exact up to the rounding of f64.
//! [`Model::trace_shape`](crate::Model::trace_shape) asks the brushes of a model.
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
//! * 1/32 unit is added to distances before they are divided, which moves a fraction by 1/32 unit over
//!   the cosine between motion and plane, without end as the motion nears the plane's direction, and is
//!   clamped at the start; a motion can then stop early or end inside. Ours is the exact fraction.
//! * In the split at a node, the two fractions of a segment that starts behind the plane are the same
//!   expression, so that nothing overlaps there. There is no split here.
//! * For a ball, planes are moved out by the radius, and at a sharp edge or corner it stops in mid-air.
//! * For a box, nodes move planes by the largest extent to either side, brushes by the right corner: two
//!   answers for asymmetric boxes. And without bevels a box stops in mid-air at sharp edges as well.
//! * A segment that starts inside is reported as such, but not where it gets out.
//! * A segment that ends on a plane it starts behind is `<= 0` at both ends and not clipped, one that
//!   starts on a plane and moves along it neither: it collides with what it touches.

mod brush;
mod cast;
mod kinds;
mod round;
mod slabs;
pub(crate) mod solid;
pub(crate) mod turning;
mod vector;
mod world;

pub use brush::{Convex, Edge};
pub use cast::{Contact, Touch, cast, overlaps, separation};
pub use kinds::{Shape, ShapeError};
pub use world::ShapeTrace;

/// A plane of a brush, facing outward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: [f64; 3],
    /// Distance from the origin along the normal, in units.
    pub dist: f64,
}

/// A shape this deep inside of a brush touches it, in units.
const TOUCH: f64 = crate::map::ON_PLANE;
