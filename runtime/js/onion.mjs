// Reads and traces `.onion` files, version 1. `load` takes the bytes of a file and gives an `OnionMap`;
// its queries answer bit for bit what format-spec/FORMAT.md, the only source of this module, says. Names and
// the order of all arithmetic are those of that page. Depends on nothing; runs in browsers and Node 18 or later.

// ---- Constants, all of them from FORMAT.md ----

const MAGIC = "ONIONBSP";
const VERSION = 1;
const HEADER_SIZE = 40;
const CHECKSUM_OFFSET = 24;
const CHUNK_HEADER_SIZE = 16;
const MAX_HULLS = 64;
/** Nodes on a path, at most. */
const MAX_DEPTH = 256;
/** Corners of hulls, in units from the origin. */
const MAX_HULL_EXTENT = 4096;
/** Bit 31 of a child: the rest is the number of a leaf. */
const LEAF_BIT = 0x80000000;
/** Bits of a node's `plane`: its number, and where some brush has a face. */
const PLANE_BITS = 0x3fffffff;
const FACE_TO_FRONT = 0x40000000;
const FACE_TO_BACK = 0x80000000;
const NO_ENTITY = 0xffffffff;
/** `axis` of a plane that is not axial. */
const NOT_AXIAL = 3;
/** Of a plane's normal, as stored. */
const NORMAL_UNIT = 2 ** -30;
/** How far the square of its length may be from 1. */
const MAX_NORMAL_ERROR = 2 ** -9;
/** Distances of planes are multiples of the first and below the second, in units. */
const DIST_UNIT = 2 ** -36;
const MAX_DIST = 2 ** 17;

/** Largest coordinate in the domain, in units. */
const DOMAIN = 2 ** 30;
/** Up to this distance a point is on a plane, in units. */
const ON = 2 ** -31;
/** What a segment crosses less of is touched, in units along its largest component. */
const GRAZE = 2 ** -24;
const BELOW_ONE = 1 - 2 ** -53;
/** Fractions that are nearer are the same. */
const SAME = 2 ** -46;
/** Distances before a plane and around a place where faces are looked for, in units. */
const WIDE = { ahead: 2 ** -13, around: 2 ** -7 };
const CLOSE = { ahead: 2 ** -27, around: 2 ** -18 };
/** Eight directions around a place. */
const AROUND = [[0.936, 0.352], [0.413, 0.911], [-0.352, 0.936], [-0.911, 0.413]].flatMap(
  ([x, y]) => [[x, y], [-x, -y]],
);
/** A hit is backed off by up to 2^11 / 2^12 of its fraction. */
const BACK_OFFS = 11;
const BACK_OFF_UNIT = 2 ** 12;
/** Distance that traces keep from what they hit, in units. */
const DEFAULT_SKIN = 1 / 32;

/** Bytes of a record of each chunk. */
const RECORD_SIZES = {
  INFO: 48, OPTS: 1, HULL: 64, MODL: 40, GRUP: 8, ROOT: 4, PLAN: 24, NODE: 32, LEAF: 8,
  SURF: 72, BRSH: 28, SIDE: 12, FRST: 4, FACE: 4, SOLI: 16, CORN: 24, EDGE: 16, BOXM: 8, BOXN: 32,
};

const CHUNKS = ["INFO", "OPTS", "HULL", "MODL", "GRUP", "ROOT", "PLAN", "NODE", "LEAF"];
/** Groups of optional chunks; those behind the first need it. Nothing is made of them here. */
const OPTIONAL = [["SURF", "BRSH", "SIDE"], ["FRST", "FACE"], ["SOLI", "CORN", "EDGE", "BOXM", "BOXN"]];

// ---- Types ----

