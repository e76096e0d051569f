//! Stage 2, expand, finds the brushes that block each hull and expands each of them to its Minkowski sum with the
//! reflected box (van Waveren, "The Quake III Arena Bot", section 6). The brush's own planes and its bevels move
//! outward by the box's support. The sum is exact up to the grid of planes, and never too small. All numbers are
//! integers, so parallel faces stay parallel, and floors of hulls with the same feet coincide.

use glam::DVec3;
use onion_geometry::plane::PlaneEntry;
use onion_geometry::spatial::SpatialIndex;
use onion_geometry::tolerance::OUTWARD_MARGIN;
use onion_geometry::{Bounds, Cell, ExactPlane, Location, PlaneId, PlaneSet};
use onion_maps::contents;
use rayon::prelude::*;

use crate::brush::bevel::bevels;
use crate::brush::{ModelBrushes, SolidBrush};
use crate::hull::HullSpec;
use crate::id::BrushId;

/// A brush expanded for a hull.
#[derive(Clone, Debug)]
pub struct HullBrush {
    /// The brush.
    pub brush: BrushId,
    /// The planes of its faces, facing outward.
    pub planes: Box<[PlaneId]>,
    /// Box around its volume.
    pub bounds: Bounds,
}

/// Everything that is solid for one hull in one model.
#[derive(Clone, Debug)]
pub struct HullSolid {
    /// The expanded brushes, in the order of the model's brushes.
    pub brushes: Vec<HullBrush>,
    /// An index that finds brushes by position.
    pub index: SpatialIndex,
    /// Box around the sky brushes, for a hull that is a point: where the sky closes the map, faces lie in it.
    sky: Bounds,
}

/// The solids of a model, one for each hull.
pub type ModelSolids = Vec<HullSolid>;

/// The volumes of a model's expanded brushes, for each hull, in the order of brushes. They take most of the memory of
/// an expansion, and only the union needs them.
pub type ModelCells = Vec<Vec<Cell>>;

/// Expands the brushes of every model for every hull. New planes enter the set in the order of models, hulls and
/// brushes, regardless of the number of threads.
pub fn expand(
    models: &[ModelBrushes],
    hulls: &[HullSpec],
    planes: &mut PlaneSet,
) -> (Vec<ModelSolids>, Vec<ModelCells>) {
    let expand = |brushes| expand_model(brushes, hulls, planes);
    models.iter().map(expand).unzip()
}

/// Expands the brushes of one model for every hull.
pub fn expand_model(
    brushes: &ModelBrushes,
    hulls: &[HullSpec],
    planes: &mut PlaneSet,
) -> (ModelSolids, ModelCells) {
    let hulls = hulls.iter();
    hulls.map(|hull| expand_for(brushes, hull, planes)).unzip()
}

/// Expands the brushes of one model for one hull.
fn expand_for(
    all: &ModelBrushes,
    hull: &HullSpec,
    planes: &mut PlaneSet,
) -> (HullSolid, Vec<Cell>) {
    let blocking = (0..).map(BrushId).zip(all);
    let blocking = blocking.filter(|(_, brush)| brush.contents & hull.contents != 0);
    let blocking: Vec<(BrushId, &SolidBrush)> = blocking.collect();
    let ids = inserted(planes, &blocking, |planes, (_, brush)| {
        expanded_planes(planes, &brush.cell, hull)
    });
    let brushes = blocking.par_iter().zip(&ids);
    let expand = |(&(id, brush), ids): (&(_, _), &Vec<_>)| expanded_brush(planes, id, brush, ids);
    let (brushes, cells): (Vec<HullBrush>, _) = brushes.map(expand).unzip();
    let index = SpatialIndex::new(brushes.iter().map(|brush| brush.bounds));
    let is_sky = |brush: &&SolidBrush| hull.is_point() && brush.contents & contents::SKY != 0;
    let sky = all.iter().filter(is_sky);
    let boxes = sky.map(|brush| expanded_bounds(brush.cell.bounds(), hull));
    let solid = HullSolid {
        brushes,
        index,
        sky: boxes.fold(Bounds::NONE, Bounds::union),
    };
    (solid, cells)
}

/// Computes planes for each item on several threads, then adds them to the set in the order of items.
pub(crate) fn inserted<T: Sync>(
    planes: &mut PlaneSet,
    items: &[T],
    of: impl Fn(&PlaneSet, &T) -> Vec<ExactPlane> + Sync,
) -> Vec<Vec<PlaneId>> {
    let found: Vec<_> = items.par_iter().map(|item| of(planes, item)).collect();
    let mut insert_all = |of_item: Vec<_>| {
        let ids = of_item.into_iter().map(|plane| planes.insert(plane));
        ids.collect()
    };
    found.into_iter().map(&mut insert_all).collect()
}

