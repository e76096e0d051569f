//! Convex solids in `f64`. In: exact planes. Out: faces and corners. Rounding error is far below the tolerances of
//! patches and meshes, which are measured against solids.

use glam::DVec3;
use onion_format::WORLD_LIMIT;
use onion_geometry::{Bounds, Cell, ExactPlane, PlaneId, PlaneSet};

/// A convex solid.
pub struct ConvexSolid {
    /// Outward unit normal of each face, and its distance from the origin in units.
    pub faces: Vec<(DVec3, f64)>,
    /// The corners of all faces, in units.
    pub corners: Vec<DVec3>,
    /// Box around it, in units.
    pub bounds: Bounds,
}

impl ConvexSolid {
    /// Returns the solid behind some planes within the world, or `None` if it has no volume.
    pub fn new(planes: impl Iterator<Item = ExactPlane>) -> Option<Self> {
        let mut set = PlaneSet::default();
        let world = Bounds {
            mins: DVec3::splat(-WORLD_LIMIT),
            maxs: DVec3::splat(WORLD_LIMIT),
        };
        let world = world.insert_planes(&mut set);
        let sides: Vec<PlaneId> = planes.map(|plane| set.insert(plane)).collect();
        let cell = Cell::from_planes(&set, world, sides)?;
        let faces = cell.planes().map(|id| (set[id].normal, set[id].dist));
        let corners = cell.vertices().iter().map(|vertex| vertex.position);
        Some(Self {
            faces: faces.collect(),
            corners: corners.collect(),
            bounds: cell.bounds(),
        })
    }
}

/// Returns the distance of a point from a triangle (Ericson, Real-Time Collision Detection, 5.1.5): the nearest point
/// is in the triangle if it is on the inner side of all its edges, and otherwise on one of them.
pub fn to_triangle([a, b, c]: [DVec3; 3], point: DVec3) -> f64 {
    let edges = [[a, b], [b, c], [c, a]];
    let normal = (b - a).cross(c - a);
    let is_over = |[from, to]: [DVec3; 2]| (to - from).cross(point - from).dot(normal) >= 0.0;
    if normal != DVec3::ZERO && edges.into_iter().all(is_over) {
        return (point - a).dot(normal).abs() / normal.length();
    }
    let distances = edges.map(|edge| to_segment(edge, point));
    distances.into_iter().fold(f64::INFINITY, f64::min)
}

/// Returns the distance of a point from a segment.
pub fn to_segment([from, to]: [DVec3; 2], point: DVec3) -> f64 {
    let edge = to - from;
    let along = (point - from).dot(edge) / edge.length_squared().max(f64::MIN_POSITIVE);
    point.distance(from + edge * along.clamp(0.0, 1.0))
}
