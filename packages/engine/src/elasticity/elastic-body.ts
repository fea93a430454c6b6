import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';

/**
 * A deformable body as the cycle needs it. Everything is for a Young's modulus of 1 Pa and a density of 1 kg/m³, so that
 * stiffness, density, damping and time step stay free: K = E K₁, M = ρ M₁.
 */
export interface ElasticBody {
  readonly tetrahedra: TetrahedralMesh;
  /** Poisson's ratio. */
  readonly poisson: number;
  /** At rest; vertex v is node surfaceNodes[v] of the tetrahedra. */
  readonly surface: TriangleMesh;
  readonly surfaceNodes: Uint32Array;
  /** 1 where a vertex of the surface is a Dirichlet node. */
  readonly fixedVertices: Uint8Array;
  /** Column of `compliance` by vertex, −1 for a vertex that cannot be touched, being fixed or not chosen. */
  readonly columnOf: Int32Array;
  readonly columnCount: number;
  /**
   * K₁⁻¹ on the surface: the 3×3 block (v, c), row by row at 9 (v · columnCount + c), is the displacement of vertex v
   * under a force on the vertex of column c. Zero for fixed vertices.
   */
  readonly compliance: Float32Array;
  /** λ of the slowest vibrations, K₁φ = λ M₁φ, ascending: ω² = λ E/ρ. */
  readonly modeStiffness: Float64Array;
  /** φ on the surface with φᵀM₁φ = 1: mode k along axis i of vertex v at (3v + i) · modeCount + k. */
  readonly modeShapes: Float64Array;
  /**
   * Displacement of the surface under unit acceleration of all of its mass along x, y, z: 3×3 per vertex, one column per
   * axis. Times ρ/E and the acceleration it is the sag under weight.
   */
  readonly weightResponse: Float64Array;
  /** What the same acceleration loads each mode with: mode k, axis i at 3k + i. */
  readonly modeWeight: Float64Array;
  /** m³ */
  readonly volume: number;
}

/** What to precompute for an elastic body, and within which limits. */
export interface ElasticOptions {
  /** How much the material thins when it is stretched: −1 to 0.5, both excluded. Near 0.5 linear tetrahedra lock. */
  readonly poisson: number;
  /** Dirichlet nodes: they do not move in the body's frame. */
  readonly fixed: Uint32Array;
  /** Nodes of the surface that contacts may load; all unless given. Fewer take less memory and time. */
  readonly touchable?: Uint32Array;
  /** Vibration modes to keep. Fewer: more of the motion follows loads at once, without inertia. */
  readonly modes?: number;
  /** Largest memory to use, bytes. */
  readonly maxBytes?: number;
}
