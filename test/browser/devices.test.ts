/** The devices of the page, each in the shape that a browser gives it, move the bunny in Chromium. */
import { fileURLToPath } from 'node:url';
import type * as Iwer from 'iwer';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  between,
  device,
  expectLeftToKeys,
  isHeld,
  pushOntoTeapot,
  readContacts,
  readPose,
  status,
} from './device-panel.js';
import { button, download, eventually, open, page, useStudio } from './studio.js';

useStudio();

/** The emulator of WebXR as one script, beside the modules of its package. */
const emulator = fileURLToPath(new URL('../build/iwer.min.js', import.meta.resolve('iwer')));

/** What the scripts below put into the page. */
interface Fakes {
  readonly IWER: typeof Iwer;
  headset: Iwer.XRDevice;
  knob: { send(reportId: number, bytes: number[]): void; unplug(): void };
  isChooserEmpty: boolean;
  pad: { axes: number[]; buttons: { value: number; pressed: boolean }[] } | null;
  effects: { type: string; strength: number; timeMs: number }[];
  pulses: number[];
}

/** In a headset pictures are drawn all the time, and each is preceded by a look at the controllers. */
async function waitForPictures(count: number): Promise<void> {
  const readDrawn = () => page.evaluate(() => window.palpable!.state().picturesDrawn);
  const drawn = await readDrawn();
  await eventually(readDrawn).toBeGreaterThanOrEqual(drawn + count);
}

describe('without any device', () => {
  it('lists the mouse, and says of the others what to do', async () => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'hid', { value: undefined });
      Object.defineProperty(navigator, 'xr', { value: undefined });
    });
    await open();
    expect(await page.getByRole('region', { name: 'Devices' }).getByRole('listitem').count()).toBe(5);
    expect(await status('Mouse and keyboard').textContent()).toContain('Drag the tool');
    expect(await status('SpaceMouse').textContent()).toContain('Open the page in Chrome or Edge');
    expect(await status('Gamepad').textContent()).toContain('press any of its buttons');
    expect(await status('Headset').textContent()).toContain('no WebXR');
    expect(await status('Haply Inverse3').textContent()).toContain('Start Haply Hub');
    expect(await page.locator('.device button').count()).toBe(1);
  });

  it('does with keys all that the help lists, and the focus returns from it', async () => {
    await open();
    const help = page.getByRole('dialog', { name: 'Mouse, touch and keys' });
    const helpButton = button('Help');
    await helpButton.focus();
    await page.keyboard.press('Enter');
    await help.waitFor();
    const listed = await help.locator('section', { hasText: 'Keys' }).locator('dt').allTextContents();
    expect(listed).toContain('H');
    expect(listed).toContain('P');
    await page.keyboard.press('h');
    expect(await isHeld()).toBe('false');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    expect(await helpButton.evaluate((element) => element === document.activeElement)).toBe(true);

    const start = await readPose();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Shift+ArrowUp');
    const moved = between(start, await readPose());
    expect(moved.turn).toBeCloseTo(Math.PI / 60, 6);
    await page.keyboard.press('r');
    expect(await readPose()).toEqual(start);

    await page.keyboard.press('p');
    expect(await page.getByRole('button', { name: 'Resume' }).isVisible()).toBe(true);
    await page.keyboard.press('p');
    await page.keyboard.press('b');
    expect(await page.getByRole('button', { name: /^End/ }).isVisible()).toBe(true);
    await page.keyboard.press('b');
    expect((await download(() => page.keyboard.press('i'))).name).toMatch(/\.png$/);
    for (const [key, title] of [
      ['a', 'Save and share'],
      ['g', 'Scenes'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name: title }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: title }).waitFor({ state: 'hidden' });
    }
    // Letters with Ctrl are the browser's.
    await page.keyboard.press('Control+b');
    expect(await page.getByRole('button', { name: 'Record' }).first().isVisible()).toBe(true);
  });
});

