//! Walks the nodes of a scene: collision meshes become brushes in the space of the map, and nodes with a class become
//! entities, with a model of their own if there are collision meshes below them.
//!
//! A node has one place in the tree; a node that is visited twice is an error, so the walk ends.

use glam::{DMat3, DMat4, DVec3, Mat4, Quat, Vec3};
use gltf::scene::Transform;
use gltf::{Document, Mesh, Node};
use indexmap::IndexSet;
use serde_json::Value;

use super::buffers::Buffers;
use super::convex::{self, Triangle};
use super::names;
use crate::contents::{self, Contents, SOLID};
use crate::error::MapError;
use crate::parts::{Map, MapBrush, MapEntity, MapModel, MapSurface, Warning};
use crate::reading::{ReadOptions, Up};

/// Maximum number of triangles of a convex mesh: the number that physics engines allow for 255 corners, and some
/// more.
const MAX_TRIANGLES: usize = 512;

/// Maximum number of triangles of all collision meshes, counting a mesh once for each node that shows it.
const MAX_ALL_TRIANGLES: usize = 1 << 19;

/// Classes whose brushes are part of the world.
const WORLD_CLASSES: [&str; 2] = ["worldspawn", "func_group"];

pub(super) struct SceneReader<'a> {
    document: &'a Document,
    buffers: &'a Buffers,
    options: &'a ReadOptions,
    /// The map as read so far; its surfaces are in `surfaces`.
    pub(super) map: Map,
    /// The entities; the first one is the world.
    pub(super) entities: Vec<MapEntity>,
    /// The surfaces met so far, each with its contents.
    surfaces: IndexSet<(String, Contents)>,
    /// For each node, whether it was visited.
    met: Vec<bool>,
    /// Number of triangles of all meshes so far, which is limited.
    n_triangles: usize,
}

/// A node that is still to be visited.
struct Visit<'a> {
    node: Node<'a>,
    /// Transform from the space of the node's parent to the space of the map.
    parent: DMat4,
    /// The entity that the brushes below belong to.
    owner: BrushOwner,
    /// The contents of these brushes, unless a node below sets others.
    contents: Contents,
}

/// The entity that the collision meshes at and below a node belong to, and its origin in the map; the world is entity
/// 0.
#[derive(Clone, Copy, Default)]
struct BrushOwner {
    /// Number of the entity.
    entity: usize,
    /// Its origin in the map, in units.
    origin: DVec3,
}

impl<'a> SceneReader<'a> {
    pub(super) fn new(
        document: &'a Document,
        buffers: &'a Buffers,
        options: &'a ReadOptions,
    ) -> Self {
        let world = MapEntity::from_iter([("classname".to_owned(), "worldspawn".to_owned())]);
        let map = Map {
            models: vec![MapModel::default()],
            ..Map::default()
        };
        Self {
            document,
            buffers,
            options,
            map,
            entities: vec![world],
            surfaces: IndexSet::new(),
            met: vec![false; document.nodes().len()],
            n_triangles: 0,
        }
    }

    /// Reads the nodes of the scene that is shown by default, or of the first one.
    pub(super) fn read(&mut self) -> Result<(), MapError> {
        let document = self.document;
        let scene = document.default_scene().or(document.scenes().next());
        let scene = scene.ok_or_else(|| MapError::scene("the scene", "the file has no scene"))?;
        let visit = |node| Visit {
            node,
            parent: to_map(self.options),
            owner: BrushOwner::default(),
            contents: SOLID,
        };
        // A list instead of recursion: the scene decides how deep its nodes are nested.
        let mut pending: Vec<Visit<'a>> = scene.nodes().map(visit).collect();
        pending.reverse();
        while let Some(visit) = pending.pop() {
            let first = pending.len();
            self.visit(visit, &mut pending)?;
            // Children are visited in their order.
            pending[first..].reverse();
        }
        let surfaces = self.surfaces.drain(..);
        let surfaces = surfaces.map(|(name, contents)| MapSurface {
            name: name.into_bytes(),
            flags: 0,
            contents,
        });
        self.map.surfaces = surfaces.collect();
        Ok(())
    }

