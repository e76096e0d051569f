//! Exports compiled maps for other programs: the skins, floors and portals of hulls, the leaves of trees, the walls
//! that are known, the unions of expanded brushes and the path of a leak. The result is a glTF scene, Wavefront text,
//! portals that a map editor draws over the brushes, or brushes; and navigation meshes of Detour and
//! Godot.

mod detour;
mod glb;
mod godot;
mod leak;
mod leaves;
mod nav_mesh;
mod object;
mod text;
mod union;

use std::str::FromStr;

use glam::DVec3;
use onion_runtime::{Hull, HullId, OnionMap};

pub use detour::{DetourError, DetourMesh, detour, is_detour};
pub use godot::{godot, is_godot};
pub use leak::leak;
pub use nav_mesh::{NavLink, NavMesh, NavPolygon, Risers, nav_mesh};
use object::COLORS;
pub use object::Object;
pub use union::union;

use crate::borders::borders;
use crate::editor_text::HEADER;
use crate::node_costs::NodeCosts;
use crate::skin;
use crate::walls::Wall;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A binary glTF 2.0 scene, with y up.
    Glb,
    /// Wavefront text, in the axes of the map.
    Obj,
    /// Portals of Quake's compilers, which map editors draw.
    Prt,
    /// Brushes, as the text of map editors.
    Map,
}

impl ExportFormat {
    /// Returns the format for a file name's extension, or `None` if no format has it.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "glb" => Some(Self::Glb),
            "obj" => Some(Self::Obj),
            "prt" => Some(Self::Prt),
            "map" => Some(Self::Map),
            _ => None,
        }
    }

    /// Whether bytes are a file of this format that onionc wrote. Scenes and brushes may also be sources of maps, which
    /// must not be overwritten.
    pub fn is_ours(self, bytes: &[u8]) -> bool {
        match self {
            Self::Glb => glb::is_ours(bytes),
            Self::Obj => bytes.starts_with(text::OBJ_HEADER.as_bytes()),
            Self::Prt => text::is_our_prt(bytes),
            Self::Map => bytes.starts_with(HEADER.as_bytes()),
        }
    }
}

/// A part of a map that is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportPart {
    /// The skins of all hulls.
    Skins,
    /// The floors of all hulls.
    Floors,
    /// The portals of all hulls in the world.
    Portals,
    /// The unions of expanded brushes, before unreachable space was filled.
    Union,
    /// The leaves of all trees.
    Leaves,
    /// The walls.
    Walls,
    /// The walls that cost most nodes.
    Costliest,
    /// The path of a leak.
    Leak,
}

impl FromStr for ExportPart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "skins" => Ok(Self::Skins),
            "floors" => Ok(Self::Floors),
            "portals" => Ok(Self::Portals),
            "union" => Ok(Self::Union),
            "leaves" => Ok(Self::Leaves),
            "walls" => Ok(Self::Walls),
            "costliest" => Ok(Self::Costliest),
            "leak" => Ok(Self::Leak),
            _ => Err(
                "write skins, floors, portals, union, leaves, walls, costliest or leak".to_owned(),
            ),
        }
    }
}

/// Number of walls that are exported as the costliest.
const COSTLIEST: usize = 50;

/// Returns the objects of some parts of a map; skins, floors and portals of one hull if it is named. Compiled files
/// lack the data for two parts, which [`union`](union()) and [`leak`](leak()) make.
pub fn objects<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    walls: &[Wall],
    parts: &[ExportPart],
    hull: Option<HullId>,
) -> Vec<Object> {
    let mut hulls: Vec<_> = map.hulls().collect();
    hulls.retain(|own| hull.is_none_or(|hull| hull == own.id));
    let mut objects = Vec::new();
    if parts.contains(&ExportPart::Skins) {
        objects.extend(skins(map, &hulls));
    }
    if parts.contains(&ExportPart::Floors) {
        objects.extend(hulls.iter().map(|hull| floors(map, hull)));
    }
    if parts.contains(&ExportPart::Portals) {
        objects.extend(hulls.iter().map(|hull| portals(map, hull)));
    }
    if parts.contains(&ExportPart::Leaves) {
        objects.extend(leaves::leaves(map));
    }
    if parts.contains(&ExportPart::Walls) {
        objects.extend(wall_objects(walls));
    }
    if parts.contains(&ExportPart::Costliest) {
        objects.extend(costliest(map, walls));
    }
    objects.retain(|object| !object.polygons.is_empty());
    objects
}

