//! Boxes and positions of a compiled file in f64, for pictures, pages, exports and reports. They are rounded, so they
//! serve display only and decide nothing about collision.

use glam::DVec3;
use onion_geometry::Bounds;
use onion_runtime::{Aabb, Hull, Model, OnionMap};

/// The box of a single point, the origin.
pub(crate) const ORIGIN: Bounds = Bounds {
    mins: DVec3::ZERO,
    maxs: DVec3::ZERO,
};

/// Converts a position to f64.
pub(crate) fn vector(at: [f32; 3]) -> DVec3 {
    DVec3::from_array(at.map(f64::from))
}

/// Returns the box of a hull around its origin.
pub(crate) fn of_hull(hull: &Hull<'_>) -> Bounds {
    bounds(hull.bounds)
}

/// Returns the box around a model's brushes, in its own space.
pub(crate) fn of_model(model: &Model<'_>) -> Bounds {
    bounds(model.bounds())
}

/// Returns a box of the runtime in double precision.
fn bounds(Aabb { mins, maxs }: Aabb<f32>) -> Bounds {
    let [mins, maxs] = [mins, maxs].map(vector);
    Bounds { mins, maxs }
}

/// Returns the positions of a hull's origin at which the hull touches or overlaps a box, as a box.
pub(crate) fn touching(around: Bounds, hull: Bounds) -> Bounds {
    Bounds {
        mins: around.mins - hull.maxs,
        maxs: around.maxs - hull.mins,
    }
}

/// Returns the position that a model's entity gives it, in units; zero if there is no such model.
pub(crate) fn origin<D: AsRef<[u8]>>(map: &OnionMap<D>, model: usize) -> DVec3 {
    map.model(model)
        .map_or(DVec3::ZERO, |model| vector(model.origin()))
}

/// Returns a box moved by an offset.
pub(crate) fn moved(Bounds { mins, maxs }: Bounds, by: DVec3) -> Bounds {
    Bounds {
        mins: mins + by,
        maxs: maxs + by,
    }
}
