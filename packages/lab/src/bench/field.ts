import { createNodeWorkers } from '@palpable/cli/internal';
import {
  buildField,
  createRandom,
  type DistanceField,
  type FieldStatistics,
  fieldBytes,
  sampleDistance,
  type TriangleMesh,
} from '@palpable/engine';
import { BufferAttribute, BufferGeometry, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';

/** Time to build a field, beside a plain loop over the same nodes with three-mesh-bvh, in the same run. */
export type FieldBenchReport = Awaited<ReturnType<typeof benchField>>;

export type PeerReport = ReturnType<typeof askPeer>;

export interface FieldBenchOptions {
  readonly resolution: number;
  /** Also on one core alone. */
  readonly oneCore: boolean;
  /** Nodes to ask the peer; 0 leaves it out. */
  readonly peerNodes: number;
  readonly onProgress: (stage: string, fraction: number) => void;
}

export async function benchField(mesh: TriangleMesh, options: FieldBenchOptions) {
  const { resolution, onProgress } = options;
  const workers = createNodeWorkers();
  const build = async (host: typeof workers) => {
    let statistics: FieldStatistics | undefined;
    const started = performance.now();
    const field = await buildField(
      mesh,
      { resolution },
      {
        workers: host,
        onProgress,
        onStatistics: (numbers) => {
          statistics = numbers;
        },
      },
    );
    return { field, statistics: statistics!, seconds: (performance.now() - started) / 1000 };
  };
  const { field, statistics, seconds } = await build(workers);
  const secondsOneCore = options.oneCore ? (await build(createNodeWorkers(1))).seconds : null;
  const peer = options.peerNodes > 0 ? askPeer(mesh, field, statistics, options.peerNodes) : null;
  return {
    triangles: mesh.triangles.length / 3,
    resolution,
    workers: workers.size,
    seconds,
    secondsOneCore,
    statistics,
    megabytes: fieldBytes(field) / 1e6,
    /** Null if the peer was not wanted. */
    peer,
  };
}

/** Asks three-mesh-bvh for the distance at some of the nodes that the field holds exactly. */
function askPeer(mesh: TriangleMesh, field: DistanceField, statistics: FieldStatistics, wanted: number) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.positions), 3));
  geometry.setIndex(new BufferAttribute(mesh.triangles.slice(), 1));
  const bvh = new MeshBVH(geometry);
  const nodes = someBandNodes(field, wanted);
  const point = new Vector3();
  const distances = new Float64Array(nodes.length / 3);
  const target = { point: new Vector3(), distance: 0, faceIndex: 0 };
  const started = performance.now();
  for (let n = 0; n < distances.length; n += 1) {
    point.set(nodes[3 * n]!, nodes[3 * n + 1]!, nodes[3 * n + 2]!);
    distances[n] = bvh.closestPointToPoint(point, target)!.distance;
  }
  const microsecondsPerNode = ((performance.now() - started) * 1000) / distances.length;
  const largest = distances.reduce((most, distance, n) => {
    if (distance > field.band) return most;
    const ours = Math.abs(sampleDistance(field, nodes[3 * n]!, nodes[3 * n + 1]!, nodes[3 * n + 2]!));
    return Math.max(most, Math.abs(ours - distance) / field.voxelSize);
  }, 0);
  return {
    /** Nodes that were asked, out of those that we computed. */
    nodesAsked: distances.length,
    microsecondsPerNode,
    /** For all nodes that we computed, on one core. */
    secondsForSameNodes: (microsecondsPerNode * statistics.nodesComputed) / 1e6,
    /** Largest difference to our values at the nodes asked that lie within the band, in voxels. */
    largestDifferenceVoxels: largest,
  };
}

/** Nodes within the band, picked evenly at random over the whole grid with a fixed seed. */
function someBandNodes(field: DistanceField, wanted: number): Float64Array {
  const random = createRandom(1);
  const nodes = new Float64Array(3 * wanted);
  const pick = (axis: number) =>
    field.origin[axis]! + field.voxelSize * Math.floor(random() * (8 * field.cells[axis]! + 1));
  for (let n = 0; n < wanted; ) {
    const [x, y, z] = [pick(0), pick(1), pick(2)] as const;
    if (Math.abs(sampleDistance(field, x, y, z)) > field.band) continue;
    nodes.set([x, y, z], 3 * n);
    n += 1;
  }
  return nodes;
}
