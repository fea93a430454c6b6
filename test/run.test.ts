import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readResult } from '@palpable/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { palpable, workIn } from './lib/palpable.js';

const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));
const HEADER = 'time,px,py,pz,qx,qy,qz,qw';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-run-'));
  return workIn(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(scene: string, trajectory: string, out: string, ...more: string[]) {
  return await palpable('run', scene, '--trajectory', trajectory, '--out', out, ...more);
}

function write(name: string, content: unknown): string {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return name;
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

function resultOf(name: string) {
  return readResult(read(name), name);
}

/** All columns but the measured times. */
function withoutTimes(name: string): string[][] {
  return read(name)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(',').filter((_, column) => column < 25 || column > 28));
}

/** Down onto the plate with a push sideways: in contact from the 60th sample on. */
function push(count = 400): string {
  const rows = Array.from({ length: count }, (_, i) => {
    const x = 0.02 * Math.max(0, i / 200 - 1);
    const z = Math.max(0.02, 0.03 - 0.0001 * i);
    return `${i / 1000},${x},0,${z},0,0,0,1`;
  });
  return `${[HEADER, ...rows].join('\n')}\n`;
}

const CUBE = { mesh: { box: [0.05, 0.05, 0.05] }, shell: { count: 300 } };
const PLATE = { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 32 } };
const SCENE = { palpable: 1, bodies: { cube: CUBE, plate: PLATE }, tool: 'cube' };

beforeEach(() => {
  write('scene.json', SCENE);
  write('push.csv', push());
});

