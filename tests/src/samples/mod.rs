//! The sample maps: ten small Quake III maps made from code, so that they are entirely our own.
//!
//! In: nothing. Out: the bytes of the `.bsp` files (IBSP version 46) kept in `sample-maps/`.
//! What must be true of each map (traces and points, worked out by hand) is in the `.toml` file of
//! the same name in that directory; this module knows nothing of those facts.

mod brush;
mod courtyard;
mod gltf;
mod map;
mod read;
pub(crate) mod records;
mod small;
mod write;

pub use brush::{Brush, Face, Vec3};
pub use gltf::{Scene, Up, scene};
pub use map::{Map, Model, Patch, Shader};
pub use read::{BspFile, read};
pub use write::write;

use std::path::PathBuf;

/// The descriptions of all sample maps, in the order of the table in `sample-maps/README.md`.
pub fn maps() -> Vec<Map> {
    let mut maps = small::maps();
    maps.push(courtyard::courtyard());
    maps
}

/// All sample maps as (name without extension, bytes of the `.bsp` file).
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    maps().iter().map(|m| (m.name, write(m))).collect()
}

/// The sample scene: the map `door` in units of 32, as a binary glTF file.
pub fn door_scene() -> Vec<u8> {
    let maps = maps();
    let door = maps.iter().find(|map| map.name == "door");
    scene(door.unwrap(), Up::Y, 1.0 / 32.0).glb()
}

/// The directory of the committed sample maps.
pub fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join("sample-maps")
}

#[cfg(test)]
mod tests;
