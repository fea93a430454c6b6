import { createRandom, type RandomSource } from '@palpable/engine/advanced';
import type { FuzzSeed } from './fuzz-seeds.js';

/** One file of a fuzzing run. It follows from the run's seed and its number alone, so it can be made again. */
export type FuzzCase = ReturnType<typeof makeFuzzCase>;

/** Every such case is a STEP file: the kernel takes some hundred times longer than our own readers. */
const STEP_EVERY = 50;

/** Mutated files stay below this; what matters is what they claim, not how long they are. */
const MOST_BYTES = 256 * 1024;

export function isStepCase(index: number): boolean {
  return index % STEP_EVERY === STEP_EVERY - 1;
}

export function makeFuzzCase(seeds: readonly FuzzSeed[], runSeed: number, index: number) {
  const random = createRandom(Math.imul(runSeed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca77));
  const candidates = seeds.filter(({ format }) => (format === 'step') === isStepCase(index));
  const seed = pick(random, candidates);
  const mutations: string[] = [];
  let bytes: Uint8Array = Uint8Array.from(seed.bytes);
  for (let left = 1 + Math.floor(random() ** 2 * 5); left > 0 && bytes.length > 0; left--) {
    const mutation = pick(random, MUTATIONS);
    mutations.push(mutation.name);
    bytes = mutation.apply(bytes, random, pick(random, seeds).bytes).subarray(0, MOST_BYTES);
  }
  return { index, seed, mutations, bytes };
}

interface Mutation {
  readonly name: string;
  /** Returns the changed file; may change the given one. `other` is a file to take pieces from. */
  apply(bytes: Uint8Array, random: RandomSource, other: Uint8Array): Uint8Array;
}

const MUTATIONS: readonly Mutation[] = [
  { name: 'flip bits', apply: flipBits },
  { name: 'truncate', apply: (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length)) },
  { name: 'insert bytes', apply: insertBytes },
  { name: 'delete bytes', apply: deleteBytes },
  { name: 'replace a number', apply: replaceNumber },
  { name: 'replace a number', apply: replaceNumber },
  { name: 'lie in a count', apply: lieInCount },
  { name: 'put a special number', apply: putSpecialNumber },
  { name: 'repeat a piece', apply: repeatPiece },
  { name: 'splice', apply: splice },
];

/** Texts that take the place of a number in text formats. */
const NUMBER_TEXTS = [
  'nan',
  'inf',
  '-inf',
  '1e999',
  '-1e308',
  '1e-320',
  '4294967295',
  '4294967296',
  '2147483648',
  '-1',
  '0',
  '99999999999999999999',
  '0.0000000000000000000000000001',
  '1e',
  '--3',
  '0x10',
  '1.5',
  '',
  '9'.repeat(500),
];

/** Counts that take the place of four bytes in binary formats: 2 GiB, 4 GiB, a few hundred million, just a bit more. */
const COUNTS = [0x7fffffff, 0xffffffff, 0x80000000, 0x10000000, 0x00ffffff, 100_000, 0];

const FLOATS = [Number.NaN, Number.POSITIVE_INFINITY, -1e30, 3.4e38, 1e-45, -0, 0];

function flipBits(bytes: Uint8Array, random: RandomSource): Uint8Array {
  for (let left = 1 + Math.floor(random() ** 3 * 64); left > 0; left--) {
    bytes[place(bytes, random)] ^= 1 << Math.floor(random() * 8);
  }
  return bytes;
}

function insertBytes(bytes: Uint8Array, random: RandomSource): Uint8Array {
  const inserted = Uint8Array.from({ length: 1 + Math.floor(random() * 16) }, () => Math.floor(random() * 256));
  return replace(bytes, place(bytes, random), 0, inserted);
}

function deleteBytes(bytes: Uint8Array, random: RandomSource): Uint8Array {
  return replace(bytes, place(bytes, random), 1 + Math.floor(random() * 32), new Uint8Array());
}

/** Finds a number written in text behind a random place and writes another one there. */
function replaceNumber(bytes: Uint8Array, random: RandomSource): Uint8Array {
  const isDigit = (i: number) => (bytes[i] >= 48 && bytes[i] <= 57) || bytes[i] === 45 || bytes[i] === 46;
  // Half of the time near the beginning, where the counts of headers stand.
  let start = Math.floor(place(bytes, random) * (random() < 0.5 ? 1 : 0.05));
  while (start < bytes.length && !isDigit(start)) start++;
  let end = start;
  while (end < bytes.length && isDigit(end)) end++;
  return replace(bytes, start, end - start, Buffer.from(pick(random, NUMBER_TEXTS), 'latin1'));
}

/** Writes a large count over four bytes, mostly near the beginning, where binary headers have theirs. */
function lieInCount(bytes: Uint8Array, random: RandomSource): Uint8Array {
  if (bytes.length < 4) return bytes;
  const offset = random() < 0.3 ? Math.min(80, bytes.length - 4) : Math.floor(random() ** 3 * (bytes.length - 4));
  view(bytes).setUint32(offset, pick(random, COUNTS), random() < 0.7);
  return bytes;
}

function putSpecialNumber(bytes: Uint8Array, random: RandomSource): Uint8Array {
  if (bytes.length < 4) return bytes;
  view(bytes).setFloat32(Math.floor(random() * (bytes.length - 4)), pick(random, FLOATS), random() < 0.7);
  return bytes;
}

function repeatPiece(bytes: Uint8Array, random: RandomSource): Uint8Array {
  const start = place(bytes, random);
  const piece = bytes.slice(start, start + 1 + Math.floor(random() * 400));
  const times = 1 + Math.floor(random() ** 4 * 200);
  return replace(bytes, start, 0, Buffer.concat(Array.from({ length: times }, () => piece)));
}

function splice(bytes: Uint8Array, random: RandomSource, other: Uint8Array): Uint8Array {
  const head = bytes.subarray(0, place(bytes, random));
  return Buffer.concat([head, other.subarray(place(other, random))]);
}

function replace(bytes: Uint8Array, start: number, removed: number, inserted: Uint8Array): Uint8Array {
  return Uint8Array.from(Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(start + removed)]));
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function place(bytes: Uint8Array, random: RandomSource): number {
  return Math.floor(random() * bytes.length);
}

function pick<T>(random: RandomSource, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)];
}
