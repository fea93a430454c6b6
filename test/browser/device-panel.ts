/** What the tests of devices share: the panel that lists them, and what moves the bunny. */
import { expect } from 'vitest';
import { cyclesLater, eventually, page, pressOntoLid, readState } from './studio.js';

/** Where the devices have put the bunny; the loop lets it follow. */
export const readPose = () => page.evaluate(() => [...window.palpable!.state().devicePose]);
export const device = (name: string) => page.locator('.device', { has: page.getByText(name, { exact: true }) });
export const status = (name: string) => device(name).getByRole('status');

export const readContacts = async () => (await readState()).contacts;

/** Nothing moves the tool any more, but the keys do. */
export async function expectLeftToKeys(): Promise<void> {
  const left = await readPose();
  await cyclesLater(100);
  expect(await readPose()).toEqual(left);
  await page.keyboard.press('ArrowRight');
  expect(await readPose()).not.toEqual(left);
}

export async function pushOntoTeapot(): Promise<void> {
  await pressOntoLid();
  await eventually(readContacts).toBeGreaterThan(0);
}

/** Runs in the page. */
export function setVisibility(state: string): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

/** How far apart two poses are: metres and radians. */
export function between(from: readonly number[], to: readonly number[]): { way: number; turn: number } {
  const dot = Math.abs([3, 4, 5, 6].reduce((sum, k) => sum + from[k]! * to[k]!, 0));
  return {
    way: Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!, to[2]! - from[2]!),
    turn: 2 * Math.acos(Math.min(1, dot)),
  };
}

export const isHeld = () => page.locator('main').getAttribute('data-held');
