// Runs the conformance kit against the reader in JavaScript: `node kit.mjs MODULES KIT`. Prints the differences, and
// exits with 1 if there are any. The kit's readme defines the calls of scripts.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, kit] = process.argv.slice(-2);
const { fromBytes } = await import(pathToFileURL(`${modules}/onion.mjs`));
const { Agent, WALK_SETTINGS } = await import(pathToFileURL(`${modules}/movement.mjs`));
const { ride } = await import(pathToFileURL(`${modules}/ride.mjs`));
const { contentsAt } = await import(pathToFileURL(`${modules}/shape.mjs`));
const { Mover, Pose, Scene, movers } = await import(pathToFileURL(`${modules}/scene.mjs`));
const read = (path) => readFileSync(`${kit}/${path}`);
const lines = (path) => read(path).toString().trimEnd().split("\n");
const list = JSON.parse(read("kit.json"));
/** Chunks that the reader does not use. */
const UNUSED = ["GRID", "BLCK", "ROOM"];

const view = new DataView(new ArrayBuffer(8));
function bits(number) {
  if (Number.isNaN(number)) return "nan";
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}
const all = (numbers) => [...numbers].map(bits).join(" ");
const flag = (holds) => (holds ? "1" : "0");
const several = (texts) => texts.join(" ; ");

function hitText(hit) {
  if (!hit) return "-";
  const { brush, side } = hit;
  const { flags, contents } = side.surface;
  const numbers = [brush.number, side.number, flag(side.isBevel), brush.contents, brush.model, brush.entity ?? "-"];
  return [brush.source, ...numbers, "?", flags, contents, all(side.normal), bits(side.dist)].join(" ");
}

/** Answers the calls of a script. */
class Player {
  distance = 1 / 32;
  movers = [];
  chosen = WALK_SETTINGS;
  met = null;

  constructor(map) {
    this.map = map;
    this.place = 0;
  }

  answer(line) {
    const [call, ...words] = line.split(" ");
    return this[call](words, words.map(Number));
  }

  hulls() {
    return several(this.map.hulls.map(({ name, mins, maxs, contents, filled }) =>
      [name, all(mins), all(maxs), contents, flag(filled)].join(" ")));
  }

  models() {
    const models = Array.from({ length: this.map.nModels }, (_, index) => this.map.model(index));
    return several(models.map(({ mins, maxs, origin, entity }) => [all(mins), all(maxs), all(origin), entity ?? "-"].join(" ")));
  }

  entities() {
    const pairs = (entity) => [...entity].map(([key, value]) => `"${key}" "${value}"`).join(" ");
    return this.map.entities ? several(this.map.entities.map(pairs)) : "-";
  }

  find([name], [, ...corners]) {
    let has = true;
    try {
      this.map.requireHull(name, corners.slice(0, 3), corners.slice(3));
    } catch {
      has = false;
    }
    return `${this.map.findHull(name)?.index ?? "-"} ${flag(has)}`;
  }

  model(number) {
    return this.map.model(number).withMargin(this.distance);
  }

  trace([, name], [number, , ...ends]) {
    const [model, hull] = [this.model(number), this.map.findHull(name)];
    const trace = model.trace(hull, ends.slice(0, 3), ends.slice(3));
    const { plane } = trace;
    const planeText = plane ? `${all(plane.normal)} ${bits(plane.dist)} ${plane.number}` : "-";
    const flags = `${flag(trace.startSolid)} ${flag(trace.allSolid)}`;
    const met = this.map.hasHits ? model.hit(hull, trace) : null;
    return [bits(trace.fraction), bits(trace.hitFraction), all(trace.endPos), flags, planeText, hitText(met)].join(" ");
  }

  rest() {
    this.movers = movers(this.map);
    return several(this.movers.map(({ model, from }) => `${model} ${all(from.origin)}`));
  }

  clear() {
    this.movers = [];
    return "ok";
  }

  mover(_, [model, ...numbers]) {
    const pose = (first) => Pose.quaternion(numbers.slice(first, first + 3), numbers.slice(first + 3, first + 7));
    this.movers.push(new Mover(model, pose(0), pose(7)));
    return "ok";
  }

  scene() {
    return new Scene(this.map, this.movers).withMargin(this.distance);
  }

