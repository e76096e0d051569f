//! Poses: the position and rotation of a model, and its way from one pose to another. On the way, the origin moves
//! along a line, and the model turns about one axis at a constant rate.

use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::segment::in_domain;
use crate::math::vector::{Vector, add, cross, direction, dot, length, opposite, sub};

/// The position of a model's origin, and the rotation of the model about it. Needs the feature `shapes`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The position, in units.
    origin: Vector,
    /// The rotation from the model's axes to those of the world.
    rotation: Rotation,
}

/// A rotation as a unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rotation {
    /// The axis, times the sine of half of the angle.
    vector: Vector,
    /// The cosine of half of the angle.
    scalar: f64,
}

impl Pose {
    /// Returns the pose of a model that is not turned, with its origin at this place in the world, in units.
    pub fn at<T: Coordinate>(origin: impl Into<[T; 3]>) -> Self {
        Self {
            origin: widened(origin.into()),
            rotation: Rotation::NONE,
        }
    }

    /// Returns the pose of a model that is turned about an axis, which need not be a unit vector, by an angle in
    /// radians, counterclockwise as seen by an observer at whom the axis points. `None` if a number is not finite or
    /// the axis is zero.
    ///
    /// A model turns about its origin, which in most maps is not the hinge of a door but the origin of the map. A
    /// door that turns about its hinge needs the origin that keeps the hinge where it is:
    ///
    /// ```
    /// use onion_runtime::Pose;
    ///
    /// let closed = Pose::at([0.0, 0.0, 0.0]); // As `OnionMap::movers` returns it.
    /// let hinge = [64.0, -32.0, 0.0]; // A point of the hinge, in the model's space.
    /// let turned = |degrees: f64| {
    ///     let turn = Pose::turned([0.0; 3], [0.0, 0.0, 1.0], degrees.to_radians())?;
    ///     let place: [f64; 3] = closed.to_world(hinge);
    ///     let arm = turn.turn_to_world(hinge);
    ///     Some(turn.with_origin([0, 1, 2].map(|axis| place[axis] - arm[axis])))
    /// };
    ///
    /// let open = turned(90.0).unwrap();
    /// // The handle is 60 units along y from the hinge, and then 60 units along -x.
    /// let handle: [f64; 3] = open.to_world([64.0, 28.0, 40.0]);
    /// assert_eq!(handle.map(f64::round), [4.0, -32.0, 40.0]);
    /// ```
    pub fn turned<T: Coordinate>(
        origin: impl Into<[T; 3]>,
        axis: impl Into<[T; 3]>,
        angle: T,
    ) -> Option<Self> {
        let (origin, angle) = (widened(origin.into()), angle.widen());
        let axis = unit(&widened(axis.into()))?;
        let is_finite = angle.is_finite() && in_domain(&origin);
        let rotation = Rotation::about(&axis, angle);
        is_finite.then_some(Self { origin, rotation })
    }

    /// Returns the pose of a model that is turned by a quaternion `x, y, z, w` of any length. `None` if a number is
    /// not finite or all are zero.
    pub fn quaternion<T: Coordinate>(
        origin: impl Into<[T; 3]>,
        quaternion: impl Into<[T; 4]>,
    ) -> Option<Self> {
        let origin = widened(origin.into());
        let parts = quaternion.into().map(T::widen);
        let largest = parts.iter().fold(0.0f64, |most, part| most.max(part.abs()));
        // So that no square overflows or underflows.
        let [x, y, z, w] = parts.map(|part| part / largest);
        let length = libm::sqrt(x * x + y * y + z * z + w * w);
        let vector = [x, y, z].map(|part| part / length);
        let is_finite = length.is_finite() && in_domain(&origin);
        let rotation = Rotation {
            vector,
            scalar: w / length,
        };
        is_finite.then_some(Self { origin, rotation })
    }

    /// Returns the same rotation with the model's origin at another place.
    #[must_use]
    pub fn with_origin<T: Coordinate>(self, origin: impl Into<[T; 3]>) -> Self {
        Self {
            origin: widened(origin.into()),
            ..self
        }
    }

    /// Returns the place of the model's origin in the world, in units.
    pub fn origin<T: Coordinate>(&self) -> [T; 3] {
        narrowed(self.origin)
    }

    /// Whether the model is turned at all.
    pub fn is_turned(&self) -> bool {
        self.rotation.vector != [0.0; 3]
    }

    /// Converts a point from the world to the model's space.
    pub fn to_model<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> [T; 3] {
        let away = sub(&widened(point.into()), &self.origin);
        narrowed(self.rotation.inverse().turn(away))
    }

    /// Converts a direction from the world to the model's space.
    pub fn turn_to_model<T: Coordinate>(&self, direction: impl Into<[T; 3]>) -> [T; 3] {
        let direction = widened(direction.into());
        narrowed(self.rotation.inverse().turn(direction))
    }

