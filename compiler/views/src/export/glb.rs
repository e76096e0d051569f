//! Writes objects as a binary glTF 2.0 scene: each is a node with a mesh of triangles with normals, and each color is
//! a material. glTF has y up; x, y, z of the map become x, z, -y.

use glam::{DVec3, Vec3};
use serde_json::{Value, json};

use super::object::Object;

/// Constants of the specification: the type of components, and the kind of data in a buffer.
const FLOAT: u32 = 5126;
const ARRAY_BUFFER: u32 = 34962;
/// Size of a position or a normal, in bytes.
const VECTOR: usize = 12;

const GENERATOR: &str = concat!("onionc ", env!("CARGO_PKG_VERSION"));

/// Whether bytes are a scene that a version of onionc made.
pub(super) fn is_ours(bytes: &[u8]) -> bool {
    const MARK: &[u8] = b"\"generator\":\"onionc ";
    bytes.starts_with(b"glTF") && bytes.windows(MARK.len()).any(|part| part == MARK)
}

pub(super) fn write(objects: &[Object]) -> Vec<u8> {
    let mut scene = GlbScene::default();
    objects.iter().for_each(|object| scene.add(object));
    let nodes: Vec<usize> = (0..scene.nodes.len()).collect();
    let json = json!({
        "asset": { "version": "2.0", "generator": GENERATOR },
        "scene": 0,
        "scenes": [{ "nodes": nodes }],
        "nodes": scene.nodes,
        "meshes": scene.meshes,
        "materials": scene.materials,
        "accessors": scene.accessors,
        "bufferViews": scene.views,
        "buffers": [{ "byteLength": scene.bytes.len() }],
    });
    framed(json.to_string().into_bytes(), scene.bytes)
}

/// The parts of a glTF scene: the lists of its JSON, and the bytes that they refer to.
#[derive(Default)]
struct GlbScene {
    /// One for each object.
    nodes: Vec<Value>,
    /// One for each object, under the number of its node.
    meshes: Vec<Value>,
    /// One for each object, under the same number, with its color.
    materials: Vec<Value>,
    /// The positions and the normals of each mesh.
    accessors: Vec<Value>,
    /// The byte range of each accessor.
    views: Vec<Value>,
    /// Positions and normals as f32, with y up.
    bytes: Vec<u8>,
}

impl GlbScene {
    /// Adds an object as a mesh of triangles; each polygon becomes a fan.
    fn add(&mut self, object: &Object) {
        let triangles = object.polygons.iter().flat_map(|(normal, corners)| {
            let rest = corners.windows(2).skip(1);
            rest.flat_map(move |pair| {
                [corners[0], pair[0], pair[1]].map(|corner| (corner, *normal))
            })
        });
        let turned = triangles.map(|(corner, normal)| (turned(corner), turned(normal)));
        let (positions, normals): (Vec<Vec3>, Vec<Vec3>) = turned.unzip();
        let number = self.nodes.len();
        let [r, g, b] = object.color;
        self.nodes
            .push(json!({ "name": object.name, "mesh": number }));
        let primitive = json!({
            "attributes": { "POSITION": self.vectors(&positions), "NORMAL": self.vectors(&normals) },
            "material": number,
        });
        self.meshes
            .push(json!({ "name": object.name, "primitives": [primitive] }));
        self.materials.push(json!({
            "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.9,
            },
            "doubleSided": true,
        }));
    }

    /// Adds vectors to the buffer and returns the number of their accessor.
    fn vectors(&mut self, vectors: &[Vec3]) -> usize {
        let (offset, length) = (self.bytes.len(), vectors.len() * VECTOR);
        let components = vectors.iter().flat_map(|vector| vector.to_array());
        self.bytes.extend(components.flat_map(f32::to_le_bytes));
        self.views.push(json!({
            "buffer": 0, "byteOffset": offset, "byteLength": length, "target": ARRAY_BUFFER,
        }));
        let least = vectors.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let most = vectors.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": FLOAT, "count": vectors.len(),
            "type": "VEC3", "min": least.to_array(), "max": most.to_array(),
        }));
        self.accessors.len() - 1
    }
}

/// Converts a vector to the axes of glTF.
fn turned(vector: DVec3) -> Vec3 {
    DVec3::new(vector.x, vector.z, -vector.y).as_vec3()
}

/// Returns the container: a header, then the chunks of text and numbers, each padded to four bytes.
fn framed(mut json: Vec<u8>, mut bytes: Vec<u8>) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let length = 12 + 8 + json.len() + 8 + bytes.len();
    let mut file = b"glTF".to_vec();
    file.extend([2, length as u32].map(u32::to_le_bytes).as_flattened());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", bytes)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}
