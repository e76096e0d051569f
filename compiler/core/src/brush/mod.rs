//! Stage 1, brush, turns the brushes and patches of a map into exact convex solids. Redundant sides, such as the
//! file's bevels, have no face and are dropped here. A brush that has no volume, or that its sides do not close, is
//! left out with a warning. No brush is left out for being small, because once expanded, even a tiny brush is an
//! obstacle of the hull's full size.

pub mod bevel;
pub mod patch_coverage;

use std::collections::HashSet;

use glam::DVec3;
use onion_format::WORLD_LIMIT;
use onion_geometry::plane::PlaneEntry;
use onion_geometry::polygon::{split, square};
use onion_geometry::{Bounds, Cell, ExactPlane, PlaneId, PlaneSet};
use onion_maps::contents::Contents;
use onion_maps::{Halfspace, Map, MapModel, MapSide, Patch, Warning, patch};
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
    /// The brush or patch of the map.
    source: BrushSource,
    /// Its contents, as bits.
    contents: Contents,
    /// Its planes, facing outward, each with the side of the map that it comes from.
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

/// Makes the brushes of every model. `patch_error` is the greatest distance between a patch's surface and its pieces,
/// in units. Warnings are added to `warnings`.
///
/// # Errors
/// The patches need too many pieces.
pub fn build(
    map: &Map,
    patch_error: f32,
    planes: &mut PlaneSet,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<ModelBrushes>, CompileError> {
    let [mins, maxs] = [-WORLD_LIMIT, WORLD_LIMIT].map(DVec3::splat);
    let world = Bounds { mins, maxs }.insert_planes(planes);
    let n_patches: usize = map.models.iter().map(|model| model.patches.len()).sum();
    let limit = MAX_PIECES.max(n_patches.saturating_mul(MAX_PIECES_PER_PATCH));
    let mut left = limit;
    let mut pieces = |patch: &Patch| {
        // No patch is divided farther than the rest of the limit allows.
        let pieces = patch::pieces(patch, f64::from(patch_error), left);
        let pieces = pieces.filter(|pieces| pieces.len() <= left);
        left -= pieces.as_ref().map_or(0, Vec::len);
        pieces.ok_or(CompileError::TooManyPieces { limit })
    };
    let models = map.models.iter();
    let models = models.map(|model| open_brushes(model, &mut pieces, planes, warnings));
    let models: Vec<_> = models.collect::<Result<_, _>>()?;
    let planes = &*planes;
    let close_all = |brushes: Vec<OpenBrush>| {
        let closed = brushes.into_par_iter();
        let closed: Vec<_> = closed.map(|brush| close(planes, world, brush)).collect();
        let kept = closed
            .into_iter()
            .filter_map(|result| result.map_err(|warning| warnings.extend(warning)).ok());
        kept.collect()
    };
    Ok(models.into_iter().map(close_all).collect())
}

/// Adds the planes of a model's brushes and patches to the set; `pieces` returns the pieces of a patch.
fn open_brushes(
    model: &MapModel,
    pieces: &mut impl FnMut(&Patch) -> Result<Vec<Vec<ExactPlane>>, CompileError>,
    planes: &mut PlaneSet,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<OpenBrush>, CompileError> {
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    for brush in &model.brushes {
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
    for patch in &model.patches {
        let source = BrushSource::Patch(patch.number);
        if let Some(reason) = left_out_patch(patch) {
            warnings.push(left_out(source, reason));
            continue;
        }
        let side = FaceSide {
            number: 0,
            surface: patch.surface,
        };
        for piece in pieces(patch)? {
            let ids = piece.into_iter().map(|plane| planes.insert(plane));
            let ids: Vec<_> = ids.collect();
            let sides = ids.iter().map(|&plane| (plane, side)).collect();
            // A repeated piece, as where two patches coincide, would only cost time.
            if seen.insert((patch.contents, ids)) {
                all.push(OpenBrush {
                    source,
                    contents: patch.contents,
                    sides,
                });
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
/// warning, because `patch_coverage.rs` finds out whether it is missed.
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
    let faces = cell.planes().map(|face| {
        let side = brush.sides.iter().find(|&&(plane, _)| plane == face);
        side.expect("a face lies in the plane of a side").1
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
        let cut = |corners, other: &&PlaneEntry| split(corners, other.normal, other.dist)[1].take();
        others.try_fold(whole, cut).is_some()
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
