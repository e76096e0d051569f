// Poses: the position and rotation of a model, and its way from one pose to another. On the way, the origin moves
// along a line, and the model turns about one axis at a constant rate. Names and the order of all arithmetic are
// those of Rust's `scene::pose`.

import { atan2, cos, sin } from "./libm.mjs";
import { isInDomain, toPoint } from "./trace.mjs";
import { add, cross, direction, dot, isZero, length, opposite, scale, sub } from "./vector.mjs";

/** A rotation as a unit quaternion: a vector and a scalar. */
const NONE = { vector: [0, 0, 0], scalar: 1 };

/** The position of a model's origin, and the rotation of the model about it. Poses do not change. */
export class Pose {
  /** @type {[number, number, number]} The place of the model's origin in the world, in units. */ origin;
  #rotation;

  /** Poses are made by `at`, `turned` and `quaternion`. */
  constructor(origin, rotation = NONE) {
    this.origin = Object.freeze(toPoint(origin));
    this.#rotation = rotation;
    Object.freeze(this);
  }

  /** Returns the pose of a model that is not turned, with its origin at this place. */
  static at(origin) {
    return new Pose(origin);
  }

  /**
   * Returns the pose of a model that is turned about an axis of any length, by an angle in radians, counterclockwise
   * as seen by an observer at whom the axis points.
   * @throws {RangeError} A number is not finite, or the axis is zero.
   */
  static turned(origin, axis, angle) {
    const unit = unitOf(toPoint(axis));
    checkFinite(origin, unit !== null && Number.isFinite(angle));
    return new Pose(origin, about(unit, angle));
  }

  /**
   * Returns the pose of a model that is turned by a quaternion `[x, y, z, w]` of any length.
   * @throws {RangeError} A number is not finite, or all are zero.
   */
  static quaternion(origin, quaternion) {
    const most = Math.max(...Array.from(quaternion, Math.abs));
    const [x, y, z, w] = Array.from(quaternion, (part) => part / most);
    const size = Math.sqrt(x * x + y * y + z * z + w * w);
    checkFinite(origin, Number.isFinite(size));
    return new Pose(origin, { vector: [x / size, y / size, z / size], scalar: w / size });
  }

  /** Returns the same rotation with the model's origin at another place. */
  withOrigin(origin) {
    return new Pose(origin, this.#rotation);
  }

  /** Whether the model is turned at all. */
  isTurned() {
    return !isZero(this.#rotation.vector);
  }

  /** Converts a point from the world to the model's space. */
  toModel(point) {
    return turn(inverse(this.#rotation), sub(point, this.origin));
  }

  /** Converts a direction from the world to the model's space. */
  turnToModel(direction) {
    return turn(inverse(this.#rotation), direction);
  }

  /** Converts a direction from the model's space to the world. */
  turnToWorld(direction) {
    return turn(this.#rotation, direction);
  }

  /** Converts a point from the model's space to the world. */
  toWorld(point) {
    return add(turn(this.#rotation, point), this.origin);
  }

  /**
   * Returns the way from one pose to another: the `angle` of the whole turn in radians, from 0 to pi; `turn`, its axis
   * with that length; whether the model `isTurned` at any moment; whether both poses are the same, as `isStill`; and the
   * pose `at` a moment, 0 to 1.
   */
  static course(from, to) {
    const [first, last] = [from.#rotation, to.#rotation];
    let { vector, scalar } = after(last, inverse(first));
    // Takes the shorter of the two ways about the axis.
    if (scalar < 0) [vector, scalar] = [opposite(vector), 0 - scalar];
    const isSame = first.scalar === last.scalar && first.vector.every((part, k) => part === last.vector[k]);
    const angle = isSame ? 0 : 2 * atan2(length(vector), scalar);
    const axis = unitOf(vector) ?? [0, 0, 1];
    const at = (moment) => {
      // Without rounding, because the next tick begins there.
      if (moment >= 1) return to;
      const origin = from.origin.map((start, k) => start + (to.origin[k] - start) * moment);
      return new Pose(origin, angle === 0 ? first : after(about(axis, angle * moment), first));
    };
    const isStill = isSame && from.origin.every((part, k) => part === to.origin[k]);
    return { angle, turn: scale(axis, angle), isTurned: angle > 0 || from.isTurned(), isStill, at };
  }
}

function checkFinite(origin, areFinite) {
  if (!areFinite || !isInDomain(toPoint(origin))) {
    throw new RangeError("a number of the pose is infinite, too large or not a number, or its rotation is all zero");
  }
}

/** Returns the unit vector of the same direction, or null for a vector that is zero or not finite. */
function unitOf(vector) {
  const found = direction(vector);
  return found && Number.isFinite(found.length) ? found.unit : null;
}

// ---- Rotations ----

/** Returns the rotation about a unit axis by an angle in radians. */
function about(axis, angle) {
  const sine = sin(angle / 2);
  return { vector: axis.map((component) => component * sine), scalar: cos(angle / 2) };
}

function inverse({ vector, scalar }) {
  return { vector: opposite(vector), scalar };
}

/** Returns a rotation after another. */
function after(last, first) {
  const [a, b] = [last.vector, first.vector];
  const across = cross(a, b);
  const vector = across.map((part, axis) => last.scalar * b[axis] + first.scalar * a[axis] + part);
  return { vector, scalar: last.scalar * first.scalar - dot(a, b) };
}

function turn({ vector, scalar }, v) {
  if (isZero(vector)) return [...v];
  const twice = cross(vector, v).map((component) => 2 * component);
  const again = cross(vector, twice);
  return again.map((part, axis) => v[axis] + scalar * twice[axis] + part);
}
