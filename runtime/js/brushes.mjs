// Brushes, their sides, the hits at nodes and the shapes of brushes: the optional chunks from SURF to BOXN in, checked
// tables out. All sizes, bits and rules are those of format-spec/FORMAT.md.

import { MAX_HULLS, check } from "./tables.mjs";

/** Bits of a hit: the number of a side or of a choice, and the flags that distinguish them. */
export const NUMBER_BITS = 0x3fffffff;
export const BEVEL_BIT = 0x40000000;
export const CHOICE_BIT = 0x80000000;
export const NOTHING = 0xffffffff;
/** The kind of a choice's test, in bits 30 and 31 of `test`. */
export const TEST = { PLANE: 0, HULL: 0x40000000, LOOK: 0x80000000 };
/** Bit 31 of a face's plane: the face points to the plane's back. */
export const FACE_LOOKS_BACK = 0x80000000;
/** Distance of corners from the origin on each axis, in units. */
export const WORLD_LIMIT = 65536;
const MAX_BOX_DEPTH = 32;
/** Fewest faces, corners and edges of a convex solid. */
const FEWEST = { nFaces: 4, nCorners: 4, nEdges: 6 };

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

/**
 * Reads the shapes of the brushes: solids, with the numbers of their first faces, corners and edges; faces (plane and
 * side), corners (3 numbers each), edges (two corners and two faces); and the boxes of the models.
 */
export function readShapes({ SOLI, FACE, CORN, EDGE, BOXM, BOXN }, { brushes, nSides, nPlanes, nModels }) {
  check(SOLI.count === brushes.length, `${SOLI.count} solids for ${brushes.length} brushes`);
  const solids = Array.from({ length: SOLI.count }, (_, i) => {
    const [firstFace, nFaces, nBevels, firstCorner, nCorners, firstEdge, nEdges] =
      [0, 4, 8, 12, 16, 20, 24].map((offset) => SOLI.u32(i, offset));
    return { firstFace, nFaces, nBevels, firstCorner, nCorners, firstEdge, nEdges };
  });
  const faces = numbersOf(FACE, 2);
  const corners = Float64Array.from({ length: 3 * CORN.count }, (_, i) => CORN.f64(Math.floor(i / 3), 8 * (i % 3)));
  check(corners.every((x) => Math.abs(x) <= WORLD_LIMIT), "a corner of a brush is too far away or not a number");
  const edges = numbersOf(EDGE, 4);
  let [face, corner, edge] = [0, 0, 0];
  solids.forEach((solid, i) => {
    const isThere = solid.firstFace === face && solid.firstCorner === corner && solid.firstEdge === edge;
    check(isThere, `the faces, corners or edges of brush ${i} do not follow those of the one before`);
    const isSolid = Object.entries(FEWEST).every(([name, fewest]) => solid[name] >= fewest);
    check(isSolid, `brush ${i} has too few faces, corners or edges`);
    face += solid.nFaces + solid.nBevels;
    corner += solid.nCorners;
    edge += solid.nEdges;
    check(face <= FACE.count && corner <= CORN.count && edge <= EDGE.count, `brush ${i} has parts that are not there`);
    const sides = [brushes[i].firstSide, i + 1 < brushes.length ? brushes[i + 1].firstSide : nSides];
    checkSolid(solid, { faces, edges, sides, nPlanes }, i);
  });
  const isAll = face === FACE.count && corner === CORN.count && edge === EDGE.count;
  check(isAll, "there are faces, corners or edges of no brush");
  return { solids, faces, corners, edges, ...readBoxes(BOXM, BOXN, brushes, nModels) };
}

/** Returns the first numbers of all records, `count` of each. */
function numbersOf(chunk, count) {
  return Uint32Array.from({ length: count * chunk.count }, (_, i) => chunk.u32(Math.floor(i / count), 4 * (i % count)));
}

