// The truth about a map, found without floors, links or meshes: an agent of the runtime walks over a grid from all
// starts and items, up and down steps, by traces, but not on from where a game takes it along. A map, a hull and the
// map's file in; the places where the agent stands, and which of them it walks between, out.

/** Steps and slopes of all methods: those of Quake III. */
export const STEP = 18;
export const MIN_GROUND_Z = 0.7;

/** Entities where agents start or want to go. */
const WANTED = /^(info_player|team_CTF|item_|weapon_|ammo_|holdable_)/;

/** How far below an entity its floor may be, in units. */
const REACH = 400;

/** Places of one column of the grid nearer to each other than this in height are one. */
const SAME_HEIGHT = 3;

/** Entities that take along agents that touch them. */
const CARRIES = /^(trigger_(push|teleport)|func_plat)$/;

/** A lift without a height goes down by its own less this, in units. */
const LIP = 8;

/** The lump of models in a file of Quake III, its offset in the header, and the bytes of a model, which begin with its box. */
const [MODELS, MODEL_BYTES] = [8 + 8 * 7, 40];

/** Returns the boxes around the models of teleporters, jump pads and lifts that are down, which agents in them touch. */
function carriers(map, file) {
  const models = file.readUInt32LE(MODELS);
  const own = map.entities.filter((entity) => CARRIES.test(entity.get("classname") ?? ""));
  return own.map((entity) => {
    const at = models + MODEL_BYTES * Number(entity.get("model")?.slice(1));
    const number = (axis) => file.readFloatLE(at + 4 * axis);
    const isLift = entity.get("classname") === "func_plat";
    const down = isLift ? Number(entity.get("height") ?? number(5) - number(2) - LIP) : 0;
    const lowered = (axis) => number(axis) - (axis % 3 === 2 ? down : 0);
    return { mins: [0, 1, 2].map(lowered), maxs: [3, 4, 5].map(lowered) };
  });
}

/** The places where a hull stands on a grid. */
export class Truth {
  /** The places, with the numbers of those that a step away lead to. */ places = [];
  /** For each place, the number of the group within which agents walk both ways. */ groups;
  #world;
  #hull;
  #grid;
  #width;
  #carriers;
  #columns = new Map();

  /**
   * @param {Buffer} file The map's file.
   * @param {number} width Places and steps count only if they exist as well when moved sideways by this, in units; 0 for all.
   */
  constructor(map, hull, grid, file, width) {
    [this.#world, this.#hull, this.#grid, this.#width] = [map.world(), hull, grid, width];
    this.#carriers = carriers(map, file);
    for (const entity of map.entities) this.#begin(entity);
    for (let number = 0; number < this.places.length; number++) this.#walkFrom(number);
    this.groups = groupsOf(this.places);
  }

  /** Adds the place on the floor under an entity. */
  #begin(entity) {
    if (!WANTED.test(entity.get("classname") ?? "") || !entity.has("origin")) return;
    const [x, y, z] = entity.get("origin").split(" ").map(Number);
    const [ix, iy] = [x, y].map((at) => Math.round(at / this.#grid));
    for (const up of [0, STEP / 2, STEP, 24]) {
      const at = [ix * this.#grid, iy * this.#grid, z + up];
      if (this.#world.isSolid(this.#hull, at)) continue;
      const height = this.#ground(at, REACH);
      if (height !== null) this.#add(ix, iy, height);
      return;
    }
  }

  /** Whether the hull touches a teleporter, a jump pad or a lift. */
  isTaken(position) {
    const { mins, maxs } = this.#hull;
    const touches = (box) => position.every((at, axis) =>
      at + mins[axis] <= box.maxs[axis] && at + maxs[axis] >= box.mins[axis]);
    return this.#carriers.some(touches);
  }

  /** Returns the height of the ground below a place, or null. */
  #ground([x, y, z], reach) {
    const trace = this.#world.trace(this.#hull, [x, y, z], [x, y, z - reach]);
    const isGround = !trace.startSolid && trace.fraction < 1 && Math.abs(trace.plane.normal[2]) >= MIN_GROUND_Z;
    return isGround ? trace.endPos[2] : null;
  }

  /** Adds a place if it is new. Returns its number. */
  #add(ix, iy, z) {
    const key = `${ix},${iy}`;
    if (!this.#columns.has(key)) this.#columns.set(key, []);
    const column = this.#columns.get(key);
    const known = column.find((number) => Math.abs(this.places[number].position[2] - z) < SAME_HEIGHT);
    if (known !== undefined) return known;
    const number = this.places.push({ ix, iy, position: [ix * this.#grid, iy * this.#grid, z], next: [] }) - 1;
    column.push(number);
    return number;
  }

  /** Adds the places that a step of the grid leads to; those that the agent falls to are not linked. */
  #walkFrom(number) {
    const { ix, iy, position, next } = this.places[number];
    const isTaken = this.isTaken(position);
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const [tx, ty] = [(ix + dx) * this.#grid, (iy + dy) * this.#grid];
      const step = this.#step(position, [tx, ty]);
      const { near, height } = step ?? { height: null };
      if (height === null) continue;
      const isBeside = (side) => this.#isBeside(step, position, [tx, ty], [dy * side, dx * side]);
      if (this.#width > 0 && !([1, -1].some(isBeside) && this.#isWide([tx, ty, height]))) continue;
      const to = this.#add(ix + dx, iy + dy, height);
      if (near !== null && !isTaken) next.push(to);
    }
  }

  /** Returns the heights of the ground at most a step lower and at any depth after a step of the grid, or null. */
  #step([x, y, z], [tx, ty]) {
    const isFree = (height) => this.#world.trace(this.#hull, [x, y, height], [tx, ty, height]).fraction === 1;
    const top = this.#world.trace(this.#hull, [x, y, z], [x, y, z + STEP]).endPos[2];
    const from = isFree(z) ? z : isFree(top) ? top : null;
    if (from === null) return null;
    const near = this.#ground([tx, ty, from], from - z + STEP);
    return { near, height: near ?? this.#ground([tx, ty, from], 4096) };
  }

  /** Whether a step is there when it is moved to a side, and leads to ground at most a step higher or lower. */
  #isBeside(step, [x, y, z], [tx, ty], [sideX, sideY]) {
    const [mx, my] = [sideX, sideY].map((side) => side * this.#width);
    const moved = this.#step([x + mx, y + my, z + 2 * this.#width], [tx + mx, ty + my]);
    return moved !== null && moved.height !== null && Math.abs(moved.height - step.height) <= STEP;
  }

  /** Whether the ground goes on, no steeper than agents can stand on, on at least one side of a place along each axis. */
  #isWide([x, y, z]) {
    const hasGround = (dx, dy) => {
      const at = [x + dx, y + dy, z + 2 * this.#width];
      return !this.#world.isSolid(this.#hull, at) && this.#ground(at, 8 * this.#width) !== null;
    };
    const sides = [-this.#width, this.#width];
    return sides.some((side) => hasGround(side, 0)) && sides.some((side) => hasGround(0, side));
  }
}

/** Returns the groups of places that lead to each other. */
function groupsOf(places) {
  const groups = new Int32Array(places.length).fill(-1);
  places.forEach((_, first) => {
    if (groups[first] >= 0) return;
    groups[first] = first;
    for (const open = [first]; open.length > 0; ) {
      const from = open.pop();
      for (const to of places[from].next) {
        if (groups[to] < 0 && places[to].next.includes(from)) {
          groups[to] = first;
          open.push(to);
        }
      }
    }
  });
  return groups;
}
