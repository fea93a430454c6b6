import { length2, length3 } from '../math/portable.js';

/**
 * Solids as functions: the signed distance of a point to the surface, negative inside, metres. Joining, cutting and
 * intersecting keep the zero surface exact; away from it the value is a lower bound of the distance, which is all that
 * contouring needs. Only arithmetic and square roots, so that every engine computes the same bits.
 */
export type Solid = (x: number, y: number, z: number) => number;

export type Vector = readonly [number, number, number];

/** Index of x, y or z. */
export type Axis = 0 | 1 | 2;

/** The box between two corners, its edges rounded with `radius`. */
export function box(low: Vector, high: Vector, radius = 0): Solid {
  const [cx, cy, cz] = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  const hx = (high[0] - low[0]) / 2 - radius;
  const hy = (high[1] - low[1]) / 2 - radius;
  const hz = (high[2] - low[2]) / 2 - radius;
  return (x, y, z) => {
    const dx = Math.abs(x - cx) - hx;
    const dy = Math.abs(y - cy) - hy;
    const dz = Math.abs(z - cz) - hz;
    return length3(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0)) + Math.min(Math.max(dx, dy, dz), 0) - radius;
  };
}

/** A flat-ended bar along an axis, from its centre at `from` on for `length`, of a rounded rectangular section. */
export function bar(axis: Axis, from: Vector, length: number, halfU: number, halfV: number, radius: number): Solid {
  const [t0, u0, v0] = turned(axis, from);
  return oriented(axis, (t, u, v) => {
    const du = Math.abs(u - u0) - halfU + radius;
    const dv = Math.abs(v - v0) - halfV + radius;
    const section = length2(Math.max(du, 0), Math.max(dv, 0)) + Math.min(Math.max(du, dv), 0) - radius;
    return Math.max(section, t0 - t, t - t0 - length);
  });
}

/** A cylinder along an axis, from the centre of one end at `from` on for `length`. */
export function cylinder(axis: Axis, from: Vector, length: number, radius: number): Solid {
  return cone(axis, from, length, radius, radius);
}

/** The frustum of a cone along an axis: `radius` at `from`, `endRadius` after `length`. */
export function cone(axis: Axis, from: Vector, length: number, radius: number, endRadius: number): Solid {
  const slope = (endRadius - radius) / length;
  const steepness = Math.sqrt(1 + slope * slope);
  const [t0, u0, v0] = turned(axis, from);
  return oriented(axis, (t, u, v) => {
    const section = (length2(u - u0, v - v0) - radius - slope * (t - t0)) / steepness;
    return Math.max(section, t0 - t, t - t0 - length);
  });
}

/** A ring about an axis through `centre`. */
export function torus(axis: Axis, centre: Vector, majorRadius: number, minorRadius: number): Solid {
  const [t0, u0, v0] = turned(axis, centre);
  return oriented(axis, (t, u, v) => length2(length2(u - u0, v - v0) - majorRadius, t - t0) - minorRadius);
}

/** Everything within `radius` of the line between two points. */
export function capsule(from: Vector, to: Vector, radius: number): Solid {
  const [wx, wy, wz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const squared = wx * wx + wy * wy + wz * wz;
  return (x, y, z) => {
    const [px, py, pz] = [x - from[0], y - from[1], z - from[2]];
    const t = Math.min(1, Math.max(0, (px * wx + py * wy + pz * wz) / squared));
    return length3(px - t * wx, py - t * wy, pz - t * wz) - radius;
  };
}

/** The half of space below a plane through `point`; `normal`, of any length, points out of it. */
export function halfSpace(point: Vector, normal: Vector): Solid {
  const size = length3(...normal);
  const [nx, ny, nz] = [normal[0] / size, normal[1] / size, normal[2] / size];
  const offset = nx * point[0] + ny * point[1] + nz * point[2];
  return (x, y, z) => nx * x + ny * y + nz * z - offset;
}

/** A solid from a function of the coordinates along an axis and along the two that follow it. */
function oriented(axis: Axis, solid: Solid): Solid {
  if (axis === 0) return solid;
  return axis === 1 ? (x, y, z) => solid(y, z, x) : (x, y, z) => solid(z, x, y);
}

/** The coordinates of a point in that order. */
function turned(axis: Axis, point: Vector): Vector {
  return [point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3]];
}

export function union(...parts: readonly Solid[]): Solid {
  return (x, y, z) => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < parts.length; i++) least = Math.min(least, parts[i](x, y, z));
    return least;
  };
}

export function intersection(...parts: readonly Solid[]): Solid {
  return (x, y, z) => {
    let largest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < parts.length; i++) largest = Math.max(largest, parts[i](x, y, z));
    return largest;
  };
}

export function subtract(from: Solid, ...parts: readonly Solid[]): Solid {
  const removed = union(...parts);
  return (x, y, z) => Math.max(from(x, y, z), -removed(x, y, z));
}

/** Two solids with a fillet of about `radius` where they meet, as castings have it. */
export function smoothUnion(radius: number, ...parts: readonly Solid[]): Solid {
  return parts.reduce((a, b) => (x, y, z) => {
    const [da, db] = [a(x, y, z), b(x, y, z)];
    const blend = Math.max(radius - Math.abs(da - db), 0);
    return Math.min(da, db) - (blend * blend) / (4 * radius);
  });
}

/** The same solid, known to lie between two corners: away from them the distance to their box will do, and is cheap. */
export function bounded(low: Vector, high: Vector, solid: Solid): Solid {
  const bounds = box(low, high);
  return (x, y, z) => {
    const distance = bounds(x, y, z);
    return distance > 0.005 ? distance : solid(x, y, z);
  };
}

/** The same solid rotated about an axis through the origin by an angle given as its cosine and sine. */
export function turn(solid: Solid, axis: Axis, cosine: number, sine: number): Solid {
  if (axis === 0) return (x, y, z) => solid(x, cosine * y + sine * z, cosine * z - sine * y);
  if (axis === 1) return (x, y, z) => solid(cosine * x - sine * z, y, cosine * z + sine * x);
  return (x, y, z) => solid(cosine * x + sine * y, cosine * y - sine * x, z);
}
