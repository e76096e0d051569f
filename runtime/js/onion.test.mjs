// The module from inside Node: what its functions give and refuse, with facts of the sample map `low_tunnel`.
// Run with `node --test runtime/js/onion.test.mjs`; that answers are those of `onionc` is tests/tests/all/javascript.rs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./onion.mjs";

const golden = (name) => readFileSync(new URL(`../../tests/golden/${name}.onion`, import.meta.url));
const NAMES = ["low_tunnel-bare", "low_tunnel-bare-groups", "low_tunnel", "low_tunnel-groups"];

test("hulls and models are as they were compiled", () => {
  for (const name of NAMES) {
    const map = load(golden(name));
    const box = { contents: 0x10001, filled: false, mins: [-16, -16, -24] };
    assert.deepEqual(map.hulls, [
      { name: "stand", ...box, maxs: [16, 16, 32] },
      { name: "crouch", ...box, maxs: [16, 16, 8] },
      { name: "point", contents: 1, filled: false, mins: [0, 0, 0], maxs: [0, 0, 0] },
    ]);
    assert.deepEqual(["stand", "point", "fly"].map((hull) => map.hull(hull)), [0, 2, undefined]);
    assert.equal(map.models.length, 1);
    assert.deepEqual(map.models[0].origin, [0, 0, 0]);
  }
});

// From sample-maps/low_tunnel.toml: 8 of 40 units to the ceiling, and 1/32 kept from it.
test("a trace tells where it ends and what it hits", () => {
  for (const name of NAMES) {
    const map = load(golden(name));
    const trace = map.trace(map.hull("crouch"), [0, 0, 24], [0, 0, 64]);
    assert.equal(trace.hitFraction, 0.2);
    assert.equal(trace.fraction, 0.2 - 1 / 32 / 40);
    assert.ok(Math.abs(trace.end[2] - (32 - 1 / 32)) < 1e-9);
    assert.deepEqual(trace.plane, { normal: [0, 0, -1], dist: -32 });
    assert.deepEqual([trace.startSolid, trace.allSolid], [false, false]);
    assert.equal(map.trace(1, [0, 0, 24], [0, 0, 64], { skin: 0 }).fraction, 0.2);
    assert.equal(map.trace(2, [0, 0, 24], [0, 0, 32]).plane, null);
    assert.equal(map.trace(0, [0, 0, 24], [50, 0, 24]).allSolid, true);
  }
});

test("points are solid for each hull by itself", () => {
  for (const name of NAMES) {
    const map = load(golden(name));
    assert.equal(map.solidity([0, 0, 24]), 0b001n);
    assert.equal(map.solidity([0, 0, 33]), 0b011n);
    assert.equal(map.solidity([0, 0, 41]), 0b111n);
    assert.equal(map.solidity([-200, 0, 24]), 0n);
    assert.equal(map.solidity([NaN, 0, 24]), 0b111n);
    assert.equal(map.isSolid(0, Float32Array.of(0, 0, 24), { model: 0 }), true);
    assert.equal(map.isSolid(1, [0, 16, 32]), false);
  }
});

test("bytes may be a buffer, or an odd part of one", () => {
  const bytes = golden("low_tunnel-bare");
  const buffer = new Uint8Array(bytes).buffer;
  const part = new Uint8Array(bytes.length + 9);
  part.set(bytes, 3);
  for (const same of [buffer, part.subarray(3, 3 + bytes.length)]) {
    assert.equal(load(same).solidity([0, 0, 33]), 0b011n);
  }
});

test("hulls and models that are not there are errors, and so are damaged files", () => {
  const bytes = golden("low_tunnel-bare");
  const map = load(bytes);
  for (const hull of [-1, 3, 0.5, undefined, "length"]) {
    assert.throws(() => map.trace(hull, [0, 0, 24], [0, 0, 24]), RangeError);
    assert.throws(() => map.isSolid(hull, [0, 0, 24]), RangeError);
  }
  assert.throws(() => map.solidity([0, 0, 24], { model: 1 }), /model 1: the file has models 0 to 0/);
  assert.throws(() => load(new Uint8Array()), /not an onion map/);
  assert.throws(() => load(bytes.subarray(0, 20)), /ends at byte 20/);
  assert.throws(() => load(bytes.subarray(0, 2000)), /says 3824 bytes, the file has 2000/);
  assert.throws(() => load(Uint8Array.from(bytes, (byte, at) => (at === 8 ? 9 : byte))), /version 9 is unknown/);
  assert.throws(() => load(Uint8Array.from(bytes, (byte, at) => (at === 999 ? ~byte : byte))), /checksum/);
});