/**
 * @typedef {[number, number, number]} Vec3 In units of the game map.
 *
 * @typedef {object} Hull A box that is traced as a point.
 * @property {string} name
 * @property {Vec3} mins Lower corner, relative to the origin.
 * @property {Vec3} maxs Upper corner.
 * @property {number} contents Bits of the map's contents that block it.
 * @property {boolean} filled Whether what it cannot reach is solid too.
 *
 * @typedef {object} Model A model of the map. Number 0 is the world.
 * @property {number | null} entity Number of the entity that shows it.
 * @property {Vec3} mins Lower corner of its brushes and patches, in its own space.
 * @property {Vec3} maxs Upper corner.
 * @property {Vec3} origin Where that entity puts its origin.
 *
 * @typedef {object} Trace What a trace found.
 * @property {number} fraction How far the hull gets, 0 to 1, with the skin kept.
 * @property {number} hitFraction Where it enters solid, 0 to 1; 1 if it does not.
 * @property {Vec3} end Where it gets; not solid unless the start is.
 * @property {{normal: Vec3, dist: number} | null} plane What it hits, looking against the motion.
 * @property {boolean} startSolid Whether the start is solid.
 * @property {boolean} allSolid Whether it never gets out; it does not move then.
 */

// ---- Loading ----

/**
 * Checks a file and makes a map of it. Keeps nothing of the bytes.
 *
 * @param {Uint8Array | ArrayBuffer} bytes A whole `.onion` file.
 * @returns {OnionMap}
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
  const hulls = readHulls(chunks.HULL);
  const groups = readGroups(chunks.GRUP, hulls.length);
  const { models, roots } = readModels(chunks.MODL, chunks.ROOT, groups.length);
  const tables = {
    roots,
    groups,
    ...readPlanes(chunks.PLAN),
    ...readNodes(chunks.NODE),
    leaves: readLeaves(chunks.LEAF),
  };
  const depth = checkTrees(tables, chunks.NODE);
  check(depth === chunks.INFO.u32(0, 8), `the trees are ${depth} nodes deep, which is not what INFO says`);
  return new OnionMap(hulls, models, options, tables);
}

function check(holds, message) {
  if (!holds) throw new Error(message);
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

/** The checksum of a file as two halves of 32 bits, the low one first. */
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

/** `lane = (rotl(lane, 23) xor word) * 0x9e3779b97f4a7c15`, modulo 2^64, in place. */
function checksumStep(lane, wordLow, wordHigh) {
  const low = ((lane[0] << 23) | (lane[1] >>> 9)) ^ wordLow;
  const high = ((lane[1] << 23) | (lane[0] >>> 9)) ^ wordHigh;
  // The upper half of low * 0x7f4a7c15, from digits of 16 bits; every sum is below 2^32.
  const low0 = low & 0xffff;
  const low1 = low >>> 16;
  const middle = low1 * 0x7c15 + ((low0 * 0x7c15) >>> 16);
  const carry = low0 * 0x7f4a + (middle & 0xffff);
  const upper = low1 * 0x7f4a + (middle >>> 16) + (carry >>> 16);
  lane[0] = Math.imul(low, 0x7f4a7c15);
  lane[1] = (upper + Math.imul(high, 0x7f4a7c15) + Math.imul(low, 0x9e3779b9)) | 0;
}

/** The records of a chunk: numbers by record and offset in it. */
class Chunk {
  constructor(view, start, size, count) {
    Object.assign(this, { view, start, size, count });
  }

  at(record, offset) {
    return this.start + record * this.size + offset;
  }

  u8(record, offset) {
    return this.view.getUint8(this.at(record, offset));
  }

  u32(record, offset) {
    return this.view.getUint32(this.at(record, offset), true);
  }

  i32(record, offset) {
    return this.view.getInt32(this.at(record, offset), true);
  }

  f32(record, offset) {
    return this.view.getFloat32(this.at(record, offset), true);
  }

  f64(record, offset) {
    return this.view.getFloat64(this.at(record, offset), true);
  }

  vec3(record, offset) {
    return [0, 4, 8].map((component) => this.f32(record, offset + component));
  }

