import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { expectWords } from './lib/bench.js';
import { palpable } from './lib/palpable.js';

// `palpable reproduce` as a user starts it, with short runs. What the full runs show is in docs/experiments.md.

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'palpable-reproduce-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Claim {
  readonly claim: string;
  readonly measured: string;
  readonly bar: string;
  readonly met: boolean;
}

interface Report {
  readonly experiment: string;
  readonly met: boolean;
  readonly quick: boolean;
  readonly machine: { readonly cpu: string };
  readonly claims: readonly Claim[];
  readonly capped: number;
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, number | string>>[]>>;
  readonly files: readonly string[];
}

function reproduce(...args: string[]) {
  return palpable('reproduce', ...args);
}

async function quickRun(name: string): Promise<Report> {
  const { status, stdout, stderr } = await reproduce(name, '--quick', '--json', '--out', join(folder, name));
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as Report;
  expect(status).toBe(report.met ? 0 : 3);
  expect(report).toMatchObject({ experiment: name, quick: true });
  expect(report.machine.cpu).not.toBe('');
  expect(report.met).toBe(report.claims.every(({ met }) => met));
  for (const file of report.files) expect(existsSync(file)).toBe(true);
  return report;
}

function claim({ claims }: Report, words: string): Claim {
  const found = claims.find((each) => each.claim.includes(words));
  if (!found) throw new Error(`no claim says "${words}": ${claims.map((each) => each.claim).join('; ')}`);
  return found;
}

