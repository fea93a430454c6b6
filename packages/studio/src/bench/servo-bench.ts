/**
 * The page that `palpable bench servo --browser` opens: it runs two loops alternately, each in a thread as the studio has
 * it, and hands the times back. Whoever drives it gives the scene and serves the bodies.
 */
import { decodeAsset, type PreparedBody } from '@palpable/engine';
import {
  createLiveMemory,
  createRing,
  type FromLoop,
  LIVE_WIDTH,
  type LoopSamples,
  type LoopSetup,
  type LoopTurns,
  type MeasuredLoop,
  openTurns,
} from '@palpable/engine/advanced';

type LoopName = 'empty' | 'palpable';

/** What the driver sends, as JSON. */
interface BenchScene {
  readonly scene: unknown;
  readonly tool: string;
  /** Name and address of every body. */
  readonly bodies: Readonly<Record<string, string>>;
  /** Seven numbers a cycle, again and again. */
  readonly poses: readonly number[];
  readonly limits: { readonly force: number; readonly torque: number };
  readonly ringRows: number;
}

interface ServoBench {
  open(bench: BenchScene): Promise<void>;
  take(loop: LoopName, seconds: number): Promise<LoopSamples>;
  end(): Promise<void>;
}

declare global {
  var servoBench: ServoBench | undefined;
}

interface PageLoop {
  readonly turns: LoopTurns;
  readonly ended: Promise<void>;
}

const loops = new Map<LoopName, PageLoop>();

globalThis.servoBench = {
  async open(bench) {
    const bodies = await fetchBodies(bench.bodies);
    loops.set('empty', await startLoop(measuredLoop(bench, new Map(), true)));
    loops.set('palpable', await startLoop(measuredLoop(bench, bodies, false)));
  },
  take: (loop, seconds) => loops.get(loop)!.turns.take(seconds),
  async end() {
    for (const { turns, ended } of loops.values()) {
      await turns.end();
      await ended;
    }
  },
};

async function fetchBodies(addresses: BenchScene['bodies']): Promise<Map<string, PreparedBody>> {
  const bodies = new Map<string, PreparedBody>();
  for (const [name, address] of Object.entries(addresses)) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address} could not be loaded: ${response.status}`);
    bodies.set(name, decodeAsset(new Uint8Array(await response.arrayBuffer())));
  }
  return bodies;
}

function measuredLoop(
  { scene, tool, poses, limits, ringRows }: BenchScene,
  bodies: LoopSetup['bodies'],
  isEmpty: boolean,
): MeasuredLoop {
  const samples = { count: poses.length / 7, poses: Float64Array.from(poses) };
  const device = { kind: 'replay', samples, limits, repeat: true } as const;
  return {
    isEmpty,
    turn: new SharedArrayBuffer(4),
    setup: {
      scene,
      bodies,
      hands: isEmpty ? [] : [{ tool, device, workspace: null }],
      memory: createLiveMemory(1, createRing(LIVE_WIDTH, ringRows)),
      options: {},
    },
  };
}

function startLoop(loop: MeasuredLoop): Promise<PageLoop> {
  const worker = new Worker(new URL('./servo-bench-worker.ts', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    let onEnd: () => void;
    const ended = new Promise<void>((resolveEnd) => (onEnd = resolveEnd));
    const fail = (message: string) => {
      failure = new Error(message);
      reject(failure);
    };
    const sleep = async (ms: number) => {
      await new Promise((wake) => setTimeout(wake, ms));
      if (failure) throw failure;
    };
    worker.onerror = ({ message }) => fail(message || 'The script of the loop could not be loaded.');
    worker.onmessage = ({ data }: MessageEvent<FromLoop>) => {
      if (data.kind === 'ready') resolve({ ended, turns: openTurns(loop, { now: () => performance.now(), sleep }) });
      if (data.kind === 'failed') fail(data.message);
      if (data.kind === 'ended') onEnd();
    };
    worker.postMessage(loop);
  });
}
