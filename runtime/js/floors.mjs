// Floors: where hulls stand in the world. The chunks FLOR, FCOR and FPLC in, the floors of each hull as convex polygons out,
// with the tree of boxes that finds the one under a position and the nearest one. The rules are those of
// format-spec/FORMAT.md; the order of all arithmetic is that of Rust's `navigation::floors` and `navigation::places`.

import { FACE_LOOKS_BACK } from "./brushes.mjs";
import { MAX_DIST, check } from "./tables.mjs";
import { NEAR, ON_FLOOR } from "./tolerance.mjs";
import { along, dot, sub } from "./vector.mjs";

/** Where the bits of the hull begin behind those of a floor's first corner. */
const HULL_SHIFT = 26;

/** Fewest corners of a polygon. */
const FEWEST_CORNERS = 3;

/** Corners of a box around all others. */
const [LOWEST, HIGHEST] = [-1, 1].map((sign) => [0, 0, 0].map(() => sign * Number.MAX_VALUE));

/** A floor of a hull: a convex polygon. An agent on it has its origin at most the margin of a trace above it. */
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
   * Whether a place is above, below or on the floor: within its outline as seen from above. Places within 2^-8 units
   * of an edge are on the floors on both sides.
   */
  contains(place) {
    const isNear = (left, [dx, dy]) => left * left <= ON_FLOOR * ON_FLOOR * (dx * dx + dy * dy);
    // Around a sharp corner, places far away are near both lines.
    return isLeftOfEdges(this.corners, place, isNear) && isOver(boundsOf(this.corners), place);
  }

  /** Returns its point that is nearest to a position, in units. */
  nearest(position) {
    const ahead = dot(this.normal, position) - this.dist;
    const [x, y] = along(position, this.normal, 0 - ahead);
    const isInside = isLeftOfEdges(this.corners, [x, y], () => false);
    const point = isInside ? [x, y, this.height([x, y])] : nearestOfEdges(this.corners, position);
    // Rounding may put it outside.
    return nearestInBox(boundsOf(this.corners), point);
  }

  /** Returns its area as seen from above, in square units. */
  area() {
    return trianglesOf(this.corners).reduce((sum, [area]) => sum + area, 0);
  }

  /**
   * Returns a random point of the floor, as likely everywhere as seen from above, for two uniform random numbers from 0
   * to 1; null for other numbers, or if it has no area.
   */
  randomPoint([which, far]) {
    // What is left of the number that picks a triangle is as uniform.
    const found = picked(trianglesOf(this.corners), which);
    if (!found || !(far >= 0 && far <= 1)) return null;
    const [rest, [a, b, c]] = found;
    // The upper half of a parallelogram is the lower half, turned.
    const [u, v] = rest + far > 1 ? [1 - rest, 1 - far] : [rest, far];
    const [x, y] = [0, 1].map((axis) => a[axis] + (b[axis] - a[axis]) * u + (c[axis] - a[axis]) * v);
    return [x, y, this.height([x, y])];
  }
}

/**
 * Whether a place is to the left of each edge, or counts as near to it: by its distance to the left, multiplied by the
 * length of the edge, and the edge as a vector.
 */
function isLeftOfEdges(corners, [x, y], isNear) {
  return corners.every(([bx, by], i) => {
    const [ax, ay] = corners[(i + corners.length - 1) % corners.length];
    const [dx, dy] = [bx - ax, by - ay];
    const left = dx * (y - ay) - dy * (x - ax);
    return left >= 0 || isNear(left, [dx, dy]);
  });
}

/** Returns the point of the edges that is nearest to a position; of equally near ones the first. */
function nearestOfEdges(corners, position) {
  const points = corners.map((start, i) => {
    const edge = sub(corners[(i + 1) % corners.length], start);
    const part = dot(sub(position, start), edge) / dot(edge, edge);
    // NaN, of an edge without length, is its start.
    const most = part > 0 ? part : 0;
    return along(start, edge, most < 1 ? most : 1);
  });
  return points.reduce((one, next) => (squareOfWay(position, next) < squareOfWay(position, one) ? next : one));
}

function squareOfWay(from, to) {
  const way = sub(from, to);
  return dot(way, way);
}

/** Returns the box around points. */
function boundsOf(points) {
  const [mins, maxs] = [[...points[0]], [...points[0]]];
  for (const point of points) {
    for (const axis of [0, 1, 2]) {
      if (point[axis] < mins[axis]) mins[axis] = point[axis];
      if (point[axis] > maxs[axis]) maxs[axis] = point[axis];
    }
  }
  return { mins, maxs };
}