describe('a SpaceMouse', () => {
  it('is connected by a click, also after none was chosen, and moves the bunny as it is pushed', async () => {
    await page.addInitScript(installHid);
    await open();
    await page.evaluate(() => {
      (window as unknown as Fakes).isChooserEmpty = true;
    });
    await button('Connect: SpaceMouse').press('Enter');
    await eventually(() => status('SpaceMouse').textContent()).toContain('None was chosen');
    await page.evaluate(() => {
      (window as unknown as Fakes).isChooserEmpty = false;
    });
    await button('Connect: SpaceMouse').click();
    await eventually(() => status('SpaceMouse').textContent()).toBe('SpaceMouse Compact moves the tool.');
    expect(await device('SpaceMouse').getAttribute('data-state')).toBe('connected');
    const start = await readPose();
    // Pushed down to its end (z points down), and repeated, as the knob does.
    await page.evaluate(() => {
      const { knob } = window as unknown as Fakes;
      setInterval(() => knob.send(1, [0, 0, 0, 0, 0x5e, 0x01]), 20);
    });
    await eventually(async () => start[2]! - (await readPose())[2]!).toBeGreaterThan(0.02);
    const moved = await readPose();
    expect(moved[0]).toBeCloseTo(start[0]!, 9);
    expect(moved[1]).toBeCloseTo(start[1]!, 9);
    expect(moved.slice(3)).toEqual(start.slice(3).map((part) => expect.closeTo(part, 9)));

    await page.evaluate(() => (window as unknown as Fakes).knob.unplug());
    await eventually(() => status('SpaceMouse').textContent()).toContain('Unplugged');
    await expectLeftToKeys();
  });
});

describe('a gamepad', () => {
  it('appears with its first button, moves the bunny, and rumbles on contact', async () => {
    await page.addInitScript(installGamepad);
    await open();
    expect(await device('Gamepad').getAttribute('data-state')).toBe('absent');
    await page.evaluate(plugGamepad);
    await eventually(() => status('Gamepad').textContent()).toContain('Test Pad moves the tool and rumbles');

    const start = await readPose();
    await page.evaluate(() => {
      (window as unknown as Fakes).pad!.buttons[7] = { value: 1, pressed: true };
    });
    await eventually(async () => (await readPose())[2]! - start[2]!).toBeGreaterThan(0.02);
    await page.evaluate(() => {
      const fakes = window as unknown as Fakes;
      fakes.pad!.buttons[7] = { value: 0, pressed: false };
    });
    expect(await page.evaluate(() => (window as unknown as Fakes).effects)).toEqual([]);

    await page.keyboard.press('r');
    await pushOntoTeapot();
    const readEffects = () => page.evaluate(() => (window as unknown as Fakes).effects);
    // On a busy machine the loop stalls now and then; its force is then taken away, and the shaking with it.
    const readShakes = async () => (await readEffects()).filter(({ type }) => type === 'dual-rumble');
    await eventually(async () => (await readShakes()).length).toBeGreaterThan(3);
    expect((await readShakes()).every(({ strength }) => strength > 0 && strength <= 1)).toBe(true);
    await page.keyboard.press('r');
    await eventually(async () => (await readEffects()).at(-1)?.type).toBe('reset');

    // Unplugged while a stick is pushed: the tool stops, the panel says so, and the keys move on.
    await page.evaluate(() => {
      const fakes = window as unknown as Fakes;
      fakes.pad!.axes[0] = 1;
    });
    await eventually(async () => (await readPose())[0]).not.toBe(start[0]);
    await page.evaluate(() => {
      (window as unknown as Fakes).pad = null;
      window.dispatchEvent(new Event('gamepaddisconnected'));
    });
    await eventually(() => status('Gamepad').textContent()).toContain('None found');
    await expectLeftToKeys();
  });
});

