// Types of `ride.mjs`, which documents them.

import type { Agent, WalkSettings } from "./movement.mjs";
import type { Scene } from "./scene.mjs";

/** What the movers of a scene did to an agent in a tick: their numbers in the scene. */
export interface Ride {
  /** The mover that would end the tick inside the agent, which has no room to give way; otherwise null. */
  readonly crushedBy: number | null;
  /** The last mover that was in the agent's way or had the agent in its way, or null. */
  readonly pushedBy: number | null;
}

/**
 * Moves an agent with the movers of a scene for a tick of `dt` seconds, before it walks: the mover that it stands on
 * carries it, others push it. An agent that is crushed has not moved.
 */
export function ride(agent: Agent, scene: Scene, settings: WalkSettings, dt: number): Ride;
