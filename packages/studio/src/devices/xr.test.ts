import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { createGrip, type Grip } from './grip.js';
import type { DeviceStatus } from './page-device.js';
import { createXr } from './xr.js';
import { readXrPose, XR_ORIGIN } from './xr-frame.js';

class FakeController {
  readonly gripSpace = { space: this };
  readonly pulses: number[] = [];
  readonly handedness: string;
  position = { x: 0, y: 1, z: -0.3 };
  orientation = { x: 0, y: 0, z: 0, w: 1 };
  isTracked = true;
  gamepad = {
    buttons: [{ pressed: false }, { pressed: false }],
    hapticActuators: [{ pulse: async (strength: number) => void this.pulses.push(strength) }],
  };
  constructor(handedness: string) {
    this.handedness = handedness;
  }
  squeeze(isPressed: boolean) {
    this.gamepad.buttons[1]!.pressed = isPressed;
  }
  pull(isPressed: boolean) {
    this.gamepad.buttons[0]!.pressed = isPressed;
  }
}

class FakeSession extends EventTarget {
  readonly inputSources: FakeController[];
  constructor(controllers: FakeController[]) {
    super();
    this.inputSources = controllers;
  }
  async requestReferenceSpace() {
    return {};
  }
  async end() {
    this.dispatchEvent(new Event('end'));
  }
}

const frame = {
  getPose: ({ space }: { space: FakeController }) =>
    space.isTracked ? { transform: { position: space.position, orientation: space.orientation } } : null,
};

interface Opened {
  readonly toolCount?: number;
  readonly isSupported?: boolean;
  readonly requestError?: Error;
  readonly presentError?: Error;
}

function openXr({ toolCount = 1, isSupported = true, requestError, presentError }: Opened = {}) {
  const right = new FakeController('right');
  const left = new FakeController('left');
  const session = new FakeSession([left, right]);
  const system = Object.assign(new EventTarget(), {
    isSupported,
    isSessionSupported: async () => system.isSupported,
    requestSession: async () => {
      if (requestError) throw requestError;
      return session;
    },
  });
  const told: DeviceStatus[] = [];
  const buttons: number[] = [];
  const grips: Grip[] = Array.from({ length: toolCount }, (_, index) =>
    createGrip({
      home: [index, 0, 0, 0, 0, 0, 1],
      sink: {
        putPose: (_pose, held) => {
          buttons[index] = held;
        },
      },
    }),
  );
  let draw = (_frame: XRFrame, _timeMs: number) => {};
  let ends = 0;
  const xr = createXr({
    xr: system as unknown as XRSystem,
    grips,
    stage: {
      async present(_session, onFrame) {
        if (presentError) throw presentError;
        draw = onFrame;
      },
    },
    onStatus: (status) => told.push(status),
    onFrame: () => {
      for (const { device } of xr.controllers) device.step(0.01);
    },
    onEnd: () => {
      ends += 1;
    },
  });
  return {
    xr,
    grips,
    session,
    system,
    left,
    right,
    buttons,
    ends: () => ends,
    draw: () => draw(frame as unknown as XRFrame, 0),
    status: () => told.at(-1)!,
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));
const domError = (name: string, message: string) => Object.assign(new Error(message), { name });
const PUSH = Float64Array.of(0, 0, 5, 0, 0, 0);

describe('readXrPose', () => {
  it('takes the room, y up, into the world, z up', () => {
    const position = new Vector3();
    const rotation = new Quaternion();
    const half = Math.SQRT1_2;
    // One metre right, two up, three ahead; a quarter turn about the room's vertical.
    const transform = { position: { x: 1, y: 2, z: -3 }, orientation: { x: 0, y: half, z: 0, w: half } };
    readXrPose(position, rotation, { transform } as XRPose);
    expect(position.sub(XR_ORIGIN as Vector3).distanceTo(new Vector3(1, 3, 2))).toBeLessThan(1e-12);
    // Ahead of the hand, −z of the room, is now to the left: −x of the world.
    const ahead = new Vector3(0, 0, -1).applyQuaternion(rotation);
    expect(ahead.distanceTo(new Vector3(-1, 0, 0))).toBeLessThan(1e-12);
    // What was up for the hand is up in the world.
    expect(new Vector3(0, 1, 0).applyQuaternion(rotation).distanceTo(new Vector3(0, 0, 1))).toBeLessThan(1e-12);
  });
});

