import { describe, expect, test } from 'vitest';
import { createPlayback, samplePose } from './sample-trajectory.js';
import { formatTrajectory, readTrajectory } from './trajectory.js';

const HEADER = 'time,px,py,pz,qx,qy,qz,qw';

function problemsOf(text: string): string {
  try {
    readTrajectory(text, 't.csv');
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('reading', () => {
  test('columns in any order, with others between them, spaces and Windows lines', () => {
    const text =
      '\uFEFFqw, time ,px,py,pz,note,qx,qy,qz\r\n1,0.5,1,2,3,hello,0,0,0\r\n\r\n2, 0.6,-1e-3,.5,+3,,0,0,0\r\n';
    const { count, time, poses } = readTrajectory(text);
    expect(count).toBe(2);
    expect([...time]).toEqual([0.5, 0.6]);
    expect([...poses]).toEqual([1, 2, 3, 0, 0, 0, 1, -0.001, 0.5, 3, 0, 0, 0, 1]);
  });

  test('a result gives the poses of its device', () => {
    const text = 'time,dpx,dpy,dpz,dqx,dqy,dqz,dqw,tpx\n0,1,2,3,0,0,0,1,9\n';
    expect([...readTrajectory(text).poses]).toEqual([1, 2, 3, 0, 0, 0, 1]);
  });

  test('what was written reads back to the same bits', () => {
    const time = Float64Array.of(0.1 + 0.2, 1 / 3, 1e21);
    const poses = Float64Array.from({ length: 21 }, (_, i) => (i % 7 < 3 ? Math.sqrt(i) * 1e-7 : 0));
    for (let i = 0; i < 3; i += 1) poses.set([0.5, 0.5, -0.5, 0.5000000000000001], 7 * i + 3);
    const read = readTrajectory(formatTrajectory({ count: 3, time, poses }));
    expect(read).toEqual({ count: 3, time, poses });
  });

  test.each([
    ['', 't.csv, line 1: found nothing, expected a header with the columns time,px,py,pz,qx,qy,qz,qw'],
    ['x,y,z\n', 'expected a header'],
    ['time;px;py\n', 'separated by commas'],
    ['time,px,py,pz,qx,qy,qw\n', 'missing: qz'],
    [`${HEADER}\n`, 't.csv, line 2: found no samples'],
    [`${HEADER}\n0,0,0,nan,0,0,0,1\n`, 't.csv, line 2: found "nan" as pz, expected a finite number'],
    [`${HEADER}\n0,0,0,Infinity,0,0,0,1\n`, 'found "Infinity" as pz'],
    [`${HEADER}\n0,0,0,1e999,0,0,0,1\n`, 'found "1e999" as pz'],
    [`${HEADER}\n0,0,0,,0,0,0,1\n`, 'found "" as pz'],
    [`${HEADER}\n0,0,0,0x10,0,0,0,1\n`, 'found "0x10" as pz'],
    [`${HEADER}\n0,0,0,0,0,0,1\n`, 'line 2: found 7 cells, expected at least 8'],
    [`${HEADER}\n0,0,0,0,0,0,0,0\n`, 't.csv, line 2: found a quaternion of length 0'],
    [
      `${HEADER}\n0,0,0,0,0,0,0,1\n\n-0.1,0,0,0,0,0,0,1\n`,
      'line 4: found the time -0.1 after 0, expected time to rise',
    ],
    [`${HEADER}\n1,0,0,0,0,0,0,1\n1,0,0,0,0,0,0,1\n`, 'line 3: found the time 1 after 1'],
  ])('%j is refused', (text, part) => {
    expect(problemsOf(text)).toContain(part);
  });

  test('all bad lines are told, up to twenty', () => {
    const two = problemsOf(`${HEADER}\n0,x,0,0,0,0,0,1\n1,0,0,0,0,0,0,1\n2,0,0,0,0,0,0,0\n`);
    expect(two).toMatch(/^t\.csv: 2 problems:\n {2}line 2: found "x" as px.*\n {2}line 4: found a quaternion/);
    const many = problemsOf(`${HEADER}\n${'0,x,0,0,0,0,0,1\n'.repeat(50)}`);
    expect(many.match(/line \d+/g)).toHaveLength(20);
    expect(many).toMatch(/^t\.csv: 50 problems:[\s\S]*\n {2}and 30 more\.$/);
  });
});

describe('playing', () => {
  const turn = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
  const poseAt = (text: string, timeStep: number, cycle: number) => {
    const playback = createPlayback(readTrajectory(text), timeStep);
    const pose = new Float64Array(7);
    for (let c = 0; c <= cycle; c += 1) samplePose(pose, playback, c);
    return [...pose];
  };

  test('samples one time step apart are played as they are', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `${(i * 0.001).toFixed(6)},${i / 7},0,0,0,0,0,1`);
    const trajectory = readTrajectory([HEADER, ...rows].join('\n'));
    const playback = createPlayback(trajectory, 0.001);
    expect(playback).toMatchObject({ cycles: 1000, resampled: false });
    const pose = new Float64Array(7);
    for (let i = 0; i < 1000; i += 1) {
      samplePose(pose, playback, i);
      expect(pose[0]).toBe(i / 7);
    }
  });

  test('others are interpolated, along the line and along the arc at constant speed', () => {
    const angle = 2.4;
    const text = [HEADER, `2,0,0,0,${turn(0)}`, `2.1,1,-2,0,${turn(angle)}`, `2.2,1,-2,5,${turn(angle)}`].join('\n');
    const playback = createPlayback(readTrajectory(text), 0.001);
    expect(playback).toMatchObject({ cycles: 201, resampled: true });
    for (const cycle of [0, 1, 17, 50, 99, 100, 150, 200]) {
      const part = Math.min(1, cycle / 100);
      const wanted = [part, -2 * part, 5 * Math.max(0, cycle / 100 - 1), ...turn(angle * part)];
      const pose = poseAt(text, 0.001, cycle);
      for (let k = 0; k < 7; k += 1) expect(pose[k], `cycle ${cycle}, ${k}`).toBeCloseTo(wanted[k], 7);
    }
  });

  test('the short way round, whatever the sign of the quaternions', () => {
    const text = [HEADER, `0,0,0,0,${turn(0)}`, `1,0,0,0,${turn(0.2).map((part) => -part)}`].join('\n');
    const [z, w] = poseAt(text, 0.1, 5).slice(5);
    expect(z / w).toBeCloseTo(Math.tan(0.05), 12);
  });

  test('faster samples are left out, and one sample is one cycle', () => {
    const rows = Array.from({ length: 101 }, (_, i) => `${i * 0.0001},${i},0,0,0,0,0,1`);
    const playback = createPlayback(readTrajectory([HEADER, ...rows].join('\n')), 0.001);
    expect(playback.cycles).toBe(11);
    expect(poseAt([HEADER, ...rows].join('\n'), 0.001, 10)[0]).toBeCloseTo(100, 9);
    expect(createPlayback(readTrajectory(`${HEADER}\n3,0,0,0,0,0,0,1`), 0.001)).toMatchObject({ cycles: 1 });
  });

  test('times in milliseconds are suspected when they would take forever', () => {
    const text = `${HEADER}\n0,0,0,0,0,0,0,1\n3600000,0,0,0,0,0,0,1`;
    expect(() => createPlayback(readTrajectory(text), 0.001)).toThrow(/its times must be in seconds/);
  });
});
