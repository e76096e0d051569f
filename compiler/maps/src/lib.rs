//! Reads map files. In: the bytes of a map in any of `FORMATS`. Out: a [`Map`], which holds for each model its
//! brushes as planes and its patches as control points, with warnings about oddities. This crate knows file formats,
//! but not hulls or trees. [`parts`] defines the parts of a map, [`parse`] reads a map, [`refused`] names the formats
//! that are not read, and [`patch`] converts curved surfaces into convex pieces.

pub mod bsp;
pub mod contents;
pub mod entities;
pub mod error;
pub mod format;
pub mod game;
pub mod gltf;
pub mod parts;
pub mod patch;
pub mod reading;
pub mod refused;
pub mod text;
pub mod tolerance;
pub mod wording;

pub use format::Format;
pub use parts::{
    Halfspace, Map, MapBrush, MapEntity, MapModel, MapSide, MapSurface, Patch, PointEntity, Warning,
};
pub use reading::{ReadOptions, Up};

use std::path::PathBuf;

use blake3::Hasher;

use crate::error::MapError;

/// All formats, in the order in which they are tried. The order matters: SiN's files begin with the same bytes as
/// Raven's, and only their lumps distinguish them.
static FORMATS: [Format; 6] = [
    bsp::quake2::FORMAT,
    bsp::quake3::FORMAT,
    bsp::quake1::FORMAT,
    bsp::source::FORMAT,
    gltf::FORMAT,
    text::FORMAT,
];

/// Reads a map of any known format.
///
/// # Errors
/// The bytes are not a map, or are damaged.
pub fn parse(bytes: &[u8], options: &ReadOptions) -> Result<Map, MapError> {
    let format = format_of(bytes)?;
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    let mut map = (format.parse)(bytes, options, &mut hasher)?;
    map.warnings.extend(idle_options(format, options));
    map.warnings.extend(nothing_solid(&map));
    Ok(Map {
        digest: *hasher.finalize().as_bytes(),
        reading: options.clone(),
        ..map
    })
}

/// Returns a warning for each given option that has no effect on maps of a format.
fn idle_options(format: &Format, options: &ReadOptions) -> Vec<Warning> {
    let mut idle = Vec::new();
    if let Some(game) = options
        .game
        .as_ref()
        .filter(|_| format.name != text::FORMAT.name)
    {
        let message = format!(
            "{} has no effect: the file says itself what its brushes are made of; the option is for the text of \
             map editors (.map)",
            game.name
        );
        idle.push(Warning::new("--game", message));
    }
    let default = ReadOptions::default();
    for (option, is_given) in [
        ("--up", options.up != default.up),
        ("--scale", options.scale != default.scale),
        ("--all-meshes", options.all_meshes),
    ] {
        if is_given && format.name != gltf::FORMAT.name {
            let message = "this has no effect: it is for glTF scenes (.gltf, .glb)";
            idle.push(Warning::new(option, message));
        }
    }
    idle
}

/// Returns a warning if the world is empty, as in a map that has only movers, or if the whole map is.
fn nothing_solid(map: &Map) -> Option<Warning> {
    let is_empty = |model: &MapModel| model.brushes.is_empty() && model.patches.is_empty();
    let what = match (
        map.models.first().is_none_or(is_empty),
        map.models.iter().all(is_empty),
    ) {
        (_, true) => "the map",
        (true, _) => "the world",
        _ => return None,
    };
    let message =
        "it has neither brushes nor patches that stop anything, so nothing in it is solid";
    Some(Warning::new(what, message))
}

/// The inputs from which a map is read.
pub struct Inputs {
    /// BLAKE3 digest, the same as in the [`Map`].
    pub digest: [u8; 32],
    /// The files next to the map that are also read.
    pub files: Vec<PathBuf>,
}

/// Returns the inputs of a map. Most formats need no parsing for this.
///
/// # Errors
/// As for [`parse`].
pub fn inputs(bytes: &[u8], options: &ReadOptions) -> Result<Inputs, MapError> {
    if format_of(bytes)?.name == gltf::FORMAT.name {
        let Map { digest, files, .. } = parse(bytes, options)?;
        return Ok(Inputs { digest, files });
    }
    Ok(Inputs {
        digest: *blake3::hash(bytes).as_bytes(),
        files: Vec::new(),
    })
}

/// Returns the format of a map.
fn format_of(bytes: &[u8]) -> Result<&'static Format, MapError> {
    let format = FORMATS.iter().find(|format| (format.recognizes)(bytes));
    format.ok_or_else(|| refused::refuse(bytes, &all_names()))
}

/// Returns the names of all formats, for messages.
fn all_names() -> String {
    FORMATS.each_ref().map(|format| format.name).join(", ")
}
