import { addOuter } from './column-sums.js';
import type { DiscSum } from './disc-sum.js';
import { mapAt, twoAt } from './pair-layout.js';
import type { ScaledContacts } from './scaled-contacts.js';

/*
 * The sums of `disc-sum.ts` in TypeScript: what the kernels of `kernels/disc-sum.ts` do, operation for operation, first for
 * the even contacts and then for the odd ones. The one of zeros after an odd last contact is left out: it adds nothing.
 */

/** `argument` at `direction`. */
export function findArguments({ contacts, argument, shift, direction }: DiscSum): void {
  const { map, count } = contacts;
  const y0 = direction[0];
  const y1 = direction[1];
  const y2 = direction[2];
  const y3 = direction[3];
  const y4 = direction[4];
  const y5 = direction[5];
  for (let n = 0; n < count; n += 1) {
    for (let side = 0; side < 2; side += 1) {
      const at = twoAt(n) + 2 * side;
      const o = mapAt(n) + 12 * side;
      argument[at] =
        shift[at] +
        map[o] * y0 +
        map[o + 2] * y1 +
        map[o + 4] * y2 +
        map[o + 6] * y3 +
        map[o + 8] * y4 +
        map[o + 10] * y5;
    }
  }
}

/** `nearest`, `rim`, `pull` and `sums` of discs; the sums without ε. */
export function evaluateDiscs(sum: DiscSum): void {
  const { contacts, argument, nearest, rim, scale, sums } = sum;
  const { radius, count } = contacts;
  findArguments(sum);
  sums.fill(0);
  for (let lane = 0; lane < 2; lane += 1) {
    let potential = 0;
    let support = 0;
    for (let n = lane; n < count; n += 2) {
      const at = twoAt(n);
      const u = argument[at];
      const v = argument[at + 2];
      const r = radius[n];
      const square = u * u + v * v;
      const length = Math.sqrt(square);
      const isInside = square <= 1;
      scale[n] = isInside ? 1 : 1 / length;
      nearest[at] = scale[n] * u;
      nearest[at + 2] = scale[n] * v;
      rim[n] = isInside ? 0 : 1;
      support += r * length;
      potential += isInside ? r * 0.5 * square : r * (length - 0.5);
    }
    sums[0] += potential;
    sums[1] += support;
  }
  findPull(sum);
}

/** `nearest` of contacts that stay where `rim` says. On a polygon's rim the point stays the same. */
export function holdNearest({ contacts, argument, nearest, rim, scale, sides }: DiscSum): void {
  for (let n = 0; n < contacts.count; n += 1) {
    if (rim[n] !== 0 && sides > 0) continue;
    const at = twoAt(n);
    const u = argument[at];
    const v = argument[at + 2];
    scale[n] = rim[n] === 0 ? 1 : 1 / Math.sqrt(u * u + v * v);
    nearest[at] = scale[n] * u;
    nearest[at + 2] = scale[n] * v;
  }
}

/** Nearest points of a polygon, and the sums. */
export function projectOnPolygon(sum: DiscSum): void {
  const { contacts, argument, nearest, rim, sums, sides, sideNormals, halfSide } = sum;
  const { radius, count } = contacts;
  let potential = 0;
  let support = 0;
  for (let n = 0; n < count; n += 1) {
    const at = twoAt(n);
    const u = argument[at];
    const v = argument[at + 2];
    let nearestSide = 0;
    let height = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < sides; j += 1) {
      const along = sideNormals[2 * j] * u + sideNormals[2 * j + 1] * v;
      if (along > height) {
        height = along;
        nearestSide = j;
      }
    }
    const nu = sideNormals[2 * nearestSide];
    const nv = sideNormals[2 * nearestSide + 1];
    const across = nu * v - nv * u;
    support += radius[n] * (height + Math.abs(across) * halfSide);
    let pu = u;
    let pv = v;
    let state = 0;
    if (height > 1) {
      let along = across;
      state = 1;
      if (across > halfSide) {
        along = halfSide;
        state = 2;
      } else if (across < -halfSide) {
        along = -halfSide;
        state = 2;
      }
      pu = nu - along * nv;
      pv = nv + along * nu;
    }
    nearest[at] = pu;
    nearest[at + 2] = pv;
    rim[n] = state;
    const du = u - pu;
    const dv = v - pv;
    potential += radius[n] * 0.5 * (u * u + v * v - du * du - dv * dv);
  }
  sums[0] = potential;
  sums[1] = support;
}

