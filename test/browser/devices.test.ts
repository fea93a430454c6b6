/** The devices of the page, each in the shape that a browser gives it, move the bunny in Chromium. */
import { fileURLToPath } from 'node:url';
import type * as Iwer from 'iwer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MockService, startMockService } from '../haply/mock-service.js';
import { changedShare } from './pixels.js';
import {
  button,
  complaints,
  cyclesLater,
  download,
  eventually,
  freshPage,
  open,
  page,
  pointOnTool,
  pressOntoLid,
  readForce,
  readState,
  rest,
  stageBox,
  useStudio,
} from './studio.js';

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

/** Where the devices have put the bunny; the loop lets it follow. */
const readPose = () => page.evaluate(() => [...window.palpable!.state().devicePose]);
const device = (name: string) => page.locator('.device', { has: page.getByText(name, { exact: true }) });
const status = (name: string) => device(name).getByRole('status');

/** In a headset pictures are drawn all the time, and each is preceded by a look at the controllers. */
async function waitForPictures(count: number): Promise<void> {
  const readDrawn = () => page.evaluate(() => window.palpable!.state().picturesDrawn);
  const drawn = await readDrawn();
  await eventually(readDrawn).toBeGreaterThanOrEqual(drawn + count);
}

const readContacts = async () => (await readState()).contacts;

/** Nothing moves the tool any more, but the keys do. */
async function expectLeftToKeys(): Promise<void> {
  const left = await readPose();
  await cyclesLater(100);
  expect(await readPose()).toEqual(left);
  await page.keyboard.press('ArrowRight');
  expect(await readPose()).not.toEqual(left);
}

