// Sine, cosine and arctangent with the same bits on every machine, which `Math.sin` does not promise: algorithms and
// constants of fdlibm, as in musl and the crate `libm`. Fdlibm's notice: Copyright (C) 1993 by Sun Microsystems, Inc.
// All rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and
// distribute this software is freely granted, provided that this notice is preserved.

const view = new DataView(new ArrayBuffer(8));

/** Returns the upper 32 bits of a number without the sign. */
function upperBits(x) {
  view.setFloat64(0, x);
  return view.getUint32(0) & 0x7fffffff;
}

/** The upper bits of infinity. */
const INFINITE = 0x7ff00000;
const exponentOf = (x) => upperBits(x) >> 20;

// ---- Sine and cosine ----

/** Returns the sine of an angle in radians. */
export function sin(x) {
  const bits = upperBits(x);
  if (bits < 0x3e500000) return x;
  if (bits <= 0x3fe921fb) return sinNearZero(x, 0, false);
  if (bits >= INFINITE) return NaN;
  const [n, y, rest] = reduced(x, bits);
  const value = n & 1 ? cosNearZero(y, rest) : sinNearZero(y, rest, true);
  return n & 2 ? -value : value;
}

/** Returns the cosine of an angle in radians. */
export function cos(x) {
  const bits = upperBits(x);
  if (bits < 0x3e46a09e) return 1;
  if (bits <= 0x3fe921fb) return cosNearZero(x, 0);
  if (bits >= INFINITE) return NaN;
  const [n, y, rest] = reduced(x, bits);
  const value = n & 1 ? sinNearZero(y, rest, true) : cosNearZero(y, rest);
  return (n + 1) & 2 ? -value : value;
}

/** Returns the sine of `x + y` within pi/4 of 0; `y` is the part of the angle that does not fit into `x`. */
function sinNearZero(x, y, hasRest) {
  const z = x * x;
  const w = z * z;
  const r = 8.33333333332248946124e-3 + z * (-1.98412698298579493134e-4 + z * 2.75573137070700676789e-6) +
    z * w * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10);
  const v = z * x;
  const s1 = -1.66666666666666324348e-1;
  return hasRest ? x - (z * (0.5 * y - v * r) - y - v * s1) : x + v * (s1 + z * r);
}

/** Returns the cosine of `x + y` within pi/4 of 0. */
function cosNearZero(x, y) {
  const z = x * x;
  const w = z * z;
  const r = z * (4.16666666666666019037e-2 + z * (-1.38888888888741095749e-3 + z * 2.48015872894767294178e-5)) +
    w * w * (-2.75573143513906633035e-7 + z * (2.08757232129817482790e-9 + z * -1.13596475577881948265e-11));
  const half = 0.5 * z;
  const first = 1 - half;
  return first + (1 - first - half + (z * r - x * y));
}

// ---- Reduction of the argument ----

/** Parts of pi/2 with 33 bits each, and what remains after them. */
const PIO2 = [1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624871116645580e-21];
const PIO2_REST = [6.07710050650619224932e-11, 2.02226624879595063154e-21, 8.47842766036889956997e-32];
/** Its sum with a number that is not too large is rounded to an integer. */
const TO_INTEGER = 1.5 * 2 ** 52;

/** Returns the number of the multiple of pi/2 that is nearest to an angle, and the rest of the angle as a sum. */
function reduced(x, bits) {
  if (bits >= 0x413921fb) return reducedLarge(x, bits);
  const isNearMultiple = [0x3ff921fb, 0x400921fb, 0x4012d97c, 0x401921fb].includes(bits);
  if (bits > 0x401c463b || isNearMultiple) return reducedMedium(x, bits);
  const n = bits <= 0x4002d97c ? 1 : bits <= 0x400f6a7a ? 2 : bits <= 0x4015fdbc ? 3 : 4;
  const signed = x < 0 ? -n : n;
  const z = x - signed * PIO2[0];
  const y = z - signed * PIO2_REST[0];
  return [signed, y, z - y - signed * PIO2_REST[0]];
}

/** Reduces an angle below 2^20 multiples, with as many parts of pi/2 as cancellation makes necessary. */
function reducedMedium(x, bits) {
  const n = x * 6.36619772367581382433e-1 + TO_INTEGER - TO_INTEGER;
  let r = x - n * PIO2[0];
  let w = n * PIO2_REST[0];
  let y = r - w;
  for (const [part, lost] of [[1, 16], [2, 49]]) {
    if ((bits >> 20) - exponentOf(y) <= lost) break;
    const before = r;
    w = n * PIO2[part];
    r = before - w;
    w = n * PIO2_REST[part] - (before - r - w);
    y = r - w;
  }
  return [n, y, r - y - w];
}

