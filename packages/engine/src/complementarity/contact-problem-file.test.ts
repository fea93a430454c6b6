import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { type ConeProblem, createConeProblem } from './cone-problem.js';
import { sampleConeProblem } from './cone-problems.fixture.js';
import { decodeContactProblem, encodeContactProblem } from './contact-problem-file.js';
import { readContactProblem } from './read-contact-problem.js';
import { readSiconosLcp, siconosKind } from './read-siconos.js';

const SEED = 20261119;

function bits(problem: ConeProblem): string[] {
  const { blocks, coefficient, column, count, diagonal, free, rowStart } = problem;
  const used = [
    rowStart.subarray(0, count + 1),
    column.subarray(0, rowStart[count]),
    blocks.subarray(0, 9 * rowStart[count]),
    diagonal.subarray(0, count),
    free.subarray(0, 3 * count),
    coefficient.subarray(0, count),
  ];
  return used.map((values) => new Uint8Array(values.slice().buffer).join());
}

describe('files of palpable', () => {
  test('keep every bit', () => {
    const problem = sampleConeProblem(createRandom(SEED), { contacts: 5, freedoms: 8, coefficient: 1 / 3 });
    problem.free[0] = -0;
    problem.blocks[1] = 5e-324;
    expect(bits(decodeContactProblem(encodeContactProblem(problem)))).toEqual(bits(problem));
    const empty = createConeProblem(0);
    expect(readContactProblem(encodeContactProblem(empty)).count).toBe(0);
  });

  test('cannot hold what is not finite', () => {
    const problem = sampleConeProblem(createRandom(SEED), { contacts: 2, freedoms: 8, coefficient: 0.5 });
    problem.free[4] = Number.NaN;
    expect(() => encodeContactProblem(problem)).toThrow('free[4] is NaN, expected a finite number');
  });

  const file = () =>
    JSON.parse(
      encodeContactProblem(sampleConeProblem(createRandom(SEED), { contacts: 2, freedoms: 8, coefficient: 0.5 })),
    );

  test.each<[string, (file: ReturnType<typeof JSON.parse>) => void, string]>([
    ['another version', (f) => (f.palpable = 2), 'palpable: found 2, expected 1'],
    ['too few numbers', (f) => f.free.pop(), 'free: found 5 numbers, expected 6'],
    ['a text among numbers', (f) => (f.free[1] = 'x'), 'free[1]: found x, expected a finite number'],
    ['null for NaN', (f) => (f.delassus.blocks[1][2] = null), 'delassus.blocks[11]: found null'],
    ['negative friction', (f) => (f.coefficients[1] = -0.1), 'Contact 1 has a coefficient of friction of -0.1'],
    ['a column beyond', (f) => (f.delassus.columns[0] = 7), 'delassus.columns[0]: found 7'],
    [
      'a row without diagonal',
      (f) => Object.assign(f.delassus, { columns: [1, 0, 0, 1], rows: [0, 1, 4] }),
      'found row 0 without its diagonal',
    ],
    ['a block twice', (f) => (f.delassus.columns = [0, 0, 0, 1]), 'a column twice in row 0'],
    ['rows that fall', (f) => (f.delassus.rows = [0, 5, 4]), 'delassus.rows[1]: found 5'],
    ['no matrix', (f) => delete f.delassus, 'delassus: found nothing, expected an object'],
  ])('refuse %s', (_, damage, expected) => {
    const damaged = file();
    damage(damaged);
    expect(() => readContactProblem(JSON.stringify(damaged))).toThrow(expected);
  });
});

describe('files of the Frictional Contact Library', () => {
  const local = {
    dim: 3,
    nc: 1,
    mu: [0.5],
    q: [-1, 2, 3],
    W: { rowptr: [0, 2, 3, 4], colidx: [0, 2, 1, 2], val: [4, 1, 5, 6] },
  };

  test('are read by compressed rows', () => {
    const problem = readContactProblem(JSON.stringify(local));
    expect([...problem.blocks]).toEqual([4, 0, 1, 0, 5, 0, 0, 0, 6]);
    expect([problem.count, ...problem.free, problem.coefficient[0]]).toEqual([1, -1, 2, 3, 0.5]);
  });

  test('are condensed where they give M and H', () => {
    // M = ((2, 1), (1, 1)) and 4: M⁻¹ = ((1, −1), (−1, 2)) and 1/4.
    const global = {
      dim: 3,
      nc: 1,
      mu: [0.5],
      f: [1, 0, 8],
      w: [0.5, 0, 0],
      M: { m: 3, n: 3, i: [0, 0, 1, 1, 2], j: [0, 1, 0, 1, 2], x: [2, 1, 1, 1, 4] },
      H: { m: 3, n: 3, i: [0, 1, 2], j: [0, 1, 2], x: [1, 1, 2] },
    };
    const problem = readContactProblem(JSON.stringify(global));
    const expected = [1, -1, 0, -1, 2, 0, 0, 0, 1];
    expected.forEach((value, i) => {
      expect(problem.blocks[i]).toBeCloseTo(value, 14);
    });
    expect([...problem.free].map((value) => Number(value.toFixed(12)))).toEqual([1.5, -1, 4]);
    const indefinite = { ...global, M: { ...global.M, x: [1, 1, 1, 1, 4] } };
    expect(() => readContactProblem(JSON.stringify(indefinite))).toThrow('expected a positive definite matrix');
  });

  test.each<[string, object, string]>([
    ['two dimensions', { dim: 2 }, 'dim: found 2, expected 3'],
    ['a wrong count', { nc: 2 }, 'nc: found 2, expected 1'],
    ['a short q', { q: [1] }, 'q: found 1 numbers, expected 3'],
    ['an index beyond', { W: { ...local.W, colidx: [0, 3, 1, 2] } }, 'W.colidx[1]: found 3'],
  ])('are refused with %s', (_, change, expected) => {
    expect(() => readContactProblem(JSON.stringify({ ...local, ...change }))).toThrow(expected);
  });
});

