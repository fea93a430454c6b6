import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkSceneValue, readResult, STATE_SLIP, STATE_STICK } from '@palpable/engine';
import { bodyPose } from '@palpable/engine/advanced';
import { afterAll, describe, expect, it } from 'vitest';
import { palpable } from './lib/palpable.js';

// Every scene of the gallery, touched from the command line: nothing is felt before contact, and then what the scene is
// about. What the page adds to them is tested in test/browser.

const scenes = fileURLToPath(new URL('../scenes', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'palpable-gallery-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where the hand goes from its start, mm, with how it is turned about z, rad; and in how many cycles. */
type Stretch = readonly [x: number, y: number, z: number, cycles: number, turn?: number];

/** The end of a stretch: where the tool is from its start, mm; the force on the hand, N. */
interface Moment {
  readonly tool: readonly [number, number, number];
  readonly force: readonly [number, number, number];
  readonly contacts: number;
  readonly state: number;
}

interface Scene {
  readonly motion: readonly Stretch[];
  /** How finely bodies are prepared where the build has not done so. */
  readonly coarse?: Coarse;
  /** Greatest penetration on the way, mm. */
  readonly deepest: number;
  readonly expects: (...moments: Moment[]) => void;
}

/** Instead of what a scene says. */
interface Coarse {
  /** Voxels along the longest side of a field. */
  readonly resolution?: number;
  /** Of a shell. */
  readonly points?: number;
  /** m, of what bends. */
  readonly elementSize?: number;
}

/** Against a hand that goes far down. */
const holdsUp = ({ force }: Moment) => expect(force[2]).toBeGreaterThan(1);

const SCENES: Readonly<Record<string, Scene>> = {
  'block-plate': {
    motion: [
      [0, 0, -10, 100],
      [2, 0, -10, 60],
      [20, 0, -10, 200],
    ],
    deepest: 0.03,
    expects: (pressed, pulled, sliding) => {
      expect(pressed!.force[2]).toBeCloseTo(9, 1);
      // 2 N are less than μ_s = 0.5 holds; beyond that it slides, with no less than μ_k = 0.4.
      expect(pulled!.tool[0]).toBeCloseTo(0, 2);
      expect(pulled!.state).toBe(STATE_STICK);
      expect(sliding!.state).toBe(STATE_SLIP);
      const ratio = -sliding!.force[0] / sliding!.force[2];
      expect([ratio > 0.39, ratio < 0.51], String(ratio)).toEqual([true, true]);
      expect(sliding!.tool[0]).toBeGreaterThan(10);
    },
  },
  'bunny-knock': {
    motion: [[0, 0, -60, 200]],
    deepest: 0.05,
    expects: (down) => {
      expect(down!.tool[2]).toBeCloseTo(-42.5, 0);
      expect(down!.force[2]).toBeCloseTo(33.3, 0);
    },
  },
  'clip-pipe': {
    motion: [
      [0, 0, -12, 200],
      [0, 0, -16, 100],
      [0, 0, -22, 100],
      [0, 0, -16, 100],
      [0, 0, 0, 150],
    ],
    coarse: { elementSize: 0.0024 },
    deepest: 0.1,
    expects: (opening, open, snapped, pulled, off) => {
      // It has to be pushed open, snaps onto the pipe, holds it and comes off.
      expect(opening!.force[2]).toBeGreaterThan(5);
      expect(open!.tool[2]).toBeGreaterThan(-14);
      expect(Math.abs(snapped!.force[2])).toBeLessThan(1);
      expect(snapped!.tool[2]).toBeCloseTo(-22, 0);
      expect(pulled!.force[2]).toBeLessThan(-5);
      expect(off!.contacts).toBe(0);
    },
  },
  'corner-cube': {
    motion: [[-10, -10, -10, 200]],
    deepest: 1.5,
    expects: ({ force }) => {
      for (const part of force) expect(part).toBeCloseTo(8.9, 0);
    },
  },
  'corner-god-object': {
    motion: [[-10, -10, -10, 200]],
    deepest: 0.05,
    expects: ({ tool, force }) => {
      // 1 mm to the three walls, and no further; voxels of 5 mm round the edges between the walls by a few per cent of one.
      for (const place of tool) expect([place > -1.05, place < -0.8], String(place)).toEqual([true, true]);
      for (const part of force) expect(part).toBeCloseTo(9, 0);
    },
  },
  'cube-holds': {
    motion: [
      [0, 0, -10, 200],
      [5, 0, -10, 200],
      [5, 0, -10, 200],
    ],
    deepest: 3,
    expects: (_, pulled, held) => {
      expect(held!.state).toBe(STATE_STICK);
      expect(held!.force[0]).toBeLessThan(-2);
      // But for the rest of the way that its springs give.
      expect(held!.tool[0]).toBeCloseTo(pulled!.tool[0], 1);
    },
  },
  'door-window-motor': {
    motion: [[0, -30, 0, 150]],
    deepest: 1.5,
    expects: ({ tool, force }) => {
      expect(tool[1]).toBeGreaterThan(-2);
      expect(force[1]).toBeGreaterThan(20);
    },
  },
  'engine-starter': {
    motion: [[0, 0, -20, 150]],
    coarse: { resolution: 64, points: 3000 },
    deepest: 5,
    expects: (down) => {
      expect(down!.tool[2]).toBeGreaterThan(-8);
      holdsUp(down!);
    },
  },
  gears: {
    motion: [
      [0, 0, -20, 150],
      [0, 0, -20, 100, 0.3],
    ],
    deepest: 1.5,
    expects: (onTeeth, meshed) => {
      // Its teeth stand on those of the others until it is turned by a tooth: then it drops between them.
      expect(onTeeth!.tool[2]).toBeCloseTo(-10.5, 0);
      holdsUp(onTeeth!);
      expect(meshed!.tool[2]).toBeCloseTo(-20, 0);
    },
  },
  jaws: {
    motion: [[0, 0, -22, 150]],
    deepest: 0.5,
    expects: (closed) => {
      expect(closed!.tool[2]).toBeGreaterThan(-18);
      holdsUp(closed!);
    },
  },
  'nut-bolt': {
    motion: [
      [0, 0, -8, 150],
      [0, 0, -8, 400, -4 * Math.PI],
    ],
    deepest: 0.5,
    expects: (onTop, turned) => {
      // The thread lets it down by turning alone: two turns of 2 mm are more than what is left of 8 mm.
      expect(onTop!.tool[2]).toBeCloseTo(-5, 0);
      holdsUp(onTop!);
      expect(turned!.tool[2]).toBeCloseTo(-8, 0);
    },
  },
  'peg-blind-hole': {
    motion: [
      [0, 0, -50, 300],
      [10, 0, -50, 150],
    ],
    coarse: { resolution: 64, points: 1500 },
    deepest: 0.1,
    expects: (inside, aside) => {
      expect(inside!.tool[2]).toBeLessThan(-45);
      // 0.4 mm to spare on every side: it leans until both of its ends touch.
      expect(Math.abs(aside!.tool[0])).toBeLessThan(2);
      expect(aside!.force[0]).toBeLessThan(-8);
    },
  },
  'peg-hole': {
    motion: [[0, 0, -60, 200]],
    deepest: 0.8,
    expects: ({ tool, force, contacts }) => {
      // Wider than its hole by half a millimetre: it goes in, with all its sides pressed and rubbing.
      expect(tool[2]).toBeLessThan(-50);
      expect(force[2]).toBeGreaterThan(1);
      expect(contacts).toBeGreaterThan(150);
    },
  },
  'peg-snake': {
    motion: [[0, 0, -60, 150]],
    deepest: 0.8,
    expects: ({ tool, force }) => {
      expect(tool[2]).toBeCloseTo(0, 3);
      expect(force[2]).toBeCloseTo(60, 1);
    },
  },
  'spoon-cup': {
    motion: [
      [0, 0, -150, 250],
      [60, 0, -150, 200],
    ],
    deepest: 1.6,
    expects: (onGround, atWall) => {
      expect(onGround!.tool[2]).toBeGreaterThan(-145);
      holdsUp(onGround!);
      expect(atWall!.tool[0]).toBeLessThan(50);
      expect(atWall!.force[0]).toBeLessThan(-2);
    },
  },
  'table-floor': {
    motion: [
      [0, 0, -22, 80],
      [0, 0, -26, 80],
    ],
    coarse: { elementSize: 0.01 },
    deepest: 0.1,
    expects: (down, pressed) => {
      // On all four legs, which bend.
      expect(down!.contacts).toBeGreaterThanOrEqual(4);
      expect(pressed!.force[2]).toBeGreaterThan(down!.force[2] + 2);
      expect(pressed!.tool[2]).toBeCloseTo(-21, 0);
    },
  },
  'thin-sheet': {
    motion: [[0, 0, -60, 250]],
    coarse: { resolution: 100 },
    deepest: 0.15,
    expects: (down) => {
      // Nothing gets through half a millimetre.
      expect(down!.tool[2]).toBeGreaterThan(-25);
      expect(down!.force[2]).toBeGreaterThan(30);
    },
  },
};

/** These have the bodies of another one, or two hands (`clip-two-hands`, in test/deformable-threads.test.ts). */
const ELSEWHERE = ['bunny-sheets', 'bunny-teapot', 'clip-soft-pipe', 'clip-two-hands', 'starter-blocked'];

it('is all of the folder', () => {
  const files = readdirSync(scenes).filter((name) => name.endsWith('.json') && name !== 'schema.json');
  const known = [...Object.keys(SCENES), ...ELSEWHERE].map((name) => `${name}.json`);
  expect(files.sort()).toEqual(known.sort());
});

describe('the gallery', () => {
  it.each(Object.entries(SCENES))('%s does what it is about', async (name, { motion, coarse, deepest, expects }) => {
    const { path, start } = writeScene(name, coarse);
    const trajectory = join(folder, `${name}.csv`);
    writeFileSync(trajectory, describeMotion(start, motion));
    const out = join(folder, `${name}-result.csv`);
    const { status, stderr } = await palpable('run', path, '--trajectory', trajectory, '--out', out);
    expect(status, stderr).toBe(0);
    const result = readResult(readFileSync(out, 'utf8'), out);
    const triple = (names: readonly [Column, Column, Column], row: number) =>
      names.map((column) => result.column(column)[row]!) as [number, number, number];
    let row = STILL_CYCLES - 1;
    // Modular and deformable carry the tool's weight; the others give nothing at all in free space.
    expect(Math.hypot(...triple(['fx', 'fy', 'fz'], row)), 'in free space').toBeLessThan(1);
    const moments = motion.map(([, , , cycles]): Moment => {
      row += cycles;
      const place = triple(['tpx', 'tpy', 'tpz'], row).map((value, axis) => 1000 * (value - start[axis]!));
      return {
        tool: place as [number, number, number],
        force: triple(['fx', 'fy', 'fz'], row),
        contacts: result.column('contacts')[row]!,
        state: result.column('friction_state')[row]!,
      };
    });
    expect(1000 * Math.max(...result.column('max_penetration')), 'penetration').toBeLessThan(deepest);
    expects(...moments);
  });
});

type Column = Parameters<ReturnType<typeof readResult>['column']>[0];

const STILL_CYCLES = 20;

interface Body {
  mesh: unknown;
  field?: object;
  shell?: object;
  deformable?: object;
}

/** A copy whose meshes are found from anywhere, as coarse as wanted. */
function writeScene(name: string, { resolution, points, elementSize }: Coarse = {}) {
  const value = JSON.parse(readFileSync(join(scenes, `${name}.json`), 'utf8'));
  for (const body of Object.values(value.bodies) as Body[]) {
    if (typeof body.mesh === 'string' && body.mesh.includes('.')) body.mesh = join(scenes, body.mesh);
    if (resolution !== undefined && body.field) body.field = { ...body.field, resolution };
    if (points !== undefined && body.shell) body.shell = { ...body.shell, count: points };
    if (elementSize !== undefined && body.deformable) body.deformable = { ...body.deformable, elementSize };
  }
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(value));
  const { scene } = checkSceneValue(value);
  return { path, start: bodyPose(scene!.bodies[scene!.tool[0]!]!) };
}

/** At rest for a moment, then evenly from stretch to stretch. */
function describeMotion(start: Float64Array, motion: readonly Stretch[]): string {
  const rows: string[] = [];
  let from: Stretch = [0, 0, 0, 0];
  for (const to of [[0, 0, 0, STILL_CYCLES] as Stretch, ...motion]) {
    const [, , , cycles] = to;
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const between = (a: number, b: number) => a + ((b - a) * cycle) / cycles;
      const place = [0, 1, 2].map((axis) => start[axis]! + between(from[axis]!, to[axis]!) / 1000);
      rows.push([rows.length / 1000, ...place, ...turnedAboutZ(start, between(from[4] ?? 0, to[4] ?? 0))].join(','));
    }
    from = to;
  }
  return `time,px,py,pz,qx,qy,qz,qw\n${rows.join('\n')}\n`;
}

/** The rotation of a pose, then one about the world's z. */
function turnedAboutZ(pose: Float64Array, angle: number): number[] {
  const [x, y, z, w] = pose.subarray(3, 7) as unknown as [number, number, number, number];
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  return [c * x - s * y, c * y + s * x, c * z + s * w, c * w - s * z];
}
