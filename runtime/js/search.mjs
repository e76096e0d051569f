// The search for the shortest way over floors: Polyanya (Cui, Harabor and Grastien, "Compromise-free Pathfinding on a
// Navigation Mesh", IJCAI 2017). A node of the search is a floor, seen through a window from the last place where the
// way turned. Where a link takes agents across, the search goes on from one place on its other side, the one in the
// direction of the goal. The order of all arithmetic, and of nodes with equal bounds, is that of Rust's
// `navigation::search`.

import { AROUND_LEFT, AROUND_RIGHT, Cone, STRAIGHT, between, distance, isBehind, widened } from "./cone.mjs";
import { reachedFloors } from "./links.mjs";
import { NEAR } from "./tolerance.mjs";

/**
 * A search that has taken this many nodes first finds out whether links lead to the goal at all: most end sooner, and
 * one that has no goal would go everywhere.
 */
const PATIENCE = 256;

/** Limit on the nodes of a search, as a multiple of the number that `path_scratch` of Rust gives. */
const MEMORY = 4;

/** The number of no node, link, floor or turning place. */
export const NONE = -1;

/** Returns the number of an end of a link as a turning place. */
const turningPlace = (link, sight) => 2 * link + (sight === AROUND_LEFT ? 1 : 0);

/**
 * Returns whether `other`, a node behind the same link, can be left out: it sees the floor from the same root through the
 * same window, at no less cost.
 */
function isAsGoodAs(node, other) {
  const isSame = (end) => distance(node.cone[end], other.cone[end]) <= NEAR;
  const hasEnds = (node.hasRight || !other.hasRight) && (node.hasLeft || !other.hasLeft);
  return isSame("root") && isSame("right") && isSame("left") && hasEnds && other.cost >= node.cost - NEAR;
}

/** The reasons why there is no path, by the `code` of a `PathError`. */
const REASONS = {
  NO_AGENT: "the file has no links for this hull: compile the map with --floors, and find the hull in it",
  NO_START: "the start is not on a floor where the agent can stand: nearestFloor finds a place near it",
  NO_GOAL: "the goal is not on a floor where the agent can stand: nearestFloor finds a place near it",
  NO_WAY: "no way leads from the start to the goal",
  OUT_OF_SCRATCH: "the search has reached the limit on its memory",
};

/** Why there is no path. */
export class PathError extends Error {
  /** @type {"NO_AGENT" | "NO_START" | "NO_GOAL" | "NO_WAY" | "OUT_OF_SCRATCH"} */ code;

  constructor(code) {
    super(REASONS[code]);
    this.name = "PathError";
    this.code = code;
  }
}

/** The open nodes: a heap with the least bound on top; of equal ones, the node that was added first. */
class OpenNodes {
  #nodes;
  #heap = [];

  constructor(nodes) {
    this.#nodes = nodes;
  }

  push(number) {
    const heap = this.#heap;
    let at = heap.push(number) - 1;
    while (at > 0 && this.#isBefore(at, (at - 1) >> 1)) {
      this.#swap(at, (at - 1) >> 1);
      at = (at - 1) >> 1;
    }
  }

  pop() {
    const last = this.#heap.length - 1;
    this.#swap(0, last);
    const first = this.#heap.pop();
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const child = right < last && this.#isBefore(right, left) ? right : left;
      if (child >= last || !this.#isBefore(child, at)) return first;
      this.#swap(at, child);
      at = child;
    }
  }

  get isEmpty() {
    return this.#heap.length === 0;
  }

  #isBefore(one, other) {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    const [bound, than] = [this.#nodes[a].bound, this.#nodes[b].bound];
    return bound < than || (bound === than && a < b);
  }

  #swap(one, other) {
    [this.#heap[one], this.#heap[other]] = [this.#heap[other], this.#heap[one]];
  }
}

/**
 * A search for a path to a goal.
 *
 * Nodes are `{ cone, cost, bound, floor, before, link, parent, turned, hasRight, hasLeft, isGoal }`: the last place
 * where the way turned and the window by which it enters the floor, the cost of the way to that place, a lower bound
 * on the cost of the whole path, the numbers of the floor, of the floor before, of the link between the two and of the
 * node before, and that of the last turn, each `NONE` if there is none; whether paths may turn at the ends of the
 * window, and whether the node is the goal.
 */
