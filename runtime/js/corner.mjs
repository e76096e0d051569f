// The plane geometry of paths that pass corners: where a walker passes an end of a link, at a distance from the wall or
// ledge behind it. The order of all arithmetic is that of Rust's `navigation::corner`.

import { AROUND_LEFT, between, distance, turn } from "./cone.mjs";
import { FROM_CORNER } from "./tolerance.mjs";

/** Returns the unit vector from one place to another, or zero if they are one. */
export function direction(from, to) {
  const length = distance(from, to);
  return length > 0 ? [(to[0] - from[0]) / length, (to[1] - from[1]) / length] : [0, 0];
}

/** Returns the distance of a place from the straight way between two others. */
export function apart(from, to, place) {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const square = x * x + y * y;
  const along = (place[0] - from[0]) * x + (place[1] - from[1]) * y;
  const part = square > 0 ? along / square : 0;
  return distance(between(from, to, part > 0 ? part : 0), place);
}

/**
 * Returns where a way from one place around a corner to another turns: at a distance from both ways that meet there, on
 * the side away from the corner.
 */
export function beside(from, corner, to, around) {
  const [ax, ay] = direction(from, corner);
  const [bx, by] = direction(corner, to);
  const side = around === AROUND_LEFT ? FROM_CORNER : -FROM_CORNER;
  const [x, y] = [(ay + by) * side, -(ax + bx) * side];
  // 2 if the way hardly turns, 0 if it turns back.
  const straightness = 1 + ax * bx + ay * by;
  // Past the end of a thin obstacle if it turns back.
  return straightness < 0.5
    ? [corner[0] + ax * FROM_CORNER + x, corner[1] + ay * FROM_CORNER + y]
    : [corner[0] + x / straightness, corner[1] + y / straightness];
}

/**
 * Returns a place moved away from the edges of a floor that it is nearer to than `least` units, or beyond, one after the
 * other; twice, because away from one edge may be nearer to another.
 */
export function inside({ corners }, place, least) {
  const edges = corners.map((start, i) => [start, corners[(i + 1) % corners.length]]);
  return [...edges, ...edges].reduce((at, [start, end]) => {
    const depth = turn(start, end, at) / distance(start, end);
    if (!(depth < least)) return at;
    const [x, y] = direction(start, end);
    const by = least - depth;
    return [at[0] - y * by, at[1] + x * by];
  }, place);
}

/**
 * Returns a place moved away from the edges of a floor as far as paths keep away from corners, or a half, a quarter or an
 * eighth of that if the floor is narrower; undefined if it is narrower still.
 */
export function onto(floor, place) {
  const places = [1, 0.5, 0.25, 0.125].map((part) => [part * FROM_CORNER, inside(floor, place, part * FROM_CORNER)]);
  // No edge is nearer than half of that.
  const found = places.find(([least, moved]) => {
    const [x, y] = inside(floor, moved, 0.5 * least);
    return x === moved[0] && y === moved[1];
  });
  return found?.[1];
}
