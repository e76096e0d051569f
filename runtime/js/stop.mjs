// The answers to traces of shapes and to traces in scenes, and the retreat of a trace whose end would be rounded into
// solid. `shape.d.mts` describes the answers.

import { pos } from "./trace.mjs";

/** Number of ends that are tried for a trace, the wanted one and nearer ones, before it stays at its start. */
const MAX_RETREATS = 12;

/** Returns the answer for a motion that meets nothing. */
export function free(endPos) {
  const flags = { startSolid: false, allSolid: false };
  return { fraction: 1, hitFraction: 1, endPos: [...endPos], plane: null, ...flags, hit: null, mover: null };
}

/** Returns the answer for a motion that never leaves solid. */
export function heldAt(start) {
  return { ...free(start), fraction: 0, startSolid: true, allSolid: true };
}

/**
 * Returns the end of a trace at the fraction `wanted`, as `fraction` and `endPos`: nearer to the start, which is not
 * solid, if rounding would put it into solid.
 */
export function retreat(ends, wanted, isSolid) {
  let fraction = wanted;
  for (let retreats = 1; retreats <= MAX_RETREATS && fraction > 0; retreats++) {
    const endPos = pos(...ends, fraction);
    if (!isSolid(endPos, fraction)) return { fraction, endPos };
    fraction = wanted - (wanted * 2 ** retreats) / 2 ** MAX_RETREATS;
  }
  return { fraction: 0, endPos: [...ends[0]] };
}
