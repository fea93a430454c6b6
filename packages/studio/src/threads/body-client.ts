/** The page's side of a body's thread. */
import { type ErrorCode, PalpableError, type PreparedBody, type TriangleMesh } from '@palpable/engine';
import type { ShadedMesh } from '../scene/creased-normals.js';
import type { StudioBody } from '../scene/scene.js';
import { hearWorker } from './hear-worker.js';

/** A body ready to touch: what a prepared asset holds, or what was built in its place. */
export interface LoadedBody {
  readonly prepared: PreparedBody;
  /** Point that rotations turn about, body frame: the centre of mass. */
  readonly centre: readonly [number, number, number];
  readonly origin: 'asset' | 'built';
}

/** A rectangle in the body frame, sampled at the middles of `columns` × `rows` cells. */
export interface SlicePlane {
  readonly corner: readonly [number, number, number];
  readonly along: readonly [number, number, number];
  readonly up: readonly [number, number, number];
  readonly columns: number;
  readonly rows: number;
}

export interface LoadRequest {
  readonly body: StudioBody;
  /** Address of the page, which the addresses of files are relative to; a worker's own is another one. */
  readonly pageUrl: string;
  /** Build field and shell even where a prepared asset exists. */
  readonly ignoreAsset: boolean;
}

export type ToBodyThread =
  | { readonly kind: 'load'; readonly request: LoadRequest }
  | { readonly kind: 'slice'; readonly plane: SlicePlane };

export type FromBodyThread =
  | { readonly kind: 'progress'; readonly stage: string; readonly fraction: number | undefined }
  | { readonly kind: 'mesh'; readonly mesh: ShadedMesh }
  | { readonly kind: 'loaded'; readonly body: LoadedBody }
  | { readonly kind: 'slice'; readonly plane: SlicePlane; readonly distances: Float32Array }
  | { readonly kind: 'failed'; readonly code: ErrorCode | undefined; readonly message: string };

export interface BodyListener {
  onProgress(stage: string, fraction: number | undefined): void;
  /** The mesh is known, long before field and shell are built. */
  onMesh(mesh: TriangleMesh): void;
  onSlice(plane: SlicePlane, distances: Float32Array): void;
  /** The thread ended after the body was loaded. */
  onLost(error: PalpableError): void;
}

export type BodyClient = Readonly<ReturnType<typeof createBodyClient>>;

export function createBodyClient(body: StudioBody, ignoreAsset: boolean, listener: BodyListener) {
  const worker = new Worker(new URL('./body-worker.ts', import.meta.url), { type: 'module', name: body.label });
  const send = (message: ToBodyThread) => worker.postMessage(message);
  const { promise: loaded, resolve, reject } = withResolvers<LoadedBody>();
  let isLoaded = false;
  let isCutting = false;
  let wishedPlane: SlicePlane | undefined;

  const fail = (code: ErrorCode, message: string) => {
    const error = new PalpableError(code, message, body.label);
    worker.terminate();
    if (isLoaded) listener.onLost(error);
    else reject(error);
  };
  const cutWished = () => {
    isCutting = wishedPlane !== undefined;
    if (wishedPlane) send({ kind: 'slice', plane: wishedPlane });
    wishedPlane = undefined;
  };

  const hear = (data: FromBodyThread) => {
    if (data.kind === 'progress') listener.onProgress(data.stage, data.fraction);
    else if (data.kind === 'mesh') listener.onMesh(data.mesh);
    else if (data.kind === 'failed') fail(data.code ?? 'worker-failed', data.message);
    else if (data.kind === 'slice') {
      listener.onSlice(data.plane, data.distances);
      cutWished();
    } else {
      isLoaded = true;
      resolve(data.body);
    }
  };
  hearWorker(worker, hear, (reason) => fail('worker-failed', reason));
  send({ kind: 'load', request: { body, ignoreAsset, pageUrl: document.baseURI } });

  return {
    loaded,
    /** Asks for a slice. While one is being cut only the newest wish is kept. */
    requestSlice(plane: SlicePlane) {
      wishedPlane = plane;
      if (!isCutting) cutWished();
    },
    /** Ends the thread, whatever it does; `loaded` fails with the code `cancelled` if it is still open. */
    close() {
      worker.terminate();
      reject(new PalpableError('cancelled', 'The work was cancelled before it was finished.', body.label));
    },
  };
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
