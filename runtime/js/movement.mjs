// Walking agents: ticks of sliding along walls, stepping up and down stairs, standing, falling and crouching, at the
// velocity that a game wishes for. Answers equal those of `onion_runtime::movement` in f64, bit for bit: names and
// the order of all arithmetic are the same. A world is a map, a model, a scene, or any object with their `trace` and
// `isSolid`.

import { atRest } from "./tables.mjs";
import {
  AT_REST, FARTHER, FIRST_UNSTICK, GROUND_REACH, LEAVING_SPEED, NUDGE, SAME_ANGLE, SLOWEST,
} from "./tolerance.mjs";
import { toPoint } from "./trace.mjs";
import { along, cross, dot } from "./vector.mjs";

/** Limit on the surfaces that a slide meets before it ends where it is. */
const MAX_BUMPS = 8;
/** The planes that can act in a move: of all that it meets and its ground, the steep ones, alone and with each ground. */
const MAX_PLANES = (MAX_BUMPS / 2 + 1) ** 2;
/** An obstructed tick on the ground is walked in parts of at most this many units, up to this many parts. */
const LONGEST_PART = 16;
const MAX_PARTS = 8;
/** The parts of a tick for which a step is attempted. */
const STEP_PARTS = [1, 1 / 4];
/** Number of distances, each twice the previous one, at which an agent looks for a way out of solid. */
const MAX_UNSTICKS = 12;

/** Directions in which an agent in solid looks for a way out: to the sides, then up, then down. */
const SIGNS = [0, 1, -1];
const DIRECTIONS = Array.from({ length: 26 }, (_, i) => i + 1).map((number) => [
  SIGNS[number % 3], SIGNS[Math.floor(number / 3) % 3], SIGNS[Math.floor(number / 9)],
]);

/**
 * Parameters of agents' movement, in units and seconds: `stepHeight`, `minGroundZ` (of the unit normal of ground),
 * `gravity`, `airControl` (in parts per second) and `maxUnstick`. These are Quake III's. Numbers are rounded to
 * single precision, which they have in Rust.
 */
export const WALK_SETTINGS = Object.freeze({
  stepHeight: 18, minGroundZ: 0.7, gravity: 800, airControl: 1, maxUnstick: 16,
});

/** The depths of an agent in a liquid: dry, walking in it, swimming, and with the eyes under the surface. */
export const WATER_LEVELS = Object.freeze({ DRY: 0, FEET: 1, WAIST: 2, EYES: 3 });
/** The heights that are asked for liquid, as parts of the height of the box from the feet up. */
const LEVEL_HEIGHTS = [1 / 32, 1 / 2, 7 / 8];

// ---- Vectors ----

const raised = ([x, y, z], height) => [x, y, z + height];
const isFinite3 = (numbers) => numbers.every(Number.isFinite);

/** Returns the velocity along a plane that is not vertical, given its horizontal part. */
function alongGround([x, y], normal) {
  return [x, y, -(x * normal[0] + y * normal[1]) / normal[2]];
}

/** Returns a velocity without the part of it that goes into a plane; otherwise the velocity is unchanged. */
export function clipVelocity(velocity, normal) {
  const away = dot(velocity, normal);
  return away < 0 ? along(velocity, normal, -away / dot(normal, normal)) : velocity;
}

/** Returns the part of a velocity along the line where two planes meet, or zero if the planes are parallel. */
function alongCrease(velocity, normal, other) {
  const crease = cross(normal, other);
  const squared = dot(crease, crease);
  const parallel = SAME_ANGLE * SAME_ANGLE * dot(normal, normal) * dot(other, other);
  return squared > parallel ? along([0, 0, 0], crease, dot(velocity, crease) / squared) : [0, 0, 0];
}

// ---- The planes that a move has met ----

/** Returns a number if it is above 0, otherwise 0, also for NaN. */
const positive = (number) => (number > 0 ? number : 0);

