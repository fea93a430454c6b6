import { checkSceneFile, openAssetCache, prepareLiveScene } from '@palpable/cli/internal';
import {
  createLiveMemory,
  createRing,
  LIVE_WIDTH,
  type LoopSamples,
  type MeasuredLoop,
  type ProgressListener,
} from '@palpable/engine/advanced';
import { sceneFile } from '../play/load-scene.js';
import { createCornerMotion } from './friction-motion.js';

/** The loop with the corner scene, and the empty one beside it. */
export type LoopName = 'empty' | 'palpable';
export const LOOP_NAMES: readonly LoopName[] = ['empty', 'palpable'];

export type LoopHostName = 'node' | 'chromium';

/** Two loops in threads of a host, which alternate. */
export interface MeasuredLoops {
  take(loop: LoopName, seconds: number): Promise<LoopSamples>;
  /** Ends both, and reports their garbage. */
  end(): Promise<Record<LoopName, GarbageReport>>;
  /** For the case that something went wrong meanwhile. */
  abandon(): Promise<void>;
}

/** During the turns of one loop. */
export interface GarbageReport {
  /** Milliseconds that each collection took. */
  readonly collectionsMs: readonly number[];
  /** Growth of the heap in the median turn without a collection, bytes; null where the host does not report it. */
  readonly bytesPerTurn: number | null;
}

/** All that a loop of the corner scene needs, but the memory that it shares with its host. */
export type CornerSetup = Awaited<ReturnType<typeof loadCornerSetup>>;

/** Of the hand's motion before it repeats itself: so short that a minute has many repetitions. */
const MOTION_MS = 2000;
const MOTION_SEED = 1;
const TOOL = 'cube';
/** Of a sigma.7. */
const LIMITS = { force: 12, torque: 0.2 };
/** Rows at 1 kHz, 4 s: whoever drains them may be held up by the machine as well. */
const RING_ROWS = 4096;

export async function loadCornerSetup(rateHz: number, onProgress: ProgressListener) {
  const file = await checkSceneFile(sceneFile('corner-cube.json'));
  const { bodies } = await prepareLiveScene(file, [TOOL], { cache: openAssetCache(), onProgress });
  const perMs = rateHz / 1000;
  const motionCycles = Math.round(MOTION_MS * perMs);
  const poses = new Float64Array(7 * motionCycles);
  for (const [cycle, pose] of createCornerMotion(motionCycles, MOTION_SEED, perMs).entries()) {
    poses.set(pose, 7 * cycle);
  }
  const device = { kind: 'replay', samples: { count: motionCycles, poses }, limits: LIMITS, repeat: true } as const;
  return {
    /** As the file has it, at the rate. */
    scene: { ...JSON.parse(file.text), timeStep: 1 / rateHz },
    /** A power of two. */
    ringRows: RING_ROWS * 2 ** Math.max(0, Math.ceil(Math.log2(perMs))),
    bodies,
    hand: { tool: TOOL, device, workspace: null },
  };
}

export function createMeasuredLoop({ scene, ringRows, bodies, hand }: CornerSetup, loop: LoopName): MeasuredLoop {
  const isEmpty = loop === 'empty';
  const memory = createLiveMemory(1, createRing(LIVE_WIDTH, ringRows));
  return {
    isEmpty,
    turn: new SharedArrayBuffer(4),
    setup: { scene, bodies: isEmpty ? new Map() : bodies, hands: isEmpty ? [] : [hand], memory, options: {} },
  };
}
