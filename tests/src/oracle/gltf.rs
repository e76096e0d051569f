//! Reads the convex collision meshes of a binary glTF scene, independently of the compiler's reader.
//!
//! In: the bytes of a `.glb` file with one buffer, and the settings to read it with. Out: one [`OracleModel`] for the
//! world and for each other entity with collision meshes, as [`super::read_ibsp`] gives them. Method: nodes are
//! visited from the scene down, with a 3x4 matrix in f64; a mesh is the hull of its positions, whatever its triangles
//! are. Only the names of contents in our own scenes are known.

use serde_json::Value;

use super::expand::expand_points;
use super::ibsp::{OracleBrush, OracleModel, vector};
use super::vec3::{V3, sub};

/// The settings for reading a scene.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Whether the scene's up axis is y, not z.
    pub y_up: bool,
    /// The factor that lengths are multiplied by.
    pub scale: f64,
    /// Whether all meshes are for collision.
    pub all_meshes: bool,
}

/// An affine map: each row of the matrix, with the translation last.
type Affine = [[f64; 4]; 3];

/// Parses the models of a scene.
pub fn read_glb(bytes: &[u8], how: Reading) -> Result<Vec<OracleModel>, String> {
    let header = bytes.get(12..16).ok_or("no header")?;
    let size = u32::from_le_bytes(header.try_into().unwrap()) as usize;
    let json = bytes.get(20..20 + size).ok_or("no JSON")?;
    let json: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let mut reader = Reader {
        nodes: array(&json["nodes"]),
        json: &json,
        buffer: bytes.get(28 + size..).unwrap_or_default(),
        all_meshes: how.all_meshes,
        models: vec![(0, OracleModel::default())],
        n_entities: 1,
    };
    let s = how.scale;
    let to_map = if how.y_up {
        [[s, 0.0, 0.0, 0.0], [0.0, 0.0, -s, 0.0], [0.0, s, 0.0, 0.0]]
    } else {
        [[s, 0.0, 0.0, 0.0], [0.0, s, 0.0, 0.0], [0.0, 0.0, s, 0.0]]
    };
    let scene = &json["scenes"][json["scene"].as_u64().unwrap_or(0) as usize];
    let world = Owner {
        entity: 0,
        origin: [0.0; 3],
        contents: 1,
    };
    for node in array(&scene["nodes"]) {
        reader.visit(index(node)?, &to_map, world)?;
    }
    Ok(reader.models.into_iter().map(|(_, model)| model).collect())
}

/// The entity that a collision mesh belongs to.
#[derive(Clone, Copy)]
struct Owner {
    entity: usize,
    origin: V3,
    contents: u32,
}

struct Reader<'a> {
    json: &'a Value,
    nodes: &'a [Value],
    buffer: &'a [u8],
    all_meshes: bool,
    /// The entity of each model, and the model.
    models: Vec<(usize, OracleModel)>,
    n_entities: usize,
}

