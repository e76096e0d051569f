//! A brush of a file as shapes look at it: its faces, corners and edges, which are read in place when they are asked
//! for.

use onion_format::{BrushRecord, CornerRecord, EdgeRecord, SideRecord};

use super::brush::{Convex, Edge, FacePlane};
use crate::records::Records;
use crate::view::View;

/// A brush of a file that has shapes.
#[derive(Clone, Copy)]
pub(crate) struct Solid<'a> {
    map: View<'a>,
    pub(crate) record: BrushRecord,
    sides: Records<'a, SideRecord>,
    corners: Records<'a, CornerRecord>,
    edges: Records<'a, EdgeRecord>,
}

impl<'a> Solid<'a> {
    /// A brush, by its number in the file.
    pub(crate) fn new(map: View<'a>, number: u32) -> Option<Self> {
        let record = map.brushes().get(number as usize)?;
        let solid = map.solids().get(number as usize)?;
        let (corner, edge) = (solid.first_corner as usize, solid.first_edge as usize);
        Some(Self {
            map,
            record,
            sides: map.sides_of(&record),
            corners: map.corners().slice(corner, solid.n_corners as usize)?,
            edges: map.edges().slice(edge, solid.n_edges as usize)?,
        })
    }

    /// The planes of some of its sides.
    fn planes(&self, first: u32, count: u32) -> impl Iterator<Item = FacePlane> + use<'a> {
        let map = self.map;
        let sides = self.sides.slice(first as usize, count as usize);
        let sides = sides.unwrap_or(Records::new(&[])).iter();
        sides.map(move |side| {
            let (normal, dist) = map.side_plane(&side);
            FacePlane { normal, dist }
        })
    }

    fn corner(&self, number: u32) -> [f64; 3] {
        let corner = self.corners.get(number as usize);
        corner.map_or([0.0; 3], |corner| corner.position)
    }

    fn normal(&self, face: u32) -> [f64; 3] {
        let side = self.sides.get(face as usize);
        side.map_or([0.0; 3], |side| self.map.side_plane(&side).0)
    }
}

impl Convex for Solid<'_> {
    fn faces(&self) -> impl Iterator<Item = FacePlane> {
        self.planes(0, self.record.n_faces)
    }

    fn bevels(&self) -> impl Iterator<Item = FacePlane> {
        self.planes(self.record.n_faces, self.record.n_bevels)
    }

    fn vertices(&self) -> impl Iterator<Item = [f64; 3]> {
        self.corners.iter().map(|corner| corner.position)
    }

    fn edges(&self) -> impl Iterator<Item = Edge> {
        self.edges.iter().map(|EdgeRecord { corners, faces }| Edge {
            ends: corners.map(|corner| self.corner(corner)),
            faces: faces.map(|face| face as usize),
            normals: faces.map(|face| self.normal(face)),
        })
    }
}
