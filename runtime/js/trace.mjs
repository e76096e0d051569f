// Points and traces in one tree: a hull, a model and two points in, as `segmentIn` combines them; whether a place is
// solid, or the end of a trace out. Names and the order of all arithmetic are those of format-spec/FORMAT.md.

import { FACE_TO_BACK, FACE_TO_FRONT, LEAF_BIT, NOT_AXIAL, PLANE_BITS, hasHull } from "./tables.mjs";
import { BELOW_ONE, GRAZE, ON_PLANE, PROBES, SAME_CROSSING } from "./tolerance.mjs";

/** Largest coordinate in the domain, in units. */
const DOMAIN = 2 ** 30;
/** Eight directions around a place. */
const AROUND = [[0.936, 0.352], [0.413, 0.911], [-0.352, 0.936], [-0.911, 0.413]].flatMap(
  ([x, y]) => [[x, y], [-x, -y]],
);
/** A hit is backed off by up to 2^11 / 2^12 of its fraction. */
const BACK_OFFS = 11;
const BACK_OFF_UNIT = 2 ** 12;

/** Returns the parameters of a query: the tree of a hull in a model, and a segment with ends `a` and `b`. */
export function segmentIn(tables, model, hull, start, end) {
  const { roots, groups } = tables;
  const group = groups.findIndex((bits) => hasHull(bits, 0, hull));
  const [a, b] = [toPoint(start), toPoint(end)];
  const largest = Math.max(...a.map((start, k) => Math.abs(b[k] - start)));
  return { tables, root: roots[model * groups.length + group], hull, a, b, slack: GRAZE / largest };
}

// ---- Points ----

/** Returns a copy of a point, from three numbers in an array or an array-like object. */
export function toPoint(point) {
  const isNumber = (k) => typeof point[k] === "number";
  const isPoint = typeof point === "object" && point?.length === 3 && isNumber(0) && isNumber(1) && isNumber(2);
  if (!isPoint) throw new TypeError(`${point} is not a point: give three numbers, such as [0, 0, 24]`);
  return [point[0], point[1], point[2]];
}

/** Whether a point is finite and within the domain of queries. */
export function isInDomain(point) {
  return point.every((x) => Math.abs(x) <= DOMAIN);
}

/** Returns the distance of a point from a plane, positive in front. */
export function distance({ normals, dists, axes }, plane, p) {
  const axis = axes[plane];
  if (axis < NOT_AXIAL) return p[axis] - dists[plane];
  return normals[3 * plane] * p[0] + normals[3 * plane + 1] * p[1] + normals[3 * plane + 2] * p[2] - dists[plane];
}

/** Whether all leaves that touch a point are solid. */
export function isSolid({ tables, root, hull }, point) {
  if (!isInDomain(point)) return true;
  const pending = [root];
  while (pending.length > 0) {
    const child = pending.pop();
    if (child >= LEAF_BIT) {
      if (!hasHull(tables.leaves, child - LEAF_BIT, hull)) return false;
      continue;
    }
    const d = distance(tables, tables.planes[child] & PLANE_BITS, point);
    if (!(d > ON_PLANE)) pending.push(tables.children[2 * child + 1]);
    if (!(d < -ON_PLANE)) pending.push(tables.children[2 * child]);
  }
  return true;
}

// ---- Visits ----

/** Whether a point at this distance from a plane is on it. */
const isOn = (d) => d <= ON_PLANE && d >= -ON_PLANE;

/** Returns the fraction at which a segment with these end distances crosses a plane, or undefined if it is in it. */
function crossingOf(d0, d1) {
  if (isOn(d0) && isOn(d1)) return undefined;
  return isOn(d0) ? 0 : isOn(d1) ? 1 : Math.min(d0 / (d0 - d1), BELOW_ONE);
}

/** Returns the point at fraction `t` of a segment. */
export function pos(a, b, t) {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

const everywhere = () => true;

/**
 * Visits leaves of a segment's tree. A side is a child with the closed stretch `from` to `to` of the segment,
 * the plane through which it was entered (-1: none), and that plane's mark.
 *
 * @param segment The result of `segmentIn`.
 * @param {boolean} inOrder Whether to give up if the segment is in a plane.
 * @param {(from: number, to: number) => boolean} isInWindow Called for each side when its turn comes.
 * @param {(side, isSolid: boolean) => boolean | void} visitLeaf Returns whether the visits end here.
 * @returns {boolean} Whether the visits did not give up.
 */
function visit(segment, inOrder, isInWindow, visitLeaf) {
  const { tables, root, hull, a, b } = segment;
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
    // A side continues with a child in place of its node, or is split in two; the nearer one is visited first.
    if (d0 > ON_PLANE && d1 > ON_PLANE) {
      side.child = front;
    } else if (d0 < -ON_PLANE && d1 < -ON_PLANE) {
      side.child = back;
    } else if (isOn(d0) && isOn(d1)) {
      if (inOrder) return false;
      pending.push({ ...side, child: back });
      side.child = front;
    } else {
      const later = cut(segment, side, d0, d1);
      if (later) pending.push(later);
    }
    pending.push(side);
  }
  return true;
}

/**
 * Continues a side, whose node's plane has these distances from the ends of the segment, with the child that it comes
 * to first, up to the plane. Returns the side of the other child, if it comes to that too.
 */
