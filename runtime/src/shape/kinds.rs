//! The shapes that can be traced: sizes in; a shape in checked, normalized form out. Every shape is a core about a
//! center (a point, a segment, a box, a prism or a convex set), plus a ball of some radius. The sum of a brush and a
//! reflected shape is then brush plus reflected core plus ball, and the traced point is the shape's center. All cores
//! but convex sets are symmetric about it, so they are their own reflections.

use core::fmt;

use onion_format::WORLD_LIMIT;

use super::polytope::Polytope;
use super::prism::Prism;
use crate::math::aabb::Aabb;
use crate::math::coordinate::{Coordinate, widened};
use crate::math::vector::{Vector, across, add, along, direction, dot, largest, scale, sub};
use crate::tolerance::AXES_TOLERANCE;

/// The axes of a box that is not turned.
const COORDINATE_AXES: [Vector; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A shape to trace, in units relative to the point that moves. No part of it may be farther than
/// [`onion_format::WORLD_LIMIT`] (65,536 units) from that point on any axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Position of the core's center relative to the point that moves, in units.
    pub(super) center: Vector,
    /// The shape that a radius may be added to.
    pub(super) core: Core,
    /// In units; 0 for points, boxes, prisms and convex sets.
    pub(super) radius: f64,
}

/// A shape without its radius, relative to the shape's center.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "shapes are values without memory of their own, and few at a time"
)]
pub(super) enum Core {
    /// A point, or a ball if there is a radius.
    Point,
    /// From minus this vector to plus this vector.
    Segment(Vector),
    /// Half the size of an axis-aligned box.
    Box(Vector),
    /// A box with unit axes at right angles.
    Oriented { axes: [Vector; 3], half: Vector },
    /// A prism, such as one that stands for a cylinder.
    Prism(Prism),
    /// The convex hull of some corners.
    Polytope(Polytope),
}

/// The reason why a shape cannot be traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A coordinate is infinite or not a number.
    NotFinite,
    /// The lower corner of a box is above the upper one, or a size or a radius is below 0.
    Negative,
    /// The shape reaches farther than [`onion_format::WORLD_LIMIT`] from its point.
    TooLarge,
    /// The axes are not unit vectors at right angles, within 1/1024.
    SkewedAxes,
    /// A cylinder has no size, or its number of sides is not 8, 16 or 32.
    BadCylinder,
    /// A convex set has more than 32 corners, or they lie in a plane or so close to each other that rounding hides its
    /// faces.
    BadCorners,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite => write!(f, "a number of the shape is infinite or not a number"),
            Self::Negative => write!(f, "a size or a radius of the shape is below 0"),
            Self::TooLarge => write!(
                f,
                "the shape reaches farther than {WORLD_LIMIT} units from its point"
            ),
            Self::SkewedAxes => write!(
                f,
                "the axes of the box are not unit vectors at right angles, within 1/1024"
            ),
            Self::BadCylinder => write!(
                f,
                "a radius or a height of the cylinder is 0, or its number of sides is not 8, 16 or 32"
            ),
            Self::BadCorners => write!(
                f,
                "there are more than 32 corners, or they lie in a plane or too close to each other"
            ),
        }
    }
}

impl core::error::Error for ShapeError {}

impl Shape {
    /// The shape that is a single point.
    pub const POINT: Self = Self {
        center: [0.0; 3],
        core: Core::Point,
        radius: 0.0,
    };

    /// Returns an axis-aligned box; any extent may be 0.
    ///
    /// # Errors
    /// A corner is not finite, the lower one is above the upper one, or one is too far away.
    pub fn axial_box<T: Coordinate>(bounds: Aabb<T>) -> Result<Self, ShapeError> {
        let Aabb { mins, maxs } = bounds.widened();
        let half = scale(&sub(&maxs, &mins), 0.5);
        Self {
            center: scale(&add(&mins, &maxs), 0.5),
            core: Core::Box(half),
            radius: 0.0,
        }
        .checked(&half)
    }

    /// Returns a ball; the radius may be 0.
    ///
    /// # Errors
    /// A number is not finite, the radius is below 0, or the ball reaches too far.
    pub fn sphere<T: Coordinate>(center: impl Into<[T; 3]>, radius: T) -> Result<Self, ShapeError> {
        Self {
            center: widened(center.into()),
            core: Core::Point,
            radius: radius.widen(),
        }
        .checked(&[0.0; 3])
    }

