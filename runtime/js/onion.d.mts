// Types of `onion.mjs`, which documents them.

import type { AgentClass, Link, Path, PathCosts } from "./navigation.mjs";

/** In units of the game map. */
export type Vec3 = [number, number, number];
/** An array of three numbers, a typed array, or anything array-like. */
export type Point = ArrayLike<number>;

/** The default distance, in units, that traces keep from what they hit: 1/32. */
export const DEFAULT_MARGIN: number;

/** The bits of contents by their names, such as `CONTENTS.WATER`; the same in every file. */
export const CONTENTS: Readonly<Record<ContentsName, number>>;
export type ContentsName =
  | "SOLID" | "WINDOW" | "CLIPHULL1" | "LAVA" | "SLIME" | "WATER" | "FOG" | "LADDER" | "SKY" | "CURRENT" | "SHOTCLIP"
  | "AREAPORTAL" | "PLAYERCLIP" | "MONSTERCLIP" | "TELEPORTER" | "JUMPPAD" | "CLUSTERPORTAL" | "DONOTENTER" | "BOTCLIP"
  | "MOVER" | "ORIGIN" | "CLIPHULL2" | "CLIPHULL3" | "DETAIL" | "TRANSLUCENT" | "TRIGGER" | "NODROP";

/**
 * Checks a file and makes a map of it. The map does not keep the bytes.
 * @throws {Error} The file is damaged or not an onion map; the message says what is wrong.
 */
export function fromBytes(bytes: Uint8Array | ArrayBuffer): OnionMap;

/** A plane that was met, facing the motion: `normal . p = dist`. */
export interface Plane {
  readonly normal: Vec3;
  readonly dist: number;
  /** Its number in the file. */
  readonly number: number;
}

/** The result of a trace. */
export interface Trace {
  readonly start: Vec3;
  readonly end: Vec3;
  /** The part of the segment that the hull can move, 0 to 1, with the margin subtracted. */
  readonly fraction: number;
  /** The part before it enters solid, 0 to 1; 1 if it never does. */
  readonly hitFraction: number;
  /** The end of the hull's move; not solid unless the start is. */
  readonly endPos: Vec3;
  readonly plane: Plane | null;
  readonly startSolid: boolean;
  readonly allSolid: boolean;
}

/** The surface of a side, with its look and contents. */
export interface Surface {
  readonly name: string;
  readonly flags: number;
  readonly contents: number;
}

/** A brush that was hit, or the patch whose piece was hit. */
export interface Brush {
  readonly source: "brush" | "patch";
  readonly number: number;
  readonly contents: number;
  readonly model: number;
  readonly entity: number | null;
}

/** The side in whose plane the hull was stopped; not expanded. */
export interface Side {
  readonly number: number;
  readonly isBevel: boolean;
  readonly normal: Vec3;
  readonly dist: number;
  readonly surface: Surface;
}

/** The brush and the side that a trace met. */
export interface Hit {
  readonly brush: Brush;
  readonly side: Side;
}

/** A hull of one map: a named box or prism that is traced as a point. */
export interface Hull {
  readonly index: number;
  readonly name: string;
  readonly mins: Vec3;
  readonly maxs: Vec3;
  /** Half of each side of an upright prism, one for each pair of opposite sides, counterclockwise; empty for a box. */
  readonly sides: readonly [number, number][];
  readonly contents: number;
  readonly filled: boolean;
}

/** A floor of a hull: a convex polygon. An agent on it has its origin at most the margin of a trace above it. */
export interface Floor {
  /** Its number in the file. */
  readonly number: number;
  /** Unit normal of its plane, which points up. */
  readonly normal: Vec3;
  readonly dist: number;
  /** Counterclockwise as seen from above. */
  readonly corners: readonly Vec3[];
  /** Returns the height of its plane at a place, in units. */
  height(place: Iterable<number>): number;
  /** Whether a place is within its outline as seen from above, with 2^-8 units around it. */
  contains(place: Iterable<number>): boolean;
  /** Returns its point that is nearest to a position. */
  nearest(position: Vec3): Vec3;
  /** Returns its area as seen from above, in square units. */
  area(): number;
  /** Returns a random point, as likely everywhere as seen from above, for two random numbers from 0 to 1. */
  randomPoint(random: Iterable<number>): Vec3 | null;
}

