//! The queries that a moving agent makes of its world, and their answers. An agent can walk in any type that answers
//! these queries.

use crate::file::hull::HullId;
use crate::math::aabb::Aabb;
use crate::math::coordinate::Coordinate;

/// A world that agents move in: a map, one of its models, a scene, or a game's own world of a map and moving things.
/// All points are in units of that world's space.
///
/// The promises of agents rest on those of their world: a trace that does not start in solid does not end in solid,
/// that is, [`World::is_solid`] is false at its `end_pos`; points that are not finite are solid; normals are finite.
pub trait World<T> {
    /// Moves a hull from `start` towards `end`, through the solid it starts in, and stops it a small distance before
    /// the first solid that it enters.
    fn trace(&self, hull: HullId, start: [T; 3], end: [T; 3]) -> Stop<T>;

    /// Traces in the same way, to find the ground that an agent stands on: the answer also has a footing, if the
    /// world knows it. A world without footings need not implement this.
    fn trace_ground(&self, hull: HullId, start: [T; 3], end: [T; 3]) -> Stop<T> {
        self.trace(hull, start, end)
    }

    /// Whether the interior of a hull's box, with its origin at `point`, overlaps solid.
    fn is_solid(&self, hull: HullId, point: [T; 3]) -> bool;

    /// Returns a hull's box relative to its origin, in units, or `None` if the world does not have the hull.
    fn bounds(&self, hull: HullId) -> Option<Aabb<f32>>;

    /// Returns the [contents](crate::contents) at a point, for agents that swim. A world without contents need not
    /// implement this; maps have them if they were compiled with `--brushes`.
    fn contents(&self, _point: [T; 3]) -> u32 {
        0
    }
}

/// The extent of a trace, and the obstacle that stopped it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop<T> {
    /// The part of the segment that the hull can move, 0 to 1; less than 1 if something stops it.
    pub fraction: f64,
    /// The end of the hull's move, in units of the world; the start if the whole segment is solid.
    pub end_pos: [T; 3],
    /// The obstacle that stops it; `None` if nothing does, or if there is no plane to name.
    pub met: Option<Ground<T>>,
}

/// A surface to stand on, or an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground<T> {
    /// Unit normal, facing the motion that met it.
    pub normal: [T; 3],
    /// The object that the surface belongs to, by a number of the world's choice: in maps and models the number of
    /// the model, 0 for the map itself; in scenes 0 for the map, 1 for the scene's first mover, and so on.
    pub object: u32,
    /// Velocity of the ground at the agent, in units per second, as `Agent::ride` last found it. Worlds leave it at 0.
    pub velocity: [T; 3],
    /// The brush and surface that an agent stands on, for ice, footsteps and ladders. In models and views, `None`
    /// for an obstacle that an agent only walked into; in all worlds, `None` if the file has no hit data
    /// ([`OnionMap::has_hit_data`](crate::OnionMap::has_hit_data)).
    pub footing: Option<Footing>,
}

impl<T: Coordinate> Ground<T> {
    /// Converts a velocity relative to the ground to one in the world.
    pub fn velocity_in_world(&self, velocity: impl Into<[T; 3]>) -> [T; 3] {
        let velocity = velocity.into();
        if self.velocity == [T::default(); 3] {
            return velocity;
        }
        [0, 1, 2].map(|axis| velocity[axis] + self.velocity[axis])
    }
}

/// The brush and the surface that an agent stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footing {
    /// Number of the brush in the file.
    pub brush: u32,
    /// Contents bits of the brush, see [`contents`](crate::contents).
    pub contents: u32,
    /// Number of the surface in the file; [`OnionMap::surface`](crate::OnionMap::surface) has its name.
    pub surface: u32,
    /// Surface flags as in the map.
    pub surface_flags: u32,
}
