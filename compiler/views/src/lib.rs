//! Views of maps and of compiled files, for people and other programs: pictures, a page to walk in, where agents can
//! go, models and maps for editors, differences of two files, and what each stage made. Each is a function from a map
//! or a compiled file to what is shown; none writes a file.

pub mod diff;
pub mod dump;
mod editor_text;
pub mod export;
pub mod exposed;
pub mod floors;
pub mod heat;
pub mod items;
pub mod page;
pub mod picture;
pub mod placed;
pub mod reach;
pub mod skin;
pub mod stretch;
pub mod tolerance;
pub mod walls;
