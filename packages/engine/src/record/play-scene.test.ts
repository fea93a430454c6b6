import { beforeAll, describe, expect, test } from 'vitest';
import { type PreparedBody, prepareBody } from '../asset/prepared-body.js';
import { createPose } from '../math/pose.js';
import { methodSettings } from '../method/methods.js';
import { buildSceneMesh } from '../scene/build-scene-mesh.js';
import { checkSceneValue } from '../scene/check-scene.js';
import { createSceneMethod } from '../scene/create-scene-method.js';
import { planPreparation } from '../scene/plan-preparation.js';
import type { Scene } from '../scene/scene-description.js';
import { handAlong, handOfTrajectory, playCycle, playScene, startPlay } from './play-scene.js';
import { formatResultCells, RESULT_COLUMNS, RESULT_WIDTH, readResult, resultHeader, writeResultRow } from './result.js';
import type { Trajectory } from './trajectory.js';

const LIMITS = { force: 3, torque: 0.05, forceRate: 500, torqueRate: 10 };

let plain: Scene;
let bodies: Map<string, PreparedBody>;
beforeAll(async () => {
  plain = checkSceneValue({
    palpable: 1,
    bodies: {
      cube: { mesh: { box: [0.05, 0.05, 0.05] }, shell: { count: 400 } },
      plate: { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 48 } },
    },
    tool: 'cube',
  }).scene!;
  bodies = new Map();
  for (const [name, options] of planPreparation(plain)) {
    bodies.set(name, await prepareBody(buildSceneMesh(plain.bodies[name])!, options));
  }
});

/** Down onto the plate, sideways, and (if asked) a jump by a metre and a turn that no hand can do. */
function pushTrajectory(jump: boolean): Trajectory {
  const count = 400;
  const poses = new Float64Array(7 * count);
  for (let i = 0; i < count; i += 1) {
    const x = 0.02 * Math.max(0, i / 200 - 1);
    const z = Math.max(0.02, 0.03 - 0.0001 * i);
    poses.set(jump && i >= 300 ? [1, -1, -1, 1, 0, 0, 0] : [x, 0, z, 0, 0, 0, 1], 7 * i);
  }
  return { count, time: Float64Array.from({ length: count }, (_, i) => i * 0.001), poses };
}

const stageOf = (scene: Scene) => ({ ...scene, method: createSceneMethod(scene, bodies).method });

function play(scene: Scene, trajectory: Trajectory) {
  const run = startPlay(stageOf(scene), handOfTrajectory(trajectory, scene.timeStep));
  const row = new Float64Array(RESULT_WIDTH);
  const lines = [resultHeader()];
  while (playCycle(run)) {
    writeResultRow(row, 0, run.time, run.devicePose, run.output, run.limited);
    lines.push(formatResultCells(row, 0).join(','));
  }
  return { run, text: lines.join('\n') };
}

test('the columns are those of the contract, in their order', () => {
  expect(resultHeader()).toBe(
    'time,dpx,dpy,dpz,dqx,dqy,dqz,dqw,tpx,tpy,tpz,tqx,tqy,tqz,tqw,fx,fy,fz,tx,ty,tz,' +
      'contacts,max_penetration,friction_state,limited,us_contact,us_friction,us_method,us_total,capped',
  );
});