async function pushOntoTeapot(): Promise<void> {
  await pressOntoLid();
  await eventually(readContacts).toBeGreaterThan(0);
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

describe('a Haply Inverse3', () => {
  let service: MockService;
  const name = 'Haply Inverse3';
  const connect = () => button(`Connect: ${name}`);
  const readPlace = async () => (await readState()).loop?.devicePose ?? [];
  const newestForce = () => Math.hypot(...(service.forces.at(-1) ?? [0]));
  /** Chromium writes every failed attempt to the console, whoever made it. */
  const forgetFailedAttempts = () => {
    const own = complaints.filter((line) => !line.includes('WebSocket connection to'));
    complaints.splice(0, complaints.length, ...own);
  };
  /** Its grip holds the first button down, which is the clutch; asleep it holds nothing. */
  const start = async (version: '3.1' | '3.5', port?: number) => {
    service = await startMockService({ version, ...(port && { port }) });
    service.isGripAwake = false;
  };
  const startAgain = (version: '3.1' | '3.5') => start(version, Number(new URL(service.url).port));
  const expectMoving = () => eventually(() => status(name).textContent()).toContain('moves the tool');

  afterEach(async () => {
    await service.stop();
  });

  it('moves the tool, is pushed back, never too hard, and reports in words when it cannot be reached', async () => {
    await start('3.5');
    await service.stop();
    await open(`?haply=${service.url}`);
    await connect().press('Enter');
    await eventually(() => status(name).textContent()).toContain('nothing answers there');
    await startAgain('3.5');
    service.nonsense.push('{"inverse3": {}}');
    await connect().click();
    await eventually(() => status(name).textContent()).toContain('connect to port 10001');
    await connect().click();
    await eventually(() => status(name).textContent()).toContain('Inverse3 049D');
    await eventually(() => device(name).getAttribute('data-state')).toBe('connected');
    await expectGoingRound();

    await pushDown();
    await eventually(() => service.forces.some((force) => Math.hypot(...force) > 0.5)).toBe(true);
    await eventually(() => device(name).locator('.device-detail').textContent()).toMatch(
      /^\d+ poses and \d+ forces per second$/,
    );
    // The clutch: the tool stays, and nothing is felt.
    service.isGripAwake = true;
    await eventually(newestForce).toBe(0);
    await eventually(async () => {
      const held = await readPlace();
      await cyclesLater(100);
      return (await readPlace()).every((part, k) => part === held[k]);
    }).toBe(true);

    await button(`Disconnect: ${name}`).click();
    await eventually(() => status(name).textContent()).toContain('Not connected');
    expect(newestForce()).toBe(0);
    expect(service.violations).toEqual([]);
    expect(Math.max(...service.forces.map((force) => Math.hypot(...force)))).toBeLessThanOrEqual(10 + 1e-9);
    // The loop begins again for the keys.
    await eventually(async () => (await readState()).loop?.cycles ?? 0).toBeGreaterThan(0);
    await expectLeftToKeys();
    forgetFailedAttempts();
  });

  it('of service 3.1 moves the tool, leaves it to the keys when it is gone, and takes it back when it returns', async () => {
    await start('3.1');
    await open(`?haply=${service.url}`);
    await connect().click();
    await expectMoving();
    await expectGoingRound();
    await pushDown();
    await eventually(() => service.forces.some((force) => Math.hypot(...force) > 0.5)).toBe(true);
    expect(Math.max(...service.forces.map((force) => Math.hypot(...force)))).toBeLessThanOrEqual(10 + 1e-9);
    const held = await readPose();
    await page.keyboard.press('ArrowRight');
    expect(await readPose()).toEqual(held);
    expect(service.violations).toEqual([]);
    await service.stop();
    await eventually(() => status(name).textContent()).toContain('The Inverse3 is gone');
    await eventually(async () => {
      const before = await readPose();
      await page.keyboard.press('ArrowRight');
      return (await readPose()).some((part, k) => part !== before[k]);
    }).toBe(true);
    await startAgain('3.1');
    await expectMoving();
    await eventually(() => service.positions.length).toBeGreaterThan(50);
    expect(service.violations).toEqual([]);
    forgetFailedAttempts();
  });

  it('has no force until it is calibrated, while the page is hidden, and when the page is left', async () => {
    await start('3.5');
    service.status.calibrated = false;
    await open(`?haply=${service.url}`);
    await connect().click();
    await eventually(() => status(name).textContent()).toContain('Inverse3 049D is not calibrated');
    await eventually(() => service.forces.length).toBeGreaterThan(20);
    expect(service.forces.every((force) => Math.hypot(...force) === 0)).toBe(true);
    // The mouse has the tool meanwhile.
    const home = await readPose();
    await page.keyboard.press('ArrowRight');
    expect(await readPose()).not.toEqual(home);
    service.status.calibrated = true;
    await expectMoving();

    await eventually(async () => (await readState()).loop?.cycles ?? 0).toBeGreaterThan(0);
    await pushDown();
    await eventually(newestForce).toBeGreaterThan(0.5);
    await page.evaluate(setVisibility, 'hidden');
    await eventually(newestForce).toBe(0);
    const hidden = service.forces.length;
    await eventually(() => service.forces.length).toBeGreaterThan(hidden + 100);
    expect(service.forces.slice(hidden).every((force) => Math.hypot(...force) === 0)).toBe(true);
    await page.evaluate(setVisibility, 'visible');
    expect(await status('Mouse and keyboard').textContent()).toContain('The page was hidden');
    await eventually(newestForce).toBeGreaterThan(0.5);
    expect(service.violations).toEqual([]);

    await page.close({ runBeforeUnload: true });
    await eventually(() => service.clients).toBe(0);
    expect(newestForce()).toBe(0);
  });

  /** The cursor goes round on a circle of 5 cm. */
  async function expectGoingRound(): Promise<void> {
    const places: number[] = [];
    await eventually(async () => {
      places.push((await readPlace())[0] ?? 0);
      return Math.max(...places) - Math.min(...places);
    }).toBeGreaterThan(0.05);
  }

  /** From above onto the lid, deeper until it presses: the hand goes round there, and the page may lag behind it. */
  async function pushDown(): Promise<void> {
    const before = service.forces.length;
    const isPressed = () => service.forces.slice(before).some((force) => Math.hypot(...force) > 0.5);
    for (let attempt = 0; attempt < 6 && !isPressed(); attempt += 1) {
      await page.evaluate(
        (down) => {
          const pose = [...window.palpable!.state().loop!.devicePose];
          pose[2]! -= down;
          window.palpable!.setToolPose(pose);
        },
        attempt === 0 ? 0.09 : 0.015,
      );
      for (let wait = 0; wait < 20 && !isPressed(); wait += 1) await cyclesLater(50);
    }
  }
});

/** Runs in the page. */
function setVisibility(state: string): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

/** How far apart two poses are: metres and radians. */
function between(from: readonly number[], to: readonly number[]): { way: number; turn: number } {
  const dot = Math.abs([3, 4, 5, 6].reduce((sum, k) => sum + from[k]! * to[k]!, 0));
  return {
    way: Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!, to[2]! - from[2]!),
    turn: 2 * Math.acos(Math.min(1, dot)),
  };
}

