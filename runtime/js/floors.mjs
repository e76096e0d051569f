// Floors: where hulls stand in the world. The chunks FLOR and FCOR in, the floors of each hull as convex polygons out,
// and the one under a position. The rules are those of format-spec/FORMAT.md; the order of all arithmetic is that of
// Rust's `movement::floors`.

import { FACE_LOOKS_BACK } from "./brushes.mjs";
import { MAX_DIST, check } from "./tables.mjs";
import { NEAR } from "./tolerance.mjs";

/** Fewest corners of a polygon. */
const FEWEST_CORNERS = 3;

/** A floor of a hull: a convex polygon. An agent on it has its origin the margin of a trace above it. */
export class Floor {
  /** @type {number} Its number in the file. */ number;
  /** @type {[number, number, number]} Unit normal of its plane, which points up. */ normal;
  /** @type {number} Distance of the plane from the origin along the normal, in units. */ dist;
  /** @type {[number, number, number][]} Its corners, counterclockwise as seen from above. */ corners;

  constructor(number, { normal, dist }, places) {
    Object.assign(this, { number, normal, dist });
    this.corners = places.map(([x, y]) => [x, y, this.height([x, y])]);
    Object.freeze(this);
  }

  /** Returns the height of its plane at a place, in units. */
  height([x, y]) {
    const [a, b, c] = this.normal;
    return (this.dist - a * x - b * y) / c;
  }

  /**
   * Whether a place is above, below or on the floor: within its outline as seen from above. Places within 2^-20 units
   * of an edge are on the floors on both sides.
   */
  contains([x, y]) {
    return this.corners.every(([ax, ay], i) => {
      const [bx, by] = this.corners[(i + 1) % this.corners.length];
      const [dx, dy] = [bx - ax, by - ay];
      const left = dx * (y - ay) - dy * (x - ax);
      return left >= 0 || left * left <= NEAR * NEAR * (dx * dx + dy * dy);
    });
  }
}

/** Returns the normal and the distance of a plane that faces backward if bit 31 of its number is set. */
function facingPlane({ normals, dists }, number) {
  const plane = (number & ~FACE_LOOKS_BACK) >>> 0;
  check(plane < dists.length, `the plane ${plane} of a floor is not there`);
  const normal = [...normals.subarray(3 * plane, 3 * plane + 3)];
  if (number < FACE_LOOKS_BACK) return { normal, dist: dists[plane] };
  return { normal: normal.map((component) => 0 - component), dist: 0 - dists[plane] };
}

/** Reads the floors, for each hull. */
export function readFloors({ FLOR, FCOR }, planes, nHulls) {
  const places = Array.from({ length: FCOR.count }, (_, i) => [FCOR.f64(i, 0), FCOR.f64(i, 8)]);
  const isNear = (place) => place.every((at) => Math.abs(at) < MAX_DIST);
  places.forEach((place, i) => check(isNear(place), `corner ${i} of the floors is too far away or no number`));
  const floors = Array.from({ length: nHulls }, () => []);
  let [before, end] = [0, 0];
  for (let i = 0; i < FLOR.count; i++) {
    const [hull, number, first, nCorners] = [0, 4, 8, 12].map((offset) => FLOR.u32(i, offset));
    check(hull < nHulls && hull >= before, `floor ${i} is of no hull, or not in the order of hulls`);
    const plane = facingPlane(planes, number);
    check(plane.normal[2] > 0, `floor ${i} does not look up`);
    const follow = first === end && nCorners >= FEWEST_CORNERS;
    check(follow, `the corners of floor ${i} do not follow those before, or are too few`);
    [before, end] = [hull, end + nCorners];
    floors[hull].push(new Floor(i, plane, places.slice(first, end)));
  }
  check(end === places.length, `${places.length} corners for floors of ${end}`);
  return floors.map((own) => Object.freeze(own));
}

/** Returns the floor at most `reach` below a position and its point there, or null; see `OnionMap.floorAt`. */
export function floorAt(floors, [x, y, z], reach) {
  let best = null;
  for (const floor of floors) {
    const height = floor.height([x, y]);
    const isNear = z - reach <= height && height <= z + NEAR;
    if (isNear && floor.contains([x, y]) && (!best || height > best.point[2])) best = { floor, point: [x, y, height] };
  }
  return best;
}
