import type { TriangleMesh } from '@palpable/engine';
import { createRandom } from '@palpable/engine/advanced';

/** Triangles at random places in a cube of 1 m. */
export function triangleSoup(count: number): TriangleMesh {
  const random = createRandom(1);
  return {
    positions: Float64Array.from({ length: 9 * count }, () => random()),
    triangles: Uint32Array.from({ length: 3 * count }, (_, n) => n),
  };
}

/** A tray of 100 × 60 × 20 mm, open above, of five panels with gaps of half a millimetre between them. */
export function looseTray(cellsAlong: number): TriangleMesh {
  const [length, width, height, gap] = [0.1, 0.06, 0.02, 0.0005];
  const positions: number[] = [];
  const triangles: number[] = [];
  const addPanel = (origin: readonly number[], u: readonly number[], v: readonly number[]) => {
    const start = positions.length / 3;
    const at = (i: number, j: number) => start + i + (cellsAlong + 1) * j;
    for (let j = 0; j <= cellsAlong; j += 1) {
      for (let i = 0; i <= cellsAlong; i += 1) {
        for (let axis = 0; axis < 3; axis += 1) {
          positions.push(origin[axis]! + (u[axis]! * i + v[axis]! * j) / cellsAlong);
        }
        if (i === cellsAlong || j === cellsAlong) continue;
        triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
      }
    }
  };
  addPanel([0, 0, -gap], [0, width, 0], [length, 0, 0]);
  addPanel([0, -gap, 0], [length, 0, 0], [0, 0, height]);
  addPanel([0, width + gap, 0], [0, 0, height], [length, 0, 0]);
  addPanel([-gap, 0, 0], [0, 0, height], [0, width, 0]);
  addPanel([length + gap, 0, 0], [0, width, 0], [0, 0, height]);
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}
