// Reads the data of a page: the compiled map, deflated, and the walls as far as they are known.

import { Doors } from "doors.mjs";
import { load } from "load.mjs";
import { fromBytes } from "onion.mjs";

const text = (id) => document.getElementById(id).textContent.trim();

/** Returns the bytes of an element, which are deflated and in base 64. */
async function bytes(id) {
  const packed = Uint8Array.from(atob(text(id)), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads everything: `{ map, tables, walls, about }`. */
export async function readLevel() {
  const file = await bytes("map");
  return {
    map: fromBytes(file),
    tables: load(file).tables,
    walls: readWalls(await bytes("walls")),
    about: JSON.parse(text("level")),
  };
}

/** Returns the walls: `{ kind, number, model, contents, nodes, faces: [{ normal, corners }] }`. */
function readWalls(packed) {
  const view = new DataView(packed.buffer);
  let at = 0;
  const u8 = () => view.getUint8(at++);
  const u32 = () => view.getUint32((at += 4) - 4, true);
  const f32 = () => view.getFloat32((at += 4) - 4, true);
  const vec3 = () => [f32(), f32(), f32()];
  const many = (count, make) => Array.from({ length: count }, make);
  const walls = [];
  while (at < packed.length) {
    const [kind, number, model, contents, nodes] = [u8() ? "patch" : "brush", u32(), u32(), u32(), u32()];
    const faces = many(u8(), () => ({ normal: vec3(), corners: many(u8(), vec3) }));
    walls.push({ kind, number, model, contents, nodes, faces });
  }
  return walls;
}

/** Prefixes of the classes of entities where agents start. */
const STARTS = ["info_player_deathmatch", "info_player_start", "info_player_", "info_"];

/** Returns the entities with a position: `{ class, origin, angle }`. */
export function places(map) {
  const found = (map.entities ?? []).map((entity) => ({
    class: entity.get("classname") ?? "",
    origin: (entity.get("origin") ?? "").trim().split(/\s+/).map(Number),
    angle: Number(entity.get("angle") ?? 0) || 0,
  }));
  return found.filter(({ origin }) => origin.length === 3 && origin.every(Number.isFinite));
}

/** Returns where a hull begins: at a start with room for it, or at another place that is empty. */
export function beginning(map, hull) {
  const [all, world] = [places(map), new Doors(map)];
  const starts = STARTS.flatMap((name) => all.filter((place) => place.class.startsWith(name)));
  for (const { origin, angle } of [...starts, ...all]) {
    for (let lift = 0; lift <= 33 - Math.min(hull.mins[2], 0); lift++) {
      const position = [origin[0], origin[1], origin[2] + lift];
      if (!world.isSolid(hull, position)) return { position, angle };
    }
  }
  const { mins, maxs } = map.world();
  for (let number = 0; number < 20000; number++) {
    const part = [0.5, 0.75488, 0.56984].map((step) => (0.5 + number * step) % 1);
    const position = part.map((x, k) => mins[k] + (maxs[k] - mins[k]) * x);
    if (!world.isSolid(hull, position)) return { position, angle: 0 };
  }
  return { position: [0, 1, 2].map((k) => (mins[k] + maxs[k]) / 2), angle: 0 };
}