    /// Reads a node and adds its children to those to be visited next.
    fn visit(&mut self, visit: Visit<'a>, pending: &mut Vec<Visit<'a>>) -> Result<(), MapError> {
        let Visit { node, parent, .. } = visit;
        if std::mem::replace(&mut self.met[node.index()], true) {
            let problem = "it is below two nodes, or below itself";
            return Err(MapError::scene(place(&node), problem));
        }
        let to_map = parent * transform(&node);
        let keys = self.keys(&node);
        let contents = self.contents(&node, &keys, visit.contents)?;
        let owner = self.entity(&node, keys, &to_map, visit.owner);
        self.brush(&node, &to_map, owner, contents)?;
        pending.extend(node.children().map(|node| Visit {
            node,
            parent: to_map,
            owner,
            contents,
        }));
        Ok(())
    }

    /// Returns the extras of a node as keys and values. Numbers and strings are values, and so are lists of them,
    /// separated by blanks.
    fn keys(&mut self, node: &Node<'_>) -> MapEntity {
        let extras = node.extras().as_ref();
        let extras = extras.and_then(|extras| serde_json::from_str(extras.get()).ok());
        let Some(Value::Object(extras)) = extras else {
            return MapEntity::new();
        };
        let keys = extras.into_iter().filter_map(|(key, value)| {
            // A zero byte ends a text in compiled maps.
            Some((key.replace('\0', " "), text(&value)?.replace('\0', " ")))
        });
        keys.collect()
    }

    /// Returns the contents of the brushes of a node and of the nodes below it.
    fn contents(
        &self,
        node: &Node<'_>,
        keys: &MapEntity,
        inherited: Contents,
    ) -> Result<Contents, MapError> {
        keys.get("contents").map_or(Ok(inherited), |names| {
            contents::from_names(names).map_err(|reason| {
                MapError::scene(
                    place(node),
                    format_args!("its contents {names:?}: {reason}"),
                )
            })
        })
    }

    /// Adds the entity that a node is, if it has a class, and returns the owner of the brushes at and below the node.
    fn entity(
        &mut self,
        node: &Node<'_>,
        keys: MapEntity,
        to_map: &DMat4,
        owner: BrushOwner,
    ) -> BrushOwner {
        let Some(class) = class(node, &keys) else {
            return owner;
        };
        if WORLD_CLASSES.contains(&&*class) {
            self.entities[0].extend(keys.into_iter().filter(|(key, _)| key != "classname"));
            return owner;
        }
        // Rounded to f32 first: brushes are moved by exactly the origin that the entity's key says.
        let origin = to_map.w_axis.truncate().as_vec3().to_array();
        let mut entity = MapEntity::from_iter([("classname".to_owned(), class)]);
        entity.extend(keys);
        let text = origin.map(|at| at.to_string()).join(" ");
        entity.insert("origin".to_owned(), text);
        let name = node.name().unwrap_or("").replace('\0', " ");
        entity.entry("name".to_owned()).or_insert(name);
        entity.shift_remove("model");
        self.entities.push(entity);
        BrushOwner {
            entity: self.entities.len() - 1,
            origin: Vec3::from(origin).as_dvec3(),
        }
    }

    /// Adds the brush that a node is, if it is a collision mesh.
    fn brush(
        &mut self,
        node: &Node<'_>,
        to_map: &DMat4,
        owner: BrushOwner,
        contents: Contents,
    ) -> Result<(), MapError> {
        if !self.chosen_or_warned(node) {
            return Ok(());
        }
        let triangles = self.triangles(node, to_map, owner.origin, contents)?;
        if triangles.is_empty() {
            return Ok(());
        }
        let convex =
            convex::sides(&triangles).map_err(|reason| MapError::scene(place(node), reason))?;
        if convex.was_turned {
            let message = "its faces look inward; turned around";
            self.map.warnings.push(Warning::new(place(node), message));
        }
        let model = self.model(owner.entity);
        self.map.models[model].brushes.push(MapBrush {
            number: node.index(),
            contents,
            sides: convex.sides,
        });
        Ok(())
    }

    /// Whether a node, if it is a mesh, is a collision mesh. A collision mesh that need not be convex is a
    /// warning.
    fn chosen_or_warned(&mut self, node: &Node<'_>) -> bool {
        let name = node.name().unwrap_or("");
        if self.options.all_meshes || names::is_convex(name) {
            return true;
        }
        if node.mesh().is_some() && names::is_concave(name) {
            let message = "collision meshes named -col or -colonly need not be convex, and are not read; left out";
            self.map.warnings.push(Warning::new(place(node), message));
        }
        false
    }

    /// Returns the model of an entity, which is created with its first brush.
    fn model(&mut self, entity: usize) -> usize {
        if entity == 0 {
            return 0;
        }
        let next = self.map.models.len();
        let name = self.entities[entity].entry("model".to_owned());
        let name = name.or_insert_with(|| format!("*{next}"));
        // The name of a model is its number after a star.
        let model = name[1..].parse().unwrap_or(next);
        if model == next {
            self.map.models.push(MapModel::default());
        }
        model
    }

