//! Writes sample maps as glTF scenes, as a modeling program exports them: a mesh for each brush, in a node whose
//! name marks it for collision; a node with extras for each entity; and doors as nodes with their meshes below.

use serde_json::{Map as Object, Value, json};

use super::brush::{Brush, Vec3};
use super::map::{Map, Model, Shader};

/// The axis of a scene that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// The y axis, as glTF demands.
    #[default]
    Y,
    /// The z axis, as maps have it.
    Z,
}

/// A scene: its JSON, and the bytes of its only buffer.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The contents of a `.gltf` file.
    pub json: Value,
    /// The buffer.
    pub buffer: Vec<u8>,
}

/// Converts a sample map to a scene, with lengths multiplied by `scale`. Patches are left out.
pub fn scene(map: &Map, up: Up, scale: f64) -> Scene {
    let mut writer = Writer {
        up,
        scale,
        ..Writer::default()
    };
    let mut roots: Vec<usize> = Vec::new();
    for (entity, keys) in map.entities.iter().enumerate() {
        let key = |name| keys.iter().find(|(key, _)| *key == name);
        let model = match key("model") {
            Some((_, name)) => name[1..].parse().unwrap(),
            None => 0,
        };
        let origin = key("origin").map_or([0.0; 3], |(_, text)| {
            let mut numbers = text.split(' ').map(|number| number.parse().unwrap());
            [0; 3].map(|_| numbers.next().unwrap())
        });
        let children = match (entity, model) {
            (0, _) => writer.brushes(0, &map.models[0]),
            (_, 0) => Vec::new(),
            _ => writer.brushes(model, &map.models[model]),
        };
        let extras = keys
            .iter()
            .filter(|(key, _)| !["origin", "model"].contains(key));
        let extras: Object<String, Value> = extras
            .map(|(key, value)| ((*key).to_owned(), json!(value)))
            .collect();
        let mut node = json!({
            "name": format!("entity {entity}"),
            "extras": extras,
            "translation": writer.place(origin),
        });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        roots.push(writer.node(node));
    }
    writer.finish(&roots)
}

impl Scene {
    /// Returns the scene as a binary glTF file.
    pub fn glb(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec(&self.json).unwrap();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut buffer = self.buffer.clone();
        buffer.resize(buffer.len().next_multiple_of(4), 0);
        let length = 12 + 8 + json.len() + 8 + buffer.len();
        let mut file = b"glTF".to_vec();
        let word = |number: usize| (number as u32).to_le_bytes();
        file.extend([word(2), word(length), word(json.len())].concat());
        file.extend(b"JSON");
        file.extend(json);
        file.extend(word(buffer.len()));
        file.extend(b"BIN\0");
        file.extend(buffer);
        file
    }

    /// Returns the scene as a text whose buffer is elsewhere.
    pub fn gltf(&self, uri: &str) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"][0]["uri"] = json!(uri);
        serde_json::to_vec_pretty(&json).unwrap()
    }
}

#[derive(Default)]
struct Writer {
    up: Up,
    scale: f64,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    accessors: Vec<Value>,
    views: Vec<Value>,
    materials: Vec<Shader>,
    buffer: Vec<u8>,
}

impl Writer {
    /// Converts a place of the map to the scene.
    fn place(&self, [x, y, z]: Vec3) -> [f32; 3] {
        let place = match self.up {
            Up::Y => [x, z, if y == 0.0 { 0.0 } else { -y }],
            Up::Z => [x, y, z],
        };
        place.map(|component| (component * self.scale) as f32)
    }

    fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Makes nodes for the brushes of a model; their names alternate between the ways to mark them for collision.
    fn brushes(&mut self, model: usize, Model { brushes, .. }: &Model) -> Vec<usize> {
        let mut nodes = Vec::new();
        for (number, (brush, shader)) in brushes.iter().enumerate() {
            let name = match number % 3 {
                0 => format!("UCX_{model}_{number:02}"),
                1 => format!("brush {model} {number}-convcolonly"),
                _ => format!("brush {model} {number}-convcol.001"),
            };
            let mesh = self.mesh(brush, *shader);
            let mut node = json!({ "name": name, "mesh": mesh });
            if shader.contents() != Shader::Wall.contents() {
                let contents = format!("{:#x}", shader.contents());
                node["extras"] = json!({ "contents": contents });
            }
            nodes.push(self.node(node));
        }
        nodes
    }

    /// Makes the mesh of a brush: its faces as triangle fans, counterclockwise from outside.
    fn mesh(&mut self, brush: &Brush, shader: Shader) -> usize {
        let material = self.materials.iter().position(|own| *own == shader);
        let material = material.unwrap_or_else(|| {
            self.materials.push(shader);
            self.materials.len() - 1
        });
        let corners: Vec<Vec3> = brush.corners.clone();
        let places: Vec<[f32; 3]> = corners.iter().map(|corner| self.place(*corner)).collect();
        let index = |corner: &Vec3| corners.iter().position(|own| own == corner).unwrap() as u16;
        let mut indices: Vec<u16> = Vec::new();
        for face in &brush.faces {
            for pair in face.winding[1..].windows(2) {
                indices.extend([&face.winding[0], &pair[1], &pair[0]].map(index));
            }
        }
        let positions = places.as_flattened().iter();
        let positions: Vec<u8> = positions.flat_map(|at| at.to_le_bytes()).collect();
        let corner = |pick: fn(f32, f32) -> f32| {
            let places = places.iter().copied();
            places
                .reduce(|a, b| std::array::from_fn(|axis| pick(a[axis], b[axis])))
                .unwrap()
        };
        let (min, max) = (corner(f32::min), corner(f32::max));
        let count = places.len();
        let accessor = json!({
            "componentType": 5126, "type": "VEC3", "count": count, "min": min, "max": max,
        });
        let positions = self.accessor(&positions, accessor);
        let numbers = indices.iter().flat_map(|index| index.to_le_bytes());
        let accessor = json!({
            "componentType": 5123, "type": "SCALAR", "count": indices.len(),
        });
        let numbers = self.accessor(&numbers.collect::<Vec<u8>>(), accessor);
        self.meshes.push(json!({ "primitives": [{
            "attributes": { "POSITION": positions }, "indices": numbers, "material": material,
        }] }));
        self.meshes.len() - 1
    }

    fn accessor(&mut self, bytes: &[u8], mut accessor: Value) -> usize {
        let start = self.buffer.len().next_multiple_of(4);
        self.buffer.resize(start, 0);
        self.buffer.extend(bytes);
        self.views
            .push(json!({ "buffer": 0, "byteOffset": start, "byteLength": bytes.len() }));
        accessor["bufferView"] = json!(self.views.len() - 1);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn finish(self, roots: &[usize]) -> Scene {
        let names = self
            .materials
            .iter()
            .map(|shader| json!({ "name": shader.name() }));
        let json = json!({
            "asset": { "version": "2.0" },
            "scene": 0,
            "scenes": [{ "nodes": roots }],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "materials": names.collect::<Vec<_>>(),
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.buffer.len() }],
        });
        Scene {
            json,
            buffer: self.buffer,
        }
    }
}
