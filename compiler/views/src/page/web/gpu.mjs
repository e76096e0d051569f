// Draws triangles with WebGL 2: a pass that shades surfaces and keeps their normals, one for transparent surfaces,
// one that closes cracks between polygons, one that finds occluded places (ambient occlusion), and one that adds the
// result as soft corners, outlines and fog. Positions are in units of the map, with z up.

const SURFACE_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
uniform mat4 camera;
uniform vec3 offset;
out vec3 place; out vec3 facing; out vec4 tint;
void main() {
  place = position + offset; facing = normal; tint = color;
  gl_Position = camera * vec4(place, 1.0);
}`;

const SURFACE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 place; in vec3 facing; in vec4 tint;
uniform vec3 eye;
uniform float opacity;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 kept;
float lines(vec2 at, float apart) {
  vec2 cell = at / apart;
  vec2 width = max(fwidth(cell), vec2(1e-5));
  vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
  float fade = clamp(0.35 / max(width.x, width.y), 0.0, 1.0);
  return (1.0 - min(min(near.x, near.y), 1.0)) * fade;
}
void main() {
  vec3 n = normalize(facing);
  vec3 sun = normalize(vec3(-0.42, 0.55, 0.78));
  float up = n.z * 0.5 + 0.5;
  vec3 sky = mix(vec3(0.72, 0.71, 0.72), vec3(0.98, 1.0, 1.04), up);
  vec3 light = sky * 0.80 + vec3(1.0, 0.93, 0.80) * max(dot(n, sun), 0.0) * 0.42;
  light += 0.06 * n.x * n.x - 0.04 * n.y * n.y;
  float glance = 1.0 - abs(dot(normalize(eye - place), n));
  light += vec3(0.05, 0.06, 0.08) * glance * glance;
  vec3 base = tint.rgb;
  vec3 a = abs(n);
  vec2 at = a.z > 0.6 ? place.xy : (a.x > a.y ? place.yz : place.xz);
  float grid = max(lines(at, 64.0) * 0.10, lines(at, 256.0) * 0.14);
  color = vec4(base * light * (1.0 - grid), tint.a * opacity);
  kept = vec4(n * 0.5 + 0.5, 1.0);
}`;

const SCREEN_VERTEX = `#version 300 es
out vec2 at;
void main() {
  at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}`;

/** The code for depths that the passes over the screen share. */
const DEPTHS = `#version 300 es
precision highp float;
in vec2 at;
uniform sampler2D depths;
uniform vec2 pixel;
uniform vec2 planes;
float far(vec2 uv) {
  float d = texture(depths, uv).r * 2.0 - 1.0;
  return 2.0 * planes.x * planes.y / (planes.y + planes.x - d * (planes.y - planes.x));
}
// The middle of a pixel of the textures, for depths have none between.
vec2 middle(vec2 uv) { return (floor(uv / pixel) + 0.5) * pixel; }
`;

// Closes cracks of one pixel, through which the space behind a wall shows where a corner of a polygon meets the
// middle of another polygon's edge: a pixel takes the mean of two opposite neighbors if both are on one flat surface
// and the pixel is on no surface in front of it.
const MEND_FRAGMENT = `${DEPTHS}
uniform sampler2D colors, normals;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 kept;
float nearness(vec2 uv) { return 1.0 / far(uv); }
vec3 facing(vec2 uv) { return texture(normals, uv).xyz * 2.0 - 1.0; }
void main() {
  float w = nearness(at);
  vec3 n = facing(at);
  color = texture(colors, at);
  kept = texture(normals, at);
  gl_FragDepth = texture(depths, at).r;
  for (int i = 0; i < 4; i++) {
    vec2 step = pixel * (i == 0 ? vec2(1.0, 0.0) : i == 1 ? vec2(0.0, 1.0) : i == 2 ? vec2(1.0, 1.0) : vec2(1.0, -1.0));
    vec2 a = at + step, b = at - step;
    float wa = nearness(a), wb = nearness(b), mean = (wa + wb) * 0.5;
    // One divided by the depth is even across a flat surface: as it goes on behind each neighbor, it ends here.
    float bend = abs(2.0 * wa - nearness(a + step) - mean) + abs(2.0 * wb - nearness(b - step) - mean);
    bool isOne = distance(facing(a), facing(b)) < 0.05 && bend < mean * 0.004;
    bool isBehind = w < mean * 1.002 && (w < mean * 0.998 || distance(n, facing(a)) > 0.05);
    if (isOne && isBehind) {
      color = (texture(colors, a) + texture(colors, b)) * 0.5;
      kept = texture(normals, a);
      gl_FragDepth = (texture(depths, a).r + texture(depths, b).r) * 0.5;
    }
  }
}`;

