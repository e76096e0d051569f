//! Compiled maps: the families of BSP files that hold brushes. Each is a module with its `FORMAT`, and what they
//! share is beside them.

pub mod quake3;
