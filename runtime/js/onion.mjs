// Reads and traces `.onion` files, version 1. `fromBytes` takes the bytes of a file and returns an `OnionMap`; its
// answers equal, bit for bit, those that format-spec/FORMAT.md specifies, the only source of these modules. Depends
// on nothing; runs in browsers and Node 18 or later.

import { findHit } from "./hit.mjs";
import { AgentClass } from "./links.mjs";
import { load } from "./load.mjs";
import { canReach, findPath, reachable } from "./path.mjs";
import { PARTS } from "./tables.mjs";
import { DEFAULT_MARGIN } from "./tolerance.mjs";
import { allSolid, isSolid, segmentIn, toPoint, trace } from "./trace.mjs";

export { CONTENTS } from "./contents.mjs";
export { DEFAULT_MARGIN };

/**
 * @typedef {[number, number, number]} Vec3 In units of the game map.
 *
 * @typedef {object} Trace The result of a trace.
 * @property {Vec3} start The start.
 * @property {Vec3} end The intended end.
 * @property {number} fraction The part of the segment that the hull can move, 0 to 1, with the margin kept.
 * @property {number} hitFraction The part before it enters solid, 0 to 1; 1 if it never does.
 * @property {Vec3} endPos The end of the hull's move; not solid unless the start is.
 * @property {{normal: Vec3, dist: number, number: number} | null} plane The plane that was hit, facing the motion, and
 *   its number in the file.
 * @property {boolean} startSolid Whether the start is solid.
 * @property {boolean} allSolid Whether the whole segment is solid; the hull does not move then.
 *
 * @typedef {object} Brush A brush that was hit, or the patch whose piece was hit.
 * @property {"brush" | "patch"} source The kind of its source in the map.
 * @property {number} number Its number in the map; for a patch, the number of its surface.
 * @property {number} contents Its contents bits, see `CONTENTS`.
 * @property {number} model Number of its model.
 * @property {number | null} entity Number of the entity that shows the model; null if no entity does.
 *
 * @typedef {object} Side The side in whose plane the hull was stopped.
 * @property {number} number Its number in its brush; for a bevel, the number of the face it belongs to.
 * @property {boolean} isBevel Whether it is a bevel: a plane that touches the brush in an edge or a corner.
 * @property {Vec3} normal Unit normal, facing outward.
 * @property {number} dist Distance from the origin along the normal, in units; not expanded.
 * @property {import("./brushes.mjs").Surface} surface Its surface: `{ name, flags, contents }`.
 *
 * @typedef {{brush: Brush, side: Side}} Hit The brush and the side that a trace met.
 *
 * @typedef {import("./floors.mjs").Floor} Floor Where a hull stands: `{ number, normal, dist, corners }`.
 *
 * @typedef {import("./links.mjs").AgentClass} AgentClass The stances of one agent, and how it moves.
 *
 * @typedef {import("./links.mjs").Link} Link A one-way link between floors.
 *
 * @typedef {object} PathPoint A place where a path begins, turns, crosses to another floor without walking, or ends.
 * @property {Vec3} position The origin of the hull on the floor.
 * @property {Hull} hull The stance in which an agent arrives there.
 * @property {number} floor Number of the floor.
 * @property {Link["kind"]} kind How it gets there from the point before.
 *
 * @typedef {object} Path A path that was found.
 * @property {PathPoint[]} points At least 2.
 * @property {number} length Its length as seen from above, in units.
 * @property {number} cost Its cost: the length, and what the costs add.
 */

/**
 * Checks a file and makes a map of it. The map does not keep the bytes.
 *
 * @param {Uint8Array | ArrayBuffer} bytes A whole `.onion` file.
 * @returns {OnionMap}
 * @throws {Error} The file is damaged or not an onion map; the message says what is wrong.
 */
export function fromBytes(bytes) {
  return new OnionMap(load(bytes));
}

/** A hull of one map: a named box that is traced as a point. For hulls of other maps, a map is all solid. */
class Hull {
  /** @type {number} Its index in the file, and its bit in a solidity. */ index;
  /** @type {string} */ name;
  /** @type {Vec3} Lower corner, relative to the origin. */ mins;
  /** @type {Vec3} Upper corner. */ maxs;
  /** @type {number} Contents bits that block it, see `CONTENTS`. */ contents;
  /** @type {boolean} Whether space that it cannot reach is solid. */ filled;

  constructor(record, index) {
    Object.freeze(Object.assign(this, record, { index }));
  }
}

