// Loading: the bytes of a file in, tables with every record checked out. The order matters: header, checksum, chunks,
// then records; each check relies on those before it. Everything follows format-spec/FORMAT.md.

import { readBrushes, readHits, readShapes } from "./brushes.mjs";
import { readFloors } from "./floors.mjs";
import { readAgents, readLinks } from "./links.mjs";
import {
  Chunk, LEAF_BIT, MAX_DEPTH, NORMAL_UNIT, PLANE_BITS, check, hullsOf, readEntities, readGroups, readHulls, readInfo,
  readModels, readNodes, readOptions, readPlanes,
} from "./tables.mjs";

const MAGIC = "ONIONBSP";
const VERSION = 1;
const HEADER_SIZE = 40;
const CHECKSUM_OFFSET = 24;
const CHUNK_HEADER_SIZE = 16;

/** Size of a record of each chunk, in bytes. */
const RECORD_SIZES = {
  INFO: 48, OPTS: 1, HULL: 64, MODL: 40, GRUP: 8, ROOT: 4, PLAN: 24, NODE: 32,
  PRSM: 12, FLOR: 32, FCOR: 4, FPLC: 16, ENTS: 4, TEXT: 1, GRID: 40, BLCK: 12, ROOM: 48,
  SURF: 72, BRSH: 20, SIDE: 8, HITS: 4, CHOI: 12, SOLI: 28, FACE: 8, CORN: 24, EDGE: 16, BOXM: 8, BOXN: 32,
  AGNT: 72, FLNK: 4, LINK: 12,
};

const CHUNKS = ["INFO", "OPTS", "HULL", "MODL", "GRUP", "ROOT", "PLAN", "NODE"];
/** Groups of optional chunks; blocks are skipped. */
const OPTIONAL = [
  ["PRSM"],
  ["FLOR", "FCOR", "FPLC"],
  ["ENTS", "TEXT"],
  ["GRID", "BLCK", "ROOM"],
  ["SURF", "BRSH", "SIDE"],
  ["HITS", "CHOI"],
  ["SOLI", "FACE", "CORN", "EDGE", "BOXM", "BOXN"],
  ["AGNT", "FLNK", "LINK"],
];
/** For the first chunks of groups that need others, such a chunk: the brushes or the floors. */
const NEEDS = { HITS: "SURF", SOLI: "SURF", AGNT: "FLOR" };

/**
 * Checks a file. The result does not keep the bytes.
 *
 * @param {Uint8Array | ArrayBuffer} bytes A whole `.onion` file.
 * @returns Its contents: hulls, models, options, entities, and the tables of the trees.
 * @throws {Error} The file is damaged or not an onion map; the message says what is wrong.
 */
export function load(bytes) {
  const view = ArrayBuffer.isView(bytes)
    ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new DataView(bytes);
  checkHeader(view);
  const chunks = readChunks(view);
  readInfo(chunks.INFO);
  const options = readOptions(chunks.OPTS);
  const entities = chunks.ENTS ? readEntities(chunks.ENTS, chunks.TEXT) : null;
  const hulls = readHulls(chunks.HULL, chunks.PRSM);
  const groups = readGroups(chunks.GRUP, hulls.length);
  const { models, roots } = readModels(chunks.MODL, chunks.ROOT, groups.length);
  const tables = {
    roots,
    groups,
    ...readPlanes(chunks.PLAN),
    ...readNodes(chunks.NODE),
    /** The hulls that each leaf is solid for, as two 32-bit integers. */
    leaves: new Uint32Array(4 * chunks.NODE.count + 2 * roots.length),
  };
  if (chunks.FLOR) tables.floors = readFloors(chunks, tables, hulls.length);
  if (chunks.AGNT) {
    tables.agents = readAgents(chunks.AGNT, hulls.length);
    tables.links = readLinks(chunks, tables.floors.flatMap(({ floors }) => floors));
  }
  if (chunks.SURF) Object.assign(tables, readBrushes(chunks, models.length));
  if (chunks.HITS) {
    const counts = { nNodes: tables.planes.length, nSides: tables.sides.length, nPlanes: tables.dists.length };
    Object.assign(tables, readHits(chunks, counts));
  }
  if (chunks.SOLI) {
    const { sides, dists, brushes } = tables;
    const counts = { nSides: sides.length, nPlanes: dists.length, nModels: models.length };
    tables.shapes = readShapes(chunks, { brushes, ...counts });
  }
  const depth = checkTrees(tables, chunks.NODE);
  check(depth === chunks.INFO.u32(0, 8), `the trees are ${depth} nodes deep, which is not what INFO says`);
  return { hulls, models, options, entities, tables };
}

