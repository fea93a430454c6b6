import { createNodeWorkers, formatNumber, loadMeshFile, wholeNumber } from '@palpable/cli/internal';
import { buildField, cleanMesh, type DistanceField, sampleDistance, type TriangleMesh } from '@palpable/engine';
import {
  createRandom,
  type FieldStatistics,
  fieldBytes,
  type ProgressListener,
  subdivideMesh,
} from '@palpable/engine/advanced';
import { BufferAttribute, BufferGeometry, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { sceneFile } from '../play/load-scene.js';
import { benchCommand } from './bench-command.js';

export const benchFieldCommand = benchCommand({
  usage: 'field',
  summary: 'time to build a field, beside a plain three-mesh-bvh loop over the same nodes',
  examples: [
    'palpable bench field',
    'palpable bench field --mesh scenes/meshes/gear-base.obj --triangles 0 --resolution 1024 --peer-nodes 0',
  ],
  options: (command) =>
    command
      .option('--mesh <file>', 'mesh to build from', sceneFile('meshes/bunny.obj'))
      .option('--triangles <number>', 'refine the mesh to at least this many', wholeNumber(0, 10_000_000), 70_000)
      .option('--resolution <voxels>', 'voxels along the longest side', wholeNumber(16, 2048), 256)
      .option('--peer-nodes <number>', 'nodes to ask three-mesh-bvh; 0 for none', wholeNumber(0, 100_000_000), 100_000)
      .option('--one-core', 'also build on one core alone'),
  measure: benchField,
  lines: sentences,
});

function sentences(report: FieldBenchReport): string[] {
  const { mesh, triangles, resolution, workers, seconds, secondsOneCore, statistics, megabytes, peer } = report;
  const share = (100 * statistics.nodesComputed) / statistics.nodesOfFullGrid;
  const lines = [
    `${mesh}, ${formatNumber(triangles)} triangles, ${resolution} voxels along the longest side`,
    `ours, ${workers} workers: ${formatNumber(seconds)} s; ${formatNumber(statistics.nodesComputed)} nodes measured (${formatNumber(share)} % of the full grid), ${formatNumber(statistics.nodesStored)} stored in ${formatNumber(statistics.bricks)} bricks, ${formatNumber(megabytes)} MB`,
  ];
  if (secondsOneCore !== null) lines.push(`ours, 1 worker: ${formatNumber(secondsOneCore)} s`);
  if (peer) {
    const ratio = peer.secondsForSameNodes / (secondsOneCore ?? seconds * workers);
    lines.push(
      `three-mesh-bvh, 1 core: ${formatNumber(peer.microsecondsPerNode)} µs per node over ${formatNumber(peer.nodesAsked)} of them, so ${formatNumber(peer.secondsForSameNodes)} s for the same nodes, without signs: ${formatNumber(ratio)} times ours per core`,
      `largest difference between the two: ${formatNumber(peer.largestDifferenceVoxels)} voxel`,
    );
  }
  return lines;
}

/** Time to build a field, beside a plain loop over the same nodes with three-mesh-bvh, in the same run. */
type FieldBenchReport = Awaited<ReturnType<typeof benchField>>;

interface Flags {
  readonly mesh: string;
  readonly triangles: number;
  readonly resolution: number;
  /** Nodes to ask the peer; 0 leaves it out. */
  readonly peerNodes: number;
  /** Also on one core alone. */
  readonly oneCore?: boolean;
}

async function benchField(flags: Flags, onProgress: ProgressListener) {
  const { mesh: path, resolution, peerNodes } = flags;
  const mesh = subdivideMesh(cleanMesh((await loadMeshFile(path)).mesh).mesh, flags.triangles);
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
  const secondsOneCore = flags.oneCore ? (await build(createNodeWorkers(1))).seconds : null;
  const peer = peerNodes > 0 ? askPeer(mesh, field, statistics, peerNodes) : null;
  return {
    mesh: path,
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
