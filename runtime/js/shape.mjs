// Shapes of any size among the brushes of a model, and the contents at a point: a shape and its motion in, its first
// contact with a brush out. The file must hold the shapes of brushes (`onionc --brushes`). Names, answers and the
// order of all arithmetic are those of Rust's `shape`. A model may also be a map, which stands for its world.

import { WORLD_LIMIT } from "./brushes.mjs";
import { cast, overlaps } from "./cast.mjs";
import { Polytope } from "./polytope.mjs";
import { Prism } from "./prism.mjs";
import { brushesNear, solidOf, solidsNear, touched } from "./solid.mjs";
import { free, heldAt, retreat } from "./stop.mjs";
import { PARTS } from "./tables.mjs";
import { AXES_TOLERANCE, ON_PLANE } from "./tolerance.mjs";
import { isInDomain, pos, toPoint } from "./trace.mjs";
import { across, add, along, direction, dot, isZero, larger, largest, scale, sub } from "./vector.mjs";

/** Smallest positive number of full precision. */
const MIN_POSITIVE = 2 ** -1022;
const ALL_CONTENTS = 0xffffffff;
const COORDINATE_AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/**
 * A shape to trace, in units relative to the point that moves: a core (a point, a segment, a box, a prism or a convex
 * set) about a center, plus a ball. Shapes do not change. No part may be farther than 65,536 units from the point.
 */
export class Shape {
  /** @type {[number, number, number]} */ center;
  /** `kind`: "point", "segment", "box", "oriented" with `axes` or "prism" or "polytope" with `solid`; `half` its size. */
  core;
  /** @type {number} 0 for points, boxes, prisms and convex sets. */ radius;

  /** Shapes are made by the functions below, which throw a `RangeError` for a shape that cannot be traced. */
  constructor(center, core, radius) {
    [this.center, this.radius] = [center, radius];
    this.core = isZero(core.half) ? { kind: "point", half: [0, 0, 0] } : core;
    Object.freeze(this);
  }

  /** Returns an axis-aligned box; any extent may be 0. */
  static axialBox(mins, maxs) {
    const [low, high] = [toPoint(mins), toPoint(maxs)];
    const half = scale(sub(high, low), 0.5);
    return checked(scale(add(low, high), 0.5), { kind: "box", half }, 0, half);
  }

  /** Returns a ball; the radius may be 0. */
  static sphere(center, radius) {
    return checked(toPoint(center), { kind: "point", half: [0, 0, 0] }, radius, [0, 0, 0]);
  }

  /** Returns a capsule: all points within `radius` of the segment from `a` to `b`, which may coincide. */
  static capsule(a, b, radius) {
    const [from, to] = [toPoint(a), toPoint(b)];
    const half = scale(sub(to, from), 0.5);
    return checked(scale(add(from, to), 0.5), { kind: "segment", half }, radius, half.map(Math.abs));
  }

  /**
   * Returns a box with its own axes; any extent may be 0. Axes within 1/1024 of unit vectors at right angles are
   * corrected.
   */
  static orientedBox(center, halfSize, axes) {
    const straight = straightened(axes.map(toPoint));
    const half = toPoint(halfSize);
    return checked(toPoint(center), { kind: "oriented", half, axes: straight }, 0, half);
  }

  /**
   * Returns an upright cylinder as a prism of 8, 16 or 32 sides that lies around it. Four sides face the axes, and its
   * edges are 8.2, 2 or 0.5% farther from its axis than the radius.
   */
  static cylinder(center, radius, halfHeight, nSides) {
    const prism = radius !== 0 && halfHeight !== 0 ? Prism.around(radius, halfHeight, nSides) : null;
    const what = "a radius or a height of the cylinder is 0, or its number of sides is not 8, 16 or 32";
    if (!prism) throw new RangeError(what);
    const half = [radius, radius, halfHeight];
    return checked(toPoint(center), { kind: "prism", half, solid: prism }, 0, half);
  }

