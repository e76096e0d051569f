#!/usr/bin/env node
// The commands `trace` and `point` of `onionc`, answered by onion.mjs: the same options, the same CSV bytes, the same
// exit codes.

import { readFileSync, writeSync } from "node:fs";
import { DEFAULT_MARGIN, fromBytes } from "./onion.mjs";

const USAGE = `Usage: node cli.mjs trace FILE --hull NAME (--from X,Y,Z --to X,Y,Z | --batch FILE.csv) [--margin S] [--model N]
                             [--hits]
       node cli.mjs point FILE (--at X,Y,Z | --batch FILE.csv) [--model N]

The first line of a batch names its columns, in any order: sx,sy,sz,ex,ey,ez for trace, x,y,z for point.
Each other line is a query.
Exit codes: 0 done, 2 command line not understood, 3 a file cannot be read, 4 a file is damaged or not
what it should be, 5 the answer cannot be written.
`;

/** Exit codes, as `onionc --help` lists them. */
const BAD_USAGE = 2;
const CANNOT_READ = 3;
const BAD_INPUT = 4;
const CANNOT_WRITE = 5;

const TRACE_HEADER =
  "fraction,hit_fraction,end_x,end_y,end_z,normal_x,normal_y,normal_z,dist,start_solid,all_solid";

const HIT_HEADER = ",source,number,side,bevel,surface,contents";

/** Approximate number of characters per write. */
const WRITE_SIZE = 1 << 16;

/** For each command, the options it takes, and those that give a single query. */
const COMMANDS = {
  trace: { run: runTrace, options: ["hull", "from", "to", "batch", "margin", "model", "hits"], query: ["from", "to"] },
  point: { run: runPoint, options: ["at", "batch", "model"], query: ["at"] },
};

