// Brushes, their sides and the hits at nodes: the optional chunks SURF, BRSH, SIDE, HITS and CHOI in, checked tables
// out. All sizes, bits and rules are those of format-spec/FORMAT.md.

import { check } from "./tables.mjs";

/** Bits of a hit: the number of a side or of a choice, and the flags that distinguish them. */
export const NUMBER_BITS = 0x3fffffff;
export const BEVEL_BIT = 0x40000000;
export const CHOICE_BIT = 0x80000000;
export const NOTHING = 0xffffffff;
/** The kind of a choice's test, in bits 30 and 31 of `test`. */
export const TEST = { PLANE: 0, HULL: 0x40000000, LOOK: 0x80000000 };
const MAX_HULLS = 64;

/**
 * @typedef {object} Surface The look and contents of sides: a texture or shader of the map.
 * @property {string} name As in the map; bytes that are not UTF-8 are replaced.
 * @property {number} flags Surface flags as in the map.
 * @property {number} contents Contents of the surface, as in the map. Hulls are blocked by the contents of the brush.
 *
 * @typedef {object} BrushRecord A brush, or a piece of a patch.
 * @property {number} model Number of its model.
 * @property {"brush" | "patch"} source The kind of its source in the map.
 * @property {number} number Number of the brush, or of the patch's surface, in the map.
 * @property {number} contents Its contents bits, see `CONTENTS`.
 * @property {number} firstSide Number of its first side in the file.

/** Reads the surfaces, brushes and sides of a file. */
export function readBrushes({ SURF, BRSH, SIDE }, nModels) {
  const surfaces = Array.from({ length: SURF.count }, (_, i) => readSurface(SURF, i));
  const brushes = Array.from({ length: BRSH.count }, (_, i) => ({
    model: BRSH.u32(i, 0),
    source: BRSH.u32(i, 4) === 0 ? "brush" : "patch",
    number: BRSH.u32(i, 8),
    contents: BRSH.u32(i, 12),
    firstSide: BRSH.u32(i, 16),
  }));
  brushes.forEach(({ model, contents, firstSide }, i) => {
    const [modelBefore, end] = i > 0 ? [brushes[i - 1].model, brushes[i - 1].firstSide] : [0, -1];
    check(model >= modelBefore && model < nModels, `brush ${i} has another model than its place allows`);
    const follows = i > 0 ? firstSide > end : firstSide === 0;
    check(follows && firstSide < SIDE.count, `the sides of brush ${i} do not follow those of the one before`);
    check(BRSH.u32(i, 4) <= 1 && contents !== 0, `brush ${i} is of no kind or without contents`);
  });
  check(brushes.length > 0 || SIDE.count === 0, "there are sides of no brush");
  const sides = Array.from({ length: SIDE.count }, (_, i) => ({ surface: SIDE.u32(i, 0), number: SIDE.u32(i, 4) }));
  const starts = new Set(brushes.map(({ firstSide }) => firstSide));
  sides.forEach(({ surface, number }, i) => {
    check(starts.has(i) || number > sides[i - 1].number, `side ${i} is not in its place`);
    check(surface < surfaces.length, `side ${i} has a surface that is not there`);
  });
  return { surfaces, brushes, sides };
}

/** @returns {Surface} */
function readSurface(chunk, surface) {
  const bytes = chunk.bytes(surface, 0, 64);
  const end = bytes.indexOf(0);
  const name = end < 0 ? bytes : bytes.subarray(0, end);
  check(bytes.subarray(name.length).every((byte) => byte === 0), `surface ${surface} has a name that goes on`);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(name);
  return Object.freeze({ name: text, flags: chunk.u32(surface, 64), contents: chunk.u32(surface, 68) });
}

/** Reads the hits of the nodes, and the choices: a test and two hits each. */
export function readHits({ HITS, CHOI }, { nNodes, nSides, nPlanes }) {
  check(HITS.count === nNodes, `${HITS.count} hits for ${nNodes} nodes`);
  const isRight = (hit, nChoices) => {
    const count = hit >= CHOICE_BIT ? nChoices : nSides;
    return hit === NOTHING || (hit & NUMBER_BITS) < count;
  };
  const hits = Uint32Array.from({ length: nNodes }, (_, i) => HITS.u32(i, 0));
  hits.forEach((hit, i) => check(isRight(hit, CHOI.count), `hit ${i} is of a side or choice that is not there`));
  const choices = new Uint32Array(3 * CHOI.count);
  for (let i = 0; i < CHOI.count; i++) {
    const [test, ...two] = [0, 4, 8].map((offset) => CHOI.u32(i, offset));
    const limits = { [TEST.PLANE]: nPlanes, [TEST.HULL]: MAX_HULLS, [TEST.LOOK]: 1 };
    const limit = limits[(test & ~NUMBER_BITS) >>> 0] ?? 0;
    check((test & NUMBER_BITS) < limit, `choice ${i} has a test that there is not`);
    check(two.every((hit) => isRight(hit, i)), `choice ${i} leads to a side or choice that is not before it`);
    choices.set([test, ...two], 3 * i);
  }
  return { hits, choices };
}
