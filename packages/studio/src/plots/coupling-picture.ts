/** The Delassus operator as an image: which contacts are coupled, and along what (Duriez et al., fig. 9 and 11). */
import { DELASSUS_SHOWN, type DelassusPicture } from '@palpable/engine/advanced';
import type { Rgb } from '../stage/colours.js';

/**
 * Contacts in an order in which coupled ones stand together: from each to the one that its own motion goes
 * with most, of those that are left. Contacts come as they were found, in which legs of a table would be mixed.
 */
export function orderByCoupling({ counts, couplings }: DelassusPicture): number[] {
  const count = counts[DELASSUS_SHOWN]!;
  const left = new Set(Array.from({ length: count }, (_, contact) => contact));
  const order: number[] = [];
  let last = 0;
  while (left.size > 0) {
    let next = -1;
    let most = -1;
    for (const contact of left) {
      const shared = order.length === 0 ? 0 : sharedMotion(couplings, count, last, contact);
      if (shared <= most) continue;
      most = shared;
      next = contact;
    }
    // Numbers that are not finite compare with nothing.
    if (next < 0) next = [...left][0]!;
    left.delete(next);
    order.push(next);
    last = next;
  }
  return order;
}

/** 1 for contacts that move as one, 0 for those that do not feel each other. */
function sharedMotion(couplings: Float32Array, count: number, a: number, b: number): number {
  let between = 0;
  let own = 0;
  for (let k = 0; k < 3; k += 1) {
    between += couplings[3 * (a * count + b) + k]!;
    own += Math.sqrt(couplings[3 * (a * count + a) + k]! * couplings[3 * (b * count + b) + k]!);
  }
  return between / (own || 1);
}

export interface CouplingLights {
  readonly ground: Rgb;
  /** By direction: normal, first and second tangent. */
  readonly colours: readonly Rgb[];
  readonly shown: readonly boolean[];
}

/** The strongest coupling along each direction, m/N. */
export function strongestCouplings({ counts, couplings }: DelassusPicture): number[] {
  const strongest = [0, 0, 0];
  const end = 3 * counts[DELASSUS_SHOWN]! ** 2;
  for (let at = 0; at < end; at += 1) strongest[at % 3] = Math.max(strongest[at % 3]!, couplings[at]! || 0);
  return strongest;
}

/**
 * One pixel per pair of contacts, red, green, blue and alpha from 0 to 255. Each direction is measured by its own
 * strongest coupling: legs bend a hundred times as easily as they are squeezed.
 */
export function paintCouplings(picture: DelassusPicture, lights: CouplingLights): Uint8ClampedArray<ArrayBuffer> {
  const { couplings, counts } = picture;
  const count = counts[DELASSUS_SHOWN]!;
  const order = orderByCoupling(picture);
  const strongest = strongestCouplings(picture);
  const pixels = new Uint8ClampedArray(4 * count * count);
  order.forEach((a, row) => {
    order.forEach((b, column) => {
      const at = 4 * (row * count + column);
      for (let part = 0; part < 3; part += 1) {
        let value = lights.ground[part]!;
        for (let k = 0; k < 3; k += 1) {
          if (!lights.shown[k]) continue;
          const share = couplings[3 * (a * count + b) + k]! / strongest[k]! || 0;
          value += share * (1 - value) * lights.colours[k]![part]!;
        }
        pixels[at + part] = 255 * value;
      }
      pixels[at + 3] = 255;
    });
  });
  return pixels;
}

/** `12.5 µm/N`. */
export function formatCoupling(coupling: number): string {
  const isLarge = coupling >= 0.9995e-3;
  const value = coupling * (isLarge ? 1e3 : 1e6);
  return `${Number(value.toPrecision(3))} ${isLarge ? 'mm/N' : 'µm/N'}`;
}