    /// Counts the triangles of a node's mesh and checks the limits on their number.
    fn check_triangle_counts(&mut self, node: &Node<'_>, mesh: &Mesh<'_>) -> Result<(), MapError> {
        let n_triangles = mesh.primitives().map(|own| Buffers::n_corners(&own) / 3);
        let n_triangles = n_triangles.fold(0usize, usize::saturating_add);
        if n_triangles > MAX_TRIANGLES {
            let what = format!(
                "a convex mesh may have {MAX_TRIANGLES} triangles, but it has {n_triangles}; simplify or split it"
            );
            return Err(MapError::scene(place(node), what));
        }
        self.n_triangles += n_triangles;
        if self.n_triangles > MAX_ALL_TRIANGLES {
            let what = format!("its collision meshes have more than {MAX_ALL_TRIANGLES} triangles");
            return Err(MapError::scene("the scene", what));
        }
        Ok(())
    }

    /// Returns the triangles of a node's mesh, in the space of its model.
    fn triangles(
        &mut self,
        node: &Node<'_>,
        to_map: &DMat4,
        origin: DVec3,
        contents: Contents,
    ) -> Result<Vec<Triangle>, MapError> {
        let Some(mesh) = node.mesh() else {
            return Ok(Vec::new());
        };
        self.check_triangle_counts(node, &mesh)?;
        // A mirroring turns the order of corners around, and with it which side is outside.
        let is_mirrored = DMat3::from_mat4(*to_map).determinant() < 0.0;
        let mut triangles = Vec::new();
        for primitive in mesh.primitives() {
            let material = primitive.material();
            let name = material.name().unwrap_or("").replace('\0', " ");
            let (surface, _) = self.surfaces.insert_full((name, contents));
            let corners = self.buffers.corners(&primitive);
            let corners = corners.map_err(|what| MapError::scene(place(node), what))?;
            for corners in corners.as_chunks::<3>().0 {
                let moved =
                    |corner| to_map.transform_point3(Vec3::from(corner).as_dvec3()) - origin;
                let [a, b, c] = corners.map(moved);
                let corners = if is_mirrored { [a, c, b] } else { [a, b, c] };
                triangles.push((corners, surface as u32));
            }
        }
        Ok(triangles)
    }
}

/// Returns the class of a node: the one among its extras or, if the node is empty, its name.
fn class(node: &Node<'_>, keys: &MapEntity) -> Option<String> {
    let is_empty = node.mesh().is_none()
        && node.camera().is_none()
        && node.skin().is_none()
        && node.children().len() == 0;
    let name = node.name().map(names::without_number);
    let name = name.filter(|name| is_empty && !name.is_empty());
    let class = keys.get("classname").map(String::as_str).or(name);
    class.map(|class| class.replace('\0', " "))
}

fn place(node: &Node<'_>) -> String {
    match node.name() {
        Some(name) => format!("node {} ({name:?})", node.index()),
        None => format!("node {}", node.index()),
    }
}

/// Returns the transform from the space of the scene to the space of the map.
fn to_map(options: &ReadOptions) -> DMat4 {
    let axes = match options.up {
        // x stays, y is up, and z points at the viewer, which is -y in the map.
        Up::Y => DMat3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y),
        Up::Z => DMat3::IDENTITY,
    };
    DMat4::from_mat3(axes * options.scale)
}

/// Returns the transform from the space of a node to the space of its parent. Quaternions have unit length except for
/// rounding error.
fn transform(node: &Node<'_>) -> DMat4 {
    match node.transform() {
        Transform::Matrix { matrix } => Mat4::from_cols_array_2d(&matrix).as_dmat4(),
        Transform::Decomposed {
            translation,
            rotation,
            scale,
        } => DMat4::from_scale_rotation_translation(
            Vec3::from(scale).as_dvec3(),
            Quat::from_array(rotation).as_dquat().normalize(),
            Vec3::from(translation).as_dvec3(),
        ),
    }
}

/// Formats a value of extras as text, or returns `None` for null, an object, or a list that contains one of these.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Object(_) => None,
        Value::Bool(value) => Some(u8::from(*value).to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(values) => {
            let texts = values.iter().map(text);
            Some(texts.collect::<Option<Vec<_>>>()?.join(" "))
        }
    }
}