describe.each(['static-friction', 'penalty'] as const)('with %s', (kind) => {
  const sceneWith = (limits: Scene['limits']) => ({ ...plain, method: methodSettings(kind), limits });

  test('a cube pushed onto a plate: free at first, then contact that pushes up', () => {
    const { run, text } = play(sceneWith(null), pushTrajectory(false));
    const result = readResult(text);
    expect(result.count).toBe(400);
    expect(result.column('friction_state')[0]).toBe(0);
    expect(result.column('contacts')[199]).toBeGreaterThan(20);
    expect(result.column('fz')[199]).toBeGreaterThan(1);
    expect(result.column('limited').some(Boolean)).toBe(false);
    expect([...run.counters.states].reduce((a, b) => a + b)).toBe(400);
    expect(run.counters.states[0]).toBeGreaterThan(20);
    expect(run.counters.maxContacts).toBe(Math.max(...result.column('contacts')));
  });

  test('a second run gives the same text', () => {
    const [a, b] = [play(sceneWith(LIMITS), pushTrajectory(true)), play(sceneWith(LIMITS), pushTrajectory(true))];
    expect(a.text).toBe(b.text);
  });

  test('a device that jumps by a metre: all finite, within limits of size and rate', () => {
    const { text } = play(sceneWith(LIMITS), pushTrajectory(true));
    const result = readResult(text);
    const wrench = ['fx', 'fy', 'fz', 'tx', 'ty', 'tz'].map((name) => result.column(name as 'fx'));
    for (let i = 0; i < result.count; i += 1) {
      const length = (first: number) => Math.sqrt([0, 1, 2].reduce((sum, k) => sum + wrench[first + k][i] ** 2, 0));
      const change = (first: number) =>
        Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (wrench[first + k][i] - (wrench[first + k][i - 1] ?? 0)) ** 2, 0));
      expect(length(0), `cycle ${i}`).toBeLessThanOrEqual(LIMITS.force);
      expect(length(3), `cycle ${i}`).toBeLessThanOrEqual(LIMITS.torque);
      expect(change(0), `cycle ${i}`).toBeLessThanOrEqual(LIMITS.forceRate * 0.001 * (1 + 1e-9));
      expect(change(3), `cycle ${i}`).toBeLessThanOrEqual(LIMITS.torqueRate * 0.001 * (1 + 1e-9));
    }
    for (const name of RESULT_COLUMNS) expect(result.column(name).every(Number.isFinite), name).toBe(true);
    expect(result.column('limited').some(Boolean)).toBe(true);
  });
});

test('probes see every cycle, and the hand ends the play', () => {
  const poses = Array.from({ length: 50 }, (_, i) => createPose(0, 0, 0.03 - 0.0005 * i));
  const { column, cycles, finalPose, capped } = playScene(
    stageOf(plain),
    { ...handAlong(poses), isOver: ({ contacts }) => contacts > 0 },
    {
      time: ({ time }) => time,
      device: ({ devicePose }) => devicePose[2],
      contacts: ({ output }) => output.contacts,
      tool: ({ output }) => output.toolPose[2],
    },
  );
  expect(cycles).toBeLessThan(50);
  expect(column.contacts.findIndex((count) => count > 0)).toBe(cycles - 1);
  expect(column.time[cycles - 1]).toBe((cycles - 1) * plain.timeStep);
  expect(column.device).toEqual(Float64Array.from(poses.slice(0, cycles), (pose) => pose[2]));
  expect(column.tool[cycles - 1]).toBe(finalPose[2]);
  expect(capped).toBe(0);
});

test('the tool starts where the device is', () => {
  const { text } = play(plain, { ...pushTrajectory(false), count: 1 });
  const result = readResult(text);
  expect(result.count).toBe(1);
  for (const axis of ['px', 'py', 'pz', 'qw'] as const) {
    expect(result.column(`t${axis}`)[0]).toBeCloseTo(result.column(`d${axis}`)[0], 12);
  }
});

test('a damaged result is refused with its line', () => {
  const { text } = play(plain, { ...pushTrajectory(false), count: 3 });
  const lines = text.split('\n');
  expect(() => readResult('a,b\n1,2\n', 'r.csv')).toThrow(/^r\.csv, line 1: found no column time, /);
  expect(() => readResult(text.replaceAll('free', 'fre'), 'r.csv')).toThrow(/line 2: found "fre" as friction_state/);
  expect(() => readResult([...lines, '0,1'].join('\n'), 'r.csv')).toThrow(/line 5: found "" as dpy/);
});
