import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { createPose } from '../math/pose.js';
import { createPortMemory, haltPort, openPortDevice, openPortHost, portFade, portHaltFade } from './device-port.js';

const LIMITS = { force: 10, torque: 1 };
const WRENCH = Float64Array.of(1, -2, 3, -4, 5, -6);

function openPort() {
  const port = createPortMemory();
  return { port, host: openPortHost(port), device: openPortDevice(port, LIMITS) };
}

describe('poses', () => {
  test('nothing is heard before the first, then each once, and the newest of several', () => {
    const { host, device } = openPort();
    const pose = createPose(9, 9, 9);
    expect(device.read(pose)).toBe(false);
    expect([...pose]).toEqual([9, 9, 9, 0, 0, 0, 1]);
    expect(device.buttons).toBe(0);
    for (const n of [1, 2, 3]) host.putPose([n, 0, 0, 0, 0, 0, 1], n);
    expect(device.read(pose)).toBe(true);
    expect([...pose, device.buttons]).toEqual([3, 0, 0, 0, 0, 0, 1, 3]);
    expect(device.read(pose)).toBe(false);
    expect(device.buttons).toBe(3);
    host.putPose([4, 5, 6, 0.1, 0.2, 0.3, 0.9], 0);
    expect(device.read(pose)).toBe(true);
    expect([...pose, device.buttons]).toEqual([4, 5, 6, 0.1, 0.2, 0.3, 0.9, 0]);
  });

  test('what is no number goes through as it is, for the loop to judge', () => {
    const { host, device } = openPort();
    const pose = createPose();
    host.putPose([Number.NaN, Number.POSITIVE_INFINITY, 0, 0, 0, 0, 0], 0);
    expect(device.read(pose)).toBe(true);
    expect([...pose]).toEqual([Number.NaN, Number.POSITIVE_INFINITY, 0, 0, 0, 0, 0]);
  });

  test('limits and silence are handed on', () => {
    const port = createPortMemory();
    expect(openPortDevice(port, LIMITS).limits).toBe(LIMITS);
    expect(openPortDevice(port, LIMITS).silentAfter).toBeUndefined();
    expect(openPortDevice(port, LIMITS, 0.25).silentAfter).toBe(0.25);
  });
});

describe('wrenches', () => {
  test('none before the loop has written', () => {
    const { host } = openPort();
    const out = new Float64Array(6).fill(7);
    host.takeWrench(out, 1234);
    expect([...out]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(host.isLoopAlive).toBe(false);
  });

  test('in full for 8 ms after the loop fell silent, half at 12, none from 16 on', () => {
    const { host, device } = openPort();
    device.write(WRENCH);
    const out = new Float64Array(6);
    const start = 1e9;
    for (let ms = 0; ms <= 100; ms += 0.5) {
      host.takeWrench(out, start + ms);
      const part = ms <= 8 ? 1 : ms >= 16 ? 0 : (16 - ms) / 8;
      for (let k = 0; k < 6; k += 1) expect(Math.abs(out[k] - part * WRENCH[k])).toBeLessThan(1e-12);
      expect(host.isLoopAlive).toBe(ms <= 8);
    }
    expect(out.every((value) => Object.is(value, 0))).toBe(true);
    device.write(WRENCH);
    host.takeWrench(out, start + 101);
    expect([...out]).toEqual([...WRENCH]);
    expect(host.isLoopAlive).toBe(true);
  });

  test('a loop that goes on is never faded, and its newest wrench counts', () => {
    const { host, device } = openPort();
    const out = new Float64Array(6);
    for (let ms = 0; ms < 200; ms += 1) {
      WRENCH.forEach((_, k) => {
        out[k] = ms + k;
      });
      device.write(out);
      out.fill(-1);
      host.takeWrench(out, ms);
      expect([...out]).toEqual([0, 1, 2, 3, 4, 5].map((k) => ms + k));
    }
  });

  test('can be waited for: not at all when one is there, until the loop writes, or for as long as asked', async () => {
    const { host, device } = openPort();
    const out = new Float64Array(6);
    await expect(host.awaitWrench(1)).resolves.toBe('timed-out');
    const wait = host.awaitWrench(60_000);
    device.write(WRENCH);
    await expect(wait).resolves.toBe('ok');
    expect(host.awaitWrench(60_000)).toBeNull();
    host.takeWrench(out, 0);
    expect([...out]).toEqual([...WRENCH]);
    const next = host.awaitWrench(60_000);
    expect(next).not.toBeNull();
    device.write(WRENCH);
    await next;
  });

  test('the fade is a line', () => {
    expect([0, 8, 10, 12, 14, 16, 1e9].map(portFade)).toEqual([1, 1, 0.75, 0.5, 0.25, 0, 0]);
    expect(portFade(Number.POSITIVE_INFINITY)).toBe(0);
  });
});

/** A loop that leaves one scene for the next opens its end again, while the connection goes on. */
test.each([1, 2, 3])('either end may be opened again at any time: never do both hold one block (seed %i)', (seed) => {
  const random = createRandom(seed);
  const { port, ...ends } = openPort();
  let { host, device } = ends;
  const pose = createPose();
  const wrench = new Float64Array(6);
  let put = 0;
  let written = 0;
  let reopened = 0;
  for (let step = 0; step < 1500; step += 1) {
    const choice = random();
    if (choice < 0.3) {
      put += 1;
      host.putPose(
        pose.map(() => put),
        put,
      );
    } else if (choice < 0.6) {
      written += 1;
      device.write(wrench.fill(written));
    } else if (choice < 0.75) {
      if (device.read(pose)) expect([...pose, device.buttons]).toEqual(new Array(8).fill(put));
    } else if (choice < 0.9) {
      host.takeWrench(wrench, step);
      if (written > 0 && host.isLoopAlive) expect(new Set(wrench).size).toBe(1);
    } else {
      if (random() < 0.5) device = openPortDevice(port, LIMITS);
      else host = openPortHost(port);
      reopened += 1;
    }
    expect(heldBlocks(port.memory)).toEqual([0, 1, 2, 0, 1, 2]);
  }
  expect(reopened).toBeGreaterThan(100);
});

/** The blocks of both sides and the one in between, in order: poses, then wrenches. */
function heldBlocks(memory: SharedArrayBuffer): number[] {
  return [...new Int32Array(memory, 0, 2)].flatMap((cell) => [0, 2, 4].map((bits) => (cell >> bits) & 3).sort());
}

describe('a halted port', () => {
  test('lets the force fall to zero within the given time and never gives one again, whatever the loop writes', () => {
    const { port, host, device } = openPort();
    expect(portHaltFade(port)).toBe(0);
    const take = (nowMs: number, written = WRENCH) => {
      const out = new Float64Array(6);
      device.write(written);
      host.takeWrench(out, nowMs);
      return out[2];
    };
    expect(take(100)).toBe(3);
    haltPort(port, 20);
    expect(take(101)).toBe(3);
    expect(
      take(
        111,
        WRENCH.map((part) => 2 * part),
      ),
    ).toBeCloseTo(1.5, 12);
    expect([take(121), take(122), take(1e6)]).toEqual([0, 0, 0]);
    // The first one counts: nobody can make the fall longer.
    haltPort(port, 1000);
    expect(portHaltFade(port)).toBe(20);
  });

  test('is halted for a connection that is opened over it later, too', () => {
    const { port, device } = openPort();
    haltPort(port, 0.5);
    const out = new Float64Array(6);
    const late = openPortHost(port);
    device.write(WRENCH);
    late.takeWrench(out, 0);
    late.takeWrench(out, 1);
    expect([...out]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
