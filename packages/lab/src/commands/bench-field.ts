import { type CommandDefinition, formatNumber, loadMeshFile, wholeNumber } from '@palpable/cli/internal';
import { cleanMesh } from '@palpable/engine';
import { subdivideMesh } from '@palpable/engine/advanced';
import { benchField, type FieldBenchReport } from '../bench/field.js';
import { sceneFile } from '../play/load-scene.js';
import { printReport } from './print-report.js';

interface BenchFieldFlags {
  readonly mesh: string;
  readonly triangles: number;
  readonly resolution: number;
  readonly peerNodes: number;
  readonly oneCore?: boolean;
}

export const benchFieldCommand: CommandDefinition<[], BenchFieldFlags> = {
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
  async run(context, { mesh: path, triangles, resolution, peerNodes, oneCore }) {
    const { mesh } = cleanMesh((await loadMeshFile(path)).mesh);
    const report = await benchField(subdivideMesh(mesh, triangles), {
      resolution,
      oneCore: oneCore === true,
      peerNodes,
      onProgress: context.progress.update,
    });
    printReport(context, { mesh: path, ...report }, sentences(path, report));
    return undefined;
  },
};

function sentences(path: string, report: FieldBenchReport): string[] {
  const { triangles, resolution, workers, seconds, secondsOneCore, statistics, megabytes, peer } = report;
  const share = (100 * statistics.nodesComputed) / statistics.nodesOfFullGrid;
  const lines = [
    `${path}, ${formatNumber(triangles)} triangles, ${resolution} voxels along the longest side`,
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
