/**
 * The CAD kernel that reads STEP files as triangles: Open CASCADE, as the package occt-import-js has it. Nothing of it
 * is in our bundle: script and WebAssembly lie beside the page as the package brought them, are fetched when the first
 * STEP file comes, and can be replaced by another build of the same.
 */
import { PalpableError } from '@palpable/engine';
import { type StepReader, type StepResult, stepParameters } from '@palpable/engine/advanced';
import scriptUrl from 'occt-import-js/dist/occt-import-js.js?url';
import wasmUrl from 'occt-import-js/dist/occt-import-js.wasm?url';
import { fetchBytes } from '../threads/fetch-bytes.js';

/** The part of the package that is used; it comes without types. */
interface OpenCascade {
  ReadStepFile(content: Uint8Array, parameters: Record<string, string | number>): StepResult;
}

interface KernelSettings {
  readonly wasmBinary: Uint8Array;
  readonly print: () => void;
  readonly printErr: () => void;
}

type StartKernel = (settings: KernelSettings) => Promise<OpenCascade>;

/** Only in a worker that can be ended: a damaged file may keep the kernel busy for ever. */
export async function startStepKernel(onFraction: (fraction: number | undefined) => void): Promise<StepReader> {
  const [start, wasmBinary] = await Promise.all([loadScript(), fetchBytes(absolute(wasmUrl), onFraction)]);
  if (!start || !wasmBinary) throw missingKernel();
  // What the kernel prints is for its authors; what the user needs to know is in what it returns.
  const kernel = await start({ wasmBinary, print: () => {}, printErr: () => {} }).catch(() => {
    throw missingKernel();
  });
  return async (bytes, tessellation) => {
    try {
      return kernel.ReadStepFile(bytes, stepParameters(tessellation));
    } catch {
      throw new PalpableError(
        'format-invalid',
        'The CAD kernel crashed on this STEP file, or memory ran out; repair the file, or export STL.',
      );
    }
  };
}

/** The script gives what it has to a loader of the AMD kind, which stands here for a moment; it is no ES module. */
async function loadScript(): Promise<StartKernel | undefined> {
  const scope = globalThis as { define?: unknown };
  let start: StartKernel | undefined;
  const define = (_needed: unknown, make: () => StartKernel) => (start = make());
  scope.define = Object.assign(define, { amd: true });
  try {
    await import(/* @vite-ignore */ absolute(scriptUrl));
  } catch {
    return undefined;
  } finally {
    delete scope.define;
  }
  return start;
}

function absolute(url: string): string {
  return new URL(url, import.meta.url).href;
}

function missingKernel(): PalpableError {
  return new PalpableError(
    'worker-failed',
    'The CAD kernel that reads STEP files could not be loaded from the host; check the connection and try again, or export STL.',
  );
}
