/** The thread that reads a file which the user brought, so that the page stays awake whatever is in it. */
import { auditMesh, type BodyFile, isPalpableError, PalpableError, readBodyMesh } from '@palpable/engine';
import type { StepReader } from '@palpable/engine/advanced';
import { messageOf } from '../controls/words.js';
import { workerScope } from '../threads/browser-workers.js';
import { encodePly } from './encode-ply.js';
import type { FromPartThread, ReadPart, ToPartThread } from './part.js';

workerScope.addEventListener('message', ({ data }: MessageEvent<ToPartThread>) => {
  void answer(data);
});

async function answer(request: ToPartThread): Promise<void> {
  try {
    const part = await readPart(request);
    const both = [part.bytes, ...(part.second ? [part.second] : [])];
    report(
      { kind: 'read', part },
      both.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } catch (error) {
    const known = isPalpableError(error) ? error : outOfMemory(request.file.name, error);
    report({ kind: 'failed', code: known.code, message: known.message });
  }
}

async function readPart({ file, companions }: ToPartThread): Promise<ReadPart> {
  const fileName = file.name;
  const bytes = await readBytes(file, (fraction) => reportProgress('Reading', fraction));
  reportProgress('Parsing the file', undefined);
  let isWhole = true;
  let second: Uint8Array | undefined;
  const { mesh, format, warnings, tetrahedra } = await readBodyMesh(bytes, {
    fileName,
    readStep,
    resolveUri: (uri) => {
      isWhole = false;
      return readCompanion(uri, companions);
    },
    resolveTetrahedra: async (name) => {
      second = await readSecond(name, companions);
      return second;
    },
  });
  reportProgress('Checking the mesh', undefined);
  const audit = auditMesh(mesh);
  // Whoever prepares the part has neither the kernel nor the files that came with it.
  const isReadable = format !== 'step' && isWhole;
  return {
    fileName,
    bytes: isReadable ? bytes : encodePly(mesh),
    second,
    format,
    audit,
    warnings: [...describeFilling(tetrahedra), ...nameDoubts(fileName, format), ...warnings],
  };
}

const readStep: StepReader = async (bytes, tessellation) => {
  reportProgress('Fetching the CAD kernel', 0);
  const { startStepKernel } = await import('./step-kernel.js');
  const read = await startStepKernel((fraction) => reportProgress('Fetching the CAD kernel', fraction));
  report({ kind: 'cutting' });
  return read(bytes, tessellation);
};

async function readCompanion(uri: string, companions: readonly File[]): Promise<Uint8Array> {
  const name = decodeURIComponent(uri).replace(/^.*\//, '');
  const companion = companions.find((file) => file.name === name);
  if (companion) return readBytes(companion, () => {});
  throw new PalpableError(
    'file-unreadable',
    `The glTF keeps its data in "${name.slice(0, 80)}"; drop both files together, or export a GLB.`,
  );
}

async function readSecond(name: string, companions: readonly File[]): Promise<Uint8Array> {
  const companion = companions.find((file) => file.name.toLowerCase() === name.toLowerCase());
  if (companion) return readBytes(companion, () => {});
  throw new PalpableError(
    'file-unreadable',
    `TetGen stores a mesh in two files, and "${name.slice(0, 80)}" is missing; drop both together.`,
  );
}

function describeFilling(tetrahedra: BodyFile['tetrahedra']): string[] {
  if (!tetrahedra) return [];
  return [`${(tetrahedra.tetrahedra.length / 4).toLocaleString('en')} tetrahedra fill it.`];
}

async function readBytes(file: File, onFraction: (fraction: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  onFraction(0);
  const bytes = new Uint8Array(file.size);
  let received = 0;
  try {
    const reader = file.stream().getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes.set(next.value, received);
      received += next.value.length;
      onFraction(received / file.size);
    }
  } catch {
    throw new PalpableError(
      'file-unreadable',
      `${file.name} cannot be read: it is a folder, or was moved or changed meanwhile. Drop the file again.`,
      file.name,
    );
  }
  return bytes;
}

const FORMAT_OF_ENDING: Readonly<Record<string, BodyFile['format']>> = {
  stl: 'stl',
  obj: 'obj',
  ply: 'ply',
  off: 'off',
  gltf: 'gltf',
  glb: 'gltf',
  step: 'step',
  stp: 'step',
};

/** What a file holds counts, not what it is called; but whoever called it so may have meant another. */
function nameDoubts(fileName: string, format: BodyFile['format']): string[] {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const meant = FORMAT_OF_ENDING[ending];
  if (meant === undefined || meant === format) return [];
  return [`Named .${ending}, but the content is ${format.toUpperCase()}; read as that.`];
}

function outOfMemory(fileName: string, error: unknown): PalpableError {
  const words = messageOf(error);
  return new PalpableError(
    'too-large',
    `${fileName}: Reading ended early (${words}); perhaps the tab is out of memory. Reduce its triangles, or close other tabs.`,
    fileName,
  );
}

let reportedStage = '';

/** Not more often than somebody could see it. */
function reportProgress(stage: string, fraction: number | undefined): void {
  const seen = `${stage} ${fraction === undefined ? '' : Math.round(100 * fraction)}`;
  if (seen === reportedStage) return;
  reportedStage = seen;
  report({ kind: 'progress', stage, fraction });
}

function report(message: FromPartThread, transfer: Transferable[] = []): void {
  workerScope.postMessage(message, transfer);
}
