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

/** Two loops in threads of a host, which run by turns. */
export interface MeasuredLoops {
  take(loop: LoopName, seconds: number): Promise<LoopSamples>;
  /** Ends both, and tells of their garbage. */
  end(): Promise<Record<LoopName, GarbageReport>>;
  /** For the case that something went wrong on the way. */
  abandon(): Promise<void>;
}

/** During the turns of one loop. */
export interface GarbageReport {
  /** Milliseconds that each collection took. */
  readonly collectionsMs: readonly number[];
  /** Growth of the heap in the median turn without a collection, bytes; null where the host does not tell. */
  readonly bytesPerTurn: number | null;
}

/** All that a loop of the corner scene needs, but the memory that it shares with its host. */
export type CornerSetup = Awaited<ReturnType<typeof loadCornerSetup>>;

/** Cycles of the hand's motion before it repeats itself, so few that a minute has many repetitions. */
export const MOTION_CYCLES = 2000;
const MOTION_SEED = 1;
const TOOL = 'cube';
/** Of a sigma.7. */
const LIMITS = { force: 12, torque: 0.2 };
/** Four seconds: whoever drains it may be held up by the machine as well. */
export const RING_ROWS = 4096;

export async function loadCornerSetup(onProgress: ProgressListener) {
  const file = await checkSceneFile(sceneFile('corner-cube.json'));
  const { scene, bodies } = await prepareLiveScene(file, [TOOL], { cache: openAssetCache(), onProgress });
  const poses = new Float64Array(7 * MOTION_CYCLES);
  for (const [cycle, pose] of createCornerMotion(MOTION_CYCLES, MOTION_SEED).entries()) poses.set(pose, 7 * cycle);
  const device = { kind: 'replay', samples: { count: MOTION_CYCLES, poses }, limits: LIMITS, repeat: true } as const;
  return {
    /** As the file has it. */
    scene: JSON.parse(file.text),
    timeStep: scene.timeStep,
    bodies,
    hand: { tool: TOOL, device, workspace: null },
  };
}

export function createMeasuredLoop({ scene, bodies, hand }: CornerSetup, loop: LoopName): MeasuredLoop {
  const isEmpty = loop === 'empty';
  const memory = createLiveMemory(1, createRing(LIVE_WIDTH, RING_ROWS));
  return {
    isEmpty,
    turn: new SharedArrayBuffer(4),
    setup: { scene, bodies: isEmpty ? new Map() : bodies, hands: isEmpty ? [] : [hand], memory, options: {} },
  };
}
