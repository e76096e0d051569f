// Prints floors and those under positions, with the bits of all numbers: the lines of standard input and output are
// those of floors_bits.rs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fromBytes } from "../../../../runtime/js/onion.mjs";

const [path, ...lines] = readFileSync(0, "utf8").trim().split("\n");
const bytes = readFileSync(path);
const [map, other] = [fromBytes(bytes), fromBytes(bytes)];
const view = new DataView(new ArrayBuffer(8));
const hex = (number) => {
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16);
};
const print = (numbers, number) => console.log(numbers.map(hex).join(" "), number);
assert.ok(map.hasFloors);
for (const line of lines) {
  const [name, ...words] = line.split(" ");
  const [hull, stranger] = [map.findHull(name), other.findHull(name)];
  if (words.length === 0) {
    for (const floor of map.floors(hull)) {
      print([...floor.normal, floor.dist, ...floor.corners.flat()], floor.number);
      assert.ok(floor.corners.every((corner) => floor.contains(corner) && floor.height(corner) === corner[2]));
    }
    assert.deepEqual(map.floors(stranger), []);
    continue;
  }
  const [x, y, z, reach] = words.map((word) => Number(word.replace("inf", "Infinity")));
  const { floor, point } = map.floorAt(hull, [x, y, z], reach) ?? { floor: { number: -1 }, point: [0, 0, 0] };
  print(point, floor.number);
  assert.equal(map.floorAt(stranger, [x, y, z], reach), null);
}
for (const hull of [undefined, null, 0, "stand", {}]) {
  assert.throws(() => map.floors(hull), TypeError);
  assert.throws(() => map.floorAt(hull, [0, 0, 24], 8), TypeError);
}
for (const point of [undefined, [0, 0], "0 0 0", [0, 0, "24"]]) {
  assert.throws(() => map.floorAt(map.hulls[0], point, 8), TypeError);
}
