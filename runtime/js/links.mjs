// Classes of agents and links between floors. The chunks AGNT, FLNK and LINK in; how agents move, and the ways from one
// floor to another that the compiler drove an agent across, out. The rules are those of format-spec/FORMAT.md; the
// order of all arithmetic is that of Rust's `navigation::links`.

import { WALK_SETTINGS } from "./movement.mjs";
import { MAX_DIST, check, hasHull, hullsOf, readName } from "./tables.mjs";

/** How agents take links, in the order of the numbers in files; see `Link.kind`. */
export const LINK_KINDS = Object.freeze(["walk", "crouch", "stand", "drop", "jump", "swim", "climb", "teleport", "jumpPad", "lift"]);

/** Where the parts of edges end, in the unit of files. */
const WHOLE_EDGE = 65535;

/** In ways across edges, a unit. */
const ACROSS_UNIT = 16;

/** Whether the game takes an agent along a link of a kind. */
export const isCarried = (kind) => kind === "teleport" || kind === "jumpPad" || kind === "lift";

/**
 * A one-way link between floors of one class of agents: agents leave a floor anywhere on a line of it. Where the game
 * takes them along, the floor is in a teleporter, on a jump pad or under a lift, and the line is one place of it.
 */
export class Link {
  /** @type {number} Its number in the file. */ number;
  /** @type {number} Number of the floor that it leaves. */ from;
  /** @type {number} Number of the floor that it leads to. */ to;
  /**
   * How an agent takes it: it walks on, changes to a lower stance and walks on, walks on and changes to a taller one,
   * runs over an edge and falls, jumps, swims up and jumps out of the water, climbs up or down a ladder, is put
   * elsewhere by the game, is thrown into the air by it, or rides up on a lift.
   * @type {"walk" | "crouch" | "stand" | "drop" | "jump" | "swim" | "climb" | "teleport" | "jumpPad" | "lift"}
   */
  kind;
  /** @type {[number, number]} The right end of the line, as seen by an agent that leaves, in units. */ right;
  /** @type {[number, number]} The left end. */ left;
  /** @type {[boolean, boolean]} Whether shortest paths may turn at the right and at the left end. */ turns;
  /** @type {boolean} Whether paths take it only to a goal on its floor, too narrow to walk along. */ onlyToGoal;
  /** @type {boolean} Whether a taller stance can cross this link, too. If changing stance is free, searches skip such links. */ upright;
  /** @type {[number, number]} Way from the line to the agent's place on the other floor; zero if it walks. */ across;

  constructor(record) {
    Object.freeze(Object.assign(this, record));
  }
}

/** A class of agents: the hulls that are the stances of one agent, and how it moves. */
export class AgentClass {
  /** @type {number} Its number in the file. */ number;
  /** @type {string} */ name;
  /** The hulls that are its stances, in the order of the file. */ hulls;
  /** @type {number} Horizontal speed at which it runs, in units per second. */ speed;
  /** @type {number} Height that it can jump, in units; 0 if it does not jump. */ jump;
  /** @type {number} Greatest height that it may fall, in units. */ drop;
  /** @type {number} Speed at which it swims, in units per second; 0 if it does not swim. */ swim;
  /** @type {number} Speed at which it climbs ladders, in units per second; 0 if it does not climb. */ climb;
  /** @type {typeof WALK_SETTINGS} How it walks. */ settings;

  constructor(record, hulls) {
    Object.freeze(Object.assign(this, record, { hulls: Object.freeze(record.hulls.map((hull) => hulls[hull])) }));
  }
}

/** Whether a number is 0 or more and below the limit of sizes; NaN is not. */
const isSize = (number) => number >= 0 && number < MAX_DIST;

/** Reads the classes of agents. Their hulls are numbers. */
export function readAgents(chunk, nHulls) {
  const taken = [0, 0];
  const names = new Set();
  return Array.from({ length: chunk.count }, (_, i) => {
    const set = [chunk.u32(i, 32), chunk.u32(i, 36)];
    const hulls = hullsOf(set);
    const isOwn = hulls.length > 0 && hulls.every((hull) => hull < nHulls && !hasHull(taken, 0, hull));
    check(isOwn, `class ${i} of agents has no hulls, or one that is not there or of another class`);
    set.forEach((bits, half) => (taken[half] = (taken[half] | bits) >>> 0));
    const name = readName(chunk.bytes(i, 0, 32), `class ${i} of agents`);
    check(!names.has(name), `two classes of agents have the name ${name}`);
    names.add(name);
    const numbers = Array.from({ length: 8 }, (_, at) => chunk.f32(i, 40 + 4 * at));
    const [speed, stepHeight, jump, drop, minGroundZ, gravity, swim, climb] = numbers;
    const areSizes = [stepHeight, jump, drop, speed, gravity, swim, climb].every(isSize) && speed > 0 && gravity > 0;
    const isInRange = areSizes && minGroundZ > 0 && minGroundZ <= 1;
    check(isInRange, `class ${name} of agents has numbers that are not in their ranges`);
    const settings = Object.freeze({ ...WALK_SETTINGS, stepHeight, minGroundZ, gravity });
    return { number: i, name, hulls, speed, jump, drop, swim, climb, settings };
  });
}

