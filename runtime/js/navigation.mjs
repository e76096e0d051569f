// Navigation: what paths cost, why there is none, and a walker that follows one. An agent and the points of its path
// in; its next tick out. It runs in straight lines from point to point, slows down where it drops over an edge, jumps,
// swims and climbs where a link says so, and changes its stance. In teleporters, on jump pads and on lifts it waits
// until the game takes it along, and beside a lift until the lift is down.
// The order of all arithmetic is that of Rust's `navigation::follow` in f64.

import { isCarried } from "./links.mjs";
import { atRest } from "./tables.mjs";
import { ARRIVED, CLEARANCE, DEFAULT_MARGIN, STOPPED_NEAR } from "./tolerance.mjs";

export { LINK_KINDS } from "./links.mjs";
export { PATH_COSTS } from "./path.mjs";
export { PathError } from "./search.mjs";

/**
 * What a walker did in a tick: it goes on; it stands at the last point; or it has not come nearer to the next point
 * for two seconds, because something that moves is in its way, or it left the path, or it has waited beside a lift for
 * 32 seconds. Then find another path from where it is.
 */
export const PROGRESS = Object.freeze({ FOLLOWING: "following", ARRIVED: "arrived", STUCK: "stuck" });

/**
 * A walker that comes no nearer to the next point for this long is stuck, in seconds: longer than a jump or a fall
 * takes.
 */
const PATIENCE = 2;
/**
 * A walker that waits for a lift this long is stuck, in seconds: longer than lifts of Quake take to go up 2,048 units,
 * wait, and come down.
 */
const LIFT_PATIENCE = 32;
/** A tick is walked in parts of at most this many units, less than the treads of stairs are deep. */
const LONGEST_PART = 8;
/** Limit on the parts of a tick. */
const MAX_PARTS = 16;
/**
 * Teleporters, jump pads and lifts act as soon as an agent touches them, when it has yet to come to this many points at
 * most, that to which they take it included: it may turn around corners at their edges.
 */
const AHEAD = 6;
/** An agent that swims up jumps when it is this part of the height of its jump below the next point. */
const LEAP = 0.875;
/**
 * Where an agent would leave the ground, a part is walked in this many: each at most a quarter of a unit, within which
 * agents look for ground below a step.
 */
const N_SHORT_PARTS = 32;

/** Whether an agent moves straight up or down without gravity. */
const isClimb = ({ kind }) => kind === "swim" || kind === "climb";

/** Whether an agent gets to a point in the air. */
const isInAir = (point) => point.kind === "drop" || point.kind === "jump" || isClimb(point) || isCarried(point.kind);

/**
 * A walker on a path. It refers to the points by number, so a game keeps them with it. All of its state is public, so
 * that a game can save it.
 */
export class PathFollower {
  /** @type {number} Number of the point that it walks to. */ next = 0;
  /** @type {boolean} Whether it has jumped on its way to that point, or was taken along. */ hasJumped = false;
  /**
   * Its least distance from that point so far, in units: as seen from above unless it swims, climbs or rides a lift
   * there.
   * @type {number}
   */
  nearest = Infinity;
  /** @type {number} How long it has not come nearer, in seconds. */ waited = 0;

  /**
   * Moves an agent along a path for one tick of `dt` seconds, with `Agent.walk` and, where it swims up or climbs,
   * `Agent.swim`: at the speeds of its class, slower where it has to, and never past a point. At the last point it
   * stands.
   * @param {import("./movement.mjs").Agent} agent
   * @param world As for `Agent.walk`.
   * @param {import("./links.mjs").AgentClass} agentClass
   * @param {import("./onion.mjs").PathPoint[]} points
   * @param {number} dt
   * @returns {"following" | "arrived" | "stuck"} See `PROGRESS`.
   */
  walk(agent, world, agentClass, points, dt) {
    // In parts, so that no step of a stair is passed over, and turns are taken within a tick.
    const wanted = Math.ceil((agentClass.speed * dt) / LONGEST_PART);
    const nParts = wanted > 1 ? Math.min(wanted, MAX_PARTS) : 1;
    let progress = PROGRESS.FOLLOWING;
    for (let part = 0; part < nParts && progress === PROGRESS.FOLLOWING; part++) {
      progress = this.#walkPart(agent, world, agentClass, points, dt / nParts);
    }
    return progress;
  }

