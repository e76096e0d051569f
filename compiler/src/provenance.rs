//! Stage 9, provenance, lists what a game is told about a hit: the surfaces in use, the brushes with their
//! sides and bevels, and for every node the sides whose expanded faces lie in its plane and cell, so that the
//! right one can be named where several share a plane. A bevel is named after the face it belongs to: of the
//! faces that meet in the edge or corner it touches, the one whose normal is nearest to its own.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use onion_format::{MAX_SURFACE_NAME, SurfaceRecord};

use crate::bevel::bevels;
use crate::brush::{Brush, FaceSide, ModelBrushes};
use crate::bsp::{ModelTree, Tree};
use crate::geometry::plane::PlaneEntry;
use crate::geometry::{Bounds, Cell, Plane, PlaneId, PlaneSet};
use crate::hull::HullSpec;
use crate::id::Owner;
use crate::map::{Map, Surface};
use crate::options::CompileOptions;
use crate::tolerance::{AS_NEAR, ON_BEVEL, SLIVER, TILT};

/// A side of a brush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Its plane, facing outward.
    pub plane: PlaneId,
    /// What the map says of it, or of the face that a bevel belongs to; `surface` counts the surfaces in
    /// use.
    pub face: FaceSide,
}

/// The sides of a brush: its faces, in the order of its cell's, then its bevels.
#[derive(Clone, Debug)]
pub struct BrushSides {
    /// The number of its first side.
    pub first: u32,
    /// Faces and bevels.
    pub sides: Vec<Side>,
}

/// All brushes with their sides.
#[derive(Clone, Debug, Default)]
pub struct BrushTable {
    /// The surfaces in use, in the order of their first use.
    pub surfaces: Vec<SurfaceRecord>,
    /// The sides of the brushes of each model.
    pub models: Vec<Vec<BrushSides>>,
}

/// Hit data: what a game is told about a hit.
#[derive(Clone, Debug)]
pub struct Hits {
    /// The sides of all brushes.
    pub table: BrushTable,
    /// For each node of all trees, in pre-order, the numbers of the sides that have a face there; none if
    /// the file is not to name hits.
    pub faces: Option<Vec<Vec<u32>>>,
}

/// Lists the sides of all brushes, and the nodes where they have faces; none if the file is to tell of
/// neither.
pub fn hits(
    map: &Map,
    options: &CompileOptions,
    models: &[ModelBrushes],
    trees: &[ModelTree],
    planes: &mut PlaneSet,
) -> Option<Hits> {
    if !options.surfaces && !options.brushes {
        return None;
    }
    let table = sides(map, models, planes);
    let faces = options
        .surfaces
        .then(|| faces(trees, &table, &options.hulls, planes));
    Some(Hits { table, faces })
}

/// Lists the sides of all brushes. New planes go into the set in their order.
pub fn sides(map: &Map, models: &[ModelBrushes], planes: &mut PlaneSet) -> BrushTable {
    let mut surfaces = IndexMap::new();
    let mut first = 0;
    let models = models.iter().map(|brushes| {
        let brushes = brushes.iter().map(|brush| {
            let sides = brush_sides(brush, &mut surfaces, planes);
            let brush = BrushSides { first, sides };
            first += brush.sides.len() as u32;
            brush
        });
        brushes.collect()
    });
    let models = models.collect();
    let used = surfaces
        .keys()
        .map(|&surface: &u32| &map.surfaces[surface as usize]);
    BrushTable {
        surfaces: used.map(surface_record).collect(),
        models,
    }
}

fn surface_record(surface: &Surface) -> SurfaceRecord {
    let mut name = [0; MAX_SURFACE_NAME];
    let length = surface.name.len().min(MAX_SURFACE_NAME);
    name[..length].copy_from_slice(&surface.name[..length]);
    SurfaceRecord {
        name,
        flags: surface.flags,
        contents: surface.contents,
    }
}

fn brush_sides(
    brush: &Brush,
    surfaces: &mut IndexMap<u32, ()>,
    planes: &mut PlaneSet,
) -> Vec<Side> {
    let mut sides = Vec::new();
    for (plane, &face) in brush.cell.planes().zip(&brush.faces) {
        let surface = surfaces.insert_full(face.surface, ()).0 as u32;
        let face = FaceSide { surface, ..face };
        sides.push(Side { plane, face });
    }
    for bevel in bevels(planes, &brush.cell, [true; 3]) {
        let plane = planes.insert(bevel);
        if sides.iter().all(|side| side.plane != plane) {
            let face = sides[face_of_bevel(brush, &planes[plane], planes)].face;
            sides.push(Side { plane, face });
        }
    }
    sides
}

