// The records of a file as tables: a chunk's bytes in; checked hulls, models and groups out, and the planes, nodes
// and leaves of the trees in typed arrays. All sizes, bits and limits are those of format-spec/FORMAT.md.

import { NORMAL_LENGTH_ERROR } from "./tolerance.mjs";

/** The key under which a model has its tables, its map and its margin, for the modules of this folder. */
export const PARTS = Symbol("parts");

/** Returns a world as agents find it: the movers of a scene stand still where their ways end. */
export const atRest = (world) => world[PARTS]?.after?.(1) ?? world;

/** Maximum number of hulls of a file. */
export const MAX_HULLS = 64;
/** Maximum number of hulls that share a tree. */
const MAX_GROUP = 8;
/** Maximum number of nodes on a path. */
export const MAX_DEPTH = 256;
/** Maximum coordinate of a hull's corners, in units from the origin. */
const MAX_HULL_EXTENT = 4096;
/** Maximum number of pairs of opposite sides of a hull that is a prism. */
const MAX_PRISM_SIDES = 16;
/** Steps of a hull's coordinates per unit. */
const HULL_STEPS = 2 ** 11;
/** Bit 31 of a child: the rest is the number of a leaf. */
export const LEAF_BIT = 0x80000000;
/** Flags in a node's `back`: whether its front and its back child are leaves. */
const FRONT_IS_LEAF = 0x80000000;
const BACK_IS_LEAF = 0x40000000;
/** Bits of a node's `plane`: its number, and the sides to which some brush has a face. */
export const PLANE_BITS = 0x3fffffff;
export const FACE_TO_FRONT = 0x40000000;
export const FACE_TO_BACK = 0x80000000;
const NO_ENTITY = 0xffffffff;
/** `axis` of a plane that is not axial. */
export const NOT_AXIAL = 3;
/** Unit of a plane's normal, as stored. */
export const NORMAL_UNIT = 2 ** -30;
/** Distances of planes are multiples of the first and below the second, in units. */
const DIST_UNIT = 2 ** -36;
export const MAX_DIST = 2 ** 17;

/**
 * @typedef {[number, number, number]} Vec3 In units of the game map.
 *
 * @typedef {object} HullRecord A box or a prism that is traced as a point.
 * @property {string} name
 * @property {Vec3} mins Lower corner, relative to the origin.
 * @property {Vec3} maxs Upper corner.
 * @property {[number, number][]} sides Half of each side of an upright prism, one for each pair of opposite sides,
 *   counterclockwise; empty for a box.
 * @property {number} contents Contents bits that block it, see `CONTENTS`.
 * @property {boolean} filled Whether space that it cannot reach is solid.
 *
 * @typedef {object} ModelRecord A model of the map. Number 0 is the world.
 * @property {number | null} entity Number of the entity that shows it; null if no entity does.
 * @property {Vec3} mins Lower corner of its brushes and patches, in its own space.
 * @property {Vec3} maxs Upper corner.
 * @property {Vec3} origin The place where that entity puts its origin.
 */

export function check(holds, message) {
  if (!holds) throw new Error(message);
}

/** Whether the set at `index`, in an array of sets of hulls, contains a hull. */
export function hasHull(sets, index, hull) {
  return ((sets[2 * index + (hull >> 5)] >>> (hull & 31)) & 1) === 1;
}

/** Returns the hulls of a set, in order. */
export function hullsOf(set) {
  return Array.from({ length: MAX_HULLS }, (_, hull) => hull).filter((hull) => hasHull(set, 0, hull));
}

/** The records of a chunk: numbers by record and offset in it. */
export class Chunk {
  constructor(view, start, size, count) {
    Object.assign(this, { view, start, size, count });
  }

  at(record, offset) {
    return this.start + record * this.size + offset;
  }

  u8(record, offset) {
    return this.view.getUint8(this.at(record, offset));
  }

