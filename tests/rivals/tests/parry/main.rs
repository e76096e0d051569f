//! Shapes of any size, compared with the shape casts of crate `parry3d-f64`, an iterative method: against one brush,
//! and among all brushes of a map. Where the two differ, the gaps along the motion decide which is correct.

mod among_brushes;
mod one_brush;
mod rival;
