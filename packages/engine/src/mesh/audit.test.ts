import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { auditMesh } from './audit.js';
import { cleanMesh } from './clean.js';
import { describeAudit } from './describe-audit.js';
import { orientMesh } from './orient.js';
import { createBox, createCylinder, createSphere } from './shapes.js';
import type { TriangleMesh } from './triangle-mesh.js';

function flipped(mesh: TriangleMesh): TriangleMesh {
  return { positions: mesh.positions, triangles: mesh.triangles.slice().reverse() };
}

function moved(mesh: TriangleMesh, x: number, y = 0, z = 0): TriangleMesh {
  return { positions: mesh.positions.map((value, i) => value + [x, y, z][i % 3]), triangles: mesh.triangles };
}

function joined(...meshes: TriangleMesh[]): TriangleMesh {
  const triangles: number[] = [];
  const positions: number[] = [];
  for (const mesh of meshes) {
    for (const vertex of mesh.triangles) triangles.push(vertex + positions.length / 3);
    positions.push(...mesh.positions);
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

function without(mesh: TriangleMesh, first: number, count: number): TriangleMesh {
  const keep = mesh.triangles.filter((_, corner) => corner < first * 3 || corner >= (first + count) * 3);
  return { positions: mesh.positions, triangles: keep };
}

function turnSome(mesh: TriangleMesh, turns: (triangle: number) => boolean): TriangleMesh {
  const triangles = mesh.triangles.slice();
  for (let i = 0; i < triangles.length; i += 3) if (turns(i / 3)) triangles.subarray(i, i + 3).reverse();
  return { positions: mesh.positions, triangles };
}

/** A band of `segments` quads with a half turn. */
function moebius(segments: number): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < segments; i++) {
    const angle = (2 * Math.PI * i) / segments;
    for (const side of [-0.2, 0.2]) {
      const radius = 1 + side * Math.cos(angle / 2);
      positions.push(radius * Math.cos(angle), radius * Math.sin(angle), side * Math.sin(angle / 2));
    }
    const last = i === segments - 1;
    const [a, b] = [2 * i, 2 * i + 1];
    const [c, d] = last ? [1, 0] : [2 * i + 2, 2 * i + 3];
    triangles.push(a, c, b, b, c, d);
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

const cube = createBox(1, 1, 1);
const cubeWithCavity = joined(createBox(3, 3, 3), flipped(cube));

describe('the audit', () => {
  it('finds nothing wrong with a cube', () => {
    expect(auditMesh(cube)).toMatchObject({
      triangles: 12,
      vertices: 8,
      edges: 18,
      components: 1,
      closedComponents: 1,
      openEdges: 0,
      nonManifoldEdges: 0,
      inconsistentEdges: 0,
      degenerateTriangles: 0,
      duplicateTriangles: 0,
      invertedComponents: 0,
      misorientedTriangles: 0,
      cavities: 0,
      size: [1, 1, 1],
      area: 6,
      closed: true,
    });
    expect(auditMesh(cube).volume).toBeCloseTo(1, 14);
    expect(describeAudit(auditMesh(cube)).join(' ')).toContain('Closed: it bounds a volume of 1 m³');
  });

  it('counts vertices by place, however the file stores them', () => {
    const soup = joined(...Array.from({ length: 12 }, (_, i) => without(without(cube, i + 1, 12), 0, i)));
    expect(soup.positions.length / 3).toBe(96);
    expect(auditMesh(soup)).toMatchObject({ vertices: 8, components: 1, closed: true });
  });

  it('finds the hole of an open cube and says what follows', () => {
    const audit = auditMesh(without(cube, 0, 2));
    expect(audit).toMatchObject({ openEdges: 4, closed: false, closedComponents: 0, misorientedTriangles: 0 });
    expect(describeAudit(audit)).toContain(
      'Open (4 open edges): the sign comes from winding numbers; the volume is not meaningful.',
    );
  });

  it('finds a cube that is inside out', () => {
    const audit = auditMesh(flipped(cube));
    expect(audit).toMatchObject({ closed: true, invertedComponents: 1, misorientedTriangles: 12 });
    expect(audit.largestComponents[0]).toMatchObject({ triangles: 12, closed: true, inverted: true });
    expect(audit.volume).toBeCloseTo(-1, 14);
    expect(describeAudit(audit).join(' ')).toContain('1 inverted piece: contact there would pull inward');
  });

  it('takes an inward cube in a cube for a cavity', () => {
    const audit = auditMesh(cubeWithCavity);
    expect(audit).toMatchObject({
      components: 2,
      closed: true,
      cavities: 1,
      invertedComponents: 0,
      misorientedTriangles: 0,
    });
    expect(audit.volume).toBeCloseTo(26, 12);
  });

  it('finds the edge that two cubes share', () => {
    const audit = auditMesh(joined(cube, moved(cube, 1, 1)));
    expect(audit).toMatchObject({ vertices: 14, components: 1, nonManifoldEdges: 1, openEdges: 0, closed: true });
    expect(describeAudit(audit).join(' ')).toContain('1 non-manifold edge (');
  });

  it('finds an inverted cube next to a good one, also when they share an edge', () => {
    const audit = auditMesh(joined(cube, moved(flipped(cube), 1, 1)));
    expect(audit).toMatchObject({ components: 1, invertedComponents: 1, misorientedTriangles: 12 });
  });

  it('knows a Möbius strip', () => {
    const audit = auditMesh(moebius(30));
    expect(audit).toMatchObject({
      components: 1,
      oneSidedComponents: 1,
      inconsistentEdges: 1,
      misorientedTriangles: 0,
      closed: false,
    });
    expect(describeAudit(audit).join(' ')).toContain('like a Möbius strip');
  });

  it('counts degenerate and duplicate triangles, but not the two sides of a sheet', () => {
    const triangles = [
      ...cube.triangles,
      0,
      0,
      1,
      ...cube.triangles.subarray(0, 3),
      cube.triangles[4],
      cube.triangles[5],
      cube.triangles[3],
    ];
    const audit = auditMesh({ positions: cube.positions, triangles: Uint32Array.from(triangles) });
    expect(audit).toMatchObject({ triangles: 15, degenerateTriangles: 1, duplicateTriangles: 2, closed: true });
    const sheet = {
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      triangles: Uint32Array.of(0, 1, 2, 2, 1, 0),
    };
    expect(auditMesh(sheet)).toMatchObject({ duplicateTriangles: 0, closed: true, volume: 0 });
  });
});

describe('orienting', () => {
  it('makes a sphere with randomly turned triangles whole again (seed 5)', () => {
    const random = createRandom(5);
    const sphere = createSphere(1, 8);
    const mixed = turnSome(sphere, () => random() < 0.4);
    expect(auditMesh(mixed).closed).toBe(false);
    const oriented = auditMesh(orientMesh(mixed));
    expect(oriented).toMatchObject({ closed: true, misorientedTriangles: 0 });
    expect(oriented.volume).toBeCloseTo(auditMesh(sphere).volume, 12);
  });

  it('turns a reversed part with its cavity, and keeps the cavity', () => {
    const audit = auditMesh(orientMesh(flipped(cubeWithCavity)));
    expect(audit).toMatchObject({ cavities: 1, misorientedTriangles: 0 });
    expect(audit.volume).toBeCloseTo(26, 12);
  });

  it('keeps a part inside of the cavity of another, and turns it if it is inside out', () => {
    const nested = joined(createBox(5, 5, 5), flipped(createBox(3, 3, 3)), flipped(cube));
    const audit = auditMesh(orientMesh(nested));
    expect(auditMesh(nested)).toMatchObject({ misorientedTriangles: 12, cavities: 1 });
    expect(audit.volume).toBeCloseTo(125 - 27 + 1, 10);
  });

  it('keeps outward parts that overlap or lie inside of each other', () => {
    expect(auditMesh(joined(createBox(3, 3, 3), cube)).misorientedTriangles).toBe(0);
    expect(auditMesh(joined(cube, moved(cube, 0.3, 0.4, 0.5))).misorientedTriangles).toBe(0);
  });

  it('judges open surfaces together: an inverted open cube turns, the wall of a hole does not', () => {
    const open = without(cube, 0, 2);
    expect(auditMesh(flipped(open))).toMatchObject({ misorientedTriangles: 10, invertedComponents: 1 });
    const tube = createCylinder(0.3, 1.2, 24);
    // Of every four triangles the first and the last are those of the ends.
    const wall = {
      positions: tube.positions,
      triangles: tube.triangles.filter((_, i) => Math.floor(i / 3) % 4 !== 0 && Math.floor(i / 3) % 4 !== 3),
    };
    expect(auditMesh(joined(open, flipped(wall)))).toMatchObject({ misorientedTriangles: 0 });
  });

  it('leaves a flat sheet as it is', () => {
    const sheet = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 2, 1) };
    expect(auditMesh(sheet)).toMatchObject({ misorientedTriangles: 0, components: 1, openEdges: 3 });
  });

  it('tells a thousand balls inside of a hollow one apart in no time', () => {
    const ball = createSphere(0.01, 2);
    const balls = Array.from({ length: 1000 }, (_, i) =>
      moved(ball, (i % 10) / 20 - 0.225, (Math.floor(i / 10) % 10) / 20 - 0.225, Math.floor(i / 100) / 20 - 0.225),
    );
    const audit = auditMesh(joined(createSphere(1, 40), flipped(createSphere(0.9, 40)), ...balls));
    expect(audit).toMatchObject({ components: 1002, cavities: 1, misorientedTriangles: 0, closed: true });
  });
});

