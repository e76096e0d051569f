// Vectors of three numbers: the few textbook formulas that the modules share. Every sum is in the order of the
// axes, as in Rust, so that results have the same bits.

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, by) => [a[0] * by, a[1] * by, a[2] * by];
/** Returns the opposite vector; a component that is 0 stays 0, without a sign. */
export const opposite = (a) => [0 - a[0], 0 - a[1], 0 - a[2]];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** Returns `from + at * direction`. */
export const along = (from, direction, at) => add(from, scale(direction, at));
export const length = (a) => Math.sqrt(dot(a, a));
/** Returns the component of a vector perpendicular to another; NaN if the other is zero. */
export const across = (a, other) => along(a, other, -dot(a, other) / dot(other, other));
export const isZero = ([x, y, z]) => x === 0 && y === 0 && z === 0;
/** Returns the larger of two numbers: the first if they are equal, the one that is a number if the other is NaN. */
export const larger = (a, b) => (a >= b || Number.isNaN(b) ? a : b);
/** Returns the largest absolute component. */
export const largest = ([x, y, z]) => larger(larger(Math.abs(x), Math.abs(y)), Math.abs(z));

/** Returns the unit vector and the length of a finite vector, however short, or null for the zero vector. */
export function direction(a) {
  const size = largest(a);
  if (size <= 0) return null;
  // Scaled to a length of about 1, so that no square underflows or overflows.
  const scaled = a.map((component) => component / size);
  const own = length(scaled);
  return { unit: scaled.map((component) => component / own), length: size * own };
}
