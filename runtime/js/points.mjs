// The points of a path: the nodes of a search in, from the goal back to the start; the places where an agent changes its
// direction, its floor other than by walking on, or its height out. Shortest ways touch the corners of walls and ledges,
// and points keep a little away from them. The order of all arithmetic is that of Rust's `navigation::points`.

import { AROUND_LEFT, AROUND_RIGHT, Cone, STRAIGHT, between, distance, isSame } from "./cone.mjs";
import { apart, beside, direction, inside, onto } from "./corner.mjs";
import { NONE } from "./search.mjs";
import { FROM_CORNER, LEVEL, TOUCHES } from "./tolerance.mjs";

/** The points of a path, from its goal on. */
export class PointList {
  #points = [];
  #ways;
  #nodes;
  /** The place of the last point, or the corner that it is beside. */ #last;
  /** How the way turns around that corner. */ #turned;

  /**
   * @param ways The ways of a map; see `findPath`.
   * @param nodes The nodes of a search, by number.
   */
  constructor(ways, nodes) {
    this.#ways = ways;
    this.#nodes = nodes;
  }

  /** Returns the points on the way from the start to a node at the goal. */
  from(found, [start, goal]) {
    this.#push(goal.place, goal.floor, "walk");
    let later = found;
    while (later.parent !== NONE) {
      const earlier = this.#nodes[later.parent];
      const sight = this.#pushAcross(earlier, later, goal.place);
      if (!this.#pushBeforeLift(earlier, later)) this.#pushPassing(earlier, sight);
      later = earlier;
    }
    this.#push(start.place, start.floor, "walk");
    return this.#points.reverse();
  }

  #push(place, floor, kind) {
    const { floors, hulls } = this.#ways;
    const position = [place[0], place[1], floors[floor].height(place)];
    this.#points.push({ position, hull: hulls[floor], floor, kind });
    [this.#last, this.#turned] = [place, STRAIGHT];
  }

  /** Whether the last point is at a place of a floor. */
  #hasJust([x, y], number) {
    const last = this.#points.at(-1);
    return last !== undefined && last.floor === number && last.position[0] === x && last.position[1] === y;
  }