// Computes how dark a place is that others surround, and how far away it is. Neighboring pixels sample other angles,
// 16 in all.
const SHADE_FRAGMENT = `${DEPTHS}
uniform vec2 view;
out vec4 color;
// How fast one divided by the depth changes, from the side where the surface goes on.
float slope(float w, vec2 at, vec2 step) {
  float ahead = 1.0 / far(at + step) - w, behind = w - 1.0 / far(at - step);
  return abs(ahead) < abs(behind) ? ahead : behind;
}
void main() {
  vec2 here = middle(at);
  float d = far(here);
  ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
  float noise = float((cell.x * 5 + cell.y * 7 + (cell.x ^ cell.y) * 4) & 15) / 16.0;
  float radius = clamp(34.0 / d, 0.003, 0.10);
  vec2 slopes = vec2(slope(1.0 / d, here, vec2(pixel.x, 0.0)), slope(1.0 / d, here, vec2(0.0, pixel.y)));
  float shade = 0.0, most = 0.0;
  for (int i = 0; i < 16; i++) {
    float angle = noise * 6.2832 + float(i) * 2.39996;
    float part = (float(i) + 0.5) / 16.0;
    vec2 uv = middle(here + vec2(cos(angle), sin(angle) * view.x / view.y) * radius * sqrt(part));
    float flat_ = 1.0 / max(1.0 / d + dot(slopes, (uv - here) / pixel), 1e-5);
    float other = far(uv);
    float closer = min(flat_, d * 1.5) - other;
    // What is far before the surface is another thing, whatever the surface does there.
    float near = 1.0 - part * 0.8;
    shade += near * smoothstep(0.5 + d * 0.003, 12.0 + d * 0.004, closer) * (1.0 - smoothstep(30.0, 100.0, d - other));
    most += near;
  }
  color = vec4(shade / most, 0.0, 0.0, 1.0);
}`;

