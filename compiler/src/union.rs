//! Stage 3, union: the expanded brushes of a hull in, the outer skin of their union out
//! (Golodetz, section 3; Carmack's CSG of faces). Each face loses what lies inside another brush
//! of its hull. Of coplanar faces with the same facing the one of the lowest brush stays; faces
//! that touch back to back vanish both, so that the seam between touching brushes is solid.

use rayon::prelude::*;

use crate::expand::{HullBrush, HullSolid, ModelSolids};
use crate::geometry::winding::Division;
use crate::geometry::{Location, PlaneSet, Winding};

/// A piece of the outer skin of a hull's solid; solid behind it, empty in front of it.
#[derive(Clone, Debug)]
pub struct Face {
    /// Number of the hull.
    pub hull: u8,
    /// Number of the brush in its model.
    pub brush: u32,
    /// The piece.
    pub winding: Winding,
}

/// The skins of all hulls of each model, in the order of hulls and brushes.
pub fn unite(models: &[ModelSolids], set: &PlaneSet) -> Vec<Vec<Face>> {
    models
        .par_iter()
        .map(|solids| {
            let skins = solids.par_iter().enumerate().map(|(hull, solid)| {
                let brushes = solid.brushes.par_iter().enumerate();
                brushes.flat_map_iter(move |(number, brush)| {
                    let skin = outer_skin(set, solid, number, brush);
                    skin.into_iter().map(move |winding| Face {
                        hull: hull as u8,
                        brush: brush.brush,
                        winding,
                    })
                })
            });
            skins.flatten().collect()
        })
        .collect()
}

/// What of a brush's faces lies on the outside of the union.
fn outer_skin(set: &PlaneSet, solid: &HullSolid, number: usize, brush: &HullBrush) -> Vec<Winding> {
    let mut others = solid.index.touching(&brush.bounds);
    others.retain(|&other| other as usize != number);
    // Large brushes first: they most often swallow a face whole, before it is cut to pieces.
    let volume = |&other: &u32| solid.brushes[other as usize].bounds.volume();
    others.sort_by(|a, b| volume(b).total_cmp(&volume(a)).then(a.cmp(b)));
    let mut skin = Vec::new();
    for face in brush.cell.windings() {
        let bounds = face.bounds();
        let mut pieces = vec![face];
        for &other in &others {
            let cutter = &solid.brushes[other as usize];
            if cutter.bounds.touches(&bounds) {
                let keeps_shared = number < other as usize;
                pieces = pieces
                    .into_iter()
                    .flat_map(|piece| outside(set, piece, cutter, keeps_shared))
                    .collect();
            }
            if pieces.is_empty() {
                break;
            }
        }
        skin.append(&mut pieces);
    }
    skin
}

/// The pieces of a winding outside of a brush. A winding in a face of the brush that faces the
/// same way counts as outside if `keeps_shared`.
fn outside(
    set: &PlaneSet,
    winding: Winding,
    brush: &HullBrush,
    keeps_shared: bool,
) -> Vec<Winding> {
    let bounds = winding.bounds();
    let mut near = Vec::new();
    for plane in brush.cell.planes() {
        match bounds.locate(&set[plane]) {
            Some(Location::Front) => return vec![winding],
            Some(_) => {}
            None => near.push(plane),
        }
    }
    let mut pieces = Vec::new();
    let mut inside = winding.clone();
    for plane in near {
        match inside.divide(set, plane) {
            Division::Back => {}
            Division::Front => return vec![winding],
            Division::On => {
                let [own, other] = [winding.plane, plane].map(|plane| set[plane].normal);
                if own.dot(other) > 0.0 && keeps_shared {
                    return vec![winding];
                }
            }
            Division::Both(front, back) => {
                pieces.push(front);
                inside = back;
            }
        }
    }
    pieces
}