function cut({ tables, slack }, side, d0, d1) {
  const { planes, children } = tables;
  const node = side.child;
  const isFromFront = isOn(d0) ? d1 < 0 : d0 > 0;
  const [near, far] = isFromFront ? [2 * node, 2 * node + 1] : [2 * node + 1, 2 * node];
  const crossing = crossingOf(d0, d1);
  side.child = children[crossing < side.from - slack ? far : near];
  if (crossing < side.from - slack || crossing > side.to + slack) return undefined;
  const t = Math.min(Math.max(crossing, side.from), side.to);
  const mark = (planes[node] & (isFromFront ? FACE_TO_FRONT : FACE_TO_BACK)) !== 0;
  const later = { child: children[far], from: t, to: side.to, plane: planes[node] & PLANE_BITS, mark };
  side.to = t;
  return later;
}

/** Whether a stretch of the segment is too short to count. */
function grazes({ slack }, from, to) {
  return to < 1 && to - from <= slack;
}

// ---- Walks ----

/**
 * Finds `empty`, the first fraction that is not solid, and `solid`, the first entry after that (fraction and plane,
 * -1 for none). Both may be missing.
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

/** The same for a segment in a plane of the tree, for which leaves do not come in order. */
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

/** Returns the plane through which a segment enters solid at a fraction, or -1 if there is none. */
function entryAt(segment, fraction) {
  const { a, b, slack } = segment;
  const place = pos(a, b, fraction);
  let best = { plane: -1, rank: [] };
  const isNear = (from, to) => from <= fraction + slack && to >= fraction - slack;
  visit(segment, false, isNear, ({ from, plane, mark }, isSolid) => {
    const apart = Math.abs(from - fraction);
    if (!isSolid || plane < 0 || !(apart <= slack)) return;
    const [wide, close] = PROBES.map((reach) => (mark ? countFaces(segment, place, plane, reach) : 0));
    const rank = [wide, close, Number(apart <= SAME_CROSSING), Number(mark)];
    if (best.plane < 0 || isHigher(rank, best.rank)) best = { plane, rank };
  });
  return best.plane;
}

function isHigher(rank, other) {
  const first = rank.findIndex((number, i) => number !== other[i]);
  return first >= 0 && rank[first] > other[first];
}

/** Counts the probes, of eight around a place, at which a plane has solid behind it and none in front. */
function countFaces(segment, place, plane, { ahead, around }) {
  const { tables, a, b } = segment;
  const n = tables.normals.subarray(3 * plane, 3 * plane + 3);
  const s = distance(tables, plane, a) >= distance(tables, plane, b) ? ahead : -ahead;
  const isFace = (place) => {
    const point = (h) => place.map((q, k) => q + n[k] * h);
    return isSolid(segment, point(-s)) && !isSolid(segment, point(s));
  };
  return ring(place, n, around).filter(isFace).length;
}

/** Returns eight places about this far around a point of a plane with this normal. */
export function ring(at, n, around) {
  const u = Math.abs(n[0]) < 0.5 ? [0, n[2], -n[1]] : [-n[2], 0, n[0]];
  const v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
  return AROUND.map(([x, y]) => at.map((q, k) => q + (u[k] * x + v[k] * y) * around));
}

// ---- Traces ----

/** Returns the answer of a trace that does not move. */
export function allSolid(start, end) {
  return { start, end, fraction: 0, hitFraction: 1, endPos: [...start], plane: null, startSolid: true, allSolid: true };
}

/** @returns {import("./onion.mjs").Trace} */
export function trace(segment, margin) {
  const { a, b } = segment;
  const { empty, solid } = isInDomain(a) && isInDomain(b) ? walk(segment) : {};
  if (empty === undefined) {
    return allSolid(a, b);
  }
  const startSolid = empty > 0;
  const found = { start: a, end: b, startSolid, allSolid: false };
  if (!solid) return { fraction: 1, hitFraction: 1, endPos: [...b], plane: null, ...found };
  let [plane, hitFraction, wanted] = [null, solid.fraction, solid.fraction];
  if (solid.plane >= 0) {
    const { approach, crossing, ...met } = planeMet(segment, solid.plane);
    plane = met;
    hitFraction = crossing ?? solid.fraction;
    const backedOff = hitFraction - (margin > 0 ? margin : 0) / approach;
    wanted = backedOff > empty ? backedOff : empty;
  }
  const [fraction, endPos] = startSolid ? [wanted, pos(a, b, wanted)] : backOff(segment, wanted);
  return { fraction, hitFraction, endPos, plane, ...found };
}

/** Returns a plane turned against a segment, the segment's approach to it, and the crossing. */
function planeMet({ tables, a, b }, plane) {
  const normal = [...tables.normals.subarray(3 * plane, 3 * plane + 3)];
  const dist = tables.dists[plane];
  const number = plane;
  const d0 = distance(tables, plane, a);
  const d1 = distance(tables, plane, b);
  const crossing = crossingOf(d0, d1);
  if (d0 >= d1) return { normal, dist, number, approach: d0 - d1, crossing };
  return { normal: normal.map((x) => 0 - x), dist: 0 - dist, number, approach: d1 - d0, crossing };
}

/** Returns the first fraction from `wanted` down whose end is not solid, and that end. */
function backOff(segment, wanted) {
  const { a, b } = segment;
  for (let k = 0; k <= BACK_OFFS; k++) {
    const fraction = k === 0 ? wanted : wanted - (wanted * 2 ** k) / BACK_OFF_UNIT;
    if (!(fraction > 0)) break;
    const end = pos(a, b, fraction);
    if (!isSolid(segment, end)) return [fraction, end];
  }
  return [0, [...a]];
}