  /** Returns the link by which a node was entered; undefined for the start. */
  #linkOf({ link, before }) {
    return link === NONE ? undefined : this.#ways.linksFrom[before].find(({ number }) => number === link);
  }

  /**
   * Adds the points of a way across, if one leads from a node to the next. Returns how the node sees the rest of the
   * way.
   */
  #pushAcross({ cone }, next, goal) {
    if (next.isGoal) return cone.sight(goal);
    const link = this.#linkOf(next);
    const lands = next.cone.root;
    if (link.kind === "walk") return turnAt(cone, lands);
    this.#push(lands, next.floor, link.kind);
    const leaves = [lands[0] - link.across[0], lands[1] - link.across[1]];
    // Not on the very edge, over which it would slip at full speed.
    const [x, y] = direction(lands, leaves);
    const from = this.#ways.floors[link.from];
    const parts = [1, 0.5, 0.25].map((part) => part * FROM_CORNER);
    const before = parts.map((by) => [leaves[0] + x * by, leaves[1] + y * by]).find((place) => from.contains(place));
    this.#push(before ?? leaves, link.from, "walk");
    return cone.sight(leaves);
  }

  /**
   * Adds the place before the floor under a lift where a walker waits until the lift is down: beyond the walking link
   * that a node on that floor is entered by. Returns whether a lift takes agents from there to the next node.
   */
  #pushBeforeLift(node, next) {
    const [entered, taken] = [node, next].map((node) => this.#linkOf(node));
    if (entered?.kind !== "walk" || taken?.kind !== "lift") return false;
    const { right, left } = entered;
    const length = distance(right, left);
    const fromEnd = length / 2 < FROM_CORNER ? length / 2 : FROM_CORNER;
    const crossed = distance(right, node.cone.crossing(this.#last));
    const along = Math.min(Math.max(crossed, fromEnd), length - fromEnd);
    const [x, y] = direction(right, left);
    const place = [right[0] + x * along - y * FROM_CORNER, right[1] + y * along + x * FROM_CORNER];
    this.#push(place, entered.from, "walk");
    return true;
  }

  /**
   * Adds the points where a way passes the walking link that a node is entered by, if some are needed: where it turns
   * around an end, and where it touches a corner, which a walker has to keep away from.
   */
  #pushPassing(node, sight) {
    const link = this.#linkOf(node);
    if (link?.kind !== "walk") return;
    const { root } = node.cone;
    const by = node.cone.turningPlace(sight);
    if (![root, link.right, link.left].some((place) => isSame(place, by))) {
      // A way across is left on the line to another window, and this one hides a part of that.
      if (distance(by, this.#last) >= FROM_CORNER) this.#push(by, link.to, "walk");
      return;
    }
    // A window that is one place may be the other end of the link.
    const [isRight, isLeft] = [link.right, link.left].map((place) => isSame(place, by));
    if (sight !== STRAIGHT && isRight !== isLeft) sight = isRight ? AROUND_RIGHT : AROUND_LEFT;
    const right = [AROUND_RIGHT, link.right, node.hasRight || link.turns[0]];
    const left = [AROUND_LEFT, link.left, node.hasLeft || link.turns[1]];
    const isRightFirst = distance(root, link.right) > distance(root, link.left);
    const isNarrow = distance(link.right, link.left) < 2 * FROM_CORNER;
    for (const [around, corner, isCorner] of isRightFirst ? [right, left] : [left, right]) {
      const [from, to] = [link.from, link.to].map((floor) => this.#ways.floors[floor].height(corner));
      const hasStep = Math.abs(to - from) > LEVEL;
      if (sight === around || (isCorner && this.#touches(root, by, corner, hasStep || isNarrow))) {
        this.#pushTurn(node, link, around, hasStep);
        // A point beside one end is beside the other as well.
        if (isNarrow) return;
      }
    }
  }

  /**
   * Returns whether the way from one place over a second one to the last point touches a corner. Corners that the path
   * has already turned around count only if `isAny` is set, as it is at steps and narrow links.
   */
  #touches(from, by, corner, isAny) {
    const off = Math.min(apart(from, by, corner), apart(by, this.#last, corner));
    const isPassed = isAny || [from, this.#last].every((end) => distance(end, corner) > TOUCHES);
    return off < TOUCHES && isPassed;
  }

  /**
   * Adds the point where a path turns around an end of a link, which is the corner of a wall or a ledge; two if the
   * link leads up or down a step.
   */
  #pushTurn(node, link, around, hasStep) {
    const { right, left } = link;
    const corner = new Cone(node.cone.root, right, left).turningPlace(around);
    const { from, turned } = this.#turnBefore(node, corner);
    const isNear = distance(corner, this.#last) < FROM_CORNER;
    const isGap = (other) => other !== STRAIGHT && other !== around;
    const place = beside(from, corner, this.#last, around);
    const isNarrow = distance(right, left) < 2 * FROM_CORNER && link.turns[0] && link.turns[1];
    if (hasStep || isNarrow || isGap(turned) || (isNear && isGap(this.#turned))) {
      // On both floors: up or down the step, or between two corners that touch.
      for (const number of [link.to, link.from]) {
        const floor = this.#ways.floors[number];
        const moved = inside(floor, place, FROM_CORNER);
        const isOn = floor.contains(moved);
        if (!isOn && !isNarrow) continue;
        // If it is on none, the floors touch in little more than a point.
        const there = isOn ? (onto(floor, place) ?? moved) : between(right, left, 0.5);
        // Corners of two steps may be at one place.
        if (!this.#hasJust(there, number)) this.#push(there, number, "walk");
      }
    } else if (!isNear || this.#turned === STRAIGHT) {
      this.#push(this.#onFloor(link, place), link.to, "walk");
    }
    [this.#last, this.#turned] = [corner, around];
  }

  /**
   * Returns a place beside an end of a link, moved onto the floor that the link leads to if it is on none of the floors
   * there: those are too narrow to keep away from corners, and a walker would fall off.
   */
  #onFloor({ to, from }, place) {
    const { floors, linksFrom } = this.#ways;
    const beside = [to, from].flatMap((end) => linksFrom[end].map((link) => link.to));
    if ([to, from, ...beside].some((floor) => floors[floor].contains(place))) return place;
    return onto(floors[to], place) ?? place;
  }

  /**
   * Returns the last turn before a node that is not at a corner, or the start, and how the way turns around the last
   * one that is.
   */
  #turnBefore(node, corner) {
    let turned = STRAIGHT;
    while (distance(node.cone.root, corner) < FROM_CORNER && node.parent !== NONE) {
      const earlier = this.#nodes[node.parent];
      if (turned === STRAIGHT) turned = turnAt(earlier.cone, node.cone.root);
      node = earlier;
    }
    return { from: node.cone.root, turned };
  }
}

/** Returns how the way to a node behind a window turns whose root is the root of this one or an end of the window. */
function turnAt(cone, root) {
  if (isSame(root, cone.root)) return STRAIGHT;
  return isSame(root, cone.right) ? AROUND_RIGHT : AROUND_LEFT;
}
