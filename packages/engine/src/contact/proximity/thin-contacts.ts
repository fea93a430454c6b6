import { dot } from '../../math/vectors.js';
import { type ProximitySet, THIN_BLOCK, THIN_CELLS } from './proximity-set.js';

/*
 * From many contacts to a few that stand for them: the deepest first, then again and again the one that is farthest from
 * all that were chosen, where contacts in the same place with other normals count as far apart, and those that are nearer
 * to touching count for more. Contacts chosen in the cycle before are preferred, so that they do not flicker.
 */

/** How much farther than one chosen before a new contact must be to take its place. */
const PREFERENCE = 2;
/** Part of the range of gaps by which a new contact must be deeper than one chosen before to come first. */
const FIRST_PREFERENCE = 0.05;
/** What a contact at the largest gap counts for, compared with one that touches. */
const FAR_WEIGHT = 0.2;
/** Spacings that two contacts at right angles are apart at least. */
const NORMAL_SPACINGS = 4;

/** In an object, since a number that a function is handed may be allocated. */
export interface ThinOptions {
  /** Metres. */
  readonly spacing: number;
}

/**
 * Chooses at most `most` contacts of `set` into `out`, which holds those of the cycle before on entry (any others do no
 * harm). Contacts nearer than `spacing` (metres) to a chosen one with the same normal are left out. Gives their number.
 */
export function thinContacts(out: ProximitySet, set: ProximitySet, most: number, options: ThinOptions): number {
  const { apart, preferred, chosen } = set.workspace;
  markKnown(preferred, set, out);
  const limit = Math.min(most, out.capacity, set.count);
  apart.fill(Infinity, 0, set.count);
  measureRanges(set, options);
  measureWeights(set);
  sortIntoBlocks(set);
  let count = 0;
  for (let next = deepest(set); next >= 0 && count < limit; next = farthest(set, next)) {
    chosen[count] = next;
    count += 1;
  }
  for (let i = 0; i < count; i++) copyContact(out, i, set, chosen[i]);
  out.count = count;
  out.flags = set.flags;
  return count;
}

/** Marks the contacts that have the key of one in `known`, through a table of keys. */
function markKnown(marks: Uint8Array, set: ProximitySet, known: ProximitySet): void {
  for (let i = 0; i < set.count; i++) marks[i] = 0;
  const { table } = set.workspace;
  const mask = table.length - 1;
  table.fill(-1);
  for (let i = 0; i < set.count; i++) {
    let place = placeOf(set.key[2 * i], set.key[2 * i + 1]) & mask;
    while (table[place] >= 0) place = (place + 1) & mask;
    table[place] = i;
  }
  for (let j = 0; j < known.count; j++) {
    const first = known.key[2 * j];
    const second = known.key[2 * j + 1];
    let place = placeOf(first, second) & mask;
    while (table[place] >= 0) {
      const i = table[place];
      if (set.key[2 * i] === first && set.key[2 * i + 1] === second) marks[i] = 1;
      place = (place + 1) & mask;
    }
  }
}

function placeOf(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 7;
}

/**
 * Places in `ranges`: m, m, m², and the squared distance that stands for opposite normals, m²; then the least coordinates of
 * the contacts and the size of a cell, m.
 */
const LEAST_GAP = 0;
const GAP_RANGE = 1;
const SPACING_SQUARED = 2;
const TURN_SQUARED = 3;
const LOW = 4;
const CELL_SIZE = 7;

function measureRanges(set: ProximitySet, { spacing }: ThinOptions): void {
  const { ranges } = set.workspace;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < set.count; i++) {
    low = Math.min(low, set.gap[i]);
    high = Math.max(high, set.gap[i]);
  }
  let extent = 0;
  let longest = 0;
  for (let axis = 0; axis < 3; axis++) {
    let least = Infinity;
    let largest = -Infinity;
    for (let i = axis; i < 3 * set.count; i += 3) {
      least = Math.min(least, set.pointB[i]);
      largest = Math.max(largest, set.pointB[i]);
    }
    if (largest > least) extent += (largest - least) * (largest - least);
    longest = Math.max(longest, largest - least);
    ranges[LOW + axis] = least;
  }
  ranges[LEAST_GAP] = low;
  ranges[GAP_RANGE] = high > low ? high - low : 0;
  ranges[CELL_SIZE] = longest / (THIN_CELLS - 1);
  ranges[SPACING_SQUARED] = spacing * spacing;
  ranges[TURN_SQUARED] = Math.max(extent / 4, NORMAL_SPACINGS * NORMAL_SPACINGS * spacing * spacing);
}

function deepest(set: ProximitySet): number {
  const { preferred, ranges } = set.workspace;
  let best = -1;
  let bestGap = Infinity;
  for (let i = 0; i < set.count; i++) {
    const gap = set.gap[i] - (preferred[i] === 1 ? FIRST_PREFERENCE * ranges[GAP_RANGE] : 0);
    if (!(gap < bestGap)) continue;
    best = i;
    bestGap = gap;
  }
  return best;
}

/** What a contact counts for, by its gap and by whether it was chosen before. */
function measureWeights({ count, gap, workspace }: ProximitySet): void {
  const { ranges, preferred, weight } = workspace;
  const perRange = ranges[GAP_RANGE] > 0 ? (1 - FAR_WEIGHT) / ranges[GAP_RANGE] : 0;
  for (let i = 0; i < count; i++) {
    weight[i] = (1 - perRange * (gap[i] - ranges[LEAST_GAP])) * (preferred[i] === 1 ? PREFERENCE : 1);
  }
}

