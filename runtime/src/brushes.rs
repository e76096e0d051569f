//! The brushes of a map, as the file has them: sides with planes and surfaces, what nodes know of the
//! faces in their planes, and the shapes of brushes for traces of any size. All of it is optional.

use onion_format::{
    BoxRecord, BoxesRecord, BrushRecord, CornerRecord, EdgeRecord, FaceRecord, FirstFaceRecord,
    Record, SIDE_LOOKS_BACK, SideRecord, SolidRecord, SurfaceRecord, unpadded,
};

use crate::boxes::Sweep;
use crate::map::{Model, ON_PLANE, OnionMap, dot, unit_normal};
use crate::point::in_domain;

/// The optional chunks of a file; empty where it has none.
#[derive(Clone, Copy)]
pub(crate) struct Brushes<'a> {
    pub(crate) surfaces: &'a [[u8; SurfaceRecord::SIZE]],
    pub(crate) brushes: &'a [[u8; BrushRecord::SIZE]],
    pub(crate) sides: &'a [[u8; SideRecord::SIZE]],
    pub(crate) first_faces: &'a [[u8; FirstFaceRecord::SIZE]],
    pub(crate) faces: &'a [[u8; FaceRecord::SIZE]],
    pub(crate) solids: &'a [[u8; SolidRecord::SIZE]],
    pub(crate) corners: &'a [[u8; CornerRecord::SIZE]],
    pub(crate) edges: &'a [[u8; EdgeRecord::SIZE]],
    pub(crate) models: &'a [[u8; BoxesRecord::SIZE]],
    pub(crate) boxes: &'a [[u8; BoxRecord::SIZE]],
}

impl Brushes<'_> {
    pub(crate) const NONE: Self = Self {
        surfaces: &[],
        brushes: &[],
        sides: &[],
        first_faces: &[],
        faces: &[],
        solids: &[],
        corners: &[],
        edges: &[],
        models: &[],
        boxes: &[],
    };
}

/// Where a brush comes from in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The brush of this number.
    Brush(u32),
    /// A piece that stands for a part of a patch, by the number of the patch's surface.
    Patch(u32),
}

/// A brush, or a piece that stands for a part of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brush {
    /// Its number in the file.
    pub number: u32,
    /// Where it comes from in the map.
    pub source: Source,
    /// What it is made of, as bits of the map's contents.
    pub contents: u32,
    /// Number of its model; 0 is the world.
    pub model: usize,
    /// Number of the entity that shows the model; none for models that no entity shows, and for the world
    /// of a map that does not say so.
    pub entity: Option<u32>,
}

/// A side of a brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side<'a> {
    /// Number of the side in its brush in the map, the first being 0; of a bevel, that of the face it
    /// belongs to. 0 for pieces of patches.
    pub number: u32,
    /// Whether it is a bevel: a plane that touches the brush in an edge or a corner.
    pub is_bevel: bool,
    /// Unit normal, facing outward.
    pub normal: [f64; 3],
    /// Distance from the origin along the normal, in units of the model's space; not expanded.
    pub dist: f64,
    /// What it looks like and is made of; a bevel, what the face it belongs to is.
    pub surface: Surface<'a>,
}

/// What sides look like and are made of: a texture or shader of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface<'a> {
    /// Number in the file.
    pub number: u32,
    /// Name as in the map; maps do not promise that it is text.
    pub name_bytes: &'a [u8],
    /// Surface flags as in the map.
    pub flags: u32,
    /// Contents as in the map: of the surface; a brush's are what blocks hulls.
    pub contents: u32,
}

impl<'a> Surface<'a> {
    /// The name, as far as it is UTF-8.
    pub fn name(&self) -> &'a str {
        let text = self.name_bytes.utf8_chunks().next();
        text.map_or("", |chunk| chunk.valid())
    }
}

impl<'a> Brushes<'a> {
    /// Number of a node's first face; of all faces for the node after the last one.
    pub(crate) fn first_face(&self, node: usize) -> usize {
        let bytes = self.first_faces.get(node);
        bytes.map_or(0, |bytes| FirstFaceRecord::read(bytes).first as usize)
    }

    /// Number and record of the brush that has a side.
    pub(crate) fn brush_of_side(&self, side: u32) -> Option<(u32, BrushRecord)> {
        let starts_after =
            |bytes: &[u8; BrushRecord::SIZE]| BrushRecord::read(bytes).first_side <= side;
        let number = self.brushes.partition_point(starts_after).checked_sub(1)?;
        let record = BrushRecord::read(self.brushes.get(number)?);
        Some((number as u32, record))
    }

    /// The records of the sides of a brush, faces first.
    pub(crate) fn sides_of(&self, brush: &BrushRecord) -> &'a [[u8; SideRecord::SIZE]] {
        let first = brush.first_side as usize;
        let n_sides = brush.n_faces as usize + brush.n_bevels as usize;
        self.sides.get(first..first + n_sides).unwrap_or(&[])
    }
}

