import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bodyPose, checkSceneValue, readResult } from '@palpable/engine';
import { afterAll, describe, expect, it } from 'vitest';

// Every scene of the gallery, touched from the command line: nothing is felt before contact, and then a force that holds
// against the hand. What the page adds to them is tested in test/browser.

const repository = fileURLToPath(new URL('..', import.meta.url));
const program = join(repository, 'packages/cli/bin/palpable.js');
const scenes = join(repository, 'scenes');
const folder = mkdtempSync(join(tmpdir(), 'palpable-gallery-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = promisify(execFile);

/** Which way the hand goes until it touches, m, and how finely fields are built where the build has not prepared them. */
const TOUCHES: Readonly<Record<string, readonly [direction: readonly [number, number, number], resolution?: number]>> =
  {
    'block-plate': [[0, 0, -0.01]],
    'bunny-knock': [[0, 0, -0.06]],
    'corner-cube': [[-0.01, -0.01, -0.01]],
    'corner-god-object': [[-0.01, -0.01, -0.01]],
    'cube-holds': [[-0.01, -0.01, -0.01]],
    'door-window-motor': [[0, -0.03, 0]],
    'engine-starter': [[0, 0, -0.02], 64],
    gears: [[0, 0, -0.014]],
    'nut-bolt': [[0, 0, -0.008]],
    'peg-blind-hole': [[0.01, 0, -0.03], 96],
    'peg-hole': [[0, 0, -0.06]],
    'peg-snake': [[0, 0, -0.06]],
    'spoon-cup': [[0, 0, -0.15]],
    'thin-sheet': [[0, 0, -0.04], 100],
  };

/** These have tests of their own, or the bodies of another one. */
const ELSEWHERE = [
  'bunny-sheets',
  'bunny-teapot',
  'clip-pipe',
  'clip-soft-pipe',
  'clip-two-hands',
  'jaws',
  'starter-blocked',
  'table-floor',
];

const CYCLES = 600;
const STILL_CYCLES = 100;

it('is all of the folder', () => {
  const files = readdirSync(scenes).filter((name) => name.endsWith('.json') && name !== 'schema.json');
  const known = [...Object.keys(TOUCHES), ...ELSEWHERE].map((name) => `${name}.json`);
  expect(files.sort()).toEqual(known.sort());
});

describe.concurrent('the gallery', { timeout: 120_000 }, () => {
  it.each(Object.entries(TOUCHES))('%s stops the hand', async (name, [direction, resolution]) => {
    const { path, start } = writeScene(name, resolution);
    const trajectory = join(folder, `${name}.csv`);
    writeFileSync(trajectory, describeMotion(start, direction));
    const out = join(folder, `${name}-result.csv`);
    await run(process.execPath, [program, 'run', path, '--trajectory', trajectory, '--out', out], {
      env: { ...process.env, PALPABLE_CACHE: join(repository, '.palpable/cache') },
    });
    const result = readResult(readFileSync(out, 'utf8'), out);
    const forces = (['fx', 'fy', 'fz'] as const).map((name) => result.column(name));
    const along = forces[0]!.map((_, row) =>
      direction.reduce((sum, part, axis) => sum + part * forces[axis]![row]!, 0),
    );
    expect(along.every(Number.isFinite)).toBe(true);
    // Modular and deformable carry the tool's weight; the others give nothing at all in free space.
    expect(Math.abs(along[0]!)).toBeLessThan(1);
    expect(Math.max(...result.column('contacts'))).toBeGreaterThan(0);
    // Against the hand.
    expect(along.at(-1)! / Math.hypot(...direction)).toBeLessThan(-0.05);
  });
});

/** A copy whose meshes are found from anywhere; with a resolution, fields are that coarse. */
function writeScene(name: string, resolution: number | undefined) {
  const value = JSON.parse(readFileSync(join(scenes, `${name}.json`), 'utf8'));
  for (const body of Object.values(value.bodies) as { mesh: unknown; field?: object }[]) {
    if (typeof body.mesh === 'string' && body.mesh.includes('.')) body.mesh = join(scenes, body.mesh);
    if (resolution !== undefined && body.field) body.field = { ...body.field, resolution };
  }
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(value));
  const { scene } = checkSceneValue(value);
  return { path, start: bodyPose(scene!.bodies[scene!.tool[0]!]!) };
}

/** At rest for a moment, then evenly, then at rest again. */
function describeMotion(start: Float64Array, direction: readonly number[]): string {
  const rows = Array.from({ length: CYCLES }, (_, i) => {
    const part = Math.min(1, Math.max(0, (i - STILL_CYCLES) / (CYCLES - 2 * STILL_CYCLES)));
    const position = direction.map((way, axis) => start[axis]! + part * way);
    return [i / 1000, ...position, ...start.subarray(3, 7)].join(',');
  });
  return `time,px,py,pz,qx,qy,qz,qw\n${rows.join('\n')}\n`;
}
