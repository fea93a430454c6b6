import { describe, expect, it } from 'vitest';
import { createGamepad } from './gamepad.js';
import { createGrip } from './grip.js';
import type { DeviceStatus, ViewAxes } from './page-device.js';

interface FakePad {
  index: number;
  id: string;
  connected: boolean;
  mapping: string;
  axes: number[];
  buttons: { value: number; pressed: boolean }[];
  vibrationActuator: unknown;
}

function createPad(index = 0) {
  const effects: { strength: number; duration: number }[] = [];
  let resets = 0;
  const pad: FakePad = {
    index,
    id: 'Wireless Controller (STANDARD GAMEPAD Vendor: 054c Product: 09cc)',
    connected: true,
    mapping: 'standard',
    axes: [0, 0, 0, 0],
    buttons: Array.from({ length: 17 }, () => ({ value: 0, pressed: false })),
    vibrationActuator: {
      playEffect: async (type: string, effect: { strongMagnitude: number; duration: number }) => {
        expect(type).toBe('dual-rumble');
        effects.push({ strength: effect.strongMagnitude, duration: effect.duration });
      },
      reset: async () => {
        resets += 1;
      },
    },
  };
  const press = (k: number, value = 1) => {
    pad.buttons[k] = { value, pressed: value > 0.5 };
  };
  return { pad, press, effects, resets: () => resets };
}

function openGamepad(pads: (FakePad | null)[] | (() => never) | undefined) {
  const told: DeviceStatus[] = [];
  const events = new EventTarget();
  let buttons = 0;
  let busy = 0;
  const grip = createGrip({
    home: [0, 0, 0, 0, 0, 0, 1],
    sink: {
      putPose: (_pose, held) => {
        buttons = held;
      },
    },
  });
  const getGamepads = typeof pads === 'function' ? pads : pads && (() => pads as unknown as (Gamepad | null)[]);
  const gamepad = createGamepad({
    getGamepads,
    events,
    grip,
    readView: ({ right }: ViewAxes) => right.set([1, 0, 0]),
    onStatus: (status) => told.push(status),
    onBusy: () => {
      busy += 1;
    },
  });
  const tell = (type: string) => events.dispatchEvent(new Event(type));
  return { gamepad, grip, tell, buttons: () => buttons, busy: () => busy, status: () => told.at(-1)! };
}

const PUSH = Float64Array.of(0, 0, 5, 0, 0, 0);
const FREE = new Float64Array(6);

describe('createGamepad', () => {
  it('waits for the first button, as browsers do', () => {
    const pads: (FakePad | null)[] = [null, null];
    const { gamepad, status, tell, busy } = openGamepad(pads);
    expect(status()).toMatchObject({ state: 'absent', text: expect.stringContaining('press any of its buttons') });
    expect(gamepad.isBusy).toBe(false);
    pads[1] = createPad(1).pad;
    tell('gamepadconnected');
    expect(status()).toEqual({
      state: 'connected',
      text: 'Wireless Controller moves the tool and rumbles on contact.',
    });
    expect(gamepad.isBusy).toBe(true);
    expect(busy()).toBe(1);
  });

  it('says what is missing in the browser and in the gamepad', () => {
    expect(openGamepad(undefined).status().state).toBe('unsupported');
    const throwing = openGamepad(() => {
      throw new Error('not allowed in this frame');
    });
    expect(throwing.status().state).toBe('absent');
    const { pad } = createPad();
    pad.vibrationActuator = null;
    pad.mapping = '';
    const { status, gamepad } = openGamepad([pad]);
    expect(status().text).toContain('it cannot rumble');
    expect(status().text).toContain('layout is unknown');
    gamepad.feel(PUSH, 0);
  });

  it.each([
    ['left stick to the right', (axes: number[]) => (axes[0] = 1), undefined, 0, 0.01],
    ['left stick away', (axes: number[]) => (axes[1] = -1), undefined, 1, 0.01],
    ['right trigger', undefined, 7, 2, 0.01],
    ['left trigger', undefined, 6, 2, -0.01],
    ['right stick to the person', (axes: number[]) => (axes[3] = 1), undefined, 3, Math.sin(0.03)],
    ['right bumper', undefined, 5, 4, Math.sin(0.03)],
    ['left bumper', undefined, 4, 4, -Math.sin(0.03)],
    ['right stick to the right', (axes: number[]) => (axes[2] = 1), undefined, 5, Math.sin(0.03)],
  ])('moves by the %s', (_what, push, button, component, expected) => {
    const { pad, press } = createPad();
    push?.(pad.axes);
    if (button !== undefined) press(button);
    const { gamepad, grip } = openGamepad([pad]);
    gamepad.step(0.04);
    const moved = [0, 0, 0, 0, 0, 0].map((rest, k) => expect.closeTo(k === component ? expected : rest, 12));
    expect([...grip.pose.subarray(0, 6)]).toEqual(moved);
  });

  it('rests while the sticks are near their middle', () => {
    const { pad } = createPad();
    pad.axes = [0.1, -0.1, 0.11, 0.05];
    const { gamepad, grip } = openGamepad([pad]);
    for (let k = 0; k < 100; k += 1) gamepad.step(0.016);
    expect([...grip.pose]).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });

  it('gives the four face buttons', () => {
    const { pad, press } = createPad();
    const { gamepad, buttons } = openGamepad([pad]);
    press(0);
    press(2);
    press(9);
    gamepad.step(0.016);
    expect(buttons()).toBe(0b101);
  });

  it('shakes with the force, without flooding, and stops when free', () => {
    const { pad, effects, resets } = createPad();
    const { gamepad } = openGamepad([pad]);
    gamepad.feel(FREE, 0);
    expect(effects).toEqual([]);
    for (let timeMs = 16; timeMs < 116; timeMs += 16) gamepad.feel(PUSH, timeMs);
    expect(effects).toEqual([
      { strength: 0.5, duration: expect.any(Number) },
      { strength: 0.5, duration: expect.any(Number) },
    ]);
    expect(effects[0]!.duration).toBeGreaterThan(50);
    expect(resets()).toBe(0);
    gamepad.feel(FREE, 130);
    gamepad.feel(FREE, 146);
    expect(resets()).toBe(1);
  });

  it('goes on with another one when the first is unplugged, and is absent after the last', () => {
    const first = createPad(0);
    const second = createPad(1);
    second.pad.id = 'Other';
    const pads: (FakePad | null)[] = [first.pad, second.pad];
    const { gamepad, status, tell, buttons } = openGamepad(pads);
    first.press(0);
    gamepad.step(0.016);
    expect(buttons()).toBe(1);
    pads[0] = null;
    tell('gamepaddisconnected');
    expect(status().text).toContain('Other moves the tool');
    expect(buttons()).toBe(0);
    // Some browsers say nothing; then the next picture finds out.
    second.pad.connected = false;
    gamepad.step(0.016);
    expect(status().state).toBe('absent');
    expect(gamepad.isBusy).toBe(false);
  });

  it('leaves no shaking and no listener behind', () => {
    const { pad, resets } = createPad();
    const { gamepad, tell, status } = openGamepad([pad]);
    gamepad.feel(PUSH, 0);
    gamepad.close();
    expect(resets()).toBe(1);
    const before = status();
    tell('gamepadconnected');
    expect(status()).toBe(before);
  });
});
