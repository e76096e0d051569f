//! Bounds are the half-spaces whose intersection is a piece, before their planes are rounded to the grid. This module
//! also bounds the distance of a point from that intersection.

use glam::DVec3;
use onion_geometry::grid;

use crate::tolerance::OVERLAP;

/// Iteration limit of [`distance`]; two or three planes that meet at 60 degrees take about ten iterations.
const ROUNDS: usize = 32;

/// A half-space that contains a piece: the points whose dot product with a normal is at most `dist`.
#[derive(Clone, Copy)]
pub struct Bound {
    /// Unit normal, on the grid of patches.
    pub normal: DVec3,
    /// Distance from the origin, in units.
    pub dist: f64,
}

impl Bound {
    /// Returns an upper bound on the distance of a curve or surface with these control points behind the plane.
    pub fn gap(&self, control: &[DVec3]) -> f64 {
        let products = control.iter().map(|point| self.normal.dot(*point));
        self.dist - products.fold(f64::INFINITY, f64::min)
    }

    pub fn sine(&self, other: &Self) -> f64 {
        self.normal.cross(other.normal).length()
    }
}

/// Returns an upper bound on the distance of a point from the intersection of all bounds: the distance to a point of it
/// that Hildreth's method ("A quadratic programming procedure", 1957) finds near. Infinite if the method finds none
/// within the iteration limit.
pub fn distance(bounds: &[Bound], point: DVec3) -> f64 {
    let mut at = point;
    let mut steps = vec![0.0; bounds.len()];
    for _ in 0..ROUNDS {
        let ahead = |bound: &Bound| bound.normal.dot(at) - bound.dist;
        if bounds.iter().all(|bound| ahead(bound) <= 0.0) {
            return at.distance(point);
        }
        for (bound, step) in bounds.iter().zip(&mut steps) {
            // Aims slightly behind the bound, so that the iteration ends.
            let ahead = bound.normal.dot(at) - bound.dist + OVERLAP / 2.0;
            let next = f64::max(*step + ahead / bound.normal.length_squared(), 0.0);
            at -= bound.normal * (next - *step);
            *step = next;
        }
    }
    f64::INFINITY
}

/// Rounds a normal to the grid of patches.
pub fn coarse(normal: DVec3) -> DVec3 {
    let one = grid::NORMAL_ONE as f64;
    normal.map(|component| grid::coarse_normal_component(component) as f64 / one)
}
