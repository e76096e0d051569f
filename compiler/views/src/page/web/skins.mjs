// Computes the skins of hulls as polygons: where a tree changes from empty to solid. The part of a node's plane
// inside its cell is pushed down both of its children, and each piece that arrives in two leaves that differ is a
// part of a skin.

import { LEAF_BIT, PLANE_BITS, hasHull } from "tables.mjs";

/**
 * The distance within which a corner of a displayed skin is on a plane, in units: above the rounding error after the
 * cuts of a deep tree, and too small to see. The same as that of pictures, `ON_SKIN` of `onion-geometry`.
 */
const ON_SKIN = 2 ** -13;

/**
* Calls `onPiece(corners, normal, leaf)` for each piece of a hull's skin in a model: counterclockwise corners, the
* normal out of the solid, and the leaf behind it.
 */
export function skin(tables, model, hull, bounds, onPiece) {
  const { roots, groups, planes, children, leaves, normals, dists } = tables;
  const group = groups.findIndex((bits) => hasHull(bits, 0, hull));
  const planeOf = (node) => {
    const plane = planes[node] & PLANE_BITS;
    return [normals[3 * plane], normals[3 * plane + 1], normals[3 * plane + 2], dists[plane]];
  };
  const box = [0, 1, 2].flatMap((k) => {
    const axis = [0, 1, 2].map((other) => (other === k ? 1 : 0));
    return [[...axis, bounds[0][k], 1], [...axis, bounds[1][k], 0]];
  });
  const down = (child, corners, onLeaf) => {
    if (child >= LEAF_BIT) return onLeaf(child - LEAF_BIT, corners);
    const [front, back] = split(corners, planeOf(child));
    if (front) down(children[2 * child], front, onLeaf);
    if (back) down(children[2 * child + 1], back, onLeaf);
  };
  const isSolid = (leaf) => hasHull(leaves, leaf, hull);
  // A subtree that is wholly solid or wholly empty for the hull has no skin inside.
  const kinds = new Map();
  const kind = (child) => {
    if (child >= LEAF_BIT) return isSolid(child - LEAF_BIT) ? 2 : 1;
    if (!kinds.has(child)) kinds.set(child, kind(children[2 * child]) | kind(children[2 * child + 1]));
    return kinds.get(child);
  };
  const walk = (child, above) => {
    if (child >= LEAF_BIT || kind(child) !== 3) return;
    const plane = planeOf(child);
    let corners = sheet(plane, bounds);
    for (const [x, y, z, dist, side] of [...box, ...above]) {
      corners = corners && split(corners, [x, y, z, dist])[side === 1 ? 0 : 1];
    }
    const [front, back] = [children[2 * child], children[2 * child + 1]];
    if (corners) {
      down(front, corners, (before, piece) => {
        down(back, piece, (behind, part) => {
          if (isSolid(before) === isSolid(behind)) return;
          const normal = plane.slice(0, 3);
          if (isSolid(behind)) onPiece(part, normal, behind);
          else onPiece(part.slice().reverse(), normal.map((x) => -x), before);
        });
      });
    }
    walk(front, [...above, [...plane, 1]]);
    walk(back, [...above, [...plane, 0]]);
  };
  walk(roots[model * groups.length + group], []);
}

/** Returns a square in a plane that is larger than a box, counterclockwise seen from its front. */
function sheet([x, y, z, dist], [mins, maxs]) {
  const size = 2 * Math.max(...mins.map((min, k) => Math.max(Math.abs(min), Math.abs(maxs[k])))) + 64;
  const u = Math.abs(z) > 0.7 ? unit([0, -z, y]) : unit([y, -x, 0]);
  const v = [y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]];
  const center = [x * dist, y * dist, z * dist];
  const corner = (a, b) => center.map((c, k) => c + (a * u[k] + b * v[k]) * size);
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

function unit(vector) {
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

/** Returns the parts of a polygon in front of and behind a plane; `undefined` for a part that is empty. */
function split(corners, [x, y, z, dist]) {
  const ahead = corners.map((corner) => x * corner[0] + y * corner[1] + z * corner[2] - dist);
  const isBefore = ahead.some((distance) => distance > ON_SKIN);
  const isBehind = ahead.some((distance) => distance < -ON_SKIN);
  if (!isBehind) return [corners, undefined];
  if (!isBefore) return [undefined, corners];
  const front = [];
  const back = [];
  corners.forEach((corner, i) => {
    const next = (i + 1) % corners.length;
    if (ahead[i] > -ON_SKIN) front.push(corner);
    if (ahead[i] < ON_SKIN) back.push(corner);
    if ((ahead[i] > ON_SKIN && ahead[next] < -ON_SKIN) || (ahead[i] < -ON_SKIN && ahead[next] > ON_SKIN)) {
      const part = ahead[i] / (ahead[i] - ahead[next]);
      const crossing = corner.map((c, k) => c + (corners[next][k] - c) * part);
      front.push(crossing);
      back.push(crossing);
    }
  });
  return [front.length > 2 ? front : undefined, back.length > 2 ? back : undefined];
}