const SCREEN_FRAGMENT = `${DEPTHS}
uniform sampler2D colors, normals, shades;
uniform vec2 grain;
uniform float reach;
out vec4 color;
// The mean of 16 neighbors, which looked around by all angles, as far as they lie on one surface.
float shade(float d) {
  float sum = 0.0, weight = 1e-4;
  vec2 corner = floor(at / grain - 1.5);
  for (int i = 0; i < 16; i++) {
    vec2 uv = (corner + vec2(float(i & 3), float(i >> 2)) + 0.5) * grain;
    float like = max(1.0 - abs(far(middle(uv)) - d) / (d * 0.04 + 1.0), 0.0);
    sum += texture(shades, uv).r * like;
    weight += like;
  }
  return sum / weight;
}
void main() {
  vec2 here = middle(at);
  float d = far(here);
  vec3 n = texture(normals, at).xyz * 2.0 - 1.0;
  float edge = 0.0;
  for (int i = 0; i < 4; i++) {
    vec2 step = i == 0 ? vec2(1.0, 0.0) : i == 1 ? vec2(0.0, 1.0) : i == 2 ? vec2(1.0, 1.0) : vec2(1.0, -1.0);
    step *= pixel * 0.9;
    float a = far(middle(here + step * 1.2)), b = far(middle(here - step * 1.2));
    // One divided by the depth is even across a flat surface.
    float bend = abs(1.0 / a + 1.0 / b - 2.0 / d) * d;
    vec3 na = texture(normals, at + step).xyz * 2.0 - 1.0;
    vec3 nb = texture(normals, at - step).xyz * 2.0 - 1.0;
    edge = max(edge, smoothstep(0.015, 0.05, bend) * 0.9);
    edge = max(edge, smoothstep(0.25, 0.75, distance(na, nb)) * 0.8);
  }
  vec3 seen = texture(colors, at).rgb;
  vec3 sky = mix(vec3(0.93, 0.945, 0.955), vec3(0.76, 0.83, 0.89), clamp(at.y * 1.1 - 0.1, 0.0, 1.0));
  bool isSky = d > planes.y * 0.98;
  seen *= mix(vec3(1.0), vec3(0.42, 0.45, 0.53), min(shade(d) * 1.25, 1.0));
  float fog = 1.0 - exp(-pow(d / reach, 1.6));
  float ink = edge * (1.0 - fog) * 0.55;
  seen = mix(seen, vec3(0.13, 0.16, 0.21), ink);
  seen = mix(seen, sky, isSky ? 1.0 : fog * 0.9);
  vec2 corner = at - 0.5;
  seen *= 1.0 - 0.16 * dot(corner, corner) * 2.0;
  color = vec4(seen, 1.0);
}`;

/** Size of a corner in bytes: position, normal, color. */
const STRIDE = 12 + 4 + 4;

/** Triangles under construction. In: polygons. Out: the bytes of corners. */
export class Mesh {
  #corners = [];

  /** Adds a convex polygon, counterclockwise. */
  polygon(corners, normal, color) {
    for (let i = 2; i < corners.length; i++) {
      for (const corner of [corners[0], corners[i - 1], corners[i]]) this.#corners.push([corner, normal, color]);
    }
  }

  /** Adds a box. */
  box(mins, maxs, color) {
    for (const k of [0, 1, 2]) {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3];
      for (const end of [mins, maxs]) {
        const corner = (a, b) => {
          const place = [0, 0, 0];
          [place[k], place[u], place[v]] = [end[k], a[u], b[v]];
          return place;
        };
        const around = [corner(mins, mins), corner(maxs, mins), corner(maxs, maxs), corner(mins, maxs)];
        const normal = [0, 0, 0];
        normal[k] = end === maxs ? 1 : -1;
        this.polygon(end === maxs ? around : around.reverse(), normal, color);
      }
    }
  }

  /** Adds a thin beam between two places. */
  beam(from, to, width, color) {
    const step = to.map((x, k) => x - from[k]);
    const length = Math.hypot(...step) || 1;
    const along = step.map((x) => x / length);
    const u = Math.abs(along[2]) > 0.8 ? [1, 0, 0] : [-along[1], along[0], 0];
    const w = [along[1] * u[2] - along[2] * u[1], along[2] * u[0] - along[0] * u[2], along[0] * u[1] - along[1] * u[0]];
    const ring = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([a, b]) => [0, 1, 2].map((k) => (u[k] * a + w[k] * b) * width));
    ring.forEach((side, i) => {
      const next = ring[(i + 1) % 4];
      const at = (end, by) => end.map((x, k) => x + by[k]);
      this.polygon([at(from, side), at(from, next), at(to, next), at(to, side)], side.map((x) => x / width), color);
    });
  }

  /** Adds the edges of a box. */
  cage(mins, maxs, width, color) {
    for (const k of [0, 1, 2]) {
      for (const [a, b] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
        const [from, to] = [[...mins], [...maxs]];
        const [u, v] = [(k + 1) % 3, (k + 2) % 3];
        from[u] = to[u] = a ? maxs[u] : mins[u];
        from[v] = to[v] = b ? maxs[v] : mins[v];
        this.beam(from, to, width, color);
      }
    }
  }

  bytes() {
    const view = new DataView(new ArrayBuffer(this.#corners.length * STRIDE));
    this.#corners.forEach(([place, normal, color], i) => {
      const at = i * STRIDE;
      for (const k of [0, 1, 2]) {
        view.setFloat32(at + 4 * k, place[k], true);
        view.setInt8(at + 12 + k, Math.round(normal[k] * 127));
        view.setUint8(at + 16 + k, color[k]);
      }
      view.setUint8(at + 19, color[3] ?? 255);
    });
    return { bytes: view.buffer, count: this.#corners.length };
  }
}

