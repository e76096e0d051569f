//! Stage 2, expand: brushes and hulls in, for each hull the brushes that block it, each grown to
//! its Minkowski sum with the reflected box, out: exact up to the plane grid and never smaller. The
//! brush's own planes and its bevels are moved outward by the box's support; whole numbers
//! throughout, so parallel skins stay parallel and floors of hulls with the same feet coincide.

use glam::DVec3;
use rayon::prelude::*;

use crate::bevel::bevels;
use crate::brush::{Brush, ModelBrushes};
use crate::geometry::{Bounds, Cell, Plane, PlaneId, PlaneSet};
use crate::hull::HullSpec;
use crate::spatial::SpatialIndex;

/// A brush expanded for a hull.
#[derive(Clone, Debug)]
pub struct HullBrush {
    /// Number of the brush in its model.
    pub brush: u32,
    /// Its volume.
    pub cell: Cell,
    /// Box around the volume.
    pub bounds: Bounds,
}

/// Everything that is solid for one hull in one model.
#[derive(Clone, Debug)]
pub struct HullSolid {
    /// The expanded brushes, in the order of the model's brushes.
    pub brushes: Vec<HullBrush>,
    /// Finds brushes by place.
    pub index: SpatialIndex,
}

/// The solids of a model, one for each hull.
pub type ModelSolids = Vec<HullSolid>;

/// Expands the brushes of every model for every hull. New planes go into the set in the order of
/// models, hulls and brushes, whatever the number of threads.
pub fn expand(models: &[ModelBrushes], hulls: &[HullSpec], set: &mut PlaneSet) -> Vec<ModelSolids> {
    models
        .iter()
        .map(|brushes| {
            hulls
                .iter()
                .map(|hull| expand_model(brushes, hull, set))
                .collect()
        })
        .collect()
}

fn expand_model(brushes: &ModelBrushes, hull: &HullSpec, set: &mut PlaneSet) -> HullSolid {
    let blocking: Vec<(u32, &Brush)> = (0..)
        .zip(brushes)
        .filter(|(_, brush)| brush.contents & hull.contents != 0)
        .collect();
    let planes: Vec<Vec<Plane>> = blocking
        .par_iter()
        .map(|(_, brush)| expanded_planes(set, &brush.cell, hull))
        .collect();
    let ids: Vec<Vec<PlaneId>> = planes
        .into_iter()
        .map(|planes| planes.into_iter().map(|plane| set.insert(plane)).collect())
        .collect();
    let set = &*set;
    let brushes: Vec<HullBrush> = blocking
        .par_iter()
        .zip(&ids)
        .map(|(&(number, brush), planes)| expanded_brush(set, number, brush, planes))
        .collect();
    let index = SpatialIndex::new(brushes.iter().map(|brush| brush.bounds));
    HullSolid { brushes, index }
}

/// The planes of a Minkowski sum, the six axial ones first in the order of [`Cell::from_planes`];
/// none for a point at its own origin, whose sum is the brush itself.
fn expanded_planes(set: &PlaneSet, cell: &Cell, hull: &HullSpec) -> Vec<Plane> {
    if hull.is_point() && hull.mins == [0.0; 3] {
        return Vec::new();
    }
    let own = cell.planes().map(|plane| set[plane].plane);
    let along = [0, 1, 2].map(|axis| hull.extent(axis) > 0.0);
    let planes = bevels(set, cell, along).into_iter().chain(own);
    planes
        .map(|plane| Plane {
            dist: plane.dist + hull.support(&plane.normal),
            ..plane
        })
        .collect()
}

fn expanded_brush(set: &PlaneSet, number: u32, brush: &Brush, planes: &[PlaneId]) -> HullBrush {
    let cell = match planes.first_chunk() {
        Some(&axial) => Cell::from_planes(set, axial, planes[6..].iter().copied()),
        None => Some(brush.cell.clone()),
    };
    let Some(cell) = cell else {
        unreachable!("an expanded brush holds the brush");
    };
    HullBrush {
        brush: number,
        bounds: cell.bounds(),
        cell,
    }
}

/// Whole-numbered box around all expanded brushes of a model with at least one unit to spare: what the
/// model's trees divide.
pub fn roomy_bounds(solids: &ModelSolids) -> Bounds {
    let brushes = solids.iter().flat_map(|solid| &solid.brushes);
    let around = brushes.fold(Bounds::NONE, |bounds, brush| bounds.union(brush.bounds));
    if around.mins.cmpgt(around.maxs).any() {
        return Bounds {
            mins: DVec3::NEG_ONE,
            maxs: DVec3::ONE,
        };
    }
    Bounds {
        mins: (around.mins - 1.0).floor(),
        maxs: (around.maxs + 1.0).ceil(),
    }
}