  #toward(next, hasJumped) {
    [this.next, this.hasJumped, this.nearest, this.waited] = [next, hasJumped, Infinity, 0];
  }

  #walkPart(agent, world, agentClass, points, dt) {
    while (this.next < points.length && this.#isAt(agent, agentClass, points[this.next])) {
      this.#toward(this.next + 1, false);
    }
    const lands = this.#carried(agent, agentClass, points);
    if (lands !== null) this.#toward(lands, true);
    if (this.next >= points.length) {
      agent.walk(world, agentClass.settings, [0, 0], dt);
      return PROGRESS.ARRIVED;
    }
    const waits = this.#waits(agent, world, agentClass, points);
    const point = points[this.next];
    agent.switchStance(world, point.hull);
    const climb = this.#climb(agent, agentClass, point, dt);
    if (climb) {
      agent.swim(world, agentClass.settings, climb, dt);
      return this.#progress(distanceTo(agent, point), dt);
    }
    const start = { position: [...agent.position], velocity: [...agent.velocity], onGround: agent.onGround };
    // Until a lift is down, it stays beside it; until the lift is up, it goes to the middle of it.
    const isBelow = point.kind === "lift" && point.position[2] - agent.position[2] > agentClass.settings.stepHeight;
    const goal = (waits || isBelow) && this.next > 0 ? points[this.next - 1] : point;
    const wish = this.#wish(agent, agentClass, goal, dt);
    agent.walk(world, agentClass.settings, wish, dt);
    if (!isInAir(point) && start.onGround && !agent.onGround) {
      // Down a step and a slope in one go was too far, and in the air it would get off its way.
      Object.assign(agent, start);
      for (let part = 0; part < N_SHORT_PARTS; part++) agent.walk(world, agentClass.settings, wish, dt / N_SHORT_PARTS);
    }
    if (waits) {
      [this.nearest, this.waited] = [Infinity, this.waited + dt];
      return this.waited > LIFT_PATIENCE ? PROGRESS.STUCK : PROGRESS.FOLLOWING;
    }
    return this.#progress(point.kind === "lift" ? distanceTo(agent, point) : wayTo(agent, point)[2], dt);
  }

  /**
   * Returns whether an agent that is to step onto a lift has to wait until the lift is down. One that is in the middle
   * when the lift has left without it goes back.
   */
  #waits(agent, world, { settings }, points) {
    const isLift = (number) => points[number]?.kind === "lift";
    const isBefore = isLift(this.next) && !this.hasJumped;
    if (!isBefore && !isLift(this.next + 1)) return false;
    const number = isBefore ? this.next - 1 : this.next;
    const [leaves, lands] = [points[number], points[number + 1]];
    if (!leaves) return false;
    const isLow = agent.position[2] <= leaves.position[2] + settings.stepHeight;
    const waits = isLow && !isFree(world, leaves, settings.stepHeight, lands);
    if (waits && isBefore) this.#toward(number, false);
    return waits;
  }

  /** Counts a tick of `dt` seconds after which some distance is left to the next point, in units. */
  #progress(left, dt) {
    this.waited += dt;
    if (left < this.nearest - ARRIVED) [this.nearest, this.waited] = [left, 0];
    return this.waited > PATIENCE ? PROGRESS.STUCK : PROGRESS.FOLLOWING;
  }

  /** Whether an agent is at a point of its path. */
  #isAt(agent, { settings }, point) {
    const [, , left] = wayTo(agent, point);
    const height = Math.abs(agent.position[2] - point.position[2]);
    const isThere = left <= ARRIVED && height <= settings.stepHeight + STOPPED_NEAR;
    // Stopped since the last tick, but not before a step.
    const isNear = this.waited > 0 && left <= STOPPED_NEAR && height <= 2 * STOPPED_NEAR;
    const hasGround = agent.onGround !== null;
    const isOver = (isThere && (hasGround || !isInAir(point))) || (isNear && hasGround);
    return agent.stance === point.hull && isOver;
  }

  /** Returns the number of the point that the game has begun to take the agent to since the last tick, or null. */
  #carried(agent, { jump, settings }, points) {
    const ahead = points.slice(this.next, this.next + AHEAD).findIndex(({ kind }) => isCarried(kind));
    const number = this.next + ahead;
    if (ahead < 0 || number === 0) return null;
    const [next, leaves, lands] = [points[this.next], points[number - 1], points[number]];
    const before = points[this.next > 0 ? this.next - 1 : 0];
    const isNext = ahead === 0;
    const isNew = !(isNext && this.hasJumped);
    if (lands.kind === "lift") return isNew && agent.onGround?.velocity[2] > 0 ? number : null;
    const rises = !agent.onGround && agent.velocity[2] > 0;
    const top = (agent.velocity[2] * agent.velocity[2]) / (2 * settings.gravity);
    const above = next.kind === "jump" ? agent.position[2] - before.position[2] : 0;
    const isJump = above + top <= jump + settings.stepHeight;
    const isThrown = rises && (isNext || !(isJump || isClimb(next)));
    const isNearer = distanceTo(agent, lands) < distanceTo(agent, leaves);
    const isAway = isNext || wayTo(agent, next)[2] > this.nearest + LONGEST_PART;
    // An agent that overshoots a drop may be nearer to where a pad throws agents than to the pad, but it falls.
    const isMoved = isNearer && isAway && (rises || lands.kind === "teleport");
    return isNew && (isThrown || isMoved) ? number : null;
  }

  /**
   * Returns the velocity of an agent that swims or climbs to a point, in units per second: straight up, across, or
   * straight down. Null if it walks, falls, or jumps out of the water.
   */
  #climb(agent, agentClass, point, dt) {
    if (!isClimb(point) || this.hasJumped) return null;
    const [speed, jump] = point.kind === "swim" ? [agentClass.swim, agentClass.jump] : [agentClass.climb, 0];
    const [x, y, left] = wayTo(agent, point);
    const rise = point.position[2] - agent.position[2];
    const up = rise - jump * LEAP + CLEARANCE;
    if (up > CLEARANCE / 2) return [0, 0, up / dt < speed ? up / dt : speed];
    if (jump > 0) return null;
    if (left > ARRIVED) {
      const slow = left / dt < speed ? left / dt : speed;
      return [(x / left) * slow, (y / left) * slow, 0];
    }
    return [0, 0, rise / dt > -speed ? rise / dt : -speed];
  }

  /** Returns the velocity toward a point, in units per second, after the agent has jumped if it has to. */
  #wish(agent, { speed, jump, settings }, point, dt) {
    const [x, y, left] = wayTo(agent, point);
    const waits = isCarried(point.kind) && point.kind !== "lift" && !this.hasJumped;
    if (left <= 0 || waits) return [0, 0];
    // At a speed with which it is there after some time.
    const within = (time) => {
      const slow = left > speed * time ? speed : left / time;
      return [(x / left) * slow, (y / left) * slow];
    };
    const { gravity, stepHeight } = settings;
    const depth = agent.position[2] - point.position[2];
    const isLaunched = point.kind === "jump" ? agent.onGround : point.kind === "swim";
    if (isLaunched && !this.hasJumped) {
      const upward = Math.sqrt(2 * gravity * jump);
      const wish = within(longer(fallTime(upward, depth, gravity), dt));
      [agent.velocity, agent.onGround, this.hasJumped] = [[wish[0], wish[1], upward], null, true];
      return wish;
    }
    if (point.kind === "jumpPad" && !agent.onGround) {
      // Until it is as high, it lets itself be thrown, because ledges may be in its way.
      if (depth < 0) return [agent.velocity[0], agent.velocity[1]];
      const time = longer(fallTime(agent.velocity[2], depth, gravity), dt);
      return steered(agent, speed, settings, [x / time, y / time], dt);
    }
    const falls = !agent.onGround || point.kind === "drop";
    if (falls && Math.abs(depth) > stepHeight) {
      const upward = agent.onGround ? 0 : agent.velocity[2];
      return within(longer(fallTime(upward, depth, gravity), dt));
    }
    return within(dt);
  }
}

