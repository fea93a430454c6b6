/** Meshes of several bodies, each where the scene puts it. */
import { createMesh, createPose, type Pose, type TriangleMesh } from '@palpable/engine';
import type { Bounds } from '@palpable/engine/advanced';
import { Box3, Matrix4, Quaternion, Vector3 } from 'three';
import type { StudioBody, StudioView } from './scene.js';

export interface PlacedMesh {
  readonly body: Pick<StudioBody, 'position' | 'rotation'>;
  readonly mesh: TriangleMesh;
}

/** Room around the bodies when all of them are in view. */
const VIEW_MARGIN = 1.12;

/** From the frame of each body to that of the first. */
export function framesToFirst(placed: readonly PlacedMesh[]): Matrix4[] {
  const toFirst = matrixOf(placed[0]!.body).invert();
  return placed.map(({ body }, k) => (k === 0 ? new Matrix4() : toFirst.clone().multiply(matrixOf(body))));
}

/** All meshes as one, in the frame of the first body. */
export function mergeMeshes(placed: readonly PlacedMesh[]): TriangleMesh {
  const [first] = placed;
  if (placed.length === 1) return first!.mesh;
  const frames = framesToFirst(placed);
  const positions: number[] = [];
  const triangles: number[] = [];
  const corner = new Vector3();
  for (const [k, { mesh }] of placed.entries()) {
    const toFrame = frames[k]!;
    const start = positions.length / 3;
    for (let at = 0; at < mesh.positions.length; at += 3) {
      corner.fromArray(mesh.positions as unknown as number[], at).applyMatrix4(toFrame);
      positions.push(corner.x, corner.y, corner.z);
    }
    for (const vertex of mesh.triangles) triangles.push(start + vertex);
  }
  return createMesh(Float64Array.from(positions), Uint32Array.from(triangles));
}

/** World bounds of all corners. */
export function boundsOf(placed: readonly PlacedMesh[]): Bounds {
  const box = new Box3();
  const corner = new Vector3();
  for (const { body, mesh } of placed) {
    const toWorld = matrixOf(body);
    for (let at = 0; at < mesh.positions.length; at += 3) {
      box.expandByPoint(corner.fromArray(mesh.positions as unknown as number[], at).applyMatrix4(toWorld));
    }
  }
  return { min: box.min.toArray(), max: box.max.toArray() };
}

/** What to show so that all bodies are in view, with the floor under the lowest. */
export function viewOf(placed: readonly PlacedMesh[]): StudioView {
  const { min, max } = boundsOf(placed);
  const middle = (axis: number) => (min[axis]! + max[axis]!) / 2;
  const diagonal = Math.hypot(...max.map((high, axis) => high - min[axis]!));
  return {
    centre: [middle(0), middle(1), middle(2)],
    radius: (VIEW_MARGIN * diagonal) / 2,
    floor: min[2]!,
  };
}

export function poseOf({ position, rotation }: PlacedMesh['body']): Pose {
  return createPose(...position, ...rotation);
}

function matrixOf({ position, rotation }: PlacedMesh['body']): Matrix4 {
  return new Matrix4().compose(new Vector3(...position), new Quaternion(...rotation), new Vector3(1, 1, 1));
}