/** A checked map. Made by `fromBytes`. */
class OnionMap {
  /** @type {Hull[]} */ hulls;
  /** @type {string} Name and version of the compiler. */ compiler;
  /** @type {string[]} The options of the compile except the hulls, as command-line arguments. */ options;
  /** @type {Map<string, string>[] | null} The map's entities; null if the file does not hold them. */ entities;
  /** @type {boolean} Whether the file has hit data, which `hit` needs. */ hasHits;
  /** @type {boolean} Whether the file has the shapes of the brushes, which `shape.mjs` needs. */ hasBrushShapes;
  /** @type {boolean} Whether the file has floors (it was compiled with `--floors`). */ hasFloors;
  /** @type {boolean} Whether the file has links between floors, which `path` needs. */ hasLinks;
  #models;
  #agents;
  #links;
  /** What paths are in; see `waysOf`. */ #ways;

  constructor({ hulls, models, options: [compiler, ...options], entities, tables }) {
    this.hulls = Object.freeze(hulls.map((record, index) => new Hull(record, index)));
    this.compiler = compiler;
    this.options = options;
    this.entities = entities;
    this.hasHits = tables.hits !== undefined;
    this.hasBrushShapes = tables.shapes !== undefined;
    this.hasFloors = tables.floors !== undefined;
    this.hasLinks = tables.links !== undefined;
    this.#agents = Object.freeze((tables.agents ?? []).map((record) => new AgentClass(record, this.hulls)));
    this.#links = tables.links ?? [];
    this.#ways = waysOf(this.hulls, tables.floors ?? [], this.#links);
    this.#models = models.map((record, index) => new Model(this, tables, { ...record, index }, DEFAULT_MARGIN));
  }

  /**
   * Returns the hull of this name, or undefined if there is none.
   * @param {string} name
   * @returns {Hull | undefined}
   */
  findHull(name) {
    return this.hulls.find((hull) => hull.name === name);
  }

  /**
   * Returns the hull of this name, if it has exactly this box. Call it once after loading, so that a game and a map
   * that disagree are found at once.
   * @param {string} name
   * @param {ArrayLike<number>} mins Lower corner of the box relative to the origin, in units.
   * @param {ArrayLike<number>} maxs Upper corner.
   * @returns {Hull}
   * @throws {Error} The name is missing, or the file's box differs.
   */
  requireHull(name, mins, maxs) {
    const hull = this.findHull(name);
    const names = this.hulls.map((other) => other.name).join(", ");
    if (!hull) throw new Error(`the map has no hull named ${name}; it was compiled for: ${names}`);
    const isSame = [0, 1, 2].every((k) => hull.mins[k] === mins[k] && hull.maxs[k] === maxs[k]);
    if (isSame) return hull;
    const [own, asked] = [[hull.mins, hull.maxs], [mins, maxs]].map((box) =>
      box.map((corner) => `[${Array.from(corner).join(", ")}]`).join(" to "),
    );
    throw new Error(`the map's hull ${name} has the box ${own}, not ${asked}`);
  }

  /** Number of models; model 0 is the world. */
  get nModels() {
    return this.#models.length;
  }

  /**
   * Returns the model with this number in the map, or undefined if there is none.
   * @param {number} index
   * @returns {Model | undefined}
   */
  model(index) {
    return this.#models[index];
  }

  /** Returns the world, model 0. */
  world() {
    return this.#models[0];
  }

  /**
   * Returns the floors of a hull, where its origin is when it stands in the world; none for a point, a hull of another
   * map, or a file without floors.
   * @param {Hull} hull
   * @returns {readonly Floor[]}
   * @throws {TypeError} `hull` is not a hull.
   */
  floors(hull) {
    return this.#treeOf(hull)?.floors ?? [];
  }

  /**
   * Returns the floor of a hull under a position of its origin, at most `reach` units below it, and the point of the
   * floor there. The highest counts, then the first in the file. In usual maps the time grows with the logarithm of
   * the number of the hull's floors.
   * @param {Hull} hull
   * @param {ArrayLike<number>} position
   * @param {number} reach
   * @returns {{floor: Floor, point: Vec3} | null} Null if there is no such floor.
   * @throws {TypeError} `hull` is not a hull, or `position` is not a point.
   */
  floorAt(hull, position, reach) {
    return this.#treeOf(hull)?.at(toPoint(position), reach) ?? null;
  }

  /**
   * Returns the floor of a hull that is nearest to a position of its origin, at most `maxDistance` units away, and its
   * nearest point. Of equally near ones the first in the file counts.
   * @param {Hull} hull
   * @param {ArrayLike<number>} position
   * @param {number} maxDistance
   * @returns {{floor: Floor, point: Vec3} | null} Null if there is no such floor.
   * @throws {TypeError} `hull` is not a hull, or `position` is not a point.
   */
  nearestFloor(hull, position, maxDistance) {
    return this.#treeOf(hull)?.nearest(toPoint(position), maxDistance) ?? null;
  }

