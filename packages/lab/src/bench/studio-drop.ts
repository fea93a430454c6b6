import { loadMeshFile } from '@palpable/cli/internal';
import { cleanMesh, type TriangleMesh } from '@palpable/engine';
import { type ProgressListener, subdivideMesh } from '@palpable/engine/advanced';
import { sceneFile } from '../play/load-scene.js';
import { binaryStl } from './binary-stl.js';
import { openScene, type StudioBrowser, type StudioGlobal } from './studio-browser.js';

/**
 * A part that is dropped onto the page: from letting go of it until it can be touched. `longestStandstill`: The
 * longest time in which nothing changed in what the page shows of its progress, and what it showed then. `changes`:
 * How often what it shows did change.
 */
export type DropReport = Awaited<ReturnType<typeof measureDrop>>;

type DropTimes = Awaited<ReturnType<typeof dropFile>>;

const SCENE = 'block-plate';
const FILE = 'bunny.stl';
const TRIANGLES = 70_000;
/** Longest side, mm, as CAD programs export: about that of the block that is to touch it. */
const LENGTH_MM = 100;
const ADDRESS = 'bench-drop.stl';
const LOOK_EVERY_MS = 20;
const LONGEST_MS = 180_000;
/** Where the page shows its progress: the card on the stage, and the sheet. */
const PROGRESS = '.stage-card-place, dialog[open]';
const AGREE = 'dialog[open] button.primary:not([disabled])';

export async function measureDrop(studio: StudioBrowser, onProgress: ProgressListener) {
  onProgress('dropped mesh', 0);
  const { mesh } = cleanMesh((await loadMeshFile(sceneFile('meshes/bunny.obj'))).mesh);
  const refined = subdivideMesh(mesh, TRIANGLES);
  const bytes = binaryStl(refined, LENGTH_MM / longestSide(refined));
  const page = await openScene(studio, SCENE);
  try {
    await page.route(`**/${ADDRESS}`, (route) => route.fulfill({ body: Buffer.from(bytes) }));
    const times = await page.evaluate(dropFile, {
      address: ADDRESS,
      fileName: FILE,
      progress: PROGRESS,
      agree: AGREE,
      checkEveryMs: LOOK_EVERY_MS,
      longestMs: LONGEST_MS,
    });
    return {
      file: FILE,
      triangles: refined.triangles.length / 3,
      megabytes: bytes.length / 1e6,
      /** The scene that it is dropped into, whose tool touches it. */
      scene: SCENE,
      /** Until the sheet says what it is; the button on it is pressed at once. */
      secondsToSheet: times.sheetMs / 1000,
      secondsToTouch: times.touchMs / 1000,
      ...longestStandstill(times),
    };
  } finally {
    await page.context().close();
  }
}

export function longestStandstill({
  shown,
  touchMs,
}: Readonly<Pick<DropTimes, 'touchMs'>> & { readonly shown: Readonly<DropTimes['shown']> }) {
  let longest: readonly [ms: number, text: string] = [0, ''];
  for (const [k, [timeMs, text]] of shown.entries()) {
    const ms = (shown[k + 1]?.[0] ?? touchMs) - timeMs;
    if (ms > longest[0]) longest = [ms, text];
  }
  return { longestStandstill: longest[0] / 1000, shownMeanwhile: longest[1], changes: shown.length - 1 };
}

interface DropPlan {
  readonly address: string;
  readonly fileName: string;
  readonly progress: string;
  readonly agree: string;
  readonly checkEveryMs: number;
  readonly longestMs: number;
}

/** What is used of the page. */
interface DropGlobal extends StudioGlobal {
  readonly document: {
    readonly body: { dispatchEvent(event: object): void };
    querySelector(selector: string): PageElement | null;
    querySelectorAll(selector: string): Iterable<PageElement>;
  };
  readonly DataTransfer: new () => { readonly items: { add(file: object): void } };
  readonly DragEvent: new (kind: string, init: object) => object;
}
interface PageElement {
  readonly textContent: string;
  readonly value?: number;
  querySelectorAll(selector: string): Iterable<PageElement>;
  click(): void;
}

/** Runs in the page. Times from the moment the file is let go. */
async function dropFile(plan: DropPlan) {
  const host = globalThis as unknown as DropGlobal;
  const { document } = host;
  const bytes = new Uint8Array(await (await fetch(plan.address)).arrayBuffer());
  const sceneBefore = host.palpable!.state().sceneId;
  const words = ({ textContent }: PageElement) => textContent.replace(/\s+/g, ' ').trim();
  const shownNow = () =>
    [...document.querySelectorAll(plan.progress)]
      .map((place) => [words(place), ...[...place.querySelectorAll('progress')].map(({ value }) => value)].join(' '))
      .join(' ')
      .trim();
  const dataTransfer = new host.DataTransfer();
  dataTransfer.items.add(new File([bytes], plan.fileName));
  const begin = performance.now();
  const now = () => performance.now() - begin;
  const shown: (readonly [timeMs: number, text: string])[] = [[0, '']];
  for (const kind of ['dragover', 'drop']) {
    document.body.dispatchEvent(new host.DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
  }
  let sheetMs: number | undefined;
  let touchMs: number | undefined;
  let watched: StudioGlobal['palpable'];
  while (touchMs === undefined) {
    await new Promise((resolve) => setTimeout(resolve, plan.checkEveryMs));
    const text = shownNow();
    if (text !== shown.at(-1)![1]) shown.push([now(), text]);
    const refusal = document.querySelector('dialog[open] [role="alert"]');
    if (refusal) throw new Error(`The page refused the file: ${words(refusal)}`);
    const button = sheetMs === undefined ? document.querySelector(plan.agree) : null;
    if (button) {
      sheetMs = now();
      button.click();
    }
    const { palpable } = host;
    const { sceneId, trouble } = palpable?.state() ?? { sceneId: sceneBefore, trouble: undefined };
    if (trouble !== undefined) throw new Error(`The page is in trouble: ${trouble}`);
    if (sceneId !== sceneBefore && palpable && watched !== palpable) {
      watched = palpable;
      void palpable.ready.then(() => {
        touchMs = now();
      });
    }
    if (now() > plan.longestMs) {
      const seen = shown.map(([timeMs, words]) => `${Math.round(timeMs)} ms: ${words}`).join('\n');
      throw new Error(`The dropped part cannot be touched yet. The page with scene ${sceneId} has shown\n${seen}`);
    }
  }
  return { sheetMs: sheetMs!, touchMs, shown };
}

function longestSide({ positions }: TriangleMesh): number {
  const sides = [0, 1, 2].map((axis) => {
    const along = positions.filter((_, k) => k % 3 === axis);
    return along.reduce((a, b) => Math.max(a, b)) - along.reduce((a, b) => Math.min(a, b));
  });
  return Math.max(...sides);
}