const isHeld = () => page.locator('main').getAttribute('data-held');

describe('the mouse alone', () => {
  it('holds the bunny after a double click, without a button, until it is let go of, and shifts the view', async () => {
    await open();
    const { x, y } = await pointOnTool();
    const start = await readPose();
    await page.mouse.dblclick(x, y);
    expect(await isHeld()).toBe('true');
    await page.mouse.move(x + 40, y - 20);
    const moved = await readPose();
    expect(between(start, moved).way).toBeGreaterThan(0.01);
    expect(between(start, moved).turn).toBeLessThan(1e-6);
    await page.mouse.wheel(0, -300);
    const deeper = await readPose();
    expect(between(moved, deeper).way).toBeGreaterThan(0.01);
    await page.keyboard.down('Shift');
    await page.mouse.move(x + 80, y - 20);
    await page.keyboard.up('Shift');
    const turned = await readPose();
    expect(between(deeper, turned).turn).toBeCloseTo(0.32, 3);

    await page.mouse.click(x + 80, y - 20);
    expect(await isHeld()).toBe('false');
    await page.mouse.move(x - 60, y + 30);
    expect(await readPose()).toEqual(turned);

    // By a double click as well, by Escape, and by a page that is hidden.
    await page.keyboard.press('r');
    await rest();
    await page.mouse.dblclick(x, y);
    expect(await isHeld()).toBe('true');
    // Sooner it would be one and the same double click.
    await page.waitForTimeout(700);
    await page.mouse.dblclick(x, y);
    expect(await isHeld()).toBe('false');
    await page.keyboard.press('h');
    expect(await isHeld()).toBe('true');
    await page.keyboard.press('Escape');
    expect(await isHeld()).toBe('false');
    await page.keyboard.press('h');
    await page.evaluate(setVisibility, 'hidden');
    expect(await isHeld()).toBe('false');
    await page.evaluate(setVisibility, 'visible');
    await page.keyboard.press('h');
    await page.keyboard.press('h');
    expect(await isHeld()).toBe('false');

    // The right button shifts the view while the bunny is held, without moving it.
    await page.keyboard.press('r');
    await rest();
    await page.mouse.dblclick(x, y);
    const held = await readPose();
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(x + 60, y + 60, { steps: 3 });
    await page.mouse.up({ button: 'right' });
    expect(await readPose()).toEqual(held);
    await page.mouse.move(x + 61, y + 60);
    await page.mouse.move(x + 62, y + 60);
    expect(between(held, await readPose()).way).toBeLessThan(0.003);
  });
});

describe('a hidden page', () => {
  it('takes the force away, and brings it back when it is shown', async () => {
    await open();
    await pushOntoTeapot();
    await eventually(readForce).toBeGreaterThan(0.5);
    await page.evaluate(setVisibility, 'hidden');
    await eventually(readForce).toBe(0);
    await page.evaluate(setVisibility, 'visible');
    expect(await status('Mouse and keyboard').textContent()).toContain('returns within');
    await eventually(readForce).toBeGreaterThan(0.5);
    await eventually(() => status('Mouse and keyboard').textContent()).toContain('Drag the tool');

    // What was paused by hand stays so.
    await page.keyboard.press('p');
    await page.evaluate(setVisibility, 'hidden');
    await page.evaluate(setVisibility, 'visible');
    await rest();
    expect(await readForce()).toBe(0);
  });
});