function checkHeader(view) {
  const length = view.byteLength;
  const magic = [...MAGIC].every((letter, i) => i < length && view.getUint8(i) === letter.charCodeAt(0));
  check(magic, `not an onion map: the first eight bytes are not ${MAGIC}`);
  check(length >= HEADER_SIZE, `the file ends at byte ${length}, within its header`);
  const version = view.getUint32(8, true);
  check(version === VERSION, `version ${version} is unknown, this reader reads ${VERSION}: compile the map again`);
  check(view.getUint32(12, true) === 0, "the header is damaged at byte 12");
  const said = view.getBigUint64(16, true);
  check(said === BigInt(length), `the header says ${said} bytes, the file has ${length}`);
  const [low, high] = checksum(view);
  const same = view.getUint32(CHECKSUM_OFFSET, true) === low && view.getUint32(CHECKSUM_OFFSET + 4, true) === high;
  check(same, "the checksum does not match: the file is damaged");
}

/** Returns the checksum of a file as two 32-bit halves, the low one first. */
function checksum(view) {
  const lanes = [[1, 0], [2, 0], [3, 0], [4, 0]];
  const length = view.byteLength;
  const byte = (at) => (at < length ? view.getUint8(at) : 0);
  const half = (at) => {
    if (at + 4 <= length) return view.getUint32(at, true);
    return byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24);
  };
  for (let at = 0, lane = 0; at < length || lane !== 0; at += 8, lane = (lane + 1) % 4) {
    if (at === CHECKSUM_OFFSET) checksumStep(lanes[lane], 0, 0);
    else checksumStep(lanes[lane], half(at), half(at + 4));
  }
  const sum = [0, 0];
  for (const [low, high] of lanes) checksumStep(sum, low, high);
  checksumStep(sum, length, Math.floor(length / 2 ** 32));
  return sum.map((part) => part >>> 0);
}

/** Computes `lane = (rotl(lane, 23) xor word) * 0x9e3779b97f4a7c15`, modulo 2^64, in place. */
function checksumStep(lane, wordLow, wordHigh) {
  const low = ((lane[0] << 23) | (lane[1] >>> 9)) ^ wordLow;
  const high = ((lane[1] << 23) | (lane[0] >>> 9)) ^ wordHigh;
  // The upper half of low * 0x7f4a7c15, from 16-bit digits; every sum is below 2^32.
  const low0 = low & 0xffff;
  const low1 = low >>> 16;
  const middle = low1 * 0x7c15 + ((low0 * 0x7c15) >>> 16);
  const carry = low0 * 0x7f4a + (middle & 0xffff);
  const upper = low1 * 0x7f4a + (middle >>> 16) + (carry >>> 16);
  lane[0] = Math.imul(low, 0x7f4a7c15);
  lane[1] = (upper + Math.imul(high, 0x7f4a7c15) + Math.imul(low, 0x9e3779b9)) | 0;
}

