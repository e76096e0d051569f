// The modules from inside Node: the results and errors of their functions, with facts of the sample map `low_tunnel`.
// Run with `node --test runtime/js/onion.test.mjs`; tests/tests/all/javascript.rs compares answers with `onionc`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Agent, Ground, WALK_SETTINGS } from "./movement.mjs";
import { LINK_KINDS, PATH_COSTS, PROGRESS, PathError, PathFollower } from "./navigation.mjs";
import { fromBytes } from "./onion.mjs";
import { ride } from "./ride.mjs";
import { Mover, Pose, Scene, movers } from "./scene.mjs";
import { Shape, contentsAt, shapeIsSolid, traceShape } from "./shape.mjs";

const golden = (name) => readFileSync(new URL(`../../tests/golden/${name}.onion`, import.meta.url));
const NAMES = ["low_tunnel-bare", "low_tunnel-bare-groups", "low_tunnel", "low_tunnel-groups"];

test("hulls and models are as they were compiled", () => {
  for (const name of NAMES) {
    const map = fromBytes(golden(name));
    const box = { contents: 0x10001, filled: false, mins: [-16, -16, -24], sides: [] };
    assert.deepEqual(map.hulls.map((hull) => ({ ...hull })), [
      { index: 0, name: "stand", ...box, maxs: [16, 16, 32] },
      { index: 1, name: "crouch", ...box, maxs: [16, 16, 8] },
      { index: 2, name: "point", contents: 0x2001, filled: false, mins: [0, 0, 0], maxs: [0, 0, 0], sides: [] },
    ]);
    const [stand, , point] = map.hulls;
    assert.deepEqual(["stand", "point", "fly"].map((hull) => map.findHull(hull)), [stand, point, undefined]);
    assert.equal(map.requireHull("stand", [-16, -16, -24], Float32Array.of(16, 16, 32)), stand);
    assert.equal(map.nModels, 1);
    assert.equal(map.model(0), map.world());
    assert.equal(map.model(1), undefined);
    assert.deepEqual(map.world().origin, [0, 0, 0]);
  }
});

test("entities are those of the map, unless they were left out", () => {
  for (const name of NAMES) {
    const { entities, options } = fromBytes(golden(name));
    if (options.includes("--no-entities")) {
      assert.equal(entities, null);
      continue;
    }
    assert.deepEqual(entities.map((entity) => entity.get("classname")), ["worldspawn", "info_player_deathmatch"]);
    assert.deepEqual([...entities[1].keys()], ["classname", "origin", "angle"]);
  }
});

// From sample-maps/low_tunnel.toml: 8 of 40 units to the ceiling, and 1/32 kept from it.
test("a trace tells where it ends and what it hits", () => {
  for (const name of NAMES) {
    const map = fromBytes(golden(name));
    const trace = map.trace(map.findHull("crouch"), [0, 0, 24], [0, 0, 64]);
    assert.equal(trace.hitFraction, 0.2);
    assert.equal(trace.fraction, 0.2 - 1 / 32 / 40);
    assert.ok(Math.abs(trace.endPos[2] - (32 - 1 / 32)) < 1e-9);
    const { normal, dist, number } = trace.plane;
    assert.deepEqual({ normal, dist }, { normal: [0, 0, -1], dist: -32 });
    assert.ok(Number.isInteger(number) && number >= 0);
    assert.deepEqual([trace.start, trace.end], [[0, 0, 24], [0, 0, 64]]);
    assert.deepEqual([trace.startSolid, trace.allSolid], [false, false]);
    const [stand, crouch, point] = map.hulls;
    assert.equal(map.world().withMargin(0).trace(crouch, [0, 0, 24], [0, 0, 64]).fraction, 0.2);
    assert.equal(map.world().withMargin(NaN).trace(crouch, [0, 0, 24], [0, 0, 64]).fraction, 0.2);
    assert.equal(map.trace(point, [0, 0, 24], [0, 0, 32]).plane, null);
    assert.equal(map.trace(stand, [0, 0, 24], [50, 0, 24]).allSolid, true);
  }
});

