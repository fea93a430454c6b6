/**
 * Contacts grouped by normals that are the same to the last bit, as those of a flat face are: what depends on the
 * direction alone is then computed once for each group. Groups come in the order in which they are met.
 */
export interface DirectionGroups {
  /** Groups in use. */
  count: number;
  /** Group of each contact. */
  readonly group: Int32Array;
  /** Three numbers per group. */
  readonly normal: Float64Array;
  /** Hash table: group + 1 in each slot, 0 where there is none. */
  readonly slots: Int32Array;
  /** The slot of each group, to empty the table by. */
  readonly slot: Int32Array;
}

export function createDirectionGroups(capacity: number): DirectionGroups {
  let size = 4;
  while (size < 2 * capacity) size *= 2;
  return {
    count: 0,
    group: new Int32Array(capacity),
    normal: new Float64Array(3 * capacity),
    slots: new Int32Array(size),
    slot: new Int32Array(capacity),
  };
}

/** Components are hashed as whole multiples of its inverse: finer than single precision, so that few collide. */
const HASH_SCALE = 2 ** 30;

/** Groups `count` normals, three numbers each. */
export function groupDirections(groups: DirectionGroups, normals: Float64Array, count: number): void {
  const { group, normal, slots, slot } = groups;
  const mask = slots.length - 1;
  for (let g = 0; g < groups.count; g += 1) slots[slot[g]] = 0;
  let used = 0;
  let last = -1;
  for (let c = 0; c < count; c += 1) {
    const x = normals[3 * c];
    const y = normals[3 * c + 1];
    const z = normals[3 * c + 2];
    // Neighbours most often lie on one face.
    if (last >= 0 && normal[3 * last] === x && normal[3 * last + 1] === y && normal[3 * last + 2] === z) {
      group[c] = last;
      continue;
    }
    let hash =
      Math.imul((x * HASH_SCALE) | 0, 0x9e3779b1) ^
      Math.imul((y * HASH_SCALE) | 0, 0x85ebca77) ^
      Math.imul((z * HASH_SCALE) | 0, 0xc2b2ae3d);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    let at = (hash ^ (hash >>> 13)) & mask;
    last = slots[at] - 1;
    while (last >= 0 && !(normal[3 * last] === x && normal[3 * last + 1] === y && normal[3 * last + 2] === z)) {
      at = (at + 1) & mask;
      last = slots[at] - 1;
    }
    if (last < 0) {
      last = used;
      used += 1;
      slots[at] = used;
      slot[last] = at;
      normal[3 * last] = x;
      normal[3 * last + 1] = y;
      normal[3 * last + 2] = z;
    }
    group[c] = last;
  }
  groups.count = used;
}
