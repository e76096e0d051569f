// Queries of one brush: the fractions at which a moving shape enters and leaves it, and whether a shape overlaps it.
// For balls and capsules, the sum of brush and shape has round edges and corners: a segment meets them in a face, in a
// cylinder around an edge or in a ball around a corner. Names and the order of all arithmetic are those of Rust's
// `shape::cast` and `shape::round`.

import { aheadOf, allSlabs, behind, sideOf } from "./slabs.mjs";
import { ON_PLANE } from "./tolerance.mjs";
import { isInDomain, pos } from "./trace.mjs";
import { add, along, direction, dot, larger, length, scale, sub } from "./vector.mjs";

/**
 * Returns the passage of a shape through a brush: the fractions `enter` and `leave`, and the contact at the entry as
 * `touch` (normal and face), null if the shape starts inside. Null if the shape stays outside.
 */
export function cast(shape, ends, brush) {
  if (!ends.every(isInDomain)) return { enter: 0, leave: 1, touch: null };
  const motion = ends.map((point) => add(point, shape.center));
  const stretch = behind(shape, brush, motion);
  if (!stretch) return null;
  if (isRound(shape)) return roundPassage(shape, brush, motion, stretch);
  const { enter, leave, first } = stretch;
  return { enter, leave, touch: first && touchOf(brush, first.normal, first.feature) };
}

/** Whether a shape with its point at `point` is inside a brush, by more than the rounding error. */
export function overlaps(shape, point, brush) {
  if (!isInDomain(point)) return true;
  const center = add(point, shape.center);
  if (isRound(shape)) return distance(shape, brush, center) - shape.radius < -ON_PLANE;
  return allSlabs(shape, brush, (slab) => aheadOf(slab, center) < -ON_PLANE);
}

/** Whether edges and corners are rounded; a radius below the rounding error does not count. */
const isRound = ({ radius }) => radius > ON_PLANE;

function touchOf(brush, offset, feature) {
  const normal = direction(offset)?.unit ?? offset;
  return { normal, face: sideOf(brush, feature, normal) };
}

// ---- Balls and capsules ----

function roundPassage(shape, brush, motion, stretch) {
  const { first, last } = stretch;
  const gap = (center) => distance(shape, brush, center) - shape.radius;
  const isStartSolid = !first && gap(motion[0]) < -ON_PLANE;
  const endGap = last ? Infinity : gap(motion[1]);
  const isEndSolid = endGap < -ON_PLANE;
  if (isStartSolid && isEndSolid) return { enter: 0, leave: 1, touch: null };
  const round = pastEdges(shape, brush, motion, stretch);
  const flat = (slab, at) => {
    const isFlat = slab && flatContact(shape, brush, slab, pos(...motion, at), shape.radius);
    return isFlat ? { at, offset: slab.normal, feature: slab.feature } : null;
  };
  let [enter, touch] = [0, null];
  if (!isStartSolid) {
    const found = flat(first, stretch.enter) ?? round.first;
    if (!found) return null;
    [enter, touch] = [found.at, touchOf(brush, found.offset, found.feature)];
  }
  // A shape that only touches at the end does not leave before it.
  let leave = 1;
  if (!(endGap <= ON_PLANE)) leave = larger(flat(last, stretch.leave)?.at ?? round.last ?? stretch.leave, enter);
  const isDeep = isStartSolid || isEndSolid || gap(pos(...motion, (enter + leave) / 2)) < -ON_PLANE;
  return isDeep ? { enter, leave, touch } : null;
}

/** Returns the signed distance of a point from the sum of a brush and a core that is a point or a segment. */
function distance(shape, brush, point) {
  let farthest = null;
  allSlabs(shape, brush, (slab) => {
    const ahead = aheadOf(slab, point) / length(slab.normal);
    if (!farthest || ahead > farthest.ahead) farthest = { ahead, slab };
    return true;
  });
  const { ahead, slab } = farthest;
  if (ahead <= 0 || flatContact(shape, brush, slab, point, ahead)) return ahead;
  const squares = edgesOf(shape, brush).map((edge) => offsetOf(edge, point)).map((offset) => dot(offset, offset));
  return larger(Math.sqrt(squares.reduce((least, square) => Math.min(least, square), Infinity)), ahead);
}

