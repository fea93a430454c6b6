import { lengthOf, square } from '../math/portable.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { lameNumbers } from './assemble.js';
import type { ElasticBody } from './elastic-body.js';
import { shapeGradients } from './shape-gradients.js';

/**
 * Stress in a tetrahedron, Pa: σ = λ tr(ε) 1 + 2με as xx, yy, zz, xy, yz, zx in `out`. `displacements` has three
 * numbers per node of the mesh. For tests and offline studies.
 */
export function tetrahedronStress(
  out: Float64Array,
  mesh: TetrahedralMesh,
  tetrahedron: number,
  displacements: Float64Array,
  young: number,
  poisson: number,
): void {
  const gradients = new Float64Array(12);
  shapeGradients(gradients, mesh, tetrahedron);
  const slope = new Float64Array(9);
  for (let corner = 0; corner < 4; corner += 1) {
    const node = 3 * mesh.tetrahedra[4 * tetrahedron + corner];
    for (let i = 0; i < 3; i += 1) {
      for (let j = 0; j < 3; j += 1) slope[3 * i + j] += displacements[node + i] * gradients[3 * corner + j];
    }
  }
  const { lambda, mu } = lameNumbers(poisson);
  const pressure = young * lambda * (slope[0] + slope[4] + slope[8]);
  for (let i = 0; i < 3; i += 1) out[i] = pressure + 2 * young * mu * slope[4 * i];
  out[3] = young * mu * (slope[1] + slope[3]);
  out[4] = young * mu * (slope[5] + slope[7]);
  out[5] = young * mu * (slope[2] + slope[6]);
}

/** The von Mises stress of xx, yy, zz, xy, yz, zx: the pull along one axis that would strain the material as hard. */
export function vonMises(stress: Float64Array): number {
  const [xx, yy, zz, xy, yz, zx] = stress;
  const normal = square(xx - yy) + square(yy - zz) + square(zz - xx);
  return Math.sqrt(normal / 2 + 3 * (xy * xy + yz * yz + zx * zx));
}

/** The energy that a displacement of the nodes stores, J; one number per tetrahedron in `out`, and their sum. */
export function strainEnergy(
  out: Float64Array,
  mesh: TetrahedralMesh,
  displacements: Float64Array,
  young: number,
  poisson: number,
): number {
  const stress = new Float64Array(6);
  const gradients = new Float64Array(12);
  let total = 0;
  for (let tetrahedron = 0; tetrahedron < out.length; tetrahedron += 1) {
    const volume = shapeGradients(gradients, mesh, tetrahedron);
    tetrahedronStress(stress, mesh, tetrahedron, displacements, young, poisson);
    const [xx, yy, zz, xy, yz, zx] = stress;
    const trace = xx + yy + zz;
    const square = xx * xx + yy * yy + zz * zz + 2 * (xy * xy + yz * yz + zx * zx);
    out[tetrahedron] = (volume * ((1 + poisson) * square - poisson * trace * trace)) / (2 * young);
    total += out[tetrahedron];
  }
  return total;
}

/** What of the rest surface the stress colours need: per triangle two axes in it and two shape gradients in them. */
export interface SurfaceStress {
  readonly triangles: Uint32Array;
  readonly poisson: number;
  /** Per triangle: axis s, axis t, the gradients of its second and third corner along s and t, and its area. */
  readonly frames: Float64Array;
  /** 1/m² by vertex: one over the area of the triangles around it. */
  readonly inverseArea: Float64Array;
}

const FRAME = 11;

/** Precomputes what `surfaceStress` needs for the surface of a body. */
export function createSurfaceStress({ surface, poisson }: Pick<ElasticBody, 'surface' | 'poisson'>): SurfaceStress {
  const { triangles, positions } = surface;
  const count = triangles.length / 3;
  const frames = new Float64Array(FRAME * count);
  const inverseArea = new Float64Array(positions.length / 3);
  for (let triangle = 0; triangle < count; triangle += 1) {
    fillFrame(frames, FRAME * triangle, surface, triangle);
    for (let corner = 0; corner < 3; corner += 1) {
      inverseArea[triangles[3 * triangle + corner]] += frames[FRAME * triangle + 10];
    }
  }
  for (let vertex = 0; vertex < inverseArea.length; vertex += 1) inverseArea[vertex] = 1 / inverseArea[vertex];
  return { triangles, poisson, frames, inverseArea };
}