/** Checks that the faces and edges of a solid refer to what is there. */
function checkSolid({ firstFace, nFaces, nBevels, nCorners, firstEdge, nEdges }, { faces, edges, sides, nPlanes }, i) {
  for (let face = firstFace; face < firstFace + nFaces + nBevels; face++) {
    const [plane, side] = faces.subarray(2 * face, 2 * face + 2);
    const isRight = (plane & ~FACE_LOOKS_BACK) >>> 0 < nPlanes && side >= sides[0] && side < sides[1];
    check(isRight, `face ${face} of brush ${i} has a plane or a side that it cannot have`);
  }
  for (let edge = firstEdge; edge < firstEdge + nEdges; edge++) {
    const [a, b, left, right] = edges.subarray(4 * edge, 4 * edge + 4);
    const isRight = a !== b && left !== right && Math.max(a, b) < nCorners && Math.max(left, right) < nFaces;
    check(isRight, `edge ${edge} of brush ${i} does not join two corners and two faces`);
  }
}

/** Reads the boxes: corners (6 numbers each), and each box's second child and brush. */
function readBoxes(BOXM, BOXN, brushes, nModels) {
  check(BOXM.count === nModels, `${BOXM.count} lists of boxes for ${nModels} models`);
  const boxes = {
    bounds: Float64Array.from({ length: 6 * BOXN.count }, (_, i) => BOXN.f32(Math.floor(i / 6), 4 * (i % 6))),
    seconds: Uint32Array.from({ length: BOXN.count }, (_, i) => BOXN.u32(i, 24)),
    brushes: Uint32Array.from({ length: BOXN.count }, (_, i) => BOXN.u32(i, 28)),
  };
  const counts = new Uint32Array(nModels);
  for (const { model } of brushes) counts[model] += 1;
  let end = 0;
  const boxesOfModels = Array.from({ length: nModels }, (_, model) => {
    const [first, nBoxes] = [BOXM.u32(model, 0), BOXM.u32(model, 4)];
    const isRight = first === end && nBoxes === Math.max(2 * counts[model] - 1, 0);
    check(isRight, `model ${model} has other boxes than brushes`);
    end += nBoxes;
    check(end <= BOXN.count, `model ${model} has boxes that are not there`);
    if (nBoxes > 0) checkBoxes(boxes, first, end, (brush) => brushes[brush]?.model === model);
    return { first, nBoxes };
  });
  check(end === BOXN.count, "there are boxes of no model");
  return { boxes, boxesOfModels };
}

/** Checks that boxes form one tree in pre-order: each box inside its parent, a brush of the model in each leaf. */
function checkBoxes({ bounds, seconds, brushes }, first, end, isOwn) {
  const isWithin = (box, outer) =>
    [0, 1, 2].every((k) => {
      const [min, max] = [bounds[6 * box + k], bounds[6 * box + 3 + k]];
      const isFinite = Number.isFinite(min) && Number.isFinite(max) && min <= max;
      return isFinite && (outer < 0 || (bounds[6 * outer + k] <= min && max <= bounds[6 * outer + 3 + k]));
    });
  const pending = [];
  let [around, nAbove] = [-1, 0];
  for (let at = first; at < end; at++) {
    check(isWithin(at, around), `box ${at} is not inside the one above it`);
    if (seconds[at] !== 0) {
      check(brushes[at] === 0 && nAbove < MAX_BOX_DEPTH, `box ${at} has a brush and children, or is too deep`);
      nAbove += 1;
      pending.push({ second: seconds[at], above: at, depth: nAbove });
      around = at;
      continue;
    }
    check(isOwn(brushes[at]), `box ${at} has no brush of its model`);
    const next = pending.pop();
    check(next ? next.second === at + 1 : at + 1 === end, `box ${at} is not in its place`);
    [around, nAbove] = [next?.above, next?.depth];
  }
  check(pending.length === 0, `the boxes from ${first} on are no tree`);
}
