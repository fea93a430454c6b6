import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openAssetCache, prepareFile } from '@palpable/cli/internal';
import { createBox, createSphere, decodeAsset, encodeAsset, prepareBody, type TriangleMesh } from '@palpable/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { palpable } from './lib/palpable.js';

const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));
/** Its convex pieces take seconds, in one step. */
const jaw = fileURLToPath(new URL('../scenes/meshes/jaw-upper.obj', import.meta.url));
const small = ['--resolution', '16', '--count', '100'];

let folder: string;
let cache: string;
let out: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-prepare-'));
  cache = join(folder, 'cache');
  out = join(folder, 'out');
});
afterEach(() => {
  // Whatever a test did, no half-written file may stay.
  const left = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.tmp'));
  rmSync(folder, { recursive: true });
  expect(left).toEqual([]);
});

async function prepare(...args: string[]) {
  const { status, stdout, stderr } = await palpable('prepare', ...args, '--cache', cache, '--out', out, '--json');
  return { status, stderr, rows: status === 0 ? JSON.parse(stdout) : [] };
}

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function writeObj(name: string, { positions, triangles }: TriangleMesh, scale = 1): string {
  const lines: string[] = [];
  for (let v = 0; v < positions.length; v += 3) {
    lines.push(`v ${[...positions.subarray(v, v + 3)].map((value) => value * scale).join(' ')}`);
  }
  for (let t = 0; t < triangles.length; t += 3) {
    lines.push(`f ${[...triangles.subarray(t, t + 3)].map((vertex) => vertex + 1).join(' ')}`);
  }
  return write(name, `${lines.join('\n')}\n`);
}

function cacheFiles(): string[] {
  return readdirSync(cache).map((name) => join(cache, name));
}

/** Names of all parts in the cache; each file has one. */
function cachedParts(): string[] {
  const parts = cacheFiles().flatMap((file) => {
    const body = decodeAsset(readFileSync(file));
    return (['field', 'shell', 'hierarchy', 'elastic'] as const).filter((part) => body[part]);
  });
  expect(parts).toHaveLength(cacheFiles().length);
  return parts.sort();
}