  /** The bytes of all records. */
  all() {
    return this.bytes(0, 0, this.count * this.size);
  }

  bytes(record, offset, length) {
    return new Uint8Array(this.view.buffer, this.view.byteOffset + this.at(record, offset), length);
  }
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
    if (isThere && (group === OPTIONAL[0] || chunks.SURF)) group.forEach(read);
  }
  const count = Object.keys(chunks).length;
  check(view.getBigUint64(32, true) === BigInt(count), `the header does not have ${count} chunks`);
  check(at === view.byteLength, `the chunks end at byte ${at}, the file does not`);
  return chunks;
}

function readInfo(chunk) {
  check(chunk.count === 1, "INFO has exactly one record");
  check(chunk.u32(0, 8) <= MAX_DEPTH, `INFO tells of trees deeper than ${MAX_DEPTH} nodes`);
  const patchError = chunk.f32(0, 12);
  check(patchError > 0 && Number.isFinite(patchError), "the patch error in INFO is not above 0");
}

/** @returns {string[]} The compiler, then the arguments of the compile. */
function readOptions(chunk) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(chunk.all()).split("\n");
  } catch {
    throw new Error("OPTS is not UTF-8");
  }
}

/** @returns {Hull[]} */
function readHulls(chunk) {
  const { count } = chunk;
  check(count >= 1 && count <= MAX_HULLS, `${count} hulls; there are 1 to ${MAX_HULLS}`);
  const names = new Set();
  return Array.from({ length: count }, (_, i) => {
    const name = readName(chunk.bytes(i, 0, 32), i);
    check(!names.has(name), `two hulls have the name ${name}`);
    names.add(name);
    const [mins, maxs] = [chunk.vec3(i, 32), chunk.vec3(i, 44)];
    const isBox = mins.every(
      (min, k) => min >= -MAX_HULL_EXTENT && min <= maxs[k] && maxs[k] <= MAX_HULL_EXTENT,
    );
    check(isBox, `hull ${name} has no box within ${MAX_HULL_EXTENT} units of its origin`);
    const flags = chunk.u32(i, 60);
    check(flags <= 1, `hull ${name} has unknown flags`);
    return { name, mins, maxs, contents: chunk.u32(i, 56), filled: flags === 1 };
  });
}

/** A name of UTF-8, padded with zero bytes. */
function readName(bytes, hull) {
  const end = bytes.indexOf(0);
  const length = end < 0 ? bytes.length : end;
  check(length > 0, `hull ${hull} has no name`);
  check(bytes.subarray(length).every((byte) => byte === 0), `hull ${hull} has a name that goes on after its end`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length));
  } catch {
    throw new Error(`hull ${hull} has a name that is not UTF-8`);
  }
}

/** Sets of hulls as pairs of 32 bits, the low ones first. */
function readGroups(chunk, hulls) {
  const all = [hulls >= 32 ? 0xffffffff : 2 ** hulls - 1, hulls > 32 ? 2 ** (hulls - 32) - 1 : 0];
  const groups = Array.from({ length: chunk.count }, (_, i) => [chunk.u32(i, 0), chunk.u32(i, 4)]);
  let [low, high] = [0, 0];
  groups.forEach((group, i) => {
    check(group[0] !== 0 || group[1] !== 0, `group ${i} has no hulls`);
    check((group[0] & low) === 0 && (group[1] & high) === 0, `a hull of group ${i} is in another one too`);
    check(i === 0 || lowestHull(groups[i - 1]) < lowestHull(group), `group ${i} is not in its place`);
    low = (low | group[0]) >>> 0;
    high = (high | group[1]) >>> 0;
  });
  check(low === all[0] && high === all[1], "the groups are not those of all hulls");
  return groups;
}

function lowestHull([low, high]) {
  const bit = (bits) => 31 - Math.clz32(bits & -bits);
  return low !== 0 ? bit(low) : 32 + bit(high);
}