  /**
   * Returns a random place of a hull: a floor and its point, as likely everywhere on the hull's floors as seen from
   * above. Equal numbers give equal places. Takes time proportional to the number of the hull's floors.
   * @param {Hull} hull
   * @param {ArrayLike<number>} random Three uniform random numbers from 0 to 1, such as those of `Math.random`.
   * @returns {{floor: Floor, point: Vec3} | null} Null if the hull has no floors, or a number is not from 0 to 1.
   * @throws {TypeError} `hull` is not a hull, or `random` is not three numbers.
   */
  randomPlace(hull, random) {
    return this.#treeOf(hull)?.random(toPoint(random)) ?? null;
  }

  /**
   * Returns the floor with this number in the file, or undefined if there is none.
   * @param {number} number
   * @returns {Floor | undefined}
   */
  floor(number) {
    return this.#ways.floors[number];
  }

  /**
   * Returns the classes of agents, in the order of the file; empty if it was not compiled with `--floors`.
   * @returns {readonly AgentClass[]}
   */
  agents() {
    return this.#agents;
  }

  /**
   * Returns the class of agents that a hull is a stance of, or undefined if there is none.
   * @param {Hull} hull
   * @returns {AgentClass | undefined}
   * @throws {TypeError} `hull` is not a hull.
   */
  agentOf(hull) {
    const isOwn = this.world()[PARTS].has(hull);
    return this.#agents.find(({ hulls }) => isOwn && hulls.includes(hull));
  }

  /** Number of links between floors. */
  get nLinks() {
    return this.#links.length;
  }

  /**
   * Returns the link with this number in the file, or undefined if there is none.
   * @param {number} number
   * @returns {Link | undefined}
   */
  link(number) {
    return this.#links[number];
  }

  /**
   * Returns the links that leave the floor with this number.
   * @param {number} floor
   * @returns {readonly Link[]}
   */
  linksFrom(floor) {
    return this.#ways.linksFrom[floor] ?? [];
  }

