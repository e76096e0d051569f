//! Stage 1, brush, turns the brushes and patches of a map into exact convex solids. Redundant sides, such as the
//! file's bevels, have no face and are dropped here. A brush that has no volume, or that its sides do not close, is
//! left out with a warning. No brush is left out for being small, because once expanded, even a tiny brush is an
//! obstacle of the hull's full size.

pub mod bevel;

use std::collections::HashSet;

use glam::DVec3;
use onion_format::WORLD_LIMIT;
use onion_geometry::polygon::{split, square};
use onion_geometry::{Bounds, Cell, ExactPlane, PlaneId, PlaneSet};
use onion_maps::contents::Contents;
use onion_maps::{Halfspace, Map, MapSide, Patch, Warning, patch};
use onion_runtime::inspect;
use rayon::prelude::*;

use crate::error::CompileError;

/// The origin of a brush in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BrushSource {
    /// A brush of the map, by its number in the file.
    Brush(usize),
    /// A piece of a patch, by the number of its surface in the file.
    Patch(usize),
}

impl From<inspect::Source> for BrushSource {
    fn from(source: inspect::Source) -> Self {
        match source {
            inspect::Source::Brush(number) => Self::Brush(number as usize),
            inspect::Source::Patch(number) => Self::Patch(number as usize),
        }
    }
}

/// A convex solid of the map.
#[derive(Clone, Debug)]
pub struct SolidBrush {
    /// The origin of the brush in the map.
    pub source: BrushSource,
    /// The contents of the brush.
    pub contents: Contents,
    /// Its volume; the faces are its sides.
    pub cell: Cell,
    /// The map's data about each face, in the order of the cell's faces.
    pub faces: Vec<FaceSide>,
}

/// The map's data about a face of a brush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceSide {
    /// Number of the first side in its plane, in the brush; 0 for a piece of a patch.
    pub number: u32,
    /// Number of its surface in the map.
    pub surface: u32,
}

/// The brushes of one model.
pub type ModelBrushes = Vec<SolidBrush>;

/// A brush whose planes are known and whose volume is not.
struct OpenBrush {
    source: BrushSource,
    contents: Contents,
    sides: Vec<(PlaneId, FaceSide)>,
}

/// The reason to leave out a brush that is farther from the origin than the world reaches.
const OUTSIDE: &str = "it lies outside of the world, which ends 65536 units from the origin on each axis: move the map nearer to \
                       the origin, or scale it down";
const _: () = assert!(WORLD_LIMIT == 65536.0);

/// The most pieces that may stand for the patches of a map of any size: several times the number that the most curved
/// real maps need, few enough to compile in a minute.
const MAX_PIECES: usize = 1 << 15;

/// The most pieces for each patch of a larger map; the most curved real maps need 30.
const MAX_PIECES_PER_PATCH: usize = 64;

