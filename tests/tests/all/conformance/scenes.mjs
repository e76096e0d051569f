// Answers queries of contents, shapes and scenes with the reader in JavaScript: `node scenes.mjs MODULES MAP QUERIES
// ANSWERS`. Queries and answers are files of numbers in double precision; tests/tests/all/scene_bits.rs defines them.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, file, asked, answered] = process.argv.slice(-4);
const module = (name) => import(pathToFileURL(`${modules}/${name}.mjs`));
const [{ fromBytes }, { atan2, cos, sin }] = [await module("onion"), await module("libm")];
const { Shape, contentsAt, shapeIsSolid, traceShape } = await module("shape");
const { Mover, Pose, Scene } = await module("scene");

const map = fromBytes(readFileSync(file));
const bytes = readFileSync(asked);
const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
let at = 0;
const next = () => words.getFloat64((at += 8) - 8, true);
const several = (count) => Array.from({ length: count }, next);
const point = () => several(3);
const flag = Number;

function shape() {
  const kind = next();
  if (kind === 0) return Shape.axialBox(point(), point());
  if (kind === 1) return Shape.sphere(point(), next());
  if (kind === 2) return Shape.capsule(point(), point(), next());
  if (kind === 3) return Shape.orientedBox(point(), point(), [point(), point(), point()]);
  if (kind === 4) return Shape.cylinder(point(), next(), next(), next());
  return Shape.convex(Array.from({ length: next() }, point));
}

function pose() {
  const kind = next();
  if (kind === 0) return Pose.at(point());
  return kind === 1 ? Pose.turned(point(), point(), next()) : Pose.quaternion(point(), several(4));
}

function scene() {
  const margin = next();
  const movers = Array.from({ length: next() }, () => new Mover(next(), pose(), pose()));
  return new Scene(map, movers).withMargin(margin);
}

function hitNumbers(hit) {
  if (!hit) return Array(13).fill(NaN);
  const { brush, side } = hit;
  const { flags, contents } = side.surface;
  const ofBrush = [flag(brush.source === "patch"), brush.number, brush.contents, brush.model, brush.entity ?? -1];
  return [...ofBrush, side.number, flag(side.isBevel), flags, contents, ...side.normal, side.dist];
}

function traceNumbers({ fraction, hitFraction, endPos, plane, startSolid, allSolid, mover, hit }) {
  const flags = [flag(startSolid), flag(allSolid), mover ?? -1];
  return [fraction, hitFraction, ...endPos, ...(plane?.normal ?? [NaN, NaN, NaN]), ...flags, ...hitNumbers(hit)];
}

const QUERIES = [
  () => [contentsAt(map.model(next()), point())],
  () => traceNumbers(traceShape(map.model(next()).withMargin(next()), shape(), next(), point(), point())),
  () => [flag(shapeIsSolid(map.model(next()), shape(), next(), point()))],
  () => traceNumbers(scene().trace(map.hulls[next()], point(), point())),
  () => [flag(scene().isSolid(map.hulls[next()], point(), next()))],
  () => [next()].flatMap((x) => [sin(x), cos(x), atan2(Math.abs(next()), Math.abs(x))]),
];
const answers = [];
while (at < words.byteLength) answers.push(...QUERIES[next()]());
writeFileSync(answered, Float64Array.from(answers));
