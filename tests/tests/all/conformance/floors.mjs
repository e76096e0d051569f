// Prints floors, those under positions, the nearest ones and random places, with the bits of all numbers: the lines of
// standard input and output are those of floors_bits.rs.

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
  const [x, y, z, reach, ...random] = words.map((word) => Number(word.replace("inf", "Infinity")));
  const asked = [["floorAt", [x, y, z], reach], ["nearestFloor", [x, y, z], reach], ["randomPlace", random]];
  for (const [query, ...numbers] of asked) {
    const { floor, point } = map[query](hull, ...numbers) ?? { floor: { number: -1 }, point: [0, 0, 0] };
    print(point, floor.number);
    assert.equal(map[query](stranger, ...numbers), null);
    assert.ok(floor.number < 0 || floor.contains(point));
  }
}
for (const hull of [undefined, null, 0, "stand", {}]) {
  assert.throws(() => map.floors(hull), TypeError);
  for (const query of ["floorAt", "nearestFloor", "randomPlace"]) {
    assert.throws(() => map[query](hull, [0, 0, 24], 8), TypeError);
  }
}
for (const point of [undefined, [0, 0], "0 0 0", [0, 0, "24"]]) {
  for (const query of ["floorAt", "nearestFloor", "randomPlace"]) {
    assert.throws(() => map[query](map.hulls[0], point, 8), TypeError);
  }
}
