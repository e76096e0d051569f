// Brushes of a file as the queries of shapes see them: the planes, corners and edges of one brush, the brushes near a
// moving box, and the brush and side of a contact. The file must hold the shapes of brushes.

import { FACE_LOOKS_BACK } from "./brushes.mjs";
import { BOX_MARGIN } from "./tolerance.mjs";
import { opposite } from "./vector.mjs";

/** The solids that queries have needed so far, by number, for the tables of each file. */
const known = new WeakMap();

/**
 * Returns the brush with this number in the file: its planes as `faces` and `bevels`, its `vertices`, and its `edges`
 * with their ends, their faces and the normals of these.
 */
export function solidOf(tables, number) {
  if (!known.has(tables)) known.set(tables, []);
  return (known.get(tables)[number] ??= readSolid(tables, number));
}

function readSolid(tables, number) {
  const { solids, corners, edges } = tables.shapes;
  const { firstFace, nFaces, nBevels, firstCorner, nCorners, firstEdge, nEdges } = solids[number];
  const each = (first, count, read) => Array.from({ length: count }, (_, i) => read(first + i));
  const faces = each(firstFace, nFaces, (face) => planeOf(tables, face));
  const vertices = each(firstCorner, nCorners, (corner) => [...corners.subarray(3 * corner, 3 * corner + 3)]);
  return {
    contents: tables.brushes[number].contents,
    faces,
    bevels: each(firstFace + nFaces, nBevels, (face) => planeOf(tables, face)),
    vertices,
    edges: each(firstEdge, nEdges, (edge) => {
      const [a, b, left, right] = edges.subarray(4 * edge, 4 * edge + 4);
      const normals = [faces[left].normal, faces[right].normal];
      return { ends: [vertices[a], vertices[b]], faces: [left, right], normals };
    }),
  };
}

/** Returns the plane of a face, facing outward. */
function planeOf({ shapes, normals, dists }, face) {
  const marked = shapes.faces[2 * face];
  const plane = marked % FACE_LOOKS_BACK;
  const normal = [...normals.subarray(3 * plane, 3 * plane + 3)];
  if (marked < FACE_LOOKS_BACK) return { normal, dist: dists[plane] };
  return { normal: opposite(normal), dist: 0 - dists[plane] };
}

/** Returns the hit of a shape that touched a face of a brush. */
export function touched({ map, tables }, number, face) {
  const { firstSide, ...brush } = tables.brushes[number];
  const solid = solidOf(tables, number);
  const side = tables.sides[tables.shapes.faces[2 * (tables.shapes.solids[number].firstFace + face) + 1]];
  const { normal, dist } = solid.faces[face];
  return {
    brush: { ...brush, entity: map.model(brush.model).entity },
    side: { number: side.number, isBevel: false, normal: [...normal], dist, surface: tables.surfaces[side.surface] },
  };
}

/**
 * Calls `onBrush` with the numbers of the brushes of a model whose boxes a moving box may touch, nearest first. Each
 * call returns the fraction of the way up to which the search goes on: 1 for all of it, less once something was met.
 * @param {{ start, end, mins, maxs }} sweep The way of the box's point, and the box relative to it.
 */
export function brushesNear({ boxes, boxesOfModels }, model, sweep, onBrush) {
  const look = (number) => {
    const from = firstTouch(boxes.bounds, number, sweep);
    return from === undefined ? null : { number, from };
  };
  const { first, nBoxes } = boxesOfModels[model];
  const pending = nBoxes > 0 ? [look(first)] : [];
  let limit = 1;
  while (pending.length > 0) {
    const next = pending.pop();
    if (!next || next.from > limit) continue;
    const second = boxes.seconds[next.number];
    if (second === 0) {
      limit = onBrush(boxes.brushes[next.number]);
      continue;
    }
    const [a, b] = [look(next.number + 1), look(second)];
    if (a && b && b.from < a.from) pending.push(a, b);
    else pending.push(b, a);
  }
}

/** Does the same for those of the brushes that have any of the contents, each with its solid. */
export function solidsNear({ index, tables }, contents, sweep, onSolid) {
  let limit = 1;
  brushesNear(tables.shapes, index, sweep, (number) => {
    const solid = solidOf(tables, number);
    if ((solid.contents & contents) !== 0) limit = onSolid(number, solid);
    return limit;
  });
}

/** Returns the first fraction of the way at which a sweep may touch a box, or undefined if it never does. */
function firstTouch(bounds, number, { start, end, mins, maxs }) {
  let [from, to] = [0, 1];
  for (let axis = 0; axis < 3; axis++) {
    const least = bounds[6 * number + axis] - maxs[axis] - BOX_MARGIN;
    const most = bounds[6 * number + 3 + axis] - mins[axis] + BOX_MARGIN;
    const step = end[axis] - start[axis];
    if (step === 0) {
      if (start[axis] < least || start[axis] > most) return undefined;
      continue;
    }
    const [a, b] = [(least - start[axis]) / step, (most - start[axis]) / step];
    const [near, far] = a < b ? [a, b] : [b, a];
    if (near > from) from = near;
    if (far < to) to = far;
  }
  return from <= to ? from : undefined;
}
