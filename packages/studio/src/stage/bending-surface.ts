/**
 * A surface whose vertices move: those of bodies that bend. At the creases of its rest shape a vertex is split into one
 * for each side, once; from then on new normals are only sums over triangles.
 */
import type { TriangleMesh } from '@palpable/engine';
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from 'three';
import { shadeMesh } from '../scene/creased-normals.js';

export type BendingSurface = Readonly<ReturnType<typeof createBendingSurface>>;

export function createBendingSurface(mesh: TriangleMesh) {
  const { index, vertexOf } = splitAtCreases(mesh);
  const count = vertexOf.length;
  const places = Float32Array.from(mesh.positions);
  const colours = new Float32Array(mesh.positions.length).fill(1);
  const position = dynamicAttribute(count);
  const color = dynamicAttribute(count);
  const geometry = new BufferGeometry()
    .setIndex(new BufferAttribute(index, 1))
    .setAttribute('position', position)
    .setAttribute('normal', dynamicAttribute(count))
    .setAttribute('color', color);
  const refresh = () => {
    gather(position.array as Float32Array, places, vertexOf);
    gather(color.array as Float32Array, colours, vertexOf);
    for (const attribute of [position, color]) attribute.needsUpdate = true;
    geometry.computeVertexNormals();
    // Whoever points at it asks for the sphere around it first.
    geometry.computeBoundingSphere();
    geometry.computeBoundingBox();
  };
  refresh();
  return {
    geometry,
    /** By vertex of the mesh, to be written by whoever knows better: where it is, m, three numbers each. */
    places,
    /** And its colour, in the renderer's linear numbers. */
    colours,
    /** Takes both over into the next frame. */
    refresh,
  };
}

function dynamicAttribute(count: number): BufferAttribute {
  return new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
}

/** Tetrahedra cut off the edges of a body in small slopes, which are not to be seen one by one, radians. */
const CREASE_ANGLE = 1.15;

/** Corners that share a vertex and a normal are drawn as one. */
export function splitAtCreases(mesh: TriangleMesh): { index: Uint32Array; vertexOf: Uint32Array } {
  const { positions, triangles, cornerNormals: normals } = shadeMesh(mesh, CREASE_ANGLE);
  const index = new Uint32Array(triangles.length);
  const vertexOf: number[] = [];
  /** The corner that each was made from, and the one made of the same vertex before. */
  const madeFrom: number[] = [];
  const before: number[] = [];
  const newest = new Int32Array(positions.length / 3).fill(NONE);
  const hasSameNormal = (a: number, b: number) =>
    normals[3 * a] === normals[3 * b] &&
    normals[3 * a + 1] === normals[3 * b + 1] &&
    normals[3 * a + 2] === normals[3 * b + 2];
  for (let corner = 0; corner < triangles.length; corner += 1) {
    const vertex = triangles[corner]!;
    let split = newest[vertex]!;
    while (split !== NONE && !hasSameNormal(corner, madeFrom[split]!)) split = before[split]!;
    if (split === NONE) {
      split = vertexOf.push(vertex) - 1;
      madeFrom.push(corner);
      before.push(newest[vertex]!);
      newest[vertex] = split;
    }
    index[corner] = split;
  }
  return { index, vertexOf: Uint32Array.from(vertexOf) };
}

const NONE = -1;

function gather(out: Float32Array, source: Float32Array, vertexOf: Uint32Array): void {
  for (let n = 0; n < vertexOf.length; n += 1) {
    const from = 3 * vertexOf[n]!;
    out[3 * n] = source[from]!;
    out[3 * n + 1] = source[from + 1]!;
    out[3 * n + 2] = source[from + 2]!;
  }
}
