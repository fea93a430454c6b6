import { describe, expect, it } from 'vitest';
import { isPalpableError } from '../base/errors.js';
import { createRandom } from '../base/random.js';
import { buildField } from '../field/build-field.js';
import { BRICK_SIZE, brickNodeIndex, type DistanceField } from '../field/distance-field.js';
import { sampleDistance } from '../field/sample-field.js';
import { massProperties } from '../mesh/mass-properties.js';
import { createBox, createSphere, createTorus } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { auditTetrahedra, type TetrahedraAudit } from './audit-tetrahedra.js';
import { tetrahedraProblems } from './describe-tetrahedra.js';
import { type MeshedSolid, meshTetrahedra } from './mesh-tetrahedra.js';
import { surfaceOf } from './surface-of.js';

const DEGREE = Math.PI / 180;

async function meshed(mesh: TriangleMesh, elementSize: number): Promise<MeshedSolid> {
  return meshTetrahedra(await buildField(mesh, { voxelSize: elementSize / 2 }), { elementSize });
}

/** What holds whatever the shape is. */
function expectSound(audit: TetrahedraAudit): void {
  expect(audit.inverted.count + audit.flat.count + audit.overlappingFaces + audit.unusedNodes).toBe(0);
  expect(audit.surfaceClosed).toBe(true);
  expect(audit.smallestDihedral).toBeGreaterThan(10.7 * DEGREE);
  expect(audit.largestDihedral).toBeLessThan(164.8 * DEGREE);
}

function expectManifold(audit: TetrahedraAudit): void {
  expect([audit.components, audit.nonManifoldEdges, audit.pinchedNodes]).toEqual([1, 0, 0]);
}

/** A field of independent random values, the worst that can happen, with a border outside; voxels of 1 m. */
function noiseField(seed: number, bias: number): DistanceField {
  const cells = 2;
  const n = 8 * cells + 1;
  const random = createRandom(seed);
  const valueAt = Float32Array.from({ length: n ** 3 }, (_, node) => {
    const place = [node % n, Math.floor(node / n) % n, Math.floor(node / n ** 2)];
    const value = 2 * random() - 1 + bias;
    return place.some((i) => i < 3 || i > n - 4) ? Math.abs(value) + 0.001 : value;
  });
  const bricks = new Float32Array(cells ** 3 * BRICK_SIZE);
  for (let brick = 0; brick < cells ** 3; brick++) {
    const [x, y, z] = [8 * (brick % 2), 8 * ((brick >> 1) % 2), 8 * (brick >> 2)];
    for (let node = 0; node < BRICK_SIZE; node++) {
      const [i, j, k] = [node % 9, Math.floor(node / 9) % 9, Math.floor(node / 81)];
      bricks[brick * BRICK_SIZE + brickNodeIndex(i, j, k)] = valueAt[x + i + n * (y + j + n * (z + k))];
    }
  }
  return {
    voxelSize: 1,
    origin: new Float64Array(3),
    cells: Int32Array.of(cells, cells, cells),
    coarse: new Float32Array((cells + 1) ** 3).fill(1),
    brickOf: Int32Array.from({ length: cells ** 3 }, (_, i) => i),
    bricks,
    brickErrors: new Float32Array(cells ** 3),
    band: 100,
    offset: 0,
    closed: true,
    bounds: Float64Array.of(2, 2, 2, 8 * cells - 2, 8 * cells - 2, 8 * cells - 2),
  };
}

describe('meshing a solid', () => {
  it('fills a sphere to within 1 % at an eighth of its radius, and converges', async () => {
    const sphere = createSphere(0.05, 16);
    const { volume } = massProperties(sphere, 1);
    const errors: number[] = [];
    for (const parts of [4, 8]) {
      const solid = await meshed(sphere, 0.05 / parts);
      const audit = auditTetrahedra(solid);
      expectSound(audit);
      expectManifold(audit);
      expect(solid.warnings).toEqual([]);
      expect(tetrahedraProblems(solid)).toEqual([]);
      errors.push(Math.abs(solid.volume / volume - 1));
    }
    expect(errors[1]).toBeLessThan(0.01);
    expect(errors[1]).toBeLessThan(errors[0] / 3);
  });

  it('puts the nodes of the surface on the zero surface of the field', async () => {
    const field = await buildField(createTorus(0.05, 0.015), { voxelSize: 0.002 });
    const { mesh } = surfaceOf(meshTetrahedra(field, { elementSize: 0.006 }));
    for (let i = 0; i < mesh.positions.length; i += 3) {
      const [x, y, z] = mesh.positions.subarray(i, i + 3);
      expect(Math.abs(sampleDistance(field, x, y, z))).toBeLessThan(1e-3 * field.voxelSize);
    }
  });

  it('keeps the hole of a torus and the corners of a box', async () => {
    const torus = auditTetrahedra(await meshed(createTorus(0.05, 0.015), 0.007));
    const box = auditTetrahedra(await meshed(createBox(0.1, 0.06, 0.04), 0.013));
    for (const audit of [torus, box]) {
      expectSound(audit);
      expectManifold(audit);
    }
    expect(Math.abs(torus.volume / (2 * Math.PI ** 2 * 0.05 * 0.015 ** 2) - 1)).toBeLessThan(0.03);
    // Euler's number of a closed surface is 2 − 2 × holes.
    expect(torus.surfaceNodes - torus.surfaceTriangles / 2).toBe(0);
    expect(box.surfaceNodes - box.surfaceTriangles / 2).toBe(2);
  });

  it('meets the faces of a box of whole elements exactly', async () => {
    const solid = await meshed(createBox(0.08, 0.04, 0.04), 0.01);
    const { size } = auditTetrahedra(solid);
    for (const [axis, side] of [0.08, 0.04, 0.04].entries()) expect(size[axis]).toBeCloseTo(side, 8);
  });

  it.each([1, 2, 3, 4])('keeps its angles on noise (seed %i)', (seed) => {
    for (const elementSize of [1.2, 1.7]) {
      for (const bias of [-0.3, 0]) {
        const solid = meshTetrahedra(noiseField(seed, bias), { elementSize, largestOnly: false });
        expectSound(auditTetrahedra(solid));
      }
    }
  });

  it('gives the same bits again', async () => {
    const field = await buildField(createSphere(0.02, 8), { voxelSize: 0.002 });
    const [one, other] = [0, 1].map(() => meshTetrahedra(field, { elementSize: 0.006 }));
    expect(other.positions).toEqual(one.positions);
    expect(other.tetrahedra).toEqual(one.tetrahedra);
  });

  it('reports progress and can be cancelled', async () => {
    const field = await buildField(createSphere(0.02, 8), { voxelSize: 0.002 });
    const fractions: number[] = [];
    meshTetrahedra(field, { elementSize: 0.006 }, { onProgress: (_, fraction) => fractions.push(fraction) });
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
    const cancelled = () => meshTetrahedra(field, { elementSize: 0.006 }, { signal: { aborted: true } });
    expect(cancelled).toThrow('cancelled');
  });
});

