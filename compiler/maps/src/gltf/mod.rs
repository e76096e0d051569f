//! Reads the collision meshes of glTF 2.0 scenes (`.gltf`, `.glb`), as users of Blender, Godot and Bevy have them.
//! Nodes marked by their names are convex brushes; nodes with a `classname` among their extras, and empty nodes, are
//! entities. `nodes` walks the scene, `buffers` reads its meshes, and `convex` makes sides from a mesh.

mod buffers;
mod convex;
mod names;
mod nodes;

use blake3::Hasher;
use gltf::{Document, Gltf};

use super::entities;
use super::parts::{Map, Warning};
use super::reading::{ReadOptions, without_byte_order_mark};
use crate::error::MapError;
use buffers::Buffers;
use nodes::SceneReader;

pub const NAME: &str = "glTF 2.0 (.gltf, .glb)";

/// Maximum size of a scene's JSON, in bytes: far above the size that scenes have, and low enough that the parsed form,
/// which takes up to a hundred times as much, fits into memory.
const MAX_JSON: usize = 1 << 25;

/// Size of the header of a binary glTF, in bytes.
const GLB_HEADER: u32 = 12;

/// Maximum number of characters of the library's error message that an error quotes.
const MAX_REASON: usize = 200;

/// Whether bytes begin like a binary glTF, or like JSON: with a brace, a string and a colon. The text of a map editor
/// has no colon there.
pub fn recognizes(bytes: &[u8]) -> bool {
    let json = without_byte_order_mark(bytes);
    let after_key = || {
        let object = json.trim_ascii_start().strip_prefix(b"{")?;
        let key = object.trim_ascii_start().strip_prefix(b"\"")?;
        key.splitn(2, |&byte| byte == b'"').nth(1)
    };
    let is_json = || after_key().is_some_and(|after| after.trim_ascii_start().starts_with(b":"));
    bytes.starts_with(b"glTF") || is_json()
}

pub fn read(
    bytes: &[u8],
    options: &ReadOptions,
    digest: &mut Hasher,
) -> Option<Result<Map, MapError>> {
    recognizes(bytes).then(|| parse(bytes, options, digest))
}

fn parse(bytes: &[u8], options: &ReadOptions, digest: &mut Hasher) -> Result<Map, MapError> {
    let bytes = without_byte_order_mark(bytes);
    check_sizes(bytes)?;
    let (document, blob) = checked(bytes)?;
    let buffers = Buffers::read(&document, blob, options, digest)?;
    let mut scene = SceneReader::new(&document, &buffers, options);
    scene.read()?;
    let SceneReader {
        mut map, entities, ..
    } = scene;
    map.format = "glTF 2.0".to_owned();
    map.files = Buffers::files(&document, options);
    entities::place(&mut map, entities);
    if map.models.iter().all(|model| model.brushes.is_empty()) {
        let n_meshes = document
            .nodes()
            .filter(|node| node.mesh().is_some())
            .count();
        let message = format!(
            "none of its {n_meshes} meshes is marked for collision, so nothing in it is solid; name nodes UCX_..., \
             ...-convcol or ...-convcolonly, or use --all-meshes"
        );
        map.warnings.push(Warning::new("the scene", message));
    }
    Ok(map)
}

/// Checks the sizes of a file and its JSON, which is all of it or follows the header of a binary glTF. The library
/// relies on the size in that header.
fn check_sizes(bytes: &[u8]) -> Result<(), MapError> {
    let header = bytes.strip_prefix(b"glTF");
    let number = |at: usize| {
        let number = header?.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*number))
    };
    let json = header.map_or(bytes.len(), |_| number(8).map_or(0, |size| size as usize));
    if json > MAX_JSON {
        let problem = format_args!("its JSON has more than {MAX_JSON} bytes");
        return Err(MapError::scene("the scene", problem));
    }
    if number(4).is_some_and(|size| size < GLB_HEADER) {
        let problem = "its header says that it is shorter than the header";
        return Err(MapError::scene("the scene", problem));
    }
    Ok(())
}

/// Returns the parts of a scene, whose references to each other are checked, and the buffer of a binary file.
fn checked(bytes: &[u8]) -> Result<(Document, Option<Vec<u8>>), MapError> {
    let invalid = |reason: gltf::Error| {
        let reason: String = reason.to_string().chars().take(MAX_REASON).collect();
        MapError::scene("the scene", format!("not valid glTF 2.0: {reason}"))
    };
    let Gltf { document, blob } = Gltf::from_slice_without_validation(bytes).map_err(invalid)?;
    let json = document.into_json();
    // The library's own checks rely on this one.
    for (number, mesh) in json.meshes.iter().enumerate() {
        let mut attributes = mesh
            .primitives
            .iter()
            .flat_map(|own| own.attributes.values());
        if let Some(index) = attributes.find(|index| index.value() >= json.accessors.len()) {
            let problem = format!(
                "it refers to accessor {}, which does not exist",
                index.value()
            );
            return Err(MapError::scene(format_args!("mesh {number}"), problem));
        }
    }
    Ok((Document::from_json(json).map_err(invalid)?, blob))
}
