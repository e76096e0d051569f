// Types of `navigation.mjs`, which documents them, and of the paths and links of `onion.mjs`.

import type { Agent, AgentWorld, WalkSettings } from "./movement.mjs";
import type { Hull, Vec3 } from "./onion.mjs";

/** How an agent takes a link: a drop is a walk over an edge and a fall, a swim leads up and out of the water. */
export type LinkKind = "walk" | "crouch" | "stand" | "drop" | "jump" | "swim" | "climb" | "teleport" | "jumpPad" | "lift";

/** All kinds of links, in the order of their numbers in files. */
export const LINK_KINDS: readonly LinkKind[];

/** A class of agents: the hulls that are the stances of one agent, and how it moves. */
export interface AgentClass {
  /** Its number in the file. */
  readonly number: number;
  readonly name: string;
  /** The hulls that are its stances, in the order of the file. */
  readonly hulls: readonly Hull[];
  /** Horizontal speed at which it runs, in units per second. */
  readonly speed: number;
  /** Height that it can jump, in units; 0 if it does not jump. */
  readonly jump: number;
  /** Greatest height that it may fall, in units. */
  readonly drop: number;
  /** Speed at which it swims, in units per second; 0 if it does not swim. */
  readonly swim: number;
  /** Speed at which it climbs ladders, in units per second; 0 if it does not climb. */
  readonly climb: number;
  readonly settings: WalkSettings;
}

/** A one-way link between floors of one class of agents: agents leave a floor anywhere on a line of it. */
export interface Link {
  /** Its number in the file. */
  readonly number: number;
  /** Number of the floor that it leaves. */
  readonly from: number;
  /** Number of the floor that it leads to. */
  readonly to: number;
  readonly kind: LinkKind;
  /** The right end of the line, in x and y, as seen by an agent that leaves. */
  readonly right: readonly [number, number];
  readonly left: readonly [number, number];
  /** Whether shortest paths may turn at the right and at the left end: at the corners of walls and ledges. */
  readonly turns: readonly [boolean, boolean];
  /** Whether paths take it only to a goal on the floor `to`, which is too narrow to walk along. */
  readonly onlyToGoal: boolean;
  /** Whether a taller stance can cross this link, too. If changing stance is free, searches skip such links. */
  readonly upright: boolean;
  /** Way in x and y from a place on the line to the agent's place on the other floor; zero if it walks. */
  readonly across: readonly [number, number];
}

/** What parts of a path cost, beside 1 for each unit of the way as seen from above. */
export interface PathCosts {
  /** Cost of a unit of the way in other stances than the tallest, at least 1. */
  readonly crouched: number;
  /** Cost of a change of stance, 0 or more, as the others. */
  readonly switch: number;
  readonly drop: number;
  readonly jump: number;
  /** Cost of swimming up, of climbing a ladder, or of riding a lift. */
  readonly climb: number;
}

/**
 * Costs with which an agent takes detours of a few steps to avoid a drop, a jump or a climb, and at most twice the way to avoid
 * crouching.
 */
export const PATH_COSTS: PathCosts;

/** A place where a path begins, turns, crosses to another floor in a way that is not walking, or ends. */
export interface PathPoint {
  /** The origin of the hull on the floor. */
  position: Vec3;
  /** The stance in which an agent arrives there. */
  hull: Hull;
  /** Number of the floor. */
  floor: number;
  /** How it gets there from the point before. */
  kind: LinkKind;
}

/** A path that was found. */
export interface Path {
  /** At least 2: the first is the start on its floor, the last is the goal on its floor. */
  points: PathPoint[];
  /** Its length as seen from above, in units. */
  length: number;
  /** Its cost: the length, and what `PathCosts` adds. */
  cost: number;
}

/** Why there is no path. */
export class PathError extends Error {
  constructor(code: PathError["code"]);
  /**
   * The hull has no agent in this map, the agent cannot stand at the start or at the goal, no links lead to the goal,
   * or the search has reached the limit on its memory.
   */
  readonly code: "NO_AGENT" | "NO_START" | "NO_GOAL" | "NO_WAY" | "OUT_OF_SCRATCH";
}

/**
 * What a walker did in a tick. It is stuck when it has not come nearer to the next point for two seconds: find another
 * path from where it is.
 */
export const PROGRESS: { readonly FOLLOWING: "following"; readonly ARRIVED: "arrived"; readonly STUCK: "stuck" };

/**
 * A walker on a path. It refers to the points by number, so a game keeps them with it. All of its state is public, so
 * that a game can save it.
 */
export class PathFollower {
  constructor();
  /** Number of the point that it walks to. */
  next: number;
  /** Whether it has jumped on its way to that point. */
  hasJumped: boolean;
  /** Its least distance from that point so far as seen from above, in units; infinite before the first tick. */
  nearest: number;
  /** How long it has not come nearer, in seconds. */
  waited: number;
  /**
   * Moves an agent along a path for one tick of `dt` seconds, at the speed of its class, slower where it has to, and
   * never past a point. At the last point it stands.
   */
  walk(
    agent: Agent, world: AgentWorld, agentClass: AgentClass, points: readonly PathPoint[], dt: number,
  ): "following" | "arrived" | "stuck";
}
