//! Points, vectors, planes, segments and boxes: the arithmetic that all queries share. Every sum has a fixed order, so
//! that answers are the same on every machine.

pub(crate) mod aabb;
pub(crate) mod coordinate;
pub(crate) mod plane;
pub(crate) mod probes;
pub(crate) mod segment;
pub(crate) mod vector;