impl Reader<'_> {
    fn visit(&mut self, number: usize, above: &Affine, mut owner: Owner) -> Result<(), String> {
        let node = self.nodes.get(number).ok_or("no such node")?;
        let to_map = product(above, &transform(node));
        let class = class(node);
        if let Some(contents) = node["extras"]["contents"].as_str() {
            owner.contents = contents_of(contents)?;
        }
        if !matches!(class.as_deref(), None | Some("worldspawn" | "func_group")) {
            owner.entity = self.n_entities;
            owner.origin = to_map.map(|row| f64::from(row[3] as f32));
            self.n_entities += 1;
        }
        if node["mesh"].is_u64() && (self.all_meshes || is_marked(node)) {
            let corners = self.corners(index(&node["mesh"])?)?;
            let place = |corner: V3| sub(applied(&to_map, corner), owner.origin);
            self.brush(number, corners.into_iter().map(place).collect(), owner)?;
        }
        for child in array(&node["children"]) {
            self.visit(index(child)?, &to_map, owner)?;
        }
        Ok(())
    }

    /// Adds the hull of some corners to the model of its entity.
    fn brush(&mut self, number: usize, mut corners: Vec<V3>, owner: Owner) -> Result<(), String> {
        corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
        corners.dedup();
        let hull = expand_points(&corners, [0.0; 3], [0.0; 3]).ok_or("a flat mesh")?;
        let of_entity = |(entity, _): &(usize, OracleModel)| *entity == owner.entity;
        let model = self.models.iter().position(of_entity).unwrap_or_else(|| {
            self.models.push((owner.entity, OracleModel::default()));
            self.models.len() - 1
        });
        let brush = OracleBrush::plain(number, owner.contents, hull.planes);
        self.models[model].1.brushes.push(brush);
        Ok(())
    }

    /// Returns the positions of a mesh.
    fn corners(&self, mesh: usize) -> Result<Vec<V3>, String> {
        let mut corners = Vec::new();
        for primitive in array(&self.json["meshes"][mesh]["primitives"]) {
            let accessor = index(&primitive["attributes"]["POSITION"])?;
            let accessor = &self.json["accessors"][accessor];
            let view = &self.json["bufferViews"][index(&accessor["bufferView"])?];
            let offset = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
            let start = offset(accessor) + offset(view);
            let step = view["byteStride"].as_u64().unwrap_or(12) as usize;
            for number in 0..index(&accessor["count"])? {
                corners.push(vector(self.buffer, start + step * number)?);
            }
        }
        Ok(corners)
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn index(value: &Value) -> Result<usize, String> {
    let index = value
        .as_u64()
        .ok_or_else(|| format!("{value} is no index"))?;
    Ok(index as usize)
}

fn numbers<const N: usize>(value: &Value, otherwise: [f64; N]) -> [f64; N] {
    std::array::from_fn(|at| value[at].as_f64().unwrap_or(otherwise[at]))
}

/// Returns the transform from a node's space to its parent's.
fn transform(node: &Value) -> Affine {
    if node["matrix"].is_array() {
        let columns = numbers::<16>(&node["matrix"], [0.0; 16]);
        return std::array::from_fn(|row| std::array::from_fn(|column| columns[4 * column + row]));
    }
    let [a, b, c] = numbers(&node["translation"], [0.0; 3]);
    let scale = numbers(&node["scale"], [1.0; 3]);
    let q: [f64; 4] = numbers(&node["rotation"], [0.0, 0.0, 0.0, 1.0]);
    let length = q.iter().map(|part| part * part).sum::<f64>().sqrt();
    let [x, y, z, w] = q.map(|part| part / length);
    let turn = [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - z * w),
            2.0 * (x * z + y * w),
        ],
        [
            2.0 * (x * y + z * w),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - x * w),
        ],
        [
            2.0 * (x * z - y * w),
            2.0 * (y * z + x * w),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ];
    std::array::from_fn(|row| {
        let [i, j, k] = std::array::from_fn(|column| turn[row][column] * scale[column]);
        [i, j, k, [a, b, c][row]]
    })
}

fn applied(matrix: &Affine, [x, y, z]: V3) -> V3 {
    matrix.map(|[a, b, c, d]| a * x + b * y + c * z + d)
}

fn product(left: &Affine, right: &Affine) -> Affine {
    let columns: [V3; 4] = std::array::from_fn(|at| right.map(|row| row[at]));
    let zero = applied(left, [0.0; 3]);
    let columns = std::array::from_fn::<V3, 4, _>(|at| match at {
        3 => applied(left, columns[3]),
        _ => sub(applied(left, columns[at]), zero),
    });
    std::array::from_fn(|row| columns.map(|column| column[row]))
}

/// Returns the class of a node: its own, or its name if nothing is in it or below it.
fn class(node: &Value) -> Option<String> {
    if let Some(class) = node["extras"]["classname"].as_str() {
        return Some(class.to_owned());
    }
    let is_empty = ["mesh", "camera", "skin", "children"]
        .iter()
        .all(|key| node[key].is_null());
    let name = node["name"]
        .as_str()
        .filter(|name| is_empty && !name.is_empty())?;
    let end = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    Some(end.strip_suffix('.').unwrap_or(name).to_owned())
}

fn is_marked(node: &Value) -> bool {
    let name = node["name"].as_str().unwrap_or("").to_lowercase();
    let end = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    name.starts_with("ucx_") || end.ends_with("-convcol") || end.ends_with("-convcolonly")
}

fn contents_of(names: &str) -> Result<u32, String> {
    let bits = names.split('+').map(|name| match name {
        "solid" => Ok(1),
        "playerclip" => Ok(0x1_0000),
        "water" => Ok(0x20),
        _ => {
            let digits = name.strip_prefix("0x").unwrap_or("");
            u32::from_str_radix(digits, 16).map_err(|_| format!("unknown contents {name}"))
        }
    });
    bits.sum()
}
