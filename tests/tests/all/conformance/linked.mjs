// Walks an agent through linked portals and prints the bits of its places. Standard input: the path of the map, then a
// line for each agent: its position and the length of a tick; then lines of wished velocities, one for each tick.

import { readFileSync } from "node:fs";
import { fromBytes } from "../../../../runtime/js/onion.mjs";
import { Agent, WALK_SETTINGS } from "../../../../runtime/js/movement.mjs";
import { LinkedWorld, linkedPortals } from "../../../../runtime/js/linked.mjs";

const [path, ...lines] = readFileSync(0, "utf8").trim().split("\n");
const map = fromBytes(readFileSync(path));
const portals = linkedPortals(map);
const bits = new DataView(new ArrayBuffer(8));
const hex = (number) => {
  bits.setFloat64(0, number);
  return bits.getBigUint64(0).toString(16);
};
let agent, dt;
for (const line of lines) {
  const numbers = line.split(" ").map(Number);
  if (numbers.length === 4) {
    dt = numbers.pop();
    agent = new Agent(map.findHull("stand"), numbers);
    continue;
  }
  const world = new LinkedWorld(map, portals, agent.position);
  agent.walk(world, WALK_SETTINGS, numbers, dt);
  const quarters = world.arrive(agent);
  console.log([...agent.position, ...agent.velocity].map(hex).join(" "), quarters);
}
