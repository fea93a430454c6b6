import { PalpableError } from '../base/errors.js';
import { square } from '../math/portable.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { assembleMass, assembleStiffness, multiplyBlocks, multiplyScalars } from './assemble.js';
import { checkElasticInput } from './check-elastic.js';
import { dissect } from './dissection.js';
import { planFactor } from './factor-plan.js';
import { createNeighbourhood, createNodeGraph } from './node-graph.js';
import { freePositions } from './plan-elastic.js';
import { factoriseBody } from './prepare-elastic-body.js';
import { createSolveWorkspace, solveFactor } from './solve.js';

/*
 * All nodes of a body through time: the reference that the condensed body is judged by, for tests and studies. Implicit
 * Euler (Duriez et al., Eq. 27) with Rayleigh damping D = αM + βK:
 *
 *     K̃ u = f + (M/Δt² + D/Δt) u₋ + (M/Δt) u̇₋,     K̃ = M/Δt² + D/Δt + K,     u̇ = (u − u₋)/Δt.
 *
 * It damps fast vibrations by itself, the more the longer the step, and is stable for any step.
 */

/** An isotropic, linearly elastic material with Rayleigh damping. */
export interface ElasticMaterial {
  /** Young's modulus, Pa. */
  readonly young: number;
  /** Poisson's ratio, above −1 and below 0.5. */
  readonly poisson: number;
  /** kg/m³ */
  readonly density: number;
  /** α of D = αM + βK, 1/s: damps slow vibrations, as if the body moved in a liquid. 0 unless given. */
  readonly massDamping?: number;
  /** β, s: damps fast vibrations, as the material does. 0 unless given. */
  readonly stiffnessDamping?: number;
}

/** Material, supports and time step of a reference simulation. */
export interface ElasticDynamicsOptions extends ElasticMaterial {
  /** Dirichlet nodes. */
  readonly fixed: Uint32Array;
  /** s */
  readonly timeStep: number;
  /** Mass matrix; `consistent` unless given. */
  readonly mass?: 'consistent' | 'lumped';
}

/** Implicit Euler integration of linear elasticity with every node of the mesh. */
export interface ElasticDynamics {
  /** m and m/s, three numbers per node of the mesh; may be set before a step. Those of fixed nodes stay zero. */
  readonly displacements: Float64Array;
  readonly velocities: Float64Array;
  /** One time step under forces, N, three numbers per node of the mesh. */
  step(forces: Float64Array): void;
  /** ½ u̇ᵀM u̇ + ½ uᵀK u, J. */
  energy(): number;
}

/**
 * Factors the system matrix of one time step. Full resolution and slow: a reference for tests, not for the haptic
 * cycle.
 */
export function createElasticDynamics(mesh: TetrahedralMesh, options: ElasticDynamicsOptions): ElasticDynamics {
  checkElasticInput(mesh, options.poisson, options.fixed);
  checkMaterial(options);
  const { young, density, timeStep, massDamping = 0, stiffnessDamping = 0 } = options;
  const graph = createNodeGraph(mesh, options.fixed);
  const neighbours = createNeighbourhood(graph);
  const stiffness = assembleStiffness(graph, mesh, options.poisson).map((value) => young * value);
  const mass = assembleMass(graph, mesh, options.mass).map((value) => density * value);
  const massShare = 1 / square(timeStep) + massDamping / timeStep;
  const stiffnessShare = stiffnessDamping / timeStep;
  const system = stiffness.map(
    (value, i) =>
      (1 + stiffnessShare) * value +
      (i % 9 === 0 || i % 9 === 4 || i % 9 === 8 ? massShare * mass[Math.floor(i / 9)] : 0),
  );
  const plan = planFactor(dissect(freePositions(mesh, graph), neighbours), neighbours);
  const factor = factoriseBody(plan, graph, neighbours, system, mesh);
  const workspace = createSolveWorkspace(factor);
  const size = 3 * graph.count;
  const [u, v, old, load, product] = Array.from({ length: 5 }, () => new Float64Array(size));
  const displacements = new Float64Array(mesh.positions.length);
  const velocities = new Float64Array(mesh.positions.length);

  function gather(free: Float64Array, nodal: Float64Array): void {
    for (let i = 0; i < size; i += 1) free[i] = nodal[3 * graph.nodeOf[Math.floor(i / 3)] + (i % 3)];
  }

  function scatter(nodal: Float64Array, free: Float64Array): void {
    for (let i = 0; i < size; i += 1) nodal[3 * graph.nodeOf[Math.floor(i / 3)] + (i % 3)] = free[i];
  }

  return {
    displacements,
    velocities,
    step(forces) {
      gather(old, displacements);
      gather(v, velocities);
      gather(u, forces);
      for (let i = 0; i < size; i += 1) load[i] = massShare * old[i] + v[i] / timeStep;
      multiplyScalars(product, graph, mass, load);
      for (let i = 0; i < size; i += 1) u[i] += product[i];
      multiplyBlocks(product, graph, stiffness, old);
      for (let i = 0; i < size; i += 1) u[i] += stiffnessShare * product[i];
      solveFactor(u, factor, workspace);
      for (let i = 0; i < size; i += 1) v[i] = (u[i] - old[i]) / timeStep;
      scatter(displacements, u);
      scatter(velocities, v);
    },
    energy() {
      gather(u, displacements);
      gather(v, velocities);
      multiplyBlocks(product, graph, stiffness, u);
      multiplyScalars(load, graph, mass, v);
      let sum = 0;
      for (let i = 0; i < size; i += 1) sum += u[i] * product[i] + v[i] * load[i];
      return sum / 2;
    },
  };
}

function checkMaterial(options: ElasticDynamicsOptions): void {
  for (const name of ['young', 'density', 'timeStep', 'massDamping', 'stiffnessDamping'] as const) {
    const mayBeZero = name === 'massDamping' || name === 'stiffnessDamping';
    const value = options[name] ?? 0;
    if (Number.isFinite(value) && (mayBeZero ? value >= 0 : value > 0)) continue;
    throw new PalpableError(
      'option-invalid',
      `The body's ${name} is ${value}, but must be a finite number ${mayBeZero ? 'not below' : 'above'} 0; correct it.`,
      name,
    );
  }
}
