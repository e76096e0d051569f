//! The brushes of a map, as stored in the file: their sources, their sides with planes and surfaces, and the contents
//! of the brushes around a point. A file may be compiled without them.

use core::fmt;

use onion_format::unpadded;

use crate::boxes::{SEARCH_ALL, Sweep};
use crate::error::Unsupported;
use crate::file::view::View;
use crate::map::OnionMap;
use crate::math::coordinate::{Coordinate, widened};
use crate::math::segment::in_domain;
use crate::math::vector::dot;
use crate::model::Model;
use crate::tolerance::ON_PLANE;

/// The source of a brush in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The brush with this number.
    Brush(u32),
    /// A piece that represents a part of a patch, by the number of the patch's surface.
    Patch(u32),
}

/// A brush, or a piece that represents a part of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brush {
    /// Its number in the file.
    pub number: u32,
    /// Its source in the map.
    pub source: Source,
    /// Its contents bits, see [`contents`](crate::contents).
    pub contents: u32,
    /// Number of its model; 0 is the world.
    pub model: usize,
    /// Number of the entity that shows the model. `None` if no entity shows it, or if the model is the world and the
    /// map does not name the world's entity.
    pub entity: Option<u32>,
}

/// A side of a brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side<'a> {
    /// Number of the side in its brush in the map, from 0; for a bevel, the number of the face it belongs to. 0 for
    /// pieces of patches.
    pub number: u32,
    /// Whether it is a bevel: a plane that touches the brush in an edge or a corner.
    pub is_bevel: bool,
    /// Unit normal, facing outward.
    pub normal: [f64; 3],
    /// Distance from the origin along the normal, in units of the model's space; not expanded.
    pub dist: f64,
    /// Its surface; a bevel has the surface of the face it belongs to.
    pub surface: Surface<'a>,
}

/// The surface of a side, with its look and contents: a texture or shader of the map.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Surface<'a> {
    /// Number in the file.
    pub number: u32,
    /// Name as in the map, which may not be valid UTF-8.
    pub name_bytes: &'a [u8],
    /// Surface flags as in the map.
    pub flags: u32,
    /// Contents of the surface, as in the map. Hulls are blocked by the contents of the brush instead.
    pub contents: u32,
}

/// Prints the name as text.
impl fmt::Debug for Surface<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surface")
            .field("number", &self.number)
            .field("name", &self.name())
            .field("flags", &self.flags)
            .field("contents", &self.contents)
            .finish()
    }
}

impl<'a> Surface<'a> {
    /// Returns the name up to the first byte that is not UTF-8.
    pub fn name(&self) -> &'a str {
        let text = self.name_bytes.utf8_chunks().next();
        text.map_or("", |chunk| chunk.valid())
    }
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Returns the surface with this number in the file, as [`Surface::number`] and
    /// [`Footing::surface`](crate::movement::Footing::surface) have it, or `None` if there is none.
    pub fn surface(&self, number: u32) -> Option<Surface<'_>> {
        self.view().surface(number)
    }
}

impl<'a> View<'a> {
    /// Returns the surface with this number in the file.
    pub(crate) fn surface(&self, number: u32) -> Option<Surface<'a>> {
        let bytes = self.surfaces().bytes(number as usize)?;
        let record = self.surfaces().get(number as usize)?;
        Some(Surface {
            number,
            name_bytes: bytes.get(..unpadded(&record.name).len())?,
            flags: record.flags,
            contents: record.contents,
        })
    }

    /// Returns the brush with this number in the file.
    pub(crate) fn brush(&self, number: u32) -> Option<Brush> {
        let record = self.brushes().get(number as usize)?;
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
            entity: Model::new(*self, model).entity_number(),
        })
    }

    /// Returns the side with this number in the file, or a bevel of it, with `plane` as its plane.
    pub(crate) fn side(
        &self,
        number: u32,
        is_bevel: bool,
        plane: ([f64; 3], f64),
    ) -> Option<Side<'a>> {
        let record = self.sides().get(number as usize)?;
        let (normal, dist) = plane;
        Some(Side {
            number: record.number,
            is_bevel,
            normal,
            dist,
            surface: self.surface(record.surface)?,
        })
    }

    /// Whether a point is inside a brush.
    fn is_inside(&self, brush: u32, point: &[f64; 3]) -> bool {
        let solid = self.solids().get(brush as usize);
        solid.is_some_and(|solid| {
            // Without bevels: they touch the brush only, and cut nothing off.
            let mut faces = self.faces_of(&solid).iter().take(solid.n_faces as usize);
            faces.all(|face| {
                let (normal, dist) = self.face_plane(&face);
                dot(&normal, point) - dist < -ON_PLANE
            })
        })
    }
}

impl Model<'_> {
    /// Returns the contents at a point: the union of the contents of all brushes that contain it, or 0 if no brush
    /// does. A point that touches a brush is outside. For a point that is not finite or is beyond 2^30 units, the
    /// answer is all contents (`u32::MAX`).
    ///
    /// Any mask can be applied to the answer. For contents that are queried often, compile a hull such as
    /// `--hull water:point:contents=water` instead, and use [`Model::solidity`].
    ///
    /// # Errors
    /// [`Unsupported::NoBrushShapes`] if the file was compiled without `--brushes`.
    pub fn contents_at<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> Result<u32, Unsupported> {
        if !self.map.has_brush_shapes() {
            return Err(Unsupported::NoBrushShapes);
        }
        let point = widened(point.into());
        // As if inside of everything, like points that no hull has room at.
        if !in_domain(&point) {
            return Ok(u32::MAX);
        }
        let mut contents = 0;
        self.brushes_near(&Sweep::of_point(point), |number| {
            let record = self.map.brushes().get(number as usize);
            if let Some(brush) = record.filter(|_| self.map.is_inside(number, &point)) {
                contents |= brush.contents;
            }
            SEARCH_ALL
        });
        Ok(contents)
    }
}