// From sample-maps/low_tunnel.toml: the tunnel is 40 high. A BSP does not store the entity that shows the world.
test("a hit tells brush, side and surface", () => {
  for (const name of NAMES) {
    const map = fromBytes(golden(name));
    const [, crouch] = map.hulls;
    const trace = map.trace(crouch, [0, 0, 24], [0, 0, 64]);
    assert.equal(map.hasHits, !name.includes("bare"));
    if (!map.hasHits) {
      assert.throws(() => map.hit(crouch, trace), /no hit data/);
      continue;
    }
    const { brush, side } = map.hit(crouch, trace);
    assert.equal(brush.source, "brush");
    assert.deepEqual([side.normal, side.dist, side.isBevel], [[0, 0, -1], -40, false]);
    assert.deepEqual([brush.model, brush.entity, brush.contents & crouch.contents], [0, null, 1]);
    assert.equal(map.hit(crouch, map.trace(crouch, [-200, 0, 24], [-200, 0, 25])), null);
    assert.equal(map.hit(fromBytes(golden(name)).hulls[0], trace), null);
    assert.throws(() => map.hit("stand", trace), TypeError);
  }
});

test("points are three numbers in an array", () => {
  const map = fromBytes(golden("low_tunnel"));
  const [stand] = map.hulls;
  for (const wrong of [undefined, null, 1, "1,2", "123", [], [1, 2], [1, 2, 3, 4], [1, "2", 3], { x: 1, y: 2, z: 3 }]) {
    assert.throws(() => map.isSolid(stand, wrong), TypeError);
    assert.throws(() => map.trace(stand, [0, 0, 0], wrong), TypeError);
    assert.throws(() => map.world().solidity(wrong), TypeError);
  }
});

test("points are solid for each hull by itself", () => {
  for (const name of NAMES) {
    const map = fromBytes(golden(name));
    assert.equal(map.world().solidity([0, 0, 24]), 0b001n);
    assert.equal(map.world().solidity([0, 0, 33]), 0b011n);
    assert.equal(map.world().solidity([0, 0, 41]), 0b111n);
    assert.equal(map.world().solidity([-200, 0, 24]), 0n);
    assert.equal(map.world().solidity([NaN, 0, 24]), 0b111n);
    const [stand, crouch] = map.hulls;
    assert.equal(map.isSolid(stand, Float32Array.of(0, 0, 24)), true);
    assert.equal(map.isSolid(crouch, [0, 16, 32]), false);
  }
});

test("bytes may be a buffer, or an odd part of one", () => {
  const bytes = golden("low_tunnel-bare");
  const buffer = new Uint8Array(bytes).buffer;
  const part = new Uint8Array(bytes.length + 9);
  part.set(bytes, 3);
  for (const same of [buffer, part.subarray(3, 3 + bytes.length)]) {
    assert.equal(fromBytes(same).world().solidity([0, 0, 33]), 0b011n);
  }
});

test("hulls of other maps find everything solid, and what is no hull is an error", () => {
  const map = fromBytes(golden("low_tunnel-bare"));
  const start = [-200, 0, 24];
  assert.equal(map.isSolid(map.hulls[0], start), false);
  for (const other of ["low_tunnel", "low_tunnel-bare"]) {
    const foreign = fromBytes(golden(other)).findHull("stand");
    assert.equal(map.isSolid(foreign, start), true);
    const trace = map.trace(foreign, start, [0, 0, 24]);
    assert.deepEqual([trace.allSolid, trace.startSolid, trace.fraction, trace.endPos], [true, true, 0, start]);
  }
  for (const hull of [-1, 0, undefined, "stand", { index: 0 }]) {
    assert.throws(() => map.trace(hull, start, start), TypeError);
    assert.throws(() => map.isSolid(hull, start), TypeError);
  }
});

test("hulls that are missing or others are named, and damaged files are refused", () => {
  const bytes = golden("low_tunnel-bare");
  const map = fromBytes(bytes);
  const box = [[-16, -16, -24], [16, 16, 32]];
  assert.throws(() => map.requireHull("fly", ...box), /no hull named fly; .* stand, crouch, point/);
  assert.throws(() => map.requireHull("crouch", ...box), /crouch has the box .*\[16, 16, 8\], not .*\[16, 16, 32\]/);
  assert.throws(() => fromBytes(new Uint8Array()), /not an onion map/);
  assert.throws(() => fromBytes(bytes.subarray(0, 20)), /ends at byte 20/);
  assert.throws(() => fromBytes(bytes.subarray(0, 2000)), new RegExp(`says ${bytes.length} bytes, the file has 2000`));
  assert.throws(() => fromBytes(Uint8Array.from(bytes, (byte, at) => (at === 8 ? 9 : byte))), /version 9 is unknown/);
  assert.throws(() => fromBytes(Uint8Array.from(bytes, (byte, at) => (at === 999 ? ~byte : byte))), /checksum/);
});

