//! Shared helpers of the oracle's own tests.
//!
//! In: planes, points, random numbers. Out: volumes, look-ups, solids and worlds of them. Method: the volume is the
//! divergence theorem over the clipped polygons.

use onion_tests::oracle::convex::{Plane, box_planes, polytope};
use onion_tests::oracle::expand::expand;
use onion_tests::oracle::vec3::{V3, add, dot, length, sub};
use onion_tests::oracle::world::HullWorld;
use onion_tests::random::Random;

/// Returns the volume inside the planes, or 0 if they leave none.
pub fn volume_of(planes: &[Plane]) -> f64 {
    polytope(planes).map_or(0.0, |solid| solid.volume())
}

/// Returns the same planes in the opposite order.
pub fn flipped(planes: &[Plane]) -> Vec<Plane> {
    planes.iter().rev().copied().collect()
}

pub fn has_point(points: &[V3], p: V3, within: f64) -> bool {
    points.iter().any(|&q| length(sub(p, q)) <= within)
}

/// Makes a random convex solid of `sides` to `sides + 6` planes about `middle`, `size` units wide.
pub fn random_brush(random: &mut Random, middle: V3, size: f64, sides: usize) -> Vec<Plane> {
    let half = [0, 1, 2].map(|_| random.between(0.2, 1.0) * size);
    let mut planes = box_planes(sub(middle, half), add(middle, half));
    for _ in 0..sides {
        let n = random.direction();
        planes.push((n, dot(n, middle) + random.between(0.3, 1.0) * size));
    }
    planes
}

/// Expands brushes by a box.
pub fn world_of(brushes: &[Vec<Plane>], (mins, maxs): (V3, V3)) -> HullWorld {
    let solids = brushes.iter().filter_map(|b| expand(b, mins, maxs));
    HullWorld::new(solids.collect())
}

/// Makes two boxes that abut at x = 10, and a third from x = 30 to 40.
pub fn row() -> HullWorld {
    let boxes = [(0.0, 10.0), (10.0, 20.0), (30.0, 40.0)];
    let planes = boxes.map(|(a, b)| box_planes([a, 0.0, 0.0], [b, 10.0, 10.0]));
    world_of(&planes, ([0.0; 3], [0.0; 3]))
}

/// Makes a world of random brushes, expanded by a box.
pub fn random_world(random: &mut Random, count: usize, size: f64, hull: (V3, V3)) -> HullWorld {
    let brush = |number: usize| {
        let middle = random.point([-200.0; 3], [200.0; 3]);
        random_brush(random, middle, size, number % 5)
    };
    world_of(&(0..count).map(brush).collect::<Vec<_>>(), hull)
}

/// Whether a point is deeper than `deep` inside a solid: no tree, no clipping, only the point against all planes.
pub fn inside_any(world: &HullWorld, p: V3, grow: f64, deep: f64) -> bool {
    let inside = |&(n, d): &Plane| dot(n, p) - d - grow < -deep;
    let mut solids = world.solids().iter();
    solids.any(|e| e.planes.iter().all(inside))
}
