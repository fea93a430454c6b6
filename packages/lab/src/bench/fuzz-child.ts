/*
 * The process in which mutated files meet our own readers. It reports after each case how it went; when it falls silent or
 * dies, the one that started it knows which case it was.
 */
import { auditMesh, cleanMesh, isPalpableError, readMesh, type TriangleMesh } from '@palpable/engine';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { type FuzzCase, isStepCase, makeFuzzCase } from './fuzz-mutate.js';
import { fuzzSeeds } from './fuzz-seeds.js';

/** Which cases to run: from `first` up to, not including, `end`. */
export interface FuzzBatch {
  readonly runSeed: number;
  readonly first: number;
  readonly end: number;
}

export interface FuzzOutcome {
  readonly index: number;
  /** `loaded` as a mesh, `refused` with a proper error, or `failed`: anything else. */
  readonly kind: 'loaded' | 'refused' | 'failed';
  readonly problem?: string;
  readonly milliseconds: number;
  /** Most memory this process has had so far, MiB. */
  readonly peakMiB: number;
}

process.on('message', async ({ runSeed, first, end }: FuzzBatch) => {
  const seeds = await fuzzSeeds();
  await MeshoptDecoder.ready;
  for (let index = first; index < end; index++) {
    if (isStepCase(index)) continue;
    const outcome = await runCase(makeFuzzCase(seeds, runSeed, index));
    await new Promise((resolve) => process.send!(outcome, resolve));
  }
  process.disconnect();
});

async function runCase({ index, bytes, seed }: FuzzCase): Promise<FuzzOutcome> {
  const start = performance.now();
  const result = await tryReading(bytes, seed.name);
  return {
    index,
    ...result,
    milliseconds: performance.now() - start,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  };
}

/** Reads the file and takes the mesh through everything that follows a reader. */
async function tryReading(bytes: Uint8Array, fileName: string): Promise<Pick<FuzzOutcome, 'kind' | 'problem'>> {
  try {
    const { mesh } = await readMesh(bytes, { fileName, meshoptDecoder: MeshoptDecoder });
    auditMesh(mesh);
    checkMesh(cleanMesh(mesh).mesh);
    return { kind: 'loaded' };
  } catch (error) {
    if (isPalpableError(error)) return { kind: 'refused' };
    return { kind: 'failed', problem: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** What every later stage takes for granted. */
function checkMesh({ positions, triangles }: TriangleMesh): void {
  if (triangles.length === 0) throw new Error('a mesh without triangles was accepted');
  if (!positions.every(Number.isFinite)) throw new Error('a coordinate is not finite');
  if (triangles.some((vertex) => vertex >= positions.length / 3)) throw new Error('an index is out of range');
}
