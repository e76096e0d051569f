// Types of `movement.mjs`, which documents them.

import type { Hull, Point, Vec3 } from "./onion.mjs";

/** A world to walk in: a map, a model, a scene, or any object with such queries. */
export interface AgentWorld {
  trace(hull: Hull, start: Vec3, end: Vec3): { fraction: number; endPos: Vec3; plane: { normal: Vec3 } | null };
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

/** An agent that walks in a world. An agent that is not in solid never gets into it. */
export class Agent {
  /** @throws {TypeError} `position` is not a point. */
  constructor(stance: Hull, position: Point);
  position: Vec3;
  /** In units per second. */
  velocity: Vec3;
  /** Unit normal of the ground that it stands on; null in the air. */
  onGround: Vec3 | null;
  stance: Hull;
  /**
   * Moves the agent for one tick of `dt` seconds with a wished horizontal velocity, in units per second.
   * @returns The normal of the first surface that was in its way, or null if nothing was.
   */
  walk(world: AgentWorld, settings: WalkSettings, wish: [number, number], dt: number): Vec3 | null;
  /**
   * Moves the agent for one tick of `dt` seconds in any direction, without gravity: in water, on a ladder, or in the
   * air.
   * @returns The normal of the first surface that was in its way, or null if nothing was.
   */
  swim(world: AgentWorld, settings: WalkSettings, wish: Vec3, dt: number): Vec3 | null;
  /** Returns how deep the agent is in liquids of some contents, one of `WATER_LEVELS`. */
  waterLevel(contentsAt: (point: Vec3) => number, liquids: number): number;
  /** Leaves the ground with this vertical speed, from the next tick on. Returns whether it stood on ground. */
  jump(speed: number): boolean;
  /** Switches to another hull if its box fits; the feet stay. Returns whether the agent has that hull now. */
  switchStance(world: Pick<AgentWorld, "isSolid">, to: Hull): boolean;
}
