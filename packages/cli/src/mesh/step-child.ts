/*
 * The process that runs the CAD kernel: one message in, a STEP file with its parameters; one message out, the triangles.
 * Whatever goes wrong here ends the process, and the one that started it says so.
 */
import type { StepResult } from '@palpable/engine/advanced';
import startKernel from 'occt-import-js';

/** What the process is sent. */
export interface StepRequest {
  readonly bytes: Uint8Array;
  readonly parameters: Record<string, string | number>;
}

const kernel = startKernel();

process.on('message', async ({ bytes, parameters }: StepRequest) => {
  const { ReadStepFile } = await kernel;
  process.send!(withTypedArrays(ReadStepFile(bytes, parameters)));
});

/** Lists of millions of numbers pass between processes far faster as typed arrays. */
function withTypedArrays(result: StepResult): StepResult {
  const meshes = (result.meshes ?? []).map(({ attributes, index }) => ({
    attributes: { position: { array: Float64Array.from(attributes.position.array) } },
    index: { array: Uint32Array.from(index.array) },
  }));
  return { success: result.success, meshes };
}