/// Returns the bytes of a file.
pub fn write(objects: &[Object], format: ExportFormat) -> Vec<u8> {
    match format {
        ExportFormat::Glb => glb::write(objects),
        ExportFormat::Obj => text::obj(objects).into_bytes(),
        ExportFormat::Prt => text::prt(objects).into_bytes(),
        ExportFormat::Map => text::brushes(objects).into_bytes(),
    }
}

fn skins<D: AsRef<[u8]>>(map: &OnionMap<D>, hulls: &[Hull<'_>]) -> Vec<Object> {
    let models = 0..map.n_models();
    let pairs = models.flat_map(|model| hulls.iter().map(move |hull| (model, hull)));
    let objects = pairs.map(|(model, hull)| {
        let pieces = skin::skin(map, model, hull.id).into_iter();
        let polygons = pieces.map(|piece| (piece.normal, piece.corners));
        Object {
            name: format!("skin.{}.model{model}", hull.name),
            color: color_of(hull),
            polygons: polygons.collect(),
            ..Object::default()
        }
    });
    objects.collect()
}

fn floors<D: AsRef<[u8]>>(map: &OnionMap<D>, hull: &Hull<'_>) -> Object {
    let polygons = map.floors(hull.id).map(|floor| {
        let corners = floor.corners().map(DVec3::from_array);
        (DVec3::from_array(floor.normal), corners.collect())
    });
    Object {
        name: format!("floors.{}", hull.name),
        color: color_of(hull),
        polygons: polygons.collect(),
        ..Object::default()
    }
}

/// Returns the borders of the leaves of the world that are empty for a hull.
fn portals<D: AsRef<[u8]>>(map: &OnionMap<D>, hull: &Hull<'_>) -> Object {
    let mut object = Object {
        name: format!("portals.{}", hull.name),
        color: color_of(hull),
        ..Object::default()
    };
    borders(map, 0, hull.id, |border| {
        let mut leaves = border.leaves.iter();
        if !leaves.any(|leaf| leaf.solid.contains(hull.id.index())) {
            object.polygons.push((border.normal, border.corners));
            object.leaves.push(border.leaves.map(|leaf| leaf.number));
        }
    });
    object
}

fn color_of(hull: &Hull<'_>) -> [f32; 3] {
    COLORS[hull.id.index() % (COLORS.len() - 1)]
}

fn polygons(wall: &Wall) -> impl Iterator<Item = (DVec3, Vec<DVec3>)> {
    let faces = wall.faces.iter();
    faces.map(|face| (face.normal, face.corners.clone()))
}

fn wall_objects(walls: &[Wall]) -> impl Iterator<Item = Object> {
    let models = walls.chunk_by(|one, next| one.model == next.model);
    models.map(|walls| Object {
        name: format!("walls.model{}", walls[0].model),
        color: COLORS[COLORS.len() - 1],
        polygons: walls.iter().flat_map(polygons).collect(),
        brushes: walls.iter().map(|wall| wall.faces.len()).collect(),
        ..Object::default()
    })
}

/// Returns an object for each of the walls that cost most, the costliest first.
fn costliest<D: AsRef<[u8]>>(map: &OnionMap<D>, walls: &[Wall]) -> Vec<Object> {
    let Some(heat) = NodeCosts::of_file(map) else {
        return Vec::new();
    };
    let mut costs: Vec<_> = walls
        .iter()
        .map(|wall| (heat.of_wall(wall), wall))
        .collect();
    costs.retain(|(nodes, _)| *nodes > 0);
    costs.sort_by_key(|(nodes, _)| std::cmp::Reverse(*nodes));
    let costs = costs.into_iter().take(COSTLIEST);
    let objects = costs.map(|(nodes, wall)| Object {
        name: format!("{}, {nodes} nodes", wall.source),
        color: [0.88, 0.35, 0.23],
        polygons: polygons(wall).collect(),
        brushes: vec![wall.faces.len()],
        ..Object::default()
    });
    objects.collect()
}