/** Reads the links between floors, which are in the order of their numbers. */
export function readLinks({ FLNK, LINK }, floors) {
  const starts = floorsOfLinks(FLNK, LINK.count, floors.length);
  return Array.from({ length: LINK.count }, (_, i) => {
    const leads = LINK.u32(i, 0);
    const [from, to] = [starts[i], leads & 0xffffff];
    check(from !== undefined && to < floors.length, `link ${i} has floors that are not there`);
    const [kind, turns] = [LINK_KINDS[(leads >>> 24) & 15], leads >>> 28];
    if (isCarried(kind)) {
      const lands = [LINK.f32(i, 4), LINK.f32(i, 8)];
      const isPlace = turns === 0 && lands.every((at) => isSize(Math.abs(at)));
      check(isPlace, `link ${i} has turns, or no place that it leads to`);
      return new Link({ number: i, from, to, kind, turns: [false, false], onlyToGoal: false, upright: false, ...carriedLine(floors[from], lands) });
    }
    const { corners } = floors[kind === "stand" ? to : from];
    const [edge, across, ...part] = [8, 10, 4, 6].map((at) => LINK.u16(i, at));
    const isPart = kind && edge < corners.length && part[0] <= part[1];
    check(isPart, `link ${i} is of an unknown kind, or has no part of an edge that is there`);
    check(kind !== "walk" || across === 0, `link ${i} has a way across that it does not take`);
    const ends = [corners[edge], corners[(edge + 1) % corners.length]];
    const isTurn = [(turns & 1) !== 0, (turns & 2) !== 0];
    const [onlyToGoal, upright] = [(turns & 4) !== 0, (turns & 8) !== 0];
    return new Link({ number: i, from, to, kind, turns: isTurn, onlyToGoal, upright, ...lineOf(kind, ends, part, across) });
  });
}

/** Returns the floor that each link leaves. */
function floorsOfLinks(FLNK, nLinks, nFloors) {
  check(FLNK.count === nFloors, `there are ${nFloors} floors, and ${FLNK.count} ranges of links`);
  return Array.from({ length: nFloors }, (_, floor) => {
    const first = FLNK.u32(floor, 0);
    const end = floor + 1 < nFloors ? FLNK.u32(floor + 1, 0) : nLinks;
    const follow = (floor > 0 || first === 0) && first <= end && end <= nLinks;
    check(follow, `the links of floor ${floor} are not there, or do not follow those before`);
    return Array(end - first).fill(floor);
  }).flat();
}

/** Returns the ends of the line of a link that leaves from the middle of a floor, and the way to where it leads. */
function carriedLine({ corners }, lands) {
  const sum = corners.reduce(([x, y], corner) => [x + corner[0], y + corner[1]], [0, 0]);
  const leaves = sum.map((of) => of / corners.length);
  return { right: leaves, left: [...leaves], across: [lands[0] - leaves[0], lands[1] - leaves[1]] };
}

/** Returns the ends of a link's line, and the way across it. */
function lineOf(kind, [[ax, ay], [bx, by]], part, across) {
  const [x, y] = [bx - ax, by - ay];
  const [right, left] = part.map((at) => at / WHOLE_EDGE).map((at) => [ax + x * at, ay + y * at]);
  const length = across > 0 ? Math.sqrt(x * x + y * y) : 0;
  const ratio = length > 0 ? across / ACROSS_UNIT / length : 0;
  // The edge is one of the floor that the agent enters, and is seen from outside.
  if (kind === "stand") return { right: left, left: right, across: [0 - y * ratio, x * ratio] };
  // Outward of the floor that it leaves, whose inside is to the left of its edges.
  return { right, left, across: [y * ratio, 0 - x * ratio] };
}

/**
 * Returns the floors that links lead to from a floor: the floor itself, then by the number of links on the way. Floors
 * that are too narrow to walk along are left out, except the goal.
 */
export function* reachedFloors(linksFrom, floor, goal) {
  const reached = new Set([floor]);
  for (const from of reached) {
    yield from;
    for (const { to, onlyToGoal } of linksFrom[from]) if (!onlyToGoal || to === goal) reached.add(to);
  }
}
