import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildField, createSphere, type DistanceField } from '@palpable/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeField, probesToCsv, readProbePoints } from '../commands/inspect.js';

const folder = mkdtempSync(join(tmpdir(), 'palpable-probe-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(content: string): string {
  const path = join(folder, 'points.csv');
  writeFileSync(path, content);
  return path;
}

describe('points to probe', () => {
  it.each([
    ['x,y,z\n1,2,3\n-4.5,5e-3,+6\n'],
    ['x,y,z\r\n1,2,3\r\n-4.5,0.005,6\r\n'],
    ['\uFEFFX, Y ,z\n1,2,3\n\n-4.5,0.005,6'],
    ['name,z,y,x,note\na,3,2,1,\nb,6,0.005,-4.5,hm\n'],
  ])('are read from %j', async (text) => {
    expect(await readProbePoints(write(text))).toEqual([
      [1, 2, 3],
      [-4.5, 0.005, 6],
    ]);
  });

  it('may be none', async () => {
    expect(await readProbePoints(write('x,y,z\n'))).toEqual([]);
  });

  it.each([
    ['', 1],
    ['1,2,3\n', 1],
    ['x,y\n1,2\n', 1],
    ['x,y,z\n1,2,3\n1,2\n', 3],
    ['x,y,z\n1,2,\n', 2],
    ['x,y,z\n1,2,three\n', 2],
    ['x,y,z\n1,2,3\n\n1,NaN,3\n', 4],
    ['x,y,z\n1,2,Infinity\n', 2],
    ['x,y,z\n1;2;3\n', 2],
  ])('are refused in %j, naming line %d', async (text, line) => {
    const path = write(text);
    await expect(readProbePoints(path)).rejects.toMatchObject({
      name: 'PalpableError',
      code: 'format-invalid',
      path,
      message: expect.stringContaining(`${path}, line ${line}: found`),
    });
  });

  it('are refused when there is no such file', async () => {
    await expect(readProbePoints(join(folder, 'none.csv'))).rejects.toMatchObject({ code: 'file-unreadable' });
  });
});

describe('probing', () => {
  let field: DistanceField;
  beforeAll(async () => {
    field = await buildField(createSphere(0.05, 16), { resolution: 32 });
  });

  it('gives distances in the unit of the points, and gradients without one', () => {
    const [metres] = probeField(field, 1, [[0.06, 0, 0]]);
    const [millimetres] = probeField(field, 1e-3, [[60, 0, 0]]);
    expect(metres!.distance).toBeCloseTo(0.01, 4);
    expect(metres!.gx).toBeCloseTo(1, 2);
    expect(millimetres).toMatchObject({ x: 60, y: 0, z: 0, gx: metres!.gx });
    expect(millimetres!.distance).toBeCloseTo(1000 * metres!.distance, 9);
  });

  it('is written with every digit', () => {
    const probes = probeField(field, 1, [
      [0.01, 0.02, 0.03],
      [0.1, 1 / 3, -1e-7],
    ]);
    const [header, ...rows] = probesToCsv(probes).trimEnd().split('\n');
    expect(header).toBe('x,y,z,distance,gx,gy,gz');
    expect(rows.map((row) => row.split(',').map(Number))).toEqual(
      probes.map(({ x, y, z, distance, gx, gy, gz }) => [x, y, z, distance, gx, gy, gz]),
    );
    expect(probesToCsv([])).toBe('x,y,z,distance,gx,gy,gz\n');
  });
});
