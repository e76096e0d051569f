// Draws a slice through all hulls around the player, in the colors of `onionc render`: a few rows each frame, so that
// no frame takes more than a few milliseconds longer.

import { band } from "colors.mjs";

const SIZE = 160;
/** Maximum number of milliseconds that it takes in a frame. */
const BUDGET = 3;

export class Slice {
  #context;
  #caption;
  #image = new ImageData(SIZE, SIZE);
  #row = SIZE;
  #center = null;
  /** Width in units. */ extent = 768;

  constructor(figure) {
    const canvas = figure.querySelector("canvas");
    canvas.width = canvas.height = SIZE;
    this.#context = canvas.getContext("2d");
    this.#caption = figure.querySelector("figcaption");
  }

  /** Continues the slice around a place; `hulls` are sorted from the largest. */
  update(map, hulls, position, yaw) {
    const moved = this.#center ? Math.hypot(...position.map((x, k) => x - this.#center[k])) : Infinity;
    if (this.#row >= SIZE && moved >= 6) [this.#row, this.#center] = [0, position.map(Math.round)];
    const end = performance.now() + BUDGET;
    while (this.#row < SIZE && performance.now() < end) this.#paint(map, hulls, this.#row++);
    this.#show(position, yaw);
  }

  #paint(map, hulls, row) {
    const [x0, y0, z] = this.#center;
    const step = this.extent / SIZE;
    for (let column = 0; column < SIZE; column++) {
      const place = [x0 + (column + 0.5) * step - this.extent / 2, y0 - (row + 0.5) * step + this.extent / 2, z + 0.5];
      let rank = hulls.length - 1;
      while (rank >= 0 && !map.isSolid(hulls[rank], place)) rank--;
      const color = rank < 0 ? [250, 246, 234] : band(rank, hulls.length);
      this.#image.data.set([...color, 255], 4 * (row * SIZE + column));
    }
  }

  #show(position, yaw) {
    const context = this.#context;
    context.putImageData(this.#image, 0, 0);
    const [x, y] = [0, 1].map((k) => ((position[k] - this.#center[k]) / this.extent) * SIZE);
    context.save();
    context.translate(SIZE / 2 + x, SIZE / 2 - y);
    context.rotate(-yaw);
    context.beginPath();
    context.moveTo(9, 0);
    context.lineTo(-5, 5);
    context.lineTo(-2, 0);
    context.lineTo(-5, -5);
    context.closePath();
    context.fillStyle = "#1e9e5a";
    context.strokeStyle = "#fff";
    context.lineWidth = 2;
    context.stroke();
    context.fill();
    context.restore();
    const text = `<span>slice at z = ${this.#center[2]}</span><span>${this.extent} units</span>`;
    if (this.#caption.innerHTML !== text) this.#caption.innerHTML = text;
  }
}
