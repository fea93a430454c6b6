/**
 * The thread that makes one body ready: takes the prepared asset where there is one, else reads the mesh and builds
 * field, shell, levels of detail and elasticity. Afterwards it keeps the field and cuts slices from it, so that the page
 * itself never samples.
 *
 * Cancelling is ending the thread: that also ends the threads it started.
 */
import {
  buildSceneMesh,
  cleanBody,
  type DistanceField,
  decodeAsset,
  isPalpableError,
  PalpableError,
  type PreparedBody,
  prepareBody,
  readBodyMesh,
  sampleDistance,
  type TriangleMesh,
} from '@palpable/engine';
import { meshBounds, shareable, type TetrahedralMesh } from '@palpable/engine/advanced';
import { messageOf } from '../controls/words.js';
import { shadeMesh } from '../scene/creased-normals.js';
import type { FromBodyThread, LoadedBody, LoadRequest, SlicePlane, ToBodyThread } from './body-client.js';
import { createBrowserWorkers, workerScope } from './browser-workers.js';
import { fetchBytes } from './fetch-bytes.js';

let keptField: DistanceField | undefined;

workerScope.addEventListener('message', (event: MessageEvent<ToBodyThread>) => {
  const message = event.data;
  if (message.kind === 'load') load(message.request).catch(reportFailure);
  else if (keptField) reportSlice(keptField, message.plane);
});

function tell(message: FromBodyThread, transfer: Transferable[] = []): void {
  workerScope.postMessage(message, transfer);
}

function reportFailure(error: unknown): void {
  const code = isPalpableError(error) ? error.code : undefined;
  tell({ kind: 'failed', code, message: messageOf(error) });
}

async function load(request: LoadRequest): Promise<void> {
  const body = (request.ignoreAsset ? undefined : await loadAsset(request)) ?? (await build(request));
  keptField = body.prepared.field ?? undefined;
  tell({ kind: 'loaded', body });
}

const NEEDED = ['field', 'shell', 'hierarchy', 'elastic'] as const;

/** The prepared asset, or undefined when there is none or it does not hold what the scene asks for. */
async function loadAsset({ body: source, pageUrl }: LoadRequest): Promise<LoadedBody | undefined> {
  const reportFraction = (fraction: number | undefined) => tell({ kind: 'progress', stage: 'Loading', fraction });
  if (source.assetName === undefined) return undefined;
  const bytes = await fetchBytes(new URL(`assets/${source.assetName}`, pageUrl).href, reportFraction);
  const asset = bytes && decodeIfWhole(bytes);
  const { plan } = source;
  if (!asset || NEEDED.some((part) => plan[part] && !asset[part])) return undefined;
  tell({ kind: 'mesh', mesh: shadeMesh(asset.mesh) });
  return describeBody(asset, 'asset');
}

/** Truncated, altered or of another version: undefined, since the mesh is still there to build from. */
function decodeIfWhole(bytes: Uint8Array): PreparedBody | undefined {
  try {
    return decodeAsset(bytes);
  } catch (error) {
    if (isPalpableError(error)) return undefined;
    throw error;
  }
}

async function build(request: LoadRequest): Promise<LoadedBody> {
  tell({ kind: 'progress', stage: 'Reading the mesh', fraction: undefined });
  const { mesh, tetrahedra } = await loadMesh(request);
  // With its normals, which would keep the page from anything else for a while.
  tell({ kind: 'mesh', mesh: shadeMesh(mesh) });
  tell({ kind: 'progress', stage: 'Checking the mesh', fraction: undefined });
  const hooks = {
    onProgress: (stage: string, fraction: number) => tell({ kind: 'progress', stage, fraction }),
    workers: createBrowserWorkers(),
  };
  const body = await prepareBody(mesh, request.body.plan, hooks, tetrahedra);
  return describeBody(body, 'built');
}

interface LoadedMesh {
  readonly mesh: TriangleMesh;
  /** What fills it, where the file says so. */
  readonly tetrahedra: TetrahedralMesh | null;
}

async function loadMesh({ body, pageUrl }: LoadRequest): Promise<LoadedMesh> {
  const { source, scale, unit } = body;
  if (source.kind === 'built-in') return { mesh: buildSceneMesh({ mesh: source.mesh, scale })!, tetrahedra: null };
  const bytes = source.kind === 'bytes' ? source.bytes : await fetchMesh(source.url, source.fileName, pageUrl);
  const second = source.kind === 'bytes' ? source.second : undefined;
  const file = await readBodyMesh(bytes, {
    fileName: source.fileName,
    scale,
    ...(unit && { unit }),
    ...(second && { resolveTetrahedra: () => second }),
  });
  return cleanBody(file);
}

async function fetchMesh(url: string, fileName: string, pageUrl: string): Promise<Uint8Array> {
  const bytes = await fetchBytes(new URL(url, pageUrl).href, () => {});
  if (bytes) return bytes;
  throw new PalpableError(
    'file-unreadable',
    `${fileName} is missing on the host; build the studio again with "npm run build".`,
  );
}

function describeBody(body: PreparedBody, origin: LoadedBody['origin']): LoadedBody {
  const { mesh, field, elastic, unitMass } = body;
  // The threads of contacts and of the loop read the same memory where the page is isolated; otherwise they get a copy.
  const sharedField = field && {
    ...field,
    coarse: shareable(field.coarse),
    brickOf: shareable(field.brickOf),
    bricks: shareable(field.bricks),
  };
  const sharedElastic = elastic && {
    ...elastic,
    compliance: shareable(elastic.compliance),
    modeShapes: shareable(elastic.modeShapes),
    weightResponse: shareable(elastic.weightResponse),
  };
  const prepared = { ...body, field: sharedField, elastic: sharedElastic };
  return { prepared, centre: unitMass?.centre ?? middleOf(mesh), origin };
}

function middleOf(mesh: TriangleMesh): [number, number, number] {
  const { min, max } = meshBounds(mesh);
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
}

function reportSlice(field: DistanceField, plane: SlicePlane): void {
  const { corner, along, up, columns, rows } = plane;
  const distances = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const v = (row + 0.5) / rows;
    for (let column = 0; column < columns; column++) {
      const u = (column + 0.5) / columns;
      const x = corner[0] + u * along[0] + v * up[0];
      const y = corner[1] + u * along[1] + v * up[1];
      const z = corner[2] + u * along[2] + v * up[2];
      distances[row * columns + column] = sampleDistance(field, x, y, z);
    }
  }
  tell({ kind: 'slice', plane, distances }, [distances.buffer]);
}