describe('palpable run', () => {
  it('writes one row per cycle, and beside it how it came about', async () => {
    const { status, stdout, stderr } = await run('scene.json', 'push.csv', 'result.csv');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('result.csv: 400 cycles of cube');
    expect(read('result.csv').split('\n')[0]).toBe(
      'time,dpx,dpy,dpz,dqx,dqy,dqz,dqw,tpx,tpy,tpz,tqx,tqy,tqz,tqw,fx,fy,fz,tx,ty,tz,' +
        'contacts,max_penetration,friction_state,limited,us_contact,us_friction,us_method,us_total,capped',
    );
    const result = resultOf('result.csv');
    expect(result.count).toBe(400);
    expect(result.column('time')[399]).toBe(0.399);
    // Held by the coupling of 1000 N/m some millimetres below the surface, with friction against the push.
    expect(result.column('fz')[399]).toBeGreaterThan(2);
    expect(result.column('fx')[399]).toBeLessThan(-0.5);
    expect(result.column('us_total').every((us) => us > 0)).toBe(true);
    const info = JSON.parse(read('result.csv.json'));
    const sha256 = (name: string) => createHash('sha256').update(read(name)).digest('hex');
    expect(info).toMatchObject({
      options: { scene: 'scene.json', trajectory: 'push.csv', tool: 'cube' },
      sha256: { scene: sha256('scene.json'), trajectory: sha256('push.csv') },
      cycles: 400,
      resampled: false,
      counters: {
        limited: 0,
        capped: 0,
        maxContacts: Math.max(...result.column('contacts')),
        maxPenetration: Math.max(...result.column('max_penetration')),
      },
    });
    expect(Object.keys(info.sha256.meshes)).toEqual(['cube', 'plate']);
    expect(JSON.stringify(info)).not.toContain(folder);
    const { free, stick, slip } = info.counters.states;
    expect(free + stick + slip).toBe(400);
  });

  it('gives the same bits again, also with the result as its trajectory', async () => {
    await run('scene.json', 'push.csv', 'first.csv');
    await run('scene.json', 'push.csv', 'second.csv');
    await run('scene.json', 'first.csv', 'third.csv');
    expect(withoutTimes('second.csv')).toEqual(withoutTimes('first.csv'));
    expect(withoutTimes('third.csv')).toEqual(withoutTimes('first.csv'));
  });

  it.each(['static-friction', 'penalty'])(
    '%s: a device that jumps by a metre is felt within the limits',
    async (kind) => {
      const limits = { force: 5, torque: 0.1, forceRate: 1000, torqueRate: 20 };
      write('limited.json', { ...SCENE, method: { kind }, limits });
      const jump = push().replace(/^0\.3[5-9].*$/gm, (line) => `${line.split(',')[0]},1,-1,-1,0,1,0,0`);
      write('jump.csv', jump);
      const { status, stdout } = await run('limited.json', 'jump.csv', 'jumped.csv', '--json');
      expect(status).toBe(0);
      expect(JSON.parse(stdout).counters.limited).toBeGreaterThan(0);
      const result = resultOf('jumped.csv');
      const [fx, fy, fz, tx, ty, tz] = (['fx', 'fy', 'fz', 'tx', 'ty', 'tz'] as const).map((name) =>
        result.column(name),
      );
      for (let i = 0; i < result.count; i += 1) {
        expect(Math.hypot(fx![i]!, fy![i]!, fz![i]!)).toBeLessThanOrEqual(limits.force * (1 + 1e-12));
        expect(Math.hypot(tx![i]!, ty![i]!, tz![i]!)).toBeLessThanOrEqual(limits.torque * (1 + 1e-12));
      }
    },
  );

  it('interpolates a trajectory of another rate to the time step, and says so', async () => {
    const rows = push().trimEnd().split('\n');
    write('slow.csv', rows.filter((_, line) => line === 0 || line % 10 === 1).join('\n'));
    const { status, stdout, stderr } = await run('scene.json', 'slow.csv', 'slow-result.csv', '--json');
    expect(status).toBe(0);
    expect(stderr).toContain('were interpolated to 391 cycles');
    expect(JSON.parse(stdout)).toMatchObject({ samples: 40, cycles: 391, resampled: true });
    expect((await palpable('replay', 'slow-result.csv')).status).toBe(0);
  });

  it('moves the tool that it is told; the others stay and are touched', async () => {
    const cube = { ...CUBE, field: { resolution: 32 } };
    const bodies = {
      ...SCENE.bodies,
      cube,
      ball: { mesh: { sphere: 0.02 }, position: [0, 0, 0.2], shell: { count: 200 } },
    };
    write('two.json', { ...SCENE, bodies, tool: ['cube', 'ball'] });
    // The ball goes down onto the cube, which stands on the plate where the scene puts it: at the origin.
    const rows = Array.from({ length: 100 }, (_, i) => `${i / 1000},0,0,${0.06 - 0.0002 * i},0,0,0,1`);
    write('down.csv', [HEADER, ...rows].join('\n'));
    const { status, stdout } = await run('two.json', 'down.csv', 'ball.csv', '--tool', 'ball', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout).options.tool).toBe('ball');
    expect(resultOf('ball.csv').column('fz')[99]).toBeGreaterThan(1);
    expect(await run('two.json', 'down.csv', 'x.csv', '--tool', 'plate')).toMatchObject({
      status: 1,
      stderr: 'palpable: The scene has no tool "plate"; its tools are cube, ball.\n',
    });
  });

  it('plays meshes from files beside the scene, with unit and scale', async () => {
    mkdirSync(join(folder, 'parts'), { recursive: true });
    cpSync(fileURLToPath(new URL('../scenes/meshes/cube.obj', import.meta.url)), join(folder, 'parts', 'cube.obj'));
    write('parts/files.json', {
      ...SCENE,
      bodies: { cube: { ...CUBE, mesh: 'cube.obj', unit: 'cm', scale: 5 }, plate: PLATE },
    });
    write('parts/push.csv', push(50));
    expect((await run('parts/files.json', 'parts/push.csv', 'parts/out.csv')).status).toBe(0);
    expect(JSON.parse(read('parts/out.csv.json')).options).toMatchObject({
      scene: 'files.json',
      trajectory: 'push.csv',
    });
  });

  it.each([
    ['nan', '0.001,0,nan,0,0,0,0,1', 'line 3: found "nan" as py, expected a finite number'],
    ['backwards', '-1,0,0,0,0,0,0,1', 'line 3: found the time -1 after 0, expected time to rise'],
    ['quaternion', '0.001,0,0,0,0,0,0,0', 'line 3: found a quaternion of length 0'],
    ['text', '0.001,here,0,0,0,0,0,1', 'line 3: found "here" as px'],
  ])('refuses a bad trajectory (%s) with the line, before anything is written', async (name, line, message) => {
    write('bad.csv', `${HEADER}\n0,0,0,0,0,0,0,1\n${line}\n`);
    const { status, stderr } = await run('scene.json', 'bad.csv', `bad-${name}.csv`);
    expect(status).toBe(1);
    expect(stderr).toContain(`palpable: bad.csv, ${message}`);
    expect(readdirSync(folder).filter((file) => file.startsWith(`bad-${name}`))).toEqual([]);
  });

  it('runs rigid bodies under exact contact as well, and saves the contact problem of a cycle', async () => {
    write('exact.json', { ...SCENE, method: { kind: 'deformable' } });
    const { status, stderr } = await run('exact.json', 'push.csv', 'exact.csv', '--problem', '100');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const solved = JSON.parse((await palpable('solve', 'exact.csv.problem-100.json', '--json')).stdout);
    expect(solved.contacts).toBeGreaterThan(0);
    expect(solved.residual).toBeLessThan(1e-9);
  });

  it('refuses a tool without volume, and an output that is an input', async () => {
    write('sheet.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    write('sheet.json', { ...SCENE, bodies: { cube: { mesh: 'sheet.obj', shell: { count: 20 } }, plate: PLATE } });
    expect((await run('sheet.json', 'push.csv', 'x.csv')).stderr).toContain('bodies.cube: The tool encloses no volume');
    for (const out of ['push.csv', './scene.json', 'scene']) {
      const { status, stderr } = await run('scene.json', 'push.csv', out);
      expect(status, out).toBe(1);
      expect(stderr, out).toContain('The result would overwrite');
    }
    expect((await run('scene.json', 'push.csv', 'nowhere/x.csv')).stderr).toContain('nowhere/x.csv cannot be written');
    expect(existsSync(join(folder, 'x.csv'))).toBe(false);
  });

  it('leaves an older result alone when it is interrupted', async () => {
    await run('scene.json', 'push.csv', 'kept.csv');
    const before = [read('kept.csv'), read('kept.csv.json')];
    // Ten minutes of trajectory from two samples; interrupted as soon as the first rows are being written.
    write('long.csv', `${HEADER}\n0,0,0,0.024,0,0,0,1\n600,0.01,0,0.024,0,0,0,1\n`);
    const child = spawn(
      process.execPath,
      [program, 'run', 'scene.json', '--trajectory', 'long.csv', '--out', 'kept.csv'],
      {
        cwd: folder,
        stdio: 'ignore',
      },
    );
    const temporary = () => readdirSync(folder).filter((file) => file.startsWith('kept.csv.') && file.endsWith('.tmp'));
    while (temporary().length === 0 && child.exitCode === null) await new Promise((done) => setTimeout(done, 20));
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
    expect([read('kept.csv'), read('kept.csv.json')]).toEqual(before);
    expect(temporary()).toEqual([]);
  });
});

