//! Upright prisms whose base is a polygon with a center of symmetry: the halves of the sides in; what traces need of
//! them out. The sides of a regular base stand for a cylinder. A prism is the Minkowski sum of its halves, taken in
//! both directions, so its support is a sum, and an edge of a brush spans a face with a half exactly if the normals of
//! the brush's faces look to different sides of it, as for boxes.

use onion_format::MAX_PRISM_SIDES;

use super::ring::ring;
use crate::math::coordinate::Coordinate;
use crate::math::vector::{Vector, add, cross, direction, dot, scale, sub};

/// A prism without its center.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prism {
    /// Half of its height, as a vector, in units.
    up: Vector,
    /// Halves of the sides, in units, one for each pair of opposite sides, counterclockwise within half a turn.
    halves: [Vector; MAX_PRISM_SIDES],
    /// Number of halves in use: half of the number of sides.
    n_halves: usize,
}

impl Prism {
    /// Returns the prism with a height and the halves of its sides, of which there are at most [`MAX_PRISM_SIDES`].
    pub(super) fn new(half_height: f64, sides: impl Iterator<Item = [f64; 2]>) -> Self {
        let mut prism = Self {
            up: [0.0, 0.0, half_height],
            halves: [[0.0; 3]; MAX_PRISM_SIDES],
            n_halves: 0,
        };
        // Loading and `ring` keep to the maximum, so no side is dropped.
        for (place, [x, y]) in prism.halves.iter_mut().zip(sides) {
            *place = [x, y, 0.0];
            prism.n_halves += 1;
        }
        prism
    }

    /// Returns the prism with a regular base around a circle, or `None` if it cannot have this number of sides.
    pub(super) fn around<T: Coordinate>(radius: T, half_height: T, n_sides: usize) -> Option<Self> {
        let ring = ring(n_sides)?;
        // The distance of a side from the center, for halves of length 1.
        let reach: f64 = ring.clone().map(|[_, y]| y).sum();
        let length = radius.widen() / reach;
        let sides = ring.map(|[x, y]| [x * length, y * length]);
        Some(Self::new(half_height.widen(), sides))
    }

    /// Returns the prism with all its vectors turned.
    pub(super) fn turned(&self, turn: impl Fn(Vector) -> Vector) -> Self {
        Self {
            up: turn(self.up),
            halves: self.halves.map(&turn),
            n_halves: self.n_halves,
        }
    }

    /// Returns the halves of the sides.
    fn sides(&self) -> impl DoubleEndedIterator<Item = &Vector> + Clone {
        self.halves.iter().take(self.n_halves)
    }

    /// Returns the halves of all edges: of the sides, and of the height.
    pub(super) fn edges(&self) -> impl Iterator<Item = &Vector> {
        self.sides().chain([&self.up])
    }

    /// Returns the extent from the center along a direction, times the length of the direction.
    pub(super) fn support(&self, direction: &Vector) -> f64 {
        self.edges().map(|half| dot(direction, half).abs()).sum()
    }

    /// Returns the unit normals of the faces.
    pub(super) fn normals(&self) -> impl Iterator<Item = Vector> {
        // Up is not given as (0, 0, 1), because a turned prism is a prism, too.
        let sides = self.sides().map(|half| cross(half, &self.up));
        let normals = sides.chain([self.up]);
        let units = normals.filter_map(|normal| Some(direction(&normal)?.0));
        units.flat_map(|normal| [normal, scale(&normal, -1.0)])
    }

    /// Returns the corners, relative to the center.
    pub(super) fn corners(&self) -> impl Iterator<Item = Vector> {
        let all = self
            .sides()
            .fold([0.0; 3], |corner, half| sub(&corner, half));
        // Around the base: all halves forward, then all of them back.
        let around = self.sides().map(|half| scale(half, 2.0));
        let back = self.sides().map(|half| scale(half, -2.0));
        let base = around.chain(back).scan(all, |corner, step| {
            *corner = add(corner, &step);
            Some(*corner)
        });
        base.flat_map(|corner| [add(&corner, &self.up), sub(&corner, &self.up)])
    }
}
