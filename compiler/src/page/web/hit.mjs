// Which wall a trace met, as far as the walls are known: one with a face that, moved outward by the hull, lies in the
// plane that was hit, where the hull touches it; at edges and corners the nearest wall.

/** How near is in a plane and touching, in units: above what positions of walls are rounded by. */
const NEAR = 0.07;

/** `{ kind, number, face }` of the wall that stopped a hull; null if none is found. */
export function findWall(walls, hull, { plane, endPos }) {
  if (!plane) return null;
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const support = (normal) => normal.reduce((sum, x, k) => sum + Math.max(-x * hull.mins[k], -x * hull.maxs[k]), 0);
  const touches = (wall) => {
    const box = boxOf(wall);
    return [0, 1, 2].every((k) => {
      const [from, to] = [endPos[k] + hull.mins[k] - NEAR, endPos[k] + hull.maxs[k] + NEAR];
      return from <= box[1][k] && to >= box[0][k];
    });
  };
  const near = walls.filter((wall) => wall.contents & hull.contents && touches(wall));
  for (const wall of near) {
    const face = wall.faces.find(({ normal, corners }) => {
      const isAlong = dot(normal, plane.normal) > 0.99999;
      return isAlong && Math.abs(dot(normal, corners[0]) + support(normal) - plane.dist) < NEAR;
    });
    if (face) return { ...wall, face };
  }
  if (near.length === 0) return null;
  const [wall] = near;
  const alike = ({ normal }) => dot(normal, plane.normal);
  const face = wall.faces.reduce((best, other) => (alike(other) > alike(best) ? other : best));
  return { ...wall, face };
}

const boxes = new WeakMap();

/** Lower and upper corner of a wall. */
function boxOf(wall) {
  if (!boxes.has(wall)) {
    const corners = wall.faces.flatMap((face) => face.corners);
    const ends = [Math.min, Math.max].map((end) =>
      [0, 1, 2].map((k) => corners.reduce((found, corner) => end(found, corner[k]), corners[0][k])),
    );
    boxes.set(wall, ends);
  }
  return boxes.get(wall);
}