describe('palpable replay', () => {
  let recorded: string;
  let info: string;
  beforeAll(async () => {
    write('scene.json', SCENE);
    write('push.csv', push());
    expect((await run('scene.json', 'push.csv', 'replay.csv')).status).toBe(0);
    [recorded, info] = [read('replay.csv'), read('replay.csv.json')] as const;
  });
  beforeEach(() => {
    write('replay.csv', recorded);
    write('replay.csv.json', info);
  });

  it('finds a result the same to the bit', async () => {
    expect(await palpable('replay', 'replay.csv')).toMatchObject({
      status: 0,
      stdout: 'replay.csv: 400 cycles, bit-identical.\n',
      stderr: '',
    });
    expect(JSON.parse((await palpable('replay', 'replay.csv', '--json')).stdout)).toMatchObject({
      identical: true,
      cycles: 400,
    });
  });

  it('ends with 3 and names the first cycle and column that differ', async () => {
    const lines = read('replay.csv').split('\n');
    const cells = lines[301]!.split(',');
    const truth = cells[17]!;
    cells[17] = `${Number(truth) + 1e-12}`;
    lines[301] = cells.join(',');
    write('replay.csv', lines.join('\n'));
    const { status, stderr } = await palpable('replay', 'replay.csv');
    expect(status).toBe(3);
    expect(stderr).toBe(
      `palpable: replay.csv: Cycle 300 (line 302) differs in fz: recorded ${cells[17]}, replayed ${truth}.\n`,
    );
    const json = await palpable('replay', 'replay.csv', '--json');
    expect(json.status).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({
      identical: false,
      difference: { cycle: 300, column: 'fz', recorded: cells[17], replayed: truth },
    });
  });

  it('does not mind other times, but rows that are missing or too many', async () => {
    const lines = read('replay.csv').trimEnd().split('\n');
    const slower = lines.map((line, n) => (n === 0 ? line : line.replace(/(,[^,]*){5}$/, ',1,2,3,6,0')));
    write('replay.csv', slower.join('\n'));
    expect((await palpable('replay', 'replay.csv')).status).toBe(0);
    write('replay.csv', lines.slice(0, 300).join('\n'));
    expect(await palpable('replay', 'replay.csv')).toMatchObject({
      status: 3,
      stderr: 'palpable: replay.csv: Cycle 299 (line 301) differs in time: recorded nothing, replayed 0.299.\n',
    });
    write('replay.csv', [...lines, lines[400]].join('\n'));
    expect(await palpable('replay', 'replay.csv')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('replayed nothing'),
    });
  });

  it('says plainly that the input is no longer the same', async () => {
    write('scene.json', { ...SCENE, friction: { coefficient: 0.6 } });
    write('push.csv', push(399));
    const { status, stderr } = await palpable('replay', 'replay.csv');
    expect(status).toBe(1);
    expect(stderr).toBe(
      'palpable: replay.csv: Not the same input as when the result was made: the scene scene.json, the trajectory push.csv ' +
        'changed; restore what changed, or make the result again with palpable run.\n',
    );
  });

  it('says which file is missing or no result', async () => {
    rmSync(join(folder, 'push.csv'));
    expect(await palpable('replay', 'replay.csv')).toMatchObject({
      status: 1,
      stderr: 'palpable: push.csv: The file does not exist; check the path.\n',
    });
    write('push.csv', push());
    write('replay.csv.json', '{ "cycles": 400 }');
    expect((await palpable('replay', 'replay.csv')).stderr).toContain(
      'This is not what palpable run writes beside a result',
    );
    rmSync(join(folder, 'replay.csv.json'));
    const { status, stderr } = await palpable('replay', 'replay.csv');
    expect(status).toBe(1);
    expect(stderr).toContain('replay.csv.json: The file does not exist');
    expect(stderr).toContain('there is nothing to replay');
  });
});
