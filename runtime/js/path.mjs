// Paths: two positions of an agent in; the places where its way turns, and how it gets from one to the next, out. The
// order of all arithmetic is that of Rust's `navigation::path`.

import { distance } from "./cone.mjs";
import { floorAt } from "./floors.mjs";
import { PointList } from "./points.mjs";
import { PathError, Search } from "./search.mjs";

/**
 * What parts of a path cost, beside 1 for each unit of the way as seen from above: a unit of the way in other stances
 * than the tallest (at least 1), and a change of stance, a drop and a jump (0 or more). With these, an agent takes
 * detours of a few steps to avoid a drop or a jump, and at most twice the way to avoid crouching.
 */
export const PATH_COSTS = Object.freeze({ crouched: 2, switch: 0, drop: 64, jump: 128 });

/**
 * Finds a path; see `OnionMap.path`.
 *
 * @param ways The ways of a map: `{ nLinks, floors, hulls, linksFrom }`, the number of links, all floors by number, and
 *   the hull of each and the links from each.
 * @param agent The class of the agent; undefined if the hull has none.
 * @param hull The stance of both positions.
 */
export function findPath(ways, agent, hull, [start, goal], costs) {
  if (!agent) throw new PathError("NO_AGENT");
  const height = ({ mins, maxs }) => Math.fround(maxs[2] - mins[2]);
  const stances = [...agent.hulls].sort((one, other) => height(other) - height(one));
  const ends = [];
  for (const [position, code] of [[start, "NO_START"], [goal, "NO_GOAL"]]) {
    const found = standing(ways, stances, hull, position, agent.settings.stepHeight);
    if (!found) throw new PathError(code);
    ends.push(found);
  }
  const search = new Search(ways, { ...PATH_COSTS, ...costs }, stances[0], ends[1]);
  const found = search.run(ends[0]);
  const points = new PointList(ways, search.nodes).from(found, ends);
  const length = points.slice(1).reduce((sum, { position }, i) => sum + distance(points[i].position, position), 0);
  return { points, length, cost: found.cost };
}

/** Returns where an agent at a position of a hull stands, in the tallest stance with a floor there, or null. */
function standing({ floors, hulls }, stances, hull, [x, y, z], reach) {
  for (const stance of stances) {
    const own = floors.filter(({ number }) => hulls[number] === stance);
    const found = floorAt(own, [x, y, z + (hull.mins[2] - stance.mins[2])], reach);
    if (found) return { floor: found.floor.number, place: [found.point[0], found.point[1]] };
  }
  return null;
}
