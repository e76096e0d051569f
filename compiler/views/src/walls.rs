//! Walls are the map's own brushes for pictures, pages and exports: convex solids with the corners of their faces, at
//! the positions that the map's entities give them. They come from a file that contains the shapes of its brushes, or
//! from the map. They are rounded, so they serve display only.

use glam::DVec3;
use onion_compiler::brush::{self, BrushSource};
use onion_compiler::error::CompileError;
use onion_format::WORLD_LIMIT;
use onion_geometry::grid::{DIST_ONE, NORMAL_ONE};
use onion_geometry::{Bounds, Cell, ExactPlane, PlaneSet};
use onion_maps::Map;
use onion_maps::contents::Contents;
use onion_runtime::{OnionMap, inspect};

use crate::boxes;

/// A brush, or a piece of a patch.
#[derive(Clone, Debug)]
pub struct Wall {
    /// The brush or patch that it comes from.
    pub source: BrushSource,
    /// Number of its model; 0 is the world.
    pub model: usize,
    /// Its contents.
    pub contents: Contents,
    /// Its faces.
    pub faces: Vec<WallFace>,
    /// Box around it.
    pub bounds: Bounds,
}

/// A face of a wall.
#[derive(Clone, Debug)]
pub struct WallFace {
    /// Unit normal, facing outward.
    pub normal: DVec3,
    /// Distance from the origin along the normal, in units.
    pub dist: f64,
    /// Its corners, counterclockwise seen from outside.
    pub corners: Vec<DVec3>,
    /// Name of its texture or shader.
    pub surface: String,
}

/// Returns the walls of a file that stop any of its hulls; empty if it was compiled without `--brushes`.
pub fn of_file<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Vec<Wall> {
    let file = map.inspect();
    let mut planes = PlaneSet::default();
    let brushes = file.brushes().filter(|_| map.has_brush_shapes());
    let walls = brushes.filter_map(|brush| {
        let sides: Vec<_> = file.sides(brush.number).collect();
        let faces = sides.iter().filter(|side| !side.is_bevel);
        let named = |side| (planes.insert(exact(side)), side.surface.name());
        let faces: Vec<_> = faces.map(named).collect();
        let [mins, maxs] = [-WORLD_LIMIT, WORLD_LIMIT].map(DVec3::splat);
        let world = Bounds { mins, maxs }.insert_planes(&mut planes);
        let cell = Cell::from_planes(&planes, world, faces.iter().map(|&(plane, _)| plane))?;
        let names = cell.planes().map(|plane| {
            let face = faces.iter().find(|&&(own, _)| own == plane);
            face.map_or(String::new(), |(_, name)| (*name).to_owned())
        });
        let source = BrushSource::from(brush.source);
        let wall = wall(source, brush.model, brush.contents, &cell, names, &planes);
        Some(wall.moved(boxes::origin(map, brush.model)))
    });
    keep_blocking(map, walls.collect())
}

/// Returns the walls of a map that stop any of a file's hulls.
///
/// # Errors
/// The map's patches need too many pieces.
pub fn of_map<D: AsRef<[u8]>>(file: &OnionMap<D>, map: &Map) -> Result<Vec<Wall>, CompileError> {
    let mut planes = PlaneSet::default();
    let patch_error = file.inspect().info().patch_error;
    let models = brush::build(map, patch_error, &mut planes, &mut Vec::new())?;
    let walls = models.iter().enumerate().flat_map(|(model, brushes)| {
        let origin = boxes::vector(map.models[model].origin);
        let planes = &planes;
        brushes.iter().map(move |brush| {
            let names = brush.faces.iter().map(|face| {
                let surface = map.surfaces.get(face.surface as usize);
                let name = surface.map_or(&[][..], |surface| &surface.name);
                String::from_utf8_lossy(name).into_owned()
            });
            let contents = brush.contents;
            let wall = wall(brush.source, model, contents, &brush.cell, names, planes);
            wall.moved(origin)
        })
    });
    Ok(keep_blocking(file, walls.collect()))
}

/// Returns the plane of a side, which the file stores exactly.
fn exact(side: &inspect::Side<'_>) -> ExactPlane {
    let normal = side.normal.map(|x| (x * NORMAL_ONE as f64) as i64);
    ExactPlane {
        normal: normal.into(),
        dist: (side.dist * DIST_ONE as f64) as i64,
    }
}

/// Makes the wall of a volume, with a name for each of its faces.
pub(crate) fn wall(
    source: BrushSource,
    model: usize,
    contents: Contents,
    cell: &Cell,
    names: impl Iterator<Item = String>,
    planes: &PlaneSet,
) -> Wall {
    let faces = cell.planes().zip(cell.face_positions()).zip(names);
    let faces = faces.map(|((plane, corners), surface)| WallFace {
        normal: planes[plane].normal,
        dist: planes[plane].dist,
        corners,
        surface,
    });
    Wall {
        source,
        model,
        contents,
        faces: faces.collect(),
        bounds: cell.bounds(),
    }
}

/// Drops the walls that block no hull of the file.
fn keep_blocking<D: AsRef<[u8]>>(map: &OnionMap<D>, mut walls: Vec<Wall>) -> Vec<Wall> {
    let blocking = map.hulls().fold(0, |bits, hull| bits | hull.contents);
    walls.retain(|wall| wall.contents & blocking != 0);
    walls
}

impl Wall {
    /// Returns the wall moved from the place of its model to the world.
    fn moved(mut self, by: DVec3) -> Self {
        if by == DVec3::ZERO {
            return self;
        }
        for face in &mut self.faces {
            face.dist += face.normal.dot(by);
            face.corners.iter_mut().for_each(|corner| *corner += by);
        }
        self.bounds = boxes::moved(self.bounds, by);
        self
    }

    /// Returns the part of a segment that is inside, as fractions of it, or `None` if no part is.
    pub fn inside(&self, start: DVec3, end: DVec3) -> Option<[f64; 2]> {
        let mut part = [0.0f64, 1.0f64];
        for face in &self.faces {
            let [from, to] = [start, end].map(|at| face.normal.dot(at) - face.dist);
            if from > 0.0 && to > 0.0 {
                return None;
            }
            let crossing = from / (from - to);
            if from > 0.0 {
                part[0] = part[0].max(crossing);
            } else if to > 0.0 {
                part[1] = part[1].min(crossing);
            }
        }
        (part[0] < part[1]).then_some(part)
    }
}