// Each name and each corner separately.
test("a hull is found by its whole name, and required with its whole box", () => {
  const map = fromBytes(golden("low_tunnel-bare"));
  const box = [-16, -16, -24, 16, 16, 32];
  for (const name of ["stan", "stands", "Stand", "", "tand"]) assert.equal(map.findHull(name), undefined);
  box.forEach((_, changed) => {
    const other = box.map((corner, k) => corner + (k === changed ? 1 : 0));
    assert.throws(() => map.requireHull("stand", other.slice(0, 3), other.slice(3)), /not .* to /);
  });
});

test("the upper half of an overhang is no wall", () => {
  const overhang = [0.6, 0, -0.8];
  const stop = (_, start, end) => {
    const inward = end[0] * 0.6 - end[2] * 0.8 < start[0] * 0.6 - start[2] * 0.8;
    return { fraction: inward ? 0 : 1, endPos: inward ? [...start] : end, plane: inward ? { normal: overhang } : null };
  };
  const agent = new Agent({ mins: [0, 0, 0], maxs: [0, 0, 0] }, [0, 0, 0]);
  agent.velocity = [-100, 0, 100];
  agent.walk({ isSolid: () => false, trace: stop }, { ...WALK_SETTINGS, gravity: 0, airControl: 0 }, [0, 0], 0.125);
  // The part that goes into the overhang is 140: the rest slides down along it.
  [-16, 0, -12].forEach((speed, k) => assert.ok(Math.abs(agent.velocity[k] - speed) < 1e-3, `${agent.velocity}`));
});

test("an agent begins at a point", () => {
  const stand = fromBytes(golden("low_tunnel")).findHull("stand");
  for (const wrong of [[0, 0], [0, 0, 24, 0], ["0", 0, 24], undefined, [0, 0, undefined]]) {
    assert.throws(() => new Agent(stand, wrong), /is not a point: give three numbers/);
  }
  const start = Float32Array.of(0, 0, 24);
  assert.deepEqual(new Agent(stand, start).position, [0, 0, 24]);
});

test("poses turn counterclockwise about their axis, and back", () => {
  const pose = Pose.turned([10, 20, 30], [0, 0, 2], Math.PI / 2);
  const isNear = (found, wanted) => wanted.every((x, k) => Math.abs(found[k] - x) < 1e-12);
  assert.ok(isNear(pose.turnToWorld([1, 0, 0]), [0, 1, 0]));
  assert.ok(isNear(pose.toWorld([1, 0, 0]), [10, 21, 30]));
  assert.ok(isNear(pose.toModel([10, 21, 30]), [1, 0, 0]));
  assert.ok(isNear(pose.turnToModel([0, 1, 0]), [1, 0, 0]));
  const same = Pose.quaternion([0, 0, 0], [0, 0, 3, 3]).withOrigin([10, 20, 30]);
  assert.ok(isNear(same.toWorld([1, 0, 0]), [10, 21, 30]) && same.isTurned());
  assert.equal(Pose.at([1, 2, 3]).isTurned(), false);
  for (const [axis, angle] of [[[0, 0, 0], 1], [[0, 0, 1], NaN], [[0, 0, 1], "1"], [[Infinity, 0, 0], 1]]) {
    assert.throws(() => Pose.turned([0, 0, 0], axis, angle), RangeError);
  }
  assert.throws(() => Pose.turned([0, 0, 0], [0, 0], 1), TypeError);
  for (const wrong of [[0, 0, 0, 0], [0, 0, 1], [NaN, 0, 0, 1]]) {
    assert.throws(() => Pose.quaternion([0, 0, 0], wrong), RangeError);
  }
});