/** The bits of 2/pi, 24 at a time. */
const TWO_OVER_PI = [
  "A2F9836E4E441529FC2757D1F534DDC0DB6295993C439041FE5163ABDEBBC561B7246E3A424DD2E006492EEA09D1921CFE1DEB1CB129",
  "A73EE88235F52EBB4484E99C7026B45F7E413991D639835339F49C845F8BBDF9283B1FF897FFDE05980FEF2F118B5A0A6D1F6D367ECF",
  "27CB09B74F463F669E5FEA2D7527BAC7EBE5F17B3D0739F78A5292EA6BFB5FB11F8D5D0856033046FC7B6BABF0CFBC209AF4361DA9E3",
  "91615EE61B086599855F14A068408DFFD8804D73273106061556CA73A8C960E27BC08C6B",
].join("").match(/.{6}/g).map((digits) => parseInt(digits, 16));
/** The bits of pi/2, 24 at a time. */
const PIO2_IN_24 = [
  1.57079625129699707031, 7.54978941586159635335e-8, 5.39030252995776476554e-15, 3.28200341580791294123e-22,
  1.27065575308067607349e-29,
];
/** Number of terms of the product with 2/pi after the first one that suffice, unless the first ones cancel. */
const TERMS = 4;

/** Reduces an angle of any size: multiplies it by 2/pi in whole numbers, and the fraction by pi/2. */
function reducedLarge(x, bits) {
  const exponent = (bits >> 20) - (0x3ff + 23);
  const scaled = Math.abs(x) * 2 ** -exponent;
  const parts = [scaled, (scaled % 1) * 2 ** 24].map(Math.trunc);
  parts.push((((scaled % 1) * 2 ** 24) % 1) * 2 ** 24);
  // Bits of 2/pi before these give multiples of 8.
  const first = Math.max(Math.trunc((exponent - 3) / 24), 0);
  const termAt = (i) => parts.reduce((sum, part, j) => sum + part * (TWO_OVER_PI[first + i - j] ?? 0), 0);
  for (let nTerms = TERMS; ; ) {
    let product = 0n;
    for (let i = 0; i <= nTerms; i++) product = (product << 24n) + BigInt(termAt(i));
    const point = 24 * (nTerms + first + 1) - exponent;
    let rest = BigInt.asUintN(point, product);
    const isUpper = BigInt.asUintN(1, product >> BigInt(point - 1)) === 1n;
    const n = Number(BigInt.asUintN(3, product >> BigInt(point))) + (isUpper ? 1 : 0);
    if (isUpper) rest = (1n << BigInt(point)) - rest;
    const terms = [];
    for (let scale = -point; rest > 0n; scale += 24, rest >>= 24n) {
      terms.unshift(2 ** scale * Number(BigInt.asUintN(24, rest)));
    }
    if (terms.length > TERMS) {
      const [y, remains] = timesPio2(terms).map((part) => (isUpper !== x < 0 ? -part : part));
      return [x < 0 ? -n : n, y, remains];
    }
    nTerms += TERMS + 1 - terms.length;
  }
}

/** Multiplies a sum of terms of 24 bits by pi/2; the product is a number, and the part of it that does not fit. */
function timesPio2(terms) {
  const sums = terms.map((_, i) => {
    const factors = PIO2_IN_24.slice(0, i + 1);
    return factors.reduce((sum, factor, k) => sum + factor * terms[i - k], 0);
  });
  const product = sums.reduceRight((sum, term) => sum + term, 0);
  return [product, sums.slice(1).reduce((sum, term) => sum + term, sums[0] - product)];
}

// ---- Arctangent ----

/** The arctangents of 1/2, 1, 3/2 and infinity, and what remains of them. */
const ATANS = [4.63647609000806093515e-1, 7.85398163397448278999e-1, 9.82793723247329054082e-1, 1.57079632679489655800];
const ATAN_RESTS = [
  2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17, 6.12323399573676603587e-17,
];
/** The odd and the even coefficients of the series, the last ones first. */
const ODD = [
  1.62858201153657823623e-2, 4.97687799461593236017e-2, 6.66107313738753120669e-2, 9.09088713343650656196e-2,
  1.42857142725034663711e-1, 3.33333333333329318027e-1,
];
const EVEN = [
  -3.65315727442169155270e-2, -5.83357013379057348645e-2, -7.69187620504482999495e-2, -1.11111104054623557880e-1,
  -1.99999999998764832476e-1,
];

/** Returns the angle from the x axis to a point, in radians; `y` and `x` are finite and not negative. */
export function atan2(y, x) {
  if (x === 1) return atan(y);
  if (y === 0) return y;
  const [xBits, yBits] = [upperBits(x), upperBits(y)];
  // The exponents differ by more than 64.
  if (x === 0 || xBits + 0x4000000 < yBits) return ATANS[3];
  return atan(y / x);
}

function atan(x) {
  const bits = upperBits(x);
  if (bits < 0x3e400000) return x;
  if (bits >= 0x44100000) return ATANS[3];
  let [nearest, reduced] = [-1, x];
  if (bits >= 0x40038000) [nearest, reduced] = [3, -1 / x];
  else if (bits >= 0x3ff30000) [nearest, reduced] = [2, (x - 1.5) / (1 + 1.5 * x)];
  else if (bits >= 0x3fe60000) [nearest, reduced] = [1, (x - 1) / (x + 1)];
  else if (bits >= 0x3fdc0000) [nearest, reduced] = [0, (2 * x - 1) / (2 + x)];
  const z = reduced * reduced;
  const w = z * z;
  const sum = (coefficients) => coefficients.reduce((sum, coefficient) => coefficient + w * sum);
  const beyond = reduced * (z * sum(ODD) + w * sum(EVEN));
  if (nearest < 0) return reduced - beyond;
  return ATANS[nearest] - (beyond - ATAN_RESTS[nearest] - reduced);
}