/** The queries of maps and models. */
export interface World {
  trace(hull: Hull, start: Point, end: Point): Trace;
  hit(hull: Hull, trace: Trace): Hit | null;
  isSolid(hull: Hull, point: Point): boolean;
}

/** A checked map; its queries are those of the world, model 0. */
export interface OnionMap extends World {
  readonly hulls: readonly Hull[];
  readonly compiler: string;
  readonly options: string[];
  /** Null if the file does not hold the entities. */
  readonly entities: Map<string, string>[] | null;
  /** Whether the file has hit data, which `hit` needs. */
  readonly hasHits: boolean;
  /** Whether the file has the shapes of the brushes, which contents, shapes and turned movers need. */
  readonly hasBrushShapes: boolean;
  /** Whether the file has floors; without them, hulls have none. */
  readonly hasFloors: boolean;
  /** Whether the file has links between floors, which `path` needs. */
  readonly hasLinks: boolean;
  readonly nModels: number;
  findHull(name: string): Hull | undefined;
  /** @throws {Error} The name is missing, or the file's box differs. */
  requireHull(name: string, mins: Point, maxs: Point): Hull;
  model(index: number): Model | undefined;
  world(): Model;
  floors(hull: Hull): readonly Floor[];
  /** Returns the highest floor at most `reach` units below a position, and its point there. */
  floorAt(hull: Hull, position: Point, reach: number): { floor: Floor; point: Vec3 } | null;
  /** Returns the floor that is nearest to a position, at most `maxDistance` units away, and its nearest point. */
  nearestFloor(hull: Hull, position: Point, maxDistance: number): { floor: Floor; point: Vec3 } | null;
  /** Returns a random place, as likely everywhere as seen from above, for three random numbers from 0 to 1. */
  randomPlace(hull: Hull, random: Point): { floor: Floor; point: Vec3 } | null;
  /** Returns the floor with this number in the file. */
  floor(number: number): Floor | undefined;
  /** The classes of agents, in the order of the file; empty if it was not compiled with `--floors`. */
  agents(): readonly AgentClass[];
  /** Returns the class of agents that a hull is a stance of. */
  agentOf(hull: Hull): AgentClass | undefined;
  readonly nLinks: number;
  link(number: number): Link | undefined;
  /** Returns the links that leave the floor with this number. */
  linksFrom(floor: number): readonly Link[];
  /**
   * Finds the way of least cost for an agent between two origins of `hull`, on the floor or at most a step above it.
   * Costs that are left out are those of `PATH_COSTS`.
   * @throws {PathError} There is no path; `code` is the reason.
   */
  path(hull: Hull, start: Point, goal: Point, costs?: Partial<PathCosts>): Path;
  /**
   * Returns the floors that an agent gets to from a position, the one it is on first.
   * @throws {PathError} It is of no class, or stands nowhere.
   */
  reachable(hull: Hull, start: Point): Floor[];
  /**
   * Whether an agent gets from one position to another.
   * @throws {PathError} It is of no class, or cannot stand there.
   */
  canReach(hull: Hull, start: Point, goal: Point): boolean;
}

/** The world, or an inline model such as a door, in its own space. */
export interface Model extends World {
  readonly index: number;
  readonly entity: number | null;
  readonly mins: Vec3;
  readonly maxs: Vec3;
  readonly origin: Vec3;
  /** Returns the same model with another margin, in units. */
  withMargin(margin: number): Model;
  /** Bit `h` is set if the point is solid for hull `h`. */
  solidity(point: Point): bigint;
}