/// Expands a cell for a hull with an extent on every axis. The planes of the result are added to the set `own`.
pub fn expand_into(planes: &PlaneSet, cell: &Cell, hull: &HullSpec, own: &mut PlaneSet) -> Cell {
    let expanded = expanded_planes(planes, cell, hull).into_iter();
    let ids: Vec<_> = expanded.map(|plane| own.insert(plane)).collect();
    expanded_cell(own, cell, &ids)
}

/// A volume that certainly holds a cell expanded for a hull, computed without expanding the cell.
pub struct ExpandedBound {
    /// Box around the expanded cell, in units.
    bounds: Bounds,
    /// The corners of the cell before it is expanded, in units.
    corners: Vec<DVec3>,
    /// The center of the hull's reflected box, and half its size, in units.
    moved: [DVec3; 2],
}

impl ExpandedBound {
    /// Computes the volume for a cell and a hull.
    pub fn new(cell: &Cell, hull: &HullSpec) -> Self {
        let [mins, maxs] = corners(hull);
        Self {
            bounds: expanded_bounds(cell.bounds(), hull),
            corners: Vec::from_iter(cell.vertices().iter().map(|vertex| vertex.position)),
            moved: [-(mins + maxs) / 2.0, (maxs - mins) / 2.0],
        }
    }

    /// Returns the side of a plane that certainly holds all of the volume, or `None` if neither side certainly does.
    pub fn locate(&self, plane: &PlaneEntry) -> Option<Location> {
        let in_box = self.bounds.locate(plane);
        if in_box.is_some() {
            return in_box;
        }
        let [middle, half_size] = self.moved;
        let ahead = |corner: &DVec3| plane.normal.dot(*corner + middle) - plane.dist;
        let reach = plane.normal.abs().dot(half_size) + 4.0 * OUTWARD_MARGIN;
        if self.corners.iter().all(|corner| ahead(corner) > reach) {
            Some(Location::Front)
        } else if self.corners.iter().all(|corner| ahead(corner) < -reach) {
            Some(Location::Back)
        } else {
            None
        }
    }
}

fn corners(hull: &HullSpec) -> [DVec3; 2] {
    [hull.mins, hull.maxs].map(|corner| DVec3::from_array(corner.map(f64::from)))
}

/// Returns a box that certainly holds a box expanded for a hull.
fn expanded_bounds(bounds: Bounds, hull: &HullSpec) -> Bounds {
    let [mins, maxs] = corners(hull);
    Bounds {
        mins: bounds.mins - maxs - OUTWARD_MARGIN,
        maxs: bounds.maxs - mins + OUTWARD_MARGIN,
    }
}

/// Returns the planes of a Minkowski sum, the six axial ones first in the order of [`Cell::from_planes`]. Empty for a
/// point at its own origin, whose sum is the brush itself.
fn expanded_planes(planes: &PlaneSet, cell: &Cell, hull: &HullSpec) -> Vec<ExactPlane> {
    if hull.is_point() && hull.mins == [0.0; 3] {
        return Vec::new();
    }
    let own = cell.planes().map(|plane| planes[plane].plane);
    let all = bevels(planes, cell, &hull.edges()).into_iter().chain(own);
    all.map(|plane| ExactPlane {
        dist: plane.dist + hull.support(&plane.normal),
        ..plane
    })
    .collect()
}

fn expanded_brush(
    planes: &PlaneSet,
    id: BrushId,
    brush: &SolidBrush,
    ids: &[PlaneId],
) -> (HullBrush, Cell) {
    let cell = expanded_cell(planes, &brush.cell, ids);
    let expanded = HullBrush {
        brush: id,
        planes: cell.planes().collect(),
        bounds: cell.bounds(),
    };
    (expanded, cell)
}

/// Returns a cell with the planes of its Minkowski sum, or the same cell if there are none.
fn expanded_cell(planes: &PlaneSet, cell: &Cell, ids: &[PlaneId]) -> Cell {
    let Some((&axial, others)) = ids.split_first_chunk() else {
        return cell.clone();
    };
    let expanded = Cell::from_planes(planes, axial, others.iter().copied());
    expanded.expect("an expanded cell holds the cell")
}

/// Returns a box with integer corners around all expanded brushes of a model, with at least one unit to spare. The
/// trees of the model divide this box.
pub fn roomy_bounds(solids: &ModelSolids) -> Bounds {
    let boxes = solids.iter().flat_map(|solid| {
        let brushes = solid.brushes.iter().map(|brush| brush.bounds);
        brushes.chain([solid.sky])
    });
    let around = boxes.fold(Bounds::NONE, Bounds::union);
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
