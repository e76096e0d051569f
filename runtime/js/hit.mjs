// Hits: finds the brush, side and surface whose face, moved outward by the hull, stopped the trace. The nodes of a
// tree store the sides with faces in their planes and cells. At the border of a cell, and where several planes meet,
// probes around the hit decide between the sides, as format-spec/FORMAT.md specifies.

import { BEVEL_BIT, CHOICE_BIT, NOTHING, NUMBER_BITS, TEST } from "./brushes.mjs";
import { LEAF_BIT, PLANE_BITS } from "./tables.mjs";
import { NEAR, ON_PLANE, PLACE_ROUNDING, PROBES } from "./tolerance.mjs";
import { distance, isSolid, pos, ring } from "./trace.mjs";
import { dot, opposite } from "./vector.mjs";

/** Integers per unit: of a plane's normal, of a hull's corners, of a plane's distance. */
const NORMAL_ONE = 2 ** 30;
const HULL_ONE = 2 ** 11;
const DIST_ONE = 2 ** 36;
/** The product of the first two has 2^5 times more steps per unit than the last one. */
const STEP_BITS = 5n;

const normalOf = ({ normals }, plane) => [...normals.subarray(3 * plane, 3 * plane + 3)];
/** Returns the number of the side or choice that a hit names. */
const numberOf = (hit) => hit & NUMBER_BITS;

/**
 * Finds the brush and side that a trace met.
 *
 * @param segment The result of `segmentIn` for the trace.
 * @param {import("./tables.mjs").HullRecord} hull The hull that was traced.
 * @param {import("./onion.mjs").Trace} trace Its answer, with a plane.
 * @returns {import("./onion.mjs").Hit | null}
 */
export function findHit(segment, hull, trace) {
  const { tables, a, b } = segment;
  if (!(trace.plane.number < tables.dists.length)) return null;
  const at = pos(a, b, trace.hitFraction);
  const longest = Math.max(...a.map((start, k) => Math.abs(b[k] - start)));
  const search = { segment, hull, normal: trace.plane.normal };
  const face = faceAt(search, trace.plane.number, at, NEAR + longest * PLACE_ROUNDING);
  return face && describe(tables, hull, face);
}

/** Returns the hit on a face. */
function describe(tables, hull, { hit, plane, looksFront }) {
  const { surfaces, brushes, sides } = tables;
  const side = sides[numberOf(hit)];
  const { firstSide, ...brush } = brushes[brushOf(brushes, numberOf(hit))];
  const found = { number: side.number, isBevel: (hit & BEVEL_BIT) !== 0, ...movedBack(tables, plane, looksFront, hull) };
  return { brush, side: { ...found, surface: surfaces[side.surface] } };
}

