import {
  buildSceneMesh,
  checkSceneValue,
  type PreparedBody,
  planPreparation,
  prepareBody,
  RESULT_COLUMNS,
} from '@palpable/engine';
import { RESULT_WIDTH } from '@palpable/engine/advanced';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ComparedMotion, runVariant } from './compare.js';
import type { Variant } from './variants.js';

/** A box above a plate whose upper side is at height 0. */
const SCENE = {
  palpable: 1,
  bodies: {
    box: { mesh: { box: [0.04, 0.04, 0.04] }, density: 2000, shell: { count: 150 }, position: [0, 0, 0.03] },
    plate: { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 32 } },
  },
  tool: 'box',
};

const CYCLES = 600;
const CONE: Variant = { label: 'cone', changes: { 'method.kind': 'static-friction', 'friction.model': 'cone' } };
const SLIPPERY: Variant = { label: 'none', changes: { 'method.kind': 'static-friction', 'friction.model': 'none' } };
const PENALTY: Variant = { label: 'penalty', changes: { 'method.kind': 'penalty' } };

let motion: ComparedMotion;

beforeAll(async () => {
  const { scene } = checkSceneValue(SCENE);
  const bodies = new Map<string, PreparedBody>();
  for (const [name, options] of planPreparation(scene!)) {
    bodies.set(name, await prepareBody(buildSceneMesh(scene!.bodies[name]!)!, options));
  }
  motion = { scene: SCENE, tool: 'box', bodies, trajectory: pressAndPull(), startPose: at(0, 0.03) };
});

type Column = (typeof RESULT_COLUMNS)[number];

function columnOf(rows: Float64Array, name: Column, shift = 0): number[] {
  const place = RESULT_COLUMNS.indexOf(name) + shift;
  return Array.from({ length: rows.length / RESULT_WIDTH }, (_, i) => rows[i * RESULT_WIDTH + place]!);
}

/** Length of the vector that starts with this column, at its greatest. */
function greatest(rows: Float64Array, name: Column): number {
  const [x, y, z] = [0, 1, 2].map((axis) => columnOf(rows, name, axis));
  return Math.max(...x!.map((value, i) => Math.hypot(value, y![i]!, z![i]!)));
}

const at = (x: number, z: number) => Float64Array.of(x, 0, z, 0, 0, 0, 1);

/** Down until the device is 10 mm inside, then 2 mm to the side: less than the cone gives way to. */
function pressAndPull() {
  const time = Float64Array.from({ length: CYCLES }, (_, i) => 0.001 * i);
  const poses = new Float64Array(7 * CYCLES);
  for (let i = 0; i < CYCLES; i += 1) {
    const down = Math.min(1, i / 200);
    const aside = Math.max(0, Math.min(1, (i - 300) / 200));
    poses.set(at(0.002 * aside, 0.03 - 0.02 * down), 7 * i);
  }
  return { count: CYCLES, time, poses };
}

describe('a motion through variants', () => {
  it('is held by friction, and slides without', () => {
    const held = runVariant(motion, CONE);
    const sliding = runVariant(motion, SLIPPERY);
    const columnAtEnd = (rows: Float64Array, name: 'tpx' | 'fx') =>
      rows[(CYCLES - 1) * RESULT_WIDTH + RESULT_COLUMNS.indexOf(name)]!;
    expect(columnAtEnd(held.rows, 'tpx')).toBeLessThan(0.0005);
    expect(columnAtEnd(sliding.rows, 'tpx')).toBeGreaterThan(0.0015);
    expect(columnAtEnd(held.rows, 'fx')).toBeLessThan(-1);
    expect(held.summary.states[1]).toBeGreaterThan(0.3);
    expect(sliding.summary.states[1]).toBe(0);
    expect(sliding.summary.drift).toBe(0);
    expect(held.summary.drift).toBeLessThan(0.00005);
  });

  it('is summed up as its rows say', () => {
    const { summary, count, rows, drift } = runVariant(motion, CONE);
    expect(summary.cycles).toBe(CYCLES);
    expect([count, rows.length, drift.length]).toEqual([CYCLES, CYCLES * RESULT_WIDTH, CYCLES]);
    expect(summary.maxForce).toBe(greatest(rows, 'fx'));
    expect(summary.maxPenetration).toBe(Math.max(...columnOf(rows, 'max_penetration')));
    expect(summary.maxTorque).toBe(greatest(rows, 'tx'));
    expect(summary.drift).toBe(Math.max(...drift));
    expect(summary.states.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12);
  });

  it('gives the same bits again, and tells how far it is', () => {
    const fractions: number[] = [];
    const { rows } = runVariant(motion, CONE, (fraction) => fractions.push(fraction));
    expect(rows).toEqual(runVariant(motion, CONE).rows);
    expect(fractions.at(-1)).toBe(1);
    expect(fractions.every((fraction, i) => i === 0 || fraction > fractions[i - 1]!)).toBe(true);
  });

  it('starts with the tool where the take had it', () => {
    const { count, time, poses } = motion.trajectory;
    const from = 250;
    const pressed = runVariant(motion, CONE).rows.subarray(from * RESULT_WIDTH + RESULT_COLUMNS.indexOf('tpx'));
    const cut = {
      ...motion,
      trajectory: { count: count - from, time: time.subarray(from), poses: poses.subarray(7 * from) },
      startPose: pressed.slice(0, 7),
    };
    const { rows, summary } = runVariant(cut, CONE);
    expect(rows[RESULT_COLUMNS.indexOf('tpz')]).toBeGreaterThan(0.018);
    expect(summary.maxPenetration).toBeLessThan(0.002);
  });

  it('keeps the cycles of a long one apart by more than one', () => {
    const count = 130_000;
    const time = Float64Array.from({ length: count }, (_, i) => 0.001 * i);
    const poses = new Float64Array(7 * count);
    for (let i = 0; i < count; i += 1) poses.set(at(0, 0.5), 7 * i);
    const long = { ...motion, trajectory: { count, time, poses }, startPose: at(0, 0.5) };
    const result = runVariant(long, PENALTY);
    expect(result.summary.cycles).toBe(count);
    expect(result.count).toBe(count / 2);
    expect(result.rows[RESULT_WIDTH]).toBeCloseTo(0.002, 12);
  });

  it('refuses what is no scene', () => {
    const bad = { label: 'odd', changes: { 'friction.model': 'glue' } };
    expect(() => runVariant(motion, bad)).toThrow(/^odd: .*friction\.model/);
  });
});
