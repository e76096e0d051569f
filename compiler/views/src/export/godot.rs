//! Exports a navigation mesh as a scene of Godot 4: a region for each stance, and a node for each one-way link. Godot
//! has y up, and a meter for 32 units, as in `runtime/godot`: x, y, z becomes x, z, -y.
//!
//! # What Godot does with it
//! Godot connects polygons, both ways, if both ends of their edges are in the same cells of the map (`get_point_key` in
//! `modules/navigation_3d/3d/nav_region_builder_3d.cpp`), so all corners are on a grid as wide as a cell. Cells have a
//! height too, so risers may be upright: searches use distances in space, and the cross products by which paths are
//! pulled taut only see two edges at the same place (`nav_mesh_queries_3d.cpp`). Corners are counterclockwise as seen
//! from above, as in Godot's manual (`navigation_using_navigationmeshes.rst`); its server accepts both.
//!
//! A script tells the map the size of its cells, 1/4 meter otherwise, and the radius in which links find polygons, 1
//! meter otherwise, which would join links to polygons behind a wall (`nav_map_builder_3d.cpp`). For the same reason,
//! regions do not use edge connections, which join what is only near. A link joins only regions with which it has a
//! layer in common, and a path takes what has one of its layers: so all have the last layer, which no path should
//! have.

use std::fmt::Write;

use onion_runtime::navigation::LinkKind;

use super::nav_mesh::NavMesh;
use crate::tolerance::{CELL, LINK_RADIUS};

/// The beginning of our scenes. Godot omits comments when it saves a scene.
const HEADER: &str = "[gd_scene format=3]\n\n; Written by onionc.\n";
/// Units per meter.
const SCALE: f64 = 32.0;
/// The layer that joins links to regions.
const JOINS: u32 = 1 << 31;

/// Returns whether a file is a scene that onionc wrote. A scene that Godot has saved since is not recognized.
pub fn is_godot(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADER.as_bytes())
}

/// Returns the text of a scene; `None` if the mesh has no polygons.
pub fn godot(mesh: &NavMesh) -> Option<String> {
    let last = mesh.polygons.iter().map(|polygon| polygon.stance).max()?;
    let mut out = HEADER.to_owned();
    let [cell, radius] = [CELL, LINK_RADIUS].map(|length| length / SCALE);
    let calls = [
        ("cell_size", cell),
        ("cell_height", cell),
        ("link_connection_radius", radius),
    ]
    .map(|(name, value)| format!("\tNavigationServer3D.map_set_{name}(map, {value})\n"));
    let map = "\tvar map := get_world_3d().navigation_map\n";
    let script = format!(
        "extends Node3D\n\nfunc _enter_tree() -> void:\n{map}{}",
        calls.concat()
    );
    let _ = write!(
        out,
        "\n[sub_resource type=\"GDScript\" id=\"cells\"]\nscript/source = \"{script}\"\n"
    );
    (0..=last).for_each(|stance| add_mesh(&mut out, mesh, stance, cell));
    out += "\n[node name=\"Navigation\" type=\"Node3D\"]\nscript = SubResource(\"cells\")\n";
    for stance in 0..=last {
        let layers = layers(if stance == 0 {
            LinkKind::Walk
        } else {
            LinkKind::Crouch
        });
        let _ = write!(
            out,
            "\n[node name=\"Floors{stance}\" type=\"NavigationRegion3D\" parent=\".\"]\n\
             navigation_mesh = SubResource(\"floors{stance}\")\n\
             navigation_layers = {layers}\nuse_edge_connections = false\n"
        );
    }
    for (number, link) in mesh.links.iter().enumerate() {
        let [start, end] = link.ends.map(place);
        let (kind, layers) = (link.kind, layers(link.kind));
        let _ = write!(
            out,
            "\n[node name=\"{kind:?}{number}\" type=\"NavigationLink3D\" parent=\".\"]\n\
             bidirectional = false\nnavigation_layers = {layers}\n\
             start_position = Vector3({start})\nend_position = Vector3({end})\n"
        );
        if let Some(link) = link.link {
            let _ = writeln!(out, "metadata/link = {link}");
        }
    }
    Some(out)
}

/// Adds the polygons of a stance, with the corners that they use.
fn add_mesh(out: &mut String, mesh: &NavMesh, stance: usize, cell: f64) {
    let mut corners: Vec<u32> = Vec::new();
    let mut numbers = vec![None; mesh.corners.len()];
    let polygons = mesh
        .polygons
        .iter()
        .filter(|polygon| polygon.stance == stance);
    let polygons = polygons.map(|polygon| {
        let own = polygon.corners.iter().map(|&corner| {
            let number = *numbers[corner as usize].get_or_insert(corners.len());
            if number == corners.len() {
                corners.push(corner);
            }
            number.to_string()
        });
        format!("PackedInt32Array({})", own.collect::<Vec<_>>().join(", "))
    });
    let polygons = polygons.collect::<Vec<_>>().join(", ");
    let corners = corners
        .iter()
        .map(|&corner| place(mesh.corners[corner as usize]));
    let corners = corners.collect::<Vec<_>>().join(", ");
    let [height, radius, step] = mesh.agent.map(|length| length / SCALE);
    let _ = write!(
        out,
        "\n[sub_resource type=\"NavigationMesh\" id=\"floors{stance}\"]\n\
         vertices = PackedVector3Array({corners})\npolygons = [{polygons}]\n\
         cell_size = {cell}\ncell_height = {cell}\n\
         agent_height = {height}\nagent_radius = {radius}\nagent_max_climb = {step}\n"
    );
}

/// Returns the layers of a kind: the bit with its number, as in the flags of Detour, and the one that joins.
fn layers(kind: LinkKind) -> u32 {
    1 << kind as u32 | JOINS
}

/// Returns the coordinates of a place in Godot.
fn place([x, y, z]: [f32; 3]) -> String {
    // A difference, because the negative of 0 would be -0.
    let [x, y, z] = [x, z, 0.0 - y].map(|at| at / SCALE as f32);
    format!("{x}, {y}, {z}")
}