/// Makes the brushes of every model. `patch_error` is the most distance between a patch's surface and its pieces, in
/// units. Warnings are added to `warnings`.
///
/// # Errors
/// The patches need too many pieces.
pub fn build(
    map: &Map,
    patch_error: f32,
    planes: &mut PlaneSet,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<ModelBrushes>, CompileError> {
    let world = world_box(planes);
    let n_patches: usize = map.models.iter().map(|model| model.patches.len()).sum();
    let limit = MAX_PIECES.max(n_patches.saturating_mul(MAX_PIECES_PER_PATCH));
    let mut budget = PieceBudget { left: limit, limit };
    let models: Vec<Vec<OpenBrush>> = (0..map.models.len())
        .map(|model| model_planes(map, model, patch_error, &mut budget, planes, warnings))
        .collect::<Result<_, _>>()?;
    let planes = &*planes;
    let close_all = |brushes: Vec<OpenBrush>| {
        let brushes = brushes.into_par_iter();
        brushes.map(|brush| close(planes, world, brush)).collect()
    };
    let built: Vec<Vec<_>> = models.into_par_iter().map(close_all).collect();
    let keep = |results: Vec<Result<SolidBrush, Option<Warning>>>| {
        let brushes = results
            .into_iter()
            .filter_map(|result| result.map_err(|warning| warnings.extend(warning)).ok());
        brushes.collect()
    };
    Ok(built.into_iter().map(keep).collect())
}

/// The number of pieces that patches may still have.
struct PieceBudget {
    left: usize,
    limit: usize,
}

impl PieceBudget {
    /// Returns the pieces of a patch, which is not divided farther than the rest of the budget allows.
    fn pieces(&mut self, patch: &Patch, error: f32) -> Result<Vec<Vec<ExactPlane>>, CompileError> {
        let limit = self.limit;
        let too_many = CompileError::TooManyPieces { limit };
        let Some(pieces) = patch::pieces(patch, f64::from(error), self.left) else {
            return Err(too_many);
        };
        self.left = self.left.checked_sub(pieces.len()).ok_or(too_many)?;
        Ok(pieces)
    }
}

/// Adds to the set the six planes, facing outward, of the box around everything that a map may hold.
fn world_box(planes: &mut PlaneSet) -> [PlaneId; 6] {
    let limit = DVec3::splat(WORLD_LIMIT);
    let bounds = Bounds {
        mins: -limit,
        maxs: limit,
    };
    bounds.insert_planes(planes)
}

fn model_planes(
    map: &Map,
    model: usize,
    patch_error: f32,
    budget: &mut PieceBudget,
    planes: &mut PlaneSet,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<OpenBrush>, CompileError> {
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    for brush in &map.models[model].brushes {
        let source = BrushSource::Brush(brush.number);
        match brush_planes(&brush.sides, planes) {
            Some(sides) => all.push(OpenBrush {
                source,
                contents: brush.contents,
                sides,
            }),
            None => warnings.push(left_out(source, OUTSIDE)),
        }
    }
    for patch in &map.models[model].patches {
        if let Some(reason) = left_out_patch(patch) {
            let place = BrushSource::Patch(patch.number).to_string();
            warnings.push(Warning::new(place, format!("{reason}; left out")));
            continue;
        }
        for piece in budget.pieces(patch, patch_error)? {
            let piece = patch_piece(patch, piece, planes);
            // A repeated piece, as where two patches coincide, would only cost time.
            let ids: Vec<_> = piece.sides.iter().map(|&(plane, _)| plane).collect();
            if seen.insert((patch.contents, ids)) {
                all.push(piece);
            }
        }
    }
    Ok(all)
}

/// Returns the reason why a patch is left out, or `None` if it is not.
pub fn left_out_patch(patch: &Patch) -> Option<&'static str> {
    /// The distance that pieces reach beyond their patch is less than this, in units.
    const BEYOND: f32 = 64.0;
    let limit = WORLD_LIMIT as f32 - BEYOND;
    let coordinates = patch.points.as_flattened();
    if !coordinates.iter().all(|units| units.abs() < limit) {
        return Some(OUTSIDE);
    }
    patch::is_thin(patch).then_some("it has no area")
}

fn patch_piece(patch: &Patch, piece: Vec<ExactPlane>, planes: &mut PlaneSet) -> OpenBrush {
    let side = FaceSide {
        number: 0,
        surface: patch.surface,
    };
    let sides = piece.into_iter().map(|plane| (planes.insert(plane), side));
    OpenBrush {
        source: BrushSource::Patch(patch.number),
        contents: patch.contents,
        sides: sides.collect(),
    }
}

/// Adds the planes of a brush to the set, or returns `None` if one of them leaves nothing of the world behind it. A
/// plane too far away to cut the world is left out.
fn brush_planes(sides: &[MapSide], planes: &mut PlaneSet) -> Option<Vec<(PlaneId, FaceSide)>> {
    let mut found = Vec::with_capacity(sides.len());
    for (number, side) in (0..).zip(sides) {
        let surface = side.surface;
        match side.halfspace {
            Halfspace::Behind(plane) => {
                found.push((planes.insert(plane), FaceSide { number, surface }));
            }
            Halfspace::World => {}
            Halfspace::Nothing => return None,
        }
    }
    Some(found)
}

/// Returns a brush with its volume, or a warning with the reason why it is left out. A piece of a patch gets no
/// warning, because `coverage.rs` finds out whether it is missed.
fn close(
    planes: &PlaneSet,
    world: [PlaneId; 6],
    brush: OpenBrush,
) -> Result<SolidBrush, Option<Warning>> {
    let ids = brush.sides.iter().map(|&(plane, _)| plane);
    let cell = Cell::from_planes(planes, world, ids);
    let is_closed = |cell: &Cell| !cell.planes().any(|plane| world.contains(&plane));
    let Some(cell) = cell.filter(is_closed) else {
        let is_brush = matches!(brush.source, BrushSource::Brush(_));
        return Err(is_brush.then(|| not_closed(planes, world, &brush)));
    };
    let side_in = |face| brush.sides.iter().find(|&&(plane, _)| plane == face);
    let faces = cell.planes().map(|face| match side_in(face) {
        Some(&(_, side)) => side,
        None => unreachable!("a face lies in the plane of a side"),
    });
    Ok(SolidBrush {
        source: brush.source,
        contents: brush.contents,
        faces: faces.collect(),
        cell,
    })
}

/// Returns a warning with the reason why the sides of a brush do not close a volume in the world.
fn not_closed(planes: &PlaneSet, world: [PlaneId; 6], brush: &OpenBrush) -> Warning {
    let ids = brush.sides.iter().map(|&(plane, _)| plane);
    let reason = match Cell::from_planes(planes, world, ids) {
        Some(_) => &format!("its sides do not close within {WORLD_LIMIT} units of the origin"),
        None if encloses_volume(planes, brush) => OUTSIDE,
        None => "its sides enclose no volume",
    };
    left_out(brush.source, reason)
}

/// Whether the sides of a brush enclose a volume anywhere. It uses rounded positions, because only the text of a
/// message depends on it.
fn encloses_volume(planes: &PlaneSet, brush: &OpenBrush) -> bool {
    let sides: Vec<_> = brush.sides.iter().map(|&(id, _)| &planes[id]).collect();
    sides.iter().any(|side| {
        let whole = square(side.normal, side.dist, 8.0 * WORLD_LIMIT);
        let mut others = sides.iter().filter(|other| !std::ptr::eq(**other, *side));
        let left = others.try_fold(whole, |corners, other| {
            let [_, behind] = split(corners, other.normal, other.dist);
            behind
        });
        left.is_some()
    })
}

fn left_out(source: BrushSource, reason: &str) -> Warning {
    Warning::new(source.to_string(), format!("{reason}; left out"))
}

impl std::fmt::Display for BrushSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Brush(number) => write!(f, "brush {number}"),
            Self::Patch(number) => write!(f, "patch surface {number}"),
        }
    }
}
