//! Reads compiled maps: the BSP files of the Quake families. Each family is a module with its `FORMAT`. `lumps` reads
//! the lumps of all of them, `build` makes the parts that all of them share, and `contents` translates their contents
//! to ours. `brushes` reads brushes, and `below` finds those of a model that does not list them; `brushlist` and
//! `hull0` find the brushes of the family that has none among its lumps.

mod below;
mod brushes;
mod brushlist;
mod build;
mod contents;
mod hull0;
mod lumps;
mod merge;
pub mod quake1;
pub mod quake2;
pub mod quake3;
pub mod source;
