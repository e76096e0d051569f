// Paths: two positions of an agent in; the places where its way turns, and how it gets from one to the next, out. Also
// finds where an agent gets at all. The order of all arithmetic is that of Rust's `navigation::path`.

import { AROUND_LEFT, AROUND_RIGHT, STRAIGHT, distance, isSame } from "./cone.mjs";
import { reachedFloors } from "./links.mjs";
import { NONE, PathError, Search } from "./search.mjs";
import { FROM_CORNER } from "./tolerance.mjs";

/**
 * What parts of a path cost, beside 1 for each unit of the way as seen from above: a unit of the way in other stances
 * than the tallest (at least 1), and a change of stance, a drop and a jump (0 or more). With these, an agent takes
 * detours of a few steps to avoid a drop or a jump, and at most twice the way to avoid crouching.
 */
export const PATH_COSTS = Object.freeze({ crouched: 2, switch: 0, drop: 64, jump: 128 });

/**
 * Finds a path; see `OnionMap.path`.
 *
 * @param ways The ways of a map: `{ nLinks, trees, floors, hulls, linksFrom }`, the number of links, the tree of floors
 *   of each hull, all floors by number, and the hull of each and the links from each.
 * @param agent The class of the agent; undefined if the hull has none.
 * @param hull The stance of both positions.
 */
export function findPath(ways, agent, hull, positions, costs) {
  const ends = standings(ways, agent, hull, positions);
  const search = new Search(ways, { ...PATH_COSTS, ...costs }, stancesOf(agent)[0], ends[1]);
  const found = search.run(ends[0]);
  const points = new PointList(ways, ends[1].place).from(search.nodes, found, ends);
  const length = points.slice(1).reduce((sum, { position }, i) => sum + distance(points[i].position, position), 0);
  return { points, length, cost: found.cost };
}

/** Returns the floors that links lead to from a position; see `OnionMap.reachable`. */
export function reachable(ways, agent, hull, position) {
  const [start] = standings(ways, agent, hull, [position]);
  return [...reachedFloors(ways.linksFrom, start.floor)].map((floor) => ways.floors[floor]);
}

/** Whether links lead from one position to another; see `OnionMap.canReach`. */
export function canReach(ways, agent, hull, positions) {
  const [start, goal] = standings(ways, agent, hull, positions);
  for (const floor of reachedFloors(ways.linksFrom, start.floor)) if (floor === goal.floor) return true;
  return false;
}

/** Returns the stances of an agent, the tallest first. */
function stancesOf(agent) {
  const height = ({ mins, maxs }) => Math.fround(maxs[2] - mins[2]);
  return [...agent.hulls].sort((one, other) => height(other) - height(one));
}

/**
 * Returns where an agent stands at positions of a hull, the start and the goal, each in the tallest stance with a floor
 * there.
 * @throws {PathError} There is no agent, or it cannot stand there.
 */
function standings({ trees }, agent, hull, positions) {
  if (!agent) throw new PathError("NO_AGENT");
  return positions.map(([x, y, z], end) => {
    for (const stance of stancesOf(agent)) {
      const position = [x, y, z + (hull.mins[2] - stance.mins[2])];
      const found = trees[stance.index].at(position, agent.settings.stepHeight);
      if (found) return { floor: found.floor.number, place: [found.point[0], found.point[1]] };
    }
    throw new PathError(end === 0 ? "NO_START" : "NO_GOAL");
  });
}

/** Returns the unit vector from one place to another, or zero if they are one. */
function direction(from, to) {
  const length = distance(from, to);
  return length > 0 ? [(to[0] - from[0]) / length, (to[1] - from[1]) / length] : [0, 0];
}

/** The points of a path, from its goal on. */
class PointList {
  #points = [];
  #ways;
  #goal;
  /** The place of the last point. */ #last;

  constructor(ways, goal) {
    this.#ways = ways;
    this.#goal = goal;
    this.#last = goal;
  }

  /** Returns the points on the way to a node at the goal, from the start on. */
  from(nodes, found, [start, goal]) {
    this.#push(goal.place, goal.floor, "walk");
    let later = found;
    while (later.parent !== NONE) {
      const earlier = nodes[later.parent];
      this.#pushBetween(earlier, later);
      later = earlier;
    }
    this.#push(start.place, start.floor, "walk");
    return this.#points.reverse();
  }

  #push(place, floor, kind) {
    const { floors, hulls } = this.#ways;
    const position = [place[0], place[1], floors[floor].height(place)];
    this.#points.push({ position, hull: hulls[floor], floor, kind });
    this.#last = place;
  }

  /** Adds the points between two nodes of the search, one of which is the parent of the other. */
  #pushBetween(earlier, later) {
    const sight = this.#sightBetween(earlier, later);
    if (sight !== STRAIGHT) this.#pushTurn(earlier, sight);
  }

  /** Returns how the earlier node saw the way to the later one, after the points of a way across. */
  #sightBetween({ cone, floor }, later) {
    if (later.isGoal) return cone.sight(this.#goal);
    const { root } = later.cone;
    const link = this.#ways.linksFrom[floor].find(({ number }) => number === later.link);
    if (link.kind === "walk") {
      if (isSame(root, cone.root)) return STRAIGHT;
      return isSame(root, cone.right) ? AROUND_RIGHT : AROUND_LEFT;
    }
    const leaves = [root[0] - link.across[0], root[1] - link.across[1]];
    this.#push(root, later.floor, link.kind);
    // Not on the very edge, over which it would slip at full speed.
    const [x, y] = direction(root, leaves);
    this.#push([leaves[0] + x * FROM_CORNER, leaves[1] + y * FROM_CORNER], link.from, "walk");
    return cone.sight(leaves);
  }

  /**
   * Adds the point where a path turns around an end of a node's window, which is the corner of a wall or a ledge: at a
   * distance from both ways that meet there, on the side away from the corner.
   */
  #pushTurn({ cone, floor }, sight) {
    const corner = cone.turningPlace(sight);
    // Where two corners touch, the way leads through the place between them.
    if (distance(corner, this.#last) < FROM_CORNER || distance(corner, cone.root) < FROM_CORNER) {
      this.#push(corner, floor, "walk");
      return;
    }
    const [ax, ay] = direction(cone.root, corner);
    const [bx, by] = direction(corner, this.#last);
    const side = sight === AROUND_LEFT ? FROM_CORNER : -FROM_CORNER;
    const [x, y] = [(ay + by) * side, -(ax + bx) * side];
    // 2 if the way hardly turns, 0 if it turns back.
    const straightness = 1 + ax * bx + ay * by;
    // Past the end of a thin obstacle if it turns back.
    const place = straightness < 0.5
      ? [corner[0] + ax * FROM_CORNER + x, corner[1] + ay * FROM_CORNER + y]
      : [corner[0] + x / straightness, corner[1] + y / straightness];
    this.#push(place, floor, "walk");
    this.#last = corner;
  }
}
