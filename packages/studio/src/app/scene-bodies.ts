/**
 * The bodies of a scene on their way to being touched: each in a thread of its own, which takes the prepared asset or
 * builds field and shell. Closing ends all of it at once.
 */
import type { PalpableError, TriangleMesh } from '@palpable/engine';
import type { StudioBody, StudioScene } from '../scene/scene.js';
import type { LoadedBody, SlicePlane } from '../threads/body-client.js';
import { type BodyClient, createBodyClient } from '../threads/body-client.js';
import { isBuilding, progress } from './state.js';

export interface SceneBodiesListener {
  /** The mesh is known, long before the body can be touched. */
  onMesh(body: StudioBody, mesh: TriangleMesh): void;
  onSlice(plane: SlicePlane, distances: Float32Array): void;
  /** The thread that cuts slices ended. */
  onSliceLost(error: PalpableError): void;
}

export type SceneBodies = Readonly<ReturnType<typeof openSceneBodies>>;

export function openSceneBodies(scene: StudioScene, ignoreAssets: boolean, listener: SceneBodiesListener) {
  const bodies = [scene.tool, ...scene.environments];
  // A slice shows the field of the environment, where it has one.
  const sliced = scene.environment.plan.field ? scene.environment : scene.tool;
  isBuilding.value = false;
  progress.value = bodies.map(({ label }) => ({ label, stage: 'Loading', fraction: 0 }));
  const clients = bodies.map((body, index) => openBody(body, index, ignoreAssets, listener));
  const close = () => {
    for (const client of clients) client.close();
  };
  return {
    /** By name; fails with the code `cancelled` when closed before. */
    loaded: loadAll(bodies, clients, sliced),
    requestSlice: (plane: SlicePlane) => clients[bodies.indexOf(sliced)]?.requestSlice(plane),
    close,
  };
}

/** Threads end when their body is there, save for the one that cuts slices. */
async function loadAll(
  bodies: readonly StudioBody[],
  clients: readonly BodyClient[],
  sliced: StudioBody,
): Promise<ReadonlyMap<string, LoadedBody>> {
  const loaded = await Promise.all(clients.map((client) => client.loaded));
  clients.forEach((client, index) => {
    if (bodies[index] !== sliced) client.close();
  });
  return new Map(bodies.map(({ label }, index) => [label, loaded[index]!]));
}

function openBody(body: StudioBody, index: number, ignoreAssets: boolean, listener: SceneBodiesListener): BodyClient {
  let isClosed = false;
  const report = (stage: string, fraction: number | undefined) => {
    if (isClosed) return;
    progress.value = progress.value.with(index, { label: body.label, stage, fraction });
  };
  const client = createBodyClient(body, ignoreAssets, {
    onProgress: (stage, fraction) => {
      if (stage !== 'Loading') isBuilding.value = true;
      report(stage, fraction);
    },
    onMesh: (mesh) => listener.onMesh(body, mesh),
    onSlice: listener.onSlice,
    onLost: listener.onSliceLost,
  });
  client.loaded.then(
    () => report('Ready', 1),
    () => {},
  );
  return {
    ...client,
    close() {
      isClosed = true;
      client.close();
    },
  };
}
