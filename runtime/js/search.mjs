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
  const isNear = (from, to) => distance(from, to) <= NEAR;
  const { root, right, left } = node.cone;
  const { cone } = other;
  const hasEnds = (node.hasRight || !other.hasRight) && (node.hasLeft || !other.hasLeft);
  const isSame = isNear(root, cone.root) && isNear(right, cone.right) && isNear(left, cone.left);
  return isSame && hasEnds && other.cost >= node.cost - NEAR;
}

/** Returns the bit of a node's `passed` that stands for a floor. */
const bit = (floor) => 1 << (floor & 31);

/** Whether paths may turn where a node sees something: one that turns in the middle of a line is not the shortest. */
function mayTurn(node, sight) {
  return sight === STRAIGHT || (sight === AROUND_RIGHT ? node.hasRight : node.hasLeft);
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
      const left = 2 * at + 1;
      const right = left + 1;
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
    const a = this.#heap[one];
    const b = this.#heap[other];
    const { bound } = this.#nodes[a];
    const than = this.#nodes[b].bound;
    return bound < than || (bound === than && a < b);
  }

  #swap(one, other) {
    const number = this.#heap[one];
    this.#heap[one] = this.#heap[other];
    this.#heap[other] = number;
  }
}

/**
 * A search for a path to a goal.
 *
 * Nodes are `{ cone, cost, bound, floor, passed, before, link, parent, turned, hasRight, hasLeft, isGoal }`: the last
 * place where the way turned and the window by which it enters the floor, the cost of the way to that place, a lower
 * bound on the cost of the whole path, the number of the floor, the bits of all floors on the way, the numbers of the
 * floor before, of the link between the two and of the node before, and that of the last turn, each `NONE` if there is
 * none; whether paths may turn at the ends of the window, and whether the node is the goal.
 */
export class Search {
  /** All nodes, by number. */ nodes;
  #open;
  /** The least cost at which each turning place was reached. */ #least;
  /** The last node behind each walking link. */ #latest;
  /** Whether this is the second attempt: paths may turn at any end of a link, and take any crouching link. */ #isThorough = false;
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
    this.#push({ cone: Cone.allAround(place), cost: 0, bound, floor, passed: bit(floor), ...none, ...ends });
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
      if (!this.#leavesOut(link) && link.to !== before) this.#enter(number, node, link, fromRoot);
    }
  }

  /**
   * Adds the nodes behind a link, one for each way in which a node sees a part of it. The node's window is `fromRoot`
   * units from its root.
   */
  #enter(number, node, link, fromRoot) {
    const walks = link.kind === "walk";
    const parts = node.cone.parts(link.right, link.left);
    let isNew = false;
    for (let sight = AROUND_RIGHT; sight <= AROUND_LEFT; sight++) {
      const start = parts[sight];
      const end = parts[sight + 1];
      if (!(start < end) || !mayTurn(node, sight)) continue;
      // Looked up late, because that takes long.
      if (!isNew && this.#hasBeenOn(node, link.to)) return;
      isNew = true;
      const root = node.cone.turningPlace(sight);
      const turned = sight === STRAIGHT ? node.turned : turningPlace(node.link, sight);
      const cost = sight === STRAIGHT ? node.cost : this.#turn(node, root, turned);
      // Seen from behind, the link leads away from where the way comes from.
      if (cost === Infinity || isBehind(link.right, link.left, root)) continue;
      const right = between(link.right, link.left, start);
      const left = between(link.right, link.left, end);
      const cone = new Cone(root, right, left);
      // A straight way leads away from its root, also along the line of the link that it passes.
      const away = distance(root, cone.nearest());
      if (sight === STRAIGHT && away + NEAR < fromRoot) continue;
      const turnsRight = link.turns[0] || this.#isThorough;
      const turnsLeft = link.turns[1] || this.#isThorough;
      const hasRight = start <= 0;
      const hasLeft = end >= 1;
      const window = widened(right, left, turnsRight || !hasRight || !walks, turnsLeft || !hasLeft || !walks);
      cone.right = window[0];
      cone.left = window[1];
      const entered = {
        cone, cost, bound: 0, floor: link.to, passed: node.passed | bit(link.to), before: link.from,
        link: link.number, parent: number, turned, hasRight: hasRight && turnsRight, hasLeft: hasLeft && turnsLeft,
        isGoal: false,
      };
      if (walks) this.#walk(link, entered, away);
      else this.#cross(link, entered);
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
    if ((node.passed & bit(floor)) === 0) return false;
    for (let at = node.parent; at !== NONE; at = this.nodes[at].parent) {
      if (this.nodes[at].floor === floor) return true;
    }
    return false;
  }

  /** Returns the cost of the way to a node's turn at a place, infinite if a shorter way there is known. */
  #turn(node, root, turned) {
    const cost = node.cost + this.#weight(node.before) * distance(node.cone.root, root);
    const least = this.#leastAt(turned);
    if (cost > least + NEAR) return Infinity;
    if (cost < least) this.#least.set(turned, cost);
    return cost;
  }

  /**
   * Adds the node behind a walking link, unless all of its window is reached at less cost along the link from one of
   * its ends, or the last node behind the link is the same but for its cost: where several links end in one corner, ways
   * turn around it in several ways. The window is `away` units from its root.
   */
  #walk(link, entered, away) {
    const { root, right, left } = entered.cone;
    const weight = this.#weight(link.from);
    const least = entered.cost + weight * away;
    const atRight = turningPlace(link.number, AROUND_RIGHT);
    const atLeft = turningPlace(link.number, AROUND_LEFT);
    const knownRight = this.#leastAt(atRight);
    const knownLeft = this.#leastAt(atLeft);
    // By more than rounding, which would leave out the way that it is compared with.
    if (least > knownRight + weight * distance(link.right, left) + NEAR) return;
    if (least > knownLeft + weight * distance(link.left, right) + NEAR) return;
    const latest = this.nodes[this.#latest.get(link.number)];
    if (latest && isAsGoodAs(latest, entered)) return;
    const reachedRight = entered.cost + weight * distance(root, right) + weight * distance(right, link.right);
    const reachedLeft = entered.cost + weight * distance(root, left) + weight * distance(left, link.left);
    if (reachedRight < knownRight) this.#least.set(atRight, reachedRight);
    if (reachedLeft < knownLeft) this.#least.set(atLeft, reachedLeft);
    this.#latest.set(link.number, this.nodes.length);
    entered.bound = entered.cost + entered.cone.distanceTo(this.#goal.place);
    this.#push(entered);
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
    this.#push(Object.assign(entered, { cone: Cone.allAround(lands), cost, bound, turned }));
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
