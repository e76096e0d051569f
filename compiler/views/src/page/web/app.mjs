// The page: reads the level, builds its meshes, and shows what the player sees, with layers, a slice and the brush
// that a click hit.

import { Bots, pathTo } from "bots.mjs";
import { band, heat, isClear, material, ofNormal } from "colors.mjs";
import { Doors } from "doors.mjs";
import { Mesh, Screen, look } from "gpu.mjs";
import { beginning, places, readLevel } from "level.mjs";
import { Player } from "player.mjs";
import { skin } from "skins.mjs";
import { Slice } from "slice.mjs";
import { hasHull } from "tables.mjs";

const $ = (id) => document.getElementById(id);
const canvas = $("view");

function fail(error) {
  $("facts").textContent = error.message;
  $("start").hidden = true;
  document.body.dataset.error = error.message;
  throw error;
}

const level = await readLevel().catch(fail);
const { map, walls, about } = level;
const volume = ({ mins, maxs }) => [0, 1, 2].reduce((all, k) => all * (maxs[k] - mins[k] + 1), 1);
/** The hulls from the largest. */
const hulls = [...map.hulls].sort((one, other) => volume(other) - volume(one));
const isSameAgent = (hull, other) => about.stances[hull.index].includes(other.index);
const lower = (hull) => hulls.find((other) => isSameAgent(hull, other) && other.maxs[2] < hull.maxs[2]);
const player = new Player(map, hulls[0], lower(hulls[0]), beginning(map, hulls[0]));
const screen = new Screen(canvas);
const slice = new Slice($("slice"));

// ---- Meshes ----

const meshes = {};
/** Returns the mesh of a name, which is made when it is first shown. */
function mesh(name, make) {
  meshes[name] ??= screen.upload(make());
  return meshes[name];
}

const mostNodes = walls.reduce((most, wall) => Math.max(most, wall.nodes), 1);

function wallsMesh(wanted, isHot) {
  const made = new Mesh();
  for (const wall of walls.filter(wanted)) {
    for (const face of wall.faces) {
      const color = isHot ? heat(Math.log1p(wall.nodes) / Math.log1p(mostNodes)) : material(wall, face);
      made.polygon(face.corners, face.normal, color);
    }
  }
  return made;
}

/** Makes the skin of a hull: of what stops the player as a level to walk in, or of the world in the colors of bands. */
function skinMesh(hull, isLevel, isWanted = () => true) {
  const made = new Mesh();
  const reach = [0, 1, 2].map((k) => Math.max(-hull.mins[k], hull.maxs[k]) + 2);
  for (let index = 0; index < (isLevel && on.doors ? map.nModels : 1); index++) {
    const { mins, maxs, origin } = map.model(index);
    const bounds = [mins.map((x, k) => x - reach[k]), maxs.map((x, k) => x + reach[k])];
    skin(level.tables, index, hull.index, bounds, (corners, normal, leaf) => {
      const solid = hulls.filter((other) => hasHull(level.tables.leaves, leaf, other.index));
      if (!isWanted(solid)) return;
      const rank = hulls.indexOf(solid.at(-1));
      const color = isLevel ? (index ? [70, 146, 204] : ofNormal(normal)) : band(rank, hulls.length);
      made.polygon(corners.map((corner) => corner.map((x, k) => x + origin[k])), normal, color);
    });
  }
  return made;
}

function marksMesh() {
  const made = new Mesh();
  for (const { class: name, origin: [x, y, z], angle } of places(map)) {
    const isStart = /^info_player|spawn/.test(name);
    if (!isStart && !/^(item_|weapon_|ammo_|holdable_|key_|team_|monster_|info_)/.test(name)) continue;
    const color = isStart ? [30, 158, 90] : /^(info_|team_)/.test(name) ? [140, 107, 200] : [226, 161, 18];
    if (!isStart) {
      made.box([x - 5, y - 5, z - 5], [x + 5, y + 5, z + 5], color);
      continue;
    }
    // A plate on the floor, with a beam in the direction that the player faces.
    const turn = (angle * Math.PI) / 180;
    made.box([x - 8, y - 8, z - 23], [x + 8, y + 8, z - 22], color);
    made.beam([x, y, z - 22], [x + Math.cos(turn) * 26, y + Math.sin(turn) * 26, z - 22], 0.8, color);
  }
  return made;
}

function pathMesh(points, color) {
  const made = new Mesh();
  points.slice(1).forEach((point, i) => made.beam(points[i], point, 3, color));
  return made;
}

