//! Maps as read: brushes as planes, patches as control points, by model, with what was odd. Knows file
//! formats and their oddities; knows nothing of hulls and trees. [`parts`] says what a map consists of,
//! [`parse`] reads one, and [`patch`] makes convex pieces of curved surfaces.

pub mod entities;
pub mod ibsp;
pub mod parts;
pub mod patch;

pub use parts::{Entity, Map, MapBrush, MapModel, MapSide, Patch, PointEntity, Surface, Warning};

use crate::error::MapError;

/// Reads a map of any known format.
///
/// # Errors
/// The bytes are no map, or are damaged.
pub fn parse(bytes: &[u8]) -> Result<Map, MapError> {
    let map = match bytes {
        [b'I', b'B', b'S', b'P', ..] => ibsp::parse(bytes)?,
        _ => return Err(unknown_format(bytes)),
    };
    Ok(Map {
        digest: *blake3::hash(bytes).as_bytes(),
        ..map
    })
}

fn unknown_format(bytes: &[u8]) -> MapError {
    let start = &bytes[..bytes.len().min(8)];
    let meaning = match start {
        [] => return MapError::UnknownFormat("is empty".to_owned()),
        [b'P', b'K', 3, 4, ..] => {
            ", so it is a zip archive (.pk3), from which to take the .bsp file"
        }
        [0x1d, 0, 0, 0, ..] => ", so it is a Quake map (BSP version 29)",
        [0x1e, 0, 0, 0, ..] => ", so it is a Half-Life map (BSP version 30)",
        start if start == onion_format::MAGIC => ", so it is compiled already",
        _ if is_source(bytes) => {
            ", so it is the source of a map (.map); compile it to a .bsp first"
        }
        _ => "",
    };
    MapError::UnknownFormat(format!("starts with \"{}\"{meaning}", start.escape_ascii()))
}

/// Whether bytes begin like the text of a map editor: with an entity or a comment.
fn is_source(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    text.starts_with(b"{") || text.starts_with(b"//")
}
