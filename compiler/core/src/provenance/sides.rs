//! The sides of all brushes, which are their faces and bevels, and the side that a face of a hull's skin comes from. A
//! bevel gets the map's data of one of the faces that meet in the edge or corner it touches: the face whose normal is
//! nearest to its own.

use glam::DVec3;
use onion_geometry::plane::PlaneEntry;
use onion_geometry::{Bounds, Cell, ExactPlane, PlaneId, PlaneSet};
use rayon::prelude::*;

use crate::brush::bevel::bevels;
use crate::brush::{FaceSide, ModelBrushes, SolidBrush};
use crate::hull::{HullEdges, HullSpec};
use crate::id::Owner;
use crate::tolerance::{AS_NEAR, ON_BEVEL, SLIVER, TILT};
use crate::union::Face;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolidSide {
    /// Its plane, facing outward.
    pub plane: PlaneId,
    /// The map's data about the face or, for a bevel, about the face that it belongs to.
    pub face: FaceSide,
}

/// The sides of a brush: its faces, in the order of its cell's faces, then its bevels.
#[derive(Clone, Debug)]
pub struct BrushSides {
    /// The number of its first side.
    pub first: u32,
    /// The number of its sides that are faces.
    pub n_faces: usize,
    pub sides: Vec<SolidSide>,
    /// Bevels whose planes are in the set with other coefficients, and the sides in these planes. The support of a hull
    /// is rounded by the coefficients, so these bevels do not move to where the planes of the set do.
    rescaled: Vec<(usize, ExactPlane)>,
}

impl BrushSides {
    /// Returns the plane of a side, moved outward by a hull's support; several planes if it has been rescaled.
    pub fn expanded(
        &self,
        number: usize,
        hull: &HullSpec,
        planes: &PlaneSet,
    ) -> impl Iterator<Item = ExactPlane> {
        let own = planes[self.sides[number].plane].plane;
        let rescaled = self.rescaled.iter();
        let rescaled = rescaled.filter(move |&&(side, _)| side == number);
        let all = [own].into_iter().chain(rescaled.map(|&(_, plane)| plane));
        all.map(|plane| ExactPlane {
            dist: plane.dist + hull.support(&plane.normal),
            ..plane
        })
    }
}

/// Lists the sides of the brushes of each model. New planes enter the set in the order of the sides, whatever the
/// number of threads.
pub fn sides(
    models: &[ModelBrushes],
    hulls: &[HullSpec],
    planes: &mut PlaneSet,
) -> Vec<Vec<BrushSides>> {
    let edges = HullEdges::of_all(hulls);
    let mut next = 0;
    let mut model_sides = |brushes: &ModelBrushes| {
        let bevels = brushes
            .par_iter()
            .map(|brush| bevels(planes, &brush.cell, &edges));
        let bevels: Vec<Vec<ExactPlane>> = bevels.collect();
        let mut insert = |plane: &ExactPlane| planes.insert(*plane);
        let ids: Vec<Vec<PlaneId>> = bevels
            .iter()
            .map(|own| own.iter().map(&mut insert).collect())
            .collect();
        let sides = brushes.par_iter().zip(&bevels).zip(&ids);
        let sides = sides.map(|((brush, own), ids)| {
            let own = ids.iter().copied().zip(own.iter().copied());
            brush_sides(brush, own, planes)
        });
        let sides: Vec<_> = sides.collect();
        let listed = sides.into_iter().map(|sides| {
            let first = next;
            next += sides.sides.len() as u32;
            BrushSides { first, ..sides }
        });
        listed.collect()
    };
    models.iter().map(&mut model_sides).collect()
}

/// Lists the sides of a brush, whose first side has no number yet.
fn brush_sides(
    brush: &SolidBrush,
    bevels: impl Iterator<Item = (PlaneId, ExactPlane)>,
    planes: &PlaneSet,
) -> BrushSides {
    let faces = brush.cell.planes().zip(&brush.faces);
    let faces = faces.map(|(plane, &face)| SolidSide { plane, face });
    let mut sides: Vec<_> = faces.collect();
    let mut rescaled = Vec::new();
    for (plane, exact) in bevels {
        let known = sides.iter().position(|side| side.plane == plane);
        let number = known.unwrap_or(sides.len());
        if known.is_none() {
            let face = sides[face_of_bevel(brush, &planes[plane], planes)].face;
            sides.push(SolidSide { plane, face });
        }
        if planes[plane].plane != exact {
            rescaled.push((number, exact));
        }
    }
    BrushSides {
        first: 0,
        n_faces: brush.faces.len(),
        sides,
        rescaled,
    }
}

/// Returns the number of the face that a bevel belongs to. Candidates are the faces that contain at least half as much
/// of the touched edge as any face does; of these, the face whose normal is nearest to the bevel's.
fn face_of_bevel(brush: &SolidBrush, bevel: &PlaneEntry, planes: &PlaneSet) -> usize {
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
    nearest.expect("a bevel touches its brush").0
}

/// Returns, for each face of a cell, the size of the part of it that a bevel touches, in units, or `None` if the bevel
/// does not touch the face. If the bevel touches an edge, the two faces of the edge contain all of it, and the faces at
/// its ends only a corner, with size 0.
fn touched_sizes(cell: &Cell, bevel: &PlaneEntry) -> impl Iterator<Item = Option<f64>> {
    let Bounds { mins, maxs } = cell.bounds();
    let slack = ON_BEVEL + TILT * (maxs - mins).element_sum();
    cell.face_positions().map(move |corners| {
        let is_touched = |at: &DVec3| bevel.normal.dot(*at) - bevel.dist > -slack;
        let around = Bounds::of(corners.into_iter().filter(is_touched));
        let size = (around.maxs - around.mins).element_sum();
        (size >= 0.0).then_some(size)
    })
}

/// A search for the side of a brush that a hull's face comes from.
pub(super) struct SideFinder<'a> {
    brushes: &'a [BrushSides],
    hulls: &'a [HullSpec],
    pub(super) planes: &'a PlaneSet,
}

impl<'a> SideFinder<'a> {
    pub(super) fn new(
        brushes: &'a [BrushSides],
        hulls: &'a [HullSpec],
        planes: &'a PlaneSet,
    ) -> Self {
        Self {
            brushes,
            hulls,
            planes,
        }
    }

    /// Returns the number of the side that a face comes from, or `None` for some faces that close cracks.
    pub(super) fn side_of(&self, face: &Face) -> Option<u32> {
        self.side(&face.owner, face.winding.plane)
    }

    /// Returns the number of the side whose plane, moved outward by the hull's support, is this plane, facing either
    /// way, or `None` if there is no such side.
    pub(super) fn side(&self, owner: &Owner, plane: PlaneId) -> Option<u32> {
        let brush = &self.brushes[owner.brush.index()];
        let hull = &self.hulls[owner.hull.index()];
        let plane = self.planes[plane].plane;
        let lies_there = |&number: &usize| {
            let mut moved = brush.expanded(number, hull, self.planes);
            moved.any(|moved| plane.coincides(&moved))
        };
        let number = (0..brush.sides.len()).find(lies_there);
        number.map(|number| brush.first + number as u32)
    }
}