test("shapes have bounds, and wrong ones are errors", () => {
  const bounds = { mins: [-3, -2, -1], maxs: [1, 2, 3] };
  assert.deepEqual(Shape.sphere([-1, 0, 1], 2).bounds(), bounds);
  assert.deepEqual(Shape.axialBox([-3, -2, -1], [1, 2, 3]).bounds(), bounds);
  assert.deepEqual(Shape.capsule([0, 0, 0], [0, 0, 4], 1).bounds(), { mins: [-1, -1, -1], maxs: [1, 1, 5] });
  const axes = [[0, 1, 0], [0, 0, 1], [1, 0, 0]];
  assert.deepEqual(Shape.orientedBox([0, 0, 0], [1, 2, 3], axes).bounds(), { mins: [-3, -1, -2], maxs: [3, 1, 2] });
  assert.throws(() => Shape.sphere([0, 0, 0], -1), /below 0/);
  assert.throws(() => Shape.sphere([0, 0, 0], NaN), /infinite or not a number/);
  assert.throws(() => Shape.axialBox([1, 0, 0], [0, 1, 1]), /below 0/);
  assert.throws(() => Shape.capsule([0, 0, 0], [0, 0, 70_000], 1), /farther than 65536 units/);
  assert.throws(() => Shape.orientedBox([0, 0, 0], [1, 1, 1], [[1, 0, 0], [1, 0, 0], [0, 0, 1]]), /right angles/);
  const corners = [[-3, -2, -1], [1, -2, -1], [-3, 2, -1], [-3, -2, 3]];
  assert.deepEqual(Shape.convex(corners).bounds(), bounds);
  const refused = [[], corners.slice(1), Array(33).fill(corners).flat(), corners.map(([x, y]) => [x, y, x + y])];
  for (const wrong of refused) assert.throws(() => Shape.convex(wrong), /more than 32 corners, or they lie in a/);
  assert.throws(() => Shape.convex([...corners, [0, NaN, 0]]), /infinite or not a number/);
  assert.throws(() => Shape.convex([...corners, [70_000, 0, 0]]), /farther than 65536 units/);
  assert.throws(() => Shape.sphere([0, 0], 1), TypeError);
});

// From sample-maps/low_tunnel.toml: the tunnel is 40 high. tests/tests/all/scene_bits.rs compares answers with Rust.
test("a shape stops at a ceiling, and a point tells its contents", () => {
  const map = fromBytes(golden("low_tunnel"));
  assert.equal(map.hasBrushShapes, true);
  const box = Shape.axialBox([-16, -16, -24], [16, 16, 8]);
  const trace = traceShape(map.world().withMargin(0), box, 1, [0, 0, 24], [0, 0, 64]);
  assert.deepEqual([trace.fraction, trace.hitFraction, trace.endPos], [0.2, 0.2, [0, 0, 32]]);
  assert.deepEqual(trace.plane.normal, [0, 0, -1]);
  const crouch = map.findHull("crouch");
  assert.deepEqual(trace.hit, map.hit(crouch, map.trace(crouch, [0, 0, 24], [0, 0, 64])));
  const ball = (x) => traceShape(map, Shape.sphere([0, 0, 0], x), 1, [0, 0, 20], [0, 0, 64]).hitFraction;
  assert.deepEqual([4, 8, 16].map(ball), [16 / 44, 12 / 44, 4 / 44]);
  assert.deepEqual([32, 33].map((z) => shapeIsSolid(map, box, 1, [0, 0, z])), [false, true]);
  assert.equal(shapeIsSolid(map, box, 0, [0, 0, 33]), false);
  assert.deepEqual([39, 40, 41].map((z) => contentsAt(map, [0, 0, z]) & 1), [0, 0, 1]);
  assert.equal(contentsAt(map, [NaN, 0, 0]), 0xffffffff);
});

