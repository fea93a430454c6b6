/** What the browser tests share: a page of its own for every test, and what a person does in it. */
import { type Browser, type BrowserContextOptions, chromium, type Download, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { openPage, settle, waitUntilReady } from './studio-page.mjs';

/** The page of the running test. */
export let page: Page;
/** What the console of the page has complained about; a test that provokes a complaint takes it out. */
export let complaints: string[];

let browser: Browser;
let foreignRequests: string[];

/** To be called once in a file of tests: a fresh page for each, which must neither complain nor call anybody else. */
export function useStudio(): void {
  beforeAll(async () => {
    browser = await chromium.connect(inject('chromiumEndpoint'));
  });
  afterAll(() => browser?.close());
  beforeEach(() => freshPage());
  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
    expect(foreignRequests).toEqual([]);
  });
}

/** The test goes on in another page, of a person who has never been here. */
export async function freshPage(options: BrowserContextOptions = {}): Promise<void> {
  await page?.context().close();
  ({ page, complaints, foreignRequests } = await openPage(browser, {
    viewport: { width: 1100, height: 700 },
    deviceScaleFactor: 0.5,
    ...options,
  }));
  await page.context().route('**/assets/teapot.palpable', (route) => route.fulfill({ path: inject('coarseTeapot') }));
}

/** Opens the studio and waits until the tool can touch. `search` begins with `?` or `#`. */
export async function open(search = ''): Promise<void> {
  await page.goto(inject('studioUrl') + search);
  await waitUntilReady(page);
}

export const goTo = (search = '') => page.goto(inject('studioUrl') + search);
export const ready = () => waitUntilReady(page);
export const rest = () => settle(page);

export const readState = () => page.evaluate(() => window.palpable!.state());
export const readLoop = async () => (await readState()).loop!;
export const readForce = async () => (await readState()).loop?.force ?? 0;
export const button = (name: string | RegExp) => page.getByRole('button', { name });
export const stageBox = async () => (await page.locator('canvas').boundingBox())!;

/** A busy machine stalls the loop now and then, and the force comes back a third of a second later. */
export function eventually(read: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(read, { timeout: 60_000 });
}

/** Until the loop has done so many cycles more: long enough for whatever would still move to have moved. */
export async function cyclesLater(count: number): Promise<void> {
  const readCycles = async () => (await readState()).loop?.cycles ?? 0;
  const before = await readCycles();
  await eventually(readCycles).toBeGreaterThan(before + count);
}

/** Puts the device 6 cm below the start: the bunny presses onto the teapot's lid. */
export async function pressOntoLid(): Promise<void> {
  await page.evaluate(() => {
    const pose = [...window.palpable!.state().devicePose];
    pose[2]! -= 0.06;
    window.palpable!.setToolPose(pose);
  });
}

/** Leads the device in steps as a hand would, and waits until the loop has it there. */
export async function lead(direction: readonly [number, number, number]): Promise<void> {
  await page.evaluate(async (along) => {
    const pose = [...window.palpable!.state().devicePose];
    for (let step = 0; step < 30; step += 1) {
      for (let axis = 0; axis < 3; axis += 1) pose[axis]! += along[axis]! / 30;
      window.palpable!.setToolPose(pose);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, direction);
  await eventually(async () => {
    const { devicePose, loop } = await readState();
    return Math.max(...[0, 1, 2].map((axis) => Math.abs(devicePose[axis]! - (loop?.devicePose[axis] ?? 1))));
  }).toBeLessThan(1e-5);
}

/** A point on the bunny in the first view, found with the pointer as a person would. */
export async function pointOnTool(): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await stageBox();
  for (const share of [0.36, 0.4, 0.32, 0.44]) {
    const point = { x: x + 0.48 * width, y: y + share * height };
    await page.mouse.move(point.x, point.y);
    if ((await page.locator('canvas').getAttribute('data-over')) === 'tool') return point;
  }
  throw new Error('The bunny was not found where the first view should show it.');
}

/** What a click downloads, as text of one byte per letter. */
export async function download(action: () => Promise<void>): Promise<{ name: string; text: string }> {
  const waiting = page.waitForEvent('download');
  await action();
  const file: Download = await waiting;
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString('latin1') };
}
