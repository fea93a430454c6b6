import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeContactProblem, encodeProblem, readContactProblem } from '@palpable/engine/advanced';
import { afterAll, describe, expect, it } from 'vitest';
import { flatContactProblem } from '../packages/engine/src/friction/problems.fixture.js';
import { palpable } from './lib/palpable.js';

// `palpable solve` as a user starts it.

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'palpable-solve-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function solve(...args: string[]) {
  return await palpable('solve', ...args);
}

async function solveJson(...args: string[]) {
  const { status, stdout, stderr } = await solve(...args, '--json');
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A cube pressed with 10 N at μ = 0.5, pulled along x and twisted about the vertical. */
const cube = (pull: number, twist = 0) =>
  flatContactProblem({
    pointsPerSide: 4,
    side: 0.1,
    height: 0.02,
    coefficient: 0.5,
    press: 10,
    pull: [pull, 0],
    twist,
    couplingStiffness: 1000,
    torsionalStiffness: 5,
    normalStiffness: 300,
  });
const sticking = write('sticking.json', encodeProblem(cube(3)));
const slipping = write('slipping.json', encodeProblem(cube(8)));
const data = join(repository, 'test/data/friction');
const contacts = join(data, 'siconos/Rover1039.dat');
const lcp = join(data, 'lcp/lcp_deudeu.dat');
const every = ['cone', 'pyramid', 'quadratic', 'staggered', 'gauss-seidel', 'springs', 'none'];

describe('palpable solve', () => {
  it('lists the solvers without a problem', async () => {
    const solvers = (await solveJson('--solver', 'list')) as { name: string; problem: string; description: string }[];
    const namesFor = (kind: string) => solvers.filter(({ problem }) => problem === kind).map(({ name }) => name);
    expect(namesFor('friction').sort()).toEqual([...every].sort());
    expect(namesFor('contact')).toEqual(['newton', 'gauss-seidel', 'gauss-seidel-diagonal', 'pyramid', 'frictionless']);
    expect(namesFor('lcp')).toEqual(['lemke']);
    for (const { description } of solvers) expect(description.length).toBeGreaterThan(5);
    expect((await solve('--solver', 'list')).stdout).toContain('quadratic');
  });

  it.each(every)('answers with %s in the same form', async (solver) => {
    for (const file of [sticking, slipping]) {
      const answer = await solveJson(file, '--solver', solver);
      expect(answer.solver).toBe(solver);
      expect(['stick', 'slip']).toContain(answer.state);
      expect(answer.residual).toBe(
        Math.max(answer.residuals.cone, answer.residuals.equilibrium, answer.residuals.dissipation),
      );
      expect(answer.residuals.equilibrium).toBeLessThan(1e-6);
      expect(Number.isInteger(answer.sweeps)).toBe(true);
      expect(answer.capped).toBe(false);
      expect(answer.seconds).toBeGreaterThan(0);
      expect(answer.displacement).toHaveLength(6);
      for (const key of ['r', 'u', 'states']) expect(answer[key]).toHaveLength(16);
      for (const triple of [...answer.r, ...answer.u]) expect(triple.every(Number.isFinite)).toBe(true);
    }
  });

  it.each(['cone', 'pyramid', 'quadratic', 'staggered', 'gauss-seidel'])(
    'holds the cube below the limit: %s',
    async (name) => {
      const answer = await solveJson(sticking, '--solver', name);
      expect(answer.state).toBe('stick');
      expect(answer.residual).toBeLessThan(1e-5);
      expect(answer.direction).toBeNull();
      expect(sumAlongX(answer)).toBeCloseTo(-3, 4);
      for (const [, u, v] of answer.u) expect(Math.hypot(u, v)).toBeLessThan(1e-7);
    },
  );

  it.each(['cone', 'quadratic', 'staggered', 'gauss-seidel'])(
    'lets it slide above, against all friction: %s',
    async (name) => {
      const answer = await solveJson(slipping, '--solver', name);
      expect(answer.state).toBe('slip');
      expect(answer.residual).toBeLessThan(1e-4);
      expect(sumAlongX(answer)).toBeCloseTo(-5, 3);
      expect(answer.displacement[0]).toBeCloseTo(3e-3, 5);
    },
  );

  it('proves that friction cannot hold', async () => {
    const { direction } = await solveJson(slipping, '--solver', 'cone');
    const problem = cube(8);
    // Level ground: friction gives at most 5 N against a pull along x, whatever the contacts do among themselves.
    expect(direction).toHaveLength(6);
    const load = -problem.wrench.reduce((sum, value, row) => sum + value * direction[row], 0);
    expect(load).toBeGreaterThan(5 * Math.abs(direction[0]));
  });

  it('takes sides, slip, metric, tolerance and the cap', async () => {
    const free = await solveJson(slipping, '--solver', 'cone', '--slip', 'frictionless');
    expect(free.displacement[0]).toBeCloseTo(8e-3, 6);
    expect(free.residuals.dissipation).toBeGreaterThan(0.1);
    // Along x a pyramid of four sides has a corner: 41 % more than the cone.
    const edge = write('edge.json', encodeProblem(cube(6.5)));
    expect((await solveJson(edge, '--solver', 'pyramid', '--sides', '4')).state).toBe('stick');
    expect((await solveJson(edge, '--solver', 'pyramid', '--sides', '32')).state).toBe('slip');
    const twisted = write('twisted.json', encodeProblem(cube(3, 0.2)));
    const rough = await solveJson(twisted, '--solver', 'quadratic', '--metric', 'mass', '--max-sweeps', '1');
    const fine = await solveJson(twisted, '--solver', 'quadratic', '--metric', 'mass', '--tolerance', '1e-10');
    expect([rough.capped, fine.capped]).toEqual([true, false]);
    expect(rough.sweeps).toBeLessThan(fine.sweeps);
    expect(rough.residual).toBeGreaterThan(fine.residual);
  });

  it('calls a tool without contacts free', async () => {
    const problem = cube(3);
    problem.count = 0;
    const answer = await solveJson(write('free.json', encodeProblem(problem)), '--solver', 'cone');
    expect([answer.state, answer.r, answer.u]).toEqual(['free', [], []]);
  });

  it('tells people the same in a table', async () => {
    const { stdout, status } = await solve(slipping);
    expect(status).toBe(0);
    expect(stdout).toContain('cone: slip, friction cannot hold the tool');
    expect(stdout).toMatch(/contact +normal N +u N +v N/);
    expect(stdout).toContain('friction is outweighed along');
    expect((await solve('--help')).stdout).toContain('palpable solve cycle.json');
  });

  it('refuses bad files with every mistake and exit code 1', async () => {
    const file = JSON.parse(encodeProblem(cube(3)));
    file.mass = 0;
    file.contacts[3].normal = [0, 0, 3];
    const { status, stderr, stdout } = await solve(write('bad.json', JSON.stringify(file)), '--json');
    expect(status).toBe(1);
    expect(stderr).toContain('bad.json');
    expect(stderr).toContain('mass: found 0, expected a number above 0');
    expect(stderr).toContain('contacts[3].normal: found [0,0,3], expected a vector of length 1');
    expect(JSON.parse(stdout).error.code).toBe('format-invalid');
  });

  it.each([
    ['a file that is not there', ['missing.json'], 'does not exist'],
    ['no file', [], 'No problem file given'],
    ['an unknown solver', [sticking, '--solver', 'conee'], 'There is no solver "conee"; give --solver one of cone'],
    ['too few sides', [sticking, '--solver', 'pyramid', '--sides', '2'], 'from 3 to 32'],
    ['an unknown way to slip', [sticking, '--slip', 'sideways'], 'dissipation, frictionless'],
    [
      'a text of another kind',
      [write('other.txt', 'solid cube\n')],
      'this version reads: friction problems of palpable',
    ],
    ['a solver of friction problems for contacts', [contacts, '--solver', 'springs'], 'give --solver one of newton'],
    ['a solver of contacts for an LCP', [lcp, '--solver', 'newton'], 'does not solve a linear complementarity problem'],
    ['a solver of contacts for friction', [sticking, '--solver', 'newton'], 'does not solve a friction problem'],
    ['contacts in two dimensions', [write('flat.dat', '2\n3\n0\n6\n6\n')], 'has 2 dimensions, expected 3'],
    ['a torn text', [write('torn.dat', '3\n2\n0\n6\n6\n6 6\n1 2')], 'it is cut short'],
    ['an empty file', [write('empty.json', '')], 'The file is empty'],
    [
      'a torn file',
      [write('torn.json', `${encodeProblem(cube(3)).split('"arm": [')[0]}"arm": [`)],
      'is not valid JSON (',
    ],
  ])('refuses %s in one sentence', async (_, args, expected) => {
    const { status, stderr } = await solve(...args);
    expect(status).toBe(1);
    expect(stderr).toContain(expected);
    expect(stderr).not.toContain('    at ');
  });
});

describe('palpable solve with contact problems', () => {
  const reference = JSON.parse(readFileSync(join(data, 'reference/Rover1039.ref.json'), 'utf8'));

  it.each(['newton', 'gauss-seidel', 'gauss-seidel-diagonal'])(
    'answers with %s as the reference does',
    async (solver) => {
      const answer = await solveJson(contacts, '--solver', solver, '--tolerance', '1e-11');
      expect(answer).toMatchObject({ solver, capped: false, contacts: 4 });
      expect(answer.residual).toBeLessThanOrEqual(1e-11);
      expect([answer.r.length, answer.u.length, answer.states.length]).toEqual([12, 12, 4]);
      reference.u.forEach((value: number, i: number) => {
        expect(answer.u[i]).toBeCloseTo(value, 7);
      });
      expect(answer.seconds).toBeGreaterThan(0);
      expect(Number.isInteger(answer.sweeps)).toBe(true);
    },
  );

  it('takes the sure one when none is named, and reads every format', async () => {
    for (const file of ['json/CubeH8.json', 'siconos/FC3D_Example1.dat', 'json/fclib_local_problem_test.json']) {
      const answer = await solveJson(join(data, file));
      expect(answer).toMatchObject({ solver: 'newton', capped: false });
      expect(answer.residual).toBeLessThan(1e-9);
    }
    const text = readFileSync(contacts, 'utf8');
    const ours = await solveJson(write('contacts.json', encodeContactProblem(readContactProblem(text))));
    expect(ours.r).toEqual((await solveJson(contacts)).r);
  });

  it('says when it ended above the tolerance', async () => {
    const stalling = join(data, 'json/fclib_local_problem_test.json');
    const args = [stalling, '--solver', 'gauss-seidel', '--tolerance', '1e-9', '--max-sweeps', '50'];
    expect(await solveJson(...args)).toMatchObject({ capped: true, sweeps: 50 });
    const { status, stdout } = await solve(...args);
    expect(status).toBe(0);
    expect(stdout).toContain('The answer misses the tolerance');
    expect(stdout).toMatch(/contact +r normal +r t1 +r t2/);
  });

  it('approximates with pyramids and without friction', async () => {
    const four = await solveJson(contacts, '--solver', 'pyramid', '--sides', '4');
    const many = await solveJson(contacts, '--solver', 'pyramid', '--sides', '32');
    const none = await solveJson(contacts, '--solver', 'frictionless');
    expect([four.capped, many.capped, none.capped]).toEqual([false, false, false]);
    expect(many.residual).toBeLessThan(four.residual);
    expect(four.residual).toBeLessThan(none.residual);
    expect(Math.max(four.modelResidual, many.modelResidual, none.modelResidual)).toBeLessThan(1e-10);
    expect(none.r.every((value: number, i: number) => i % 3 === 0 || value === 0)).toBe(true);
  });

  it('solves linear complementarity problems', async () => {
    const answer = await solveJson(lcp);
    expect(answer).toMatchObject({ solver: 'lemke', outcome: 'solved', capped: false });
    expect(answer.r[0]).toBeCloseTo(4 / 3, 12);
    expect(answer.r[1]).toBeCloseTo(7 / 3, 12);
    const murty = join(data, 'lcp/lcp_exp_murty.dat');
    expect((await solveJson(murty)).r).toEqual([1, 0, 0, 0, 0, 0]);
    expect((await solveJson(murty, '--matrix-order', 'columns')).r).toEqual([0, 0, 0, 0, 0, 1]);
    const unsolvable = await solve(join(data, 'lcp/lcp_Pang_isolated_sol_perturbed.dat'));
    expect(unsolvable.status).toBe(0);
    expect(unsolvable.stdout).toContain('There is no solution');
  });
});

/** On level ground u is x. */
function sumAlongX(answer: { r: [number, number, number][] }): number {
  return answer.r.reduce((sum, [, u]) => sum + u, 0);
}
