/** An Inverse3 behind its service, as the page has it. */
import { afterEach, describe, expect, it } from 'vitest';
import { type MockService, startMockService } from '../haply/mock-service.js';
import { device, expectLeftToKeys, readPose, setVisibility, status } from './device-panel.js';
import { button, complaints, cyclesLater, eventually, open, page, readState, useStudio } from './studio.js';

useStudio();

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
  /** Where the tool is before anybody moves it: above the lid. */
  let home: readonly number[];
  const openScene = async () => {
    await open(`?haply=${service.url}`);
    home = await readPose();
  };
  const startAgain = (version: '3.1' | '3.5') => start(version, Number(new URL(service.url).port));
  const expectMoving = () => eventually(() => status(name).textContent()).toContain('moves the tool');

  afterEach(async () => {
    await service.stop();
  });

  it('moves the tool, is pushed back, never too hard, and reports in words when it cannot be reached', async () => {
    await start('3.5');
    await service.stop();
    await openScene();
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
    await eventually(() => device(name).locator('.device-detail').textContent()).toMatch(
      /^\d+ poses and \d+ forces per second$/,
    );
    // The clutch: the hand goes on, the tool stays, and nothing is felt.
    service.isStill = false;
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
    await openScene();
    await connect().click();
    await expectMoving();
    await expectGoingRound();
    await pushDown();
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
    await openScene();
    await connect().click();
    await eventually(() => status(name).textContent()).toContain('Inverse3 049D is not calibrated');
    await eventually(() => service.forces.length).toBeGreaterThan(20);
    expect(service.forces.every((force) => Math.hypot(...force) === 0)).toBe(true);
    // The mouse has the tool meanwhile.
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

  /** From above onto the lid, deeper until it presses, and stays there. */
  async function pushDown(): Promise<void> {
    service.isStill = true;
    const before = service.forces.length;
    const isPressed = () => service.forces.slice(before).some((force) => Math.hypot(...force) > 0.5);
    for (let attempt = 0; attempt < 6 && !isPressed(); attempt += 1) {
      const down = 0.07 + 0.015 * attempt;
      await page.evaluate((pose) => window.palpable!.setToolPose(pose), lowered(home, down));
      for (let wait = 0; wait < 20 && !isPressed(); wait += 1) await cyclesLater(50);
    }
    expect(isPressed()).toBe(true);
  }
});

/** The pose further down, m. */
function lowered(pose: readonly number[], down: number): number[] {
  return pose.map((part, k) => (k === 2 ? part - down : part));
}
