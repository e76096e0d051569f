// Recast and Detour (npm `recast-navigation`, their C++ compiled to WebAssembly): triangles of walls in; a mesh with
// the same queries as `ours.mjs` out. Recast's y is up.

import { NavMeshQuery, getNavMeshPositionsAndIndices, init } from "@recast-navigation/core";
import { generateSoloNavMesh } from "@recast-navigation/generators";
import { STEP } from "./truth.mjs";

await init();

/** Slope in degrees whose normal has a z of 0.7. */
const SLOPE = 45.57;

/** Returns the walls of the world in Wavefront text as triangles. */
export function triangles(text) {
  const [places, corners] = [[], []];
  for (const line of text.split("\n")) {
    const [what, ...rest] = line.trim().split(/\s+/);
    if (what === "v") places.push(Number(rest[0]), Number(rest[2]), -Number(rest[1]));
    if (what !== "f") continue;
    const numbers = rest.map((word) => parseInt(word, 10)).map((at) => (at < 0 ? places.length / 3 + at : at - 1));
    for (let i = 1; i + 1 < numbers.length; i++) corners.push(numbers[0], numbers[i], numbers[i + 1]);
  }
  return { places: new Float32Array(places), corners: new Uint32Array(corners) };
}

const toRecast = ([x, y, z], feet) => ({ x, y: z + feet, z: -y });

/** A mesh of Recast for one agent. */
export class RecastMesh {
  name;
  /** Seconds of the processor to build it. */ seconds;
  /** Its triangles, as places of feet. */ triangles;
  #mesh;
  #query;
  #feet;
  #reach;

  constructor({ places, corners }, hull, radius, cell) {
    this.name = `Recast, radius ${radius}, cell ${cell}`;
    this.#feet = hull.mins[2];
    const tall = hull.maxs[2] - hull.mins[2];
    const ch = cell / 2;
    this.#reach = STEP + ch;
    const before = process.cpuUsage().user;
    const { success, navMesh, error } = generateSoloNavMesh(places, corners, {
      cs: cell, ch, walkableSlopeAngle: SLOPE, walkableHeight: Math.ceil(tall / ch),
      walkableClimb: Math.floor(STEP / ch), walkableRadius: Math.ceil(radius / cell - 1e-9),
      maxEdgeLen: Math.round(384 / cell), maxSimplificationError: 1.3, minRegionArea: 8, mergeRegionArea: 20,
      maxVertsPerPoly: 6, detailSampleDist: 6, detailSampleMaxError: 1, borderSize: 0, tileSize: 0,
    });
    this.seconds = (process.cpuUsage().user - before) / 1e6;
    if (!success) throw new Error(`${this.name}: ${error}`);
    this.#mesh = navMesh;
    this.#query = new NavMeshQuery(navMesh, { maxNodes: 65535 });
    const [at, numbers] = getNavMeshPositionsAndIndices(navMesh);
    const place = (i) => [at[3 * i], -at[3 * i + 2], at[3 * i + 1]];
    const firsts = Array.from({ length: numbers.length / 3 }, (_, i) => 3 * i);
    this.triangles = firsts.map((i) => [0, 1, 2].map((corner) => place(numbers[i + corner])));
  }

  /** Returns the polygon at a place of the hull's origin, or 0. */
  #polygon(place) {
    const at = toRecast(place, this.#feet);
    const found = this.#query.findNearestPoly(at, { halfExtents: { x: 0.05, y: this.#reach, z: 0.05 } });
    if (!found.success) return 0;
    const { x, z } = found.nearestPoint;
    return Math.hypot(x - at.x, z - at.z) < 0.1 ? found.nearestRef : 0;
  }

  covers(place) {
    return this.#polygon(place) !== 0;
  }

  /** Whether there is a path. */
  leads(start, goal) {
    return this.path(start, goal) !== null;
  }

  /** Returns the corners of a path, as seen from above, or null. */
  path(start, goal) {
    const [from, to] = [start, goal].map((place) => this.#polygon(place));
    const [a, b] = [start, goal].map((place) => toRecast(place, this.#feet));
    const { success, polys } = this.#query.findPath(from, to, a, b, { maxPathPolys: 4096 });
    const arrives = success && polys.size > 0 && polys.get(polys.size - 1) === to;
    const straight = arrives && this.#query.findStraightPath(a, b, polys, { maxStraightPathPoints: 2048 });
    const points = Array.from({ length: arrives ? straight.straightPathCount : 0 }, (_, i) => {
      return [straight.straightPath.get(3 * i), -straight.straightPath.get(3 * i + 2)];
    });
    polys.destroy?.();
    return arrives ? { points } : null;
  }

  destroy() {
    this.#query.destroy();
    this.#mesh.destroy();
  }
}
