// What stops a player: the map, and its other models, such as doors and lifts, at rest where its entities put them. The
// answers are those of a scene of these models in the runtime.

import { retreat } from "stop.mjs";

/** Models farther than this from a hull are not asked, in units: far more than patches differ from their pieces. */
const REACH = 16;

const minus = (a, b) => a.map((x, k) => x - b[k]);

export class Doors {
  #world;
  #models;

  constructor(map) {
    this.#world = map.world();
    this.#models = Array.from({ length: map.nModels - 1 }, (_, i) => map.model(i + 1));
  }

  /** Moves a hull as in a map. `mover` is the number of the model that stopped it, less 1; null for the world. */
  trace(hull, start, end) {
    let first = { fraction: 1, hitFraction: 1, plane: null };
    let [startSolid, mover] = [false, null];
    for (const { model, origin } of this.#near(hull, start, end)) {
      const own = model.trace(hull, minus(start, origin), minus(end, origin));
      if (own.allSolid) return { ...own, start, end, endPos: [...start] };
      startSolid ||= own.startSolid;
      const isFirst = own.plane && (!first.plane || own.hitFraction < first.hitFraction);
      if (isFirst) [first, mover] = [own, model.index > 0 ? model.index - 1 : null];
    }
    const { fraction, hitFraction, plane } = first;
    const found = { hitFraction, plane, startSolid, allSolid: false, mover, own: first };
    if (!plane) return { fraction, endPos: [...end], ...found };
    return { ...retreat([start, end], fraction, (point) => !startSolid && this.isSolid(hull, point)), ...found };
  }

  isSolid(hull, point) {
    return this.#near(hull, point, point).some(({ model, origin }) => model.isSolid(hull, minus(point, origin)));
  }

  /** Returns what a trace met, as `Model.hit` does. */
  hit(hull, { plane, mover, own }) {
    const model = mover === null ? this.#world : this.#models[mover];
    return plane && model.hit(hull, own);
  }

  /** Returns the world and the models near a way, with their origins. */
  #near(hull, start, end) {
    const isNear = ({ mins, maxs, origin }) => origin.every((at, k) => {
      const [low, high] = start[k] < end[k] ? [start[k], end[k]] : [end[k], start[k]];
      return high + hull.maxs[k] + REACH > mins[k] + at && low + hull.mins[k] - REACH < maxs[k] + at;
    });
    const models = this.#models.filter(isNear).map((model) => ({ model, origin: model.origin }));
    return [{ model: this.#world, origin: [0, 0, 0] }, ...models];
  }
}