    /// Returns a capsule: all points within `radius` of the segment from `a` to `b`, which may coincide. The radius
    /// may be 0.
    ///
    /// # Errors
    /// A number is not finite, the radius is below 0, or the capsule reaches too far.
    pub fn capsule<T: Coordinate>(
        a: impl Into<[T; 3]>,
        b: impl Into<[T; 3]>,
        radius: T,
    ) -> Result<Self, ShapeError> {
        let (a, b) = (widened(a.into()), widened(b.into()));
        let half = scale(&sub(&b, &a), 0.5);
        Self {
            center: scale(&add(&a, &b), 0.5),
            core: Core::Segment(half),
            radius: radius.widen(),
        }
        .checked(&half.map(f64::abs))
    }

    /// Returns a box with its own axes; any extent may be 0. Axes within 1/1024 of unit vectors at right angles are
    /// corrected.
    ///
    /// # Errors
    /// A number is not finite, a size is below 0, the axes are farther off than that, or the box reaches too far.
    pub fn oriented_box<T: Coordinate>(
        center: impl Into<[T; 3]>,
        half_size: impl Into<[T; 3]>,
        axes: [impl Into<[T; 3]>; 3],
    ) -> Result<Self, ShapeError> {
        let axes = straightened(&axes.map(|axis| widened(axis.into())))?;
        let half = widened(half_size.into());
        Self {
            center: widened(center.into()),
            core: Core::Oriented { axes, half },
            radius: 0.0,
        }
        .checked(&half)
    }

    /// Returns an upright cylinder as a prism of 8, 16 or 32 sides that lies around it. Four sides face the axes, and
    /// its edges are 8.2, 2 or 0.5% farther from its axis than the radius.
    ///
    /// # Errors
    /// A number is not finite, a size is not above 0, the number of sides is another, or the cylinder reaches too far.
    pub fn cylinder<T: Coordinate>(
        center: impl Into<[T; 3]>,
        radius: T,
        half_height: T,
        n_sides: usize,
    ) -> Result<Self, ShapeError> {
        if radius.widen() == 0.0 || half_height.widen() == 0.0 {
            return Err(ShapeError::BadCylinder);
        }
        let prism = Prism::around(radius, half_height, n_sides).ok_or(ShapeError::BadCylinder)?;
        let half = [radius.widen(), radius.widen(), half_height.widen()];
        Self::of_prism(widened(center.into()), prism).checked(&half)
    }

    /// Returns the convex hull of at most 32 corners, which must not lie in a plane. For a flat set, take a box
    /// without thickness, or add corners on both sides. To turn a set, turn its corners; it is then made again, which
    /// tries about `n^3 / 3` planes for `n` corners.
    ///
    /// # Errors
    /// A number is not finite, a corner is too far away, there are too many corners, they lie in a plane within 2^-31
    /// units, or they are so close to each other that rounding hides the faces.
    pub fn convex<T: Coordinate>(corners: &[impl Into<[T; 3]> + Copy]) -> Result<Self, ShapeError> {
        let corners = corners.iter().map(|&corner| widened(corner.into()));
        let is_finite = |corner: Vector| corner.iter().all(|number| number.is_finite());
        if !corners.clone().all(is_finite) {
            return Err(ShapeError::NotFinite);
        }
        let bound = |one: fn(f64, f64) -> f64| {
            let each = |a: Vector, b: Vector| [0, 1, 2].map(|axis| one(a[axis], b[axis]));
            corners.clone().reduce(each).ok_or(ShapeError::BadCorners)
        };
        let (mins, maxs) = (bound(f64::min)?, bound(f64::max)?);
        let Self { center, .. } = Self::axial_box(Aabb::new(mins, maxs))?;
        // Relative to the middle of their box, so that rounding depends on the size of the set and not on where it is.
        let polytope = Polytope::new(corners.map(|corner| sub(&corner, &center)));
        Ok(Self {
            center,
            core: Core::Polytope(polytope.ok_or(ShapeError::BadCorners)?),
            radius: 0.0,
        })
    }

    /// Returns the shape of a hull with these corners, which is an upright prism if it has sides: halves of them, one
    /// for each pair of opposite ones.
    pub(crate) fn of_hull(
        [mins, maxs]: [[f32; 3]; 2],
        sides: impl Iterator<Item = [f32; 2]>,
    ) -> Self {
        let (mins, maxs) = (widened(mins), widened(maxs));
        let half = scale(&sub(&maxs, &mins), 0.5);
        let mut sides = sides.map(|side| side.map(f64::from)).peekable();
        let center = scale(&add(&mins, &maxs), 0.5);
        match sides.peek() {
            Some(_) => Self::of_prism(center, Prism::new(half[2], sides)),
            None => Self {
                center,
                core: Core::Box(half),
                radius: 0.0,
            },
        }
    }

