//! Compiled maps: the BSP files of the Quake families. Each family is a module with its `FORMAT`. `lumps`
//! reads what all of them are made of, `build` makes what all of them have, `contents` says what their
//! contents are in ours; `brushes` reads brushes, and `below` finds those of a model that does not list them;
//! `brushlist` and `hull0` find the brushes of a family that has none.

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
