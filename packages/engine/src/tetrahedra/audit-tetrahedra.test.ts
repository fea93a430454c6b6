import { describe, expect, it } from 'vitest';
import { auditMesh } from '../mesh/audit.js';
import { auditTetrahedra } from './audit-tetrahedra.js';
import { describeTetrahedraAudit, tetrahedraProblems } from './describe-tetrahedra.js';
import { nodesInBall, nodesInBox } from './select-nodes.js';
import { surfaceOf } from './surface-of.js';
import { createTetrahedralMesh, type TetrahedralMesh, tetrahedraVolume } from './tetrahedral-mesh.js';

/** A unit cube as five tetrahedra; nodes 0 to 7 by the bits x, y, z. */
// biome-ignore format: a table
const CUBE = [0, 1, 2, 4,  3, 2, 1, 7,  5, 4, 7, 1,  6, 7, 4, 2,  1, 2, 4, 7];

function cube(tetrahedra = CUBE): TetrahedralMesh {
  const positions = new Float64Array(24);
  for (let node = 0; node < 8; node++) positions.set([node & 1, (node >> 1) & 1, node >> 2], 3 * node);
  return createTetrahedralMesh(positions, Uint32Array.from(tetrahedra));
}

/** A regular tetrahedron of edge 1. */
function regular(): TetrahedralMesh {
  const s = Math.sqrt(1 / 8);
  return createTetrahedralMesh(Float64Array.of(s, s, s, -s, s, -s, s, -s, -s, -s, -s, s), Uint32Array.of(0, 1, 2, 3));
}

describe('the audit', () => {
  it('finds a cube of five sound', () => {
    const audit = auditTetrahedra(cube());
    expect(audit.volume).toBeCloseTo(1, 12);
    expect(tetrahedraVolume(cube())).toBeCloseTo(1, 12);
    expect(audit).toMatchObject({
      nodes: 8,
      unusedNodes: 0,
      coincidentNodes: 0,
      tetrahedra: 5,
      components: 1,
      largestComponent: 5,
      overlappingFaces: 0,
      surfaceTriangles: 12,
      surfaceNodes: 8,
      surfaceClosed: true,
      nonManifoldEdges: 0,
      pinchedNodes: 0,
      smallestEdge: 1,
      size: [1, 1, 1],
    });
    expect(audit.largestEdge).toBeCloseTo(Math.SQRT2, 12);
    expect(audit.smallestDihedral).toBeCloseTo(Math.acos(1 / Math.sqrt(3)), 12);
    expect(audit.largestDihedral).toBeCloseTo(Math.PI / 2, 12);
    expect(audit.dihedralHistogram.reduce((sum, count) => sum + count)).toBe(30);
    expect(tetrahedraProblems(cube())).toEqual([]);
    expect(describeTetrahedraAudit(audit).join(' ')).toContain('5 tetrahedra on 8 nodes, in one piece');
  });

  it('knows the angle of a regular tetrahedron', () => {
    const { smallestDihedral, largestDihedral, volume } = auditTetrahedra(regular());
    expect(smallestDihedral).toBeCloseTo(Math.acos(1 / 3), 12);
    expect(largestDihedral).toBeCloseTo(Math.acos(1 / 3), 12);
    expect(Math.abs(volume)).toBeCloseTo(Math.SQRT2 / 12, 12);
  });

  it('lists inverted and flat elements', () => {
    const turned = cube(CUBE.with(4, 1).with(6, 3));
    expect(auditTetrahedra(turned).inverted).toEqual({ count: 1, first: [1] });
    expect(tetrahedraProblems(turned).join(' ')).toMatch(/^1 element is inverted \(2\)/);
    const flat = cube([...CUBE, 0, 1, 2, 3]);
    expect(auditTetrahedra(flat).flat).toEqual({ count: 1, first: [5] });
    expect(tetrahedraProblems(flat).join(' ')).toMatch(/1 element is flat \(6\), without volume/);
  });

  it('counts pieces over faces: what hangs on an edge is a joint', () => {
    // Two corners of the cube that share no face.
    const corners = cube([...CUBE.slice(0, 4), ...CUBE.slice(12, 16)]);
    const audit = auditTetrahedra(corners);
    expect(audit.components).toBe(2);
    expect(audit.nonManifoldEdges + audit.pinchedNodes).toBeGreaterThan(0);
    expect(tetrahedraProblems(corners).join(' ')).toMatch(/2 pieces that share no faces/);
  });

  it('sees a mesh that was torn at doubled nodes', () => {
    const { positions, tetrahedra } = cube();
    const torn = createTetrahedralMesh(
      Float64Array.of(...positions, ...positions),
      Uint32Array.from(tetrahedra, (node, i) => (i < 4 ? node + 8 : node)),
    );
    const audit = auditTetrahedra(torn);
    expect(audit).toMatchObject({ components: 2, coincidentNodes: 3, unusedNodes: 5 });
    expect(tetrahedraProblems(torn).join(' ')).toMatch(/3 nodes coincide with others; merge them/);
  });

  it('sees doubled elements', () => {
    const doubled = cube([...CUBE, ...CUBE.slice(16)]);
    expect(auditTetrahedra(doubled).overlappingFaces).toBe(4);
    expect(tetrahedraProblems(doubled).join(' ')).toMatch(/duplicated or overlap/);
  });

  it('says that there is nothing', () => {
    expect(tetrahedraProblems({ positions: new Float64Array(0), tetrahedra: new Uint32Array(0) })).toHaveLength(1);
  });
});

describe('the surface', () => {
  it('faces outward, with the nodes in order', () => {
    const { mesh, nodes } = surfaceOf(cube());
    const audit = auditMesh(mesh);
    expect(audit).toMatchObject({ triangles: 12, closed: true, misorientedTriangles: 0 });
    expect(audit.volume).toBeCloseTo(1, 12);
    expect(nodes).toEqual(Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7));
  });

  it('names the node of every vertex', () => {
    const { mesh, nodes } = surfaceOf(cube(CUBE.slice(12, 16)));
    expect(nodes).toEqual(Uint32Array.of(2, 4, 6, 7));
    nodes.forEach((node, vertex) => {
      expect(mesh.positions.slice(3 * vertex, 3 * vertex + 3)).toEqual(cube().positions.slice(3 * node, 3 * node + 3));
    });
  });
});

describe('choosing nodes', () => {
  it('finds those in a box and in a ball', () => {
    const { positions } = cube();
    expect(nodesInBox(positions, [0, 0, 0.5], [1, 0, 1])).toEqual(Uint32Array.of(4, 5));
    expect(nodesInBall(positions, [0, 0, 0], 1)).toEqual(Uint32Array.of(0, 1, 2, 4));
  });
});

describe('creating a mesh', () => {
  it.each([
    ['half a node', [0, 0], [], /threes/],
    ['no elements', [0, 0, 0], [], /no tetrahedra/],
    ['a node that is not there', [0, 0, 0], [0, 0, 0, 1], /Tetrahedron 1 uses node 2 but there are only 1 nodes/],
    ['a coordinate that is no number', [0, Number.NaN, 0], [0, 0, 0, 0], /Node 1 .* not a finite number/],
    ['a coordinate beyond reason', [0, 1e9, 0], [0, 0, 0, 0], /1\.00e\+9 m/],
  ])('refuses %s', (_, positions, tetrahedra, message) => {
    expect(() => createTetrahedralMesh(Float64Array.from(positions), Uint32Array.from(tetrahedra))).toThrow(message);
  });
});
