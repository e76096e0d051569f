// Moves agents through linked portals, and prints the bits of where they and traces get: the lines of standard input
// and output are those of linked_bits.rs.

import { readFileSync } from "node:fs";
import { fromBytes } from "../../../../runtime/js/onion.mjs";
import { Agent, WALK_SETTINGS } from "../../../../runtime/js/movement.mjs";
import { LinkedWorld, linkedPortals } from "../../../../runtime/js/linked.mjs";

const [path, ...lines] = readFileSync(0, "utf8").trim().split("\n");
const map = fromBytes(readFileSync(path));
const portals = linkedPortals(map);
const stand = map.findHull("stand");
const bits = new DataView(new ArrayBuffer(8));
const hex = (number) => {
  bits.setFloat64(0, number);
  return bits.getBigUint64(0).toString(16);
};
let agent, dt;
const print = (numbers, ...rest) => console.log(numbers.map(hex).join(" "), ...rest);
/** Traces as far as a wished velocity gets in two seconds. */
const trace = (position, wish) => {
  const world = new LinkedWorld(map, portals, position);
  const { fraction, endPos, plane } = world.trace(stand, position, position.map((at, axis) => at + wish[axis] * 2));
  const { place, quarters } = world.place(endPos);
  print([fraction, ...endPos, ...place, ...(plane ? plane.normal : [0, 0, 0])], quarters, plane ? 1 : 0);
};
for (const line of lines) {
  const numbers = line.split(" ").map(Number);
  if (numbers.length === 4) {
    dt = numbers.pop();
    agent = new Agent(stand, numbers);
    continue;
  }
  const world = new LinkedWorld(map, portals, agent.position);
  if (numbers.length === 2) agent.walk(world, WALK_SETTINGS, numbers, dt);
  else agent.swim(world, WALK_SETTINGS, numbers, dt);
  const quarters = world.arrive(agent);
  print([...agent.position, ...agent.velocity], quarters, agent.onGround ? 1 : 0);
  // Once for each precision of C: agents and traces here have one.
  for (const _ of [1, 2]) trace(agent.position, [...numbers, 0].slice(0, 3));
}
