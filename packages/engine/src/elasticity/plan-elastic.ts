import { PalpableError } from '../base/errors.js';
import { surfaceOf, type TetrahedraSurface } from '../tetrahedra/surface-of.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { checkElasticInput, checkNodes } from './check-elastic.js';
import { dissect } from './dissection.js';
import type { ElasticOptions } from './elastic-body.js';
import { type FactorPlan, planFactor } from './factor-plan.js';
import { createNeighbourhood, createNodeGraph, type Neighbourhood, type NodeGraph } from './node-graph.js';

/** What preparing a body will take. */
export interface ElasticEstimate {
  readonly nodes: number;
  readonly surfaceNodes: number;
  readonly touchableNodes: number;
  /** Numbers in the factor of the stiffness. */
  readonly factorNumbers: number;
  /** Of the factor, while it is prepared. */
  readonly factorBytes: number;
  /** Of the compliance between surface nodes. */
  readonly complianceBytes: number;
  /** At the worst moment, all together. */
  readonly bytes: number;
}

/** What is known of a body before its numbers are computed. */
export interface ElasticPlan {
  readonly graph: NodeGraph;
  readonly neighbours: Neighbourhood;
  readonly factorPlan: FactorPlan;
  readonly surface: TetrahedraSurface;
  readonly columnOf: Int32Array;
  readonly columnCount: number;
  readonly modes: number;
  readonly estimate: ElasticEstimate;
}

const DEFAULT_MODES = 20;
export const DEFAULT_MAX_BYTES = 1.5e9;

/**
 * The memory that `prepareElasticBody` would need, from the pattern of the matrices alone. Throws what that throws for
 * input that cannot be used, but not `too-large`.
 */
export function estimateElasticBytes(mesh: TetrahedralMesh, options: ElasticOptions): ElasticEstimate {
  return planElastic(mesh, { ...options, maxBytes: Number.POSITIVE_INFINITY }).estimate;
}

export function planElastic(mesh: TetrahedralMesh, options: ElasticOptions): ElasticPlan {
  const { modes = DEFAULT_MODES, maxBytes = DEFAULT_MAX_BYTES } = options;
  checkElasticInput(mesh, options.poisson, options.fixed);
  if (!(Number.isInteger(modes) && modes >= 0)) {
    throw new PalpableError(
      'option-invalid',
      `The number of modes is ${modes}, but must be a whole number from 0 on; correct it or leave it out for ${DEFAULT_MODES}.`,
      'modes',
    );
  }
  const surface = surfaceOf(mesh);
  const graph = createNodeGraph(mesh, options.fixed);
  const { columnOf, columnCount } = numberColumns(mesh, surface.nodes, graph, options.touchable);
  const complianceBytes = 4 * 9 * surface.nodes.length * columnCount;
  const known = { nodes: mesh.positions.length / 3, surfaceNodes: surface.nodes.length, touchableNodes: columnCount };
  // The compliance alone may be too much: then do not even order the nodes of what may be millions.
  checkBytes({ ...known, factorNumbers: 0, factorBytes: 0, complianceBytes, bytes: complianceBytes }, maxBytes);
  const neighbours = createNeighbourhood(graph);
  const factorPlan = planFactor(dissect(freePositions(mesh, graph), neighbours), neighbours);
  const factorBytes = 8 * factorPlan.valueCount;
  const vectorBytes = 8 * 3 * graph.count;
  const matrixBytes = 8 * 11 * graph.rows.length;
  const scratch = Math.max(factorPlan.scratchBytes, 48 * vectorBytes, (6 * modes + 40) * vectorBytes);
  const bytes = factorBytes + complianceBytes + matrixBytes + scratch;
  const estimate = { ...known, factorNumbers: factorPlan.valueCount, factorBytes, complianceBytes, bytes };
  checkBytes(estimate, maxBytes);
  return { graph, neighbours, factorPlan, surface, columnOf, columnCount, modes, estimate };
}

export function freePositions({ positions }: TetrahedralMesh, graph: NodeGraph): Float64Array {
  const free = new Float64Array(3 * graph.count);
  graph.nodeOf.forEach((node, i) => {
    free.set(positions.subarray(3 * node, 3 * node + 3), 3 * i);
  });
  return free;
}

function numberColumns(mesh: TetrahedralMesh, nodes: Uint32Array, graph: NodeGraph, touchable?: Uint32Array) {
  const chosen = new Uint8Array(mesh.positions.length / 3).fill(touchable ? 0 : 1);
  if (touchable) {
    checkNodes(mesh, touchable, 'touchable');
    for (const node of touchable) chosen[node] = 1;
  }
  let columnCount = 0;
  const columnOf = Int32Array.from(nodes, (node) => {
    if (chosen[node] === 0 || graph.freeOf[node] < 0) return -1;
    columnCount += 1;
    return columnCount - 1;
  });
  if (columnCount > 0) return { columnOf, columnCount };
  throw new PalpableError(
    'option-invalid',
    'No node can be touched: of the nodes on the surface none is both free and touchable; fix fewer nodes, or choose touchable ones on the surface.',
    'touchable',
  );
}

function checkBytes(estimate: ElasticEstimate, maxBytes: number): void {
  if (estimate.bytes <= maxBytes) return;
  const { nodes, surfaceNodes, touchableNodes, complianceBytes, factorBytes, bytes } = estimate;
  const mega = (value: number) => `${Math.round(value / 1e6).toLocaleString('en')} MB`;
  const parts = `${mega(complianceBytes)} for the compliance${factorBytes > 0 ? `, ${mega(factorBytes)} for the factor` : ''}`;
  throw new PalpableError(
    'too-large',
    `The body has ${nodes} nodes, ${surfaceNodes} of them on the surface and ${touchableNodes} of these touchable, and would take about ${mega(bytes)} (${parts}), above the limit of ${mega(maxBytes)}; mesh it with larger elements, or choose fewer touchable nodes.`,
    'maxBytes',
  );
}
