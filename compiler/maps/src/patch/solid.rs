//! Represents a piece as a convex solid in `f64`. In: its exact planes. Out: its faces and corners. Rounding error is
//! far below the patch error, against which the solid is measured.

use glam::DVec3;
use onion_format::WORLD_LIMIT;
use onion_geometry::{Bounds, Cell, ExactPlane, PlaneSet};

/// A convex solid.
pub struct PatchSolid {
    /// Outward unit normal of each face, and its distance from the origin in units.
    pub faces: Vec<(DVec3, f64)>,
    /// The corners of all faces.
    pub corners: Vec<DVec3>,
    /// Box around it.
    pub bounds: Bounds,
}

impl PatchSolid {
    /// Returns the solid behind some planes, or `None` if it has no volume.
    pub fn new(planes: &[ExactPlane]) -> Option<Self> {
        let mut set = PlaneSet::default();
        let limit = DVec3::splat(WORLD_LIMIT);
        let world = Bounds {
            mins: -limit,
            maxs: limit,
        };
        let world = world.insert_planes(&mut set);
        let sides: Vec<_> = planes.iter().map(|plane| set.insert(*plane)).collect();
        let cell = Cell::from_planes(&set, world, sides)?;
        let corners = cell.vertices().iter().map(|vertex| vertex.position);
        Some(Self {
            faces: cell
                .planes()
                .map(|id| (set[id].normal, set[id].dist))
                .collect(),
            corners: corners.collect(),
            bounds: cell.bounds(),
        })
    }
}

/// Returns the distance of a point from a triangle.
pub fn to_triangle([a, b, c]: [DVec3; 3], point: DVec3) -> f64 {
    let edges = [[a, b], [b, c], [c, a]];
    let normal = (b - a).cross(c - a);
    let is_over = |[from, to]: [DVec3; 2]| (to - from).cross(point - from).dot(normal) >= 0.0;
    match normal != DVec3::ZERO && edges.into_iter().all(is_over) {
        true => (point - a).dot(normal).abs() / normal.length(),
        false => edges
            .into_iter()
            .map(|edge| to_segment(edge, point))
            .fold(f64::INFINITY, f64::min),
    }
}

/// Returns the distance of a point from a segment.
fn to_segment([from, to]: [DVec3; 2], point: DVec3) -> f64 {
    let edge = to - from;
    let along = (point - from).dot(edge) / edge.length_squared().max(f64::MIN_POSITIVE);
    point.distance(from + edge * along.clamp(0.0, 1.0))
}