/// Number of the face that a bevel belongs to: of those that have most of what it touches, the nearest.
fn face_of_bevel(brush: &Brush, bevel: &PlaneEntry, planes: &PlaneSet) -> usize {
    let cell = &brush.cell;
    let sizes: Vec<_> = touched_sizes(cell, bevel).collect();
    let most = sizes.iter().flatten().copied().fold(0.0, f64::max);
    let least = if most < SLIVER { 0.0 } else { most / 2.0 };
    let faces = cell.planes().zip(sizes).enumerate();
    let near = faces.filter_map(|(number, (plane, size))| {
        let cosine = planes[plane].normal.dot(bevel.normal);
        let side = brush.faces[number].number;
        (size? >= least).then_some((number, side, cosine))
    });
    let nearest = near.reduce(|best, next| {
        let nearer = next.2 - best.2;
        if nearer > AS_NEAR || (nearer > -AS_NEAR && next.1 < best.1) {
            next
        } else {
            best
        }
    });
    match nearest {
        Some((number, ..)) => number,
        None => unreachable!("a bevel touches its brush"),
    }
}

/// For each face of a cell, how much of what a bevel touches it has: where an edge is touched, its faces
/// have all of it, those at its ends a corner. Nothing for faces that are not touched.
fn touched_sizes(cell: &Cell, bevel: &PlaneEntry) -> impl Iterator<Item = Option<f64>> {
    let Bounds { mins, maxs } = cell.bounds();
    let slack = ON_BEVEL + TILT * (maxs - mins).element_sum();
    cell.face_corners().map(move |corners| {
        let corners = corners
            .iter()
            .map(|&corner| &cell.vertices()[corner as usize]);
        let at = corners.map(|vertex| vertex.position);
        let touched = at.filter(|&at| bevel.normal.dot(at) - bevel.dist > -slack);
        let around = touched.fold(Bounds::NONE, |around, at| {
            around.union(Bounds { mins: at, maxs: at })
        });
        let size = (around.maxs - around.mins).element_sum();
        (size >= 0.0).then_some(size)
    })
}

/// For each node of some trees, in pre-order, the numbers of the sides that have a face there.
fn faces(
    trees: &[ModelTree],
    table: &BrushTable,
    hulls: &[HullSpec],
    planes: &PlaneSet,
) -> Vec<Vec<u32>> {
    let mut faces = Vec::new();
    for tree in trees {
        let finder = SideFinder {
            brushes: &table.models[tree.model.index()],
            hulls,
            planes,
        };
        finder.add_faces(&tree.tree, &mut faces);
    }
    faces
}

/// Finds the side of a brush that a hull's face belongs to.
struct SideFinder<'a> {
    brushes: &'a [BrushSides],
    hulls: &'a [HullSpec],
    planes: &'a PlaneSet,
}

impl SideFinder<'_> {
    fn add_faces(&self, tree: &Tree, faces: &mut Vec<Vec<u32>>) {
        let Tree::Node {
            plane,
            owners,
            children,
            ..
        } = tree
        else {
            return;
        };
        let sides = owners.iter().map(|owner| self.side(owner, *plane));
        let sides: BTreeSet<u32> = sides.collect();
        faces.push(sides.into_iter().collect());
        for child in &**children {
            self.add_faces(child, faces);
        }
    }

    /// The side whose plane, moved outward by the hull's support, is that of a node.
    fn side(&self, owner: &Owner, plane: PlaneId) -> u32 {
        let brush = &self.brushes[owner.brush.index()];
        let hull = &self.hulls[owner.hull.index()];
        let node = self.planes[plane].plane;
        let expanded = |side: &Side| {
            let plane = self.planes[side.plane].plane;
            let dist = plane.dist + hull.support(&plane.normal);
            Plane { dist, ..plane }
        };
        let lies_there = |side: &Side| [node, node.flipped()].contains(&expanded(side));
        match brush.sides.iter().position(lies_there) {
            Some(number) => brush.first + number as u32,
            None => unreachable!("a face comes from a side of its brush"),
        }
    }
}