function addPlane(normals, normal) {
  if (normals.length < MAX_PLANES) normals.push(normal);
}

/** Returns the velocity nearest to `wanted` that goes into no plane. */
function nearest(normals, wanted) {
  if (normals.every((normal) => dot(wanted, normal) >= 0)) return wanted;
  const limit = SAME_ANGLE * SAME_ANGLE * dot(wanted, wanted);
  const goesInto = (velocity, normal) => {
    const away = dot(velocity, normal);
    return away < 0 && away * away > limit * dot(normal, normal);
  };
  let found = [0, 0, 0];
  const consider = (velocity) => {
    const isLonger = dot(velocity, velocity) > dot(found, found);
    if (isLonger && !normals.some((normal) => goesInto(velocity, normal))) found = velocity;
  };
  normals.forEach((normal, i) => {
    consider(clipVelocity(wanted, normal));
    for (const other of normals.slice(i + 1)) consider(alongCrease(wanted, normal, other));
  });
  return found;
}

/** All planes, including the ground, and the horizontal normals of the planes that stop horizontal velocities. */
class Obstacles {
  planes = [];
  walls = [];
  stands;

  constructor(ground, settings) {
    this.stands = ground !== null && isGround(settings, ground.normal);
    if (ground) addPlane(this.planes, ground.normal);
  }

  add(normal, settings) {
    const [x, y, z] = normal;
    const isSteep = !isGround(settings, normal);
    if (isSteep && z >= 0) addPlane(this.walls, [x, y, 0]);
    if (this.stands) {
      for (const other of this.planes) {
        if (isSteep && isGround(settings, other)) addPlane(this.walls, seam(normal, other));
        else if (!isSteep && !isGround(settings, other)) addPlane(this.walls, seam(other, normal));
      }
    } else if (isSteep && z > 0) {
      addPlane(this.planes, [x, y, 0]);
    }
    addPlane(this.planes, normal);
  }

  allow(wanted, settings) {
    if (!this.stands) return nearest(this.planes, nearest(this.walls, wanted));
    const [x, y] = nearest(this.walls, [wanted[0], wanted[1], 0]);
    const grounds = this.planes.filter((normal) => isGround(settings, normal));
    return [x, y, Math.max(...grounds.map((normal) => alongGround([x, y], normal)[2]))];
  }

  /** Returns the sum of the normals of the planes that a velocity is parallel to or goes into. */
  outward(velocity) {
    const limit = SAME_ANGLE * SAME_ANGLE * dot(velocity, velocity);
    return this.planes
      .filter((normal) => {
        const away = dot(velocity, normal);
        return away <= 0 || away * away <= limit * dot(normal, normal);
      })
      .reduce((sum, normal) => along(sum, normal, 1), [0, 0, 0]);
  }
}

/** Returns the horizontal normal through which a plane acts on an agent on the ground. */
function seam(plane, ground) {
  const [x, y] = along(plane, ground, -plane[2] / ground[2]);
  return [x, y, 0];
}

// ---- Agents ----

/** A surface to stand on, or an obstacle. */
export class Ground {
  /** @type {[number, number, number]} Unit normal, facing the motion that met it. */ normal;
  /** @type {number} The model; in a scene 0 for the map, 1 for its first mover, and so on. */ object;
  /** @type {[number, number, number]} Units per second, at the agent, as `ride` last found it. */ velocity;

  constructor(normal, object, velocity = [0, 0, 0]) {
    Object.assign(this, { normal, object, velocity });
  }

  /** Converts a velocity relative to the ground to one in the world. */
  velocityInWorld(velocity) {
    const isStill = this.velocity.every((speed) => speed === 0);
    return isStill ? velocity : velocity.map((speed, k) => speed + this.velocity[k]);
  }
}

/** Returns the surface that a trace in a world met, or null. */
function groundOf(world, { plane, mover }) {
  if (!plane) return null;
  // Traces in scenes name a mover, or null for the map; others do not.
  const object = mover === undefined ? (world.index ?? 0) : mover === null ? 0 : mover + 1;
  return new Ground(plane.normal, object);
}