/** Whether a place is within 2^-8 units of a box, as seen from above. */
function isOver({ mins, maxs }, place) {
  return [0, 1].every((axis) => mins[axis] - ON_FLOOR <= place[axis] && place[axis] <= maxs[axis] + ON_FLOOR);
}

/** Returns the point of a box that is nearest to a point. */
function nearestInBox({ mins, maxs }, point) {
  return point.map((at, axis) => (at < mins[axis] ? mins[axis] : at > maxs[axis] ? maxs[axis] : at));
}

/** Returns the triangles between the first corner and the edges of a polygon, with their areas. */
function trianglesOf([first, ...corners]) {
  return corners.slice(1).map((end, i) => {
    const start = corners[i];
    const [a, b] = [start, end].map(([x, y]) => [x - first[0], y - first[1]]);
    const twice = a[0] * b[1] - a[1] * b[0];
    return [twice > 0 ? twice / 2 : 0, [first, start, end]];
  });
}

/**
 * Picks one of some items with areas by a number from 0 to 1. Returns the part of the item's area up to the number, 0
 * to 1, and the item; null if the number is another, or nothing has an area.
 */
function picked(items, number) {
  if (!(number >= 0 && number <= 1)) return null;
  let rest = number * items.reduce((sum, [area]) => sum + area, 0);
  let found = null;
  for (const [area, item] of items) {
    if (!(area > 0)) continue;
    if (rest < area) return [rest / area, item];
    found = [1, item];
    rest -= area;
  }
  return found;
}

/**
 * The floors of a hull as a balanced tree: the one in the middle of a range has the box around all of them, and the
 * ranges before and after it are the same again.
 */
export class FloorTree {
  /** @type {readonly Floor[]} In the order of the file. */ floors;
  /** For each floor, the box in the middle of whose range it is. */ #boxes;

  constructor(floors, boxes) {
    this.floors = Object.freeze(floors);
    this.#boxes = boxes;
    this.#check(0, floors.length, null);
  }

  /** Returns the floor at most `reach` below a position and its point there, or null; see `OnionMap.floorAt`. */
  at([x, y, z], reach) {
    const [lowest, highest] = [z - reach, z + NEAR];
    const bound = (box) => {
      const [bottom, top] = [box.mins[2], box.maxs[2]];
      return lowest <= top && bottom <= highest && isOver(box, [x, y]) ? -top : null;
    };
    return this.#best(bound, (floor) => {
      if (!floor.contains([x, y])) return null;
      // Beside a steep floor, its plane goes on.
      const [, , height] = nearestInBox(boundsOf(floor.corners), [x, y, floor.height([x, y])]);
      return lowest <= height && height <= highest ? [-height, [x, y, height]] : null;
    });
  }

  /** Returns the floor that is nearest to a position and its nearest point, or null; see `OnionMap.nearestFloor`. */
  nearest(position, maxDistance) {
    const cost = (point) => {
      const square = squareOfWay(position, point);
      return maxDistance >= 0 && square <= maxDistance * maxDistance && square < Infinity ? square : null;
    };
    return this.#best(
      (box) => cost(nearestInBox(box, position)),
      (floor) => {
        const point = floor.nearest(position);
        const square = cost(point);
        return square === null ? null : [square, point];
      },
    );
  }

  /** Returns a random floor and its point, or null; see `OnionMap.randomPlace`. */
  random([which, ...numbers]) {
    const found = picked(this.floors.map((floor) => [floor.area(), floor]), which);
    const point = found?.[1].randomPoint(numbers);
    return point ? { floor: found[1], point } : null;
  }

  /**
   * Returns the floor of least cost, then the first in the file, with its point. `bound` gives a lower bound on the
   * cost of all floors in a box, and `pointOf` the cost of a floor and its point; null for those that do not count.
   */
  #best(bound, pointOf) {
    let [best, least] = [null, Infinity];
    const pending = [];
    const look = (first, end) => {
      const cost = first < end ? bound(this.#boxes[middleOf(first, end)]) : null;
      if (cost !== null) pending.push({ cost, first, end });
    };
    look(0, this.floors.length);
    while (pending.length > 0) {
      const { cost, first, end } = pending.pop();
      if (cost > least) continue;
      const middle = middleOf(first, end);
      const floor = this.floors[middle];
      const found = pointOf(floor);
      if (found && (!best || found[0] < least || (found[0] === least && floor.number < best.floor.number))) {
        [least, best] = [found[0], { floor, point: found[1] }];
      }
      look(middle + 1, end);
      look(first, middle);
    }
    return best;
  }

  /** Checks that the boxes of a range hold its floors, and are in a box. */
  #check(first, end, around) {
    if (first === end) return;
    const middle = middleOf(first, end);
    const box = this.#boxes[middle];
    const holds = ([low, high], { mins, maxs }) =>
      [0, 1, 2].every((axis) => mins[axis] <= low[axis] && low[axis] <= high[axis] && high[axis] <= maxs[axis]);
    const floor = this.floors[middle];
    const isInside = holds([box.mins, box.maxs], around ?? { mins: LOWEST, maxs: HIGHEST });
    const isAround = floor.corners.every((corner) => holds([corner, corner], box));
    check(isInside && isAround, `the box of floor ${floor.number} does not hold the floors of its range`);
    this.#check(first, middle, box);
    this.#check(middle + 1, end, box);
  }
}

