import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { startStudioServer } from '@palpable/cli/internal';
import { PalpableError } from '@palpable/engine';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, STUDIO_DIST } from './chromium.js';

/** The built studio on loopback, in a Chromium that draws by software so that every machine draws the same. */
export interface StudioBrowser {
  readonly browser: Browser;
  readonly url: string;
  /** A page of its own with nothing in it yet. */
  openPage(): Promise<Page>;
  /** Processor time that was used up to now. */
  readProcessSeconds(): Promise<ProcessSeconds>;
  close(): Promise<void>;
}

export interface ProcessSeconds {
  /** When this was read, by any clock. */
  readonly at: number;
  /** Where the rasteriser is. */
  readonly gpu: number;
  /** Pages with all their threads: the loop's, too. */
  readonly renderer: number;
  /** Whatever is neither this Chromium nor this command. */
  readonly others: number;
}

/** What is used here of the studio's `window.palpable`, and of the page around it. */
export interface StudioGlobal {
  readonly palpable?: {
    readonly ready: Promise<void>;
    state(): StudioState;
    setToolPose(pose: readonly number[]): void;
  };
  requestAnimationFrame(callback: (time: number) => void): number;
}

interface StudioState {
  readonly phase: string;
  readonly trouble: string | undefined;
  readonly contacts: number;
  readonly picturesDrawn: number;
  readonly sceneId: string;
  readonly shellPoints: number;
  readonly loop: { readonly cycles: number; readonly missed: number; readonly force: number } | undefined;
}

/** CSS pixels. */
export const VIEWPORT = { width: 960, height: 640 } as const;

const CHROMIUM_ARGUMENTS = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-component-update',
];

export async function openStudioBrowser(): Promise<StudioBrowser> {
  if (!existsSync(join(STUDIO_DIST, 'index.html'))) {
    throw new PalpableError('file-unreadable', 'The studio is not built; build it with "npm run build".');
  }
  const server = await startStudioServer({ root: STUDIO_DIST, port: 0 });
  const browser = await launchChromium(CHROMIUM_ARGUMENTS, unavailable).catch(async (error) => {
    await server.close();
    throw error;
  });
  const session = await browser.newBrowserCDPSession();
  return {
    browser,
    url: server.url,
    // A context each, so that no page finds what another one left in the cache.
    openPage: async () => (await browser.newContext({ viewport: VIEWPORT })).newPage(),
    async readProcessSeconds() {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      const total = (isMeant: (kind: string) => boolean) =>
        processInfo.filter(({ type }) => isMeant(type)).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
      return {
        at: performance.now() / 1000,
        gpu: total((kind) => kind === 'GPU'),
        renderer: total((kind) => kind === 'renderer'),
        others: machineSeconds() - total(() => true) - ownSeconds(),
      };
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** All that the cores of this machine have worked. */
function machineSeconds(): number {
  const milliseconds = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return milliseconds.reduce((sum, each) => sum + each, 0) / 1000;
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Opens a scene of the gallery (undefined: the one that the studio opens by itself) and waits until it can be touched. */
export async function openScene({ openPage, url }: StudioBrowser, scene: string | undefined): Promise<Page> {
  const page = await openPage();
  await page.goto(sceneAddress(url, scene));
  await waitUntilTouchable(page);
  return page;
}

export function sceneAddress(url: string, scene: string | undefined): string {
  return scene === undefined ? url : `${url}?scene=${encodeURIComponent(scene)}`;
}

export async function waitUntilTouchable(page: Page): Promise<void> {
  await page.waitForFunction(() => (globalThis as unknown as StudioGlobal).palpable !== undefined);
  await page.evaluate(() => (globalThis as unknown as StudioGlobal).palpable!.ready);
}

function unavailable(why: string): PalpableError {
  return new PalpableError('option-invalid', `The studio cannot be measured: ${why}.`);
}