export class Search {
  /** All nodes, by number. */ nodes;
  #open;
  /** The least cost at which each turning place was reached. */ #least;
  /** The last node behind each walking link. */ #latest;
  /** Whether paths may turn at both ends of all links, and crouch where agents can walk. */ #isThorough = false;
  #maxNodes;
  #ways;
  #costs;
  #tallest;
  #goal;

  /**
   * @param ways The ways of a map; see `findPath`.
   * @param costs What parts of a path cost.
   * @param tallest The hull for which a unit of the way costs 1; others crouch.
   * @param goal The place and the floor of the goal.
   */
  constructor(ways, costs, tallest, goal) {
    this.#ways = ways;
    this.#costs = costs;
    this.#tallest = tallest;
    this.#goal = goal;
    this.#maxNodes = MEMORY * (4 * ways.nLinks + ways.floors.length + 256);
  }

  /**
   * Returns the node at the goal.
   * @throws {PathError} No way leads there, or there are too many nodes.
   */
  run(start) {
    let found = this.#look(start);
    if (!found && this.#canReach(start.floor)) {
      // A corner is missing among those that paths turn around, such as one that is part of a step; or agents cannot
      // stand up where they should.
      this.#isThorough = true;
      found = this.#look(start);
    }
    if (!found) throw new PathError("NO_WAY");
    return found;
  }