describe('files of Siconos', () => {
  const dense = '3\n1\n0\n3\n3\n3 3\n1 2 3\n4 5 6\n7 8 9\n-1 0.5 1e-3\n0.3\n';
  const blocks = '3 1 1 3 3 1 1 1 3 3 2 1 0 1 0 0 1 2 3 4 5 6 7 8 9 -1 0.5 1e-3 0.3 and words';

  test('are read column by column, full or in blocks', () => {
    for (const text of [dense, blocks]) {
      const problem = readContactProblem(text);
      expect([...problem.blocks]).toEqual([1, 4, 7, 2, 5, 8, 3, 6, 9]);
      expect([...problem.free, problem.coefficient[0]]).toEqual([-1, 0.5, 1e-3, 0.3]);
    }
  });

  test('are told apart by how they begin', () => {
    expect(siconosKind(dense)).toBe('contact');
    expect(siconosKind('2\n0\n2\n2\n2 2')).toBe('lcp');
    expect(siconosKind('1 0 1 1 1 1 5 -1')).toBe('lcp');
    expect(siconosKind('solid cube')).toBeUndefined();
    expect(siconosKind('')).toBeUndefined();
  });

  test('hold full matrices by columns, lower triangular ones and on demand by rows', () => {
    const text = '2 0 2 2 2 2 1 2 3 4 -1 -2';
    expect([...readSiconosLcp(text).matrix]).toEqual([1, 3, 2, 4]);
    expect([...readSiconosLcp(text, 'rows').matrix]).toEqual([1, 2, 3, 4]);
    const triangular = '2 0 2 2 2 2 1 0 2 1 -1 -2';
    expect([...readSiconosLcp(triangular).matrix]).toEqual([1, 0, 2, 1]);
    expect([...readSiconosLcp(triangular, 'columns').matrix]).toEqual([1, 2, 0, 1]);
  });

  test.each([
    ['in two dimensions', dense.replace('3', '2'), 'has 2 dimensions, expected 3'],
    ['cut short', dense.slice(0, 25), 'cut short'],
    ['with NaN', dense.replace('4', 'NaN'), 'Line 8 holds "NaN" where a finite number was expected'],
    ['not square', dense.replace('3\n3\n3 3', '3\n4\n3 3'), 'states a matrix of 4 columns, expected 3'],
    ['with negative friction', dense.replace('0.3', '-0.3'), 'coefficient of friction of -0.3'],
    ['of unknown storage', '3 2 7 6 6', 'holds the storage 7'],
    ['of huge sizes', '3 900000000 0 2700000000 2700000000', 'more than the 50000 that are read'],
    ['of sizes that the text cannot hold', '3 40000 0 120000 120000 120000 120000 1 2 3', 'cut short'],
    ['with blocks out of order', blocks.replace('0 1 0 0', '0 1 0 4'), 'begins block 4, expected block 0'],
    ['with block ends that fall', '3 2 1 6 6 2 2 2 3 3 3 6 3 2 0 1 2 0 1 0', 'do not rise'],
  ])('are refused %s', (_, text, expected) => {
    expect(() => readContactProblem(text)).toThrow(expected);
  });

  test(`damaged anywhere, are read or refused in a sentence, seed ${SEED}`, () => {
    const random = createRandom(SEED);
    const seeds = [dense, blocks, '2 0 2 2 2 2 1 2 3 4 -1 -2', '2 1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 2 3 4 -1 -2'];
    const bytes = ['', '9', '-', ' ', 'e', '.', '99999999', 'NaN', '\n', '0'];
    for (let n = 0; n < 3000; n += 1) {
      const text = seeds[n % seeds.length];
      const at = Math.floor(random() * text.length);
      const damaged =
        text.slice(0, at) + bytes[Math.floor(random() * bytes.length)] + text.slice(at + Math.round(random()));
      try {
        if (siconosKind(damaged) === 'lcp') readSiconosLcp(damaged);
        else readContactProblem(damaged);
      } catch (error) {
        expect((error as Error).name, damaged).toBe('PalpableError');
      }
    }
  });
});