/** Makes the floors of a hull, where its feet are: a little higher, so that they are in front of what is below. */
function floorsMesh(hull, color) {
  const made = new Mesh();
  for (const { corners, normal } of map.floors(hull)) {
    made.polygon(corners.map(([x, y, z]) => [x, y, z + hull.mins[2] + 0.5]), normal, color);
  }
  return made;
}

// ---- Layers ----

const rgb = (color) => `rgb(${color.map(Math.round).join(" ")})`;
/** The layers that are on: walls or skins to walk in, and everything shown besides. */
const on = { base: walls.length > 0 ? "walls" : "skin", low: false, entities: true, leak: true, doors: true, clips: false };
hulls.forEach((hull) => (on[`skin ${hull.name}`] = on[`floors ${hull.name}`] = false));
/** The bots, if there are any, and how many the layer has. */
let bots = null;
const N_BOTS = 100;
const setBots = (count) => (bots = count > 0 ? new Bots(map, count) : null);

function layer(label, color, isOn, set, note = "", group = "") {
  const line = document.createElement("label");
  const box = document.createElement("input");
  box.type = group ? "radio" : "checkbox";
  if (group) box.name = group;
  box.checked = isOn;
  box.addEventListener("change", () => set(box.checked));
  line.append(box);
  if (color) {
    const dot = document.createElement("i");
    dot.style.background = rgb(color);
    line.append(dot);
  }
  line.append(label);
  const small = document.createElement("small");
  small.textContent = note;
  line.append(small);
  $("layers").append(line);
  return box;
}

function heading(text) {
  const made = document.createElement("h2");
  made.textContent = text;
  $("layers").append(made);
}

const size = ({ mins, maxs }) => (volume({ mins, maxs }) === 1 ? "point" : [0, 1, 2].map((k) => maxs[k] - mins[k]).join("×"));
const hullBoxes = [];
heading("walk as");
hulls.forEach((hull, i) => {
  const set = () => choose(i);
  const box = layer(hull.name, null, i === 0, set, size(hull), "hull");
  if (i < 9) box.parentElement.insertAdjacentHTML("beforeend", `<kbd>${i + 1}</kbd>`);
  hullBoxes.push(box);
});
heading("level");
const base = (name) => () => (on.base = name);
if (walls.length > 0) layer("walls", [231, 227, 219], on.base === "walls", base("walls"), "", "base");
layer("skin of the hull", [196, 205, 214], on.base === "skin", base("skin"), "", "base");
if (walls.some((wall) => wall.nodes > 0)) {
  layer("costs", heat(0.6), false, base("costs"), `≤ ${mostNodes}`, "base");
}
heading("skins");
hulls.forEach((hull, i) => {
  layer(hull.name, band(i, hulls.length), false, (isOn) => (on[`skin ${hull.name}`] = isOn));
});
const low = lower(hulls[0]);
if (low) {
  layer(`only ${low.name} fits`, band(0, hulls.length), false, (isOn) => (on.low = isOn));
}
if (map.hasFloors) {
  heading("floors");
  hulls.forEach((hull, i) => {
    if (map.floors(hull).length === 0) return;
    layer(hull.name, band(i, hulls.length), false, (isOn) => (on[`floors ${hull.name}`] = isOn), map.floors(hull).length);
  });
}
if (map.hasLinks) layer(`${N_BOTS} bots`, null, false, (isOn) => setBots(isOn ? N_BOTS : 0));
heading("marks");
if (map.entities) layer("entities", [30, 158, 90], true, (isOn) => (on.entities = isOn));
if (map.nModels > 1) layer("doors, lifts", [70, 146, 204], true, setDoors);
if (walls.some(isClear)) layer("clips", [146, 112, 214], false, (isOn) => (on.clips = isOn));
if (about.leak.length > 1) layer("leak", [214, 48, 49], true, (isOn) => (on.leak = isOn));

/** Shows doors, which then stop the player, or neither. */
function setDoors(isOn) {
  on.doors = isOn;
  player.world = isOn ? new Doors(map) : map;
}

function choose(i) {
  if (!hulls[i]) return;
  player.hull = hulls[i];
  player.crouch = lower(hulls[i]);
  player.agent.switchStance(player.world, hulls[i]);
  hullBoxes[i].checked = true;
}

