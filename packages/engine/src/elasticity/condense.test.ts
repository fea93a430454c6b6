import { describe, expect, it } from 'vitest';
import { choleskyFactor, choleskySolve } from '../math/linear-algebra.js';
import { surfaceOf } from '../tetrahedra/surface-of.js';
import { condenseColumns, createCondensation } from './condense.js';
import { boxMesh, buildSystem, denseMatrix, jittered, nodesWhere } from './meshes.fixture.js';

const mesh = jittered(boxMesh([6, 3, 3], [0.6, 0.3, 0.3]), 0.02, 5);
const fixed = nodesWhere(mesh, ([x]) => x < 0.05);
const { graph, stiffness, factor } = buildSystem(mesh, fixed, 0.35);
const rows = Int32Array.from(surfaceOf(mesh).nodes, (node) => graph.freeOf[node]);

function numbered(isLoaded: (row: number) => boolean) {
  let count = 0;
  const columnOf = rows.map((node, row) => (node >= 0 && isLoaded(row) ? count++ : -1));
  return { columnOf, count };
}

/** K⁻¹ of the dense matrix. */
function denseInverse(): Float64Array {
  const size = 3 * graph.count;
  const dense = denseMatrix(graph, stiffness);
  choleskyFactor(dense, size, 0);
  const inverse = new Float64Array(size * size);
  for (let column = 0; column < size; column += 1) {
    const x = inverse.subarray(column * size, (column + 1) * size);
    x[column] = 1;
    choleskySolve(x, dense, size);
  }
  return inverse;
}

describe('the condensed compliance', () => {
  const inverse = denseInverse();
  const largest = inverse.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

  it.each([
    ['all', () => true],
    ['every third', (row: number) => row % 3 === 0],
    ['one', (row: number) => row === 20],
  ])('equals the dense inverse when %s of the surface can be touched', (_, isLoaded) => {
    const { columnOf, count } = numbered(isLoaded);
    const compliance = new Float32Array(9 * rows.length * count);
    condenseColumns(compliance, createCondensation(factor, rows, columnOf), 0, count);
    const size = 3 * graph.count;
    let worst = 0;
    rows.forEach((node, row) => {
      rows.forEach((other, otherRow) => {
        const column = columnOf[otherRow];
        if (column < 0) return;
        for (let i = 0; i < 3; i += 1) {
          for (let j = 0; j < 3; j += 1) {
            const found = compliance[9 * (row * count + column) + 3 * i + j];
            const expected = node < 0 ? 0 : inverse[(3 * node + i) * size + 3 * other + j];
            worst = Math.max(worst, Math.abs(found - expected) / (Math.abs(expected) + 1e-6 * largest));
          }
        }
      });
    });
    // 24 bits of what is not next to nothing.
    expect(worst).toBeLessThan(1e-7);
  });

  it('is symmetric bit by bit', () => {
    const { columnOf, count } = numbered(() => true);
    const compliance = new Float32Array(9 * rows.length * count);
    condenseColumns(compliance, createCondensation(factor, rows, columnOf), 0, count);
    const at = (row: number, column: number, i: number, j: number) =>
      compliance[9 * (row * count + column) + 3 * i + j];
    let unequal = 0;
    columnOf.forEach((column, row) => {
      columnOf.forEach((otherColumn, otherRow) => {
        if (column < 0 || otherColumn < 0 || otherRow === row) return;
        for (let k = 0; k < 9; k += 1) {
          const [i, j] = [Math.floor(k / 3), k % 3];
          if (at(row, otherColumn, i, j) !== at(otherRow, column, j, i)) unequal += 1;
        }
      });
    });
    expect(unequal).toBe(0);
  });

  it('is the same when ranges of columns are computed apart, in any order', () => {
    const { columnOf, count } = numbered((row) => row % 4 !== 1);
    const condensation = createCondensation(factor, rows, columnOf);
    const whole = new Float32Array(9 * rows.length * count);
    const pieces = whole.slice();
    condenseColumns(whole, condensation, 0, count);
    for (const [from, to] of [
      [20, count],
      [3, 20],
      [0, 3],
    ])
      condenseColumns(pieces, condensation, from, to);
    expect(pieces).toEqual(whole);
  });
});