/** The models, and the roots of the trees by model and group. */
function readModels(chunk, rootChunk, groups) {
  const { count } = chunk;
  check(count >= 1, "there is no model");
  const models = Array.from({ length: count }, (_, i) => {
    const entity = chunk.u32(i, 0);
    const model = {
      entity: entity === NO_ENTITY ? null : entity,
      mins: chunk.vec3(i, 4),
      maxs: chunk.vec3(i, 16),
      origin: chunk.vec3(i, 28),
    };
    const isFinite = [...model.mins, ...model.maxs, ...model.origin].every(Number.isFinite);
    check(isFinite, `model ${i} has coordinates that are not finite`);
    return model;
  });
  check(rootChunk.count === count * groups, `${rootChunk.count} roots for ${count} models and ${groups} groups`);
  const roots = Array.from({ length: rootChunk.count }, (_, i) => rootChunk.u32(i, 0));
  return { models, roots };
}

/** Unit normals (3 numbers for each plane), distances and axes. */
function readPlanes(chunk) {
  const normals = new Float64Array(3 * chunk.count);
  const dists = new Float64Array(chunk.count);
  const axes = new Uint8Array(chunk.count);
  for (let i = 0; i < chunk.count; i++) {
    const stored = [0, 4, 8].map((offset) => chunk.i32(i, offset));
    const normal = stored.map((component) => component * NORMAL_UNIT);
    const axis = chunk.u32(i, 12);
    const dist = chunk.f64(i, 16);
    check(stored.find((component) => component !== 0) > 0, `the first component of plane ${i} is not positive`);
    const square = normal.reduce((sum, component) => sum + component * component, 0);
    check(Math.abs(square - 1) <= MAX_NORMAL_ERROR, `the normal of plane ${i} is not a unit`);
    const axial = normal.indexOf(1);
    const isAxial = axial >= 0 && normal.every((component, k) => k === axial || component === 0);
    check(axis === (isAxial ? axial : NOT_AXIAL), `plane ${i} has another axis`);
    const isOnGrid = Math.abs(dist) < MAX_DIST && Number.isInteger(dist / DIST_UNIT);
    check(isOnGrid, `the distance of plane ${i} is not on the grid`);
    normals.set(normal, 3 * i);
    dists[i] = dist;
    axes[i] = axis;
  }
  return { normals, dists, axes };
}

/** Planes with marks, and children (front, back). */
function readNodes(chunk) {
  const planes = new Uint32Array(chunk.count);
  const children = new Uint32Array(2 * chunk.count);
  for (let i = 0; i < chunk.count; i++) {
    planes[i] = chunk.u32(i, 24);
    children[2 * i] = chunk.u32(i, 16);
    children[2 * i + 1] = chunk.u32(i, 20);
  }
  return { planes, children };
}

/** Solidity, two numbers of 32 bits for each leaf. */
function readLeaves(chunk) {
  const leaves = new Uint32Array(2 * chunk.count);
  for (let i = 0; i < chunk.count; i++) {
    leaves[2 * i] = chunk.u32(i, 0);
    leaves[2 * i + 1] = chunk.u32(i, 4);
  }
  return leaves;
}