/** Finds the chunks, by tag. */
function readChunks(view) {
  const chunks = {};
  let at = HEADER_SIZE;
  const tagAt = () => String.fromCharCode(...[0, 1, 2, 3].map((letter) => view.getUint8(at + letter)));
  const read = (tag) => {
    check(view.byteLength - at >= CHUNK_HEADER_SIZE, `the file ends before the chunk ${tag}`);
    check(tagAt() === tag, `the chunk at byte ${at} is not ${tag}`);
    const size = RECORD_SIZES[tag];
    check(view.getUint32(at + 4, true) === size, `a record of ${tag} has ${size} bytes`);
    const length = view.getBigUint64(at + 8, true);
    at += CHUNK_HEADER_SIZE;
    check(length <= BigInt(view.byteLength - at), `the file ends within the chunk ${tag}`);
    check(Number(length) % size === 0, `the chunk ${tag} ends within a record`);
    chunks[tag] = new Chunk(view, at, size, Number(length) / size);
    at += Number(length);
  };
  CHUNKS.forEach(read);
  for (const group of OPTIONAL) {
    const isThere = view.byteLength - at >= CHUNK_HEADER_SIZE && tagAt() === group[0];
    const isAllowed = !(group[0] in NEEDS) || chunks[NEEDS[group[0]]];
    if (isThere && isAllowed) group.forEach(read);
  }
  const count = Object.keys(chunks).length;
  check(view.getBigUint64(32, true) === BigInt(count), `the header does not have ${count} chunks`);
  check(at === view.byteLength, `the chunks end at byte ${at}, the file does not`);
  return chunks;
}

/** Proves that the trees are trees with valid records, fills in their leaves, and returns the maximum depth. */
function checkTrees(tables, chunk) {
  const { roots, groups, children, leaves } = tables;
  let [nodes, deepest] = [0, 0];
  roots.forEach((root, tree) => {
    const hulls = hullsOf(groups[tree % groups.length]);
    const all = 2 ** hulls.length - 1;
    const fill = (leaf, solid) => {
      const own = hulls.filter((_, rank) => (solid >> rank) & 1);
      for (const hull of own) leaves[2 * leaf + (hull >> 5)] |= 1 << (hull & 31);
    };
    if (root >= LEAF_BIT) {
      const solid = root - LEAF_BIT;
      check((solid & ~all) === 0, `tree ${tree} is solid for a hull that is not its own`);
      roots[tree] = LEAF_BIT + 2 * chunk.count + tree;
      fill(2 * chunk.count + tree, solid);
      return;
    }
    // Children still to visit, each with the facts that its node stores about it.
    const pending = [{ child: root, depth: 0, resolved: 0, solid: 0 }];
    while (pending.length > 0) {
      const { child, depth, resolved, solid } = pending.pop();
      if (child >= LEAF_BIT) {
        check(resolved === all, `a leaf of tree ${tree} is not wholly known`);
        fill(child - LEAF_BIT, solid);
        continue;
      }
      check(child === nodes && child < chunk.count, `node ${child} is not in its place`);
      check(depth < MAX_DEPTH, `a tree is deeper than ${MAX_DEPTH} nodes`);
      nodes += 1;
      deepest = Math.max(deepest, depth + 1);
      checkNode(tables, chunk, child);
      for (const side of [1, 0]) {
        const next = { child: children[2 * child + side], depth: depth + 1, resolved: 0, solid: 0 };
        next.resolved = chunk.u8(child, 28 + side);
        next.solid = chunk.u8(child, 30 + side);
        check((next.resolved & ~all) === 0, `node ${child} knows of hulls that are not of its tree`);
        check((next.solid & ~next.resolved) === 0, `node ${child} has solid what is not resolved`);
        const same = (next.resolved & resolved) === resolved && (next.solid & resolved) === solid;
        check(same, `node ${child} does not know what the node above it knows`);
        pending.push(next);
      }
    }
  });
  check(nodes === chunk.count, `${chunk.count - nodes} nodes are in no tree`);
  return deepest;
}

/** Checks that a node's plane is in the table, and that its copy of the plane is the same. */
function checkNode({ planes, normals, dists }, chunk, node) {
  const plane = planes[node] & PLANE_BITS;
  check(plane < dists.length, `node ${node} has a plane that is not there`);
  const same =
    [0, 1, 2].every((k) => chunk.i32(node, 4 * k) * NORMAL_UNIT === normals[3 * plane + k]) &&
    Object.is(chunk.f64(node, 16), dists[plane]);
  check(same, `node ${node} has another plane than its number says`);
}