/** The numbers that Rust parses; except for the words, they are numbers in JavaScript, too. */
const NUMBER = /^[+-]?(?:(\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)$/i;
const BLANKS = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** An error with its exit code. */
class Failure extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Runs a command and returns the lines of its answer. Only writing them can fail after that. */
function main(args) {
  if (args.includes("--help") || args.includes("-h")) return [USAGE];
  const { command, file, options } = parseArguments(args);
  const map = readMap(file);
  const number = options.model ?? 0;
  const model = map.model(number);
  if (model === undefined) {
    throw new Failure(BAD_USAGE, `--model ${number}: the file has models 0 to ${map.nModels - 1}`);
  }
  return command.run(map, model, options);
}

function runTrace(map, model, options) {
  const hull = map.findHull(options.hull);
  if (hull === undefined) {
    const names = map.hulls.map(({ name }) => name).join(", ");
    throw new Failure(BAD_USAGE, `--hull ${options.hull}: the file has ${names}`);
  }
  const segments = options.batch ? readBatch(options.batch, ["sx", "sy", "sz", "ex", "ey", "ez"]) : [[...options.from, ...options.to]];
  const tracer = model.withMargin(options.margin ?? DEFAULT_MARGIN);
  if (!options.hits) return table(TRACE_HEADER, segments, (segment) => traceRow(traceAlong(tracer, hull, segment)));
  if (!map.hasHits) {
    throw new Failure(BAD_USAGE, "--hits: the file has no hit data; compile it without --no-surfaces");
  }
  return table(TRACE_HEADER + HIT_HEADER, segments, (segment) => {
    const trace = traceAlong(tracer, hull, segment);
    return traceRow(trace) + hitRow(tracer.hit(hull, trace));
  });
}

function traceAlong(tracer, hull, segment) {
  return tracer.trace(hull, segment.slice(0, 3), segment.slice(3));
}

function runPoint(map, model, options) {
  const points = options.batch ? readBatch(options.batch, ["x", "y", "z"]) : [options.at];
  return table(map.hulls.map(({ name }) => name).join(), points, (point) =>
    map.hulls.map((hull) => flag(model.isSolid(hull, point))).join(),
  );
}

function traceRow({ fraction, hitFraction, endPos, plane, startSolid, allSolid }) {
  const { normal, dist } = plane ?? { normal: [0, 0, 0], dist: 0 };
  const numbers = [fraction, hitFraction, ...endPos, ...normal, dist].map(formatNumber);
  return [...numbers, flag(startSolid), flag(allSolid)].join();
}

/** Returns the columns of a hit, each after its comma. A name that contains a comma or quotes is quoted. */
function hitRow(hit) {
  if (!hit) return ",,,,,,";
  const { brush, side } = hit;
  const { name } = side.surface;
  const quoted = /[,"\n\r]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
  return ["", brush.source, brush.number, side.number, flag(side.isBevel), quoted, brush.contents].join();
}

function* table(header, queries, answer) {
  yield `${header}\n`;
  for (const query of queries) yield `${answer(query)}\n`;
}

function flag(holds) {
  return holds ? "1" : "0";
}

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

// ---- Input ----

function parseArguments([name, ...rest]) {
  if (!Object.hasOwn(COMMANDS, name ?? "")) throw new Failure(BAD_USAGE, "the commands are trace and point");
  const command = COMMANDS[name];
  const files = [];
  const given = {};
  while (rest.length > 0) {
    const argument = rest.shift();
    if (!argument.startsWith("--")) {
      files.push(argument);
      continue;
    }
    const [, option, inline] = /^--([^=]*)(?:=(.*))?$/s.exec(argument);
    if (!command.options.includes(option)) throw new Failure(BAD_USAGE, `--${option} is no option of ${name}`);
    const isFlag = option === "hits";
    const value = inline ?? (isFlag || rest.shift());
    if (isFlag && inline !== undefined) throw new Failure(BAD_USAGE, "--hits takes no value");
    if (value === undefined) throw new Failure(BAD_USAGE, `--${option} needs a value`);
    if (Object.hasOwn(given, option)) throw new Failure(BAD_USAGE, `--${option} is given twice`);
    given[option] = parseOption(option, value);
  }
  if (files.length !== 1) throw new Failure(BAD_USAGE, "give one file");
  if (name === "trace" && given.hull === undefined) throw new Failure(BAD_USAGE, "--hull is missing");
  const single = command.query.filter((option) => given[option] !== undefined).length;
  const isOneWay = given.batch === undefined ? single === command.query.length : single === 0;
  const ways = command.query.map((option) => `--${option}`).join(" and ");
  if (!isOneWay) throw new Failure(BAD_USAGE, `give either ${ways}, or --batch`);
  return { command, file: files[0], options: given };
}

function parseOption(option, text) {
  const wrong = (what) => new Failure(BAD_USAGE, `--${option} ${JSON.stringify(text)}: give ${what}`);
  if (option === "margin") {
    if (!NUMBER.test(text)) throw wrong("a number of units");
    return parseNumber(text);
  }
  if (option === "model") {
    if (!/^\+?\d+$/.test(text)) throw wrong("the number of a model");
    return Number(text);
  }
  if (["hull", "batch", "hits"].includes(option)) return text;
  const inner = text.replace(BLANKS, "").replace(/^\((.*)\)$/s, "$1").replace(BLANKS, "");
  const numbers = parseNumbers(inner.includes(",") ? inner : inner.split(/\s+/).join(), 3);
  if (!numbers?.every(Number.isFinite)) throw wrong("three numbers, such as 0,-16,24.5");
  return numbers;
}

/** Returns the numbers of a line, or undefined if there are not exactly `count`. */
function parseNumbers(line, count) {
  const fields = line.split(",").map((field) => field.replace(BLANKS, ""));
  if (fields.length !== count || !fields.every((field) => NUMBER.test(field))) return undefined;
  return fields.map(parseNumber);
}

function parseNumber(text) {
  if (/n$|y$|f$/i.test(text)) {
    if (/nan$/i.test(text)) return NaN;
    return text.startsWith("-") ? -Infinity : Infinity;
  }
  return Number(text);
}

function readFile(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Failure(CANNOT_READ, `cannot read ${path}: ${error.message}`);
  }
}

function readMap(path) {
  const bytes = readFile(path);
  try {
    return fromBytes(bytes);
  } catch (error) {
    throw new Failure(BAD_INPUT, `${path}: ${error.message}`);
  }
}

/** Reads the queries of a CSV file, with their numbers in the order of `columns`, which its first line names. */
function readBatch(path, columns) {
  const bytes = readFile(path);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(BAD_INPUT, `${path}: not UTF-8 text; give a CSV file`);
  }
  const [header, ...lines] = text.split("\n").map((line) => line.replace(BLANKS, ""));
  const names = header.split(",").map((name) => name.replace(BLANKS, ""));
  const order = columns.map((column) => names.indexOf(column));
  if (names.length !== columns.length || order.includes(-1)) {
    const expected = `line 1 must name the columns ${columns.join()} (in any order)`;
    throw new Failure(BAD_INPUT, `${path}: ${expected}, but is ${JSON.stringify(header)}`);
  }
  const queries = [];
  lines.forEach((line, i) => {
    if (line === "") return;
    const numbers = parseNumbers(line, columns.length);
    if (!numbers) {
      const found = `found ${JSON.stringify(line)}`;
      throw new Failure(BAD_INPUT, `${path}: line ${i + 2}: expected ${columns.length} numbers, ${found}`);
    }
    queries.push(order.map((place) => numbers[place]));
  });
  return queries;
}

// ---- Output ----

/** Writes lines to standard output in large blocks. */
function write(lines) {
  let text = "";
  for (const line of lines) {
    text += line;
    if (text.length >= WRITE_SIZE) {
      writeAll(text);
      text = "";
    }
  }
  writeAll(text);
}

/** Writes all of a text; the pipe may accept it in parts, or be full for a while. */
function writeAll(text) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code === "EAGAIN") continue;
      if (error.code === "EPIPE") process.exit(0); // The reader closed the pipe, so the rest is not wanted.
      throw new Failure(CANNOT_WRITE, `cannot write to standard output: ${error.message}`);
    }
  }
}

try {
  write(main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`onion.mjs: error: ${error.message}\n`);
  process.exitCode = error.code;
}