describe('createXr', () => {
  it('finds a headset, also one that comes later', async () => {
    const { status, system } = openXr({ isSupported: false });
    await settle();
    expect(status()).toMatchObject({ state: 'unsupported', text: expect.stringContaining('No headset answers') });
    system.isSupported = true;
    system.dispatchEvent(new Event('devicechange'));
    await settle();
    expect(status()).toMatchObject({ state: 'absent', text: expect.stringContaining('Headset ready') });
  });

  it('takes the tool along while squeezed, and only then', async () => {
    const { xr, grips, right, draw, status, buttons } = openXr();
    await xr.enter();
    expect(status().state).toBe('connected');
    const [grip] = grips as [Grip];
    right.position.x = 0.5;
    draw();
    expect([...grip.pose]).toEqual([0, 0, 0, 0, 0, 0, 1]);
    right.squeeze(true);
    draw();
    expect([...grip.pose.subarray(0, 3)]).toEqual([0, 0, 0]);
    // Right 2 cm, up 3 cm, to the person 4 cm.
    right.position = { x: 0.52, y: 1.03, z: -0.26 };
    right.pull(true);
    draw();
    expect([...grip.pose.subarray(0, 3)]).toEqual([0.02, -0.04, 0.03].map((part) => expect.closeTo(part, 12)));
    expect(buttons[0]).toBe(1);
    right.squeeze(false);
    right.position.x = 0;
    draw();
    expect(grip.pose[0]).toBeCloseTo(0.02);
    expect(buttons[0]).toBe(0);
  });

  it('lets go of a hand that is lost from sight, and takes it up again without a jump', async () => {
    const { xr, grips, right, draw } = openXr();
    await xr.enter();
    right.squeeze(true);
    draw();
    right.isTracked = false;
    draw();
    right.isTracked = true;
    right.position.x = 0.7;
    draw();
    expect(grips[0]!.pose[0]).toBeCloseTo(0);
    right.position.x = 0.71;
    draw();
    expect(grips[0]!.pose[0]).toBeCloseTo(0.01);
  });

  it('gives one tool to the hand that takes it first', async () => {
    const { xr, grips, left, right, draw } = openXr();
    await xr.enter();
    left.squeeze(true);
    draw();
    right.squeeze(true);
    draw();
    right.position.x = 0.3;
    draw();
    expect(grips[0]!.pose[0]).toBeCloseTo(0);
    left.position.x = 0.1;
    draw();
    expect(grips[0]!.pose[0]).toBeCloseTo(0.1);
    left.squeeze(false);
    // The first picture frees the tool, the second gives it to the other hand.
    draw();
    draw();
    right.position.x = 0.35;
    draw();
    expect(grips[0]!.pose[0]).toBeCloseTo(0.15);
  });

  it('gives two tools to two hands, each feels its own', async () => {
    const { xr, grips, left, right, draw } = openXr({ toolCount: 2 });
    expect(xr.controllers.map(({ grip }) => grip)).toEqual([0, 1]);
    await xr.enter();
    left.squeeze(true);
    right.squeeze(true);
    draw();
    left.position.x = 0.1;
    right.position.x = 0.2;
    draw();
    expect([grips[0]!.pose[0], grips[1]!.pose[0]]).toEqual([expect.closeTo(0.2), expect.closeTo(1.1)]);
    xr.controllers[1]!.device.feel(PUSH, 0);
    expect([left.pulses, right.pulses]).toEqual([[0.5], []]);
    left.squeeze(false);
    draw();
    xr.controllers[1]!.device.feel(PUSH, 1000);
    expect(left.pulses).toEqual([0.5]);
  });

  it('lets go when the session ends, and can enter again', async () => {
    const { xr, right, draw, session, status, ends, buttons } = openXr();
    await xr.enter();
    right.squeeze(true);
    draw();
    right.pull(true);
    draw();
    expect(buttons[0]).toBe(1);
    await session.end();
    await settle();
    expect(buttons[0]).toBe(0);
    expect(ends()).toBe(1);
    expect(xr.isPresenting).toBe(false);
    expect(status().text).toContain('Headset ready');
    await xr.enter();
    expect(xr.isPresenting).toBe(true);
    await xr.leave();
    expect(ends()).toBe(2);
  });

  it.each([
    ['refused', 'Allow it for this page', { requestError: domError('NotAllowedError', '') }],
    ['failed', 'has no floor level', { requestError: domError('NotSupportedError', '') }],
    ['failed', 'Another page is already in VR', { requestError: domError('InvalidStateError', '') }],
    ['failed', '(no layer)', { presentError: new Error('no layer.') }],
  ] as const)('is %s, says "%s", and keeps saying it', async (state, words, trouble) => {
    const { xr, status } = openXr(trouble);
    await xr.enter();
    await settle();
    expect(status()).toMatchObject({ state, text: expect.stringContaining(words) });
    expect(xr.isPresenting).toBe(false);
  });
});