/** Whether the point of the sum that is nearest to a point `ahead` of a slab is on the slab itself. */
function flatContact(shape, brush, { normal }, point, ahead) {
  const foot = along(point, normal, -ahead / length(normal));
  return allSlabs(shape, brush, (slab) => aheadOf(slab, foot) <= ON_PLANE);
}

// ---- Edges and corners of the sum: `{ from, direction, feature }`; corners have the direction zero ----

/** Returns the ends of a core. */
function places({ core: { kind, half } }) {
  return kind === "segment" ? [half, scale(half, -1)] : [[0, 0, 0]];
}

function edgesOf(shape, brush) {
  const { kind, half } = shape.core;
  const edges = places(shape).flatMap((place) =>
    brush.edges.map(({ ends: [from, to], faces }) => ({
      from: add(from, place), direction: sub(to, from), feature: { edge: faces },
    })),
  );
  if (kind !== "segment") return edges;
  const own = (vertex) => ({ from: sub(vertex, half), direction: scale(half, 2), feature: { vertex } });
  return [...edges, ...brush.vertices.map(own)];
}

function cornersOf(shape, brush) {
  const corner = (vertex, place) => ({ from: add(vertex, place), direction: [0, 0, 0], feature: { vertex } });
  return places(shape).flatMap((place) => brush.vertices.map((vertex) => corner(vertex, place)));
}

/** Returns the vector from the nearest point of an edge to a point. */
function offsetOf(edge, point) {
  const from = sub(point, edge.from);
  const at = dot(from, edge.direction) / dot(edge.direction, edge.direction);
  // A corner has no direction, and its `at` is not a number.
  return along(from, edge.direction, -(at > 0 ? Math.min(at, 1) : 0));
}

/** Returns the first contact (`at`, `offset`, `feature`) with edges and corners, and the last fraction within reach. */
function pastEdges(shape, brush, motion, { enter, leave }) {
  const found = direction(sub(motion[1], motion[0]));
  if (!found) return { first: null, last: null };
  const ray = { from: pos(...motion, enter), direction: found.unit, length: (leave - enter) * found.length };
  const met = { first: null, last: null };
  for (const edge of edgesOf(shape, brush)) widen(met, ray, edge, chordOfEdge(ray, edge, shape.radius));
  for (const corner of cornersOf(shape, brush)) {
    widen(met, ray, corner, chord(sub(ray.from, corner.from), ray.direction, shape.radius));
  }
  const fraction = (at) => Math.min(larger(enter + at / found.length, enter), leave);
  return {
    first: met.first && { ...met.first, at: fraction(met.first.at) },
    last: met.last === null ? null : fraction(met.last),
  };
}

/** Extends a passage by the chord of one edge or corner, as far as it is on the ray. */
function widen(met, ray, rim, ends) {
  if (!ends) return;
  const [enter, leave] = ends;
  if (enter !== null && enter < ray.length && (!met.first || enter < met.first.at)) {
    const offset = offsetOf(rim, along(ray.from, ray.direction, enter));
    met.first = { at: enter, offset, feature: rim.feature };
  }
  if (leave !== null && leave > 0 && (met.last === null || leave > met.last)) met.last = leave;
}

/** Returns where a ray enters and leaves the cylinder around an edge; each is null if it is beyond the edge's ends. */
function chordOfEdge(ray, edge, radius) {
  const from = sub(ray.from, edge.from);
  // In lengths of the edge; NaN for an edge of zero length, which then has no chord.
  const scale = 1 / dot(edge.direction, edge.direction);
  const [start, step] = [from, ray.direction].map((vector) => dot(vector, edge.direction) * scale);
  const ends = chord(along(from, edge.direction, -start), along(ray.direction, edge.direction, -step), radius);
  if (!ends) return null;
  return ends.map((at) => {
    const onEdge = start + step * at;
    return onEdge >= 0 && onEdge <= 1 ? at : null;
  });
}

/** Returns the interval of a line within a radius of the origin, in multiples of its direction, or null. */
function chord(from, direction, radius) {
  const scale = 1 / dot(direction, direction);
  const middle = -dot(from, direction) * scale;
  const nearest = along(from, direction, middle);
  const halfSquare = (radius * radius - dot(nearest, nearest)) * scale;
  if (!(halfSquare > 0)) return null;
  const half = Math.sqrt(halfSquare);
  return [middle - half, middle + half];
}