/**
 * Returns the wish with which an agent in the air comes as near to a velocity as it can within a tick: its class's speed,
 * or its own if that is higher, limits what it can wish.
 */
function steered({ velocity }, speed, { airControl }, wanted, dt) {
  const control = airControl * dt;
  const part = control / (1 + control);
  if (part <= 0) return wanted;
  const [x, y] = wanted.map((at, axis) => velocity[axis] + (at - velocity[axis]) / part);
  const [wished, own] = [[x, y], velocity].map(([x, y]) => Math.sqrt(x * x + y * y));
  const most = own > speed ? own : speed;
  return wished > most ? [(x / wished) * most, (y / wished) * most] : [x, y];
}

/**
 * Returns whether nothing is above an agent at one point, from a step up to the height of another: a lift that is not
 * down would be there.
 */
function isFree(world, leaves, stepHeight, lands) {
  const [x, y, z] = leaves.position;
  const low = z + stepHeight + DEFAULT_MARGIN;
  const [start, end] = [low, lands.position[2] > low ? lands.position[2] : low].map((z) => [x, y, z]);
  const free = atRest(world);
  return !free.isSolid(leaves.hull, start) && free.trace(leaves.hull, start, end).fraction >= 1;
}

/** Returns the longer one of a time and the time of a tick. */
const longer = (time, dt) => (time > dt ? time : dt);

/**
 * Returns the time until an agent with an upward speed is `depth` units lower, in seconds; if it does not get there,
 * the time until it is highest.
 */
function fallTime(speed, depth, gravity) {
  const square = speed * speed + 2 * gravity * depth;
  return (speed + Math.sqrt(square > 0 ? square : 0)) / gravity;
}

/** Returns the way of an agent to a point as seen from above, and its length, in units. */
function wayTo({ position }, point) {
  const [x, y] = [point.position[0] - position[0], point.position[1] - position[1]];
  return [x, y, Math.sqrt(x * x + y * y)];
}

/** Returns the distance of an agent from a point, in units. */
function distanceTo(agent, point) {
  const [, , left] = wayTo(agent, point);
  const height = agent.position[2] - point.position[2];
  return Math.sqrt(left * left + height * height);
}
