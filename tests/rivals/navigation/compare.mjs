// Measures navigation beside Recast: maps in; for each map and method a row of a table out. Both get the same world, the
// same pairs of places, and the same agent to follow their paths; see tests/BENCHMARKS.md.
//
// node compare.mjs [--onionc FILE] [--hull NAME:HALFxHEIGHT] [--grid UNITS] [--width UNITS] [--pairs N] [--drives N]
//   [--places N] [--radii A,B] [--cells A,B] [--classes N] MAP...

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { isCarried } from "../../../runtime/js/links.mjs";
import { fromBytes } from "../../../runtime/js/onion.mjs";
import { Agent, WALK_SETTINGS } from "../../../runtime/js/movement.mjs";
import { PROGRESS, PathFollower } from "../../../runtime/js/navigation.mjs";
import { Onion } from "./ours.mjs";
import { RecastMesh, triangles } from "./recast.mjs";
import { MIN_GROUND_Z, STEP, Truth } from "./truth.mjs";

const { values: options, positionals: maps } = parseArgs({
  allowPositionals: true,
  options: {
    onionc: { type: "string", default: join(import.meta.dirname, "../../../target/release/onionc") },
    hull: { type: "string", default: "stand:16x56" },
    grid: { type: "string", default: "16" },
    width: { type: "string", default: "0" },
    pairs: { type: "string", default: "400" },
    drives: { type: "string", default: "400" },
    places: { type: "string", default: "10000" },
    radii: { type: "string" },
    cells: { type: "string", default: "8,4" },
    classes: { type: "string", default: "0" },
  },
});

/** Who walks: an agent that only walks, through lava too, because Recast has no links for the rest and knows no lava. */
const [NAME, HALF] = options.hull.match(/^(.*):([\d.]+)x/).slice(1);
const WALKS = "jump=0:drop=0:swim=0:climb=0:avoid=none";
const AGENT = `walker:${NAME}:${WALKS}`;

/** The radii for Recast: by default, half the width and the distance to the corner. */
const RADII = options.radii ?? `${HALF},${(HALF * Math.SQRT2).toFixed(2)}`;

/** Speed of the agent in units per second, and ticks per second. */
const [SPEED, TICKS] = [320, 60];

/** Random places of a mesh that are looked at, and how many of the pairs agents are driven between: the first ones. */
const [N_PLACES, N_DRIVES] = [options.places, options.drives].map(Number);

