// Scenes: a map's world and its movers. A trace in a scene moves a hull among them and finds what it meets first, while
// the movers go from their poses at the beginning of a tick to those at its end. Names, answers and the order of all
// arithmetic are those of Rust's `scene`.

import { Pose } from "./pose.mjs";
import { Shape, contentsAt, shapeIsSolid, traceShape } from "./shape.mjs";
import { solidsNear, touched } from "./solid.mjs";
import { free, heldAt, retreat } from "./stop.mjs";
import { PARTS } from "./tables.mjs";
import { DEFAULT_MARGIN } from "./tolerance.mjs";
import { isInDomain, pos, toPoint } from "./trace.mjs";
import { Turning } from "./turning.mjs";
import { length, opposite, sub } from "./vector.mjs";

export { Pose };

/** A model that moves. */
export class Mover {
  /** @type {number} Number of the model; not 0, which is the world. */ model;
  /** @type {Pose} Its pose at the beginning of the tick. */ from;
  /** @type {Pose} Its pose at the end. It moves and turns at a constant rate, the shorter way. */ to;

  constructor(model, from, to) {
    Object.assign(this, { model, from, to });
  }

  /** Returns a mover that stands still. */
  static still(model, pose) {
    return new Mover(model, pose, pose);
  }
}

/** Returns all models of a map except the world, at rest where the map's entities put them, model 1 first. */
export function movers(map) {
  const models = Array.from({ length: map.nModels - 1 }, (_, i) => map.model(i + 1));
  return models.map(({ index, origin }) => Mover.still(index, Pose.at(origin)));
}

/**
 * The world of a map, with some of its models at their current poses. Keep the map and the movers: move the movers and
 * make a new scene for each tick. `ride` of `ride.mjs` moves agents with the movers; then they walk in the scene as in a
 * map, among movers that stand still where their ways end.
 */
export class Scene {
  #map;
  #movers;
  #margin;