/** Returns the middle of a range. */
const middleOf = (first, end) => first + Math.floor((end - first) / 2);

/** Returns the normal and the distance of a plane that faces backward if bit 31 of its number is set. */
function facingPlane({ normals, dists }, number) {
  const plane = (number & ~FACE_LOOKS_BACK) >>> 0;
  check(plane < dists.length, `the plane ${plane} of a floor is not there`);
  const normal = [...normals.subarray(3 * plane, 3 * plane + 3)];
  if (number < FACE_LOOKS_BACK) return { normal, dist: dists[plane] };
  return { normal: normal.map((component) => 0 - component), dist: 0 - dists[plane] };
}

/** Reads the places of all corners, in x and y. */
function readCorners(FCOR, FPLC) {
  const places = Array.from({ length: FPLC.count }, (_, i) => [FPLC.f64(i, 0), FPLC.f64(i, 8)]);
  const isNear = (place) => place.every((at) => Math.abs(at) < MAX_DIST);
  places.forEach((place, i) => check(isNear(place), `place ${i} of the floors is too far away or no number`));
  let nPlaces = 0;
  const corners = Array.from({ length: FCOR.count }, (_, i) => {
    const place = FCOR.u32(i, 0);
    const exists = place <= nPlaces && place < places.length;
    check(exists, `corner ${i} of the floors has a place that is not there, or not the next one`);
    nPlaces = Math.max(nPlaces, place + 1);
    return places[place];
  });
  check(nPlaces === places.length, `place ${nPlaces} of the floors belongs to no corner`);
  return corners;
}

/** Returns the number of the first corner of a floor. */
const firstCornerOf = (begins) => begins & ((1 << HULL_SHIFT) - 1);

/** Reads the floors, for each hull. */
export function readFloors({ FLOR, FCOR, FPLC }, planes, nHulls) {
  const corners = readCorners(FCOR, FPLC);
  const floors = Array.from({ length: nHulls }, () => []);
  const boxes = Array.from({ length: nHulls }, () => []);
  let before = 0;
  for (let i = 0; i < FLOR.count; i++) {
    const [number, begins] = [FLOR.u32(i, 0), FLOR.u32(i, 4)];
    const [hull, first] = [begins >>> HULL_SHIFT, firstCornerOf(begins)];
    const end = i + 1 < FLOR.count ? firstCornerOf(FLOR.u32(i + 1, 4)) : corners.length;
    check(hull < nHulls && hull >= before, `floor ${i} is of no hull, or not in the order of hulls`);
    const plane = facingPlane(planes, number);
    check(plane.normal[2] > 0, `floor ${i} does not look up`);
    const exist = (i > 0 || first === 0) && end <= corners.length;
    check(exist && end - first >= FEWEST_CORNERS, `the corners of floor ${i} are too few, or not there`);
    before = hull;
    floors[hull].push(new Floor(i, plane, corners.slice(first, end)));
    boxes[hull].push({ mins: FLOR.vec3(i, 8), maxs: FLOR.vec3(i, 20) });
  }
  check(FLOR.count > 0 || corners.length === 0, "there are corners, but no floors");
  return floors.map((own, hull) => new FloorTree(own, boxes[hull]));
}
