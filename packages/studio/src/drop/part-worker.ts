/** The thread that reads a file which the user brought, so that the page stays awake whatever is in it. */
import { auditMesh, readMesh } from '@palpable/engine';
import { workerScope } from '../threads/browser-workers.js';
import type { FromPartThread, ToPartThread } from './part.js';

workerScope.addEventListener('message', ({ data }: MessageEvent<ToPartThread>) => {
  void read(data);
});

async function read({ bytes, fileName }: ToPartThread): Promise<void> {
  try {
    const { mesh, format, warnings } = await readMesh(bytes, { fileName });
    tell({ kind: 'read', part: { fileName, format, warnings, audit: auditMesh(mesh) } });
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

function tell(message: FromPartThread): void {
  workerScope.postMessage(message, []);
}
