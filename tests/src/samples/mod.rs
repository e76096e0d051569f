//! The sample maps: ten small Quake III maps made from code, so that they are entirely our own.
//!
//! In: nothing. Out: the bytes of the `.bsp` files (IBSP version 46), the text and the scene kept in `sample-maps/`.
//! The facts about each map (traces and points, worked out by hand) are in the `.toml` file of the same name in that
//! directory; this module does not use them.

mod brush;
mod courtyard;
mod gltf;
mod map;
mod read;
pub(crate) mod records;
mod small;
mod text;
mod write;

pub use brush::{Brush, Face, Vec3};
pub use gltf::{Scene, Up, scene};
pub use map::{Map, Model, Patch, Shader};
pub use read::{BspFile, read};
pub use text::text;
pub use write::write;

use std::path::PathBuf;

/// Returns the descriptions of all sample maps, in the order of the table in `sample-maps/README.md`.
pub fn maps() -> Vec<Map> {
    let mut maps = small::maps();
    maps.push(courtyard::courtyard());
    maps
}

/// Returns all sample maps as (name without extension, bytes of the `.bsp` file).
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    maps().iter().map(|m| (m.name, write(m))).collect()
}

/// Returns all sample maps as (name without extension, the map as text of a map editor).
pub fn all_texts() -> Vec<(&'static str, String)> {
    maps().iter().map(|m| (m.name, text(m))).collect()
}

/// Returns the committed files that the code writes, as (name, bytes): all maps as `.bsp`, the largest also as text,
/// and a scene.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let files = all().into_iter();
    let mut files: Vec<_> = files
        .map(|(name, bytes)| (format!("{name}.bsp"), bytes))
        .collect();
    let text = text(&courtyard::courtyard());
    files.push(("courtyard.map".to_owned(), text.into_bytes()));
    files.push(("door.glb".to_owned(), door_scene()));
    files
}

/// Returns the sample scene: the map `door` in units of 32, as a binary glTF file.
pub fn door_scene() -> Vec<u8> {
    let maps = maps();
    let door = maps.iter().find(|map| map.name == "door");
    scene(door.unwrap(), Up::Y, 1.0 / 32.0).glb()
}

/// Returns the directory of the committed sample maps.
pub fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join("sample-maps")
}
