//! Reads the collision meshes of glTF 2.0 scenes (`.gltf`, `.glb`), as users of Blender, Godot and Bevy have them.
//! Nodes marked by their names are convex brushes; nodes with a `classname` among their extras, and empty nodes, are
//! entities. `nodes` walks the scene, `buffers` reads its meshes, and `convex` makes sides from a mesh.

mod buffers;
mod convex;
mod names;
mod nodes;

use blake3::Hasher;
use gltf::json::Index;
use gltf::{Document, Gltf};

use super::entities;
use super::format::Format;
use super::parts::{Map, Warning};
use super::reading::ReadOptions;
use crate::error::MapError;
use buffers::Buffers;
use nodes::Scene;

/// Scenes of glTF 2.0.
pub const FORMAT: Format = Format {
    name: "glTF 2.0 (.gltf, .glb)",
    recognizes,
    parse,
};

/// Maximum size of a scene's JSON, in bytes: far above the size that scenes have, and low enough that the parsed
/// form, which takes up to a hundred times as much, fits into memory.
const MAX_JSON: usize = 1 << 25;

/// Size of the header of a binary glTF, in bytes.
const GLB_HEADER: u32 = 12;

/// Maximum number of characters that are quoted from the library's reason why a scene is not valid.
const MAX_REASON: usize = 200;

/// Returns whether bytes begin like a binary glTF, or like JSON: with a brace, a string and a colon. The text of a
/// map editor has no colon there.
fn recognizes(bytes: &[u8]) -> bool {
    let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let Some(object) = json.trim_ascii_start().strip_prefix(b"{") else {
        return bytes.starts_with(b"glTF");
    };
    let Some(key) = object.trim_ascii_start().strip_prefix(b"\"") else {
        return false;
    };
    let end = key.iter().position(|&byte| byte == b'"');
    let after = end.and_then(|end| key.get(end + 1..));
    after.is_some_and(|after| after.trim_ascii_start().starts_with(b":"))
}

fn parse(bytes: &[u8], options: &ReadOptions, digest: &mut Hasher) -> Result<Map, MapError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if json_size(bytes) > MAX_JSON {
        return Err(MapError::scene(
            "the scene",
            format!("its JSON has more than {MAX_JSON} bytes"),
        ));
    }
    if told_size(bytes).is_some_and(|size| size < GLB_HEADER) {
        let what = "its header says that it is shorter than the header";
        return Err(MapError::scene("the scene", what));
    }
    let (document, blob) = read(bytes)?;
    let buffers = Buffers::read(&document, blob, options, digest)?;
    let mut scene = Scene::new(&document, &buffers, options);
    scene.read()?;
    let Scene {
        mut map, entities, ..
    } = scene;
    map.format = "glTF 2.0".to_owned();
    map.files = Buffers::files(&document, options);
    entities::place_models(&mut map, &entities);
    map.points = entities::points(&entities, &mut map.warnings);
    map.entities = entities;
    if map.models.iter().all(|model| model.brushes.is_empty()) {
        map.warnings.push(nothing_marked(&document));
    }
    Ok(map)
}

/// Returns the parts of a scene, whose references to each other are checked, and the buffer of a binary file.
fn read(bytes: &[u8]) -> Result<(Document, Option<Vec<u8>>), MapError> {
    let invalid = |reason: gltf::Error| {
        let reason: String = reason.to_string().chars().take(MAX_REASON).collect();
        MapError::scene("the scene", format!("not valid glTF 2.0: {reason}"))
    };
    let Gltf { document, blob } = Gltf::from_slice_without_validation(bytes).map_err(invalid)?;
    let json = document.into_json();
    // The library's own checks rely on this one.
    let meshes = json.meshes.iter().enumerate();
    for (number, mesh) in meshes {
        let attributes = mesh
            .primitives
            .iter()
            .flat_map(|own| own.attributes.values());
        if let Some(index) = attributes
            .map(Index::value)
            .find(|&at| at >= json.accessors.len())
        {
            let what = format!("it refers to accessor {index}, which does not exist");
            return Err(MapError::scene(format!("mesh {number}"), what));
        }
    }
    Ok((Document::from_json(json).map_err(invalid)?, blob))
}

/// Returns the size of a binary glTF according to its header, on which the library relies, or `None` for other files.
fn told_size(bytes: &[u8]) -> Option<u32> {
    let size = bytes.strip_prefix(b"glTF")?.get(4..)?.first_chunk()?;
    Some(u32::from_le_bytes(*size))
}

/// Returns the size of the JSON of a binary glTF, or of a file that is all JSON, in bytes.
fn json_size(bytes: &[u8]) -> usize {
    match bytes.strip_prefix(b"glTF") {
        Some(rest) => rest
            .get(8..)
            .and_then(|rest| rest.first_chunk())
            .map_or(0, |size| u32::from_le_bytes(*size) as usize),
        None => bytes.len(),
    }
}

fn nothing_marked(document: &Document) -> Warning {
    let n_meshes = document
        .nodes()
        .filter(|node| node.mesh().is_some())
        .count();
    let message = format!(
        "none of its {n_meshes} meshes is marked for collision, so nothing in it is solid; name nodes UCX_..., \
         ...-convcol or ...-convcolonly, or use --all-meshes"
    );
    Warning::new("the scene", message)
}