describe('palpable prepare', () => {
  it('builds once, then takes the same bytes from the cache', async () => {
    const mesh = writeObj('ball.obj', createSphere(0.1, 4));
    const first = await prepare(mesh, ...small);
    expect(first).toMatchObject({ status: 0, stderr: '', rows: [{ from: 'built', triangles: 320, points: 100 }] });
    const asset = readFileSync(join(out, 'ball.palpable'));
    expect(cachedParts()).toEqual(['field', 'shell']);
    rmSync(out, { recursive: true });
    expect((await prepare(mesh, ...small)).rows).toMatchObject([{ from: 'cache', triangles: 320, points: 100 }]);
    expect(readFileSync(join(out, 'ball.palpable')).equals(asset)).toBe(true);
    // What it holds is what the engine makes of the same mesh without any of this.
    const { mesh: read, field, shell } = decodeAsset(asset);
    expect([read.triangles.length, field!.closed, shell!.count]).toEqual([960, true, 100]);
  });

  it('makes the bodies of scenes ready, whatever part they have there', async () => {
    await prepare(writeObj('ball.obj', createSphere(0.1, 4)));
    const trajectory = write('rest.csv', 'time,px,py,pz,qx,qy,qz,qw\n0,0,0,0.5,0,0,0,1\n0.001,0,0,0.5,0,0,0,1\n');
    // The ball has the settings of all that say nothing; the box need not.
    const box = { mesh: { box: [0.1, 0.1, 0.1] }, field: { resolution: 16 }, shell: { count: 100 } };
    const run = async (name: string, bodies: object) => {
      const scene = write(name, JSON.stringify({ palpable: 1, bodies, tool: 'tool' }));
      const to = join(folder, `${name}.csv`);
      const { status, stdout } = await palpable(
        ...['run', scene, '--trajectory', trajectory, '--out', to, '--cache', cache, '--json'],
      );
      expect(status).toBe(0);
      return JSON.parse(stdout).fromCache;
    };
    expect(await run('as-tool.json', { tool: { mesh: 'ball.obj' }, other: box })).toEqual({ tool: true, other: false });
    // Each has points and distances for the other, so that the box is known by now as well.
    expect(await run('as-other.json', { tool: box, other: { mesh: 'ball.obj' } })).toEqual({
      tool: true,
      other: true,
    });
    expect(await run('as-both.json', { tool: { mesh: 'ball.obj', field: {} }, other: box })).toEqual({
      tool: true,
      other: true,
    });
  });

  it('keeps different settings and meshes apart', async () => {
    const mesh = writeObj('ball.obj', createSphere(0.1, 4));
    const other = writeObj('box.obj', createBox(1, 1, 1));
    await prepare(mesh, ...small);
    expect((await prepare(mesh, ...small, '--seed', '2')).rows[0].from).toBe('built');
    expect((await prepare(mesh, '--resolution', '17', '--count', '100')).rows[0].from).toBe('built');
    expect((await prepare(mesh, ...small, '--offset', '0.001')).rows[0].from).toBe('built');
    expect((await prepare(mesh, ...small, '--unit', 'mm')).rows[0].from).toBe('built');
    const both = (await prepare(mesh, other, ...small)).rows;
    expect(both.map(({ from }: { from: string }) => from)).toEqual(['cache', 'built']);
    // Of each mesh the parts that differ: field and shell, shell, field, field, both in mm, both of the box.
    expect(cacheFiles().length).toBe(9);
    // The name of the file does not matter, its content does.
    expect((await prepare(writeObj('again.obj', createSphere(0.1, 4)), ...small)).rows[0].from).toBe('cache');
  });

  it('notices a cached file that was cut short or altered, and builds it again', async () => {
    const mesh = writeObj('ball.obj', createSphere(0.1, 4));
    await prepare(mesh, ...small);
    const asset = readFileSync(join(out, 'ball.palpable'));
    const files = cacheFiles();
    for (const file of files) {
      const sound = readFileSync(file);
      const alterations = [
        () => truncateSync(file, sound.length - 1),
        () => writeFileSync(file, ''),
        () => writeFileSync(file, sound.with(sound.length - 100, sound[sound.length - 100] ^ 1)),
      ];
      for (const alter of alterations) {
        alter();
        expect(await prepare(mesh, ...small)).toMatchObject({ status: 0, rows: [{ from: 'built' }] });
        expect(readFileSync(file).equals(sound)).toBe(true);
        expect(readFileSync(join(out, 'ball.palpable')).equals(asset)).toBe(true);
      }
    }
    expect(cacheFiles()).toEqual(files);
  });

  it('does no harm when several run at once', async () => {
    const mesh = writeObj('ball.obj', createSphere(0.1, 4));
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [program, 'prepare', mesh, ...small, '--cache', cache, '--out', out], {
        stdio: 'ignore',
      }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'close'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    const asset = readFileSync(join(out, 'ball.palpable'));
    expect(() => decodeAsset(asset)).not.toThrow();
    expect(cachedParts()).toEqual(['field', 'shell']);
    expect(readdirSync(out)).toEqual(['ball.palpable']);
  });

  it('answers a bad mesh with one line that names it, and leaves the cache alone', async () => {
    const good = writeObj('good.obj', createBox(1, 1, 1));
    await prepare(good, ...small);
    const before = cacheFiles().map((path) => [path, readFileSync(path)]);
    const stl = new Uint8Array(84 + 50 * 3);
    new DataView(stl.buffer).setUint32(80, 1000, true);
    const bad = [
      write('empty.stl', ''),
      write('text.stl', 'This is not a mesh.'),
      write('cut.stl', stl),
      write('nan.obj', 'v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n'),
      write('range.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n'),
      write('nothing.obj', 'v 0 0 0\nv 1 0 0\n'),
      write('point.obj', 'v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n'),
      write('huge.obj', 'v 0 0 0\nv 1e300 0 0\nv 0 1e300 0\nf 1 2 3\n'),
      join(folder, 'missing.obj'),
    ];
    for (const mesh of bad) {
      const { status, stderr } = await prepare(mesh, ...small);
      expect({ mesh, status }).toEqual({ mesh, status: 1 });
      expect(stderr).toMatch(/^palpable: [^\n]+\n$/);
      expect(stderr).toContain(basename(mesh));
    }
    expect(cacheFiles().map((path) => [path, readFileSync(path)])).toEqual(before);
    expect(readdirSync(out)).toEqual(['good.palpable']);
  });

  it('answers options that cannot be with one line', async () => {
    const mesh = writeObj('box.obj', createBox(1, 1, 1));
    mkdirSync(join(folder, 'elsewhere'));
    const twin = writeObj('elsewhere/box.obj', createBox(2, 1, 1));
    const taken = write('taken', '');
    const refused: [string[], string][] = [
      [[mesh, twin], 'would both be written to box.palpable'],
      [[mesh, '--offset', '-1'], 'offset'],
      [[mesh, '--offset', '50'], 'offset'],
      [[mesh, '--resolution', '0'], 'resolution'],
      [[mesh, '--resolution', '100000'], 'resolution'],
      [[mesh, '--unit', 'furlong'], 'unit'],
    ];
    for (const [args, word] of refused) {
      const { status, stderr } = await prepare(...args);
      expect({ args, status }).toEqual({ args, status: 1 });
      expect(stderr).toMatch(/^palpable: [^\n]+\n$/);
      expect(stderr).toContain(word);
    }
    for (const [option, other] of [
      ['--out', '--cache'],
      ['--cache', '--out'],
    ]) {
      const { status, stderr } = await palpable('prepare', mesh, ...small, option, taken, other, join(folder, 'new'));
      expect({ option, status }).toEqual({ option, status: 1 });
      expect(stderr).toMatch(new RegExp(`^palpable: The folder .* cannot be created .* with ${option}\\.\\n$`));
    }
  });
});

