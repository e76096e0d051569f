//! The parts of a map as read: models with their brushes and patches, surfaces, entities at a point, and warnings about
//! oddities. Numbers are those of the file; distances are in units.

use std::path::PathBuf;

use dashu_int::IBig;
use glam::Vec3;
use indexmap::IndexMap;
use onion_geometry::ExactPlane;

use super::reading::ReadOptions;
use crate::contents::Contents;

/// An entity: its keys and values in order; a repeated key keeps its last value.
pub type MapEntity = IndexMap<String, String>;

/// A map as read.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Format and version, for reports.
    pub format: String,
    /// BLAKE3 hash of the file, followed by the files beside it that were read.
    pub digest: [u8; 32],
    /// The files next to it that were also read.
    pub files: Vec<PathBuf>,
    /// The options with which it was read.
    pub reading: ReadOptions,
    /// The models; model 0 is the world.
    pub models: Vec<MapModel>,
    /// The surfaces that sides and patches refer to by number.
    pub surfaces: Vec<MapSurface>,
    /// The entities, by their numbers.
    pub entities: Vec<MapEntity>,
    /// The entities that stand at a point of the world.
    pub points: Vec<PointEntity>,
    /// Problems of the file that were worked around, and how.
    pub warnings: Vec<Warning>,
}

/// A model: the world, or an inline model such as a door.
#[derive(Clone, Debug, Default)]
pub struct MapModel {
    /// Its brushes.
    pub brushes: Vec<MapBrush>,
    /// Its curved surfaces.
    pub patches: Vec<Patch>,
    /// The entity that shows it.
    pub entity: Option<u32>,
    /// The origin that this entity gives it, in units.
    pub origin: [f32; 3],
}

/// An entity that stands at a point: a start, an item, a light. Those that show inline models do not.
#[derive(Clone, Debug)]
pub struct PointEntity {
    /// Its number in the file.
    pub number: usize,
    /// Its class.
    pub class: String,
    /// Its position in units; finite, but possibly outside the world.
    pub origin: [f32; 3],
}

/// A convex brush: the intersection of the half-spaces behind its sides.
#[derive(Clone, Debug)]
pub struct MapBrush {
    /// Its number in the file.
    pub number: usize,
    /// Its contents.
    pub contents: Contents,
    /// Its sides.
    pub sides: Vec<MapSide>,
}

/// The surface of a side or patch: its texture or shader. The default stands for a surface that is not known.
#[derive(Clone, Debug, Default)]
pub struct MapSurface {
    /// Name as in the map, without padding.
    pub name: Vec<u8>,
    /// Surface flags.
    pub flags: u32,
    /// Its contents.
    pub contents: Contents,
}

/// A side of a brush.
#[derive(Clone, Copy, Debug)]
pub struct MapSide {
    /// The part of the world that lies behind it.
    pub halfspace: Halfspace,
    /// Number of its surface.
    pub surface: u32,
}

/// The part of the world that a side leaves. The plane of a side is rounded to the grid once, here or by a rule of the
/// format; planes farther out than the world reaches have no place on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halfspace {
    /// Everything behind a plane, which faces outward.
    Behind(ExactPlane),
    /// Everything.
    World,
    /// Nothing.
    Nothing,
}

impl Halfspace {
    /// Returns the half-space behind the plane nearest to a unit normal and a distance in units, the form in which many
    /// formats store planes.
    pub fn stored(normal: [f32; 3], dist: f32) -> Self {
        let plane = ExactPlane::nearest(Vec3::from(normal).as_dvec3(), dist.into());
        Self::behind(plane, dist > 0.0)
    }

    /// Returns the half-space behind the plane of the points `p`, in units, with `normal . p * scale = dist`, rounded
    /// from its exact value, or `None` if the normal is zero. `scale` is above zero.
    pub fn exact(normal: &[IBig; 3], dist: &IBig, scale: &IBig) -> Option<Self> {
        let has_direction = normal.iter().any(|component| *component != IBig::ZERO);
        let plane = || ExactPlane::exact(normal, dist, scale);
        has_direction.then(|| Self::behind(plane(), *dist > IBig::ZERO))
    }

    /// Returns the half-space behind a plane, or of one outside the world, which is ahead of the origin or not.
    fn behind(plane: Option<ExactPlane>, is_ahead: bool) -> Self {
        match plane {
            Some(plane) => Self::Behind(plane),
            None if is_ahead => Self::World,
            None => Self::Nothing,
        }
    }
}

/// A curved surface: a grid of control points of biquadratic Bézier pieces.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Number of its surface in the file.
    pub number: usize,
    /// Its contents.
    pub contents: Contents,
    /// Number of its surface among the map's surfaces.
    pub surface: u32,
    /// Control points in a row; odd, at least 3.
    pub width: usize,
    /// Rows of control points; odd, at least 3.
    pub height: usize,
    /// `width * height` control points, row by row, in units.
    pub points: Vec<[f32; 3]>,
    /// For each control point, a normal on the visible side; any length.
    pub normals: Vec<[f32; 3]>,
}

impl Patch {
    /// Returns the problem with the size of a grid of control points, if there is one.
    pub(crate) fn grid_problem(width: usize, height: usize) -> Option<String> {
        let is_bad = |side| side % 2 == 0 || side < 3;
        (is_bad(width) || is_bad(height)).then(|| {
            format!(
                "its grid has {width} by {height} control points, but both numbers must be odd and at least 3; left out"
            )
        })
    }
}

/// Whether a point is in the world, and so all of its numbers are finite.
pub(crate) fn is_in_world(point: &[f32; 3]) -> bool {
    let limit = onion_format::WORLD_LIMIT as f32;
    point.iter().all(|component| component.abs() <= limit)
}

/// An oddity that was worked around.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Warning {
    /// The place: a brush, surface, entity or lump.
    pub place: String,
    /// The oddity, and how it was handled.
    pub message: String,
}

impl Warning {
    /// Creates a warning about a place.
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            message: message.into(),
        }
    }
}
