import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startStudioServer } from '@palpable/cli/internal';
import { encodeAsset, PalpableError } from '@palpable/engine';
import type { LoopSamples } from '@palpable/engine/advanced';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, STUDIO_DIST } from './chromium.js';
import type { CornerSetup, LoopName, MeasuredLoops } from './servo-loops.js';
import { garbageOfThread, readTrace } from './servo-trace.js';

/** Chromium with the page that runs the two loops as the studio would. */
export interface ChromiumBench {
  /** A page of its own. */
  openLoops(): Promise<MeasuredLoops>;
  close(): Promise<void>;
}

/** The page's side, in `packages/studio/src/bench`. */
interface PageBench {
  open(bench: PageScene): Promise<void>;
  take(loop: LoopName, seconds: number): Promise<LoopSamples>;
  end(): Promise<void>;
}

type PageScene = ReturnType<typeof describeForPage>;

type BenchWindow = { servoBench?: PageBench };

const PAGE = 'bench.html';
/** Where the page asks for bodies; answered here, nothing is written to disk. */
const BODY_FOLDER = 'bench-bodies';
const TRACED = ['v8', 'blink.user_timing'];

export async function openChromium(corner: CornerSetup): Promise<ChromiumBench> {
  const server = await startServer();
  const browser = await launchChromium([], unavailable).catch(async (error) => {
    await server.close();
    throw error;
  });
  return {
    openLoops: () => openLoops(browser, server.url, corner),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

async function startServer() {
  if (!existsSync(join(STUDIO_DIST, PAGE))) {
    const message = `--browser: the built studio has no ${PAGE}; build it with "npm run build".`;
    throw new PalpableError('file-unreadable', message, 'browser');
  }
  return startStudioServer({ root: STUDIO_DIST, port: 0 });
}

function unavailable(why: string): PalpableError {
  return new PalpableError('option-invalid', `--browser: ${why}, or leave --browser out.`, 'browser');
}

async function openLoops(browser: Browser, url: string, corner: CornerSetup): Promise<MeasuredLoops> {
  const page = await browser.newPage();
  await page.route(`**/${BODY_FOLDER}/*`, (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1)!;
    const body = corner.bodies.get(decodeURIComponent(name));
    return body ? route.fulfill({ body: Buffer.from(encodeAsset(body)) }) : route.abort();
  });
  await page.goto(new URL(PAGE, url).href);
  await page.waitForFunction(() => (globalThis as BenchWindow).servoBench !== undefined);
  await browser.startTracing(page, { categories: TRACED });
  await page.evaluate((bench) => (globalThis as BenchWindow).servoBench!.open(bench), describeForPage(corner));
  return {
    take: (loop, seconds) =>
      page.evaluate(([name, time]) => (globalThis as BenchWindow).servoBench!.take(name, time), [
        loop,
        seconds,
      ] as const),
    async end() {
      await page.evaluate(() => (globalThis as BenchWindow).servoBench!.end());
      const trace = readTrace(await browser.stopTracing());
      return { empty: garbageOfThread(trace, 'empty'), palpable: garbageOfThread(trace, 'palpable') };
    },
    abandon: () => closePage(browser, page),
  };
}

/** As JSON; the page fetches the bodies. */
function describeForPage({ scene, ringRows, bodies, hand }: CornerSetup) {
  const { samples, limits } = hand.device;
  return {
    scene,
    tool: hand.tool,
    bodies: Object.fromEntries([...bodies.keys()].map((name) => [name, `${BODY_FOLDER}/${encodeURIComponent(name)}`])),
    poses: [...samples.poses],
    limits,
    ringRows,
  };
}

async function closePage(browser: Browser, page: Page): Promise<void> {
  // Nobody can trace twice; when all went well it has ended already.
  await browser.stopTracing().catch(() => {});
  await page.close();
}
