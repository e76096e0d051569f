// A shape and a brush that turn relative to each other: the position and motion of the shape at each moment in; the
// times when it meets and leaves the brush out. A step lasts as long as some plane certainly keeps the two apart. Names
// and the order of all arithmetic are those of Rust's `shape::turning`.

import { aheadOf, allSlabs, sideOf } from "./slabs.mjs";
import { CLOSE, LEAVING_STEP, MARGIN_PART, ON_PLANE, SLACK } from "./tolerance.mjs";
import { add, cross, direction, dot, larger, length, scale, sub } from "./vector.mjs";

/** Limits on the steps of a search for a meeting, and of the retreat from it. */
const MAX_STEPS = 2 ** 12;
const STEPS_BACK = 64;

/** The way of a shape in a brush's frame. */
export class Turning {
  /** Returns, for a moment, the `shape`, its `point`, and its motion: a part at `p` moves by `drift + spin x p`. */
  #place;
  /** Upper bound on the distance of any part of the shape from the frame's origin, in units. */
  #farthest;
  /** Upper bound on the path length of any part of the shape, in units. */
  #speed;

  constructor(place, farthest, speed) {
    [this.#place, this.#farthest, this.#speed] = [place, farthest, speed];
  }

  /** Returns `moment`, `normal` and `face` of the meeting with a brush that it is not inside at `from`, or null. */
  meets(brush, from, limit) {
    let moment = from;
    let apart = this.#apart(brush, from);
    if (!apart) return null;
    for (let step = 0; step < MAX_STEPS; step++) {
      if (moment >= Math.min(limit, 1)) return null;
      if (apart.lasts * this.#speed < CLOSE) break;
      const nextMoment = Math.min(moment + apart.lasts, 1);
      const next = this.#apart(brush, nextMoment);
      if (next) [moment, apart] = [nextMoment, next];
      // Rounding error, far from the origin: retry with half the step.
      else apart.lasts /= 2;
    }
    const { normal, feature } = apart.slab;
    return { moment, normal: direction(normal)?.unit ?? normal, face: sideOf(brush, feature, normal) };
  }

  /** Returns the first moment, at `from` or later, at which the shape is not inside a brush; 1 if it stays inside. */
  leaves(brush, from) {
    let moment = from;
    while (moment < 1) {
      const gap = this.#gap(brush, moment);
      if (gap >= -ON_PLANE) return moment;
      moment += larger(-gap / this.#speed, LEAVING_STEP);
    }
    return 1;
  }

  /** Returns the latest moment before a meeting, but not before `from`, at which the margin is kept. */
  keeps(brush, from, meeting, margin) {
    let moment = meeting;
    for (let step = 0; step < STEPS_BACK; step++) {
      const missing = margin - this.#gap(brush, moment);
      if (missing <= margin * MARGIN_PART) break;
      moment = larger(moment - missing / this.#speed, from);
    }
    return moment;
  }

  /** Returns the largest distance between shape and brush along the normal of a plane between them, in units. */
  #gap(brush, moment) {
    const { shape, point } = this.#place(moment);
    const center = add(point, shape.center);
    let gap = -Infinity;
    allSlabs(shape, brush, (slab) => {
      gap = larger(gap, aheadOf(slab, center));
      return true;
    });
    return gap;
  }

  /** Returns the plane that keeps shape and brush apart for longest: its `slab` and how long it `lasts`; or null. */
  #apart(brush, moment) {
    const placed = this.#place(moment);
    const center = add(placed.point, placed.shape.center);
    let best = null;
    allSlabs(placed.shape, brush, (slab) => {
      const gap = aheadOf(slab, center);
      if (gap >= -ON_PLANE) {
        const lasts = this.#lasts(placed, brush, slab, gap);
        if (!best || lasts > best.lasts) best = { slab, lasts };
      }
      return true;
    });
    return best;
  }

  /** Returns a lower bound on the part of the way for which a plane with this gap keeps shape and brush apart. */
  #lasts({ shape, point, drift, spin }, brush, { normal, dist }, gap) {
    const tilt = cross(normal, spin);
    const bend = length(tilt);
    const rate = (at) => dot(normal, drift) + dot(tilt, at);
    const width = larger(gap, SLACK);
    const surface = dist - shape.support(normal);
    const center = add(point, shape.center);
    // Coriolis and centripetal acceleration.
    const most = bend * (2 * length(drift) + length(spin) * this.#farthest);
    const withBrush = cornersOf(shape, center).map((corner) => {
      const beyond = dot(normal, corner) - surface - gap;
      return crossing(width + larger(beyond, 0), rate(corner), most);
    });
    const withShape = brush.vertices.map((corner) => {
      const behind = surface - dot(normal, corner);
      const most = bend * length(spin) * length(corner);
      return crossing(width + larger(behind, 0), rate(corner), most);
    });
    return Math.max(Math.min(...withBrush), Math.min(...withShape));
  }
}

/** Returns the corners of a box, a prism or a convex set about a center; a flat box repeats some of them. */
function cornersOf({ core: { kind, axes, half, solid } }, center) {
  if (solid) return solid.corners.map((corner) => add(center, corner));
  const edges = kind === "oriented" ? axes.map((axis, k) => scale(axis, half[k])) : [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  return Array.from({ length: 8 }, (_, number) =>
    edges.reduce((corner, edge, k) => ((number >> k) & 1 ? add : sub)(corner, edge), center),
  );
}

/**
 * Returns the earliest moment at which a point at a height above zero may reach zero: it rises at `rate`, and its
 * downward acceleration is at most `most`.
 */
function crossing(height, rate, most) {
  const root = Math.sqrt(rate * rate + 2 * most * height);
  if (rate < 0) return (2 * height) / (root - rate);
  return most > 0 ? (rate + root) / most : Infinity;
}
