// Bots: agents of all classes that walk from one random place to another. In: a map with links between its floors. Out:
// where each bot is, tick by tick.

import { isCarried } from "links.mjs";
import { Agent } from "movement.mjs";
import { PROGRESS, PathFollower } from "navigation.mjs";

/** Seconds of a tick. */
const TICK = 1 / 60;
/** The most paths that are searched in a tick: with more, the page would stutter. */
const MAX_SEARCHES = 2;
/** How far above a floor bots begin, in units: more than the distance that traces keep from it. */
const LIFT = 1 / 16;

/** Random numbers from 0 to 1, the same for everyone who opens the page (xorshift, Marsaglia 2003). */
function randomNumbers(state) {
  return () => {
    for (const shift of [13, -17, 5]) state ^= shift > 0 ? state << shift : state >>> -shift;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Returns the hull of an agent in which it is tallest. */
const tallest = ({ hulls }) => hulls.reduce((one, other) => (other.maxs[2] - other.mins[2] > one.maxs[2] - one.mins[2] ? other : one));

export class Bots {
  /** The bots: `{ agent, agentClass, route, follower }`; those that wait for a path have no route. */ all = [];
  /** Number of goals that bots reached. */ nArrived = 0;
  /** Number of bots that something stopped on their way. */ nStuck = 0;
  #map;
  #random = randomNumbers(20_261);
  #rest = 0;

  /** Creates a number of bots, evenly of all classes that have floors. */
  constructor(map, count) {
    this.#map = map;
    const classes = map.agents().filter((agentClass) => map.floors(tallest(agentClass)).length > 0);
    for (let number = 0; number < count && classes.length > 0; number++) {
      const agentClass = classes[number % classes.length];
      const [hull, [x, y, z]] = [tallest(agentClass), this.#place(tallest(agentClass))];
      this.all.push({ agent: new Agent(hull, [x, y, z + LIFT]), agentClass, route: null, follower: null });
    }
  }

  /** Advances time by `seconds` in a world. */
  pass(world, seconds) {
    this.#rest = Math.min(this.#rest + seconds, 0.1);
    for (; this.#rest >= TICK; this.#rest -= TICK) this.tick(world);
  }

  /** Moves all bots by one tick. */
  tick(world) {
    let nSearches = 0;
    for (const bot of this.all) {
      if (!bot.route && nSearches++ < MAX_SEARCHES) this.#send(bot);
      if (!bot.route) continue;
      const progress = bot.follower.walk(bot.agent, world, bot.agentClass, bot.route, TICK);
      if (progress === PROGRESS.FOLLOWING) continue;
      if (progress === PROGRESS.ARRIVED) this.nArrived++;
      else this.nStuck++;
      bot.route = null;
    }
  }

  #place(hull) {
    return this.#map.randomPlace(hull, [this.#random(), this.#random(), this.#random()]).point;
  }

  /** Finds a path to a random place for a bot; without one, it stays where it is. */
  #send(bot) {
    const route = pathTo(this.#map, bot.agent, this.#place(tallest(bot.agentClass)), tallest(bot.agentClass));
    // The page has no teleporters and jump pads, and its lifts stand still.
    if (!route || route.some(({ kind }) => isCarried(kind))) return;
    Object.assign(bot, { route, follower: new PathFollower() });
  }
}

/** Returns the points of a path of an agent to the position of a hull, or null if there is none. */
export function pathTo(map, agent, goal, hull) {
  const height = agent.stance.mins[2] - hull.mins[2];
  const [x, y, z] = agent.position;
  try {
    return map.path(hull, [x, y, z + height], goal).points;
  } catch (error) {
    if (error.code) return null;
    throw error;
  }
}
