/** The part of occt-import-js that is used; the package comes without types. */
declare module 'occt-import-js' {
  import type { StepResult } from '@palpable/engine/advanced';

  interface OpenCascade {
    ReadStepFile(content: Uint8Array, parameters: Record<string, string | number>): StepResult;
  }

  export default function start(): Promise<OpenCascade>;
}
