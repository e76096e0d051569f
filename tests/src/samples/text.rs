//! Writes a sample map as the text of a map editor; `write` writes it as a BSP file.
//!
//! In: a `Map`. Out: its text: faces as three of their corners, patches as `patchDef2`. The brushes of a model are at
//! the place where its entity shows them, so they are moved by its origin.

use super::brush::{Face, Vec3};
use super::map::{Map, Model, Patch, Shader};
use crate::oracle::vec3::add;

/// Writes the map.
pub fn text(map: &Map) -> String {
    let mut out = String::from("// Game: Quake 3\n// Format: Quake3 (legacy)\n");
    for (number, entity) in map.entities.iter().enumerate() {
        let value = |key: &str| {
            let found = entity.iter().find(|(name, _)| *name == key);
            found.map(|(_, value)| value.as_str())
        };
        let model = value("model").and_then(|name| name.strip_prefix('*'));
        let model = model.map_or((number == 0).then_some(0), |model| model.parse().ok());
        let origin = value("origin").filter(|_| model.is_some());
        let origin = origin.map_or([0.0; 3], point_of);
        out += "{\n";
        for (key, value) in entity.iter().filter(|(key, _)| *key != "model") {
            out += &format!("\"{key}\" \"{value}\"\n");
        }
        if let Some(model) = model {
            put_model(&mut out, &map.models[model], origin);
        }
        out += "}\n";
    }
    out
}

fn point_of(text: &str) -> Vec3 {
    let numbers: Vec<f64> = text.split(' ').map(|n| n.parse().unwrap()).collect();
    [numbers[0], numbers[1], numbers[2]]
}

fn put_model(out: &mut String, model: &Model, origin: Vec3) {
    for (brush, shader) in &model.brushes {
        *out += "{\n";
        brush
            .faces
            .iter()
            .for_each(|face| *out += &face_line(face, *shader, origin));
        *out += "}\n";
    }
    for patch in &model.patches {
        *out += &patch_text(patch, origin);
    }
}

/// Writes the line of a face. Any three corners of a face will do, because none is between two others.
fn face_line(face: &Face, shader: Shader, origin: Vec3) -> String {
    let corner = |at: usize| {
        let [x, y, z] = add(face.winding[at], origin);
        format!("( {x} {y} {z} )")
    };
    let [a, b, c] = [0, 1, 2].map(corner);
    format!("{a} {b} {c} {} 0 0 0 0.5 0.5 0 0 0\n", texture(shader))
}

/// Writes a patch. Editors write columns of points, and show the side that (next column) x (next row) points to: a
/// row of ours is a column of theirs.
fn patch_text(patch: &Patch, origin: Vec3) -> String {
    let point = |&at: &Vec3| {
        let [x, y, z] = add(at, origin);
        format!("( {x} {y} {z} 0 0 )")
    };
    let column = |row: &[Vec3; 3]| format!("( {} )", row.each_ref().map(point).join(" "));
    let columns = patch.points.each_ref().map(column).join("\n");
    let texture = texture(patch.shader);
    format!("{{\npatchDef2\n{{\n{texture}\n( 3 3 0 0 0 )\n(\n{columns}\n)\n}}\n}}\n")
}

/// Returns the name of a material in text, which implies its contents as in the games.
fn texture(shader: Shader) -> &'static str {
    match shader {
        Shader::Water => "liquids/water",
        Shader::Lava => "liquids/lava",
        _ => shader.name().trim_start_matches("textures/"),
    }
}