/** Returns the number in the file of the brush that has a side. */
function brushOf(brushes, side) {
  let [low, high] = [0, brushes.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (brushes[middle].firstSide <= side) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the plane of a side, facing outward: the plane of a node moved back by the hull's support. */
function movedBack(tables, plane, looksFront, { mins, maxs, sides }) {
  const normal = normalOf(tables, plane);
  const outward = looksFront ? 1n : -1n;
  const grid = (units) => BigInt(Math.trunc(units * HULL_ONE));
  const whole = normal.map((component) => -outward * BigInt(component * NORMAL_ONE));
  const reach = whole.reduce((sum, component, k) => {
    const [low, high] = [mins[k], maxs[k]].map((corner) => component * grid(corner));
    // A prism reaches from its center as far as the halves of its sides do.
    if (sides.length > 0 && k < 2) return sum + (low + high) / 2n;
    return sum + (low > high ? low : high);
  }, 0n) + sides.reduce((sum, [x, y]) => {
    const along = whole[0] * grid(x) + whole[1] * grid(y);
    return sum + (along < 0n ? -along : along);
  }, 0n);
  // Rounded up to the grid of distances, as the compiler does it.
  const support = -(-reach >> STEP_BITS);
  const dist = outward * BigInt(tables.dists[plane] * DIST_ONE) - support;
  return { normal: looksFront ? normal : opposite(normal), dist: Number(dist) / DIST_ONE };
}

// ---- Faces: `{ hit, plane, looksFront, isSure }`; `isSure` if no other face is as near ----

/** Returns the face at a place where a plane was hit. The place counts as on both sides of planes within `near`. */
function faceAt(search, plane, at, near) {
  const there = faceIn(search, plane, at, near);
  if (there?.isSure) return there;
  // Where several planes are crossed at once, a trace may name one that has no face there.
  return faceAround(search, plane, at)?.face ?? faceInAny(search, at, near) ?? there;
}

/** Returns the one of two faces whose side has the lower number. */
function first(found, next) {
  return found && numberOf(found.hit) <= numberOf(next.hit) ? found : next;
}

/** Returns the face in a plane at a place; of several candidates, the one of the lowest-numbered side. */
function faceIn(search, plane, at, near) {
  let found = null;
  visit(search.segment, at, near, (node, own) => {
    if (own !== plane) return false;
    const next = faceOf(search, node, plane, at, near);
    if (next) {
      const isSame = !found || (found.isSure && found.hit === next.hit);
      found = { ...first(found, next), isSure: next.isSure && isSame };
    }
    return true; // Below this node, its plane bounds all cells.
  });
  return found;
}

/** Returns the first face in a plane that probes around a place find, and how many find any: `{ count, face }`. */
function faceAround(search, plane, at) {
  const { segment } = search;
  const normal = normalOf(segment.tables, plane);
  const outward = dot(normal, search.normal) > 0 ? normal : opposite(normal);
  const isSolidAt = (place, ahead) => isSolid(segment, place.map((x, k) => x + outward[k] * ahead));
  for (const { ahead, around } of [...PROBES].reverse()) {
    let best = null;
    for (const place of ring(at, normal, around)) {
      if (!isSolidAt(place, -ahead) || isSolidAt(place, ahead)) continue;
      const face = faceIn(search, plane, place, ON_PLANE);
      if (face) best = { count: (best?.count ?? 0) + 1, face: first(best?.face, face) };
    }
    if (best) return best;
  }
  return null;
}

/** Returns the face in any plane at a place: in the plane with a face at the most probes. */
function faceInAny(search, at, near) {
  let best = null;
  visit(search.segment, at, near, (_, plane) => {
    if (!(Math.abs(distance(search.segment.tables, plane, at)) <= near)) return false;
    const next = faceAround(search, plane, at);
    const isBetter =
      next && (!best || next.count > best.count ||
        (next.count === best.count && numberOf(next.face.hit) < numberOf(best.face.hit)));
    if (isBetter) best = next;
    return false;
  });
  return best?.face;
}

/** Visits nodes whose cells contain a place or are within `near`, and their planes; skips all below if `ends` is
 * true. */
function visit({ tables, root }, place, near, ends) {
  const pending = [root];
  while (pending.length > 0) {
    const child = pending.pop();
    if (child >= LEAF_BIT) continue;
    const plane = tables.planes[child] & PLANE_BITS;
    if (ends(child, plane)) continue;
    const ahead = distance(tables, plane, place);
    if (!(ahead > near)) pending.push(tables.children[2 * child + 1]);
    if (ahead >= -near) pending.push(tables.children[2 * child]);
  }
}

/** Returns the face in the plane of a node at a place, or null if no brush that blocks the hull has one there. */
function faceOf({ segment, hull, normal }, node, plane, at, near) {
  const { tables } = segment;
  const looksFront = dot(normalOf(tables, plane), normal) > 0;
  let hit = tables.hits[node];
  let isSure = true;
  // A choice has a higher number than the choices that it leads to.
  while (hit !== NOTHING && hit >= CHOICE_BIT) {
    const [test, ...two] = tables.choices.subarray(3 * numberOf(hit), 3 * numberOf(hit) + 3);
    const kind = (test & ~NUMBER_BITS) >>> 0;
    const ahead = kind === TEST.PLANE ? distance(tables, test, at) : 0;
    if (kind === TEST.PLANE) isSure &&= Math.abs(ahead) > near;
    const isFirst = { [TEST.PLANE]: ahead >= 0, [TEST.HULL]: segment.hull < numberOf(test), [TEST.LOOK]: looksFront };
    hit = two[isFirst[kind] ? 0 : 1];
  }
  if (hit === NOTHING) return null;
  const { contents } = tables.brushes[brushOf(tables.brushes, numberOf(hit))];
  return (contents & hull.contents) !== 0 ? { hit, plane, looksFront, isSure } : null;
}