  /**
   * Returns the convex hull of at most 32 corners, which must not lie in a plane. To turn a set, turn its corners; it
   * is then made again, which tries about `n^3 / 3` planes for `n` corners.
   */
  static convex(corners) {
    const points = corners.map(toPoint);
    const bound = (of) => [0, 1, 2].map((axis) => of(...points.map((point) => point[axis])));
    const isFinite = points.flat().every(Number.isFinite);
    if (!isFinite) throw new RangeError("a number of the shape is infinite or not a number");
    const around = points.length > 0 ? Shape.axialBox(bound(Math.min), bound(Math.max)) : null;
    const solid = around && Polytope.hull(points.map((point) => sub(point, around.center)));
    const what = "there are more than 32 corners, or they lie in a plane or too close to each other";
    if (!solid) throw new RangeError(what);
    return new Shape(around.center, { kind: "polytope", half: around.core.half, solid }, 0);
  }

  /** Returns the shape of a hull, to trace it among brushes. */
  static ofHull({ mins, maxs, sides }) {
    const half = scale(sub(maxs, mins), 0.5);
    const core = sides.length > 0 ? { kind: "prism", half, solid: Prism.upright(half[2], sides) } : { kind: "box", half };
    return new Shape(scale(add(mins, maxs), 0.5), core, 0);
  }

  /** Returns the shape of a hull, turned about the point that moves. */
  turned(turn) {
    const center = turn(this.center);
    const { kind, half, solid } = this.core;
    if (kind === "prism") return new Shape(center, { kind, half, solid: solid.turned(turn) }, 0);
    return Shape.orientedBox(center, half, COORDINATE_AXES.map(turn));
  }

  /** Returns a corner of a hull: of the ends of each edge, `isLow` chooses the one behind. */
  corner(isLow) {
    const { kind, half: [x, y, z], solid } = this.core;
    const edges = kind === "prism" ? solid.edges : [[x, 0, 0], [0, y, 0], [0, 0, z]];
    return edges.reduce((corner, half) => along(corner, half, isLow(half) ? -1 : 1), this.center);
  }

  /** The box around the shape, relative to the point that moves: `{ mins, maxs }`. */
  bounds() {
    const reach = COORDINATE_AXES.map((axis) => this.support(axis) + this.radius);
    return { mins: sub(this.center, reach), maxs: add(this.center, reach) };
  }

  /** Returns the extent of the reflected core along a direction, times the direction's length. */
  support(direction) {
    const { kind, half, axes, solid } = this.core;
    if (kind === "point") return 0;
    if (kind === "segment") return Math.abs(dot(direction, half));
    if (kind === "box") return dot(direction.map(Math.abs), half);
    if (solid) return solid.support(direction);
    return dot(axes.map((axis) => Math.abs(dot(direction, axis))), half);
  }
}

/** Returns a shape if it is valid; `half` is half the size of its core. */
function checked(center, core, radius, half) {
  const shape = new Shape(center, core, radius);
  const { mins, maxs } = shape.bounds();
  const isFinite = [...center, ...half, ...mins, ...maxs].every(Number.isFinite);
  if (!isFinite) throw new RangeError("a number of the shape is infinite or not a number");
  if (radius < 0 || half.some((part) => part < 0)) throw new RangeError("a size or a radius of the shape is below 0");
  if (larger(largest(mins), largest(maxs)) > WORLD_LIMIT) {
    throw new RangeError(`the shape reaches farther than ${WORLD_LIMIT} units from its point`);
  }
  return shape;
}

/** Orthonormalizes axes to the precision of f64, turning each as little as the ones before it allow. */
function straightened(axes) {
  const [x, y, z] = axes;
  if (!axes.flat().every(Number.isFinite)) throw new RangeError("a number of the shape is infinite or not a number");
  const isUnit = (axis) => Math.abs(dot(axis, axis) - 1) <= 2 * AXES_TOLERANCE;
  const isRight = ([a, b]) => Math.abs(dot(a, b)) <= AXES_TOLERANCE;
  const isStraight = axes.every(isUnit) && [[x, y], [y, z], [z, x]].every(isRight);
  if (!isStraight) throw new RangeError("the axes are not unit vectors at right angles, within 1/1024");
  const first = direction(x).unit;
  const second = direction(across(y, first)).unit;
  return [first, second, direction(across(across(z, first), second)).unit];
}

/** Returns the parts of a model, or of a map's world, whose file has the shapes of brushes. */
function shapesOf(modelOrMap) {
  const model = modelOrMap.world?.() ?? modelOrMap;
  const parts = { index: model.index, ...model[PARTS] };
  if (!parts.tables.shapes) throw new Error("the file has no shapes of brushes; compile it with --brushes");
  return parts;
}