describe('a headset', () => {
  beforeEach(async () => {
    await page.addInitScript({ path: emulator });
    await page.addInitScript(installHeadset);
    await open();
  });

  it('is entered by a click; a squeezed controller takes the bunny along and pulses on contact', async () => {
    expect(await status('Headset').textContent()).toContain('Headset ready');
    await page.getByRole('button', { name: 'Enter VR: Headset' }).click();
    await eventually(() => status('Headset').textContent()).toContain('In VR');
    const start = await readPose();

    await moveController('right', { squeeze: 0, x: 0.2, y: 1.1, z: -0.4 });
    await waitForPictures(3);
    expect(await readPose()).toEqual(start);
    await moveController('right', { squeeze: 1, x: 0.2, y: 1.1, z: -0.4 });
    await waitForPictures(3);
    // Right, up and ahead in the room are x, z and y in the world.
    await moveController('right', { squeeze: 1, x: 0.23, y: 1.12, z: -0.45 });
    await eventually(async () =>
      (await readPose()).slice(0, 3).map((part, k) => Math.round(1000 * (part - start[k]!))),
    ).toEqual([30, 50, 20]);

    expect(await page.evaluate(() => (window as unknown as Fakes).pulses)).toEqual([]);
    await moveController('right', { squeeze: 1, x: 0.2, y: 1.05, z: -0.4 });
    await eventually(readContacts).toBeGreaterThan(0);
    await eventually(() => page.evaluate(() => (window as unknown as Fakes).pulses.length)).toBeGreaterThan(1);

    // The emulator shows the headset's picture over the whole page: with the keyboard, then.
    await page.getByRole('button', { name: 'Leave VR: Headset' }).press('Enter');
    await eventually(() => status('Headset').textContent()).toContain('Headset ready');
    const left = await readPose();
    await moveController('right', { squeeze: 1, x: 0, y: 1, z: 0 });
    await page.keyboard.press('ArrowRight');
    expect(Math.abs((await readPose())[2]! - left[2]!)).toBeLessThan(0.003);
  });
});

interface ControllerPlace {
  readonly squeeze: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

async function moveController(hand: 'left' | 'right', place: ControllerPlace): Promise<void> {
  await page.evaluate(
    ([side, { squeeze, x, y, z }]) => {
      const controller = (window as unknown as Fakes).headset.controllers[side]!;
      controller.position.set(x, y, z);
      controller.updateButtonValue('squeeze', squeeze);
    },
    [hand, place] as const,
  );
}

/** A HID system with one SpaceMouse, which has to be asked for. Runs in the page. */
function installHid(): void {
  const fakes = window as unknown as Fakes;
  const hid = new EventTarget();
  const knob = Object.assign(new EventTarget(), {
    vendorId: 0x256f,
    productName: 'SpaceMouse Compact',
    opened: false,
    collections: [{ usagePage: 1, usage: 8 }],
    open: async () => {
      knob.opened = true;
    },
    close: async () => {},
  });
  fakes.knob = {
    send: (reportId, bytes) => {
      const data = new DataView(Uint8Array.from(bytes).buffer);
      knob.dispatchEvent(Object.assign(new Event('inputreport'), { reportId, data }));
    },
    unplug: () => hid.dispatchEvent(Object.assign(new Event('disconnect'), { device: knob })),
  };
  Object.defineProperty(navigator, 'hid', {
    value: Object.assign(hid, {
      getDevices: async () => [],
      requestDevice: async () => (fakes.isChooserEmpty ? [] : [knob]),
    }),
  });
}

/** No gamepad yet, but a place for one. Runs in the page. */
function installGamepad(): void {
  const fakes = window as unknown as Fakes;
  fakes.pad = null;
  fakes.effects = [];
  Object.defineProperty(navigator, 'getGamepads', { value: () => [fakes.pad] });
}

function plugGamepad(): void {
  const fakes = window as unknown as Fakes;
  const note = (type: string, strength: number) => fakes.effects.push({ type, strength, timeMs: performance.now() });
  fakes.pad = Object.assign(
    { axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ value: 0, pressed: false })) },
    {
      id: 'Test Pad (Vendor: 1234)',
      index: 0,
      connected: true,
      mapping: 'standard',
      vibrationActuator: {
        playEffect: async (type: string, effect: { strongMagnitude: number }) => note(type, effect.strongMagnitude),
        reset: async () => note('reset', 0),
      },
    },
  );
  window.dispatchEvent(new Event('gamepadconnected'));
}

/** An emulated headset with two controllers, whose pulses are noted. Runs in the page. */
function installHeadset(): void {
  const fakes = window as unknown as Fakes;
  fakes.pulses = [];
  fakes.headset = new fakes.IWER.XRDevice(fakes.IWER.metaQuest3);
  // Chromium has a runtime of its own, which finds no headset here.
  fakes.headset.installRuntime({ forceInstall: true });
  for (const controller of Object.values(fakes.headset.controllers)) {
    const actuator = controller?.inputSource.gamepad?.hapticActuators[0];
    if (actuator) {
      Object.assign(actuator, {
        pulse: async (strength: number) => {
          fakes.pulses.push(strength);
          return true;
        },
      });
    }
  }
}
