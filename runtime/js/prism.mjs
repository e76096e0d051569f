// Upright prisms whose base is a polygon with a center of symmetry; the sides of a regular base stand for a cylinder.
// Names and the order of all arithmetic are those of Rust's `shape::prism` and `shape::ring`.

import { add, cross, direction, dot, scale, sub } from "./vector.mjs";

/** A prism without its center. It does not change. */
export class Prism {
  /** Halves of the sides, one for each pair of opposite sides, counterclockwise within half a turn. */
  #sides;
  /** Half of its height, as a vector. */
  #up;

  constructor(sides, up) {
    [this.#sides, this.#up] = [sides, up];
  }

  /** Returns the prism with a height and the halves of its sides, as vectors in the xy plane. */
  static upright(halfHeight, sides) {
    return new Prism(sides.map(([x, y]) => [x, y, 0]), [0, 0, halfHeight]);
  }

  /** Returns the prism with a regular base around a circle, or null if it cannot have this number of sides. */
  static around(radius, halfHeight, nSides) {
    if (![8, 16, 32].includes(nSides)) return null;
    const directions = ring(nSides / 2);
    // The distance of a side from the center, for halves of length 1.
    const reach = directions.reduce((sum, [, y]) => sum + y, 0);
    const length = radius / reach;
    return Prism.upright(halfHeight, directions.map(([x, y]) => [x * length, y * length]));
  }

  /** Returns the prism with all its vectors turned. */
  turned(turn) {
    return new Prism(this.#sides.map(turn), turn(this.#up));
  }

  /** The halves of all edges: of the sides, and of the height. */
  get edges() {
    return [...this.#sides, this.#up];
  }

  support(direction) {
    return this.edges.reduce((sum, half) => sum + Math.abs(dot(direction, half)), 0);
  }

  /** The unit normals of the faces. */
  get normals() {
    const all = [...this.#sides.map((half) => cross(half, this.#up)), this.#up];
    const units = all.map(direction).filter((normal) => normal);
    return units.flatMap(({ unit }) => [unit, scale(unit, -1)]);
  }

  /** The corners, relative to the center. */
  get corners() {
    let corner = this.#sides.reduce(sub, [0, 0, 0]);
    // Around the base: all halves forward, then all of them back.
    const steps = [2, -2].flatMap((by) => this.#sides.map((half) => scale(half, by)));
    return steps.flatMap((step) => {
      corner = add(corner, step);
      return [add(corner, this.#up), sub(corner, this.#up)];
    });
  }
}

/** Returns the directions of the sides of a regular polygon, one for each pair of opposite sides. */
function ring(nPairs) {
  const quarter = nPairs / 2;
  return Array.from({ length: nPairs }, (_, pair) => [cosine(pair, nPairs), cosine(Math.abs(pair - quarter), nPairs)]);
}

/** Returns the cosine of `part / parts` of half a turn; `parts` is a power of two. */
function cosine(part, parts) {
  if (2 * part > parts) return -cosine(parts - part, parts);
  if (2 * part === parts) return 0;
  return part === 0 ? 1 : Math.sqrt((1 + cosine(2 * part, parts)) / 2);
}