describe('cleaning', () => {
  it('does all of it and says how much', () => {
    const triangles = [...turnSome(cube, (i) => i === 4).triangles, 0, 1, 1, ...cube.triangles.subarray(0, 3)];
    const dirty = {
      positions: Float64Array.from([...cube.positions, 9, 9, 9, ...cube.positions.subarray(0, 3)]),
      triangles: Uint32Array.from(triangles),
    };
    dirty.triangles[0] = 9;
    const { mesh, ...done } = cleanMesh(dirty);
    expect(done).toEqual({ mergedVertices: 2, degenerateTriangles: 1, duplicateTriangles: 1, turnedTriangles: 1 });
    expect(auditMesh(mesh)).toMatchObject({ triangles: 12, vertices: 8, closed: true, misorientedTriangles: 0 });
  });

  it('turns the long edge of a flat triangle instead of opening the surface', () => {
    // The first face of the cube gets a vertex in the middle of one edge, on one side only: a sliver fills the gap.
    const [a, b, c] = cube.triangles;
    const middle = [0, 1, 2].map((axis) => (cube.positions[a * 3 + axis] + cube.positions[b * 3 + axis]) / 2);
    const positions = Float64Array.from([...cube.positions, ...middle]);
    const triangles = Uint32Array.from([...cube.triangles.subarray(3), a, 8, c, 8, b, c, a, b, 8]);
    const dirty = { positions, triangles };
    expect(auditMesh(dirty)).toMatchObject({ degenerateTriangles: 1, closed: true });
    const { mesh, degenerateTriangles } = cleanMesh(dirty);
    const audit = auditMesh(mesh);
    expect(degenerateTriangles).toBe(0);
    expect(audit).toMatchObject({ triangles: 14, degenerateTriangles: 0, closed: true, openEdges: 0 });
    expect(audit.volume).toBeCloseTo(1, 14);
  });

  it('refuses a mesh of nothing but lines', () => {
    const line = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0), triangles: Uint32Array.of(0, 1, 2) };
    expect(() => cleanMesh(line)).toThrow('No triangle of the mesh has any area');
  });
});
