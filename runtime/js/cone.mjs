// The plane geometry of a path search, as seen from above: what a place, the root, sees through a window, which is a
// part of a line between two floors. Places are x and y, in units. The order of all arithmetic is that of Rust's
// `navigation::cone`.

import { ROUNDED } from "./tolerance.mjs";

/** How a place beyond a window is reached from the root: around an end of the window, or straight. */
export const AROUND_RIGHT = "around right";
export const STRAIGHT = "straight";
export const AROUND_LEFT = "around left";

/** Whether two places are one. */
export const isSame = ([ax, ay], [bx, by]) => ax === bx && ay === by;

/** Returns the distance between two places, in units. */
export function distance([ax, ay], [bx, by]) {
  const [x, y] = [bx - ax, by - ay];
  return Math.sqrt(x * x + y * y);
}

/** Returns a number above 0 if a place is left of the way from one place to another, below 0 if it is right of it. */
export function turn([ax, ay], [bx, by], [x, y]) {
  return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

/**
 * Whether a place lies on the right side of a line, farther away than the rounding error of links. No path crosses the
 * line from there.
 */
export function isBehind(right, left, place) {
  const behind = turn(right, left, place);
  const [x, y] = [left[0] - right[0], left[1] - right[1]];
  return behind < 0 && behind * behind > ROUNDED * ROUNDED * (x * x + y * y);
}

/**
 * Moves the ends of a window outward by the rounding error of links, except for those that are corners. Without this,
 * a straight path along a wall, or through a point where several floors meet, would miss the windows beside it.
 */
export function widened([right, left], [isRightCorner, isLeftCorner]) {
  const length = distance(right, left);
  if (length <= 0) return [right, left];
  const part = ROUNDED / length;
  const [x, y] = [(left[0] - right[0]) * part, (left[1] - right[1]) * part];
  return [isRightCorner ? right : [right[0] - x, right[1] - y], isLeftCorner ? left : [left[0] + x, left[1] + y]];
}

/** Returns the place at a part of the way from one place to another; exactly at the ends if the part is 0 or 1. */
export function between([ax, ay], [bx, by], part) {
  return part >= 1 ? [bx, by] : [ax + (bx - ax) * part, ay + (by - ay) * part];
}

/** What a root sees through a window, given the right and the left end of the window as seen from there. */
export class Cone {
  constructor(root, right, left) {
    Object.assign(this, { root, right, left });
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
    const [x, y] = [left[0] - right[0], left[1] - right[1]];
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
  #mirrored([x, y]) {
    const [[rx, ry], [lx, ly]] = [this.right, this.left];
    const inside = turn(this.right, this.left, [x, y]);
    if (inside <= 0) return [x, y];
    const [wx, wy] = [lx - rx, ly - ry];
    const twice = (2 * inside) / (wx * wx + wy * wy);
    return [x + wy * twice, y - wx * twice];
  }

  /**
   * Returns the parts of a line beyond the window that are reached in each way, as parts of the way from its right to
   * its left end. Parts without length are left out.
   */
  parts(right, left) {
    const fromRight = [right, left].map((place) => turn(this.root, this.right, place));
    const fromLeft = [right, left].map((place) => turn(this.root, this.left, place));
    const crossing = ([atRight, atLeft]) => atRight / (atRight - atLeft);
    // A line whose left end is right of what is seen is not seen from its inside, if at all: whichever end the way goes
    // around decides.
    const seenFrom = fromRight[1] < 0 ? 1 : fromRight[0] >= 0 ? 0 : crossing(fromRight);
    const seenTo = fromLeft[0] > 0 ? 0 : fromLeft[1] <= 0 ? 1 : crossing(fromLeft);
    const parts = [[AROUND_RIGHT, 0, seenFrom], [STRAIGHT, seenFrom, seenTo], [AROUND_LEFT, seenTo, 1]];
    return parts.filter(([, start, end]) => start < end);
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
