// Convex sets of any corners: the corners in; what traces need of their convex hull out. Supports and normals are those
// of the reflected set. Names and the order of all arithmetic are those of Rust's `shape::polytope`.

import { ON_PLANE } from "./tolerance.mjs";
import { cross, direction, dot, larger, length, scale, sub } from "./vector.mjs";

const MAX_CORNERS = 32;
const MAX_FACES = 2 * MAX_CORNERS;
const MAX_EDGES = 3 * MAX_CORNERS;

/** A set of corners, relative to the middle of the box around them. It does not change. */
export class Polytope {
  /** The corners. */
  corners;
  /** The unit normals of the reflected set's faces. */
  normals;
  /** The direction of one edge of each direction. */
  edges = [];

  /** Returns the convex hull of corners, or null if they are too many, all in a plane, or too close to each other. */
  static hull(corners) {
    const faces = corners.length > MAX_CORNERS ? null : findFaces(corners);
    if (!faces || faces.length === 0) return null;
    const polytope = new Polytope();
    polytope.corners = corners;
    polytope.normals = faces.map(({ normal }) => scale(normal, -1));
    corners.forEach((end, b) => {
      for (const [a, start] of corners.slice(0, b).entries()) {
        const holdsBoth = ({ touching }) => touching[a] && touching[b];
        if (faces.filter(holdsBoth).length > 1) polytope.#addEdge(sub(start, end));
      }
    });
    return polytope.edges.length > MAX_EDGES ? null : polytope;
  }

  /** Adds the direction of an edge, unless there is one that is parallel within rounding error at both of their ends. */
  #addEdge(own) {
    const isParallel = (other) => length(cross(own, other)) <= ON_PLANE * Math.min(length(own), length(other));
    if (length(own) > ON_PLANE && !this.edges.some(isParallel)) this.edges.push(own);
  }

  /** Returns the extent of the reflected set along a direction, times the direction's length. */
  support(direction) {
    return this.corners.reduce((most, corner) => larger(most, -dot(direction, corner)), -Infinity);
  }
}

/** Returns the faces: the planes through three corners that no corner is in front of. Null if one holds all corners. */
function findFaces(corners) {
  const faces = [];
  for (let c = 0; c < corners.length; c++) {
    for (let b = 0; b < c; b++) {
      for (let a = 0; a < b; a++) {
        for (const numbers of [[a, b, c], [a, c, b]]) {
          const face = faceOf(corners, numbers);
          if (face?.touching.every((is) => is)) return null;
          if (face) addFace(faces, face);
          if (faces.length > MAX_FACES) return null;
        }
      }
    }
  }
  return faces;
}

/** Returns the face through three corners, counterclockwise from outside, or null if a corner is in front of it. */
function faceOf(corners, numbers) {
  const [a, b, c] = numbers.map((number) => corners[number]);
  const vector = direction(cross(sub(b, a), sub(c, a)));
  if (!vector) return null;
  const { unit: normal, length: area } = vector;
  const ahead = corners.map((corner) => dot(normal, sub(corner, a)));
  if (ahead.some((far) => far > ON_PLANE)) return null;
  return { numbers, normal, area, touching: ahead.map((far) => far >= -ON_PLANE) };
}

/** Adds a face, unless its corners are in the plane of another. The larger triangle stays. */
function addFace(faces, face) {
  const isKnown = ({ touching, normal }) => face.numbers.every((n) => touching[n]) && dot(normal, face.normal) > 0;
  const known = faces.findIndex(isKnown);
  if (known < 0) faces.push(face);
  else if (face.area > faces[known].area) faces[known] = face;
}
