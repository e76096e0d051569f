// Types of `shape.mjs`, which documents them.

import type { Hit, Hull, Model, OnionMap, Point, Vec3 } from "./onion.mjs";

/** A shape to trace, in units relative to the point that moves. The functions throw a `RangeError` for a wrong one. */
export class Shape {
  private constructor();
  static axialBox(mins: Point, maxs: Point): Shape;
  static sphere(center: Point, radius: number): Shape;
  /** All points within `radius` of the segment from `a` to `b`. */
  static capsule(a: Point, b: Point, radius: number): Shape;
  /** Axes within 1/1024 of unit vectors at right angles are corrected. */
  static orientedBox(center: Point, halfSize: Point, axes: [Point, Point, Point]): Shape;
  /** An upright prism of 8, 16 or 32 sides around a cylinder, four of which face the axes. */
  static cylinder(center: Point, radius: number, halfHeight: number, nSides: number): Shape;
  /** The convex hull of at most 32 corners, which must not lie in a plane. */
  static convex(corners: readonly Point[]): Shape;
  /** The shape of a hull, to trace it among brushes. */
  static ofHull(hull: Hull): Shape;
  readonly center: Vec3;
  readonly core: Readonly<{
    kind: "point" | "segment" | "box" | "oriented" | "prism" | "polytope"; half: Vec3; axes?: [Vec3, Vec3, Vec3];
  }>;
  /** 0 for points, boxes, prisms and convex sets. */
  readonly radius: number;
  /** The box around the shape, relative to the point that moves. */
  bounds(): { mins: Vec3; maxs: Vec3 };
  /** The extent of the reflected core along a direction, times the direction's length. */
  support(direction: Vec3): number;
  /** The shape of a hull, turned about the point that moves. */
  turned(turn: (vector: Vec3) => Vec3): Shape;
  /** A corner of a hull: of the ends of each edge, `isLow` chooses the one behind. */
  corner(isLow: (half: Vec3) => boolean): Vec3;
}

/** The answer to a trace of a shape, or to a trace in a scene. */
export interface ShapeTrace {
  /** The part of the segment that it can move, 0 to 1, with the margin kept. */
  readonly fraction: number;
  /** The part before it enters a brush, 0 to 1; 1 if it never does. */
  readonly hitFraction: number;
  /** The end of its move; not solid unless the start is. */
  readonly endPos: Vec3;
  /** Unit normal of the plane between it and what it hit, facing the motion; null if nothing was hit. */
  readonly plane: { readonly normal: Vec3 } | null;
  readonly startSolid: boolean;
  readonly allSolid: boolean;
  /** The brush and side that were hit; null if nothing was, and in scenes also if the file has no hit data. */
  readonly hit: Hit | null;
  /** The mover that was hit, by its number in the scene; null if it was the world, or nothing. */
  readonly mover: number | null;
}

/**
 * Returns the contents of all brushes that contain a point, 0 if none does.
 * @throws {Error} The file was compiled without `--brushes`.
 */
export function contentsAt(model: Model | OnionMap, point: Point): number;

/**
 * Moves a shape among the brushes of a model that have any of the contents.
 * @throws {Error} The file was compiled without `--brushes`.
 */
export function traceShape(
  model: Model | OnionMap, shape: Shape, contents: number, start: Point, end: Point,
): ShapeTrace;

/**
 * Whether a shape is inside a brush of a model that has any of the contents; touching is free.
 * @throws {Error} The file was compiled without `--brushes`.
 */
export function shapeIsSolid(model: Model | OnionMap, shape: Shape, contents: number, point: Point): boolean;