function write(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

const example = JSON.parse(readFileSync(join(repository, 'experiments/zhao-peg-force.json'), 'utf8'));

describe('palpable reproduce', () => {
  it('lists the experiments', async () => {
    const { status, stdout } = await reproduce('list', '--json');
    expect(status).toBe(0);
    const rows = JSON.parse(stdout) as { name: string; title: string; figure: string; paper: string }[];
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'zhao-corner',
        'zhao-peg-force',
        'zhao-snake',
        'zhao-models',
        'zhao-engine',
        'zhao-door',
        'sagardia-bunny-teapot',
        'sagardia-sheet',
        'sagardia-peg',
        'sagardia-corner',
        'sagardia-friction',
      ]),
    );
    for (const { name, title } of rows) {
      expect(title).not.toBe('');
      if (name === 'zhao-engine' || name === 'zhao-door') expect(title).toContain('stand-in');
    }
    expect((await reproduce('list')).stdout).toContain('zhao-snake');
  });

  it('finds the line of the insertion force, and writes tables and plots', async () => {
    const report = await quickRun('zhao-peg-force');
    expect(claim(report, 'cone: the force grows linearly').met).toBe(true);
    expect(report.capped).toBe(0);
    expect(report.tables.forces?.length).toBe(3);
    expectWords(
      join(folder, 'zhao-peg-force/insertion-force.svg'),
      ...['friction coefficient μ', 'force, N', 'pyramid of 4', 'cone', 'cone, separation off'],
    );
    expect(readFileSync(join(folder, 'zhao-peg-force/forces.csv'), 'utf8').split('\n')[0]).toContain('cone');
  });

  it('keeps the peg out of the hole with cone, while soft springs let it sink', async () => {
    const report = await quickRun('zhao-snake');
    expect(claim(report, 'cone does not let the peg in').met).toBe(true);
    expect(claim(report, 'all springs let it sink').met).toBe(true);
    const sunk = (model: string) => Number(report.tables.depths?.find((row) => row.model === model)?.['sunk, mm']);
    expect(sunk('cone')).toBeLessThan(1e-3);
    expect(sunk('springs of 300 N/m')).toBeGreaterThan(1);
  });

  it('compares all friction models on one trajectory', async () => {
    const report = await quickRun('zhao-models');
    for (const model of ['cone', 'pyramid', 'staggered']) {
      expect(claim(report, `${model} holds still`).met).toBe(true);
    }
    expect(claim(report, 'gauss-seidel drifts negligibly').met).toBe(true);
    expect(claim(report, 'springs creep visibly').met).toBe(true);
    expect(report.tables.models?.map(({ model }) => model)).toContain('none');
  });

  it('leads a bunny around a teapot and its ear through the handle', async () => {
    const report = await quickRun('sagardia-bunny-teapot');
    for (const constraint of ['heuristic', 'manifold']) {
      expect(claim(report, `${constraint}, slide: the proxy overlaps by less than a voxel`).met).toBe(true);
      expect(claim(report, `${constraint}: the ear gets through`).met).toBe(true);
    }
    expect(report.tables.bodies?.[0]).toMatchObject({ points: 1000 });
    expectWords(join(folder, 'sagardia-bunny-teapot/penetration.svg'), 'time, s', 'heuristic', 'manifold', 'a voxel');
  });

  it('lets no bunny pop through a sheet, where penalties give up', async () => {
    const report = await quickRun('sagardia-sheet');
    for (const constraint of ['heuristic', 'manifold']) {
      expect(claim(report, `${constraint}: nothing pops through`).met).toBe(true);
    }
    expect(report.tables.sheets?.map((row) => row['sheet, mm'])).toEqual([4, 2, 1, 0.5]);
    for (const row of report.tables.sheets ?? []) expect(row['penalties give up at, mm']).toBeGreaterThan(0);
  });

  it('holds a block without creep, lets it loose at the static and slides it at the kinetic coefficient', async () => {
    const report = await quickRun('sagardia-friction');
    for (const constraint of ['heuristic', 'manifold']) {
      expect(claim(report, `${constraint}: friction holds without creep`).met).toBe(true);
      expect(claim(report, `${constraint}: breaks loose at μ_s`).met).toBe(true);
    }
    expect(claim(report, 'heuristic without filter: slides at μ_k').met).toBe(true);
    expect(claim(report, 'manifold: slides at μ_k').met).toBe(true);
  });

  it('slides a cube along a corner, with all contacts a tenth of a voxel deep at most', async () => {
    const report = await quickRun('sagardia-corner');
    expect(claim(report, 'manifold, slide: the proxy overlaps by less than 0.1 voxels').met).toBe(true);
    expect(report.tables.phases).toHaveLength(6);
  });

  it('says of a path that lacks a number how many a place takes', async () => {
    const corner = JSON.parse(readFileSync(join(repository, 'experiments/sagardia-corner.json'), 'utf8'));
    const { parameters } = corner;
    const short = write('short.json', {
      ...corner,
      scene: join(repository, 'scenes/corner-cube.json'),
      parameters: { ...parameters, slide: [...parameters.slide, 1] },
    });
    const { status, stderr } = await reproduce(short, '--quick', '--out', join(folder, 'short'));
    expect([status, stderr]).toEqual([1, expect.stringContaining('each of its places takes 7')]);
  });

  it('refuses unknown names with those that there are', async () => {
    const { status, stderr } = await reproduce('zhao-pig');
    expect(status).toBe(1);
    expect(stderr).toMatch(/no experiment "zhao-pig".*zhao-peg-force/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('says all that is wrong with a file at once', async () => {
    const { speed, ...others } = example.parameters;
    expect(speed).toBeGreaterThan(0);
    const bad = write('bad.json', {
      ...example,
      titel: 'x',
      palpable: 2,
      parameters: { ...others, distance: 'far', wobble: 1 },
      quick: { parameters: { resolution: -1 } },
    });
    const { status, stderr } = await reproduce(bad);
    expect(status).toBe(1);
    for (const words of [
      'titel: there is no such key',
      'palpable: found 2',
      'parameters.speed: missing',
      'parameters.distance: found "far"',
      'parameters.wobble: the study insertion-force has no such parameter',
      'quick.parameters.resolution: found -1',
    ]) {
      expect(stderr).toContain(words);
    }
  });

  it('names the study, the scene or the JSON that cannot be', async () => {
    expect((await reproduce(write('study.json', { ...example, study: 'insertion' }))).stderr).toContain(
      '"insertion-force"',
    );
    const scene = await reproduce(write('scene.json', { ...example, scene: 'nowhere.json' }));
    expect([scene.status, scene.stderr]).toEqual([1, expect.stringContaining('does not exist')]);
    const hole = fileURLToPath(new URL('../scenes/peg-hole.json', import.meta.url));
    const changed = { ...example, scene: hole, changes: { friction: { model: 'glue' } } };
    const changes = await reproduce(write('changes.json', changed));
    expect([changes.status, changes.stderr]).toEqual([1, expect.stringContaining('friction.model')]);
    expect((await reproduce(write('text.json', '{ "palpable": 1,'))).stderr).toContain('no JSON');
    expect((await reproduce(join(folder, 'absent.json'))).stderr).toContain('does not exist');
  });
});