// tests/tests/all/scene_bits.rs asks files with shapes of brushes.
test("a file without shapes of brushes has scenes of what is not turned", () => {
  const map = fromBytes(golden("low_tunnel-bare"));
  assert.equal(map.hasBrushShapes, false);
  const ask = [
    () => contentsAt(map, [0, 0, 0]),
    () => traceShape(map.world(), Shape.sphere([0, 0, 0], 1), 1, [0, 0, 0], [1, 0, 0]),
    () => shapeIsSolid(map, Shape.sphere([0, 0, 0], 1), 1, [0, 0, 0]),
  ];
  for (const query of ask) assert.throws(query, /no shapes of brushes; compile it with --brushes/);
  assert.deepEqual(movers(map), []);
  for (const model of [0, 1, -1, 0.5]) {
    assert.throws(() => new Scene(map, [Mover.still(model, Pose.at([0, 0, 0]))]), /no model/);
  }
  const [scene, stand] = [new Scene(map, []), map.findHull("stand")];
  const [start, end] = [[-200, 0, 24], [200, 0, 24]];
  const { fraction, endPos, plane } = map.trace(stand, start, end);
  const trace = scene.trace(stand, start, end);
  assert.deepEqual([trace.fraction, trace.endPos, trace.plane.normal], [fraction, endPos, plane.normal]);
  assert.equal(scene.withMargin(0).trace(stand, start, end).fraction, trace.hitFraction);
  const held = [start, endPos, [0, 0, 24]].map((point) => scene.isSolid(stand, point));
  assert.deepEqual([trace.mover, trace.hit, ...held], [null, null, false, false, true]);
  const foreign = fromBytes(golden("low_tunnel-bare")).findHull("stand");
  assert.deepEqual([scene.trace(foreign, start, end).allSolid, scene.isSolid(foreign, start)], [true, true]);
  assert.throws(() => scene.trace("stand", start, end), TypeError);
  const agent = new Agent(stand, start);
  for (let tick = 0; tick < 60; tick++) agent.walk(scene, WALK_SETTINGS, [320, 0], 1 / 60);
  assert.ok(agent.onGround && agent.position[0] > -150, `${agent.position}`);
  const { position, onGround } = agent;
  for (const dt of [1 / 60, 0, NaN]) {
    assert.deepEqual(ride(agent, scene, WALK_SETTINGS, dt), { crushedBy: null, pushedBy: null });
    assert.deepEqual([agent.position, agent.onGround], [position, onGround]);
  }
  assert.deepEqual([onGround.normal, onGround.object, onGround.velocity], [[0, 0, 1], 0, [0, 0, 0]]);
  [agent.velocity, agent.onGround.velocity] = [[320, 0, 0], [0, 60, 30]];
  assert.deepEqual([agent.jump(270), agent.velocity, agent.jump(270)], [true, [320, 60, 300], false]);
});

// Halls of 256 by 256 whose walls keep a box of 32 by 32 away, and the roof, from above.
test("floors are where hulls stand, if the file holds them", () => {
  const map = fromBytes(golden("low_tunnel-floors"));
  const [stand, crouch, point] = map.hulls;
  const [west, roof, east] = map.floors(stand);
  assert.deepEqual([map.hasFloors, map.floors(stand).length, map.floors(point)], [true, 3, []]);
  assert.deepEqual([west.number, west.normal, west.dist], [0, [0, 0, 1], 24]);
  assert.deepEqual(west.corners, [[-304, -112, 24], [-80, -112, 24], [-80, 112, 24], [-304, 112, 24]]);
  assert.deepEqual([west.contains([-80, 0]), west.contains([-79, 0]), west.height([0, 0])], [true, false, 24]);
  assert.deepEqual(map.floorAt(stand, [200, 0, 30], 8), { floor: east, point: [200, 0, 24] });
  assert.equal(map.floorAt(stand, Float32Array.of(0, 0, 300), Infinity).floor, roof);
  assert.deepEqual(map.floorAt(crouch, [0, 16, 24], 0).point, [0, 16, 24]);
  for (const [hull, place, reach] of [
    [stand, [0, 0, 30], 8], [stand, [200, 0, 33], 8], [stand, [200, 0, 23], 8], [point, [200, 0, 30], 100],
    [stand, [NaN, 0, 30], 8], [stand, [200, 0, NaN], Infinity], [stand, [200, 0, 30], NaN],
  ]) {
    assert.equal(map.floorAt(hull, place, reach), null, `${hull.name} ${place}`);
  }
  // Beyond a corner of the west hall, by 3, 4 and 12 units; in the middle of the tunnel.
  const corner = [-77, 116, 36];
  assert.deepEqual(map.nearestFloor(stand, corner, 13), { floor: west, point: [-80, 112, 24] });
  assert.deepEqual(map.nearestFloor(stand, [0, 0, 24], Infinity).floor, west);
  assert.deepEqual([west.area(), west.nearest([-200, 20, 60])], [224 * 224, [-200, 20, 24]]);
  for (const [hull, place, far] of [
    [stand, corner, 12.999], [stand, corner, -13], [stand, [NaN, 0, 24], Infinity], [point, corner, Infinity],
  ]) {
    assert.equal(map.nearestFloor(hull, place, far), null, `${hull.name} ${place}`);
  }
  assert.deepEqual(map.randomPlace(stand, [0, 0, 0]), { floor: west, point: west.corners[0] });
  assert.equal(map.randomPlace(stand, [1, 0.5, 0.5]).floor, east);
  assert.deepEqual(west.randomPoint([0.25, 0.25]), [-136, -56, 24]);
  for (const numbers of [[-0.1, 0.5, 0.5], [0.5, 1.1, 0.5], [0.5, 0.5, NaN]]) {
    assert.equal(map.randomPlace(stand, numbers), null, `${numbers}`);
  }
  assert.equal(map.randomPlace(point, [0.5, 0.5, 0.5]), null);
  const bare = fromBytes(golden("low_tunnel-bare"));
  assert.deepEqual([bare.hasFloors, bare.floors(bare.hulls[0]), map.floors(bare.hulls[0])], [false, [], []]);
  for (const query of ["floorAt", "nearestFloor", "randomPlace"]) {
    assert.equal(map[query](bare.hulls[0], [0.2, 0, 0.3], 1000), null);
    assert.equal(bare[query](bare.hulls[0], [0.2, 0, 0.3], 1000), null);
  }
});