/** `pull` of the nearest points. */
export function findPull({ contacts, nearest, pull }: DiscSum): void {
  const { map, radius, count } = contacts;
  pull.fill(0);
  for (let lane = 0; lane < 2; lane += 1) {
    let f0 = 0;
    let f1 = 0;
    let f2 = 0;
    let f3 = 0;
    let f4 = 0;
    let f5 = 0;
    for (let n = lane; n < count; n += 2) {
      const o = mapAt(n);
      const at = twoAt(n);
      const u = radius[n] * nearest[at];
      const v = radius[n] * nearest[at + 2];
      f0 += u * map[o] + v * map[o + 12];
      f1 += u * map[o + 2] + v * map[o + 14];
      f2 += u * map[o + 4] + v * map[o + 16];
      f3 += u * map[o + 6] + v * map[o + 18];
      f4 += u * map[o + 8] + v * map[o + 20];
      f5 += u * map[o + 10] + v * map[o + 22];
    }
    pull[0] += f0;
    pull[1] += f1;
    pull[2] += f2;
    pull[3] += f3;
    pull[4] += f4;
    pull[5] += f5;
  }
}

/** How many contacts are not inside. */
export function countRims({ contacts, rim }: DiscSum): number {
  let rims = 0;
  for (let n = 0; n < contacts.count; n += 1) if (rim[n] !== 0) rims += 1;
  return rims;
}

/**
 * Σ of the outer products that make up the Hessian: what contacts have, or what those on the rim lack. One along the rim,
 * one across it; contacts elsewhere have the same weight in all directions.
 */
export function sumRims({ contacts, rim, argument, nearest, scale, sides, lower }: DiscSum, isLacking: boolean): void {
  const { radius, count, scratch } = contacts;
  const { weights } = scratch;
  lower.fill(0);
  for (let lane = 0; lane < 2; lane += 1) {
    let size = 0;
    for (let n = lane; n < count; n += 2) {
      const r = radius[n];
      let along = rim[n] === 0 ? (isLacking ? 0 : r) : isLacking ? r : 0;
      const across = along;
      let nu = 1;
      let nv = 0;
      if (rim[n] === 1) {
        // Across the rim: towards s, from P's nearest point to it. Of a disc that lies there itself.
        const at = twoAt(n);
        let part = r;
        nu = nearest[at];
        nv = nearest[at + 2];
        if (sides > 0) {
          nu = argument[at] - nu;
          nv = argument[at + 2] - nv;
          const perLength = 1 / Math.sqrt(nu * nu + nv * nv);
          nu *= perLength;
          nv *= perLength;
        } else part = r * scale[n];
        along = isLacking ? r - part : part;
      }
      if (along !== 0) {
        writeColumn(contacts, n, size, -nv, nu);
        weights[size] = along;
        size += 1;
      }
      if (across !== 0) {
        writeColumn(contacts, n, size, nu, nv);
        weights[size] = across;
        size += 1;
      }
    }
    addOuter(lower, scratch, size);
  }
}

/** u · (first column of contact n) + v · (second one). */
function writeColumn({ map, scratch }: ScaledContacts, n: number, column: number, u: number, v: number): void {
  const o = mapAt(n);
  for (let e = 0; e < 6; e += 1) scratch.columns[6 * column + e] = u * map[o + 2 * e] + v * map[o + 12 + 2 * e];
}
