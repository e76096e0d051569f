// Paths: two positions of an agent in; the places where its way turns, and how it gets from one to the next, out. Also
// finds where an agent gets at all. The order of all arithmetic is that of Rust's `navigation::path`.

import { distance } from "./cone.mjs";
import { inside } from "./corner.mjs";
import { reachedFloors } from "./links.mjs";
import { PointList } from "./points.mjs";
import { PathError, Search } from "./search.mjs";
import { NEAR } from "./tolerance.mjs";

/**
 * What parts of a path cost, beside 1 for each unit of the way as seen from above: a unit of the way in other stances
 * than the tallest (at least 1), and a change of stance, a drop, a jump, and a climb or a lift (0 or more). With these,
 * an agent takes detours of a few steps to avoid one of them, and at most twice the way to avoid crouching.
 */
export const PATH_COSTS = Object.freeze({ crouched: 2, switch: 0, drop: 64, jump: 128, climb: 128 });

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
  const points = new PointList(ways, search.nodes).from(found, ends);
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
  for (const floor of reachedFloors(ways.linksFrom, start.floor, goal.floor)) if (floor === goal.floor) return true;
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
      if (!found) continue;
      // Beyond an edge, it would not see the links over it.
      const place = inside(found.floor, [found.point[0], found.point[1]], NEAR);
      return { floor: found.floor.number, place };
    }
    throw new PathError(end === 0 ? "NO_START" : "NO_GOAL");
  });
}