  sweep([name], [, ...ends]) {
    const trace = this.scene().trace(this.map.findHull(name), ends.slice(0, 3), ends.slice(3));
    const flags = `${flag(trace.startSolid)} ${flag(trace.allSolid)}`;
    const met = [trace.plane ? all(trace.plane.normal) : "-", trace.mover ?? "-", hitText(trace.hit)].join(" ");
    return [bits(trace.fraction), bits(trace.hitFraction), all(trace.endPos), flags, met].join(" ");
  }

  held([name], [, x, y, z, moment]) {
    return flag(this.scene().isSolid(this.map.findHull(name), [x, y, z], moment));
  }

  /** Returns the place where agents walk. */
  where() {
    return this.place === undefined ? this.scene() : this.model(this.place);
  }

  solid(_, [number, ...point]) {
    const model = this.model(number);
    const each = this.map.hulls.map((hull) => flag(model.isSolid(hull, point)));
    return [model.solidity(point).toString(16), ...each].join(" ");
  }

  margin(_, [distance]) {
    this.distance = distance;
    return "ok";
  }

  world(_, [number]) {
    this.place = number;
    return "ok";
  }

  settings(_, numbers) {
    const [stepHeight, minGroundZ, gravity, airControl, maxUnstick] = numbers;
    this.chosen = { stepHeight, minGroundZ, gravity, airControl, maxUnstick };
    return "ok";
  }

  agent([name], [, ...point]) {
    this.walker = new Agent(this.map.findHull(name), point);
    this.met = null;
    return this.state();
  }

  walk(_, [x, y, dt]) {
    this.met = this.walker.walk(this.where(), this.chosen, [x, y], dt);
    return this.state();
  }

  swim(_, [x, y, z, dt]) {
    this.met = this.walker.swim(this.where(), this.chosen, [x, y, z], dt);
    return this.state();
  }

  water(_, [liquids]) {
    const where = this.where();
    const contents = (at) => (where instanceof Scene ? where.contentsAt(at) : contentsAt(where, at));
    const level = this.walker.waterLevel(this.map.hasBrushShapes ? contents : () => 0, liquids);
    return this.state(String(level));
  }

  ride(_, [dt]) {
    const { crushedBy, pushedBy } = ride(this.walker, this.scene(), this.chosen, dt);
    return this.state(`${crushedBy ?? "-"} ${pushedBy ?? "-"}`);
  }

  push(_, velocity) {
    this.walker.velocity = velocity;
    return this.state();
  }

  lift() {
    this.walker.onGround = null;
    return this.state();
  }

  jump(_, [speed]) {
    return this.state(flag(this.walker.jump(speed)));
  }

  stance([name]) {
    return this.state(flag(this.walker.switchStance(this.where(), this.map.findHull(name))));
  }

  state(said = "-") {
    const { stance, position, velocity, onGround } = this.walker;
    const [stands, met] = [onGround, this.met].map((ground) => (ground ? all(ground.normal) : "-"));
    // The reader does not tell the surface of a ground, which follows its object.
    const known = onGround ? [onGround.object] : ["-", this.met ? this.met.object : "-"];
    return [stance.name, all(position), all(velocity), stands, met, said, ...known, "..."].join(" ");
  }
}
let failed = 0;
function fail(message) {
  failed += 1;
  if (failed <= 20) console.log(message);
}

/** Whether an answer is correct; a word `?` was not computed, and `...` stands for all that follow. */
function isSame(found, expected) {
  const [words, others] = [found.split(" "), expected.split(" ")];
  const end = words.at(-1) === "..." ? words.length - 1 : Math.max(words.length, others.length);
  return Array.from({ length: end }, (_, i) => words[i] === "?" || words[i] === others[i]).every(Boolean);
}

for (const { file, script, double } of list.scripts) {
  const player = new Player(fromBytes(read(file)));
  const answers = lines(double);
  const wrong = lines(script).findIndex((line, i) => !isSame(player.answer(line), answers[i]));
  if (wrong >= 0) fail(`${script}, line ${wrong + 1}: ${lines(script)[wrong]}: not ${answers[wrong]}`);
}

/** Whether a reader loads a file; it throws only plain errors. */
function loads(file) {
  try {
    fromBytes(read(file));
    return true;
  } catch (error) {
    if (error.constructor !== Error) fail(`${file}: ${error.stack}`);
    return false;
  }
}

for (const { file, about } of list.loads) if (!loads(file)) fail(`${file} is refused: ${about}`);
for (const { file, about, chunk } of list.refused) {
  if (!UNUSED.includes(chunk) && loads(file)) fail(`${file} loads: ${about}`);
}
process.exit(failed > 0 ? 1 : 0);
