// Slabs: the planes around the sum of a brush and a shape's core, and the part of a segment behind all of them. Its
// faces are those of each and those spanned by an edge of each; for an axis-aligned box, the file has them as bevels.
// Names and the order of all arithmetic are those of Rust's `shape::slabs` and `shape::brush`.

import { BEVEL_TILT, ON_PLANE } from "./tolerance.mjs";
import { direction, dot, larger, length, scale, sub } from "./vector.mjs";

/** The feature of a brush that is farthest along a normal; others are `{ face }`, `{ edge: faces }`, `{ vertex }`. */
const FARTHEST = {};

/** Returns the signed distance of a point in front of a slab, times the length of the slab's normal. */
export const aheadOf = ({ normal, dist }, point) => dot(normal, point) - dist;

/**
 * Whether a predicate holds for all slabs (`normal`, `dist` and `feature`) whose intersection is the sum of a brush
 * and a shape's core. Stops at the first for which it does not.
 */
export function allSlabs(shape, brush, predicate) {
  const holds = (normal, dist, feature) => predicate({ normal, dist: dist + shape.support(normal), feature });
  if (!brush.faces.every(({ normal, dist }, face) => holds(normal, dist, { face }))) return false;
  const { kind, axes, half, solid } = shape.core;
  if (kind === "box") return brush.bevels.every(({ normal, dist }) => holds(normal, dist, FARTHEST));
  if (kind === "oriented" || solid) {
    const normals = solid?.normals ?? axes.flatMap((axis) => [axis, scale(axis, -1)]);
    if (!normals.every((normal) => holds(normal, supporting(normal, brush.vertices), FARTHEST))) return false;
  }
  const directionsOf = {
    segment: () => [half],
    oriented: () => axes.filter((_, k) => half[k] > 0),
  };
  const directions = solid?.edges ?? directionsOf[kind]?.() ?? [];
  return directions.every((own) =>
    brush.edges.every((edge) => {
      const normal = spannedNormal(edge.normals, own);
      return normal === null || holds(normal, supporting(normal, edge.ends), { edge: edge.faces });
    }),
  );
}

/** Returns the distance of the plane with a normal that touches points from outside. */
function supporting(normal, points) {
  return points.reduce((most, point) => larger(most, dot(normal, point)), -Infinity);
}

/** Returns the normal of the face that an edge of the brush spans with one of the core, or null if there is none. */
function spannedNormal([a, b], own) {
  const [onA, onB] = [dot(a, own), dot(b, own)];
  if (onA * onB >= 0) return null;
  return direction(a.map((part, axis) => part * Math.abs(onB) + b[axis] * Math.abs(onA)))?.unit ?? null;
}

/**
 * Returns the part of a segment behind all slabs, moved out by the shape's radius: from `enter` to `leave`, through
 * the slabs `first` and `last` (null where the segment starts or ends behind all). Null if there is no such part.
 */
export function behind(shape, brush, [start, end]) {
  const stretch = { enter: 0, leave: 1, first: null, last: null };
  const isLeft = allSlabs(shape, brush, (slab) => {
    const moved = shape.radius > 0 ? shape.radius * length(slab.normal) : 0;
    return clip(stretch, slab, aheadOf(slab, start) - moved, aheadOf(slab, end) - moved);
  });
  return isLeft ? stretch : null;
}

/** Clips a stretch by one more slab, given the signed distances of the segment's ends. Whether anything is left. */
function clip(stretch, slab, dStart, dEnd) {
  const [startsAhead, endsAhead] = [dStart >= -ON_PLANE, dEnd >= -ON_PLANE];
  if (startsAhead && endsAhead) return false;
  if (startsAhead) {
    const fraction = (dStart > 0 ? dStart : 0) / (dStart - dEnd);
    if (!stretch.first || fraction > stretch.enter) [stretch.enter, stretch.first] = [fraction, slab];
  } else if (endsAhead) {
    const fraction = dStart / (dStart - dEnd);
    if (fraction < stretch.leave) [stretch.leave, stretch.last] = [fraction, slab];
  }
  return stretch.enter < stretch.leave;
}

/**
 * Returns the number of the face that a contact belongs to: the face itself, or, among the faces that meet at the edge
 * or the corner, the one with the normal nearest to the contact's; ties go to the first.
 */
export function sideOf(brush, { face, edge: faces, vertex }, normal) {
  if (face !== undefined) return face;
  if (faces) return nearest(brush.edges.filter((edge) => edge.faces.every((own, k) => own === faces[k])), normal);
  if (vertex) {
    const isThere = (end) => end.every((x, k) => x === vertex[k]);
    return nearest(brush.edges.filter((edge) => edge.ends.some(isThere)), normal);
  }
  const farthest = supporting(normal, brush.edges.flatMap((edge) => edge.ends));
  const counts = brush.edges.map((edge) => nTouching(edge, normal, farthest));
  // An edge that is touched along its whole length is more specific than one that only ends there.
  const most = Math.max(...counts);
  return nearest(brush.edges.filter((_, i) => counts[i] === most), normal);
}

/** Returns the number of an edge's ends that are as far along a normal as any part of the brush. */
function nTouching({ ends }, normal, farthest) {
  const [x, y, z] = sub(ends[0], ends[1]).map(Math.abs);
  const slack = ON_PLANE + BEVEL_TILT * (x + y + z);
  return ends.filter((end) => dot(normal, end) >= farthest - slack).length;
}

/** Returns, among the faces at some edges, the one with the normal nearest to a given one. */
function nearest(edges, normal) {
  let best = null;
  for (const { faces, normals } of edges) {
    faces.forEach((face, k) => {
      const cosine = dot(normals[k], normal);
      const isBetter = !best || cosine > best.cosine || (cosine === best.cosine && face < best.face);
      if (isBetter) best = { cosine, face };
    });
  }
  return best?.face ?? 0;
}