  u16(record, offset) {
    return this.view.getUint16(this.at(record, offset), true);
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

  /** Returns the bytes of all records. */
  all() {
    return this.bytes(0, 0, this.count * this.size);
  }

  bytes(record, offset, length) {
    return new Uint8Array(this.view.buffer, this.view.byteOffset + this.at(record, offset), length);
  }
}

export function readInfo(chunk) {
  check(chunk.count === 1, "INFO has exactly one record");
  check(chunk.u32(0, 8) <= MAX_DEPTH, `INFO tells of trees deeper than ${MAX_DEPTH} nodes`);
  const patchError = chunk.f32(0, 12);
  check(patchError > 0 && Number.isFinite(patchError), "the patch error in INFO is not above 0");
}

/** @returns {string[]} The compiler, then the arguments of the compile. */
export function readOptions(chunk) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(chunk.all()).split("\n");
  } catch {
    throw new Error("OPTS is not UTF-8");
  }
}

/** @returns {Map<string, string>[]} The values of each entity's keys; of equal keys the first counts. */
export function readEntities(chunk, textChunk) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    text.decode(textChunk.all());
  } catch {
    throw new Error("TEXT is not UTF-8");
  }
  const { count } = chunk;
  const ends = Array.from({ length: count + 1 }, (_, i) => (i < count ? chunk.u32(i, 0) : textChunk.count));
  check(ends[0] === 0, "the text of the first entity is not at the beginning");
  return Array.from({ length: count }, (_, i) => {
    const isThere = ends[i] <= ends[i + 1] && ends[i + 1] <= textChunk.count;
    check(isThere, `entity ${i} ends before it begins, or after all text`);
    const strings = text.decode(textChunk.bytes(ends[i], 0, ends[i + 1] - ends[i])).split("\0");
    check(strings.pop() === "" && strings.length % 2 === 0, `entity ${i} is not made of keys and values`);
    const pairs = strings.filter((_, k) => k % 2 === 0).map((key, k) => [key, strings[2 * k + 1]]);
    const entity = new Map();
    for (const [key, value] of pairs) if (!entity.has(key)) entity.set(key, value);
    return entity;
  });
}

/** @returns {HullRecord[]} */
export function readHulls(chunk, prisms) {
  const { count } = chunk;
  check(count >= 1 && count <= MAX_HULLS, `${count} hulls; there are 1 to ${MAX_HULLS}`);
  const sides = readSides(prisms, count);
  const names = new Set();
  return Array.from({ length: count }, (_, i) => {
    const name = readName(chunk.bytes(i, 0, 32), `hull ${i}`);
    check(!names.has(name), `two hulls have the name ${name}`);
    names.add(name);
    const [mins, maxs] = [chunk.vec3(i, 32), chunk.vec3(i, 44)];
    const isBox = mins.every(
      (min, k) => min >= -MAX_HULL_EXTENT && min <= maxs[k] && maxs[k] <= MAX_HULL_EXTENT,
    ) && [...mins, ...maxs].every((corner) => Number.isInteger(corner * HULL_STEPS));
    check(isBox, `hull ${name} has no box on the grid of corners within ${MAX_HULL_EXTENT} units of its origin`);
    const flags = chunk.u32(i, 60);
    check(flags <= 1, `hull ${name} has unknown flags`);
    const isSize = sides[i].length === 0 || isPrism(sides[i], maxs.map((high, k) => high - mins[k]));
    check(isSize, `hull ${name} has sides that are not those of its box`);
    return { name, mins, maxs, sides: sides[i], contents: chunk.u32(i, 56), filled: flags === 1 };
  });
}

