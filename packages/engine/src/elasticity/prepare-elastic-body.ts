import { PalpableError } from '../base/errors.js';
import { type BuildHooks, throwIfCancelled } from '../base/progress.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { tetrahedraVolume } from '../tetrahedra/tetrahedral-mesh.js';
import { assembleMass, assembleStiffness, nodalVolumes } from './assemble.js';
import { placeOf } from './check-elastic.js';
import { condenseColumns, createCondensation } from './condense.js';
import type { ElasticBody, ElasticOptions } from './elastic-body.js';
import type { FactorPlan } from './factor-plan.js';
import { type BlockFactor, factorise } from './factorise.js';
import type { Neighbourhood, NodeGraph } from './node-graph.js';
import { type ElasticPlan, planElastic } from './plan-elastic.js';
import { createSolveWorkspace, solveFactor } from './solve.js';
import { type VibrationModes, vibrationModes } from './vibration-modes.js';

/** Where factor and compliance end in the whole of the work. */
const FACTOR_SHARE = 0.1;
const COMPLIANCE_SHARE = 0.85;

/**
 * Prepares a body of tetrahedra for contact: stiffness, its sparse factor, the compliance condensed on the surface, the
 * lowest vibration modes and the sag under weight. The same mesh and options give the same bits. Throws
 * `option-invalid`, `mesh-invalid`, `too-large` (before the long work) and `cancelled`.
 */
export function prepareElasticBody(
  mesh: TetrahedralMesh,
  options: ElasticOptions,
  hooks: BuildHooks = {},
): ElasticBody {
  throwIfCancelled(hooks.signal);
  const plan = planElastic(mesh, options);
  const { graph, surface, columnOf, columnCount } = plan;
  const stiffness = assembleStiffness(graph, mesh, options.poisson);
  const mass = assembleMass(graph, mesh);
  const factor = factoriseBody(plan.factorPlan, graph, plan.neighbours, stiffness, mesh, {
    ...hooks,
    onProgress: (stage, fraction) => hooks.onProgress?.(stage, FACTOR_SHARE * fraction),
  });
  const rows = Int32Array.from(surface.nodes, (node) => graph.freeOf[node]);
  const compliance = condense(plan, factor, rows, hooks);
  const modes = vibrationModes(graph, stiffness, mass, factor, plan.modes, (fraction) => {
    throwIfCancelled(hooks.signal);
    hooks.onProgress?.('vibration modes', COMPLIANCE_SHARE + (1 - COMPLIANCE_SHARE) * fraction);
  });
  const weights = nodalVolumes(graph, mesh);
  const body = {
    tetrahedra: mesh,
    poisson: options.poisson,
    surface: surface.mesh,
    surfaceNodes: surface.nodes,
    fixedVertices: Uint8Array.from(rows, (node) => (node < 0 ? 1 : 0)),
    columnOf,
    columnCount,
    compliance,
    modeStiffness: modes.stiffness,
    modeShapes: shapesOnSurface(modes, graph, rows),
    weightResponse: weightResponse(factor, weights, rows),
    modeWeight: modeWeight(modes, weights),
    volume: tetrahedraVolume(mesh),
  };
  hooks.onProgress?.('vibration modes', 1);
  return body;
}

/** Factors a stiffness; a body that is held too loosely, which only the numbers show, becomes an error in words. */
export function factoriseBody(
  plan: FactorPlan,
  graph: NodeGraph,
  neighbours: Neighbourhood,
  stiffness: Float64Array,
  mesh: TetrahedralMesh,
  hooks: BuildHooks = {},
): BlockFactor {
  const factor = factorise(plan, graph, neighbours, stiffness, hooks);
  if ('values' in factor) return factor;
  throw new PalpableError(
    'mesh-invalid',
    `The body can move without a force near ${placeOf(mesh, graph.nodeOf[factor.node])}: it hangs there by a single node or edge like a hinge, or its Dirichlet nodes are too close to a line; join the tetrahedra by faces, or fix nodes further apart.`,
  );
}

function condense(plan: ElasticPlan, factor: BlockFactor, rows: Int32Array, hooks: BuildHooks): Float32Array {
  const { columnOf, columnCount } = plan;
  const compliance = new Float32Array(9 * rows.length * columnCount);
  condenseColumns(compliance, createCondensation(factor, rows, columnOf), 0, columnCount, (done) => {
    throwIfCancelled(hooks.signal);
    const fraction = FACTOR_SHARE + ((COMPLIANCE_SHARE - FACTOR_SHARE) * done) / columnCount;
    hooks.onProgress?.('compliance of the surface', fraction);
  });
  return compliance;
}

function shapesOnSurface({ stiffness, shapes }: VibrationModes, graph: NodeGraph, rows: Int32Array): Float64Array {
  const count = stiffness.length;
  const size = 3 * graph.count;
  const onSurface = new Float64Array(3 * rows.length * count);
  rows.forEach((node, vertex) => {
    if (node < 0) return;
    for (let i = 0; i < 3; i += 1) {
      for (let mode = 0; mode < count; mode += 1) {
        onSurface[(3 * vertex + i) * count + mode] = shapes[mode * size + 3 * node + i];
      }
    }
  });
  return onSurface;
}

function weightResponse(factor: BlockFactor, weights: Float64Array, rows: Int32Array): Float64Array {
  const size = 3 * weights.length;
  const x = new Float64Array(3 * size);
  for (let axis = 0; axis < 3; axis += 1) {
    for (let node = 0; node < weights.length; node += 1) x[axis * size + 3 * node + axis] = weights[node];
  }
  solveFactor(x, factor, createSolveWorkspace(factor), 3);
  const response = new Float64Array(9 * rows.length);
  rows.forEach((node, vertex) => {
    if (node < 0) return;
    for (let i = 0; i < 3; i += 1) {
      for (let axis = 0; axis < 3; axis += 1) response[9 * vertex + 3 * i + axis] = x[axis * size + 3 * node + i];
    }
  });
  return response;
}

function modeWeight({ stiffness, shapes }: VibrationModes, weights: Float64Array): Float64Array {
  const loads = new Float64Array(3 * stiffness.length);
  for (let mode = 0; mode < stiffness.length; mode += 1) {
    for (let node = 0; node < weights.length; node += 1) {
      for (let i = 0; i < 3; i += 1) {
        loads[3 * mode + i] += weights[node] * shapes[3 * (mode * weights.length + node) + i];
      }
    }
  }
  return loads;
}
