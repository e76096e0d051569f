//! The parts of a loaded file, read in place: a view of its bytes, the records in its chunks, and the hulls, entities,
//! brushes and surfaces that the interface shows.

pub(crate) mod brushes;
pub(crate) mod entity;
pub(crate) mod floor_graph;
pub(crate) mod floors;
pub(crate) mod hull;
pub(crate) mod records;
pub(crate) mod stack;
pub(crate) mod view;