/** Sorts the contacts by cells of a grid, so that those of a block lie close together. */
function sortIntoBlocks(set: ProximitySet): void {
  const { cellStart, cellOf, sorted } = set.workspace;
  cellStart.fill(0);
  for (let i = 0; i < set.count; i++) {
    cellOf[i] = cellAt(set, i, 0) + THIN_CELLS * (cellAt(set, i, 1) + THIN_CELLS * cellAt(set, i, 2));
    cellStart[cellOf[i] + 1] += 1;
  }
  for (let cell = 1; cell < cellStart.length; cell++) cellStart[cell] += cellStart[cell - 1];
  for (let i = 0; i < set.count; i++) {
    sorted[cellStart[cellOf[i]]] = i;
    cellStart[cellOf[i]] += 1;
  }
  for (let block = 0; THIN_BLOCK * block < set.count; block++) boundBlock(set, block);
}

function cellAt({ pointB, workspace }: ProximitySet, i: number, axis: number): number {
  const { ranges } = workspace;
  return ranges[CELL_SIZE] > 0 ? Math.floor((pointB[3 * i + axis] - ranges[LOW + axis]) / ranges[CELL_SIZE]) : 0;
}

/** The box of a block. */
function boundBlock({ count, pointB, workspace }: ProximitySet, block: number): void {
  const { sorted, blockOf, blockBox, blockApart } = workspace;
  const end = Math.min(count, THIN_BLOCK * (block + 1));
  blockApart[block] = Infinity;
  for (let k = THIN_BLOCK * block; k < end; k++) blockOf[sorted[k]] = block;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let k = THIN_BLOCK * block; k < end; k++) {
      low = Math.min(low, pointB[3 * sorted[k] + axis]);
      high = Math.max(high, pointB[3 * sorted[k] + axis]);
    }
    blockBox[6 * block + axis] = low;
    blockBox[6 * block + 3 + axis] = high;
  }
}

/**
 * Brings up to date how far every contact is from the nearest chosen one, now that `chosen` is one of them, and gives the
 * one that is least well stood for, or −1 if all are nearer to a chosen one than the spacing. Blocks in which all are nearer to
 * one chosen before than the block is to this one stay as they are.
 */
function farthest(set: ProximitySet, chosen: number): number {
  const { apart, blockOf, blockApart, blockBest, blockScore, blockBox } = set.workspace;
  const { pointB } = set;
  const c = 3 * chosen;
  const own = blockOf[chosen];
  apart[chosen] = 0;
  let best = -1;
  let bestScore = 0;
  for (let block = 0; THIN_BLOCK * block < set.count; block++) {
    const o = 6 * block;
    const x = Math.max(0, blockBox[o] - pointB[c], pointB[c] - blockBox[o + 3]);
    const y = Math.max(0, blockBox[o + 1] - pointB[c + 1], pointB[c + 1] - blockBox[o + 4]);
    const z = Math.max(0, blockBox[o + 2] - pointB[c + 2], pointB[c + 2] - blockBox[o + 5]);
    if (block === own || x * x + y * y + z * z < blockApart[block]) comeNearer(set, block, c);
    const score = blockScore[block];
    if (!(score > bestScore || (score === bestScore && score > 0 && blockBest[block] < best))) continue;
    best = blockBest[block];
    bestScore = score;
  }
  return best;
}

/** One block, and its own best: of equals the first. */
function comeNearer(set: ProximitySet, block: number, c: number): void {
  const { apart, weight, ranges, sorted, blockApart, blockBest, blockScore } = set.workspace;
  const { pointB, normal, count } = set;
  const end = Math.min(count, THIN_BLOCK * (block + 1));
  const spacing = ranges[SPACING_SQUARED];
  let largest = 0;
  let best = -1;
  let bestScore = 0;
  for (let k = THIN_BLOCK * block; k < end; k++) {
    const i = sorted[k];
    const o = 3 * i;
    const dx = pointB[o] - pointB[c];
    const dy = pointB[o + 1] - pointB[c + 1];
    const dz = pointB[o + 2] - pointB[c + 2];
    const away = dx * dx + dy * dy + dz * dz;
    if (away < apart[i]) {
      const squared = away + ranges[TURN_SQUARED] * Math.max(0, 1 - dot(normal, o, normal, c));
      if (squared < apart[i]) apart[i] = squared;
    }
    if (apart[i] > largest) largest = apart[i];
    if (!(apart[i] > spacing)) continue;
    const score = apart[i] * weight[i] * weight[i];
    if (!(score > bestScore || (score === bestScore && i < best))) continue;
    best = i;
    bestScore = score;
  }
  blockApart[block] = largest;
  blockBest[block] = best;
  blockScore[block] = bestScore;
}

function copyContact(out: ProximitySet, to: number, set: ProximitySet, from: number): void {
  out.kind[to] = set.kind[from];
  out.gap[to] = set.gap[from];
  out.key[2 * to] = set.key[2 * from];
  out.key[2 * to + 1] = set.key[2 * from + 1];
  for (let i = 0; i < 3; i++) {
    out.a[3 * to + i] = set.a[3 * from + i];
    out.b[3 * to + i] = set.b[3 * from + i];
    out.weightA[3 * to + i] = set.weightA[3 * from + i];
    out.weightB[3 * to + i] = set.weightB[3 * from + i];
    out.pointA[3 * to + i] = set.pointA[3 * from + i];
    out.pointB[3 * to + i] = set.pointB[3 * from + i];
    out.normal[3 * to + i] = set.normal[3 * from + i];
  }
}