/** Draws meshes to a canvas. */
export class Screen {
  #gl;
  #surface;
  #mend;
  #shade;
  #screen;
  #target;

  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, powerPreference: "high-performance", preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.#gl = gl;
    this.#surface = program(gl, SURFACE_VERTEX, SURFACE_FRAGMENT);
    this.#mend = program(gl, SCREEN_VERTEX, MEND_FRAGMENT);
    this.#shade = program(gl, SCREEN_VERTEX, SHADE_FRAGMENT);
    this.#screen = program(gl, SCREEN_VERTEX, SCREEN_FRAGMENT);
  }

  /** Uploads a mesh to the graphics card. */
  upload(mesh) {
    const gl = this.#gl;
    const { bytes, count } = mesh.bytes();
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
    const pointers = [[3, gl.FLOAT, false, 0], [3, gl.BYTE, true, 12], [4, gl.UNSIGNED_BYTE, true, 16]];
    pointers.forEach(([size, type, isUnit, at], i) => {
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, size, type, isUnit, STRIDE, at);
    });
    gl.bindVertexArray(null);
    return { array, buffer, count };
  }

  /** Deletes a mesh. */
  drop({ array, buffer }) {
    this.#gl.deleteVertexArray(array);
    this.#gl.deleteBuffer(buffer);
  }

  /**
   * Draws meshes, the solid ones first: `{ mesh, opacity, offset }`.
   * @param camera `{ matrix, eye, near, far, reach }`
   */
  draw(items, camera, scale) {
    const gl = this.#gl;
    const [width, height] = [gl.canvas.width, gl.canvas.height];
    const target = this.#resize(Math.round(width * scale), Math.round(height * scale));
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.drawn.frame);
    gl.viewport(0, 0, target.width, target.height);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
    gl.clearColor(0.9, 0.92, 0.94, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const { use, at } = this.#surface;
    gl.useProgram(use);
    gl.uniformMatrix4fv(at.camera, false, camera.matrix);
    gl.uniform3fv(at.eye, camera.eye);
    const drawAll = (wanted) => {
      for (const { mesh, opacity = 1, offset = [0, 0, 0] } of items.filter(wanted)) {
        gl.uniform1f(at.opacity, opacity);
        gl.uniform3fv(at.offset, offset);
        gl.bindVertexArray(mesh.array);
        gl.drawArrays(gl.TRIANGLES, 0, mesh.count);
      }
    };
    gl.enable(gl.CULL_FACE);
    drawAll(({ opacity = 1 }) => opacity === 1);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.NONE]);
    gl.depthMask(false);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    drawAll(({ opacity = 1 }) => opacity < 1);
    this.#finish(target, camera, [width, height]);
  }

  #finish(target, camera, [width, height]) {
    const gl = this.#gl;
    gl.disable(gl.BLEND);
    gl.disable(gl.CULL_FACE);
    gl.bindVertexArray(null);
    const { drawn, mended } = target;
    const [across, up] = target.half;
    const pass = ({ use, at }, frame, size, textures) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
      gl.viewport(0, 0, ...size);
      gl.useProgram(use);
      Object.entries(textures).forEach(([name, texture], i) => {
        gl.activeTexture(gl.TEXTURE0 + i);
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.uniform1i(at[name], i);
      });
      gl.uniform2f(at.pixel, 1 / target.width, 1 / target.height);
      gl.uniform2f(at.planes, camera.near, camera.far);
      gl.uniform2f(at.view, width, height);
      gl.uniform2f(at.grain, 1 / across, 1 / up);
      gl.uniform1f(at.reach, camera.reach);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    };
    // Depths are written only if the depth test is enabled.
    gl.depthMask(true);
    gl.depthFunc(gl.ALWAYS);
    pass(this.#mend, mended.frame, [target.width, target.height], drawn.textures);
    gl.depthFunc(gl.LESS);
    gl.disable(gl.DEPTH_TEST);
    pass(this.#shade, target.shadeFrame, target.half, { depths: mended.textures.depths });
    pass(this.#screen, null, [width, height], { ...mended.textures, shades: target.shades });
  }

  #resize(width, height) {
    if (this.#target?.width === width && this.#target?.height === height) return this.#target;
    const gl = this.#gl;
    if (this.#target) this.#forget(this.#target);
    const half = [width, height].map((length) => Math.max(1, Math.ceil(length / 2)));
    const texture = (format, from, type, filter, size = [width, height]) => {
      const made = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, made);
      gl.texImage2D(gl.TEXTURE_2D, 0, format, ...size, 0, from, type, null);
      for (const end of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, end, filter);
      for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
      return made;
    };
    const frame = (attached) => {
      const made = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, made);
      for (const [point, to] of attached) gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, to, 0);
      gl.drawBuffers(attached.map(([point]) => point).filter((point) => point !== gl.DEPTH_ATTACHMENT));
      return made;
    };
    const scene = () => {
      const textures = {
        colors: texture(gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, gl.LINEAR),
        normals: texture(gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, gl.LINEAR),
        depths: texture(gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, gl.NEAREST),
      };
      const points = [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1, gl.DEPTH_ATTACHMENT];
      return { textures, frame: frame(points.map((point, i) => [point, Object.values(textures)[i]])) };
    };
    const shades = texture(gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, gl.NEAREST, half);
    const shadeFrame = frame([[gl.COLOR_ATTACHMENT0, shades]]);
    this.#target = { width, height, half, drawn: scene(), mended: scene(), shades, shadeFrame };
    return this.#target;
  }

  #forget({ drawn, mended, shades, shadeFrame }) {
    const gl = this.#gl;
    for (const texture of [...Object.values(drawn.textures), ...Object.values(mended.textures), shades]) gl.deleteTexture(texture);
    for (const frame of [drawn.frame, mended.frame, shadeFrame]) gl.deleteFramebuffer(frame);
  }
}