/** The box turned about the axis (1, 2, 3), so that it lies askew in the lattice. */
function askew(mesh: TriangleMesh): TriangleMesh {
  const [x, y, z] = [1, 2, 3].map((component) => component / Math.sqrt(14));
  const positions = mesh.positions.slice();
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
  for (let i = 0; i < positions.length; i += 3) {
    const [a, b, d] = mesh.positions.subarray(i, i + 3);
    const along = (1 - c) * (x * a + y * b + z * d);
    positions[i] = c * a + s * (y * d - z * b) + along * x;
    positions[i + 1] = c * b + s * (z * a - x * d) + along * y;
    positions[i + 2] = c * d + s * (x * b - y * a) + along * z;
  }
  return { positions, triangles: mesh.triangles };
}

describe('what cannot be meshed as asked', () => {
  it('tells of walls that are too thin, with a size that fills them', async () => {
    const plate = askew(createBox(0.08, 0.08, 0.008));
    const field = await buildField(plate, { voxelSize: 0.002 });
    const coarse = meshTetrahedra(field, { elementSize: 0.01 });
    expect(coarse.warnings.join(' ')).toMatch(/of the solid, walls about 0\.00\d+ m thick, got no elements/);
    expect(coarse.lost.thickness).toBeGreaterThan(0.006);
    expect(coarse.lost.thickness).toBeLessThan(0.009);
    const fine = await meshed(plate, coarse.lost.suggestedSize);
    expectManifold(auditTetrahedra(fine));
    expect(fine.volume / (0.08 * 0.08 * 0.008)).toBeGreaterThan(0.9);
  });

  it('refuses a solid that is too thin everywhere', async () => {
    const field = await buildField(askew(createBox(0.08, 0.08, 0.003)), { voxelSize: 0.001 });
    expect(() => meshTetrahedra(field, { elementSize: 0.02 })).toThrow(
      /No element of 0\.02 m fits into the solid.*about 0\.00\d+ m would do/,
    );
  });

  it('keeps the largest of several pieces and says so', async () => {
    const [large, small] = [createSphere(0.02, 8), createSphere(0.01, 8)];
    const moved = small.positions.map((value, i) => (i % 3 === 0 ? value + 0.05 : value));
    const both = {
      positions: Float64Array.of(...large.positions, ...moved),
      triangles: Uint32Array.of(
        ...large.triangles,
        ...small.triangles.map((vertex) => vertex + large.positions.length / 3),
      ),
    };
    const field = await buildField(both, { voxelSize: 0.0015 });
    const solid = meshTetrahedra(field, { elementSize: 0.004 });
    expect(solid.pieces).toBe(2);
    expect(solid.warnings.join(' ')).toMatch(/2 pieces .* only the largest was kept, with 8\d\.?\d? % of the volume/);
    expect(auditTetrahedra(solid).components).toBe(1);
    const all = meshTetrahedra(field, { elementSize: 0.004, largestOnly: false });
    expect(tetrahedraProblems(all).join(' ')).toMatch(/2 pieces that share no faces/);
  });

  it('says before the work that it would be too much, and what fits', async () => {
    const field = await buildField(createBox(0.1, 0.1, 0.1), { voxelSize: 0.004 });
    const refusal = (elementSize: number, maxNodes?: number) => {
      try {
        meshTetrahedra(field, { elementSize, ...(maxNodes !== undefined && { maxNodes }) });
      } catch (error) {
        if (isPalpableError(error)) return `${error.code}: ${error.message}`;
        throw error;
      }
      return 'none';
    };
    expect(refusal(0.0001)).toMatch(
      /too-large: .* 0\.0001 m makes about [\d,]+ lattice nodes, .* limit of [\d,]+; 0\.000\d+ m fits/,
    );
    const told = refusal(0.01, 1000);
    expect(told).toMatch(
      /too-large: An element size of 0\.01 m makes about [\d,]+ nodes, .* limit of 1,000; 0\.01\d* m fits/,
    );
    expect(refusal(Number(/; (0\.\d+) m fits/.exec(told)![1]), 1000)).toBe('none');
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) expect(refusal(bad)).toContain('option-invalid');
  });

  it('says that the field is too coarse', async () => {
    const field = await buildField(createSphere(0.05, 8), { voxelSize: 0.01 });
    expect(meshTetrahedra(field, { elementSize: 0.012 }).warnings.join(' ')).toMatch(/voxels of at most 0\.006 m/);
  });
});
