// Linked portals: pairs of openings in a map that are one opening. In a `LinkedWorld`, traces and agents pass through
// them, in the space of the place where a tick begins. Names, answers and the order of all arithmetic are those of
// Rust's `linked`.

import { Ground } from "./movement.mjs";
import { atRest } from "./tables.mjs";
import { pos, toPoint } from "./trace.mjs";
import { add, dot, sub } from "./vector.mjs";

/** The most portals that a trace passes; it ends at the next one. */
const MAX_PASSES = 64;
const CLASS = "info_linked_portal";
/** The most linked portals of a map: each trace tests all of them. */
const MAX_PORTALS = 256;
/** A number as Rust reads it, without the words for infinity. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * An opening that leads to its partner.
 *
 * @typedef {object} LinkedPortal
 * @property {[number, number, number]} center The middle of the opening.
 * @property {number} facing The direction that it faces, in quarter turns counterclockwise from the x axis, 0 to 3.
 * @property {[number, number]} halfSize Half of its width and height, in units.
 * @property {number} partner Number of its partner in the list.
 */

/**
 * Returns the linked portals that a map declares by entities of the class `info_linked_portal`.
 *
 * @param {import("./onion.mjs").OnionMap} map
 * @returns {LinkedPortal[]}
 * @throws {Error} The file holds no entities, or an entity's keys are not as they should be.
 */
export function linkedPortals(map) {
  if (!map.entities) throw new Error("the file has no entities; compile the map without --no-entities");
  const numbered = map.entities.map((entity, number) => ({ entity, number }));
  const declared = numbered.filter(({ entity }) => entity.get("classname") === CLASS);
  return declared.map(({ entity, number }, index) => {
    const needs = (holds, what) => {
      if (!holds) throw new Error(`entity ${number}, a linked portal: ${what}`);
    };
    needs(index < MAX_PORTALS, `there are more than ${MAX_PORTALS}`);
    const partners = declared.filter((other) => other.number !== number && arePartners(entity, other.entity));
    const size = numbersOf(entity, "size", 2);
    const angle = entity.has("angle") ? numbersOf(entity, "angle", 1)?.[0] : 0;
    needs(angle !== undefined, "its angle is not a number");
    const center = numbersOf(entity, "origin", 3);
    needs(center, "it needs an origin of three numbers");
    const facing = [0, 1, 2, 3].find((quarters) => quarters * 90 === angle);
    needs(facing !== undefined, "its angle must be 0, 90, 180 or 270");
    needs(size?.every((part) => part > 0), "it needs a size: a width and a height above 0");
    const what = "it needs one partner of the same size: each must have the other's targetname as its target";
    needs(partners.length === 1, what);
    return { center, facing, halfSize: size.map((part) => part / 2), partner: declared.indexOf(partners[0]) };
  });
}

/** Whether two entities name each other, and have openings of the same size. */
function arePartners(entity, other) {
  const names = (from, to) => from.has("target") && from.get("target") === to.get("targetname");
  const [a, b] = [entity, other].map((own) => numbersOf(own, "size", 2));
  return names(entity, other) && names(other, entity) && `${a}` === `${b}`;
}

/** Returns the numbers of a key, or undefined unless it has exactly this many and all are finite. */
function numbersOf(entity, key, count) {
  const words = (entity.get(key) ?? "").split(/[ \t\n\f\r]+/).filter((word) => word !== "");
  const numbers = words.map((word) => (NUMBER.test(word) ? Number(word) : NaN));
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : undefined;
}

/** Turns a vector by quarter turns about the z axis. */
function turned(quarters, [x, y, z]) {
  return [[x, y, z], [-y, x, z], [-x, -y, z], [y, -x, z]][quarters % 4];
}

/** Returns the fraction of a segment at which it enters an opening from the front, or null if it does not. */
function crossing({ center, facing, halfSize }, [start, end]) {
  const outward = turned(facing, [1, 0, 0]);
  const [ahead, behind] = [start, end].map((point) => dot(outward, sub(point, center)));
  if (!(ahead >= 0 && behind < 0)) return null;
  const fraction = ahead / (ahead - behind);
  const [x, y, z] = sub(pos(start, end, fraction), center);
  const across = facing % 2 === 0 ? y : x;
  return Math.abs(across) <= halfSize[0] && Math.abs(z) <= halfSize[1] ? fraction : null;
}

/** Returns the quarter turns of what passes through a portal to its partner. */
const quartersTo = (portal, partner) => ((partner.facing % 4) + 6 - (portal.facing % 4)) % 4;

/** Returns the place to which a place at an opening corresponds at the partner's. */
function beyond(portal, partner, place) {
  return add(turned(quartersTo(portal, partner), sub(place, portal.center)), partner.center);
}

