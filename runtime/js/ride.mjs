// Agents among movers: the movers of a scene go through a tick, and carry and push an agent. A rider makes the motion
// of the mover that it stands on; whatever meets it on the way changes its motion to the nearest one that goes into
// nothing. Names, answers and the order of all arithmetic are those of Rust's `movement::ride` in f64.

import { Ground, isGround } from "./movement.mjs";
import { Shape } from "./shape.mjs";
import { PARTS } from "./tables.mjs";
import { AT_ONCE, GIVE, LEAVING_SPEED, NUDGE, SAME_ANGLE, SAME_PUSH } from "./tolerance.mjs";
import { pos } from "./trace.mjs";
import { across, add, along, cross, dot, larger, length, scale, sub } from "./vector.mjs";

/** Limits on the traces of a ride, less the last one, and on the planes that an agent meets at one moment. */
const MAX_PUSHES = 64;
const MAX_PUSHES_AT_ONCE = 12;
/** Number of planes that are remembered: three hold an agent in a corner, and a fourth pushes it there. */
const MAX_PLANES = 4;

/**
 * Moves an agent with the movers of a scene, from the beginning of a tick of `dt` seconds to its end, before it walks.
 * The mover that it stands on carries it, however fast this sinks; a mover that meets it pushes it. Around what is in
 * its way it slides, but it takes no steps.
 *
 * An agent that is crushed has not moved, so a game can stop the mover and repeat the call, or let it go on. An agent
 * on a mover gets the velocity of this place of the mover as that of its ground. In the air, a push changes its
 * velocity, and it lands on ground that it does not leave. Nothing moves if a number is not finite or `dt` is not above
 * 0.
 * @param {import("./movement.mjs").Agent} agent
 * @param {import("./scene.mjs").Scene} scene
 * @param {typeof import("./movement.mjs").WALK_SETTINGS} settings
 * @param {number} dt
 * @returns {{ crushedBy: number | null, pushedBy: number | null }} The numbers of the mover that would end inside the
 * agent, which has no room, and of the last mover that was in its way or had it in its way.
 */
export function ride(agent, scene, settings, dt) {
  const { position: start, velocity } = agent;
  const areFinite = [...start, ...velocity, dt].every(Number.isFinite);
  if (!areFinite || dt <= 0) return { crushedBy: null, pushedBy: null };
  const { after, holder, movers } = scene[PARTS];
  const { position, pushes, pushedBy, crushedBy } = pushed(agent, scene[PARTS]);
  const outward = add(pushes.outward(), agent.onGround?.normal ?? [0, 0, 0]);
  // Rounding may have put it into solid, if it was already nearer than the margin.
  const positions = [0, NUDGE, 2 * NUDGE].map((by) => along(position, outward, by));
  const free = crushedBy === null && positions.find((position) => !after(1).isSolid(agent.stance, position));
  if (!free) {
    return { crushedBy: crushedBy ?? holder(agent.stance, position) ?? holder(agent.stance, start), pushedBy };
  }
  agent.position = free;
  const { onGround: ground } = agent;
  if (ground) agent.onGround = new Ground(ground.normal, ground.object, velocityOf(movers, ground.object, free, dt));
  else thrown(agent, movers, settings, pushes, dt);
  return { crushedBy: null, pushedBy };
}

/**
 * Follows the agent through the tick. Returns its last position, the planes and the last mover that it met, and the
 * mover that comes through its last position.
 */
function pushed({ stance, position: start, onGround }, { after, movers }) {
  const pushes = new Pushes();
  let [position, moment, pushedBy, atOnce] = [start, 0, null, 0];
  for (let number = 0; number < MAX_PUSHES; number++) {
    const left = 1 - moment;
    const rest = after(moment);
    const carrier = onGround && rest[PARTS].movers[onGround.object - 1];
    const wanted = carrier ? carried(carrier, position) : position;
    const motion = pushes.allow(sub(wanted, position), left);
    const ends = [position, add(position, motion)];
    const trace = rest.trace(stance, ...ends);
    const metAt = moment + left * trace.hitFraction;
    position = trace.endPos;
    moment += left * trace.fraction;
    atOnce = left * trace.fraction > AT_ONCE ? 0 : atOnce + 1;
    if (!trace.plane) {
      moment = 1;
      break;
    }
    if (atOnce > MAX_PUSHES_AT_ONCE) break;
    const { mover, plane: { normal } } = trace;
    pushedBy = mover ?? pushedBy;
    const point = pos(...ends, trace.hitFraction);
    const push = mover === null ? 0 : pushOf(movers[mover], stance, point, normal, metAt);
    pushes.add({ normal, motion: push, mover });
  }
  // It has not found a way to the end. It stays, unless a mover comes through its position.
  return { position, pushes, pushedBy, crushedBy: after(moment).trace(stance, position, position).mover };
}

