// Answers a batch of queries with the reader in JavaScript, in the CSV bytes of `onionc trace` and `onionc point`:
// `node trace.mjs MODULES trace FILE --hull NAME --batch CSV [--margin S] [--model N] [--hits]`, and `MODULES point FILE
// --batch CSV`. Exits with 4 if the file is damaged.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const names = ["hull", "batch", "margin", "model"];
const options = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
const { values: given, positionals } = parseArgs({
  options: { ...options, hits: { type: "boolean" } },
  allowPositionals: true,
});
const [modules, command, file] = positionals;
const { DEFAULT_MARGIN, fromBytes } = await import(pathToFileURL(`${modules}/onion.mjs`));
const TRACE = "fraction,hit_fraction,end_x,end_y,end_z,normal_x,normal_y,normal_z,dist,start_solid,all_solid";
const HIT = ",source,number,side,bevel,surface,contents";

const flag = (holds) => (holds ? "1" : "0");
/** Rust prints infinity as `inf`. */
const number = (text) => Number(text.replace("inf", "Infinity"));

/**
 * Formats a number as Rust prints it: the shortest digits that identify it, without an exponent; of two equally near
 * candidates the larger. `String` takes the even one, `toExponential` with a number of digits the larger.
 */
function formatNumber(x) {
  if (Number.isNaN(x)) return "NaN";
  const sign = x < 0 || Object.is(x, -0) ? "-" : "";
  const size = Math.abs(x);
  if (size === Infinity) return `${sign}inf`;
  const shortest = size.toExponential();
  const nDigits = shortest.indexOf("e") - (shortest[1] === "." ? 1 : 0);
  const [mantissa, exponent] = size.toExponential(nDigits - 1).split("e");
  const digits = mantissa.replace(".", "");
  const point = Number(exponent) + 1;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits.padEnd(point, "0");
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

function traceRow({ fraction, hitFraction, endPos, plane, startSolid, allSolid }) {
  const { normal, dist } = plane ?? { normal: [0, 0, 0], dist: 0 };
  const numbers = [fraction, hitFraction, ...endPos, ...normal, dist].map(formatNumber);
  return [...numbers, flag(startSolid), flag(allSolid)].join();
}

function hitRow(hit) {
  if (!hit) return ",,,,,,";
  const { brush, side } = hit;
  return ["", brush.source, brush.number, side.number, flag(side.isBevel), side.surface.name, brush.contents].join();
}

function read() {
  try {
    return fromBytes(readFileSync(file));
  } catch (error) {
    if (error.constructor !== Error) throw error;
    process.exit(4);
  }
}

const map = read();
const model = map.model(Number(given.model ?? 0)).withMargin(number(given.margin ?? String(DEFAULT_MARGIN)));
const [, ...lines] = readFileSync(given.batch, "utf8").trimEnd().split("\n");
const queries = lines.map((line) => line.split(",").map(number));
let rows;
if (command === "point") {
  const header = map.hulls.map(({ name }) => name).join();
  rows = [header, ...queries.map((at) => map.hulls.map((hull) => flag(model.isSolid(hull, at))).join())];
} else {
  const hull = map.findHull(given.hull);
  const row = (query) => {
    const trace = model.trace(hull, query.slice(0, 3), query.slice(3));
    return traceRow(trace) + (given.hits ? hitRow(model.hit(hull, trace)) : "");
  };
  rows = [TRACE + (given.hits ? HIT : ""), ...queries.map(row)];
}
writeFileSync(1, `${rows.join("\n")}\n`);