/** Returns the meshes to be drawn. */
function items() {
  const { hull } = player;
  const list = [];
  const add = (name, make, opacity = 1) => list.push({ mesh: mesh(name, make), opacity });
  if (on.base === "skin") add(`level ${hull.name} ${on.doors}`, () => skinMesh(hull, true));
  else {
    const isHot = on.base === "costs";
    const isOpaque = (wall) => !isClear(wall);
    add(on.base, () => wallsMesh((wall) => wall.model === 0 && isOpaque(wall), isHot));
    if (on.doors) add("doors", () => wallsMesh((wall) => wall.model > 0 && isOpaque(wall), false), 0.55);
    if (on.clips) add("clips", () => wallsMesh(isClear, false), 0.16);
  }
  for (const hull of hulls) {
    if (on[`skin ${hull.name}`]) add(`skin ${hull.name}`, () => skinMesh(hull, false), 0.5);
  }
  hulls.forEach((hull, i) => {
    if (on[`floors ${hull.name}`]) add(`floors ${hull.name}`, () => floorsMesh(hull, band(i, hulls.length)), 0.6);
  });
  for (const { agent, agentClass } of bots?.all ?? []) list.push(boxOf(agent, band(agentClass.number, Infinity)));
  if (on.low) {
    add("low", () => skinMesh(hulls[0], false, (solid) => !solid.includes(low)), 0.75);
  }
  if (on.entities) add("marks", marksMesh);
  if (on.leak && about.leak.length > 1) add("leak", () => pathMesh(about.leak, [214, 48, 49]));
  if (shot) list.push({ mesh: shot });
  if (way) list.push({ mesh: way });
  if (player.isFlying) list.push(boxOf(player.agent));
  return list;
}

/** Returns the box of an agent, seen from outside. */
function boxOf({ stance, position }, color = [30, 158, 90]) {
  const made = mesh(`box ${stance.name} ${color}`, () => {
    const cage = new Mesh();
    cage.cage(stance.mins, stance.maxs, 0.8, color);
    return cage;
  });
  return { mesh: made, offset: position };
}

// ---- Paths ----

/** The path of the player, as a mesh, or null. */
let way = null;

/** Lets the player walk to a position of its hull, and shows the path. Returns whether there is one. */
function go(goal) {
  const { agent, hull } = player;
  const found = map.hasLinks && map.nearestFloor(hull, goal, NEAR_GOAL);
  const points = found ? pathTo(map, agent, found.point, hull) : null;
  if (way) screen.drop(way);
  way = points && screen.upload(pathMesh(points.map(({ position: [x, y, z], hull: { mins } }) => [x, y, z + mins[2] + 4]), [46, 134, 193]));
  player.follow(points && { points, agentClass: map.agentOf(hull) });
  return points !== null;
}

/** Greatest distance from what the player looks at to the floor that it walks to, in units. */
const NEAR_GOAL = 128;

/** Lets the player walk to where it looks. */
function goAhead() {
  const start = player.position;
  const { endPos } = player.world.trace(player.hull, start, start.map((x, k) => x + player.direction[k] * 8192));
  const isThere = go(endPos);
  $("hit").hidden = isThere;
  $("hit").textContent = map.hasLinks ? "no way leads there" : "to walk there, compile the map with --floors";
}

// ---- Hits of clicks ----

/** Describes a hit in a few words. */
function described({ brush, side: { number, isBevel, surface } }) {
  const side = isBevel ? ` · bevel at side ${number}` : brush.source === "brush" ? ` · side ${number}` : "";
  return `${brush.source} ${brush.number}${side} · ${surface.name || "no surface"}`;
}

let shot = null;
function shoot() {
  const start = player.position;
  const end = start.map((x, k) => x + player.direction[k] * 8192);
  const hull = player.agent.stance;
  const trace = player.world.trace(hull, start, end);
  const made = new Mesh();
  const color = trace.plane ? [214, 80, 48] : [120, 130, 142];
  const from = start.map((x, k) => x + player.direction[k] * 24);
  made.beam(from, trace.endPos, 0.5, color);
  made.cage(trace.endPos.map((x, k) => x + hull.mins[k]), trace.endPos.map((x, k) => x + hull.maxs[k]), 0.7, color);
  if (shot) screen.drop(shot);
  shot = screen.upload(made);
  const hit = map.hasHits ? player.world.hit(hull, trace) : null;
  const title = !trace.plane ? "nothing hit" : hit ? described(hit) : "hit";
  const numbers = (list) => list.map((x) => +x.toFixed(3)).join(" ");
  const length = Math.hypot(...trace.endPos.map((x, k) => x - start[k]));
  const normal = trace.plane ? `normal ${numbers(trace.plane.normal)} · ` : "";
  $("hit").hidden = false;
  $("hit").innerHTML = "<b></b><span></span>";
  $("hit").firstChild.textContent = title;
  $("hit").lastChild.textContent = `${hull.name} stops at ${numbers(trace.endPos)} · ${normal}${length.toFixed(1)} units`;
  return { trace, title };
}