function program(gl, vertex, fragment) {
  const use = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(use, shader);
  }
  gl.linkProgram(use);
  if (!gl.getProgramParameter(use, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(use));
  const at = {};
  for (let i = 0; i < gl.getProgramParameter(use, gl.ACTIVE_UNIFORMS); i++) {
    const { name } = gl.getActiveUniform(use, i);
    at[name] = gl.getUniformLocation(use, name);
  }
  return { use, at };
}

/** Returns the matrix of a camera that looks along yaw and pitch, in radians; z is up. */
export function look(eye, yaw, pitch, aspect, near, far) {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const forward = [cy * cp, sy * cp, sp];
  const right = [sy, -cy, 0];
  const up = [-cy * sp, -sy * sp, cp];
  const f = 1 / Math.tan(0.57);
  const dot = (a) => -(a[0] * eye[0] + a[1] * eye[1] + a[2] * eye[2]);
  const view = [right, up, forward.map((x) => -x)].map((row) => [...row, dot(row)]);
  const [p, q] = [(far + near) / (near - far), (2 * far * near) / (near - far)];
  const rows = [
    view[0].map((x) => (x * f) / Math.max(aspect, 1e-3)),
    view[1].map((x) => x * f),
    view[2].map((x, k) => x * p + (k === 3 ? q : 0)),
    view[2].map((x) => -x),
  ];
  return new Float32Array([0, 1, 2, 3].flatMap((k) => rows.map((row) => row[k])));
}