/** Proves that the trees are trees with true records, and returns the depth of the deepest. */
function checkTrees(tables, chunk) {
  const { roots, groups, children, leaves } = tables;
  let [nodes, leavesMet, deepest] = [0, 0, 0];
  roots.forEach((root, tree) => {
    const group = groups[tree % groups.length];
    const known = group[0] & 0xff;
    // What is still to be met, and what its node knows of it.
    const pending = [{ child: root, depth: 0, resolved: 0, solid: 0 }];
    while (pending.length > 0) {
      const { child, depth, resolved, solid } = pending.pop();
      if (child >= LEAF_BIT) {
        const leaf = child - LEAF_BIT;
        check(leaf === leavesMet && 2 * leaf < leaves.length, `leaf ${leaf} is not in its place`);
        leavesMet += 1;
        const low = leaves[2 * leaf];
        const foreign = (low & ~group[0]) | (leaves[2 * leaf + 1] & ~group[1]);
        check(foreign === 0, `leaf ${leaf} is solid for a hull that is not of its tree`);
        const isKnown = depth === 0 || (resolved === known && solid === (low & known));
        check(isKnown, `leaf ${leaf} is not as its node knows`);
        continue;
      }
      check(child === nodes && 2 * child < children.length, `node ${child} is not in its place`);
      check(depth < MAX_DEPTH, `a tree is deeper than ${MAX_DEPTH} nodes`);
      nodes += 1;
      deepest = Math.max(deepest, depth + 1);
      checkNode(tables, chunk, child);
      for (const side of [1, 0]) {
        const next = { child: children[2 * child + side], depth: depth + 1, resolved: 0, solid: 0 };
        next.resolved = chunk.u8(child, 28 + side);
        next.solid = chunk.u8(child, 30 + side);
        check((next.resolved & ~known) === 0, `node ${child} knows of hulls that are not of its tree`);
        check((next.solid & ~next.resolved) === 0, `node ${child} has solid what is not resolved`);
        const same = (next.resolved & resolved) === resolved && (next.solid & resolved) === solid;
        check(same, `node ${child} does not know what the node above it knows`);
        pending.push(next);
      }
    }
  });
  check(2 * nodes === children.length, `${children.length / 2 - nodes} nodes are in no tree`);
  check(2 * leavesMet === leaves.length, `${leaves.length / 2 - leavesMet} leaves are in no tree`);
  return deepest;
}

/** Checks that a node's plane is one of the table, and what it has of that plane itself. */
function checkNode({ planes, normals, dists }, chunk, node) {
  const plane = planes[node] & PLANE_BITS;
  check(plane < dists.length, `node ${node} has a plane that is not there`);
  const same =
    [0, 1, 2].every((k) => Object.is(chunk.f32(node, 4 * k), Math.fround(normals[3 * plane + k]))) &&
    Object.is(chunk.f32(node, 12), Math.fround(dists[plane]));
  check(same, `node ${node} has another plane than its number says`);
}

// ---- The map ----

/** A map that was checked. Made by `load`. */
class OnionMap {
  /** @type {Hull[]} */ hulls;
  /** @type {Model[]} */ models;
  /** @type {string} Name and version of the compiler. */ compiler;
  /** @type {string[]} The options of the compile but for the hulls, as command-line arguments. */ options;
  #tables;

  constructor(hulls, models, [compiler, ...options], tables) {
    this.hulls = hulls;
    this.models = models;
    this.compiler = compiler;
    this.options = options;
    this.#tables = tables;
  }

  /**
   * The number of a hull.
   * @param {string} name
   * @returns {number | undefined}
   */
  hull(name) {
    const hull = this.hulls.findIndex((candidate) => candidate.name === name);
    return hull < 0 ? undefined : hull;
  }

