import { dot } from '../math/vectors.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { findEntry, type NodeGraph } from './node-graph.js';
import { shapeGradients } from './shape-gradients.js';

/*
 * Linear tetrahedra of an isotropic material of Young's modulus 1 Pa and density 1 kg/m³. Displacements are small and
 * linear in each tetrahedron, so strain and stress are constant there. The matrices of a real material are E times and
 * ρ times these; only Poisson's ratio does not factor out.
 *
 * With Lamé's numbers λ and μ, volume V and shape gradients g, the 3×3 block of corners a and b is
 *
 *     K_ab = V (λ g_a g_bᵀ + μ g_b g_aᵀ + μ (g_a · g_b) 1),     M_ab = V/20 (1 + δ_ab) 1.
 */

/** Lamé's two numbers at a Young's modulus of 1 Pa. */
export function lameNumbers(poisson: number): { readonly lambda: number; readonly mu: number } {
  return { lambda: poisson / ((1 + poisson) * (1 - 2 * poisson)), mu: 0.5 / (1 + poisson) };
}

/** The stiffness K₁, N/m at 1 Pa: 9 numbers per entry of the graph, block of (row, column) row by row. */
export function assembleStiffness(graph: NodeGraph, mesh: TetrahedralMesh, poisson: number): Float64Array {
  const { lambda, mu } = lameNumbers(poisson);
  const stiffness = new Float64Array(9 * graph.rows.length);
  const gradients = new Float64Array(12);
  for (let tetrahedron = 0; tetrahedron < mesh.tetrahedra.length / 4; tetrahedron += 1) {
    const volume = shapeGradients(gradients, mesh, tetrahedron);
    forLowerPairs(graph, mesh, tetrahedron, (entry, a, b) => {
      addStiffness(stiffness, 9 * entry, gradients, 3 * a, 3 * b, volume * lambda, volume * mu);
    });
  }
  return stiffness;
}

function addStiffness(
  stiffness: Float64Array,
  at: number,
  gradients: Float64Array,
  a: number,
  b: number,
  lambda: number,
  mu: number,
): void {
  const product = mu * dot(gradients, a, gradients, b);
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < 3; j += 1) {
      stiffness[at + 3 * i + j] +=
        lambda * (gradients[a + i] * gradients[b + j]) + mu * (gradients[b + i] * gradients[a + j]);
    }
    stiffness[at + 4 * i] += product;
  }
}

/**
 * The mass M₁, kg at 1 kg/m³: one number per entry of the graph, the same along all axes. `consistent` is that of the
 * shape functions; `lumped` has each node carry its share of the volume and nothing off the diagonal.
 */
export function assembleMass(
  graph: NodeGraph,
  mesh: TetrahedralMesh,
  kind: 'consistent' | 'lumped' = 'consistent',
): Float64Array {
  const mass = new Float64Array(graph.rows.length);
  const gradients = new Float64Array(12);
  const onDiagonal = kind === 'lumped' ? 1 / 4 : 1 / 10;
  const offDiagonal = kind === 'lumped' ? 0 : 1 / 20;
  for (let tetrahedron = 0; tetrahedron < mesh.tetrahedra.length / 4; tetrahedron += 1) {
    const volume = shapeGradients(gradients, mesh, tetrahedron);
    forLowerPairs(graph, mesh, tetrahedron, (entry, a, b) => {
      mass[entry] += volume * (a === b ? onDiagonal : offDiagonal);
    });
  }
  return mass;
}

/** ∫ N_a over the body for every free node, m³: what one unit of acceleration of the whole body loads it with. */
export function nodalVolumes(graph: NodeGraph, mesh: TetrahedralMesh): Float64Array {
  const lumped = assembleMass(graph, mesh, 'lumped');
  return Float64Array.from({ length: graph.count }, (_, node) => lumped[graph.start[node]]);
}

/** Calls back for every pair of free corners of a tetrahedron, corner `a` being the row and `b` the column. */
function forLowerPairs(
  graph: NodeGraph,
  { tetrahedra }: TetrahedralMesh,
  tetrahedron: number,
  visit: (entry: number, a: number, b: number) => void,
): void {
  for (let a = 0; a < 4; a += 1) {
    const row = graph.freeOf[tetrahedra[4 * tetrahedron + a]];
    if (row < 0) continue;
    for (let b = 0; b < 4; b += 1) {
      const column = graph.freeOf[tetrahedra[4 * tetrahedron + b]];
      if (column >= 0 && column <= row) visit(findEntry(graph, row, column), a, b);
    }
  }
}

/** out = K x for blocks on the graph; three numbers per free node. */
export function multiplyBlocks(out: Float64Array, graph: NodeGraph, blocks: Float64Array, x: Float64Array): void {
  out.fill(0);
  for (let column = 0; column < graph.count; column += 1) {
    for (let entry = graph.start[column]; entry < graph.start[column + 1]; entry += 1) {
      const row = graph.rows[entry];
      for (let i = 0; i < 3; i += 1) {
        for (let j = 0; j < 3; j += 1) {
          const value = blocks[9 * entry + 3 * i + j];
          out[3 * row + i] += value * x[3 * column + j];
          if (row !== column) out[3 * column + j] += value * x[3 * row + i];
        }
      }
    }
  }
}

/** out = M x for one number per entry of the graph; three numbers per free node in `x`, beginning at `at` in both. */
export function multiplyScalars(
  out: Float64Array,
  graph: NodeGraph,
  scalars: Float64Array,
  x: Float64Array,
  at = 0,
): void {
  out.fill(0, at, at + 3 * graph.count);
  for (let column = 0; column < graph.count; column += 1) {
    const c = at + 3 * column;
    for (let entry = graph.start[column]; entry < graph.start[column + 1]; entry += 1) {
      const r = at + 3 * graph.rows[entry];
      const value = scalars[entry];
      for (let i = 0; i < 3; i += 1) {
        out[r + i] += value * x[c + i];
        if (r !== c) out[c + i] += value * x[r + i];
      }
    }
  }
}
