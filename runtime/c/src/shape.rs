//! The shapes that are traced among the brushes themselves: boxes of any size, turned or not, balls, capsules and
//! cylinders, as plain structs in the caller's memory. The calls are in `shape_trace`.

use onion_runtime::Aabb;
use onion_runtime::shape::{Shape, ShapeError};

use crate::status::Status;

/// The C constant `ONION_SHAPE_BOX`.
pub const SHAPE_BOX: u32 = 0;
/// The C constant `ONION_SHAPE_CAPSULE`.
pub const SHAPE_CAPSULE: u32 = 1;
/// The C constant `ONION_SHAPE_TURNED_BOX`.
pub const SHAPE_TURNED_BOX: u32 = 2;
/// The C constant `ONION_SHAPE_CYLINDER`.
pub const SHAPE_CYLINDER: u32 = 3;

/// The C type `onion_shape`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct ShapeSpec {
    pub kind: u32,
    pub n_sides: u32,
    pub a: [f64; 3],
    pub b: [f64; 3],
    pub axes: [[f64; 3]; 3],
    pub radius: f64,
}

impl From<ShapeError> for Status {
    fn from(_: ShapeError) -> Self {
        Self::Shape
    }
}

impl ShapeSpec {
    /// Returns the shape, or an error if it is invalid.
    pub(crate) fn shape(&self) -> Result<Shape, Status> {
        let shape = match self.kind {
            SHAPE_BOX => Shape::axial_box(Aabb::new(self.a, self.b))?,
            SHAPE_CAPSULE => Shape::capsule(self.a, self.b, self.radius)?,
            SHAPE_TURNED_BOX => Shape::oriented_box(self.a, self.b, self.axes)?,
            SHAPE_CYLINDER => {
                let [_, _, half_height] = self.b;
                Shape::cylinder(self.a, self.radius, half_height, self.n_sides as usize)?
            }
            _ => return Err(Status::Shape),
        };
        Ok(shape)
    }
}