describe('fingers', () => {
  type Finger = { x: number; y: number; id: number };
  let put: (fingers: Finger[]) => Promise<void>;
  let slide: (from: Finger[], to: Finger[]) => Promise<void>;

  beforeEach(async () => {
    await freshPage({ hasTouch: true });
    await open();
    const session = await page.context().newCDPSession(page);
    let down = 0;
    put = async (touchPoints) => {
      const type = touchPoints.length > down ? 'touchStart' : touchPoints.length < down ? 'touchEnd' : 'touchMove';
      down = touchPoints.length;
      await session.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    slide = async (from, to) => {
      for (let step = 1; step <= 8; step += 1) {
        const share = step / 8;
        await put(
          from.map(({ x, y, id }, k) => ({ x: x + share * (to[k]!.x - x), y: y + share * (to[k]!.y - y), id })),
        );
      }
      // Moves are handed to the page with its next pictures.
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
    };
  });

  it('move, push, twist and turn the bunny', async () => {
    const { x, y } = await pointOnTool();
    const first = { x, y, id: 0 };
    const second = { x: x + 120, y, id: 1 };
    const third = { x: x + 160, y, id: 2 };
    const start = await readPose();
    await put([first]);
    await put([first, second]);
    // Apart by 50 pixels: nearer, and neither aside nor turned.
    const apart = { ...second, x: second.x + 50 };
    await slide([first, second], [first, apart]);
    const nearer = await readPose();
    expect(between(start, nearer).way).toBeGreaterThan(0.01);
    expect(between(start, nearer).turn).toBeLessThan(1e-6);
    // Round the first one by a quarter.
    const below = { ...second, x, y: y + 170 };
    await slide([first, apart], [first, below]);
    const twisted = await readPose();
    expect(between(nearer, twisted).turn).toBeCloseTo(Math.PI / 2, 2);
    await put([first, below, third]);
    await slide([first, below, third], [first, { ...below, x: below.x + 40 }, { ...third, x: third.x + 40 }]);
    const turned = await readPose();
    expect(between(twisted, turned).turn).toBeCloseTo(0.32, 2);
    expect(await isHeld()).toBe('true');
    await put([]);
    expect(await isHeld()).toBe('false');
  });

  it('hold the bunny also a little beside it, and leave it alone elsewhere', async () => {
    const { x, y } = await pointOnTool();
    const start = await readPose();
    // To its left edge, and a little further than that.
    let edge = x;
    for (; edge > x - 300; edge -= 4) {
      await page.mouse.move(edge, y);
      if ((await page.locator('canvas').getAttribute('data-over')) !== 'tool') break;
    }
    const beside = { x: edge - 6, y, id: 0 };
    await put([beside]);
    expect(await isHeld()).toBe('true');
    await put([]);
    const box = await stageBox();
    const one = { x: box.x + 0.2 * box.width, y: box.y + 0.6 * box.height, id: 0 };
    const two = { ...one, x: box.x + 0.3 * box.width, id: 1 };
    await rest();
    const turned = await changedShare(page, box, async () => {
      await put([one]);
      expect(await isHeld()).toBe('false');
      await slide([one], [{ ...one, x: one.x + 60 }]);
      await put([]);
      await rest();
    });
    expect(turned).toBeGreaterThan(0.02);
    // Round each other by a quarter, as far apart as before: the view turns about the vertical.
    const twisted = await changedShare(page, box, async () => {
      await put([one]);
      await put([one, two]);
      await slide([one, two], [one, { ...two, x: one.x, y: one.y + 0.1 * box.width }]);
      await put([]);
      await rest();
    });
    expect(twisted).toBeGreaterThan(0.02);
    expect(await readPose()).toEqual(start);
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
