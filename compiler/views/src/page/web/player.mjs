// The player. In: keys, mouse and fingers. Out: ticks of an agent. All ticks have the same length, so that the same
// keys lead to the same place on every machine.

import { Doors } from "doors.mjs";
import { Agent, WALK_SETTINGS } from "movement.mjs";
import { PROGRESS, PathFollower } from "navigation.mjs";

/** Seconds of a tick. */
export const TICK = 1 / 120;
/** Speeds in units per second. */
const SPEEDS = { walk: 320, crouch: 160, fly: 640 };
const JUMP = 270;
/** Distance of the eye below the top of the box, in units. */
const EYE = 6;

/** Names of keys in scripts, by their names on the keyboard. */
const KEYS = {
  KeyW: "w", ArrowUp: "w", KeyS: "s", ArrowDown: "s", KeyA: "a", KeyD: "d", Space: "j",
  KeyC: "c", ControlLeft: "c", ShiftLeft: "c",
};

export class Player {
  /** The keys that are down. */ keys = new Set();
  /** Position of the stick on a touch screen, to the right and ahead. */ stick = [0, 0];
  pitch = 0;
  isFlying = false;
  /** The inputs of each tick, for tests. */ log = null;
  /** The path that it follows until a key moves it: `{ points, agentClass, follower }`, or null. */ #route = null;
  #rest = 0;
  #eyeLag = 0;

  /** Creates a player. `crouch` is the hull that the crouch key selects, if there is one. */
  constructor(map, hull, crouch, { position, angle }) {
    /** What stops it: the map with its doors, or the map alone. */
    this.world = new Doors(map);
    Object.assign(this, { hull, crouch });
    this.agent = new Agent(hull, position);
    this.yaw = (angle * Math.PI) / 180;
    this.flight = [...position];
  }

  /** Its position. */
  get position() {
    return this.isFlying ? this.flight : this.agent.position;
  }

  /** The position of its eye. */
  get eye() {
    const [x, y, z] = this.position;
    if (this.isFlying) return [x, y, z];
    const { mins, maxs } = this.agent.stance;
    return [x, y, z + Math.max(maxs[2] - EYE, (mins[2] + maxs[2]) / 2) + this.#eyeLag];
  }

  /** The direction in which it looks. */
  get direction() {
    const level = Math.cos(this.pitch);
    return [Math.cos(this.yaw) * level, Math.sin(this.yaw) * level, Math.sin(this.pitch)];
  }

  /** Handles a key that goes down or up, and returns whether it is one of the player's. */
  key(code, isDown) {
    const name = KEYS[code];
    if (!name) return false;
    if (isDown) this.keys.add(name);
    else this.keys.delete(name);
    return true;
  }

  /** Turns by radians. */
  turn(right, up) {
    this.yaw -= right;
    this.pitch = Math.min(Math.max(this.pitch + up, -1.55), 1.55);
  }

  /** Starts to fly from the position of its eye, or to walk from its position. */
  toggleFlight() {
    const { eye } = this;
    this.isFlying = !this.isFlying;
    if (this.isFlying) this.flight = eye;
    else if (!this.world.isSolid(this.agent.stance, this.flight)) {
      this.agent = new Agent(this.agent.stance, this.flight);
    }
  }

  /** Advances time by `seconds`. */
  pass(seconds) {
    this.#rest = Math.min(this.#rest + seconds, 0.1);
    const before = this.agent.position[2] + this.agent.stance.maxs[2];
    while (this.#rest >= TICK) {
      this.#rest -= TICK;
      if (this.isFlying) this.#fly();
      else this.tick();
    }
    // Steps and crouching move the box at once; the eye follows.
    const rise = this.agent.position[2] + this.agent.stance.maxs[2] - before;
    if (Math.abs(rise) > 3 && Math.abs(rise) < 64) this.#eyeLag -= rise;
    this.#eyeLag *= Math.exp(-seconds * 14);
  }

  /** Follows a path, `{ points, agentClass }`, until a key moves the player; null ends that. */
  follow(route) {
    this.#route = route && { ...route, follower: new PathFollower() };
  }

  /** Walks for one tick. */
  tick() {
    const { agent, world } = this;
    if (this.keys.size > 0 || this.stick.some((at) => at !== 0)) this.#route = null;
    if (this.#route) {
      const { points, agentClass, follower } = this.#route;
      this.log?.push({ follows: true });
      if (follower.walk(agent, world, agentClass, points, TICK) !== PROGRESS.FOLLOWING) this.#route = null;
      return;
    }
    const isLow = this.keys.has("c") && this.crouch !== undefined;
    if (this.keys.has("j")) agent.jump(JUMP);
    agent.switchStance(world, isLow ? this.crouch : this.hull);
    const speed = agent.stance === this.crouch && this.crouch !== this.hull ? SPEEDS.crouch : SPEEDS.walk;
    const wish = this.#wish(speed);
    this.log?.push({ jump: this.keys.has("j"), stance: isLow ? this.crouch.name : this.hull.name, wish });
    agent.walk(world, WALK_SETTINGS, wish, TICK);
  }

  #wanted() {
    const pressed = (name) => (this.keys.has(name) ? 1 : 0);
    const ahead = pressed("w") - pressed("s") + this.stick[1];
    const right = pressed("d") - pressed("a") + this.stick[0];
    const length = Math.max(Math.hypot(ahead, right), 1);
    return [ahead / length, right / length];
  }

  #wish(speed) {
    const [ahead, right] = this.#wanted();
    const [x, y] = [Math.cos(this.yaw), Math.sin(this.yaw)];
    return [(x * ahead + y * right) * speed, (y * ahead - x * right) * speed];
  }

  #fly() {
    const [ahead, right] = this.#wanted();
    const up = (this.keys.has("j") ? 1 : 0) - (this.keys.has("c") ? 1 : 0);
    const [x, y, z] = this.direction;
    const side = [Math.sin(this.yaw), -Math.cos(this.yaw), 0];
    const step = [x * ahead, y * ahead, z * ahead + up].map((w, k) => w + side[k] * right);
    this.flight = this.flight.map((w, k) => w + step[k] * SPEEDS.fly * TICK);
  }
}