/** Reads the sides of the hulls that are prisms, for each hull. */
function readSides(chunk, nHulls) {
  const sides = Array.from({ length: nHulls }, () => []);
  let before = 0;
  for (let record = 0; record < (chunk?.count ?? 0); record++) {
    const hull = chunk.u32(record, 0);
    const half = [chunk.f32(record, 4), chunk.f32(record, 8)];
    check(hull < nHulls && hull >= before, `side ${record} of the prisms is of no hull, or not in the order of hulls`);
    const last = sides[hull].at(-1);
    const isGrid = half.every((at) => Number.isInteger(at * HULL_STEPS));
    const isUpper = half[1] > 0 || (half[1] === 0 && half[0] > 0);
    const isNext = !last || last[0] * half[1] > last[1] * half[0];
    check(isGrid && isUpper && isNext, `side ${record} of the prisms is not a side of a convex base`);
    sides[hull].push(half);
    before = hull;
  }
  return sides;
}

/** Whether sides are those of a prism with a box of a size around it. */
function isPrism(sides, size) {
  const isExtent = (k) => 2 * sides.reduce((sum, half) => sum + Math.abs(half[k]), 0) === size[k];
  return sides.length >= 2 && sides.length <= MAX_PRISM_SIDES && isExtent(0) && isExtent(1) && size[2] > 0;
}

/** Reads the name of something, in UTF-8 without control characters, padded with zero bytes. */
export function readName(bytes, owner) {
  const end = bytes.indexOf(0);
  const length = end < 0 ? bytes.length : end;
  check(length > 0, `${owner} has no name`);
  check(bytes.subarray(length).every((byte) => byte === 0), `${owner} has a name that goes on after its end`);
  let name;
  try {
    name = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length));
  } catch {
    throw new Error(`${owner} has a name that is not UTF-8`);
  }
  check(!/\p{Cc}/u.test(name), `${owner} has a name with control characters`);
  return name;
}

/** Reads sets of hulls as pairs of 32-bit integers, the low ones first. */
export function readGroups(chunk, hulls) {
  const all = [hulls >= 32 ? 0xffffffff : 2 ** hulls - 1, hulls > 32 ? 2 ** (hulls - 32) - 1 : 0];
  const groups = Array.from({ length: chunk.count }, (_, i) => [chunk.u32(i, 0), chunk.u32(i, 4)]);
  let [low, high] = [0, 0];
  groups.forEach((group, i) => {
    const own = hullsOf(group);
    check(own.length >= 1 && own.length <= MAX_GROUP, `group ${i} has ${own.length} hulls`);
    check((group[0] & low) === 0 && (group[1] & high) === 0, `a hull of group ${i} is in another one too`);
    check(i === 0 || hullsOf(groups[i - 1])[0] < own[0], `group ${i} is not in its place`);
    low = (low | group[0]) >>> 0;
    high = (high | group[1]) >>> 0;
  });
  check(low === all[0] && high === all[1], "the groups are not those of all hulls");
  return groups;
}

/** Reads the models, and the roots of the trees by model and group. */
export function readModels(chunk, rootChunk, groups) {
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

/** Reads unit normals (3 numbers for each plane), distances and axes. */
export function readPlanes(chunk) {
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
    check(Math.abs(square - 1) <= 2 * NORMAL_LENGTH_ERROR, `the normal of plane ${i} is not a unit`);
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

/** Reads planes with marks, and children (front, back), with leaves numbered as in FORMAT.md. */
export function readNodes(chunk) {
  const planes = new Uint32Array(chunk.count);
  const children = new Uint32Array(2 * chunk.count);
  for (let i = 0; i < chunk.count; i++) {
    planes[i] = chunk.u32(i, 12);
    const back = chunk.u32(i, 24);
    const number = (back & ~(FRONT_IS_LEAF | BACK_IS_LEAF)) >>> 0;
    const backIsLeaf = (back & BACK_IS_LEAF) !== 0;
    check(!backIsLeaf || number === 0, `node ${i} has a leaf and a node behind it`);
    children[2 * i] = (back & FRONT_IS_LEAF) !== 0 ? LEAF_BIT + 2 * i : i + 1;
    children[2 * i + 1] = backIsLeaf ? LEAF_BIT + 2 * i + 1 : number;
  }
  return { planes, children };
}
