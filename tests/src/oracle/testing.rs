//! Shared helpers of the oracle's own tests.
//!
//! In: planes, points, seeds. Out: volumes, look-ups, random numbers. Method: the volume is the divergence theorem
//! over the clipped polygons; random numbers are SplitMix64, so that every run is the same.

use super::convex::{Plane, polytope};
use super::vec3::{V3, add, dot, length, scale, sub};

/// The generator, SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniform number between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / 9_007_199_254_740_992.0)
    }

    /// Returns a uniform point in a box.
    pub fn point(&mut self, lo: V3, hi: V3) -> V3 {
        [0, 1, 2].map(|k| self.between(lo[k], hi[k]))
    }

    /// Returns a direction of length 1.
    pub fn direction(&mut self) -> V3 {
        loop {
            let p = self.point([-1.0; 3], [1.0; 3]);
            if (0.1..=1.0).contains(&length(p)) {
                return scale(p, 1.0 / length(p));
            }
        }
    }
}

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
    let mut planes = super::convex::box_planes(sub(middle, half), add(middle, half));
    for _ in 0..sides {
        let n = random.direction();
        planes.push((n, dot(n, middle) + random.between(0.3, 1.0) * size));
    }
    planes
}