// ---- Input ----

const isTouch = matchMedia("(pointer: coarse)").matches;
const HELP = [["W A S D", "walk"], ["space", "jump"], ["C", "crouch"], ["click", "trace"], ["G", "go there"], ["F", "fly"], ["M", "larger slice"], ["1 – 9", "hull"], ["esc", "free the mouse"]];
const keyLine = (keys) => keys.split(" ").map((key) => (key === "–" ? "–" : `<kbd>${key}</kbd>`)).join(" ");
$("help").innerHTML = HELP.map(([keys, what]) => `<span>${keyLine(keys)}</span><span>${what}</span>`).join("");
$("keys").innerHTML = isTouch
  ? ["left thumb: walk", "right thumb: look", "tap: trace"].join("<br>")
  : HELP.slice(0, 5).map(([keys, what]) => `${keyLine(keys)} ${what}`).join(" &nbsp; ");
$("facts").textContent = `${hulls.map((hull) => hull.name).join(", ")} · ${about.nodes} nodes · ${Math.ceil(about.bytes / 1024)} KB`;
if (isTouch) {
  document.body.classList.add("touch");
  $("touch").hidden = false;
}

$("menu").addEventListener("click", () => $("layers").classList.toggle("open"));
$("slice").addEventListener("click", () => $("slice").classList.toggle("large"));

let isIn = false;
function enter() {
  isIn = true;
  $("veil").classList.add("gone");
  if (!isTouch) canvas.requestPointerLock?.()?.catch?.(() => {});
  canvas.focus();
}
$("veil").addEventListener("click", enter);
canvas.addEventListener("mousedown", () => {
  if (isTouch) return;
  if (document.pointerLockElement !== canvas) canvas.requestPointerLock?.()?.catch?.(() => {});
  else shoot();
});
document.addEventListener("mousemove", (event) => {
  if (document.pointerLockElement === canvas) player.turn(event.movementX * 0.0022, -event.movementY * 0.0022);
});
document.addEventListener("keydown", (event) => {
  if (event.code === "Enter" && !isIn) enter();
  if (player.key(event.code, true)) event.preventDefault();
  if (event.repeat) return;
  if (event.code === "KeyG") goAhead();
  if (event.code === "KeyF") player.toggleFlight();
  if (event.code === "KeyT") shoot();
  if (event.code === "KeyM") $("slice").classList.toggle("large");
  if (event.code.startsWith("Digit")) choose(Number(event.code.slice(5)) - 1);
});
document.addEventListener("keyup", (event) => player.key(event.code, false));
addEventListener("blur", () => player.keys.clear());

/** Handles fingers: the stick, the view, and buttons. */
function touchInput() {
  const fingers = new Map();
  const knob = $("stick").querySelector("i");
  const hold = (id, key) => {
    $(id).addEventListener("pointerdown", () => player.key(key, true));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) $(id).addEventListener(end, () => player.key(key, false));
  };
  hold("jump", "Space");
  hold("crouch", "KeyC");
  $("fly").addEventListener("click", () => {
    player.toggleFlight();
    $("fly").classList.toggle("on", player.isFlying);
  });
  const moveStick = ({ clientX, clientY }) => {
    const box = $("stick").getBoundingClientRect();
    const [x, y] = [(clientX - box.x) / 64 - 1, (clientY - box.y) / 64 - 1];
    const length = Math.max(Math.hypot(x, y), 1);
    player.stick = [x / length, -y / length];
    knob.style.translate = `${(x / length) * 40}px ${(y / length) * 40}px`;
  };
  $("stick").addEventListener("pointerdown", (event) => {
    $("stick").setPointerCapture(event.pointerId);
    moveStick(event);
  });
  $("stick").addEventListener("pointermove", (event) => event.buttons && moveStick(event));
  for (const end of ["pointerup", "pointercancel"]) {
    $("stick").addEventListener(end, () => {
      player.stick = [0, 0];
      knob.style.translate = "";
    });
  }
  canvas.addEventListener("pointerdown", (event) => fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, far: 0 }));
  canvas.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const [x, y] = [event.clientX - finger.x, event.clientY - finger.y];
    player.turn(x * 0.005, -y * 0.005);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, far: finger.far + Math.abs(x) + Math.abs(y) });
  });
  canvas.addEventListener("pointerup", (event) => {
    if (fingers.get(event.pointerId)?.far < 8) shoot();
    fingers.delete(event.pointerId);
  });
}
if (isTouch) touchInput();

