//! Reads map files. In: the bytes of a map in any of `FORMATS`. Out: a [`Map`], which holds for each model its brushes
//! as planes and its patches as control points, with warnings about oddities. This crate knows file formats, but not
//! hulls or trees. [`parts`] defines the parts of a map, [`parse`] reads a map, `refused.rs` names the formats that are
//! not read, and [`patch`] converts curved surfaces into convex pieces.

mod bsp;
pub mod contents;
pub mod entities;
pub mod error;
pub mod game;
mod gltf;
pub mod parts;
pub mod patch;
pub mod reading;
mod refused;
mod solid;
mod text;
pub mod tolerance;
pub mod wording;

pub use parts::{
    Halfspace, Map, MapBrush, MapEntity, MapModel, MapSide, MapSurface, Patch, PointEntity, Warning,
};
pub use reading::{ReadOptions, Up};

use std::path::PathBuf;

use blake3::Hasher;

use crate::error::MapError;

/// A reader of one format: it parses the bytes if their beginning and, where formats share it, their layout show the
/// format, and otherwise returns `None`. It adds other files that it reads to the digest; [`parse`] does the rest.
type Reader = fn(&[u8], &ReadOptions, &mut Hasher) -> Option<Result<Map, MapError>>;

/// All formats with their names for messages, in the order in which they are tried. The order matters: SiN's files
/// begin with the same bytes as Raven's, and only their lumps distinguish them.
static FORMATS: [(&str, Reader); 6] = [
    (bsp::quake2::NAME, |bytes, _, _| bsp::quake2::read(bytes)),
    (bsp::quake3::NAME, |bytes, _, _| bsp::quake3::read(bytes)),
    (bsp::quake1::NAME, |bytes, _, _| bsp::quake1::read(bytes)),
    (bsp::source::NAME, |bytes, _, _| bsp::source::read(bytes)),
    (gltf::NAME, gltf::read),
    (text::NAME, |bytes, options, _| text::read(bytes, options)),
];

/// Reads a map of any known format.
///
/// # Errors
/// The bytes are not a map, or are damaged.
pub fn parse(bytes: &[u8], options: &ReadOptions) -> Result<Map, MapError> {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    let mut readers = FORMATS.iter();
    let found = readers.find_map(|(name, read)| Some((name, read(bytes, options, &mut hasher)?)));
    let names = || FORMATS.map(|(name, _)| name).join(", ");
    let (format, map) = found.ok_or_else(|| refused::refuse(bytes, &names()))?;
    let mut map = map?;
    map.warnings.extend(idle_options(format, options));
    map.warnings.extend(nothing_solid(&map));
    Ok(Map {
        digest: *hasher.finalize().as_bytes(),
        reading: options.clone(),
        ..map
    })
}

/// Returns a warning for each given option that has no effect on maps of this format.
fn idle_options(format: &str, options: &ReadOptions) -> Vec<Warning> {
    let game = options.game.as_ref().map(|game| {
        let message = format!(
            "{} has no effect: the file says itself what its brushes are made of; the option is for the text of \
             map editors (.map)",
            game.name
        );
        Warning::new("--game", message)
    });
    let default = ReadOptions::default();
    let of_scenes = [
        ("--up", options.up != default.up),
        ("--scale", options.scale != default.scale),
        ("--all-meshes", options.all_meshes),
    ];
    let given = of_scenes.into_iter().filter(|(_, is_given)| *is_given);
    let of_scenes = given.map(|(option, _)| {
        let message = "this has no effect: it is for glTF scenes (.gltf, .glb)";
        Warning::new(option, message)
    });
    let game = game.filter(|_| format != text::NAME);
    game.into_iter()
        .chain(of_scenes.filter(|_| format != gltf::NAME))
        .collect()
}

/// Returns a warning if the whole map is empty, or only the world, as in a map that has only movers.
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

/// Returns the inputs of a map. Only a scene must be parsed for this, so only a scene can be found damaged.
///
/// # Errors
/// As for [`parse`].
pub fn inputs(bytes: &[u8], options: &ReadOptions) -> Result<Inputs, MapError> {
    if gltf::recognizes(bytes) {
        let Map { digest, files, .. } = parse(bytes, options)?;
        return Ok(Inputs { digest, files });
    }
    Ok(Inputs {
        digest: *blake3::hash(bytes).as_bytes(),
        files: Vec::new(),
    })
}