  /**
   * Moves a hull's origin from start to end, as far as nothing solid is in the way.
   * @param {number} hull
   * @param {ArrayLike<number>} start
   * @param {ArrayLike<number>} end
   * @param {{skin?: number, model?: number}} [options] Distance to keep from what is hit, in units (1/32);
   *   and the model to trace in, in its own space (0, the world).
   * @returns {Trace}
   * @throws {RangeError} There is no such hull or model.
   */
  trace(hull, start, end, { skin = DEFAULT_SKIN, model = 0 } = {}) {
    return trace(this.#segment(hull, model, start, end), skin);
  }

  /**
   * Whether a hull's origin cannot be at a point. What only touches solid is not in it.
   * @param {number} hull
   * @param {ArrayLike<number>} point
   * @param {{model?: number}} [options] The model to look in, in its own space.
   * @returns {boolean}
   * @throws {RangeError} There is no such hull or model.
   */
  isSolid(hull, point, { model = 0 } = {}) {
    const segment = this.#segment(hull, model, point, point);
    return isSolid(segment, segment.a);
  }

  /**
   * For which hulls a point is solid.
   * @param {ArrayLike<number>} point
   * @param {{model?: number}} [options] The model to look in, in its own space.
   * @returns {bigint} Bit `h` is set if it is solid for hull `h`.
   * @throws {RangeError} There is no such model.
   */
  solidity(point, options) {
    const bits = this.hulls.map((_, hull) => (this.isSolid(hull, point, options) ? 1n << BigInt(hull) : 0n));
    return bits.reduce((all, bit) => all | bit);
  }

  /** What a query is about: the tree of a hull and a segment with ends `a` and `b`. */
  #segment(hull, model, start, end) {
    checkNumber("hull", hull, this.hulls.length);
    checkNumber("model", model, this.models.length);
    const { roots, groups } = this.#tables;
    const group = groups.findIndex((bits) => hasHull(bits, 0, hull));
    const a = [+start[0], +start[1], +start[2]];
    const b = [+end[0], +end[1], +end[2]];
    const largest = Math.max(...a.map((start, k) => Math.abs(b[k] - start)));
    return { tables: this.#tables, root: roots[model * groups.length + group], hull, a, b, slack: GRAZE / largest };
  }
}

function checkNumber(what, number, count) {
  if (Number.isInteger(number) && number >= 0 && number < count) return;
  throw new RangeError(`${what} ${number}: the file has ${what}s 0 to ${count - 1}`);
}

/** Whether a set of hulls, number `index` in an array of such sets, has a hull. */
function hasHull(sets, index, hull) {
  return ((sets[2 * index + (hull >> 5)] >>> (hull & 31)) & 1) === 1;
}

// ---- Points ----

function isInDomain(point) {
  return point.every((x) => Math.abs(x) <= DOMAIN);
}

/** The distance of a point from a plane, above 0 in front. */
function distance({ normals, dists, axes }, plane, p) {
  const axis = axes[plane];
  if (axis < NOT_AXIAL) return p[axis] - dists[plane];
  return normals[3 * plane] * p[0] + normals[3 * plane + 1] * p[1] + normals[3 * plane + 2] * p[2] - dists[plane];
}

/** Whether all leaves that touch a point are solid. */
function isSolid({ tables, root, hull }, point) {
  if (!isInDomain(point)) return true;
  const pending = [root];
  while (pending.length > 0) {
    const child = pending.pop();
    if (child >= LEAF_BIT) {
      if (!hasHull(tables.leaves, child - LEAF_BIT, hull)) return false;
      continue;
    }
    const d = distance(tables, tables.planes[child] & PLANE_BITS, point);
    if (!(d > ON)) pending.push(tables.children[2 * child + 1]);
    if (!(d < -ON)) pending.push(tables.children[2 * child]);
  }
  return true;
}

// ---- Visits ----

/** The point at fraction `t` of a segment. */
function pos(a, b, t) {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

const everywhere = () => true;

/**
 * Visits leaves of a segment's tree. A side is a child with the closed stretch `from` to `to` of the segment,
 * the plane through which it was entered (-1: none), and that plane's mark.
 *
 * @param segment What `OnionMap` makes.
 * @param {boolean} inOrder Whether to give up where the segment lies in a plane.
 * @param {(from: number, to: number) => boolean} isInWindow Asked for each side when its turn comes.
 * @param {(side, isSolid: boolean) => boolean | void} visitLeaf Returns whether the visits end here.
 * @returns {boolean} Whether the visits did not give up.
 */
function visit({ tables, root, hull, a, b, slack }, inOrder, isInWindow, visitLeaf) {
  const { planes, children, leaves } = tables;
  const pending = [{ child: root, from: 0, to: 1, plane: -1, mark: false }];
  while (pending.length > 0) {
    const side = pending.pop();
    if (!isInWindow(side.from, side.to)) continue;
    const node = side.child;
    if (node >= LEAF_BIT) {
      if (visitLeaf(side, hasHull(leaves, node - LEAF_BIT, hull))) return true;
      continue;
    }
    const plane = planes[node] & PLANE_BITS;
    const front = children[2 * node];
    const back = children[2 * node + 1];
    const d0 = distance(tables, plane, a);
    const d1 = distance(tables, plane, b);
    const isStartOn = d0 <= ON && d0 >= -ON;
    const isEndOn = d1 <= ON && d1 >= -ON;
    // A side goes on with a child in place of its node, or is split in two, the nearer one to be visited first.
    if (d0 > ON && d1 > ON) {
      side.child = front;
    } else if (d0 < -ON && d1 < -ON) {
      side.child = back;
    } else if (isStartOn && isEndOn) {
      if (inOrder) return false;
      pending.push({ ...side, child: back });
      side.child = front;
    } else {
      const isFromFront = isStartOn ? d1 < 0 : d0 > 0;
      const near = isFromFront ? front : back;
      const far = isFromFront ? back : front;
      const crossing = isStartOn ? 0 : isEndOn ? 1 : Math.min(d0 / (d0 - d1), BELOW_ONE);
      side.child = crossing < side.from - slack ? far : near;
      if (crossing >= side.from - slack && crossing <= side.to + slack) {
        const t = Math.min(Math.max(crossing, side.from), side.to);
        const mark = (planes[node] & (isFromFront ? FACE_TO_FRONT : FACE_TO_BACK)) !== 0;
        pending.push({ child: far, from: t, to: side.to, plane, mark });
        side.to = t;
      }
    }
    pending.push(side);
  }
  return true;
}

/** Whether a stretch is only touched. */
function grazes({ slack }, from, to) {
  return to < 1 && to - from <= slack;
}

// ---- Walks ----

/**
 * Finds `empty`, where the segment first is not solid, and `solid`, the first entry after that (fraction and
 * plane, -1 for none). Both may be missing.
 */
function walk(segment) {
  let [empty, solid, entry] = [undefined, undefined, undefined];
  let covered = 0;
  const isDone = visit(segment, true, everywhere, ({ from, to, plane, mark }, isSolid) => {
    if (!isSolid) {
      if (empty === undefined) {
        if (from !== 0 && grazes(segment, from, to)) return false;
        empty = from;
      }
      if (to > covered) {
        covered = to;
        entry = undefined;
      }
      return false;
    }
    if (empty === undefined) return false;
    if (!entry) {
      const fraction = Math.max(from, covered);
      entry = { fraction, plane, isSure: to > fraction && plane >= 0 && mark };
    }
    if (!(to > entry.fraction) || grazes(segment, entry.fraction, to)) return false;
    solid = entry;
    return true;
  });
  if (!isDone) return walkInPlane(segment);
  if (solid && !solid.isSure) solid.plane = entryAt(segment, solid.fraction);
  return { empty, solid };
}

/** The same for a segment that lies in a plane of the tree, whose leaves are in no order. */
function walkInPlane(segment) {
  let empty;
  visit(segment, false, everywhere, ({ from, to }, isSolid) => {
    if (isSolid || (from !== 0 && grazes(segment, from, to))) return;
    if (empty === undefined || from < empty) empty = from;
  });
  if (empty === undefined) return {};
  let covered = empty;
  let isFurther = true;
  const isNext = (from, to) => to > covered && from <= covered + segment.slack;
  while (isFurther) {
    isFurther = false;
    visit(segment, false, isNext, ({ from, to }, isSolid) => {
      if (isSolid || (from > covered && grazes(segment, from, to))) return;
      covered = to;
      isFurther = true;
    });
  }
  if (!(covered < 1)) return { empty };
  return { empty, solid: { fraction: covered, plane: entryAt(segment, covered) } };
}

/** The plane through which a segment enters solid at a fraction, -1 for none. */
function entryAt(segment, fraction) {
  const { a, b, slack } = segment;
  const place = pos(a, b, fraction);
  let best = { plane: -1, rank: [] };
  const isNear = (from, to) => from <= fraction + slack && to >= fraction - slack;
  visit(segment, false, isNear, ({ from, plane, mark }, isSolid) => {
    const apart = Math.abs(from - fraction);
    if (!isSolid || plane < 0 || !(apart <= slack)) return;
    const [wide, close] = [WIDE, CLOSE].map((reach) => (mark ? countFaces(segment, place, plane, reach) : 0));
    const rank = [wide, close, Number(apart <= SAME), Number(mark)];
    if (best.plane < 0 || isHigher(rank, best.rank)) best = { plane, rank };
  });
  return best.plane;
}

function isHigher(rank, other) {
  const first = rank.findIndex((number, i) => number !== other[i]);
  return first >= 0 && rank[first] > other[first];
}

/** In how many of eight directions around a place a plane has solid behind it, and none before it. */
function countFaces(segment, place, plane, { ahead, around }) {
  const { tables, a, b } = segment;
  const n = tables.normals.subarray(3 * plane, 3 * plane + 3);
  const s = distance(tables, plane, a) >= distance(tables, plane, b) ? ahead : -ahead;
  const u = Math.abs(n[0]) < 0.5 ? [0, n[2], -n[1]] : [-n[2], 0, n[0]];
  const v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
  const isFace = ([x, y]) => {
    const point = (h) => place.map((q, k) => q + (u[k] * x + v[k] * y) * around + n[k] * h);
    return isSolid(segment, point(-s)) && !isSolid(segment, point(s));
  };
  return AROUND.filter(isFace).length;
}

// ---- Traces ----

/** @returns {Trace} */
function trace(segment, skin) {
  const { a, b } = segment;
  const { empty, solid } = isInDomain(a) && isInDomain(b) ? walk(segment) : {};
  if (empty === undefined) {
    return { fraction: 0, hitFraction: 1, end: a, plane: null, startSolid: true, allSolid: true };
  }
  const startSolid = empty > 0;
  const found = { startSolid, allSolid: false };
  if (!solid) return { fraction: 1, hitFraction: 1, end: b, plane: null, ...found };
  let [plane, wanted] = [null, solid.fraction];
  if (solid.plane >= 0) {
    const { approach, ...met } = planeMet(segment, solid.plane);
    plane = met;
    const backedOff = solid.fraction - (skin > 0 ? skin : 0) / approach;
    wanted = backedOff > empty ? backedOff : empty;
  }
  const [fraction, end] = startSolid ? [wanted, pos(a, b, wanted)] : backOff(segment, wanted);
  return { fraction, hitFraction: solid.fraction, end, plane, ...found };
}

/** A plane turned against a segment, and how far the segment approaches it. */
function planeMet({ tables, a, b }, plane) {
  const normal = [...tables.normals.subarray(3 * plane, 3 * plane + 3)];
  const dist = tables.dists[plane];
  const d0 = distance(tables, plane, a);
  const d1 = distance(tables, plane, b);
  if (d0 >= d1) return { normal, dist, approach: d0 - d1 };
  return { normal: normal.map((x) => 0 - x), dist: 0 - dist, approach: d1 - d0 };
}

/** The first fraction from `wanted` down whose end is not solid, and that end. */
function backOff(segment, wanted) {
  const { a, b } = segment;
  for (let k = 0; k <= BACK_OFFS; k++) {
    const fraction = k === 0 ? wanted : wanted - (wanted * 2 ** k) / BACK_OFF_UNIT;
    if (!(fraction > 0)) break;
    const end = pos(a, b, fraction);
    if (!isSolid(segment, end)) return [fraction, end];
  }
  return [0, a];
}
