/** The loop in the page: the bunny stays outside of the teapot, and what is felt can be changed while it is felt. */
import { describe, expect, it } from 'vitest';
import { countReddish } from './pixels.js';
import {
  button,
  cyclesLater,
  eventually,
  open,
  page,
  pressOntoLid,
  readLoop,
  readState,
  rest,
  stageBox,
  useStudio,
} from './studio.js';

useStudio();

const shown = async (name: string) => Number(await page.locator(`[data-reading="${name}"] .figures`).textContent());
const choose = (method: string) =>
  page.getByRole('combobox', { name: 'Method', exact: true }).selectOption({ label: method });

async function press(): Promise<void> {
  await pressOntoLid();
  await rest();
}

async function reset(): Promise<void> {
  await page.keyboard.press('r');
  await rest();
}

describe('the loop', () => {
  it('runs on while nothing moves, and keeps the bunny outside while the device goes in', async () => {
    await open();
    await cyclesLater(200);
    await eventually(() => shown('force')).toBe(0);
    const { toolPose: start } = await readState();
    for (const method of ['Static friction', 'God object']) {
      await choose(method);
      await press();
      const { toolPose, devicePose, loop, deepest } = await readState();
      expect(loop!.gap, method).toBeGreaterThan(0.001);
      expect(toolPose[2]! - devicePose[2]!).toBeGreaterThan(0.001);
      expect(toolPose[2]).toBeLessThan(start[2]! - 0.02);
      // The device would be 2 cm deep.
      expect(deepest).toBeLessThan(0.005);
      await eventually(() => shown('gap')).toBeGreaterThan(1);
      await eventually(() => shown('force')).toBeGreaterThan(0.5);

      await reset();
      await eventually(async () => (await readLoop()).force).toBe(0);
      expect((await readLoop()).gap).toBeLessThan(1e-4);
    }
  });

  it('changes method and friction while they are felt', async () => {
    await open();
    expect((await readLoop()).method).toBe('god-object');
    await choose('Static friction');
    await press();
    expect((await readLoop()).method).toBe('static-friction');
    const outside = (await readLoop()).gap;
    await choose('Penalty');
    // The tool of the penalty method is where the device is.
    await eventually(async () => (await readLoop()).gap).toBeLessThan(1e-6);
    await rest();
    expect((await readState()).contacts).toBeGreaterThan(10);
    const field = page.getByRole('textbox', { name: 'Friction: coefficient' });
    // Its springs only push.
    expect(await field.count()).toBe(0);
    await choose('God object');
    await eventually(async () => (await readLoop()).method).toBe('god-object');
    await field.fill('0.2');
    await field.press('Enter');
    await eventually(async () => (await readLoop()).friction).toBe(0.2);
    // What was done can be undone.
    await button(/^Undo/).click();
    await eventually(async () => (await readLoop()).friction).toBe(0.5);

    await reset();
    await choose('Static friction');
    await press();
    expect((await readLoop()).gap).toBeGreaterThan(outside / 2);
    expect((await readState()).trouble).toBeUndefined();
  });

  it('shows the device where the bunny cannot follow, pauses, and goes on', async () => {
    await open();
    const box = await stageBox();
    // Those of deep contacts are red as well.
    await page.getByRole('switch', { name: 'Contacts' }).click();
    await rest();
    expect(await countReddish(page, box)).toBe(0);
    await press();
    expect(await countReddish(page, box)).toBeGreaterThan(200);

    await eventually(async () => (await readLoop()).force).toBeGreaterThan(0.5);
    await button('Pause').click();
    await eventually(async () => (await readLoop()).force).toBe(0);
    await page.getByText('Paused: no force').waitFor();
    const { toolPose: rested } = await readState();
    await reset();
    expect((await readState()).toolPose).toEqual(rested);
    expect((await readLoop()).gap).toBeGreaterThan(0.02);

    await button('Resume').click();
    await eventually(async () => (await readLoop()).gap).toBeLessThan(1e-4);
    await rest();
    expect(await countReddish(page, box)).toBe(0);
  });
});
