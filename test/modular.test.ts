import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBox, decodeAsset, readResult } from '@palpable/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { palpable, workIn } from './lib/palpable.js';

// The method "modular" as a user meets it: in scene files, results, assets and reports.

const CUBE = { mesh: { box: [0.05, 0.05, 0.05] }, shell: { count: 300 } };
const PLATE = { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 32 } };
const SCENE = {
  palpable: 1,
  bodies: { cube: CUBE, plate: PLATE },
  tool: 'cube',
  method: { kind: 'modular', mass: 0.02 },
  coupling: { stiffness: 500, torsionalStiffness: 0.6 },
};
const BY_HIERARCHY = { ...SCENE, method: { ...SCENE.method, detection: 'hierarchy' } };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-modular-'));
  write('push.csv', push());
  write('shell.json', SCENE);
  write('hierarchy.json', BY_HIERARCHY);
  return workIn(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(scene: string, out: string) {
  return await palpable('run', scene, '--trajectory', 'push.csv', '--out', out);
}

function write(name: string, content: unknown): string {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

/** All columns but the measured times. */
function withoutTimes(name: string): string[][] {
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  const timed = lines[0]!.split(',').map((column) => column.startsWith('us_'));
  return lines.map((line) => line.split(',').filter((_, column) => !timed[column]));
}

/** Down onto the plate, on which the cube stands at 0.025, then sideways. */
function push(): string {
  const rows = Array.from({ length: 500 }, (_, i) => {
    const x = 0.02 * Math.max(0, i / 250 - 1);
    return `${i / 1000},${x},0,${Math.max(0.02, 0.03 - 0.0001 * i)},0,0,0,1`;
  });
  return `${['time,px,py,pz,qx,qy,qz,qw', ...rows].join('\n')}\n`;
}

describe.each(['shell', 'hierarchy'])('palpable run with modular and the detection %s', (detection) => {
  const scene = `${detection}.json`;
  const out = `${detection}.csv`;

  it('holds the cube on the plate and writes the columns that all methods have', async () => {
    const { status, stderr } = await run(scene, out);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const result = readResult(readFileSync(join(folder, out), 'utf8'), out);
    expect(result.count).toBe(500);
    const at = (name: Parameters<typeof result.column>[0], cycle: number) => result.column(name)[cycle]!;
    // Contacts push from a millimetre on.
    expect(at('tpz', 240)).toBeGreaterThan(0.024);
    expect(at('tpz', 240)).toBeLessThan(0.0265);
    expect(at('fz', 240)).toBeGreaterThan(1.8);
    expect(at('contacts', 240)).toBeGreaterThan(0);
    // Friction holds against the way sideways.
    expect(at('fx', 499)).toBeLessThan(-0.3);
    expect(result.column('us_total').every((us) => us > 0)).toBe(true);
  });

  it('gives the same bits again', async () => {
    await run(scene, `again-${out}`);
    expect(withoutTimes(`again-${out}`)).toEqual(withoutTimes(out));
    expect(await palpable('replay', out)).toMatchObject({ status: 0, stderr: '' });
  });
});

it('the contact side may be slower than the loop, to the same bits again', async () => {
  write('slow.json', { ...SCENE, method: { ...SCENE.method, contactRatio: 10, contactDelayed: true } });
  expect((await run('slow.json', 'slow.csv')).status).toBe(0);
  expect((await palpable('replay', 'slow.csv')).status).toBe(0);
  expect(withoutTimes('slow.csv')).not.toEqual(withoutTimes('shell.csv'));
});

describe('what is wrong is said', () => {
  it.each([
    [{ integrator: 'verlet' }, 'method.integrator, line 1: found "verlet", expected one of "implicit"'],
    [{ clusters: 0 }, 'method.clusters, line 1: found 0, expected a whole number from 1 to 100 (clusters).'],
    [{ detection: 'Hierarchy' }, 'method.detection, line 1: found "Hierarchy", expected one of "shell"'],
    [{ distanceTolerance: 0 }, 'method.distanceTolerance, line 1: found 0, expected a number above 0, at most 1 (m).'],
    [{ mass: -1 }, 'method.mass, line 1: found -1, expected a number above 0'],
    [{ contactRatio: 1.5 }, 'method.contactRatio, line 1: found 1.5, expected a whole number from 1 to 1000 (cycles).'],
  ])('%j', async (method, message) => {
    const { status, stderr } = await palpable(
      'validate',
      write('bad.json', { ...SCENE, method: { kind: 'modular', ...method } }),
    );
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  it('a warning for what contacts between pieces do not use', async () => {
    const bodies = { ...SCENE.bodies, plate: { ...PLATE, field: { offset: 0.001 } } };
    const { status, stderr, stdout } = await palpable('validate', write('warned.json', { ...BY_HIERARCHY, bodies }));
    expect(status).toBe(0);
    expect(stderr).toContain('bodies.plate.field.offset, line 1: contacts are found on the mesh itself');
    expect(stdout).toContain('cube against plate: both as convex pieces.');
  });
});

describe('convex pieces in assets', () => {
  it('are built on demand, kept in the cache and told of', async () => {
    const box = createBox(0.1, 0.1, 0.1);
    const lines = [
      ...Array.from(
        { length: box.positions.length / 3 },
        (_, v) => `v ${box.positions.slice(3 * v, 3 * v + 3).join(' ')}`,
      ),
      ...Array.from(
        { length: 12 },
        (_, t) => `f ${[...box.triangles.slice(3 * t, 3 * t + 3)].map((v) => v + 1).join(' ')}`,
      ),
    ];
    write('box.obj', lines.join('\n'));
    const prepare = async (...options: string[]) =>
      await palpable(
        'prepare',
        'box.obj',
        '--resolution',
        '16',
        '--count',
        '50',
        '--cache',
        'own',
        '--json',
        ...options,
      );
    const [plain] = JSON.parse((await prepare()).stdout);
    expect(plain).not.toHaveProperty('pieces');
    const [built] = JSON.parse((await prepare('--hierarchy')).stdout);
    expect(built).toMatchObject({ from: 'built', pieces: expect.any(Number), levels: expect.any(Number) });
    expect(JSON.parse((await prepare('--hierarchy')).stdout)[0]).toMatchObject({ from: 'cache', pieces: built.pieces });
    expect(JSON.parse((await prepare('--hierarchy-tolerance', '0.01')).stdout)[0].from).toBe('built');
    expect(decodeAsset(readFileSync(join(folder, 'box.palpable'))).hierarchy!.nodeCount).toBeGreaterThan(0);
    expect((await palpable('inspect', 'box.palpable')).stdout).toMatch(
      /Hierarchy: \d+ convex pieces, \d+ nodes in \d+ level/,
    );
    const { hierarchy } = JSON.parse((await palpable('inspect', 'box.palpable', '--json')).stdout);
    expect(hierarchy).toMatchObject({ pieces: built.pieces, radius: expect.closeTo(0.05 * Math.sqrt(3), 3) });
    const refused = await prepare('--hierarchy-tolerance', '0.5');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('at most 0.1')]);
  });
});