// Standing in one hall, to the other one: a tunnel of 160 units between them is for crouching only.
test("a path leads through a tunnel, and a walker follows it", () => {
  const map = fromBytes(golden("low_tunnel-floors"));
  const [stand, crouch] = map.hulls;
  const [start, goal] = [[-200, 50, 24], [200, 0, 30]];
  const { points, length, cost } = map.path(stand, start, goal);
  const ways = points.map(({ hull, kind }) => `${hull.name} ${kind}`);
  assert.deepEqual(ways, ["stand walk", "stand walk", "crouch crouch", "crouch walk", "stand stand", "stand walk"]);
  assert.deepEqual([points[0].position, points.at(-1).position], [start, [200, 0, 24]]);
  assert.ok(points.every(({ position, floor, hull }) => map.floorAt(hull, position, 1).floor.number === floor));
  assert.ok(length > Math.hypot(400, 50) && length < 410);
  assert.ok(Math.abs(cost - length - 160) < 2);
  assert.ok(map.path(crouch, Float32Array.from(start), goal, { switch: 1000 }).cost > 2000);
  for (const [from, to, code] of [
    [[0, 0, 300], goal, "NO_START"], [start, [200, 0, 23], "NO_GOAL"], [start, [NaN, 0, 24], "NO_GOAL"],
    [start, [0, 0, 200], "NO_WAY"],
  ]) {
    assert.throws(() => map.path(stand, from, to), (error) => error instanceof PathError && error.code === code);
  }
  // Both halls and the tunnel, for standing and for crouching; not the roof.
  const reached = map.reachable(stand, start);
  assert.equal(reached[0], map.floorAt(stand, start, 1).floor);
  assert.ok(reached.includes(map.floorAt(crouch, [0, 0, 24], 1).floor));
  assert.ok(!reached.includes(map.floorAt(stand, [0, 0, 200], 1).floor));
  assert.deepEqual([map.canReach(stand, start, goal), map.canReach(stand, start, [0, 0, 200])], [true, false]);
  assert.throws(() => map.reachable(stand, [0, 0, 300]), ({ code }) => code === "NO_START");
  assert.throws(() => map.canReach(stand, start, [0, 0, 300]), ({ code }) => code === "NO_GOAL");
  assert.throws(() => map.reachable(map.findHull("point"), start), ({ code }) => code === "NO_AGENT");
  const [agentClass] = map.agents();
  const agent = new Agent(stand, start);
  const follower = new PathFollower();
  let progress = PROGRESS.FOLLOWING;
  for (let tick = 0; tick < 300 && progress === PROGRESS.FOLLOWING; tick++) {
    progress = follower.walk(agent, map, agentClass, points, 1 / 60);
  }
  assert.deepEqual([progress, follower.next, agent.stance], [PROGRESS.ARRIVED, points.length, stand]);
  assert.ok(Math.hypot(agent.position[0] - 200, agent.position[1]) <= 1);
});

