//! Stage 3, union, makes the outer skin of the union of a hull's expanded brushes (Golodetz, section 3; Carmack's CSG
//! of faces). Each face loses the parts that lie inside other brushes of its hull. Of coplanar faces that face the same
//! way, the face of the lowest-numbered brush stays. Faces that touch back to back both vanish, so that the seam
//! between touching brushes is solid.

use onion_geometry::relation::{Relation, relation};
use onion_geometry::winding::{Corner, PlaneSide};
use onion_geometry::{Bounds, Cell, PlaneId, PlaneSet, Winding, subtract};
use rayon::prelude::*;

use crate::expand::{HullBrush, HullSolid, ModelCells, ModelSolids};
use crate::id::{HullIndex, Owner};

/// A piece of the outer skin of a hull's solid; solid behind it, empty in front of it.
#[derive(Clone, Debug)]
pub struct Face {
    /// The hull and the brush that the piece comes from.
    pub owner: Owner,
    /// The piece.
    pub winding: Winding,
}

/// Returns the skins of all hulls of each model, in the order of hulls and brushes. Drops the volumes of brushes.
pub fn unite(models: &[ModelSolids], cells: Vec<ModelCells>, planes: &PlaneSet) -> Vec<Vec<Face>> {
    let skins = models.par_iter().zip(cells);
    let skins = skins.map(|(solids, cells)| skin(solids, cells, planes));
    skins.collect()
}

/// Returns the skins of all hulls of a model, in the order of hulls and brushes.
pub fn skin(solids: &ModelSolids, cells: ModelCells, planes: &PlaneSet) -> Vec<Face> {
    let solids = solids.par_iter().zip(cells).enumerate();
    let skins = solids
        .flat_map(|(hull, (solid, cells))| skin_of(HullIndex::new(hull), solid, cells, planes));
    skins.collect()
}

/// Returns the skin of one hull of a model, in the order of brushes.
pub fn skin_of(
    hull: HullIndex,
    solid: &HullSolid,
    cells: Vec<Cell>,
    planes: &PlaneSet,
) -> Vec<Face> {
    let brushes = solid.brushes.par_iter().zip(cells).enumerate();
    let faces = brushes.flat_map_iter(|(number, (brush, cell))| {
        let owner = Owner {
            hull,
            brush: brush.brush,
        };
        let skin = outer_skin(planes, solid, number, &cell);
        skin.into_iter().map(move |winding| Face { owner, winding })
    });
    faces.collect()
}

/// Returns the parts of a brush's faces that lie on the outside of the union.
fn outer_skin(planes: &PlaneSet, solid: &HullSolid, number: usize, cell: &Cell) -> Vec<Winding> {
    let mut others = solid.index.touching(&solid.brushes[number].bounds);
    others.retain(|&other| other as usize != number);
    // Large brushes first: they most often swallow a face whole, before it is cut to pieces.
    let volume = |&other: &u32| solid.brushes[other as usize].bounds.volume();
    others.sort_by(|a, b| volume(b).total_cmp(&volume(a)).then(a.cmp(b)));
    let mut skin = Vec::new();
    for face in cell.windings() {
        let whole = Piece::new(face);
        let bounds = whole.bounds;
        let mut pieces = vec![whole];
        let mut next = Vec::new();
        for &other in &others {
            let cutter = &solid.brushes[other as usize];
            if cutter.bounds.touches(&bounds) {
                let keeps_shared = number < other as usize;
                for piece in pieces.drain(..) {
                    if cutter.bounds.touches(&piece.bounds) {
                        subtract_brush(planes, piece, cutter, keeps_shared, &mut next);
                    } else {
                        next.push(piece);
                    }
                }
                std::mem::swap(&mut pieces, &mut next);
            }
            if pieces.is_empty() {
                break;
            }
        }
        skin.extend(pieces.into_iter().map(|piece| piece.winding));
    }
    skin
}

/// A piece of a face, with its box.
struct Piece {
    winding: Winding,
    /// Box around it, in units.
    bounds: Bounds,
}

impl Piece {
    fn new(winding: Winding) -> Self {
        let bounds = winding.bounds();
        Self { winding, bounds }
    }
}

/// Subtracts a brush from a piece, and adds the remainder to `parts`. A piece in a face of the brush that faces the
/// same way remains if `keeps_shared`.
fn subtract_brush(
    planes: &PlaneSet,
    piece: Piece,
    brush: &HullBrush,
    keeps_shared: bool,
    parts: &mut Vec<Piece>,
) {
    let faces_alike = |plane| {
        let [own, other] = [piece.winding.plane, plane].map(|plane| planes[plane].normal);
        own.dot(other) > 0.0
    };
    let side = |plane| match piece.winding.side(planes, plane) {
        PlaneSide::On if keeps_shared && faces_alike(plane) => PlaneSide::Front,
        PlaneSide::On => PlaneSide::Back,
        side => side,
    };
    // Finds the planes that pass through the whole piece first, so that a piece outside of the brush is not split.
    let mut through = match relation(planes, &piece.bounds, &brush.planes, side) {
        Relation::Apart => return parts.push(piece),
        Relation::Inside => return,
        Relation::Near(through) => through,
    };
    thinnest_first(planes, &piece.winding, &mut through);
    let remainder = subtract(piece.winding, through, |rest, plane| {
        let split = rest.split(planes, plane);
        split.expect("a plane that passes through the piece does not contain a part of it")
    });
    parts.extend(remainder.into_iter().map(Piece::new));
}

/// Sorts planes by the depth of a winding behind them, the least first. The first plane then cuts off a large part, and
/// some of the others no longer pass through the rest: unsorted, up to twice the number of pieces comes out.
fn thinnest_first(planes: &PlaneSet, winding: &Winding, through: &mut [PlaneId]) {
    let depth = |plane: &PlaneId| {
        let entry = &planes[*plane];
        let behind = |corner: &Corner| entry.dist - entry.normal.dot(corner.position);
        winding.corners.iter().map(behind).fold(0.0, f64::max)
    };
    through.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
}
