//! Packs the data of a page as bytes that its scripts read: the visible parts of the walls with their costs, and any
//! data deflated and in base 64.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use onion_compiler::brush::BrushSource;
use onion_runtime::OnionMap;

use crate::node_costs::NodeCosts;
use crate::visible_faces::visible_faces;
use crate::walls::{Wall, WallFace};

/// Steps per unit to which positions are rounded, so that they pack well.
const ROUND: f64 = 32.0;

/// Packs the visible parts of walls as bytes, with the number of nodes that each wall costs.
pub(super) fn walls<D: AsRef<[u8]>>(map: &OnionMap<D>, walls: &[Wall]) -> Vec<u8> {
    let heat = NodeCosts::of_file(map);
    let mut packed = Vec::new();
    for wall in visible_faces(walls) {
        let (kind, number) = match wall.source {
            BrushSource::Brush(number) => (0, number),
            BrushSource::Patch(number) => (1, number),
        };
        let nodes = heat.as_ref().map_or(0, |heat| heat.of_wall(&wall));
        // A wall with more faces than fit in a byte becomes several; no face has more corners.
        for faces in wall.faces.chunks(255) {
            packed.push(kind);
            for value in [number as u32, wall.model as u32, wall.contents, nodes] {
                packed.extend(value.to_le_bytes());
            }
            packed.push(faces.len() as u8);
            faces.iter().for_each(|face| pack_face(&mut packed, face));
        }
    }
    packed
}

/// Writes a face: the normal, the number of corners, then the corners.
fn pack_face(packed: &mut Vec<u8>, face: &WallFace) {
    let corners = &face.corners[..face.corners.len().min(255)];
    let normal = face.normal.to_array().map(|x| x as f32);
    packed.extend(normal.map(f32::to_le_bytes).as_flattened());
    packed.push(corners.len() as u8);
    for corner in corners {
        let place = corner.to_array();
        let place = place.map(|x| ((x * ROUND).round() / ROUND) as f32);
        packed.extend(place.map(f32::to_le_bytes).as_flattened());
    }
}

/// Deflates bytes and encodes them in base 64.
pub(super) fn deflated(bytes: &[u8]) -> io::Result<String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(BASE64.encode(encoder.finish()?))
}