  /**
   * @param map A map of `fromBytes`.
   * @param {Mover[]} movers
   * @throws {Error} A mover is the world or not in the map, or is turned and the file was compiled without `--brushes`.
   */
  constructor(map, movers, margin = DEFAULT_MARGIN) {
    [this.#map, this.#margin] = [map, margin > 0 ? margin : 0];
    this.#movers = movers.map(({ model, from, to }) => {
      if (model === 0 || !map.model(model)) throw new Error(`the map has no model ${model} that could move`);
      const course = Pose.course(from, to);
      const canTurn = map.hasBrushShapes || !course.isTurned;
      if (!canTurn) throw new Error("the file has no shapes of brushes for turned movers; compile it with --brushes");
      return { model: map.model(model), from, to, course };
    });
  }

  /** Returns the same scene with another margin; see `Model.withMargin`. */
  withMargin(margin) {
    return this.#of(this.#movers, margin);
  }

  #of(movers, margin = this.#margin) {
    const scene = new Scene(this.#map, [], margin);
    scene.#movers = movers;
    return scene;
  }

  /**
   * For agents: its movers with their ways; the scene on the rest of these ways, `after` a moment; and the `holder`,
   * the number of the first mover that a hull is inside of where the ways end, or null.
   */
  get [PARTS]() {
    const after = (moment) => {
      const isSame = moment <= 0 || this.#movers.every(({ course }) => course.isStill);
      return isSame ? this : this.#of(this.#movers.map((mover) => movedOn(mover, moment)));
    };
    const holder = (hull, point) => {
      const isThere = this.#map.world()[PARTS].has(hull);
      const found = isThere ? after(1).#movers.findIndex((mover) => holds(mover, hull, point, 1)) : -1;
      return found < 0 ? null : found;
    };
    return { movers: this.#movers, after, holder };
  }

  /**
   * Moves a hull from start towards end while the movers move, and stops it the margin in front of what it hits.
   * If it does not start inside anything, it does not end inside anything: at its stop, it is free of the movers'
   * positions at that moment. A solid or mover that it starts in does not stop it.
   * @returns {import("./shape.mjs").ShapeTrace} `hit` is null if the file has no hit data.
   */
  trace(hull, start, end) {
    const ends = [toPoint(start), toPoint(end)];
    if (!this.#map.world()[PARTS].has(hull)) return heldAt(ends[0]);
    const motion = new Motion(hull, ends, this.#margin);
    let trace = free(ends[1]);
    const all = [() => motion.metBy(this.#map.world(), ends), ...this.#movers.map((mover) => () => motion.met(mover))];
    for (const [number, meet] of all.entries()) {
      const met = meet();
      if (met.allSolid) return heldAt(ends[0]);
      trace.startSolid ||= met.startSolid;
      const isFirst = met.plane && (!trace.plane || met.hitFraction < trace.hitFraction);
      const mover = number > 0 ? number - 1 : null;
      if (isFirst) trace = { ...met, startSolid: trace.startSolid, endPos: trace.endPos, mover };
    }
    if (!trace.plane) return trace;
    const isSolid = (point, moment) => !trace.startSolid && this.isSolid(hull, point, moment);
    return { ...trace, ...retreat(ends, trace.fraction, isSolid) };
  }

  /**
   * Whether a hull is inside anything at a moment of the movers' ways, 0 to 1: by default at their end. Earlier moments
   * and NaN count as 0, later ones as 1.
   */
  isSolid(hull, point, moment = 1) {
    const clamped = moment > 1 ? 1 : moment >= 0 ? moment : 0;
    const world = this.#map.world();
    if (!world[PARTS].has(hull)) return true;
    return world.isSolid(hull, point) || this.#movers.some((mover) => holds(mover, hull, toPoint(point), clamped));
  }

  /** Returns the contents at a point, of the world and of the movers where their ways end; see `contentsAt`. */
  contentsAt(point) {
    const ofMover = ({ model, to }) => contentsAt(model, to.toModel(toPoint(point)));
    return this.#movers.reduce((all, mover) => (all | ofMover(mover)) >>> 0, contentsAt(this.#map.world(), point));
  }
}

/** Returns a mover on the rest of its way, from a moment on. */
function movedOn(mover, moment) {
  if (mover.course.isStill) return mover;
  const from = mover.course.at(moment);
  return { ...mover, from, course: Pose.course(from, mover.to) };
}

/** Whether a hull overlaps a mover's model at a moment of its way. */
function holds({ model, course }, hull, point, moment) {
  const pose = course.at(moment);
  const at = pose.toModel(point);
  if (!course.isTurned) return model.isSolid(hull, at);
  return shapeIsSolid(model, turnedHull(hull, pose), hull.contents, at);
}

/** A moving hull. */
class Motion {
  constructor(hull, ends, margin) {
    Object.assign(this, { hull, ends, margin });
  }

  /** Returns the first contact with a mover, as if nothing else were there; the normal is in the world's space. */
  met({ model, from, to, course }) {
    const [start, end] = this.ends;
    if (![start, end, from.origin, to.origin].every(isInDomain)) return heldAt(start);
    const relative = [from.toModel(start), to.toModel(end)];
    if (course.angle > 0) return this.#metByTurning(model, course);
    return course.isTurned ? this.#metByTurned(model, from, relative) : this.metBy(model, relative);
  }

  /** Returns the first contact with a model that is not turned. */
  metBy(model, [start, end]) {
    const trace = model.withMargin(this.margin).trace(this.hull, start, end);
    const { fraction, hitFraction, startSolid, allSolid, plane } = trace;
    const hit = model[PARTS].tables.hits ? model.hit(this.hull, trace) : null;
    const met = { fraction, hitFraction, startSolid, allSolid, plane: plane && { normal: plane.normal }, hit };
    return { ...free(trace.endPos), ...met };
  }

  /** Returns the first contact with a model that is turned by a constant rotation. */
  #metByTurned(model, pose, [start, end]) {
    const shape = turnedHull(this.hull, pose);
    const trace = traceShape(model.withMargin(this.margin), shape, this.hull.contents, start, end);
    return { ...trace, plane: trace.plane && { normal: pose.turnToWorld(trace.plane.normal) } };
  }

  /** Returns the first contact with a model that turns during the move. */
  #metByTurning(model, course) {
    const { mins, maxs, contents } = this.hull;
    // No part of the hull is farther from its origin than the farthest corner of its box.
    const reach = length(mins.map((low, axis) => Math.max(Math.abs(low), Math.abs(maxs[axis]))));
    const { turning, speed, middle } = this.#turning(course, reach);
    // Bounds everything that it may touch: no place of its way is farther from the middle than half of the way.
    const wide = speed / 2 + reach;
    const sweep = { start: middle, end: middle, mins: [-wide, -wide, -wide], maxs: [wide, wide, wide] };
    const parts = { index: model.index, ...model[PARTS] };
    const each = (onSolid) => solidsNear(parts, contents, sweep, (number, solid) => {
      onSolid(number, solid);
      // Boxes have no times, so the limit stays at the end.
      return 1;
    });
    const left = leftSolid(turning, each);
    if (left >= 1) return heldAt(this.ends[0]);
    let met = { ...free(this.ends[1]), startSolid: left > 0 };
    each((number, solid) => {
      const found = turning.meets(solid, left, met.hitFraction);
      if (!found) return;
      const fraction = turning.keeps(solid, left, found.moment, this.margin);
      const normal = course.at(found.moment).turnToWorld(found.normal);
      met = { ...met, hitFraction: found.moment, fraction, plane: { normal }, hit: touched(parts, number, found.face) };
    });
    return met;
  }

  /** Returns the way of the hull in the space of a turning model, its speed, and its place in the middle. */
  #turning(course, reach) {
    const [first, last] = [0, 1].map((moment) => sub(pos(...this.ends, moment), course.at(moment).origin));
    const drift = sub(last, first);
    const farthest = Math.max(length(first), length(last)) + reach;
    const speed = length(drift) + course.angle * farthest;
    const place = (moment) => {
      const pose = course.at(moment);
      return {
        shape: turnedHull(this.hull, pose),
        point: pose.toModel(pos(...this.ends, moment)),
        drift: pose.turnToModel(drift),
        // In the model's space it is the hull that turns, the other way.
        spin: opposite(pose.turnToModel(course.turn)),
      };
    };
    return { turning: new Turning(place, farthest, speed), speed, middle: place(0.5).point };
  }
}

/** Returns the moment when a hull is out of all brushes that it starts in, and of those that it is in by then. */
function leftSolid(turning, each) {
  let left = 0;
  for (;;) {
    const before = left;
    each((_, solid) => (left = turning.leaves(solid, left)));
    // Each iteration advances, or is the last.
    if (left === before || left >= 1) return left;
  }
}

/** Returns a hull in the space of a model. */
function turnedHull(hull, pose) {
  return Shape.ofHull(hull).turned((half) => pose.turnToModel(half));
}
