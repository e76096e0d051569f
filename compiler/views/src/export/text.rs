//! Formats objects as text: Wavefront's format with a normal for each face, the portals of Quake's compilers, which map
//! editors draw over the brushes of a map, and brushes for map editors.

use std::fmt::{self, Write};
use std::iter;

use glam::DVec3;
use onion_maps::wording::plain;

use super::object::Object;
use crate::editor_text::{HEADER, face, layer};

/// The texture of exported brushes, which editors of Quake III know.
const TEXTURE: &str = "common/caulk";

/// The beginning of Wavefront text that onionc writes.
pub(super) const OBJ_HEADER: &str = "# in units, z is up\n";

/// Whether bytes are portals that onionc wrote: a blank follows the number of leaves, which readers skip and Quake's
/// compilers do not write.
pub(super) fn is_our_prt(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    lines.next() == Some(b"PRT1") && lines.next().is_some_and(|line| line.ends_with(b" "))
}

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

/// Formats portals (`PRT1`). In the format, corners are clockwise seen from the first leaf, so that is the one behind a
/// polygon. The format demands leaves, so polygons that are not portals are between the leaves 0 and 1.
pub(super) fn prt(objects: &[Object]) -> String {
    let portals = objects.iter().flat_map(|object| {
        let leaves = object.leaves.iter().copied();
        object
            .polygons
            .iter()
            .zip(leaves.chain(iter::repeat([1, 0])))
    });
    let last_leaf = portals.clone().flat_map(|(_, leaves)| leaves).max();
    let n_leaves = last_leaf.unwrap_or(1) + 1;
    let mut text = format!("PRT1\n{n_leaves} \n{}\n", portals.clone().count());
    for ((_, corners), [front, back]) in portals {
        let points = corners
            .iter()
            .map(|DVec3 { x, y, z }| format!("({x} {y} {z} ) "));
        let points = points.collect::<String>();
        let n_corners = corners.len();
        line(
            &mut text,
            format_args!("{n_corners} {back} {front} {points}"),
        );
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