/** An agent that walks in a world. An agent that is not in solid never gets into it. */
export class Agent {
  /** @type {[number, number, number]} Origin of its box, in units. */ position;
  /** @type {[number, number, number]} Units per second: on the ground relative to it. */ velocity = [0, 0, 0];
  /** @type {Ground | null} The ground that it stands on; null in the air. */ onGround = null;
  /** The hull that moves; see `switchStance`. */ stance;

  constructor(stance, position) {
    this.stance = stance;
    this.position = toPoint(position);
  }

  /**
   * Moves for one tick of `dt` seconds. `wish` is the horizontal velocity that the agent should have: it takes effect
   * at once on the ground, gradually in the air.
   * @param anyWorld A map, a model or a scene, whose movers stand still where their ways end.
   * @param {typeof WALK_SETTINGS} settings
   * @param {[number, number]} wish Units per second.
   * @param {number} dt
   * @returns {Ground | null} The first surface that was in its way.
   */
  walk(anyWorld, settings, wish, dt) {
    const [world, rounded] = [atRest(anyWorld), roundedSettings(settings)];
    if (!this.#stopIfNotFinite(rounded, wish, dt)) return null;
    if (!this.#ensureFree(world, rounded)) {
      this.velocity = [wish[0], wish[1], 0];
      this.onGround = null;
      return this.#slide(world, rounded, dt);
    }
    return this.onGround ? this.#walkOn(world, rounded, wish, dt) : this.#fall(world, rounded, wish, dt);
  }

  /**
   * Moves for one tick of `dt` seconds in any direction, without gravity: in water, on a ladder, or in the air. The
   * wished velocity takes effect at once.
   * @param anyWorld As for `walk`.
   * @param {typeof WALK_SETTINGS} settings
   * @param {[number, number, number]} wish Units per second.
   * @param {number} dt
   * @returns {Ground | null} The first surface that was in its way.
   */
  swim(anyWorld, settings, wish, dt) {
    const [world, rounded] = [atRest(anyWorld), roundedSettings(settings)];
    if (!this.#stopIfNotFinite(rounded, wish, dt)) return null;
    const isFree = this.#ensureFree(world, rounded);
    [this.velocity, this.onGround] = [[...wish], null];
    if (!isFree) return this.#slide(world, rounded, dt);
    const met = this.#stepSlide(world, rounded, dt);
    if (wish[2] <= 0) this.#stand(this.#groundWithin(GROUND_REACH, world, rounded));
    return met;
  }

  /**
   * Returns how deep the agent is in liquids, one of `WATER_LEVELS`.
   * @param {(point: [number, number, number]) => number} contentsAt The contents at a point.
   * @param {number} liquids Contents, such as `CONTENTS.WATER | CONTENTS.SLIME`.
   */
  waterLevel(contentsAt, liquids) {
    const [feet, top] = [this.stance.mins[2], this.stance.maxs[2]];
    const isIn = (part) => contentsAt(raised(this.position, feet + (top - feet) * part)) & liquids;
    const level = LEVEL_HEIGHTS.findIndex((part) => !isIn(part));
    return level < 0 ? WATER_LEVELS.EYES : level;
  }

  /**
   * Leaves the ground with this vertical speed, from the next tick on. Returns whether it stood on ground, whose
   * velocity is added to its own.
   */
  jump(speed) {
    const ground = this.onGround;
    if (!ground) return false;
    const [x, y] = this.velocity;
    [this.velocity, this.onGround] = [ground.velocityInWorld([x, y, speed]), null];
    return true;
  }

  /** Switches to another hull if its box fits; the feet stay. Returns whether the agent has that hull now. */
  switchStance(world, to) {
    if (to === this.stance) return true;
    const [x, y, z] = this.position;
    const position = [x, y, z + (this.stance.mins[2] - to.mins[2])];
    const fits = !atRest(world).isSolid(to, position);
    if (fits) [this.stance, this.position] = [to, position];
    return fits;
  }

  /** Stops an agent if a number of its tick is not finite. Whether the tick moves it, which also takes time. */
  #stopIfNotFinite(settings, wish, dt) {
    const numbers = [...wish, dt, settings.gravity, settings.airControl, ...this.position, ...this.velocity];
    if (isFinite3(numbers)) return dt > 0;
    this.velocity = [0, 0, 0];
    return false;
  }

  /** Moves an agent that is in solid to a free position nearby. Whether it is free now. */
  #ensureFree(world, settings) {
    return !world.isSolid(this.stance, this.position) || this.#unstick(world, settings);
  }