  /** Returns the node at the goal, or null if no way was found. */
  #look({ place, floor }) {
    this.nodes = [];
    this.#open = new OpenNodes(this.nodes);
    this.#least = new Map();
    this.#latest = new Map();
    const none = { before: NONE, link: NONE, parent: NONE, turned: NONE };
    const ends = { hasRight: false, hasLeft: false, isGoal: false };
    const bound = distance(place, this.#goal.place);
    this.#push({ cone: Cone.allAround(place), cost: 0, bound, floor, ...none, ...ends });
    for (let nTaken = 1; !this.#open.isEmpty; nTaken++) {
      const number = this.#open.pop();
      const node = this.nodes[number];
      if (nTaken === PATIENCE && !this.#canReach(floor)) return null;
      if (node.isGoal) return node;
      // Otherwise a cheaper way to the root was found meanwhile.
      if (node.turned === NONE || node.cost <= this.#leastAt(node.turned) + NEAR) this.#expand(number, node);
    }
    return null;
  }

  #push(node) {
    if (this.nodes.length >= this.#maxNodes) throw new PathError("OUT_OF_SCRATCH");
    this.#open.push(this.nodes.push(node) - 1);
  }

  #leastAt(turned) {
    return this.#least.get(turned) ?? Infinity;
  }

  /** Whether links lead from a floor to the goal's. */
  #canReach(floor) {
    const goal = this.#goal.floor;
    for (const reached of reachedFloors(this.#ways.linksFrom, floor, goal)) if (reached === goal) return true;
    return false;
  }

  /** Adds the nodes behind a node: the goal if it is on this floor, otherwise all floors that links lead to. */
  #expand(number, node) {
    const { cone, floor, before } = node;
    if (floor === this.#goal.floor) {
      const root = cone.turningPlace(cone.sight(this.#goal.place));
      const way = distance(cone.root, root) + distance(root, this.#goal.place);
      const cost = node.cost + this.#weight(floor) * way;
      this.#push({ ...node, cost, bound: cost, parent: number, isGoal: true });
      return;
    }
    const fromRoot = distance(cone.root, cone.nearest());
    for (const link of this.#ways.linksFrom[floor]) {
      const walks = link.kind === "walk";
      if (this.#leavesOut(link) || link.to === before || this.#hasBeenOn(node, link.to)) continue;
      for (const [sight, ...part] of cone.parts(link.right, link.left)) {
        const reached = this.#turn(node, sight);
        // Seen from behind, the link leads away from where the way comes from.
        if (!reached || isBehind(link.right, link.left, reached.root)) continue;
        const { root, cost, turned } = reached;
        const [right, left] = part.map((at) => between(link.right, link.left, at));
        const window = new Cone(root, right, left);
        // A straight way leads away from its root, also along the line of the link that it passes.
        const away = distance(root, window.nearest());
        if (sight === STRAIGHT && away + NEAR < fromRoot) continue;
        const turns = link.turns.map((turns) => turns || this.#isThorough);
        const hasEnd = [part[0] <= 0, part[1] >= 1];
        const stays = turns.map((isCorner, end) => isCorner || !hasEnd[end] || !walks);
        const entered = {
          cone: new Cone(root, ...widened([right, left], stays)),
          cost, bound: 0, floor: link.to, before: link.from, link: link.number,
          parent: number, turned, hasRight: hasEnd[0] && turns[0], hasLeft: hasEnd[1] && turns[1],
          isGoal: false,
        };
        if (walks) this.#walk(link, entered, away);
        else this.#cross(link, entered);
      }
    }
  }

  /**
   * Returns whether the search ignores a link: it leads to a floor that is too narrow to walk along, or agents can walk
   * there in a taller stance, and changes of stance are free.
   */
  #leavesOut({ onlyToGoal, upright, to }) {
    return (onlyToGoal && to !== this.#goal.floor) || (upright && this.#costs.switch <= 0 && !this.#isThorough);
  }

  /**
   * Whether the way to a node has been on a floor before: floors are convex, so it is not the shortest if it comes back
   * to one.
   */
  #hasBeenOn(node, floor) {
    for (let at = node.parent; at !== NONE; at = this.nodes[at].parent) {
      if (this.nodes[at].floor === floor) return true;
    }
    return false;
  }

  /** Returns the last turn of the way to what a node sees in some way, or null if a shorter way there is known. */
  #turn({ cone, cost, turned, link, before, hasRight, hasLeft }, sight) {
    if (sight === STRAIGHT) return { root: cone.root, cost, turned };
    // A way that turns in the middle of a line is not the shortest.
    if (!(sight === AROUND_RIGHT ? hasRight : hasLeft)) return null;
    const root = cone.turningPlace(sight);
    const costThere = cost + this.#weight(before) * distance(cone.root, root);
    const there = turningPlace(link, sight);
    const least = this.#leastAt(there);
    if (costThere > least + NEAR) return null;
    if (costThere < least) this.#least.set(there, costThere);
    return { root, cost: costThere, turned: there };
  }

  /**
   * Adds the node behind a walking link, unless all of its window is reached at less cost along the link from one of
   * its ends, or the last node behind the link is the same but for its cost: where several links end in one corner, ways
   * turn around it in several ways. The window is `away` units from its root.
   */
  #walk(link, entered, away) {
    const { root, right, left } = entered.cone;
    const weight = this.#weight(link.from);
    const cost = (to) => entered.cost + weight * distance(root, to);
    const least = entered.cost + weight * away;
    const turned = [AROUND_RIGHT, AROUND_LEFT].map((end) => turningPlace(link.number, end));
    const known = turned.map((end) => this.#leastAt(end));
    const fromRight = known[0] + weight * distance(link.right, left);
    const fromLeft = known[1] + weight * distance(link.left, right);
    // By more than rounding, which would leave out the way that it is compared with.
    if (least > fromRight + NEAR || least > fromLeft + NEAR) return;
    const latest = this.nodes[this.#latest.get(link.number)];
    if (latest && isAsGoodAs(latest, entered)) return;
    const reached = [
      cost(right) + weight * distance(right, link.right),
      cost(left) + weight * distance(left, link.left),
    ];
    for (const end of [0, 1]) if (reached[end] < known[end]) this.#least.set(turned[end], reached[end]);
    this.#latest.set(link.number, this.nodes.length);
    this.#push({ ...entered, bound: entered.cost + entered.cone.distanceTo(this.#goal.place) });
  }

  /** Adds the node behind a link that takes agents across. */
  #cross(link, entered) {
    const { place } = this.#goal;
    const [x, y] = link.across;
    const leaves = entered.cone.crossing([place[0] - x, place[1] - y]);
    const lands = [leaves[0] + x, leaves[1] + y];
    const toLine = this.#weight(link.from) * distance(entered.cone.root, leaves);
    const way = toLine + distance(leaves, lands) + this.#costOf(link.kind);
    const cost = entered.cost + way;
    const turned = turningPlace(link.number, AROUND_RIGHT);
    const bound = cost + distance(lands, place);
    if (bound >= this.#leastAt(turned)) return;
    this.#least.set(turned, bound);
    this.#push({ ...entered, cone: Cone.allAround(lands), cost, bound, turned });
  }

  /** Returns what a link of a kind costs, beside the way across. */
  #costOf(kind) {
    const { switch: ofSwitch, drop, jump, climb } = this.#costs;
    return { crouch: ofSwitch, stand: ofSwitch, drop, jump, swim: climb, climb, lift: climb }[kind] ?? 0;
  }

  /** Returns the cost of a unit of the way on a floor. */
  #weight(floor) {
    const isTallest = floor === NONE || this.#ways.hulls[floor] === this.#tallest;
    return isTallest ? 1 : this.#costs.crouched;
  }
}
