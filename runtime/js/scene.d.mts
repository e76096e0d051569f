// Types of `scene.mjs` and `pose.mjs`, which document them.

import type { Hull, OnionMap, Point, Vec3 } from "./onion.mjs";
import type { ShapeTrace } from "./shape.mjs";

/** The position of a model's origin, and the rotation of the model about it. */
export class Pose {
  private constructor();
  /** Not turned. */
  static at(origin: Point): Pose;
  /** Turned about an axis of any length by an angle in radians; throws a `RangeError` unless all is finite. */
  static turned(origin: Point, axis: Point, angle: number): Pose;
  /** Turned by a quaternion `x, y, z, w` of any length. Throws a `RangeError` like `turned`. */
  static quaternion(origin: Point, quaternion: ArrayLike<number>): Pose;
  readonly origin: Vec3;
  /** Returns the same rotation with the origin at another place. */
  withOrigin(origin: Point): Pose;
  isTurned(): boolean;
  toModel(point: Point): Vec3;
  turnToModel(direction: Point): Vec3;
  turnToWorld(direction: Point): Vec3;
  toWorld(point: Point): Vec3;
}

/** A model that moves from one pose to another during a tick. */
export class Mover {
  constructor(model: number, from: Pose, to: Pose);
  /** Number of the model; not 0, which is the world. */
  model: number;
  from: Pose;
  to: Pose;
  static still(model: number, pose: Pose): Mover;
}

/** Returns all models of a map except the world, at rest where the map's entities put them, model 1 first. */
export function movers(map: OnionMap): Mover[];

/** The world of a map, with some of its models at their current poses. */
export class Scene {
  /** @throws {Error} A mover is not in the map, or is turned and the file was compiled without `--brushes`. */
  constructor(map: OnionMap, movers: readonly Mover[]);
  withMargin(margin: number): Scene;
  /** Moves a hull while the movers move. */
  trace(hull: Hull, start: Point, end: Point): ShapeTrace;
  /** Whether a hull is inside anything at a moment of the movers' ways, 0 to 1; by default at their end. */
  isSolid(hull: Hull, point: Point, moment?: number): boolean;
  /** Returns the contents at a point, of the world and of the movers where their ways end. */
  contentsAt(point: Point): number;
}
