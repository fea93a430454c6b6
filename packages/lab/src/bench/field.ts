import { createNodeWorkers, formatNumber, loadMeshFile, wholeNumber } from '@palpable/cli/internal';
import { buildField, cleanMesh, type DistanceField, sampleDistance, type TriangleMesh } from '@palpable/engine';
import {
  buildConvexHierarchy,
  buildConvexHierarchyOnWorkers,
  createRandom,
  type FieldStatistics,
  fieldBytes,
  type ProgressListener,
  subdivideMesh,
  type WorkerHost,
} from '@palpable/engine/advanced';
import { BufferAttribute, BufferGeometry, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { sceneFile } from '../play/load-scene.js';
import { benchCommand } from './bench-command.js';
import { looseTray, triangleSoup } from './loose-meshes.js';

export const benchFieldCommand = benchCommand({
  usage: 'field',
  summary:
    'time to build a field, beside a plain three-mesh-bvh loop over the same nodes; also of loose pieces and hierarchies',
  examples: [
    'palpable bench field',
    'palpable bench field --mesh scenes/meshes/gear-base.obj --triangles 0 --resolution 1024 --peer-nodes 0',
    'palpable bench field --triangles 47000 --hierarchy --loose',
  ],
  options: (command) =>
    command
      .option('--mesh <file>', 'mesh to build from', sceneFile('meshes/bunny.obj'))
      .option('--triangles <number>', 'refine the mesh to at least this many', wholeNumber(0, 10_000_000), 70_000)
      .option('--resolution <voxels>', 'voxels along the longest side', wholeNumber(16, 2048), 256)
      .option('--peer-nodes <number>', 'nodes to ask three-mesh-bvh; 0 for none', wholeNumber(0, 100_000_000), 100_000)
      .option('--one-core', 'also build on one core alone')
      .option('--loose', 'also build fields of triangles at random and of a tray of loose panels')
      .option('--hierarchy', 'also build the convex pieces of the mesh, with levels of detail'),
  measure: benchField,
  lines: sentences,
});

function sentences(report: FieldBenchReport): string[] {
  const { mesh, triangles, resolution, workers, seconds, secondsOneCore, statistics, megabytes, peer } = report;
  const { loose, hierarchy } = report;
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
  for (const { name, triangles: count, resolution: voxels, seconds: time, secondsOneCore: alone } of loose) {
    const ofOne = alone === null ? '' : `; 1 worker: ${formatNumber(alone)} s`;
    lines.push(`${name}, ${formatNumber(count)} triangles, ${voxels} voxels: ${formatNumber(time)} s${ofOne}`);
  }
  if (hierarchy) {
    const ofOne =
      hierarchy.secondsOneCore === null ? '' : `; this thread alone: ${formatNumber(hierarchy.secondsOneCore)} s`;
    lines.push(`hierarchy of ${formatNumber(hierarchy.nodes)} nodes: ${formatNumber(hierarchy.seconds)} s${ofOne}`);
  }
  lines.push(`most memory so far: ${formatNumber(report.peakMegabytes)} MB`);
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
  /** Also two meshes of loose pieces. */
  readonly loose?: boolean;
  /** Also the hierarchy of the mesh. */
  readonly hierarchy?: boolean;
}

/** Meshes on which lids do not work, and how finely their fields are built. */
const LOOSE = [
  { name: 'triangles at random', create: () => triangleSoup(100), resolution: 128 },
  { name: 'tray of loose panels', create: () => looseTray(100), resolution: 256 },
] as const;

async function benchField(flags: Flags, onProgress: ProgressListener) {
  const { mesh: path, resolution, peerNodes } = flags;
  const mesh = subdivideMesh(cleanMesh((await loadMeshFile(path)).mesh).mesh, flags.triangles);
  const workers = createNodeWorkers();
  const oneWorker = flags.oneCore ? createNodeWorkers(1) : undefined;
  const { field, statistics, seconds } = await timeField(mesh, resolution, workers, onProgress);
  const secondsOneCore = oneWorker ? (await timeField(mesh, resolution, oneWorker, onProgress)).seconds : null;
  const peer = peerNodes > 0 ? askPeer(mesh, field, statistics, peerNodes) : null;
  const loose: LooseTime[] = [];
  for (const { name, create, resolution: voxels } of flags.loose ? LOOSE : []) {
    const pieces = cleanMesh(create()).mesh;
    const time = async (host: WorkerHost) => (await timeField(pieces, voxels, host, onProgress)).seconds;
    const triangles = pieces.triangles.length / 3;
    const alone = oneWorker ? await time(oneWorker) : null;
    loose.push({ name, triangles, resolution: voxels, seconds: await time(workers), secondsOneCore: alone });
  }
  const hierarchy = flags.hierarchy ? await timeHierarchy(mesh, workers, flags.oneCore === true, onProgress) : null;
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
    loose,
    /** Null if it was not wanted. */
    hierarchy,
    /** Most memory of the process so far. */
    peakMegabytes: process.resourceUsage().maxRSS / 1000,
  };
}

interface LooseTime {
  readonly name: string;
  readonly triangles: number;
  readonly resolution: number;
  readonly seconds: number;
  /** Null if it was not wanted. */
  readonly secondsOneCore: number | null;
}

async function timeField(mesh: TriangleMesh, resolution: number, workers: WorkerHost, onProgress: ProgressListener) {
  let statistics: FieldStatistics | undefined;
  const onStatistics = (numbers: FieldStatistics) => {
    statistics = numbers;
  };
  const started = performance.now();
  const field = await buildField(mesh, { resolution }, { workers, onProgress, onStatistics });
  return { field, statistics: statistics!, seconds: secondsSince(started) };
}

async function timeHierarchy(mesh: TriangleMesh, workers: WorkerHost, oneCore: boolean, onProgress: ProgressListener) {
  const started = performance.now();
  const { nodeCount } = await buildConvexHierarchyOnWorkers(mesh, {}, { workers, onProgress });
  const seconds = secondsSince(started);
  const startedAlone = performance.now();
  if (oneCore) buildConvexHierarchy(mesh, {}, { onProgress });
  return { nodes: nodeCount, seconds, secondsOneCore: oneCore ? secondsSince(startedAlone) : null };
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
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