/**
 * Returns the contents at a point: the union of the contents of all brushes that contain it, or 0. A point that touches
 * a brush is outside. For a point that is not finite or beyond 2^30 units, the answer is all contents, 0xffffffff.
 * @throws {Error} The file was compiled without `--brushes`.
 */
export function contentsAt(model, point) {
  const { index, tables } = shapesOf(model);
  const at = toPoint(point);
  if (!isInDomain(at)) return ALL_CONTENTS;
  let contents = 0;
  brushesNear(tables.shapes, index, { start: at, end: at, mins: [0, 0, 0], maxs: [0, 0, 0] }, (number) => {
    const solid = solidOf(tables, number);
    if (solid.faces.every(({ normal, dist }) => dot(normal, at) - dist < -ON_PLANE)) contents |= solid.contents;
    return 1;
  });
  return contents >>> 0;
}

/**
 * Moves a shape from start towards end among the brushes of a model that have any of the contents, and stops it the
 * model's margin in front of the plane it hits. Brushes are tested one by one, so a point passes along the seam of two
 * brushes that only touch; space that filling made solid is not solid here.
 * @returns {import("./shape.mjs").ShapeTrace}
 * @throws {Error} The file was compiled without `--brushes`.
 */
export function traceShape(model, shape, contents, start, end) {
  const parts = shapesOf(model);
  const ends = [toPoint(start), toPoint(end)];
  const course = ends.every(isInDomain) ? courseOf(parts, shape, contents, ends) : { covered: 1 };
  if (!(course.covered < 1)) return heldAt(ends[0]);
  const trace = { ...free(ends[1]), startSolid: course.startSolid };
  if (!course.entry) return trace;
  const { fraction, touch, number } = course.entry;
  const approach = dot(touch.normal, sub(ends[0], ends[1]));
  // The approach of a graze may round to zero; then any margin takes it back to its start.
  const backOff = (parts.margin > 0 ? parts.margin : 0) / larger(approach, MIN_POSITIVE);
  const wanted = larger(fraction - backOff, course.covered);
  const met = { hitFraction: fraction, plane: { normal: touch.normal }, hit: touched(parts, number, touch.face) };
  if (course.startSolid) return { ...trace, ...met, fraction: wanted, endPos: pos(...ends, wanted) };
  return { ...trace, ...met, ...retreat(ends, wanted, (at) => isShapeSolid(parts, shape, contents, at)) };
}

/**
 * Whether a shape at a point is inside a brush of a model that has any of the contents; touching is free.
 * @throws {Error} The file was compiled without `--brushes`.
 */
export function shapeIsSolid(model, shape, contents, point) {
  return isShapeSolid(shapesOf(model), shape, contents, toPoint(point));
}

function isShapeSolid(parts, shape, contents, point) {
  if (!isInDomain(point)) return true;
  let isSolid = false;
  solidsNear(parts, contents, { start: point, end: point, ...shape.bounds() }, (_, solid) => {
    isSolid = overlaps(shape, point, solid);
    // Nothing comes before 0, so the search ends.
    return isSolid ? -1 : 1;
  });
  return isSolid;
}

/** Returns the solid parts of a motion: `covered` from the start, whether it starts solid, and the entry after that. */
function courseOf(parts, shape, contents, ends) {
  const course = { covered: 0, startSolid: false, entry: null };
  const sweep = { start: ends[0], end: ends[1], ...shape.bounds() };
  // Usually one iteration; if the start is inside, one for each brush that continues where another ends.
  for (;;) {
    const { covered } = course;
    course.entry = null;
    solidsNear(parts, contents, sweep, (number, solid) => {
      const passage = cast(shape, ends, solid);
      if (passage) addPassage(course, number, passage);
      return course.entry ? course.entry.fraction : 1;
    });
    if (course.covered === covered || course.covered >= 1) return course;
  }
}

function addPassage(course, number, { enter, leave, touch }) {
  // Inside from the start, or from a place where the motion is still inside of others.
  if (!touch || (course.startSolid && enter <= course.covered)) {
    course.startSolid ||= !touch;
    course.covered = larger(course.covered, leave);
    return;
  }
  const { entry } = course;
  const isFirst = !entry || enter < entry.fraction || (enter === entry.fraction && number < entry.number);
  if (isFirst) course.entry = { fraction: enter, touch, number };
}
