// The plane geometry of a path search, as seen from above: what a place, the root, sees through a window, which is a
// part of a line between two floors. Places are x and y, in units. The order of all arithmetic is that of Rust's
// `navigation::cone`.

import { ROUNDED } from "./tolerance.mjs";

// Searches call these functions most. They avoid destructuring and closures: with those, a search took three times as long.

/**
 * How a place beyond a window is reached from the root: around an end of the window, or straight. In this order along a
 * line from right to left.
 */
export const AROUND_RIGHT = 0;
export const STRAIGHT = 1;
export const AROUND_LEFT = 2;

/** Whether two places are one. */
export const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];

/** Returns the distance between two places, in units. */
export function distance(from, to) {
  const x = to[0] - from[0];
  const y = to[1] - from[1];
  return Math.sqrt(x * x + y * y);
}

/** Returns a number above 0 if a place is left of the way from one place to another, below 0 if it is right of it. */
export function turn(from, to, place) {
  return (to[0] - from[0]) * (place[1] - from[1]) - (to[1] - from[1]) * (place[0] - from[0]);
}

/**
 * Whether a place lies on the right side of a line, farther away than the rounding error of links. No path crosses the
 * line from there.
 */
export function isBehind(right, left, place) {
  const behind = turn(right, left, place);
  const x = left[0] - right[0];
  const y = left[1] - right[1];
  return behind < 0 && behind * behind > ROUNDED * ROUNDED * (x * x + y * y);
}

/**
 * Moves the ends of a window outward by the rounding error of links, except for those that are corners. Without this,
 * a straight path along a wall, or through a point where several floors meet, would miss the windows beside it.
 */
export function widened(right, left, isRightCorner, isLeftCorner) {
  const length = distance(right, left);
  if (length <= 0) return [right, left];
  const part = ROUNDED / length;
  const x = (left[0] - right[0]) * part;
  const y = (left[1] - right[1]) * part;
  return [isRightCorner ? right : [right[0] - x, right[1] - y], isLeftCorner ? left : [left[0] + x, left[1] + y]];
}

/** Returns the place at a part of the way from one place to another; exactly at the ends if the part is 0 or 1. */
export function between(from, to, part) {
  if (part >= 1) return [to[0], to[1]];
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
}

/** What a root sees through a window, given the right and the left end of the window as seen from there. */
export class Cone {
  constructor(root, right, left) {
    this.root = root;
    this.right = right;
    this.left = left;
  }

  /** Returns what a place sees without a window: everything. */
  static allAround(root) {
    return new Cone(root, root, root);
  }

  /** Returns how a place beyond the window is reached. */
  sight(place) {
    if (turn(this.root, this.right, place) < 0) return AROUND_RIGHT;
    return turn(this.root, this.left, place) > 0 ? AROUND_LEFT : STRAIGHT;
  }

  /** Returns the place from which a place with this sight is seen: the root or an end of the window. */
  turningPlace(sight) {
    if (sight === STRAIGHT) return this.root;
    return sight === AROUND_RIGHT ? this.right : this.left;
  }

  /** Returns the place of the window that is nearest to the root. */
  nearest() {
    const { root, right, left } = this;
    const x = left[0] - right[0];
    const y = left[1] - right[1];
    const square = x * x + y * y;
    const along = (root[0] - right[0]) * x + (root[1] - right[1]) * y;
    return square > 0 && along > 0 ? between(right, left, along / square) : right;
  }

  /** Returns the length of the shortest way from the root through the window to a place, in units. */
  distanceTo(place) {
    const beyond = this.#mirrored(place);
    const by = this.turningPlace(this.sight(beyond));
    if (isSame(by, this.root)) return distance(this.root, beyond);
    return distance(this.root, by) + distance(by, beyond);
  }

  /**
   * Returns a place beyond the window that is as far from all places of the window: the mirror image if the place is
   * on the side of the root.
   */
  #mirrored(place) {
    const { right, left } = this;
    const inside = turn(right, left, place);
    if (inside <= 0) return place;
    const x = left[0] - right[0];
    const y = left[1] - right[1];
    const twice = (2 * inside) / (x * x + y * y);
    return [place[0] + y * twice, place[1] - x * twice];
  }

  /**
   * Divides a line beyond the window into the parts that are reached around the right end of the window, straight, and
   * around its left end. Returns the four ends of these parts, from 0 at the right end of the line to 1 at its left end;
   * a part that ends where it begins, or before, is not there.
   */
  parts(right, left) {
    const { root } = this;
    const rightOfRight = turn(root, this.right, right);
    const rightOfLeft = turn(root, this.right, left);
    const leftOfRight = turn(root, this.left, right);
    const leftOfLeft = turn(root, this.left, left);
    // A line whose left end is right of what is seen is not seen from its inside, if at all: whichever end the way goes
    // around decides.
    const seenFrom = rightOfLeft < 0 ? 1 : rightOfRight >= 0 ? 0 : rightOfRight / (rightOfRight - rightOfLeft);
    const seenTo = leftOfRight > 0 ? 0 : leftOfLeft <= 0 ? 1 : leftOfRight / (leftOfRight - leftOfLeft);
    return [0, seenFrom, seenTo, 1];
  }

  /**
   * Returns the place of the window nearest to the straight way from the root to a place beyond it, or to the mirror
   * image of a place that is on the side of the root.
   */
  crossing(goal) {
    const place = this.#mirrored(goal);
    const sight = this.sight(place);
    if (sight !== STRAIGHT) return this.turningPlace(sight);
    const root = turn(this.right, this.left, this.root);
    const beyond = turn(this.right, this.left, place);
    if (root <= 0 || beyond >= 0) return this.nearest();
    return between(this.root, place, root / (root - beyond));
  }
}
