import { type ProgressListener, percentile } from '@palpable/engine/advanced';
import type { Page } from 'playwright-core';
import { type StudioBrowser, type StudioGlobal, sceneAddress, waitUntilTouchable } from './studio-browser.js';

/** From the beginning of the navigation, milliseconds; medians of a few runs, each with nothing in the browser's cache. */
export interface StartReport {
  readonly scene: string;
  readonly runs: readonly StartTimes[];
  readonly median: StartTimes;
}

/**
 * `page`: Until there is something on the page at all. `picture`: Until all bodies are on the stage and the
 * rasteriser has finished a frame with them. `touchable`: Until the loop runs and contacts are found.
 */
export type StartTimes = Awaited<ReturnType<typeof timeStart>>;

/** The second one is what the studio opens by itself. */
const SCENES = ['corner-cube', undefined] as const;
const RUNS = 3;
/** How often the page is read, so that times are as coarse as that. */
const LOOK_EVERY_MS = 10;

export async function measureStart(studio: StudioBrowser, onProgress: ProgressListener): Promise<StartReport[]> {
  const reports: StartReport[] = [];
  for (const scene of SCENES) {
    let opened = '';
    const runs: StartTimes[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      onProgress('opening the page', (reports.length * RUNS + run) / (SCENES.length * RUNS));
      const page = await studio.openPage();
      try {
        runs.push(await timeStart(page, sceneAddress(studio.url, scene)));
        opened = await page.evaluate(() => (globalThis as unknown as StudioGlobal).palpable!.state().sceneId);
      } finally {
        await page.context().close();
      }
    }
    const median = (name: keyof StartTimes) =>
      percentile(
        runs.map((run) => run[name]),
        50,
      );
    reports.push({
      scene: scene ?? `${opened} (by default)`,
      runs,
      median: { page: median('page'), picture: median('picture'), touchable: median('touchable') },
    });
  }
  return reports;
}

/** What the script below leaves behind, and what it uses of the page. */
interface StartGlobal extends StudioGlobal {
  studioStart?: { pictureMs?: number; touchableMs?: number };
  readonly document: {
    querySelectorAll(selector: 'canvas'): Iterable<StageCanvas>;
  };
}
interface StageCanvas {
  readonly clientWidth: number;
  readonly clientHeight: number;
  getContext(kind: 'webgl2'): FencedContext;
}
interface FencedContext {
  readonly SYNC_GPU_COMMANDS_COMPLETE: number;
  readonly SYNC_STATUS: number;
  readonly SIGNALED: number;
  fenceSync(condition: number, flags: 0): object;
  getSyncParameter(sync: object, name: number): number;
  flush(): void;
}

async function timeStart(page: Page, address: string) {
  await page.addInitScript(watchStart, LOOK_EVERY_MS);
  await page.goto(address);
  await waitUntilTouchable(page);
  await page.waitForFunction(() => {
    const { pictureMs, touchableMs } = (globalThis as unknown as StartGlobal).studioStart ?? {};
    return pictureMs !== undefined && touchableMs !== undefined;
  });
  return page.evaluate(() => {
    const { pictureMs, touchableMs } = (globalThis as unknown as StartGlobal).studioStart!;
    const paint = performance.getEntriesByType('paint' as 'mark').find(({ name }) => name === 'first-contentful-paint');
    return { page: paint?.startTime ?? Number.NaN, picture: pictureMs!, touchable: touchableMs! };
  });
}

/** Runs in the page before its own scripts. */
function watchStart(checkEveryMs: number): void {
  const host = globalThis as unknown as StartGlobal;
  host.studioStart = {};
  const times = host.studioStart;
  let watched: StudioGlobal['palpable'];
  let picturesBefore = 0;
  const timer = setInterval(() => {
    const { palpable } = host;
    if (!palpable) return;
    if (watched !== palpable) {
      watched = palpable;
      void palpable.ready.then(() => {
        times.touchableMs = performance.now();
      });
    }
    const { phase, picturesDrawn } = palpable.state();
    // All meshes are on the stage by then, so that the next frame has them.
    if (phase !== 'ready') picturesBefore = picturesDrawn;
    else if (picturesDrawn > picturesBefore) {
      clearInterval(timer);
      awaitRasteriser();
    }
  }, checkEveryMs);

  /** The frame has been requested; a fence behind it shows when it is there. */
  function awaitRasteriser(): void {
    const area = ({ clientWidth, clientHeight }: StageCanvas) => clientWidth * clientHeight;
    const [stage] = [...host.document.querySelectorAll('canvas')].sort((a, b) => area(b) - area(a));
    const context = stage!.getContext('webgl2');
    const fence = context.fenceSync(context.SYNC_GPU_COMMANDS_COMPLETE, 0);
    context.flush();
    const look = () => {
      if (context.getSyncParameter(fence, context.SYNC_STATUS) === context.SIGNALED)
        times.pictureMs = performance.now();
      else setTimeout(look, checkEveryMs);
    };
    look();
  }
}
