import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import {
  BRICK_CELLS,
  BRICK_NODES,
  BRICK_SIZE,
  brickNodeIndex,
  cellCount,
  coarseNodeCount,
  coarseNodeIndex,
  type DistanceField,
  type FieldGrid,
} from './distance-field.js';
import { cellsWithMixedCorners, joinLevels, neighboursAcrossMixedFaces, spreadSigns } from './join-levels.js';
import { sampleDistance } from './sample-field.js';

const grid: FieldGrid = { voxelSize: 1, origin: new Float64Array(3), cells: Int32Array.of(4, 3, 2) };
const cellAt = (i: number, j: number, k: number) => i + 4 * (j + 3 * k);

/** A brick with the values of a function of its node numbers. */
function brickOf(value: (i: number, j: number, k: number) => number): Float32Array {
  const values = new Float32Array(BRICK_SIZE);
  for (let k = 0; k < BRICK_NODES; k += 1) {
    for (let j = 0; j < BRICK_NODES; j += 1) {
      for (let i = 0; i < BRICK_NODES; i += 1) values[brickNodeIndex(i, j, k)] = value(i, j, k);
    }
  }
  return values;
}

describe('cells to look into', () => {
  it('are those without a brick whose corners differ in sign', () => {
    const coarse = new Float32Array(coarseNodeCount(grid)).fill(1);
    coarse[coarseNodeIndex(grid, 1, 1, 0)] = -1;
    const around = [cellAt(0, 0, 0), cellAt(1, 0, 0), cellAt(0, 1, 0), cellAt(1, 1, 0)];
    expect(cellsWithMixedCorners(grid, coarse, new Map())).toEqual(around);
    expect(cellsWithMixedCorners(grid, coarse, new Map([[around[1], new Float32Array(0)]]))).toEqual([
      around[0],
      around[2],
      around[3],
    ]);
    expect(cellsWithMixedCorners(grid, coarse.fill(-1), new Map())).toEqual([]);
  });

  it('are the neighbours behind the faces on which the sign changes', () => {
    const here = cellAt(1, 1, 0);
    const last = BRICK_CELLS;
    // One negative node in the middle of a face.
    const faces: readonly (readonly [(i: number, j: number, k: number) => boolean, number[]])[] = [
      [(i, j, k) => i === 0 && j === 4 && k === 4, [cellAt(0, 1, 0)]],
      [(i, j, k) => i === last && j === 4 && k === 4, [cellAt(2, 1, 0)]],
      [(i, j, k) => j === 0 && i === 4 && k === 4, [cellAt(1, 0, 0)]],
      [(i, j, k) => j === last && i === 4 && k === 4, [cellAt(1, 2, 0)]],
      // Below there is nothing.
      [(i, j, k) => k === 0 && i === 4 && j === 4, []],
      [(i, j, k) => k === last && i === 4 && j === 4, [cellAt(1, 1, 1)]],
      [(i, j, k) => i === 4 && j === 4 && k === 4, []],
    ];
    for (const [isNegative, expected] of faces) {
      const values = brickOf((i, j, k) => (isNegative(i, j, k) ? -1 : 1));
      expect(neighboursAcrossMixedFaces(grid, new Map([[here, values]]))).toEqual(expected);
    }
    const edge = brickOf((i, j) => (i === last && j === last ? -1 : 1));
    const bricks = new Map([
      [here, edge],
      [cellAt(2, 1, 0), brickOf(() => 1)],
    ]);
    expect(neighboursAcrossMixedFaces(grid, bricks)).toEqual([cellAt(1, 2, 0), cellAt(1, 1, 1)]);
  });
});

describe('signs of the coarse nodes', () => {
  it('spread from the bricks and stop at them', () => {
    // A wall of bricks at i = 1: negative on its left side, positive on its right.
    const coarse = new Float32Array(coarseNodeCount(grid)).fill(9);
    const brickOfCell = new Int32Array(cellCount(grid)).fill(-1);
    const wall = [0, 1].flatMap((k) => [0, 1, 2].map((j) => cellAt(1, j, k)));
    const values = new Float32Array(wall.length * BRICK_SIZE);
    wall.forEach((cell, brick) => {
      brickOfCell[cell] = brick;
      values.set(
        brickOf((i) => i - 4),
        brick * BRICK_SIZE,
      );
    });
    spreadSigns(grid, coarse, brickOfCell, values);
    for (let k = 0; k <= 2; k += 1) {
      for (let j = 0; j <= 3; j += 1) {
        const row = [0, 1, 2, 3, 4].map((i) => coarse[coarseNodeIndex(grid, i, j, k)]);
        expect(row).toEqual([-9, -4, 4, 9, 9]);
      }
    }
  });
});

describe('joining the levels', () => {
  it('makes bricks and cells without one agree on all that they share, and says by how much it moved nodes', () => {
    const random = createRandom(1);
    const bricks: Float32Array[] = [];
    const brickOfCell = new Int32Array(cellCount(grid)).fill(-1);
    for (let cell = 0; cell < cellCount(grid); cell += 1) {
      if (random() < 0.5) continue;
      brickOfCell[cell] = bricks.length;
      bricks.push(brickOf(() => 0));
    }
    // One smooth function, so that neighbouring bricks begin with the same numbers.
    const smooth = (x: number, y: number, z: number) => Math.fround(Math.sin(x / 7) + Math.cos(y / 5) + z * z * 0.01);
    const values = new Float32Array(bricks.length * BRICK_SIZE);
    const coarse = new Float32Array(coarseNodeCount(grid));
    for (let k = 0; k <= 2; k += 1) {
      for (let j = 0; j <= 3; j += 1) {
        for (let i = 0; i <= 4; i += 1) coarse[coarseNodeIndex(grid, i, j, k)] = smooth(8 * i, 8 * j, 8 * k);
      }
    }
    brickOfCell.forEach((brick, cell) => {
      if (brick < 0) return;
      const [ci, cj, ck] = [cell % 4, Math.floor(cell / 4) % 3, Math.floor(cell / 12)];
      values.set(
        brickOf((i, j, k) => smooth(8 * ci + i, 8 * cj + j, 8 * ck + k)),
        brick * BRICK_SIZE,
      );
    });
    const before = values.slice();
    const errors = joinLevels(grid, coarse, brickOfCell, values);
    const field = { ...grid, coarse, brickOf: brickOfCell, bricks: values } as DistanceField;
    for (let n = 0; n < 5000; n += 1) {
      const p = [0, 1, 2].map((axis) => {
        const cells = grid.cells[axis];
        return (axis + n) % 3 <= n % 2 ? 8 * Math.floor(1 + random() * (cells - 1)) : 8 * cells * random();
      });
      const nudge = [0, 1, 2].map(() => (random() < 0.5 ? -1e-6 : 1e-6));
      const at = (sign: number) =>
        sampleDistance(field, p[0] + sign * nudge[0], p[1] + sign * nudge[1], p[2] + sign * nudge[2]);
      expect(Math.abs(at(1) - at(-1)), `${p}`).toBeLessThan(1e-5);
    }
    errors.forEach((error, brick) => {
      let largest = 0;
      for (let n = brick * BRICK_SIZE; n < (brick + 1) * BRICK_SIZE; n += 1) {
        largest = Math.max(largest, Math.abs(values[n] - before[n]));
      }
      expect(error).toBeGreaterThanOrEqual(largest * (1 - 1e-6));
      expect(error).toBeLessThanOrEqual(largest * (1 + 1e-6) + 1e-6);
    });
    expect(errors.some((error) => error > 0.1)).toBe(true);
  });
});
