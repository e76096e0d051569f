//! Formats objects as text: Wavefront's format with a normal for each face, the portals of Quake's compilers, which map
//! editors draw over the brushes of a map, and brushes for map editors.

use std::fmt::{self, Write};

use glam::DVec3;
use onion_maps::wording::plain;

use super::object::Object;
use crate::editor_text::{HEADER, face, layer};

/// The texture of exported brushes, which editors of Quake III know.
const TEXTURE: &str = "common/caulk";

/// The beginning of Wavefront text that onionc writes.
pub(super) const OBJ_HEADER: &str = "# in units, z is up\n";

/// The beginning of portals that onionc writes. It declares two leaves, because the format demands leaves.
pub(super) const PRT_HEADER: &str = "PRT1\n2\n";

/// Formats Wavefront text, with z up.
pub(super) fn obj(objects: &[Object]) -> String {
    let mut text = OBJ_HEADER.to_owned();
    let mut add = |arguments: fmt::Arguments<'_>| line(&mut text, arguments);
    for object in objects {
        let name = plain(&object.name).replace(' ', "_");
        add(format_args!("o {name}"));
        for (normal, corners) in &object.polygons {
            for DVec3 { x, y, z } in corners {
                add(format_args!("v {x} {y} {z}"));
            }
            add(format_args!("vn {} {} {}", normal.x, normal.y, normal.z));
            let numbers = (1..=corners.len()).rev();
            let back: String = numbers.map(|number| format!(" -{number}//-1")).collect();
            add(format_args!("f{back}"));
        }
    }
    text
}

/// Formats portals (`PRT1`), each between the two leaves.
pub(super) fn prt(objects: &[Object]) -> String {
    let polygons = objects.iter().flat_map(|object| &object.polygons);
    let mut text = PRT_HEADER.to_owned();
    line(&mut text, format_args!("{}", polygons.clone().count()));
    for (_, corners) in polygons {
        let points = corners
            .iter()
            .map(|DVec3 { x, y, z }| format!("({x} {y} {z} ) "));
        let points = points.collect::<String>();
        line(&mut text, format_args!("{} 0 1 {points}", corners.len()));
    }
    text
}

/// Formats brushes for map editors, a layer for each object that is made of brushes. Their texture has no meaning.
pub(super) fn brushes(objects: &[Object]) -> String {
    let solids = objects.iter().filter(|object| !object.brushes.is_empty());
    let layers = solids.enumerate().map(|(number, object)| {
        let mut rest = &object.polygons[..];
        let brushes = object.brushes.iter().map(|&n_faces| {
            let (faces, others) = rest.split_at(n_faces.min(rest.len()));
            rest = others;
            let faces = faces.iter().map(|(_, corners)| face(corners, TEXTURE));
            format!("{{\n{}}}\n", faces.collect::<String>())
        });
        layer(number, &object.name, brushes.collect())
    });
    HEADER.to_owned() + &layers.collect::<String>()
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    let written = writeln!(text, "{line}");
    debug_assert!(written.is_ok(), "text takes any line");
}
