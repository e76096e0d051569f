// Types of `movement.mjs`, which documents them.

import type { Hull, Point, Vec3 } from "./onion.mjs";

/**
 * A world to walk in: a map, a model, a scene, whose movers stand still where their ways end, or any object with such
 * queries.
 */
export interface AgentWorld {
  /** In a world of several things, `mover` is the number of the one that was met, null for the map. */
  trace(hull: Hull, start: Vec3, end: Vec3): {
    fraction: number; endPos: Vec3; plane: { normal: Vec3 } | null; mover?: number | null;
  };
  isSolid(hull: Hull, point: Vec3): boolean;
}

/** Parameters of agents' movement, in units and seconds. */
export interface WalkSettings {
  readonly stepHeight: number;
  /** Least vertical component of the unit normal of a surface to stand on. */
  readonly minGroundZ: number;
  readonly gravity: number;
  /** In parts per second. */
  readonly airControl: number;
  readonly maxUnstick: number;
}

/** Quake III's settings. */
export const WALK_SETTINGS: WalkSettings;

/** The depths of an agent in a liquid. */
export const WATER_LEVELS: { readonly DRY: 0; readonly FEET: 1; readonly WAIST: 2; readonly EYES: 3 };

/** Removes the part of a velocity that goes into a plane. */
export function clipVelocity(velocity: Vec3, normal: Vec3): Vec3;

/** Whether an agent can stand on a surface with this normal. */
export function isGround(settings: Pick<WalkSettings, "minGroundZ">, normal: Vec3): boolean;

/** A surface to stand on, or an obstacle. */
export class Ground {
  constructor(normal: Vec3, object: number, velocity?: Vec3);
  /** Unit normal, facing the motion that met it. */
  normal: Vec3;
  /** The number of the model, 0 for the map itself; in a scene 0 for the map, 1 for the first mover, and so on. */
  object: number;
  /** In units per second, at the agent, as `ride` of `ride.mjs` last found it; otherwise 0. */
  velocity: Vec3;
  /** Converts a velocity relative to the ground to one in the world. */
  velocityInWorld(velocity: Vec3): Vec3;
}

/** An agent that walks in a world. An agent that is not in solid never gets into it. */
export class Agent {
  /** @throws {TypeError} `position` is not a point. */
  constructor(stance: Hull, position: Point);
  position: Vec3;
  /** In units per second: on the ground relative to the ground, in the air relative to the world. */
  velocity: Vec3;
  /** The ground that it stands on; null in the air. A game that throws an agent up sets this to null. */
  onGround: Ground | null;
  stance: Hull;
  /**
   * Moves the agent for one tick of `dt` seconds with a wished horizontal velocity, in units per second.
   * @returns The first surface that was in its way, or null if nothing was.
   */
  walk(world: AgentWorld, settings: WalkSettings, wish: [number, number], dt: number): Ground | null;
  /**
   * Moves the agent for one tick of `dt` seconds in any direction, without gravity: in water, on a ladder, or in the
   * air.
   * @returns The first surface that was in its way, or null if nothing was.
   */
  swim(world: AgentWorld, settings: WalkSettings, wish: Vec3, dt: number): Ground | null;
  /** Returns how deep the agent is in liquids of some contents, one of `WATER_LEVELS`. */
  waterLevel(contentsAt: (point: Vec3) => number, liquids: number): number;
  /**
   * Leaves the ground with this vertical speed, from the next tick on, and with the velocity of the ground. Returns
   * whether it stood on ground.
   */
  jump(speed: number): boolean;
  /** Switches to another hull if its box fits; the feet stay. Returns whether the agent has that hull now. */
  switchStance(world: Pick<AgentWorld, "isSolid">, to: Hull): boolean;
}