describe('a cache that cannot be written', () => {
  it.each([
    ['is a file', () => write('taken', '')],
    ['is in a folder that takes no entries', () => (existsSync('/proc/self') ? '/proc/nothing' : write('taken', ''))],
  ])('is a warning, once, when it %s', (_, place) => {
    const meshes = [writeObj('box.obj', createBox(1, 1, 1)), writeObj('ball.obj', createSphere(0.1, 4))];
    const args = ['prepare', ...meshes, ...small, '--out', out];
    const env = { ...process.env, PALPABLE_CACHE: place() };
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
      encoding: 'utf8',
      env,
      timeout: 60_000,
    });
    expect(stderr).toMatch(/^palpable: The cache \/[^\n]+ cannot be written \([^\n]+ with --cache\.\n$/);
    expect({ status, made: readdirSync(out) }).toEqual({ status: 0, made: ['ball.palpable', 'box.palpable'] });
  });
});

describe('an interrupted preparation', () => {
  it('stops in the middle of a step', async () => {
    const stop = new AbortController();
    let reached = 0;
    const work = prepareFile(jaw, {
      reading: {},
      prepare: { field: null, shell: null, hierarchy: {} },
      cache: openAssetCache(cache),
      signal: stop.signal,
      onProgress: (_, fraction) => {
        if (reached === 0) setImmediate(() => stop.abort());
        reached = fraction;
      },
    });
    await expect(work).rejects.toMatchObject({ name: 'PalpableError', code: 'cancelled' });
    expect(reached).toBeGreaterThan(0);
    expect(reached).toBeLessThan(0.5);
    expect(existsSync(cache)).toBe(false);
  });

  it.each([200, 900])('ends by itself within a second, %i ms after it began', async (delayMs) => {
    const box = writeObj('box.obj', createBox(1, 1, 1));
    const args = ['prepare', box, jaw, ...small, '--hierarchy', '--cache', cache, '--out', out];
    const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' });
    const end = once(child, 'exit');
    // The box is done, so that the work on the jaw has begun.
    while (!existsSync(join(out, 'box.palpable'))) await pause(10);
    await pause(delayMs);
    const killed = performance.now();
    child.kill('SIGINT');
    expect(await end).toEqual([130, null]);
    const took = performance.now() - killed;
    const started = performance.now();
    await once(spawn(process.execPath, ['--version'], { stdio: 'ignore' }), 'exit');
    // On a busy machine everything takes longer, also a program that does nothing.
    expect(took).toBeLessThan(1000 + 5 * (performance.now() - started));
    expect(readdirSync(out)).toEqual(['box.palpable']);
    expect(cachedParts()).toEqual(['field', 'hierarchy', 'shell']);
  });
});

