// Types of `movement.mjs`, which documents them.

import type { Hull, Point, Vec3, World } from "./onion.mjs";

/** How agents move, in units and seconds. */
export interface WalkSettings {
  readonly stepHeight: number;
  /** The least upward part of the unit normal of what one can stand on. */
  readonly minGroundZ: number;
  readonly gravity: number;
  /** In parts a second. */
  readonly airControl: number;
  readonly maxUnstick: number;
}

/** Those of Quake III. */
export const WALK_SETTINGS: WalkSettings;

/** A velocity without the part of it that goes into a plane. */
export function clipVelocity(velocity: Vec3, normal: Vec3): Vec3;

/** An agent that walks in a world. One that is not in solid never gets there. */
export class Agent {
  constructor(stance: Hull, position: Point);
  position: Vec3;
  /** Units a second. */
  velocity: Vec3;
  /** Unit normal of what it stands on; null in the air. */
  onGround: Vec3 | null;
  stance: Hull;
  /**
   * One tick of `dt` seconds with a horizontal velocity wished for, in units a second.
   * @returns The normal of the first surface that was in its way.
   */
  walk(world: Pick<World, "trace" | "isSolid">, settings: WalkSettings, wish: [number, number], dt: number): Vec3 | null;
  /** Leaves the ground with this vertical speed, from the next tick on; whether it stood on something. */
  jump(speed: number): boolean;
  /** Takes another hull if its box fits where the agent is; whether the agent has it now. The feet stay. */
  switchStance(world: Pick<World, "isSolid">, to: Hull): boolean;
}
