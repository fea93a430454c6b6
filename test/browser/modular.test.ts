/** The modular method in the page: a contact thread of its own, levels of detail, and changing to it while touching. */
import { expect, it } from 'vitest';
import { changedShare } from './pixels.js';
import { eventually, lead, open, page, readForce, readLoop, readState, rest, useStudio } from './studio.js';

useStudio();

const shownRate = () => page.locator('[data-reading="contact-rate"]');

async function press(depth: number): Promise<void> {
  await lead([0, 0, -depth]);
  await eventually(readForce).toBeGreaterThan(0.05);
}

it('finds contacts in a thread of its own, and shows their levels of detail', async () => {
  await open('?scene=jaws');
  await press(0.022);
  await eventually(async () => (await readLoop()).contactRate).toBeGreaterThan(0);
  expect(await shownRate().textContent()).toContain('Contact thread');
  await eventually(async () =>
    Number((await shownRate().locator('.figures').textContent())?.replace(',', '')),
  ).toBeGreaterThan(0);
  expect(await page.getByRole('switch', { name: 'Clusters' }).isChecked()).toBe(true);
  const levels = page.getByRole('switch', { name: 'Levels of detail' });
  expect(await levels.isChecked()).toBe(true);
  // Held, so that only the levels change.
  await page.keyboard.press('d');
  await rest();
  const middle = { x: 200, y: 150, width: 500, height: 400 };
  const changed = await changedShare(page, middle, async () => {
    await page.keyboard.press('v');
    await rest();
  });
  expect(await levels.isChecked()).toBe(false);
  expect(changed).toBeGreaterThan(0.001);
});

it('takes over from another method while the tool touches, and gives back', async () => {
  await open();
  await press(0.06);
  expect(await shownRate().count()).toBe(0);
  const method = page.getByRole('combobox', { name: 'Method', exact: true });
  await method.selectOption('modular');
  await eventually(async () => (await readLoop()).method).toBe('modular');
  await eventually(async () => (await readLoop()).contactRate).toBeGreaterThan(0);
  await eventually(readForce).toBeGreaterThan(0.05);
  expect(await shownRate().textContent()).toContain('Contact search');
  await method.selectOption('static-friction');
  await eventually(async () => (await readLoop()).contactRate).toBe(0);
  await eventually(readForce).toBeGreaterThan(0.05);
  expect((await readState()).trouble).toBeUndefined();
});
