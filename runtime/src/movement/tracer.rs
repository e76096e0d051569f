//! What a moving agent asks of the world around it, and the answers of a map and of its models.

use onion_format::{HullRecord, Record};

use crate::map::{HullId, Model, OnionMap};
use crate::trace::Trace;

/// A world that agents move in: a map, one of its models, or a game's own world of a map and what
/// moves in it. All points are in units of that world's space.
///
/// What agents promise rests on what the world promises: a trace that does not start in solid does not
/// end in solid, as [`Tracer::is_solid`] tells of its `end_pos`; points that are not finite are solid;
/// normals are finite.
pub trait Tracer {
    /// Moves a hull from `start` towards `end`, through the solid it starts in, up to a small distance
    /// before the first solid that it enters.
    fn trace(&self, hull: HullId, start: [f32; 3], end: [f32; 3]) -> Contact;

    /// Whether a hull's box, with its origin at `point`, has its inside in solid.
    fn is_solid(&self, hull: HullId, point: [f32; 3]) -> bool;

    /// Lower corner of a hull's box relative to its origin, in units; none for a hull that the world
    /// does not have.
    fn mins(&self, hull: HullId) -> Option<[f32; 3]>;
}

/// How far a trace went, and what stopped it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Part of the segment that the hull can move, 0 to 1; less than 1 if something stops it.
    pub fraction: f64,
    /// Where the hull can move to; the start if all of the segment is solid.
    pub end_pos: [f32; 3],
    /// What stops it; none if nothing does, or if there is no plane to name.
    pub surface: Option<Surface>,
}

/// A surface that was met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Unit normal, against the motion that met it.
    pub normal: [f32; 3],
    /// What the surface belongs to, by a number of the world's choice: for maps and models that of the
    /// model, 0 for the map itself.
    pub object: u32,
}

impl Contact {
    /// The contact of a trace that met an object.
    pub fn new(trace: Trace<f32>, object: u32) -> Self {
        Self {
            fraction: trace.fraction,
            end_pos: trace.end_pos,
            surface: trace.plane.map(|plane| Surface {
                normal: plane.normal,
                object,
            }),
        }
    }
}

impl Tracer for Model<'_> {
    fn trace(&self, hull: HullId, start: [f32; 3], end: [f32; 3]) -> Contact {
        // Files have fewer models than u32 has numbers.
        Contact::new(Model::trace(self, hull, start, end), self.index as u32)
    }

    fn is_solid(&self, hull: HullId, point: [f32; 3]) -> bool {
        Model::is_solid(self, hull, point)
    }

    fn mins(&self, hull: HullId) -> Option<[f32; 3]> {
        self.map.mins(hull)
    }
}

impl Tracer for OnionMap<'_> {
    fn trace(&self, hull: HullId, start: [f32; 3], end: [f32; 3]) -> Contact {
        Contact::new(OnionMap::trace(self, hull, start, end), 0)
    }

    fn is_solid(&self, hull: HullId, point: [f32; 3]) -> bool {
        OnionMap::is_solid(self, hull, point)
    }

    fn mins(&self, hull: HullId) -> Option<[f32; 3]> {
        let bytes = self.hulls.get(hull.index())?;
        Some(HullRecord::read(bytes).mins)
    }
}