impl<'a> OnionMap<'a> {
    /// Whether the file tells what was hit; see [`Model::hit`](crate::Model::hit).
    pub fn has_surfaces(&self) -> bool {
        !self.brushes.first_faces.is_empty()
    }

    /// Whether the file holds the brushes themselves, for traces of any size and shape.
    pub fn has_brushes(&self) -> bool {
        !self.brushes.models.is_empty()
    }

    /// The surfaces that sides refer to; none in files without surfaces and brushes.
    pub fn surfaces(&self) -> impl Iterator<Item = Surface<'a>> + use<'a> {
        let map = *self;
        (0..map.brushes.surfaces.len() as u32).filter_map(move |number| map.surface(number))
    }

    /// A surface, by its number in the file.
    pub fn surface(&self, number: u32) -> Option<Surface<'a>> {
        let bytes = self.brushes.surfaces.get(number as usize)?;
        let SurfaceRecord {
            name,
            flags,
            contents,
        } = SurfaceRecord::read(bytes);
        Some(Surface {
            number,
            name_bytes: bytes.get(..unpadded(&name).len())?,
            flags,
            contents,
        })
    }

    /// The brushes; none in files without surfaces and brushes.
    pub fn brushes(&self) -> impl Iterator<Item = Brush> + use<'a> {
        let map = *self;
        (0..map.brushes.brushes.len() as u32).filter_map(move |number| map.brush(number))
    }

    /// A brush, by its number in the file.
    pub fn brush(&self, number: u32) -> Option<Brush> {
        let record = BrushRecord::read(self.brushes.brushes.get(number as usize)?);
        let source = match record.kind {
            0 => Source::Brush(record.number),
            _ => Source::Patch(record.number),
        };
        let model = record.model as usize;
        Some(Brush {
            number,
            source,
            contents: record.contents,
            model,
            entity: self.model(model)?.entity(),
        })
    }

    /// The sides of a brush, by its number in the file: its faces, then its bevels.
    pub fn sides(&self, brush: u32) -> impl Iterator<Item = Side<'a>> + use<'a> {
        let map = *self;
        let record = self.brushes.brushes.get(brush as usize);
        let range = record.map_or(0..0, |bytes| {
            let record = BrushRecord::read(bytes);
            record.first_side..record.first_side + record.n_faces + record.n_bevels
        });
        range.filter_map(move |number| map.side(number))
    }

    /// A side, by its number in the file.
    pub(crate) fn side(&self, number: u32) -> Option<Side<'a>> {
        let record = SideRecord::read(self.brushes.sides.get(number as usize)?);
        let (_, brush) = self.brushes.brush_of_side(number)?;
        let (normal, dist) = self.side_plane(&record);
        Some(Side {
            number: record.number,
            is_bevel: number - brush.first_side >= brush.n_faces,
            normal,
            dist,
            surface: self.surface(record.surface)?,
        })
    }

    /// The plane of a side, facing outward: its normal and its distance.
    #[inline]
    pub(crate) fn side_plane(&self, side: &SideRecord) -> ([f64; 3], f64) {
        let plane = self.plane(side.plane & !SIDE_LOOKS_BACK);
        let normal = unit_normal(&plane);
        if side.plane & SIDE_LOOKS_BACK == 0 {
            (normal, plane.dist)
        } else {
            (normal.map(|component| 0.0 - component), 0.0 - plane.dist)
        }
    }
}

impl Model<'_> {
    /// What the place of a point is made of: the contents of all brushes that it is inside of, 0 for none.
    /// Touching is being outside. None if the file was compiled without `--brushes`, and for a point that
    /// is not finite or beyond 2^30 units.
    ///
    /// Any mask can be applied to the answer. Contents that are asked for often are better compiled as a
    /// hull, such as `--hull water:point:contents=water`, whose solidity is a bit of [`Model::solidity`].
    pub fn contents_at(&self, point: [f64; 3]) -> Option<u32> {
        if !self.map.has_brushes() || !in_domain(&point) {
            return None;
        }
        let mut contents = 0;
        self.brushes_near(&Sweep::of_point(point), |number| {
            let record = self.map.brushes.brushes.get(number as usize);
            let record = record.map(|bytes| BrushRecord::read(bytes));
            if let Some(brush) = record.filter(|brush| self.map.is_inside(brush, &point)) {
                contents |= brush.contents;
            }
            1.0
        });
        Some(contents)
    }
}

impl OnionMap<'_> {
    /// Whether a point is inside of a brush.
    fn is_inside(&self, brush: &BrushRecord, point: &[f64; 3]) -> bool {
        let sides = self.brushes.sides_of(brush);
        let mut faces = sides.iter().take(brush.n_faces as usize);
        faces.all(|bytes| {
            let (normal, dist) = self.side_plane(&SideRecord::read(bytes));
            dot(&normal, point) - dist < -ON_PLANE
        })
    }
}
