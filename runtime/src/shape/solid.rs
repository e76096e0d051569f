//! A brush of a file as the shapes look at it, read in place.

use onion_format::{BrushRecord, CornerRecord, EdgeRecord, Record, SideRecord, SolidRecord};

use super::Plane;
use super::brush::{Convex, Edge};
use crate::map::OnionMap;

/// A brush of a file that has shapes.
#[derive(Clone, Copy)]
pub(crate) struct Solid<'a> {
    map: &'a OnionMap<'a>,
    pub(crate) record: BrushRecord,
    sides: &'a [[u8; SideRecord::SIZE]],
    corners: &'a [[u8; CornerRecord::SIZE]],
    edges: &'a [[u8; EdgeRecord::SIZE]],
}

impl<'a> Solid<'a> {
    /// A brush, by its number in the file.
    pub(crate) fn new(map: &'a OnionMap<'a>, number: u32) -> Option<Self> {
        let brushes = &map.brushes;
        let record = BrushRecord::read(brushes.brushes.get(number as usize)?);
        let solid = SolidRecord::read(brushes.solids.get(number as usize)?);
        let [corner, edge] = [solid.first_corner, solid.first_edge].map(|first| first as usize);
        let corners = brushes
            .corners
            .get(corner..corner + solid.n_corners as usize)?;
        let edges = brushes.edges.get(edge..edge + solid.n_edges as usize)?;
        Some(Self {
            map,
            record,
            sides: brushes.sides_of(&record),
            corners,
            edges,
        })
    }

    fn planes(&self, sides: &'a [[u8; SideRecord::SIZE]]) -> impl Iterator<Item = Plane> + use<'a> {
        let map = self.map;
        sides.iter().map(move |bytes| {
            let (normal, dist) = map.side_plane(&SideRecord::read(bytes));
            Plane { normal, dist }
        })
    }

    fn corner(&self, number: u32) -> [f64; 3] {
        let bytes = self.corners.get(number as usize);
        bytes.map_or([0.0; 3], |bytes| CornerRecord::read(bytes).position)
    }

    fn normal(&self, face: u32) -> [f64; 3] {
        let bytes = self.sides.get(face as usize);
        bytes.map_or([0.0; 3], |bytes| {
            self.map.side_plane(&SideRecord::read(bytes)).0
        })
    }
}

impl Convex for Solid<'_> {
    fn faces(&self) -> impl Iterator<Item = Plane> {
        let faces = self.sides.get(..self.record.n_faces as usize);
        self.planes(faces.unwrap_or(&[]))
    }

    fn bevels(&self) -> impl Iterator<Item = Plane> {
        let bevels = self.sides.get(self.record.n_faces as usize..);
        self.planes(bevels.unwrap_or(&[]))
    }

    fn vertices(&self) -> impl Iterator<Item = [f64; 3]> {
        self.corners
            .iter()
            .map(|bytes| CornerRecord::read(bytes).position)
    }

    fn edges(&self) -> impl Iterator<Item = Edge> {
        self.edges.iter().map(|bytes| {
            let EdgeRecord { corners, faces } = EdgeRecord::read(bytes);
            Edge {
                ends: corners.map(|corner| self.corner(corner)),
                faces: faces.map(|face| face as usize),
                normals: faces.map(|face| self.normal(face)),
            }
        })
    }
}