/** Changes the velocity of an agent in the air that movers pushed, and lets it land on one of them. */
function thrown(agent, movers, settings, pushes, time) {
  const motion = scale(agent.velocity, time);
  const ground = pushes.all.findLast(({ normal, mover, motion: push }) => {
    const leaving = dot(motion, normal) - push;
    return mover !== null && isGround(settings, normal) && leaving <= LEAVING_SPEED * time;
  });
  if (ground) {
    const object = ground.mover + 1;
    const velocity = velocityOf(movers, object, agent.position, time);
    agent.velocity = sub(agent.velocity, velocity);
    agent.onGround = new Ground(ground.normal, object, velocity);
    return;
  }
  const allowed = pushes.all.length > 0 && pushes.nearest(motion, 1);
  if (allowed) agent.velocity = scale(allowed, 1 / time);
}

// ---- Movers ----

/** Returns the velocity of a point of an object at the end of a tick. */
function velocityOf(movers, object, point, time) {
  const mover = movers[object - 1];
  return scale(mover ? motionAt(mover, point) : [0, 0, 0], 1 / time);
}

/** Returns the motion of a mover's origin, in units per tick. */
const drift = ({ from, to }) => sub(to.origin, from.origin);

/** Returns the place, at the end of a mover's way, of a point that it carries. */
function carried({ from, to, course }, point) {
  return course.isStill ? point : to.toWorld(from.toModel(point));
}

/** Returns the motion of a point that a mover carries, at the end of its way, in units per tick. */
function motionAt(mover, point) {
  const arm = sub(point, mover.to.origin);
  return add(drift(mover), cross(mover.course.turn, arm));
}

/**
 * Returns the motion along a normal that keeps a hull out of a mover when the two touch at a moment, in units per
 * tick: that of the fastest part of the mover that may touch there, and for a mover that turns, what its parts gain
 * from then on.
 */
function pushOf(mover, hull, point, normal, moment) {
  const { angle, turn, at } = mover.course;
  const lean = cross(normal, turn);
  const corner = Shape.ofHull(hull).corner((half) => {
    const ahead = dot(normal, half);
    // The whole edge or face of the hull may touch.
    return Math.abs(ahead) > SAME_ANGLE * length(half) ? ahead > 0 : dot(lean, half) < 0;
  });
  const arm = sub(add(point, corner), at(moment).origin);
  const left = 1 - moment;
  const gained = (larger(dot(normal, cross(turn, cross(turn, arm))), 0) * left) / 2;
  const more = (angle * angle * angle * length(arm) * left * left) / 6;
  return dot(drift(mover), normal) + dot(lean, arm) + gained + more;
}

// ---- The planes that push an agent ----

/**
 * The planes that an agent has met, the latest last: `{ normal, motion, mover }`, each with its motion along the
 * normal, in units per tick, and the number of its mover, null for the map. The agent may not fall behind them. The
 * motions that they allow form a convex set, and the nearest one is the wished motion projected onto a plane, onto the
 * line where two meet, or onto the point where three do.
 */
class Pushes {
  all = [];

  /** Adds a plane. It replaces a plane of the same mover with about the same normal, or the oldest of too many. */
  add(push) {
    const isSame = ({ normal, mover }) => mover === push.mover && dot(normal, push.normal) > 1 - SAME_PUSH;
    const same = this.all.findIndex(isSame);
    if (same >= 0) this.all.splice(same, 1);
    else if (this.all.length === MAX_PLANES) this.all.shift();
    this.all.push(push);
  }

  /** Returns the sum of the normals. */
  outward() {
    return this.all.reduce((sum, { normal }) => along(sum, normal, 1), [0, 0, 0]);
  }

  /** Returns the nearest motion, and forgets the oldest planes as long as there is none. */
  allow(wanted, part) {
    for (;;) {
      const motion = this.nearest(wanted, part);
      if (motion) return motion;
      if (this.all.length === 0) return wanted;
      this.all.shift();
    }
  }

  /** Returns the motion nearest to `wanted` that goes into no plane during a part of the tick, or null. */
  nearest(wanted, part) {
    let [nearest, least] = [null, 0];
    for (let chosen = 0; chosen < 1 << this.all.length; chosen++) {
      const motion = this.#onPlanes(wanted, part, chosen);
      if (!motion) continue;
      const away = sub(motion, wanted);
      const distance = dot(away, away);
      const isAllowed = (push) => dot(motion, push.normal) >= push.motion * part - GIVE;
      if ((!nearest || distance < least) && this.all.every(isAllowed)) [nearest, least] = [motion, distance];
    }
    return nearest;
  }

  /** Returns the motion nearest to `wanted` that follows the chosen planes, which are bits; null if there is none. */
  #onPlanes(wanted, part, chosen) {
    let motion = wanted;
    const others = [];
    for (const push of this.all.filter((_, number) => (chosen >> number) & 1)) {
      // The part of the normal along which the motion changes without leaving the planes before.
      const free = others.reduce(across, push.normal);
      const squared = dot(free, free);
      if (squared <= SAME_ANGLE * SAME_ANGLE) return null;
      const missing = push.motion * part - dot(motion, push.normal);
      motion = along(motion, free, missing / squared);
      others.push(free);
    }
    return motion;
  }
}