describe('palpable inspect', () => {
  it('reports on a mesh, in sentences and as JSON', async () => {
    const mesh = writeObj('box.obj', createBox(100, 200, 300));
    const text = await palpable('inspect', mesh, '--unit', 'mm', '--density', '2000');
    expect(text).toMatchObject({ status: 0, stderr: '' });
    expect(text.stdout).toContain('12 triangles on 8 vertices');
    expect(text.stdout).toContain('Mass 12 kg');
    const report = JSON.parse((await palpable('inspect', mesh, '--unit', 'mm', '--density', '2000', '--json')).stdout);
    expect(report).toMatchObject({ file: mesh, format: 'obj', audit: { closed: true, triangles: 12 }, field: null });
    expect(report.mass.mass).toBeCloseTo(12, 9);
    expect(report.mass.inertia[0]).toBeCloseTo((12 * (0.2 ** 2 + 0.3 ** 2)) / 12, 9);
    expect(report.mass.from).toBe('mesh');
  });

  it('reports on an asset, and on the field of a mesh', async () => {
    const mesh = writeObj('ball.obj', createSphere(0.1, 4));
    await prepare(mesh, ...small);
    const asset = join(out, 'ball.palpable');
    const text = await palpable('inspect', asset);
    expect(text).toMatchObject({ status: 0, stderr: '' });
    expect(text.stdout).toMatch(/Field: 48 × 48 × 48 voxels of 12\.\d+ mm/);
    expect(text.stdout).toContain('Shell: 100 points');
    const fromAsset = JSON.parse((await palpable('inspect', asset, '--json')).stdout);
    expect(fromAsset).toMatchObject({ format: 'palpable asset', field: { closed: true }, shell: { points: 100 } });
    const fromMesh = JSON.parse(
      (await palpable('inspect', mesh, '--resolution', '16', '--cache', cache, '--json')).stdout,
    );
    expect(fromMesh.field).toEqual(fromAsset.field);
    expect(fromMesh.mass).toEqual(fromAsset.mass);
  });

  it('finds the mass of an open mesh on the field', async () => {
    const box = createBox(1, 1, 1);
    const open = writeObj('open.obj', { positions: box.positions, triangles: box.triangles.slice(6) });
    const { mass, audit } = JSON.parse(
      (await palpable('inspect', open, '--resolution', '32', '--cache', cache, '--json')).stdout,
    );
    expect([audit.closed, mass.from]).toEqual([false, 'field']);
    expect(mass.mass).toBeCloseTo(1000, -1);
  });

  const points = 'x,y,z\n60,1,2\n1,-45,2\n30,31,32\n3,5,200\n';

  it.each([
    ['metres', []],
    ['millimetres', ['--unit', 'mm']],
    ['inches, scaled', ['--unit', 'in', '--scale', '0.1']],
  ])('probes a sphere in the unit of its file: %s', async (_, options) => {
    const mesh = writeObj('ball.obj', createSphere(50, 16));
    const csv = write('points.csv', points);
    const args = ['inspect', mesh, '--resolution', '32', '--probe', csv, '--cache', cache, ...options];
    const { status, stdout, stderr } = await palpable(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [header, ...lines] = stdout.split('\n');
    expect(header).toBe('x,y,z,distance,gx,gy,gz');
    expect(lines.pop()).toBe('');
    expect(lines.length).toBe(4);
    for (const line of lines) {
      const [x, y, z, distance, ...gradient] = line.split(',').map(Number);
      const radius = Math.hypot(x, y, z);
      // The facets lie up to 0.06 inside. The last point is outside the grid, where the field is a bound.
      const isOutside = radius > 100;
      expect(Math.abs(distance - (radius - 50)), line).toBeLessThan(isOutside ? 1 : 0.15);
      [x, y, z].forEach((value, axis) => {
        expect(Math.abs(gradient[axis] - value / radius), line).toBeLessThan(isOutside ? 0.2 : 0.07);
      });
    }
  });

  it('probes a box exactly along its faces, and an asset as its mesh', async () => {
    const mesh = writeObj('box.obj', createBox(2, 2, 2));
    const csv = write('points.csv', 'x,y,z\n1.1,0.1,0.3\n0.8,0.1,-0.2\n0.25,-1,0.5\n');
    const fromMesh = await palpable('inspect', mesh, '--resolution', '16', '--probe', csv, '--cache', cache);
    const rows = fromMesh.stdout.trim().split('\n').slice(1);
    const found = rows.map((row) => row.split(',').slice(3).map(Number));
    const expected = [
      [0.1, 1, 0, 0],
      [-0.2, 1, 0, 0],
      [0, 0, -1, 0],
    ];
    found.forEach((values, n) => {
      values.forEach((value, column) => {
        expect(value, `row ${n}, column ${column}`).toBeCloseTo(expected[n][column], 6);
      });
    });
    await prepare(mesh, ...small);
    const asset = join(out, 'box.palpable');
    expect((await palpable('inspect', asset, '--probe', csv)).stdout).toBe(fromMesh.stdout);
    const json = JSON.parse((await palpable('inspect', asset, '--probe', csv, '--json')).stdout);
    expect(json.map((probe: Record<string, number>) => Object.values(probe).join(','))).toEqual(rows);
  });

  it.each([
    ['no header', '1,2,3\n', 'line 1'],
    ['a text in a cell', 'x,y,z\n1,2,3\n1,two,3\n', 'line 3'],
    ['nothing at all', '', 'line 1'],
  ])('refuses points with %s, naming the line', async (_, text, line) => {
    const mesh = writeObj('box.obj', createBox(1, 1, 1));
    const csv = write('points.csv', text);
    const { status, stdout, stderr } = await palpable('inspect', mesh, '--probe', csv, '--cache', cache);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^palpable: [^\n]+\n$/);
    expect(stderr).toContain(`points.csv, ${line}: found`);
  });

  it('refuses an asset that is altered, and one without a field to probe, naming it', async () => {
    const body = await prepareBody(createBox(1, 1, 1), { field: null, shell: { count: 20 } });
    const asset = encodeAsset(body);
    const csv = write('points.csv', 'x,y,z\n0,0,0\n');
    const fieldless = await palpable('inspect', write('fieldless.palpable', asset), '--probe', csv);
    expect(fieldless).toMatchObject({ status: 1, stderr: expect.stringContaining('has no field to probe') });
    const cut = write('cut.palpable', asset.subarray(0, asset.length - 8));
    for (const args of [[cut], [cut, '--probe', csv]]) {
      const { status, stderr } = await palpable('inspect', ...args);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^palpable: [^\n]*cut\.palpable: This is not a valid Palpable asset[^\n]+\n$/);
    }
  });
});
