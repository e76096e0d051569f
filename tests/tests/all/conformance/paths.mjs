// Prints links, paths, and where walkers on them end, with the bits of all numbers: the lines of standard input and
// output are those of path_bits.rs.

import { readFileSync } from "node:fs";
import { Agent } from "../../../../runtime/js/movement.mjs";
import { LINK_KINDS, PathError, PathFollower } from "../../../../runtime/js/navigation.mjs";
import { fromBytes } from "../../../../runtime/js/onion.mjs";
import { Pose } from "../../../../runtime/js/pose.mjs";
import { Scene } from "../../../../runtime/js/scene.mjs";

/** How far a lift goes down, in units, and the number of ticks after which it does. */
const [LIFT_HEIGHT, TICKS_UP] = [152, 100];

const [path, ...lines] = readFileSync(0, "utf8").trim().split("\n");
const map = fromBytes(readFileSync(path));
const view = new DataView(new ArrayBuffer(8));
const hex = (number) => {
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16);
};
const print = (numbers, ...rest) => console.log(numbers.map(hex).join(" "), ...rest);

for (const { number, name, hulls, speed, jump, drop, swim, climb, settings } of map.agents()) {
  const { stepHeight, minGroundZ, gravity, airControl, maxUnstick } = settings;
  const stances = hulls.map(({ name }) => name).join(",");
  print([speed, jump, drop, swim, climb, stepHeight, minGroundZ, gravity, airControl, maxUnstick], number, name, stances);
}
for (let i = 0; i < map.nLinks; i++) {
  const { number, from, to, kind, right, left, turns, onlyToGoal, upright, across } = map.link(i);
  print([...right, ...left, ...across], number, from, to, LINK_KINDS.indexOf(kind), [...turns, onlyToGoal, upright].map(Number).join(" "));
}

const hasLift = Array.from({ length: map.nLinks }, (_, number) => map.link(number)).some(({ kind }) => kind === "lift");
const scenes = [0, LIFT_HEIGHT].map((below) => {
  const pose = Pose.at([0, 0, -below]);
  return new Scene(map, hasLift ? [{ model: 1, from: pose, to: pose }] : []);
});

/** Returns what a query gives, or prints why there is no path. */
function found(query) {
  try {
    return query();
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    console.log(error.code);
    return null;
  }
}

/** Takes an agent along that waits for it at a point of its path, as `take_along` does in Rust. */
function takeAlong(agent, { hasJumped }, next) {
  if (!next || hasJumped || !agent.onGround || !["teleport", "jumpPad", "lift"].includes(next.kind)) return;
  agent.onGround = null;
  const [x, y, z] = next.position;
  if (next.kind === "jumpPad") agent.velocity = [0, 0, 600];
  else agent.position = [x, y, z + 1];
}

for (const line of lines) {
  const [name, ...words] = line.split(" ");
  const numbers = words.map((word) => Number(word.replace("inf", "Infinity")));
  const hull = map.findHull(name);
  const [crouched, ofSwitch, drop, jump, climb, dt, nTicks] = numbers.slice(6);
  const costs = { crouched, switch: ofSwitch, drop, jump, climb };
  const [start, goal] = [numbers.slice(0, 3), numbers.slice(3, 6)];
  const floors = found(() => [...map.reachable(hull, start).map(({ number }) => number)].join(" "));
  const reaches = floors === null ? null : found(() => map.canReach(hull, start, goal));
  if (reaches !== null) console.log(reaches, floors);
  const path = found(() => map.path(hull, start, goal, costs));
  if (!path) continue;
  print([path.length, path.cost], path.points.length);
  for (const { position, hull, floor, kind } of path.points) {
    print(position, hull.index, floor, LINK_KINDS.indexOf(kind));
  }
  const [{ hull: stance, position: [x, y, z] }] = path.points;
  const agent = new Agent(stance, [x, y, z + 1 / 32]);
  const follower = new PathFollower();
  let [progress, tick] = ["following", 0];
  for (; tick < nTicks && progress === "following"; tick++) {
    const scene = scenes[tick < TICKS_UP ? 0 : 1];
    progress = follower.walk(agent, scene, map.agentOf(hull), path.points, dt);
    takeAlong(agent, follower, path.points[follower.next]);
  }
  print([...agent.position, ...agent.velocity], agent.stance.index, follower.next, progress, tick);
}