/** Random numbers from 0 to 1 (xorshift, Marsaglia 2003). */
function random(seed) {
  let state = seed;
  return () => {
    for (const shift of [13, -17, 5]) state ^= shift > 0 ? state << shift : state >>> -shift;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Compiles a map. Returns it with and without filling, its walls, and the seconds for floors and links. */
function compiled(file) {
  const folder = mkdtempSync(join(tmpdir(), "navigation-"));
  const run = (...args) => execFileSync(options.onionc, args, { encoding: "utf8", maxBuffer: 2 ** 28, stdio: "pipe" });
  try {
    const [filled, open, walls] = ["filled.onion", "open.onion", "walls.obj"].map((name) => join(folder, name));
    const common = [file, "--hull", options.hull, "--threads", "1"];
    const report = run(...common, "--floors", "--agent", AGENT, "--json", "-o", filled);
    run(...common, "--no-fill", "-o", open);
    run("export", filled, file, "--parts", "walls", "-o", walls);
    return {
      map: fromBytes(readFileSync(filled)),
      open: fromBytes(readFileSync(open)),
      walls: triangles(readFileSync(walls, "utf8")),
      seconds: secondsOf(report),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the seconds for floors and links in the report of a compile. */
function secondsOf(report) {
  const stages = JSON.parse(report).stages.filter(([stage]) => stage === "floors" || stage === "links");
  return stages.reduce((sum, [, stage]) => sum + stage, 0);
}

/** Returns the seconds for floors and links of `n` classes of agents, each 4 units wider and 8 higher than the one before. */
function secondsOfClasses(file, n, abilities) {
  const folder = mkdtempSync(join(tmpdir(), "navigation-"));
  const classes = Array.from({ length: n }, (_, i) =>
    ["--hull", `hull${i}:${8 + 2 * i}x${32 + 8 * i}`, "--agent", [`class${i}`, `hull${i}`, ...abilities].join(":")]);
  try {
    const args = [file, ...classes.flat(), "--threads", "1", "--floors", "--json", "-o", join(folder, "map.onion")];
    return secondsOf(execFileSync(options.onionc, args, { encoding: "utf8", maxBuffer: 2 ** 28, stdio: "pipe" }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whether a hull can stand with its feet within `reach` of a place. */
function stands(world, hull, [x, y, feet], reach) {
  return [reach, reach / 2, 2, 0].some((up) => {
    const z = feet - hull.mins[2];
    if (world.isSolid(hull, [x, y, z + up])) return false;
    const { startSolid, fraction, plane } = world.trace(hull, [x, y, z + up], [x, y, z - reach]);
    return !startSolid && fraction < 1 && Math.abs(plane.normal[2]) >= MIN_GROUND_Z;
  });
}

/** Returns the parts of a mesh without room for the hull, and in space that is not reached. */
function wrongPlaces(method, { map, open }, rnd) {
  const hulls = [map, open].map((of) => of.findHull(NAME));
  const worlds = [map.world(), open.world()];
  const area = ([[ax, ay], [bx, by], [cx, cy]]) => Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
  let sum = 0;
  const sums = method.triangles.map((corners) => (sum += area(corners)));
  let [noRoom, notReached] = [0, 0];
  for (let i = 0; i < N_PLACES; i++) {
    const wanted = rnd() * sum;
    let [first, last] = [0, sums.length - 1];
    while (first < last) {
      const middle = (first + last) >> 1;
      [first, last] = sums[middle] >= wanted ? [first, middle] : [middle + 1, last];
    }
    const [a, b, c] = method.triangles[first];
    let [u, v] = [rnd(), rnd()];
    if (u + v > 1) [u, v] = [1 - u, 1 - v];
    const place = [0, 1, 2].map((axis) => a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]));
    if (!stands(worlds[1], hulls[1], place, STEP + 4)) noRoom++;
    else if (!stands(worlds[0], hulls[0], place, STEP + 4)) notReached++;
  }
  return [noRoom, notReached].map((n) => n / N_PLACES);
}

/** Takes an agent along that has come to a teleporter, a jump pad or a lift of its path, as a game does. */
function carry(agent, { next, hasJumped }, route) {
  const [leaves, lands] = [route[next - 1], route[next]];
  if (!leaves || !lands || !isCarried(lands.kind) || hasJumped) return;
  const [x, y] = [0, 1].map((axis) => agent.position[axis] - leaves.position[axis]);
  if (Math.hypot(x, y) > 2) return;
  const [landsX, landsY, height] = lands.position;
  Object.assign(agent, { position: [landsX, landsY, height + 1 / 16], velocity: [0, 0, 0], onGround: null });
}

/**
 * Lets an agent follow a path: with the runtime's follower, or straight from corner to corner. Returns whether it gets to
 * its goal, whether it fell by more than a step on its way or touched what takes it along, and the length of its way as
 * seen from above, to the very goal: where a path leads through a wall, the agent slides along it.
 */
function driven(map, truth, hull, { points, route }, start, goal) {
  const agent = new Agent(hull, start);
  const follower = route && new PathFollower();
  const agentClass = map.agentOf(hull);
  let [next, strays, height, way] = [1, false, start[2], 0];
  for (let tick = 0; tick < ((length(points) / SPEED) * 2 + 3 + points.length / 4) * TICKS; tick++) {
    const [x, y] = agent.position;
    if (route) {
      carry(agent, follower, route);
      const progress = follower.walk(agent, map, agentClass, route, 1 / TICKS);
      if (progress === PROGRESS.STUCK) break;
    } else {
      while (next < points.length - 1 && Math.hypot(points[next][0] - x, points[next][1] - y) < 1) next++;
      const [dx, dy] = [points[next][0] - x, points[next][1] - y];
      const far = Math.hypot(dx, dy);
      const speed = Math.min(SPEED, far * TICKS);
      agent.walk(map, WALK_SETTINGS, far > 0 ? [(dx / far) * speed, (dy / far) * speed] : [0, 0], 1 / TICKS);
    }
    way += Math.hypot(agent.position[0] - x, agent.position[1] - y);
    if (agent.onGround) {
      if (agent.position[2] < height - STEP - 1) strays = true;
      height = agent.position[2];
    }
    if (truth.isTaken(agent.position)) strays = true;
    const left = Math.hypot(goal[0] - agent.position[0], goal[1] - agent.position[1]);
    const isThere = left < 16 && Math.abs(agent.position[2] - goal[2]) < 40;
    if (isThere && (route || next === points.length - 1)) return [true, strays, way + left];
  }
  return [false, strays, way];
}

const length = (points) => points.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - points[i][0], y - points[i][1]), 0);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? NaN;
const percent = (part) => `${Number((100 * part).toFixed(4))}%`;

for (const file of maps) {
  const made = compiled(file);
  const { map } = made;
  const hull = map.findHull(NAME);
  const truth = new Truth(map, hull, Number(options.grid), readFileSync(file), Number(options.width));
  const { places, groups } = truth;
  const rnd = random(12345);
  const numbers = (text) => text.split(",").filter(Boolean).map(Number);
  const meshes = numbers(RADII).flatMap((radius) =>
    numbers(options.cells).map((cell) => new RecastMesh(made.walls, hull, radius, cell)));
  const methods = [new Onion(map, hull, made.seconds), ...meshes];
  const pick = () => Math.floor(rnd() * places.length);
  const pairs = Array.from({ length: Number(options.pairs) }, () => [pick(), pick()]);
  const best = pairs.map(() => Infinity);
  const rows = methods.map((method) => {
    const covered = places.filter(({ position }) => method.covers(position)).length / places.length;
    const row = { method, covered, missed: 0, walked: 0, arrived: 0, lengths: [], micros: [] };
    pairs.forEach(([from, to], number) => {
      const [start, goal] = [places[from].position, places[to].position];
      if (groups[from] === groups[to] && !method.leads(start, goal)) row.missed++;
      const begin = performance.now();
      const path = number < N_DRIVES ? method.path(start, goal) : null;
      if (!path) return;
      row.micros.push(1000 * (performance.now() - begin));
      row.walked++;
      const [arrived, strays, way] = driven(map, truth, hull, path, start, goal);
      if (!arrived) return;
      row.arrived++;
      // Recast has no teleporters, jump pads and lifts, and no method is to fall.
      if (strays || path.route?.some(({ kind }) => isCarried(kind))) return;
      row.lengths[number] = way;
      best[number] = Math.min(best[number], row.lengths[number]);
    });
    [row.noRoom, row.notReached] = wrongPlaces(method, made, rnd);
    return row;
  });
  const walks = pairs.filter(([from, to]) => groups[from] === groups[to]).length;
  console.log(`\n${basename(file)}: ${places.length} places, ${walks} of ${pairs.length} pairs walk both ways\n`);
  if (Number(options.classes) > 0) {
    const [walk, jump] = [[WALKS], []].map((abilities) => secondsOfClasses(file, Number(options.classes), abilities));
    console.log(`${options.classes} classes that walk: ${walk.toFixed(2)} s; that jump and drop, too: ${jump.toFixed(2)} s\n`);
  }
  console.log("| method | build, s | covered | no room | not reached | missed | arrived | longest over best | path, µs |");
  console.log("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
  for (const { method, covered, missed, walked, arrived, lengths, micros, noRoom, notReached } of rows) {
    const longest = lengths.reduce((most, at, i) => (best[i] > 64 ? Math.max(most, at / best[i]) : most), 1);
    const cells = [method.name, method.seconds.toFixed(2), percent(covered), percent(noRoom), percent(notReached),
      missed, `${arrived} of ${walked}`, longest.toFixed(4), median(micros).toFixed(0)];
    console.log(`| ${cells.join(" | ")} |`);
    method.destroy();
  }
}
