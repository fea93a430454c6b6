import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './lib/free-port.js';
import { readFelt } from './lib/read-felt.js';
import { readVrpn, VRPN_COOKIE } from './lib/vrpn-wire.js';

// What a loop says about time, to recordings and to other programs, on a machine that may be busy.

const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-times-'));
  const box = (x: number, y: number, z: number) => ({ mesh: { box: [x, y, z] } });
  const scene = {
    palpable: 1,
    bodies: {
      plate: { ...box(0.2, 0.2, 0.02), position: [0, 0, -0.5], field: { resolution: 32 } },
      block: { ...box(0.02, 0.02, 0.02), shell: { spacing: 0.005 } },
    },
    tool: 'block',
  };
  writeFileSync(join(folder, 'scene.json'), JSON.stringify(scene));
  writeFileSync(join(folder, 'clock.mjs'), CLOCK_DEVICE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Metres for a millisecond of wall time, and after how many milliseconds the clock's hand begins again. */
const METRES_PER_MS = 1e-5;
const ROUND_MS = 10_000;

/** A device that holds its hand where the wall clock is. */
const CLOCK_DEVICE = `
export default ({ port }) => {
  const timer = setInterval(() => {
    port.putPose([(Date.now() % ${ROUND_MS}) * ${METRES_PER_MS}, 0, 0, 0, 0, 0, 1], 0);
  }, 1);
  return { name: 'clock', state: 'connected', limits: { force: 1, torque: 0 }, close: async () => clearInterval(timer) };
};
`;

function servo(...args: string[]) {
  const child = spawn(process.execPath, [program, 'servo', 'scene.json', ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { child, ended: once(child, 'exit') };
}

async function feltIn(name: string) {
  return (await readFelt(join(folder, name))).hands[0]!;
}

/**
 * How much later than the clock's hand says a recording has it, milliseconds: the median while both were punctual, so
 * that neither thread waited for a processor. News is then half a step old, and the clock counts whole milliseconds.
 */
async function lagOf(name: string): Promise<number> {
  const { column, wallMs: times } = await feltIn(name);
  const [fresh, late, missed, x] = [column('fresh'), column('us_late'), column('missed'), column('dpx')];
  const cycles = times.map((wallMs, row) => ({
    isPunctual: fresh[row] === 1 && late[row]! < 200 && missed[row] === 0,
    handMs: x[row]! / METRES_PER_MS,
    wallMs,
  }));
  const lags = cycles
    .filter((_, at) => {
      const around = cycles.slice(Math.max(0, at - 1), at + 2);
      const passedMs = around.at(-1)!.handMs - around[0]!.handMs;
      return around.every(({ isPunctual }) => isPunctual) && passedMs >= 0 && passedMs < 3.5;
    })
    .map(({ handMs, wallMs }) => {
      const lag = (wallMs - handMs) % ROUND_MS;
      return (lag > ROUND_MS / 2 ? lag - ROUND_MS : lag) - 1;
    })
    .toSorted((a, b) => a - b);
  expect(lags.length).toBeGreaterThan(20);
  return lags[lags.length >> 1]!;
}

describe('times', { timeout: 120_000 }, () => {
  it('of two recordings of two processes, started apart, lie on one time line', async () => {
    const first = servo('--device', 'module:clock.mjs', '--record', 'first.mcap', '--seconds', '4');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const second = servo('--device', 'module:clock.mjs', '--record', 'second.mcap', '--seconds', '2');
    await Promise.all([first.ended, second.ended]);
    const lags = [await lagOf('first.mcap'), await lagOf('second.mcap')];
    for (const lag of lags) expect(Math.abs(lag)).toBeLessThan(2);
    expect(Math.abs(lags[0]! - lags[1]!)).toBeLessThan(2);
  });

  it('of a tool shown to VRPN clients are those of its cycles, each once and in order', async () => {
    const port = await freePort();
    const running = servo('--record', 'shown.mcap', '--seconds', '3', '--serve-vrpn', String(port));
    const stamps = await stampsFrom(port);
    await running.ended;
    const recorded = (await feltIn('shown.mcap')).wallMs;
    expect(stamps.length).toBeGreaterThan(200);
    // From the first that was shown to this client on, without a gap. The wire counts microseconds.
    const begin = recorded.findIndex((wallMs) => Math.abs(wallMs - stamps[0]!) < 0.01);
    expect(begin).toBeGreaterThanOrEqual(0);
    const wrong = stamps.findIndex((stamp, at) => !(Math.abs(stamp - recorded[begin + at]!) < 0.01));
    expect(wrong).toBe(-1);
    // To the end but for what was on its way.
    expect(recorded.length - begin - stamps.length).toBeLessThan(200);
  });
});

/** Times of all poses until the server hangs up, ms since 1970. */
async function stampsFrom(port: number): Promise<number[]> {
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port });
    const heard: Buffer[] = [];
    socket.on('data', (chunk) => heard.push(chunk));
    socket.on('error', () => {});
    socket.write(VRPN_COOKIE);
    await new Promise((resolve) => socket.on('close', resolve));
    const stamps = readVrpn(Buffer.concat(heard))
      .filter(({ type }) => type === 'vrpn_Tracker Pos_Quat')
      .map(({ timeMs }) => timeMs);
    if (stamps.length > 0) return stamps;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
