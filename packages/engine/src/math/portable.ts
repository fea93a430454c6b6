/**
 * Functions that give the same bits in every JavaScript engine. Only +, −, ×, ÷ and the square root are defined to the
 * last bit by the language; `Math.sin`, `Math.hypot`, `**` and the like are not, and differ between Node and browsers.
 * Within 2 units in the last place for the arguments that geometry has; angles in radians.
 */

export function square(x: number): number {
  return x * x;
}

export function cube(x: number): number {
  return x * x * x;
}

/** √(x² + y²) */
export function length2(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** √(x² + y² + z²) */
export function length3(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/** Of a quaternion, for one. */
export function length4(x: number, y: number, z: number, w: number): number {
  return Math.sqrt(x * x + y * y + z * z + w * w);
}

/** Of a vector of any size. */
export function lengthOf(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i += 1) sum += vector[i] * vector[i];
  return Math.sqrt(sum);
}

/** π/2 in three parts; the first two have so few digits that their products with whole numbers are exact. */
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487959506e-21;

/** Sine of an angle in radians, the same bits in every JavaScript engine. */
export function sinOf(x: number): number {
  return quarterTurns(x, 0);
}

/** Cosine of an angle in radians, the same bits in every JavaScript engine. */
export function cosOf(x: number): number {
  return quarterTurns(x, 1);
}

export function tanOf(x: number): number {
  return sinOf(x) / cosOf(x);
}

/** sin(x + ahead·π/2), by whole quarter turns and what is left of the angle. */
function quarterTurns(x: number, ahead: number): number {
  const turns = Math.round(x / (Math.PI / 2));
  const rest = x - turns * HALF_PI_1 - turns * HALF_PI_2 - turns * HALF_PI_3;
  const quadrant = (((turns + ahead) % 4) + 4) % 4;
  const size = quadrant % 2 === 0 ? sineSeries(rest) : cosineSeries(rest);
  return quadrant < 2 ? size : -size;
}

/** For |x| ≤ π/4. */
function sineSeries(x: number): number {
  const s = x * x;
  const tail =
    s * (1 / 120 - s * (1 / 5040 - s * (1 / 362880 - s * (1 / 39916800 - s * (1 / 6227020800 - s / 1307674368000)))));
  return x + x * s * (tail - 1 / 6);
}

function cosineSeries(x: number): number {
  const s = x * x;
  const tail =
    s *
    (1 / 720 - s * (1 / 40320 - s * (1 / 3628800 - s * (1 / 479001600 - s * (1 / 87178291200 - s / 20922789888000)))));
  return 1 - s * (0.5 - s * (1 / 24 - tail));
}

export function asinOf(x: number): number {
  return atan2Of(x, Math.sqrt((1 - x) * (1 + x)));
}

export function acosOf(x: number): number {
  return atan2Of(Math.sqrt((1 - x) * (1 + x)), x);
}

/** The angle of the point (x, y) from the x axis, in −π … π; 0 for the origin. */
export function atan2Of(y: number, x: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  if (ax === 0 && ay === 0) return 0;
  const acute = ay <= ax ? atanOfUnit(ay / ax) : Math.PI / 2 - atanOfUnit(ax / ay);
  const angle = x < 0 ? Math.PI - acute : acute;
  return y < 0 ? -angle : angle;
}

const SQRT_3 = Math.sqrt(3);
/** tan(π/12) */
const TWELFTH = 2 - SQRT_3;

/** For 0 ≤ x ≤ 1. */
function atanOfUnit(x: number): number {
  return x <= TWELFTH ? atanSeries(x) : Math.PI / 6 + atanSeries((x * SQRT_3 - 1) / (x + SQRT_3));
}

/** For |x| ≤ tan(π/12), to x²⁹. */
function atanSeries(x: number): number {
  const s = x * x;
  const far = s * (1 / 19 - s * (1 / 21 - s * (1 / 23 - s * (1 / 25 - s * (1 / 27 - s / 29)))));
  const near = s * (1 / 9 - s * (1 / 11 - s * (1 / 13 - s * (1 / 15 - s * (1 / 17 - far)))));
  return x - x * (s * (1 / 3 - s * (1 / 5 - s * (1 / 7 - near))));
}

const LN_2_HIGH = 0.6931471803691238;
const LN_2_LOW = 1.9082149292705877e-10;
const bits = new DataView(new ArrayBuffer(8));

/** Natural logarithm of a positive number that is not denormal. */
export function logOf(x: number): number {
  bits.setFloat64(0, x);
  const high = bits.getUint32(0);
  let exponent = (high >>> 20) - 1023;
  bits.setUint32(0, (high & 0xfffff) | (1023 << 20));
  let part = bits.getFloat64(0);
  if (part > Math.SQRT2) {
    part /= 2;
    exponent += 1;
  }
  const s = (part - 1) / (part + 1);
  const z = s * s;
  let sum = 0;
  for (let power = 23; power > 1; power -= 2) sum = z * (1 / power + sum);
  return exponent * LN_2_HIGH + (2 * s + (2 * s * sum + exponent * LN_2_LOW));
}

/** e to the power of x, for |x| < 700. */
export function expOf(x: number): number {
  const exponent = Math.round(x / Math.LN2);
  const rest = x - exponent * LN_2_HIGH - exponent * LN_2_LOW;
  let sum = 1;
  for (let k = 14; k > 0; k -= 1) sum = 1 + (rest * sum) / k;
  bits.setFloat64(0, 1);
  bits.setUint32(0, (1023 + exponent) << 20);
  return sum * bits.getFloat64(0);
}

/** Of a positive base. */
export function powerOf(base: number, exponent: number): number {
  return expOf(exponent * logOf(base));
}

/** Of a number that is not negative. */
export function cubeRootOf(x: number): number {
  if (x === 0) return 0;
  const guess = expOf(logOf(x) / 3);
  return guess - (guess * guess * guess - x) / (3 * guess * guess);
}