  #walkOn(world, settings, wish, dt) {
    const start = this.#copy();
    const met = this.#walkPart(world, settings, wish, dt);
    const nParts = partsOf(wish[0] * dt, wish[1] * dt);
    if (nParts === 1 || (!met && this.onGround)) return met;
    [this.position, this.velocity, this.onGround] = [start.position, start.velocity, start.onGround];
    let first = null;
    for (let part = 0; part < nParts; part++) {
      const stands = this.onGround !== null;
      const ofPart = stands
        ? this.#walkPart(world, settings, wish, dt * (1 / nParts))
        : this.#fall(world, settings, wish, dt * ((nParts - part) / nParts));
      first ??= ofPart;
      if (!stands) break;
    }
    return first;
  }

  #walkPart(world, settings, wish, dt) {
    const start = this.position;
    this.velocity = alongGround(wish, this.onGround.normal);
    const met = this.#stepSlide(world, settings, dt);
    if (met && !this.#getsOn(start, wish, dt)) [this.position, this.velocity] = [start, [0, 0, 0]];
    this.#stand(this.#groundWithin(positive(settings.stepHeight) + GROUND_REACH, world, settings));
    return met;
  }

  /** Whether the agent advanced where obstacles leave it a way, or went some way into a corner with next to none. */
  #getsOn(start, wish, dt) {
    const gotOn = ([x, y]) => (this.position[0] - start[0]) * x + (this.position[1] - start[1]) * y;
    const squared = ([x, y]) => x * x + y * y;
    if (squared(this.velocity) <= SAME_ANGLE * SAME_ANGLE * squared(wish)) {
      const way = gotOn(wish);
      return way > 0 && way * way > AT_REST * AT_REST * squared(wish);
    }
    return gotOn(this.velocity) > SAME_ANGLE * SAME_ANGLE * dt * squared(this.velocity);
  }

  #fall(world, settings, wish, dt) {
    const ofTick = positive(settings.airControl) * dt;
    const control = ofTick / (1 + ofTick);
    for (const k of [0, 1]) this.velocity[k] = this.velocity[k] + (wish[k] - this.velocity[k]) * control;
    const half = 0.5 * settings.gravity * dt;
    this.velocity[2] -= half;
    const met = this.#stepSlide(world, settings, dt);
    this.velocity[2] -= half;
    const found = this.#groundWithin(GROUND_REACH, world, settings);
    this.#stand(found && dot(this.velocity, found.ground.normal) > LEAVING_SPEED ? null : found);
    return met;
  }

  /** Stands on the ground that was found, or on none. An agent that leaves a mover keeps the velocity of the mover. */
  #stand(found) {
    const last = this.onGround;
    this.onGround = found && found.ground;
    if (!found) {
      if (last) this.velocity = last.velocityInWorld(this.velocity);
      return;
    }
    const { ground, position } = found;
    this.position = position;
    this.velocity = alongGround(this.velocity, ground.normal);
    if (last?.object === ground.object) ground.velocity = last.velocity;
  }

  #groundWithin(reach, world, settings) {
    const stop = world.trace(this.stance, this.position, raised(this.position, -reach));
    const ground = groundOf(world, stop);
    return ground && isGround(settings, ground.normal) ? { ground, position: stop.endPos } : null;
  }

  #unstick(world, settings) {
    let distance = FIRST_UNSTICK;
    for (let round = 0; round < MAX_UNSTICKS && !(distance > settings.maxUnstick); round++) {
      for (const direction of DIRECTIONS) {
        const position = this.position.map((x, k) => x + direction[k] * distance);
        if (!world.isSolid(this.stance, position)) {
          this.position = position;
          return true;
        }
      }
      distance *= 2;
    }
    return false;
  }

  #slide(world, settings, time) {
    if (!isFinite3(this.velocity)) this.velocity = [0, 0, 0];
    if (!Number.isFinite(time) || time <= 0 || this.velocity.every((speed) => speed === 0)) return null;
    const wanted = this.velocity;
    let velocity = wanted;
    const met = new Obstacles(this.onGround, settings);
    let first = null;
    let left = time;
    let nudge = [0, 0, 0];
    for (let bump = 0; bump < MAX_BUMPS; bump++) {
      const end = along(along(this.position, velocity, left), nudge, NUDGE);
      const stop = world.trace(this.stance, this.position, end);
      this.position = stop.endPos;
      if (stop.fraction >= 1) break;
      if (!stop.plane) {
        velocity = [0, 0, 0];
        break;
      }
      const { normal } = stop.plane;
      first ??= groundOf(world, stop);
      met.add(normal, settings);
      velocity = met.allow(wanted, settings);
      if (dot(velocity, velocity) < SLOWEST * SLOWEST) {
        velocity = [0, 0, 0];
        break;
      }
      nudge = met.outward(velocity);
      left *= 1 - stop.fraction;
    }
    this.velocity = [...velocity];
    return first;
  }

  #stepSlide(world, settings, dt) {
    const start = this.#copy();
    const blocked = this.#slide(world, settings, dt);
    const stepped = blocked && start.#step(world, settings, dt);
    if (stepped && start.#wayTo(stepped) > start.#wayTo(this) * FARTHER) {
      [this.position, this.velocity] = [stepped.position, stepped.velocity];
    }
    return blocked;
  }

  /** Returns the agent after a step, or null if it takes none. */
  #step(world, settings, dt) {
    if (!this.onGround && this.velocity[2] > 0) return null;
    const wanted = raised(this.position, positive(settings.stepHeight));
    const top = world.trace(this.stance, this.position, wanted).endPos;
    for (const part of STEP_PARTS) {
      const agent = this.#copy();
      agent.position = top;
      agent.#slide(world, settings, dt * part);
      const landed = agent.#land(world, settings, top[2] - this.position[2]);
      if (landed) return landed;
    }
    return null;
  }

  /** Returns the agent `height` lower, or at the first obstacle below it, or null if that is too steep. */
  #land(world, settings, height) {
    const { plane, endPos } = world.trace(this.stance, this.position, raised(this.position, -height - GROUND_REACH));
    this.position = endPos;
    if (plane) {
      if (!isGround(settings, plane.normal)) return null;
      this.velocity = [...clipVelocity(this.velocity, plane.normal)];
    }
    return this;
  }

  #wayTo(other) {
    const [x, y] = [0, 1].map((k) => other.position[k] - this.position[k]);
    return x * x + y * y;
  }

  #copy() {
    const copy = new Agent(this.stance, this.position);
    copy.velocity = [...this.velocity];
    copy.onGround = this.onGround;
    return copy;
  }
}

/** Returns the number of parts that a tick of this displacement is walked in. */
function partsOf(x, y) {
  let nParts = 1;
  while (nParts < MAX_PARTS && x * x + y * y > (LONGEST_PART * nParts) ** 2) nParts++;
  return nParts;
}

/** Whether an agent can stand on a surface with this normal. */
export function isGround({ minGroundZ }, normal) {
  return normal[2] > 0 && normal[2] >= Math.fround(minGroundZ);
}

function roundedSettings(settings) {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, Math.fround(value)]));
}
