// Types of `linked.mjs`, which documents them.

import type { Agent, AgentWorld } from "./movement.mjs";
import type { OnionMap, Point, Vec3 } from "./onion.mjs";

/** An opening that leads to its partner. */
export interface LinkedPortal {
  readonly center: Vec3;
  /** The direction that it faces, in quarter turns counterclockwise from the x axis, 0 to 3. */
  readonly facing: number;
  /** Half of its width and height. */
  readonly halfSize: [number, number];
  /** Number of its partner in the list. */
  readonly partner: number;
}

/** @throws {Error} The file holds no entities, or an entity's keys are not as they should be. */
export function linkedPortals(map: OnionMap): LinkedPortal[];

/** A world whose linked portals lead to each other, as seen from a place. Make one for each agent and tick. */
export class LinkedWorld implements AgentWorld {
  constructor(world: AgentWorld, portals: readonly LinkedPortal[], eye: Point);
  /** The real place of a point, and the quarter turns from directions here to those there. */
  place(point: Point): { place: Vec3; quarters: number };
  /** Puts an agent where it really is, and returns the quarter turns of its view. */
  arrive(agent: Agent): number;
  trace: AgentWorld["trace"];
  isSolid: AgentWorld["isSolid"];
}