    /// Returns the shape of a prism around its center, which has no radius.
    fn of_prism(center: Vector, prism: Prism) -> Self {
        Self {
            center,
            core: Core::Prism(prism),
            radius: 0.0,
        }
    }

    /// Returns the shape of a hull, turned about the point that moves.
    pub(crate) fn turned(&self, turn: impl Fn(Vector) -> Vector) -> Self {
        let center = turn(self.center);
        match self.core {
            // Hulls are never too large for a shape, and turned axes stay orthonormal.
            Core::Box(half) => {
                Self::oriented_box(center, half, COORDINATE_AXES.map(turn)).unwrap_or(Self::POINT)
            }
            Core::Prism(prism) => Self::of_prism(center, prism.turned(turn)),
            _ => *self,
        }
    }

    /// Returns a corner of a hull: of the ends of each edge, `is_low` chooses the one behind.
    pub(crate) fn corner(&self, is_low: impl Fn(&Vector) -> bool) -> Vector {
        let towards = |corner: Vector, half: &Vector| {
            along(&corner, half, if is_low(half) { -1.0 } else { 1.0 })
        };
        match &self.core {
            Core::Box([x, y, z]) => [[*x, 0.0, 0.0], [0.0, *y, 0.0], [0.0, 0.0, *z]]
                .iter()
                .fold(self.center, towards),
            Core::Prism(prism) => prism.edges().fold(self.center, towards),
            _ => self.center,
        }
    }

    /// Returns the box around the shape, relative to the point that moves.
    pub fn bounds(&self) -> Aabb<f64> {
        let reach = COORDINATE_AXES.map(|axis| self.support(&axis) + self.radius);
        Aabb::new(sub(&self.center, &reach), add(&self.center, &reach))
    }

    /// Returns the shape if it is valid; `half` is half the size of its core.
    fn checked(self, half: &Vector) -> Result<Self, ShapeError> {
        let Aabb { mins, maxs } = self.bounds();
        let numbers = [self.center, *half, mins, maxs];
        if !numbers
            .as_flattened()
            .iter()
            .all(|number| number.is_finite())
        {
            return Err(ShapeError::NotFinite);
        }
        if self.radius < 0.0 || half.iter().any(|&half| half < 0.0) {
            return Err(ShapeError::Negative);
        }
        // Beyond this, rounding would exceed the tolerances.
        if largest(&mins).max(largest(&maxs)) > WORLD_LIMIT {
            return Err(ShapeError::TooLarge);
        }
        // A core without extent is a point, which has the fewest slabs; the answers are the same.
        let core = if *half == [0.0; 3] {
            Core::Point
        } else {
            self.core
        };
        Ok(Self { core, ..self })
    }

    /// Returns the extent of the reflected core along a direction, times the direction's length.
    #[inline(always)]
    pub(super) fn support(&self, direction: &Vector) -> f64 {
        match &self.core {
            Core::Point => 0.0,
            Core::Segment(half) => dot(direction, half).abs(),
            Core::Box(half) => dot(&direction.map(f64::abs), half),
            Core::Oriented { axes, half } => {
                let [x, y, z] = axes;
                let along = [dot(direction, x), dot(direction, y), dot(direction, z)];
                dot(&along.map(f64::abs), half)
            }
            Core::Prism(prism) => prism.support(direction),
            Core::Polytope(polytope) => polytope.support(direction),
        }
    }
}

/// Orthonormalizes axes to the precision of f64, turning each as little as the ones before it allow (Gram-Schmidt).
fn straightened(axes: &[Vector; 3]) -> Result<[Vector; 3], ShapeError> {
    if !axes.as_flattened().iter().all(|number| number.is_finite()) {
        return Err(ShapeError::NotFinite);
    }
    let [x, y, z] = axes;
    let is_unit = |axis: &Vector| (dot(axis, axis) - 1.0).abs() <= 2.0 * AXES_TOLERANCE;
    let is_right = |a: &Vector, b: &Vector| dot(a, b).abs() <= AXES_TOLERANCE;
    if !(axes.iter().all(is_unit) && is_right(x, y) && is_right(y, z) && is_right(z, x)) {
        return Err(ShapeError::SkewedAxes);
    }
    let unit = |axis: &Vector| direction(axis).map(|(unit, _)| unit);
    let straight = || {
        let x = unit(x)?;
        let y = unit(&across(y, &x))?;
        let z = unit(&across(&across(z, &x), &y))?;
        Some([x, y, z])
    };
    straight().ok_or(ShapeError::SkewedAxes)
}
