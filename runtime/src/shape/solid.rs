//! A brush of a file as the queries of shapes see it: its faces, corners and edges. They are read in place,
//! when a query needs them.

use onion_format::{BrushRecord, CornerRecord, EdgeRecord, FaceRecord, SolidRecord};

use super::brush::{Convex, Edge, FacePlane};
use crate::file::records::Records;
use crate::file::view::View;

/// A brush of a file that has shapes.
#[derive(Clone, Copy)]
pub(crate) struct Solid<'a> {
    /// The file, which has the planes of the faces.
    map: View<'a>,
    /// The brush, with its contents and its model.
    pub(crate) record: BrushRecord,
    /// The numbers of its parts.
    solid: SolidRecord,
    /// The faces, then the bevels.
    faces: Records<'a, FaceRecord>,
    /// The corners of this brush alone.
    corners: Records<'a, CornerRecord>,
    /// The edges of this brush alone, each with the two faces that meet there.
    edges: Records<'a, EdgeRecord>,
}

impl<'a> Solid<'a> {
    /// Returns the brush with this number in the file.
    pub(crate) fn new(map: View<'a>, number: u32) -> Option<Self> {
        let record = map.brushes().get(number as usize)?;
        let solid = map.solids().get(number as usize)?;
        let (corner, edge) = (solid.first_corner as usize, solid.first_edge as usize);
        Some(Self {
            map,
            record,
            solid,
            faces: map.faces_of(&solid),
            corners: map.corners().slice(corner, solid.n_corners as usize)?,
            edges: map.edges().slice(edge, solid.n_edges as usize)?,
        })
    }

    /// Returns the planes of a range of its faces and bevels.
    fn planes(&self, first: u32, count: u32) -> impl Iterator<Item = FacePlane> + use<'a> {
        let map = self.map;
        let faces = self.faces.slice(first as usize, count as usize);
        let faces = faces.unwrap_or(Records::new(&[])).iter();
        faces.map(move |face| {
            let (normal, dist) = map.face_plane(&face);
            FacePlane { normal, dist }
        })
    }

    /// Returns a corner, counted from the first of the brush. Loading checked that it exists.
    fn corner(&self, number: u32) -> [f64; 3] {
        let corner = self.corners.get(number as usize);
        corner.map_or([0.0; 3], |corner| corner.position)
    }

    /// Returns the outward normal of a face, counted from the first of the brush.
    fn normal(&self, face: u32) -> [f64; 3] {
        let face = self.faces.get(face as usize);
        face.map_or([0.0; 3], |face| self.map.face_plane(&face).0)
    }
}

impl Convex for Solid<'_> {
    fn faces(&self) -> impl Iterator<Item = FacePlane> {
        self.planes(0, self.solid.n_faces)
    }

    fn bevels(&self) -> impl Iterator<Item = FacePlane> {
        self.planes(self.solid.n_faces, self.solid.n_bevels)
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