// ---- Frames ----

const { mins, maxs } = map.world();
const diagonal = Math.hypot(...maxs.map((x, k) => x - mins[k]));
let spent = 0;

function draw() {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [innerWidth, innerHeight].map((length) => Math.max(1, Math.round(length * ratio)));
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const { eye, yaw, pitch } = player;
  const far = Math.max(4096, diagonal * 1.5);
  const matrix = look(eye, yaw, pitch, width / height, 2, far);
  const camera = { matrix, eye, near: 2, far, reach: Math.min(9000, Math.max(2600, diagonal * 1.1)) };
  screen.draw(items(), camera, ratio > 1 ? 1 : 1.5);
}

let last = 0;
/** Seconds between frames, on average. */
let period = 1 / 60;
/** Maximum number of seconds of a frame in which the player moves. */
const LONGEST = 0.1;
function frame(now) {
  const elapsed = (now - last) / 1000;
  const seconds = Math.min(elapsed, LONGEST);
  last = now;
  const before = performance.now();
  if (isIn) player.pass(seconds);
  else if (!about.still) player.yaw -= seconds * 0.06;
  bots?.pass(player.world, seconds);
  spent += (performance.now() - before - spent) * 0.05;
  slice.update(map, hulls, player.position, player.yaw);
  draw();
  // The mean time of the last frames, not the mean of their rates: a long frame counts for its whole duration.
  if (elapsed > 0 && now > elapsed * 1000) period += (elapsed - period) * 0.05;
  const at = player.position.map((x) => x.toFixed(1)).join("  ");
  const speed = Math.hypot(player.agent.velocity[0], player.agent.velocity[1]);
  const doing = player.isFlying ? "flying" : `${player.agent.stance.name}${player.agent.onGround ? "" : ", in the air"}`;
  $("state").textContent = `${doing}\n${at}\n${speed.toFixed(0)} units/s · ${(1 / period).toFixed(0)} fps · moves ${spent.toFixed(2)} ms`;
  requestAnimationFrame(frame);
}

// ---- Scripts, for tests ----

/**
* Presses keys for ticks: `w60,wj1,d30` holds w for 60 ticks, then w and the key to jump for one, then d. Writes the
* inputs and the final state into the page, as JSON.
 */
function drive(script) {
  player.log = [];
  const start = [...player.agent.position];
  let longest = 0;
  for (const [, keys, ticks] of script.matchAll(/([a-z]*)(\d+)/g)) {
    player.keys = new Set(keys);
    for (let tick = 0; tick < Number(ticks); tick++) {
      const before = performance.now();
      player.tick();
      longest = Math.max(longest, performance.now() - before);
    }
  }
  player.keys.clear();
  const { position, velocity, stance } = player.agent;
  const { trace, title } = shoot();
  const result = { start, hull: player.hull.name, ticks: player.log, position, velocity, stance: stance.name, longest, trace, title };
  const made = document.createElement("script");
  Object.assign(made, { type: "application/json", id: "result", textContent: JSON.stringify(result) });
  document.body.append(made);
}

/**
 * Follows the part of the address after `#`: `go=x,y,z`, `drive=…`, `bots=number`, `at=x,y,z,yaw,pitch`, `show=…`,
 * `base=…`, `still`, `enter`.
 */
function follow(wishes) {
  for (const wish of wishes.split("&")) {
    const [name, value = ""] = wish.split("=");
    if (name === "enter" || name === "drive") {
      isIn = true;
      $("veil").classList.add("gone");
      $("veil").style.transition = "none";
    }
    if (name === "go") go(value.split(",").map(Number));
    if (name === "drive") drive(value);
    if (name === "bots") setBots(Number(value));
    if (name === "at") {
      const [x, y, z, yaw, pitch] = value.split(",").map(Number);
      player.isFlying = true;
      player.flight = [x, y, z];
      [player.yaw, player.pitch] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
    }
    if (name === "show") for (const what of value.split(",")) on[decodeURIComponent(what)] = true;
    if (name === "base") on.base = value;
    if (name === "still") about.still = true;
  }
}
follow(decodeURIComponent(location.hash.slice(1)));
frame(0);
document.body.dataset.ready = "yes";
