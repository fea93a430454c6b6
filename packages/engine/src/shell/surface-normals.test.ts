import { describe, expect, it } from 'vitest';
import { analyseSurface } from './surface.js';
import { SurfaceNormals } from './surface-normals.js';

/** Two squares that share the edge from (0,0,0) to (0,1,0): one in the plane z = 0, one rising at `angle` beside it. */
function hinge(angle: number) {
  const [x, z] = [Math.cos(angle), Math.sin(angle)];
  return {
    positions: Float64Array.of(-1, 0, 0, 0, 0, 0, 0, 1, 0, -1, 1, 0, x, 0, z, x, 1, z),
    triangles: Uint32Array.of(0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2),
  };
}

function normalAt(
  mesh: ReturnType<typeof hinge>,
  creaseAngle: number,
  triangle: number,
  second: number,
  third: number,
) {
  const normals = new SurfaceNormals(mesh, analyseSurface(mesh), creaseAngle);
  const out = new Float64Array(3);
  normals.write(triangle, second, third, out, 0);
  return [...out];
}

const DEGREE = Math.PI / 180;

describe('SurfaceNormals', () => {
  it('turns smoothly over an edge below the crease angle', () => {
    const angle = 20 * DEGREE;
    const onEdge = normalAt(hinge(angle), 30 * DEGREE, 0, 1, 0);
    // Corner 1 of the first triangle: a right angle of the flat square, and two half right angles of the other.
    expect(onEdge[0]).toBeCloseTo(-Math.sin(angle / 2), 12);
    expect(onEdge[2]).toBeCloseTo(Math.cos(angle / 2), 12);
    expect(normalAt(hinge(angle), 30 * DEGREE, 1, 0, 1)).toEqual([0, 0, 1]);
  });

  it('stays sharp over an edge above the crease angle', () => {
    const mesh = hinge(40 * DEGREE);
    expect(normalAt(mesh, 30 * DEGREE, 0, 1, 0)).toEqual([0, 0, 1]);
    const rising = normalAt(mesh, 30 * DEGREE, 2, 0, 0);
    expect(rising[0]).toBeCloseTo(-Math.sin(40 * DEGREE), 12);
  });

  it('keeps face normals at the crease angle 0 and smooths a right angle at π', () => {
    expect(normalAt(hinge(20 * DEGREE), 0, 0, 1, 0)).toEqual([0, 0, 1]);
    const [x, , z] = normalAt(hinge(90 * DEGREE), Math.PI, 0, 1, 0);
    expect(x).toBeCloseTo(-Math.SQRT1_2, 12);
    expect(z).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it('does not let inconsistently wound neighbours cancel each other', () => {
    const mesh = hinge(0);
    mesh.triangles.set([1, 5, 4, 1, 2, 5], 6);
    expect(normalAt(mesh, 30 * DEGREE, 0, 1, 0)).toEqual([0, 0, 1]);
    expect(normalAt(mesh, Math.PI, 2, 0.2, 0.2)).toEqual([0, 0, -1]);
  });

  it('treats an edge of three triangles as a crease', () => {
    const mesh = {
      positions: Float64Array.of(0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0.1, 1, 0, -0.1),
      triangles: Uint32Array.of(0, 1, 2, 1, 0, 3, 1, 0, 4),
    };
    expect(normalAt(mesh, 30 * DEGREE, 0, 0.5, 0)).toEqual([0, 0, 1]);
  });
});
