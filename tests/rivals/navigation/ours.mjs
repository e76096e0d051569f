// The floors and links of an onion with the queries of `recast.mjs`, in the runtime's JavaScript.

/** The floors of a hull. */
export class Onion {
  name = "onion";
  seconds;
  triangles;
  #map;
  #hull;
  /** For each floor, those that links lead to from there. */ #reached = new Map();

  /** @param seconds Seconds of the processor to find floors and links. */
  constructor(map, hull, seconds) {
    [this.#map, this.#hull, this.seconds] = [map, hull, seconds];
    const feet = ([x, y, z]) => [x, y, z + hull.mins[2]];
    this.triangles = map.floors(hull).flatMap(({ corners }) => {
      const places = corners.map(feet);
      return places.slice(2).map((place, i) => [places[0], places[i + 1], place]);
    });
  }

  covers(place) {
    return this.#map.floorAt(this.#hull, place, 1) !== null;
  }

  /** Whether there is a path. */
  leads(start, goal) {
    const [from, to] = [start, goal].map((place) => this.#map.floorAt(this.#hull, place, 1)?.floor.number);
    if (from === undefined || to === undefined) return false;
    if (!this.#reached.has(from)) {
      const floors = this.#map.reachable(this.#hull, start).map(({ number }) => number);
      const links = floors.flatMap((floor) => this.#map.linksFrom(floor));
      this.#reached.set(from, new Set([...floors, ...links.map((link) => link.to)]));
    }
    return this.#reached.get(from).has(to);
  }

  /** Returns a path, or null. */
  path(start, goal) {
    try {
      const { points } = this.#map.path(this.#hull, start, goal);
      return { points: points.map(({ position: [x, y] }) => [x, y]), route: points };
    } catch (error) {
      if (error.code) return null;
      throw error;
    }
  }

  destroy() {}
}
