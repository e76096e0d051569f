//! Reads compiled maps: the BSP files of the Quake families, of which each is a module. `lumps` reads the lumps of all
//! of them, `build` makes the parts that all of them share, and `contents` translates their contents to ours. `brushes`
//! reads brushes; `brushlist` and `hull0` find those of the family that has none among its lumps.

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