    /// Converts a direction from the model's space to the world.
    pub fn turn_to_world<T: Coordinate>(&self, direction: impl Into<[T; 3]>) -> [T; 3] {
        narrowed(self.rotation.turn(widened(direction.into())))
    }

    /// Converts a point from the model's space to the world.
    pub fn to_world<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> [T; 3] {
        let turned = self.rotation.turn(widened(point.into()));
        narrowed(add(&turned, &self.origin))
    }
}

/// The way from one pose to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    /// The pose when the tick begins.
    from: Pose,
    /// The pose when it ends.
    to: Pose,
    /// The axis of the turn, a unit vector in the world.
    axis: [f64; 3],
    /// Angle of the whole turn, in radians, from 0 to pi.
    pub(crate) angle: f64,
}

impl Course {
    /// Returns the way that moves the origin straight and turns the model evenly about one axis.
    pub(crate) fn new(from: Pose, to: Pose) -> Self {
        let turn = to.rotation.after(&from.rotation.inverse());
        // Takes the shorter of the two ways about the axis.
        let turn = if turn.scalar < 0.0 {
            turn.negated()
        } else {
            turn
        };
        // From sine and cosine together: near 0 an arc cosine would lose half of the digits, and near half a turn an
        // arc sine would.
        let sine = length(&turn.vector);
        // Exactly 0 for equal rotations, whatever rounding leaves of their quotient: then no brushes are needed.
        let angle = if from.rotation == to.rotation {
            0.0
        } else {
            2.0 * libm::atan2(sine, turn.scalar)
        };
        Self {
            from,
            to,
            // Without a turn any axis will do.
            axis: unit(&turn.vector).unwrap_or([0.0, 0.0, 1.0]),
            angle,
        }
    }

    /// Whether the model is turned at any moment.
    pub(crate) fn is_turned(&self) -> bool {
        self.angle > 0.0 || self.from.is_turned()
    }

    /// Returns the whole turn as a rotation vector in the world: its axis, as long as its angle in radians.
    pub(crate) fn turn(&self) -> [f64; 3] {
        self.axis.map(|component| component * self.angle)
    }

    /// Returns the pose at a moment, 0 to 1.
    pub(crate) fn at(&self, moment: f64) -> Pose {
        // Without rounding, because the next tick begins there.
        if moment >= 1.0 {
            return self.to;
        }
        let origin = [0, 1, 2].map(|axis| {
            let [from, to] = [self.from, self.to].map(|pose| pose.origin[axis]);
            from + (to - from) * moment
        });
        let rotation = if self.angle == 0.0 {
            self.from.rotation
        } else {
            let turn = Rotation::about(&self.axis, self.angle * moment);
            turn.after(&self.from.rotation)
        };
        Pose { origin, rotation }
    }
}

impl Rotation {
    /// No rotation.
    const NONE: Self = Self {
        vector: [0.0; 3],
        scalar: 1.0,
    };

    /// Returns the rotation about a unit axis by an angle in radians.
    fn about(axis: &[f64; 3], angle: f64) -> Self {
        let (sine, cosine) = (libm::sin(angle / 2.0), libm::cos(angle / 2.0));
        Self {
            vector: axis.map(|component| component * sine),
            scalar: cosine,
        }
    }

    /// Returns the rotation back.
    fn inverse(&self) -> Self {
        Self {
            vector: opposite(self.vector),
            scalar: self.scalar,
        }
    }

    /// Returns the same rotation as the negated quaternion.
    /// Both turn a vector alike; they stand for the two ways around the axis.
    fn negated(&self) -> Self {
        Self {
            vector: opposite(self.vector),
            scalar: 0.0 - self.scalar,
        }
    }

    /// Returns this rotation after another.
    fn after(&self, first: &Self) -> Self {
        let (a, b) = (&self.vector, &first.vector);
        let across = cross(a, b);
        let vector =
            [0, 1, 2].map(|axis| self.scalar * b[axis] + first.scalar * a[axis] + across[axis]);
        let along = dot(a, b);
        Self {
            vector,
            scalar: self.scalar * first.scalar - along,
        }
    }

    /// Turns a vector. Without a rotation, it is the same to the bit.
    fn turn(&self, vector: [f64; 3]) -> [f64; 3] {
        if self.vector == [0.0; 3] {
            return vector;
        }
        // Two cross products instead of the product with a matrix: `v + 2s (q x v) + 2q x (q x v)`.
        let twice = cross(&self.vector, &vector).map(|component| 2.0 * component);
        let again = cross(&self.vector, &twice);
        [0, 1, 2].map(|axis| vector[axis] + self.scalar * twice[axis] + again[axis])
    }
}

/// Returns the unit vector of the same direction, or `None` for a vector that is zero or not finite.
fn unit(vector: &[f64; 3]) -> Option<[f64; 3]> {
    let (unit, length) = direction(vector)?;
    length.is_finite().then_some(unit)
}
