//! Maps as read: for each model, brushes as planes and patches as control points, with warnings about oddities. This
//! module knows file formats, but no hulls and no trees. [`parts`] says what a map consists of, [`parse`] reads a map
//! of any format in `FORMATS`, [`refused`] names formats that are not read, and [`patch`] makes convex pieces of
//! curved surfaces.

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

/// All formats, in the order in which they are tried: a file of SiN is told from Raven's by its lumps.
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
/// The bytes are no map, or are damaged.
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

/// The options that have no effect on maps of a format.
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

/// Says so if a world is empty, which a map of movers alone may be.
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

/// What a map is made from.
pub struct Inputs {
    /// The digest, as that of the [`Map`].
    pub digest: [u8; 32],
    /// The files beside the map that are read.
    pub files: Vec<PathBuf>,
}

/// The inputs of a map, which most formats tell without being parsed.
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

/// The format of a map.
fn format_of(bytes: &[u8]) -> Result<&'static Format, MapError> {
    let format = FORMATS.iter().find(|format| (format.recognizes)(bytes));
    format.ok_or_else(|| refused::refuse(bytes, &all_names()))
}

/// The names of all formats, for messages.
fn all_names() -> String {
    FORMATS.each_ref().map(|format| format.name).join(", ")
}
