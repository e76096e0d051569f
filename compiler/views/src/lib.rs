//! Views of maps and compiled files, for people and other programs: pictures, a page to walk in, reports on where
//! agents can go, models and maps for editors, differences between two files, and the results of each stage. Each
//! view is a function of a map or a compiled file; none writes a file.

mod borders;
mod boxes;
pub mod diff;
pub mod dump;
mod editor_text;
pub mod export;
mod floors;
mod items;
mod marked_entities;
mod node_costs;
mod outline;
pub mod page;
pub mod picture;
pub mod proof;
pub mod reach;
mod sample_grid;
pub mod skin;
mod solid_intervals;
mod tolerance;
pub mod visible_faces;
pub mod walls;