  /**
   * Finds the way of least cost for an agent from one position to another. Both are origins of `hull`, on the floor or
   * at most a step above it. The agent may change its stance on the way: the first point has the tallest one that has
   * room at the start. The points are where the way turns and where it crosses links other than walking ones; the
   * first is the start, the last is the goal. Of ways that only walk, no other is shorter by more than rounding.
   *
   * @param {Hull} hull
   * @param {ArrayLike<number>} start
   * @param {ArrayLike<number>} goal
   * @param {Partial<typeof import("./path.mjs").PATH_COSTS>} costs Those that are left out are those of `PATH_COSTS`.
   * @returns {Path}
   * @throws {import("./search.mjs").PathError} There is no path; `code` is the reason: `NO_AGENT` if the hull has none
   *   in this map, `NO_START` or `NO_GOAL` if the agent cannot stand there, `NO_WAY` if no links lead to the goal,
   *   `OUT_OF_SCRATCH` if the search has reached the limit on its memory.
   * @throws {TypeError} `hull` is not a hull, or a position is not a point.
   */
  path(hull, start, goal, costs = {}) {
    return findPath(this.#ways, this.agentOf(hull), hull, [toPoint(start), toPoint(goal)], costs);
  }

  /**
   * Returns the floors that an agent gets to from a position, the one it is on first, then by the number of links on
   * the way. They are those of all its stances, without floors too narrow to walk along.
   *
   * @param {Hull} hull
   * @param {ArrayLike<number>} start
   * @returns {Floor[]}
   * @throws {import("./search.mjs").PathError} `NO_AGENT` or `NO_START`; see `path`.
   * @throws {TypeError} `hull` is not a hull, or `start` is not a point.
   */
  reachable(hull, start) {
    return reachable(this.#ways, this.agentOf(hull), hull, toPoint(start));
  }

  /**
   * Whether an agent gets from one position to another: whether `path` finds a way, which takes longer.
   *
   * @param {Hull} hull
   * @param {ArrayLike<number>} start
   * @param {ArrayLike<number>} goal
   * @returns {boolean}
   * @throws {import("./search.mjs").PathError} `NO_AGENT`, `NO_START` or `NO_GOAL`; see `path`.
   * @throws {TypeError} `hull` is not a hull, or a position is not a point.
   */
  canReach(hull, start, goal) {
    return canReach(this.#ways, this.agentOf(hull), hull, [toPoint(start), toPoint(goal)]);
  }

  /** Calls `Model.trace` on the world. */
  trace(hull, start, end) {
    return this.world().trace(hull, start, end);
  }

  /** Calls `Model.hit` on the world. */
  hit(hull, trace) {
    return this.world().hit(hull, trace);
  }

  /** Calls `Model.isSolid` on the world. */
  isSolid(hull, point) {
    return this.world().isSolid(hull, point);
  }

  /** Returns the tree of a hull's floors; undefined for a hull of another map, or a file without floors. */
  #treeOf(hull) {
    const { tables, has } = this.world()[PARTS];
    return has(hull) ? tables.floors?.[hull.index] : undefined;
  }
}

/**
 * Returns what paths are in: the number of links, the tree of floors of each hull, all floors by number, the hull of
 * each, and the links from each.
 */
function waysOf(hulls, trees, links) {
  const linksFrom = trees.flatMap(({ floors }) => floors.map(() => []));
  for (const link of links) linksFrom[link.from].push(link);
  return {
    nLinks: links.length,
    trees,
    floors: trees.flatMap(({ floors }) => floors),
    hulls: trees.flatMap(({ floors }, hull) => floors.map(() => hulls[hull])),
    linksFrom: linksFrom.map((own) => Object.freeze(own)),
  };
}

/** A model of a map: the world, or an inline model such as a door. All queries are in its own space. */
class Model {
  /** @type {number} Number of the model; 0 is the world. */ index;
  /** @type {number | null} Number of the entity that shows it, in the map's `entities`. */ entity;
  /** @type {Vec3} Lower corner of its brushes and patches. */ mins;
  /** @type {Vec3} Upper corner. */ maxs;
  /** @type {Vec3} The place where that entity puts its origin. */ origin;
  #map;
  #tables;
  #margin;

  constructor(map, tables, record, margin) {
    Object.assign(this, record);
    this.#map = map;
    this.#tables = tables;
    this.#margin = margin;
  }

  /**
   * Returns the same model with another margin: the distance that traces keep from what they hit, in units. The
   * default is `DEFAULT_MARGIN`, 1/32; a margin that is negative or not a number counts as 0.
   * @param {number} margin
   * @returns {Model}
   */
  withMargin(margin) {
    const { index, entity, mins, maxs, origin } = this;
    return new Model(this.#map, this.#tables, { index, entity, mins, maxs, origin }, margin);
  }

  /**
   * Moves a hull's origin from start towards end, and stops it in front of the first solid that it enters.
   * @param {Hull} hull
   * @param {ArrayLike<number>} start
   * @param {ArrayLike<number>} end
   * @returns {Trace}
   * @throws {TypeError} `hull` is not a hull, or an end is not a point.
   */
  trace(hull, start, end) {
    if (!this.#has(hull)) return allSolid(toPoint(start), toPoint(end));
    return trace(segmentIn(this.#tables, this.index, hull.index, start, end), this.#margin);
  }

  /**
   * Returns what a trace of a hull in this model met. If faces of several brushes coincide, the lowest brush is
   * named.
   * @param {Hull} hull The hull that was traced.
   * @param {Trace} trace
   * @returns {Hit | null} Null if it met nothing, or the hull belongs to another map.
   * @throws {Error} The file was compiled without surfaces.
   */
  hit(hull, trace) {
    if (!this.#tables.hits) throw new Error("the file has no hit data; compile it without --no-surfaces");
    if (!this.#has(hull) || !trace.plane) return null;
    const found = findHit(segmentIn(this.#tables, this.index, hull.index, trace.start, trace.end), hull, trace);
    return found && { brush: { ...found.brush, entity: this.#map.model(found.brush.model).entity }, side: found.side };
  }

  /**
   * Whether a hull's box, with its origin at a point, overlaps solid. Touching is free.
   * @param {Hull} hull
   * @param {ArrayLike<number>} point
   * @returns {boolean}
   * @throws {TypeError} `hull` is not a hull, or `point` is not a point.
   */
  isSolid(hull, point) {
    if (!this.#has(hull)) return true;
    const segment = segmentIn(this.#tables, this.index, hull.index, point, point);
    return isSolid(segment, segment.a);
  }

  /**
   * Returns the hulls for which a point is solid.
   * @param {ArrayLike<number>} point
   * @throws {TypeError} `point` is not a point.
   * @returns {bigint} Bit `h` is set if it is solid for hull `h`.
   */
  solidity(point) {
    const bits = this.#map.hulls.map((hull, bit) => (this.isSolid(hull, point) ? 1n << BigInt(bit) : 0n));
    return bits.reduce((all, bit) => all | bit);
  }

  get [PARTS]() {
    return { map: this.#map, tables: this.#tables, margin: this.#margin, has: (hull) => this.#has(hull) };
  }

  /** Whether a hull belongs to the map; for other hulls everything is solid. */
  #has(hull) {
    if (!(hull instanceof Hull)) throw new TypeError(`${hull} is no hull: findHull and requireHull give them`);
    return this.#map.hulls[hull.index] === hull;
  }
}