function fillFrame(frames: Float64Array, at: number, { positions, triangles }: TriangleMesh, triangle: number): void {
  const [a, b, c] = triangles.subarray(3 * triangle, 3 * triangle + 3);
  const edge = (to: number, i: number) => positions[3 * to + i] - positions[3 * a + i];
  const first = [edge(b, 0), edge(b, 1), edge(b, 2)];
  const second = [edge(c, 0), edge(c, 1), edge(c, 2)];
  const along = lengthOf(first);
  const s = first.map((value) => value / along);
  const shear = s[0] * second[0] + s[1] * second[1] + s[2] * second[2];
  const rest = second.map((value, i) => value - shear * s[i]);
  const height = lengthOf(rest);
  frames.set(s, at);
  frames.set(
    rest.map((value) => value / height),
    at + 3,
  );
  // In the plane: a = (0, 0), b = (along, 0), c = (shear, height).
  frames.set([1 / along, -shear / (along * height), 0, 1 / height, (along * height) / 2], at + 6);
}

/**
 * Von Mises stress at the vertices of the surface, Pa, without the inside of the body: the strain along each triangle is
 * known from its corners, and nothing pulls at a free surface, which gives plane stress in the triangle's frame s, t:
 *
 *     σ_ss = E/(1 − ν²) (ε_ss + ν ε_tt),     σ_tt likewise,     σ_st = E/(1 + ν) ε_st.
 *
 * Triangles count by their area. Where something presses on the surface the pressure itself is missing. `displacements`
 * has three numbers per vertex. Does not allocate.
 */
export function surfaceStress(
  out: Float64Array,
  surface: SurfaceStress,
  displacements: Float64Array,
  young: number,
): void {
  const { triangles, frames, inverseArea, poisson } = surface;
  const normalScale = young / (1 - poisson * poisson);
  const shearScale = young / (2 + 2 * poisson);
  for (let vertex = 0; vertex < inverseArea.length; vertex += 1) out[vertex] = 0;
  for (let corner = 0, at = 0; corner < triangles.length; corner += 3, at += FRAME) {
    const a = 3 * triangles[corner];
    const b = 3 * triangles[corner + 1];
    const c = 3 * triangles[corner + 2];
    let bs = 0;
    let bt = 0;
    let cs = 0;
    let ct = 0;
    for (let i = 0; i < 3; i += 1) {
      const byB = displacements[b + i] - displacements[a + i];
      const byC = displacements[c + i] - displacements[a + i];
      bs += byB * frames[at + i];
      bt += byB * frames[at + 3 + i];
      cs += byC * frames[at + i];
      ct += byC * frames[at + 3 + i];
    }
    const ss = bs * frames[at + 6] + cs * frames[at + 8];
    const tt = bt * frames[at + 7] + ct * frames[at + 9];
    const twist = bs * frames[at + 7] + cs * frames[at + 9] + bt * frames[at + 6] + ct * frames[at + 8];
    const stressS = normalScale * (ss + poisson * tt);
    const stressT = normalScale * (tt + poisson * ss);
    const shear = shearScale * twist;
    const mises = Math.sqrt(stressS * stressS - stressS * stressT + stressT * stressT + 3 * shear * shear);
    const weighed = mises * frames[at + 10];
    out[triangles[corner]] += weighed;
    out[triangles[corner + 1]] += weighed;
    out[triangles[corner + 2]] += weighed;
  }
  for (let vertex = 0; vertex < inverseArea.length; vertex += 1) out[vertex] *= inverseArea[vertex];
}
