// The colors of the page, which are those of `onionc render`: bands of hulls, walls by their contents, and costs.

/** Bits of contents. */
const SOLID = 1 | 2;

const BANDS = [[246, 176, 77], [232, 115, 85], [190, 75, 123], [125, 79, 166], [68, 116, 184], [50, 156, 147]];
const ROCK = [108, 123, 142];
const HEAT = [[247, 244, 236], [251, 221, 152], [246, 164, 79], [224, 90, 58], [163, 31, 76], [74, 16, 79]];

/** Returns the color of the band of a hull by its rank from the largest. */
export function band(rank, nHulls) {
  return rank + 1 === nHulls ? ROCK : BANDS[rank % BANDS.length];
}

/** Returns the color of a cost: 0 is few nodes, 1 is many. */
export function heat(part) {
  const place = Math.min(Math.max(part, 0), 1) * (HEAT.length - 1);
  const first = Math.min(Math.floor(place), HEAT.length - 2);
  return HEAT[first].map((x, k) => 0.9 * (x + (HEAT[first + 1][k] - x) * (place - first)));
}

/** Returns whether a wall is transparent: its contents are not solid to the eye, as those of a clip. */
export function isClear(wall) {
  return (wall.contents & SOLID) === 0;
}

/** Returns the color of a face of a wall. */
export function material(wall, face) {
  if (isClear(wall)) return [146, 112, 214];
  if (wall.model > 0) return [70, 146, 204];
  const base = wall.kind === "patch" ? [206, 216, 214] : ofNormal(face.normal);
  // Textures differ slightly, so that the border between two is visible.
  const shade = ((face.surface * 2654435761) >>> 0) / 2 ** 32 - 0.5;
  return base.map((x, k) => Math.min(255, Math.max(0, x + shade * [16, 12, 20][k])));
}

/** Returns the color of a face of a skin or a wall: floors are warm, ceilings cool. */
export function ofNormal([, , z]) {
  if (z > 0.7) return [222, 207, 180];
  return z < -0.7 ? [196, 205, 214] : [231, 227, 219];
}