test("classes of agents and links are those of the file, if it has them", () => {
  const map = fromBytes(golden("low_tunnel-floors"));
  const [stand, crouch, point] = map.hulls;
  const [own] = map.agents();
  assert.deepEqual([map.hasLinks, map.agents().length, own.name, own.hulls], [true, 1, "stand", [stand, crouch]]);
  assert.deepEqual([map.agentOf(crouch), map.agentOf(point), map.link(map.nLinks)], [own, undefined, undefined]);
  const minGroundZ = Math.fround(WALK_SETTINGS.minGroundZ);
  assert.deepEqual(own.settings, { ...WALK_SETTINGS, minGroundZ });
  const links = Array.from({ length: map.nLinks }, (_, number) => map.link(number));
  assert.deepEqual(map.linksFrom(0), links.filter(({ from }) => from === 0));
  assert.deepEqual([map.linksFrom(-1), map.floor(0), map.floor(9)], [[], map.floors(stand)[0], undefined]);
  assert.ok(links.every(({ kind, from, to }) => LINK_KINDS.includes(kind) && map.floor(from) && map.floor(to)));
  assert.deepEqual(Object.keys(PATH_COSTS), ["crouched", "switch", "drop", "jump", "climb"]);
  const bare = fromBytes(golden("low_tunnel-bare"));
  assert.deepEqual([bare.hasLinks, bare.nLinks, bare.agents(), bare.linksFrom(0)], [false, 0, [], []]);
  assert.equal(map.agentOf(bare.hulls[0]), undefined);
  for (const hull of [point, bare.hulls[0]]) {
    assert.throws(() => map.path(hull, [0, 0, 24], [0, 0, 24]), { name: "PathError", code: "NO_AGENT" });
  }
  assert.throws(() => map.path(stand, [0, 0], [0, 0, 24]), TypeError);
  assert.throws(() => map.agentOf("stand"), TypeError);
});

test("the package gives what its types tell", async () => {
  const types = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
  for (const name of ["onion", "movement", "navigation", "ride", "shape", "scene"]) {
    const module = await import(name === "onion" ? "onion-runtime" : `onion-runtime/${name}`);
    assert.equal(module, await import(`./${name}.mjs`));
    const names = [...types(`${name}.d.mts`).matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(names.sort(), Object.keys(module).sort());
  }
  const map = fromBytes(golden("low_tunnel"));
  const trace = map.trace(map.hulls[0], [-200, 0, 24], [200, 0, 24]);
  const floors = fromBytes(golden("low_tunnel-floors"));
  const [floor] = floors.floors(floors.findHull("stand"));
  const values = { Floor: floor, Hull: map.hulls[0], OnionMap: map, Model: map.world(), Trace: trace, Plane: trace.plane };
  const isNamed = (member) => member !== "constructor";
  const text = ["onion", "movement", "navigation", "ride", "shape", "scene"].map((name) => types(`${name}.d.mts`)).join("");
  const scene = new Scene(map, []);
  const path = floors.path(floors.hulls[0], [-200, 0, 24], [200, 0, 24]);
  const others = {
    Hit: map.hit(map.hulls[0], trace), Agent: new Agent(map.hulls[0], [0, 0, 24]), Ground: new Ground([0, 0, 1], 0),
    Shape: Shape.sphere([0, 0, 0], 1), Pose: Pose.at([0, 0, 0]), Mover: Mover.still(1, Pose.at([0, 0, 0])), Scene: scene,
    ShapeTrace: scene.trace(map.hulls[0], [-200, 0, 24], [200, 0, 24]),
    AgentClass: floors.agents()[0], Link: floors.link(0), Path: path, PathPoint: path.points[0],
    PathFollower: new PathFollower(), PathCosts: PATH_COSTS,
  };
  for (const [name, value] of Object.entries({ ...values, ...others })) {
    const [, body] = new RegExp(`export (?:interface|class) ${name}(?: extends World)? \\{(.*?)\n\\}`, "s").exec(text);
    const [, world] = /export interface World \{(.*?)\n\}/s.exec(text);
    const inherited = ["OnionMap", "Model"].includes(name) ? world : "";
    const declared = [...(body + inherited).matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(([, member]) => member).filter(isNamed);
    const prototype = Object.getPrototypeOf(value);
    const members = prototype === Object.prototype ? [] : Object.getOwnPropertyNames(prototype).filter(isNamed);
    assert.deepEqual([...new Set(declared)].sort(), [...new Set([...Object.keys(value), ...members])].sort(), name);
  }
});
