import { createRandom } from '../base/random.js';

/** Noise in a narrow band, as a hand that tries to hold still makes it. */
export interface HandTremor {
  /** Root of the mean square of each axis of the motion, m. */
  readonly translation: number;
  /** And of each axis of the rotation, rad. */
  readonly rotation: number;
  /** Middle of the band, Hz; physiological tremor lies at 8 to 12. */
  readonly frequency: number;
}

export interface TremorSource {
  /** Of the noise: Marsaglia's xorshift, here in an array, because a number returned by a function may go to the heap. */
  readonly random: Int32Array;
  /** What is to be added to the intended pose, as a twist: m and rad. */
  readonly offset: Float64Array;
  /** Input and output of each stage in the last two cycles, for the six axes. */
  readonly memory: Float64Array;
  /** Of each stage: y = gain (x − x₂) − back₁ y₁ − back₂ y₂. */
  readonly filter: Float64Array;
  /** Of the six axes. */
  readonly scale: Float64Array;
}

/** Two band-passes in a row, so that the speed of the noise stays in the band as well. */
const STAGES = 2;
/** Middle of the band over its width: 8 to 12 Hz around 10. */
const QUALITY = 2.5;
/** Numbers that one stage of one axis remembers: x₁, x₂, y₁, y₂. */
const MEMORY = 4;

/** Null without any tremor. */
export function createTremor(tremor: HandTremor, timeStep: number, seed: number): TremorSource | null {
  if (tremor.translation === 0 && tremor.rotation === 0) return null;
  // The bilinear transform of s/(Q ω) over (s/ω)² + s/(Q ω) + 1.
  const half = Math.PI * tremor.frequency * timeStep;
  const whole = 1 + half / QUALITY + half * half;
  const source: TremorSource = {
    // Never 0, from which it would not get away.
    random: Int32Array.of(1 + Math.floor(createRandom(seed)() * 0x7ffffffe)),
    offset: new Float64Array(6),
    memory: new Float64Array(6 * STAGES * MEMORY),
    filter: Float64Array.of(
      half / QUALITY / whole,
      (2 * (half * half - 1)) / whole,
      (1 - half / QUALITY + half * half) / whole,
    ),
    scale: new Float64Array(6),
  };
  const perUnit = 1 / (UNIFORM_DEVIATION * responseSize(source, timeStep, tremor.frequency));
  for (let i = 0; i < 6; i += 1) source.scale[i] = perUnit * (i < 3 ? tremor.translation : tremor.rotation);
  return source;
}

/** Of a number that is even between −1 and 1. */
const UNIFORM_DEVIATION = Math.sqrt(1 / 3);

/** Writes the offset of the next cycle. */
export function nextTremor(source: TremorSource): void {
  const { random, offset, scale } = source;
  for (let i = 0; i < 6; i += 1) {
    random[0] ^= random[0] << 13;
    random[0] ^= random[0] >>> 17;
    random[0] ^= random[0] << 5;
    offset[i] = random[0] / 0x80000000;
  }
  runFilter(source);
  for (let i = 0; i < 6; i += 1) offset[i] *= scale[i];
}

function runFilter({ offset, memory, filter }: TremorSource): void {
  for (let i = 0; i < 6; i += 1) {
    let x = offset[i];
    for (let at = i * STAGES * MEMORY; at < (i + 1) * STAGES * MEMORY; at += MEMORY) {
      const y = filter[0] * (x - memory[at + 1]) - filter[1] * memory[at + 2] - filter[2] * memory[at + 3];
      memory[at + 1] = memory[at];
      memory[at] = x;
      memory[at + 3] = memory[at + 2];
      memory[at + 2] = y;
      x = y;
    }
    offset[i] = x;
  }
}

/** Root of the sum of squares of the response to one unit: by how much the filter shrinks white noise. */
function responseSize(source: TremorSource, timeStep: number, frequency: number): number {
  const cycles = Math.ceil((20 * QUALITY) / (frequency * timeStep));
  let sum = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    source.offset.fill(cycle === 0 ? 1 : 0);
    runFilter(source);
    sum += source.offset[0] * source.offset[0];
  }
  source.offset.fill(0);
  source.memory.fill(0);
  return Math.sqrt(sum);
}