/** The pose of the space behind passed portals: a turn, then a move. */
class Passage {
  constructor(quarters, offset) {
    [this.quarters, this.offset] = [quarters, offset];
    this.isNone = quarters === 0 && offset.every((part) => part === 0);
  }

  through(portal, partner) {
    const quarters = (this.quarters + quartersTo(portal, partner)) % 4;
    return new Passage(quarters, beyond(portal, partner, this.offset));
  }

  /** Returns the real place of a point. */
  place(point) {
    return this.isNone ? point : add(turned(this.quarters, point), this.offset);
  }

  /** Returns the point of a real place. */
  point(place) {
    return this.isNone ? place : turned(4 - this.quarters, sub(place, this.offset));
  }
}

const NO_PASSAGE = new Passage(0, [0, 0, 0]);

/** A world whose linked portals lead to each other, as seen from a place. Make one for each agent and tick. */
export class LinkedWorld {
  #world;
  #portals;
  #eye;

  /**
   * @param {import("./movement.mjs").AgentWorld} world
   * @param {LinkedPortal[]} portals Those whose partner is not in the list lead nowhere.
   * @param {import("./onion.mjs").Point} eye The place, such as the position of an agent.
   */
  constructor(world, portals, eye) {
    [this.#world, this.#portals, this.#eye] = [atRest(world), portals, toPoint(eye)];
  }

  /** Returns the real `place` of a point, and the `quarters` of turns from directions here to those there. */
  place(point) {
    const at = toPoint(point);
    const passage = this.#passageTo(at);
    return { place: passage.place(at), quarters: passage.quarters };
  }

  /**
   * Puts an agent that has moved in this world where it really is, and turns its velocity. Returns the quarter turns by
   * which the game turns its view. An agent that would arrive in solid goes back to where the tick began, at rest and in
   * the air.
   */
  arrive(agent) {
    const passage = this.#passageTo(agent.position);
    const place = passage.place(agent.position);
    const isSolid = (at) => this.#world.isSolid(agent.stance, at);
    if (isSolid(place) && !isSolid(this.#eye)) {
      [agent.position, agent.velocity, agent.onGround] = [[...this.#eye], [0, 0, 0], null];
      return 0;
    }
    if (!passage.isNone) {
      const { quarters } = passage;
      agent.position = place;
      agent.velocity = turned(quarters, agent.velocity);
      const { onGround } = agent;
      if (onGround) {
        const [normal, velocity] = [onGround.normal, onGround.velocity].map((vector) => turned(quarters, vector));
        agent.onGround = new Ground(normal, onGround.object, velocity);
      }
    }
    return passage.quarters;
  }

  /** Traces through portals. */
  trace(hull, start, end) {
    let passage = this.#passageTo(start);
    let from = passage.place(start);
    let done = 0;
    for (let pass = 0; pass <= MAX_PASSES; pass++) {
      const segment = [from, passage.place(end)];
      const stop = this.#world.trace(hull, ...segment);
      const entered = this.#first(segment);
      if (!entered || !(entered.fraction < stop.fraction)) {
        const fraction = stop.fraction >= 1 ? 1 : done + (1 - done) * stop.fraction;
        const normal = stop.plane && turned(4 - passage.quarters, stop.plane.normal);
        return { ...stop, fraction, endPos: passage.point(stop.endPos), plane: normal && { normal } };
      }
      done += (1 - done) * entered.fraction;
      from = beyond(entered.portal, entered.partner, pos(...segment, entered.fraction));
      passage = passage.through(entered.portal, entered.partner);
    }
    return { fraction: done, endPos: passage.point(from), plane: null };
  }

  isSolid(hull, point) {
    return this.#world.isSolid(hull, this.place(point).place);
  }

  /** Returns the passage of the segment from the eye to a point. */
  #passageTo(point) {
    let passage = NO_PASSAGE;
    let start = this.#eye;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const segment = [start, passage.place(point)];
      const entered = this.#first(segment);
      if (!entered) break;
      start = beyond(entered.portal, entered.partner, pos(...segment, entered.fraction));
      passage = passage.through(entered.portal, entered.partner);
    }
    return passage;
  }

  /** Returns the first portal that a segment enters, with its partner and the fraction; or null. */
  #first(segment) {
    let first = null;
    for (const portal of this.#portals) {
      const partner = this.#portals[portal.partner];
      const fraction = crossing(portal, segment);
      const isFirst = fraction !== null && partner && (!first || fraction < first.fraction);
      if (isFirst) first = { fraction, portal, partner };
    }
    return first;
  }
}
