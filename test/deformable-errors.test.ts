import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBox, decodeAsset, isPalpableError, prepareBody, type TriangleMesh } from '@palpable/engine';
import { type PreparedElasticOptions, readTetrahedra, surfaceOf } from '@palpable/engine/advanced';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { palpable, workIn } from './lib/palpable.js';

// Bodies that cannot bend as they are: what is said of them, and that it is said before the long work starts.

const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));
const bar = createBox(0.1, 0.02, 0.02);
const END = { min: [-0.06, -1, -1], max: [-0.045, 1, 1] } as const;
const FAR = { min: [5, 5, 5], max: [6, 6, 6] } as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-bent-'));
  return workIn(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of tetrahedra in the format of Medit; nodes are counted from 0. */
function medit(nodes: readonly (readonly number[])[], tetrahedra: readonly (readonly number[])[]): string {
  const rows = (lists: readonly (readonly number[])[]) => lists.map((list) => `${list.join(' ')} 0`).join('\n');
  const counted = tetrahedra.map((corners) => corners.map((node) => node + 1));
  return (
    `MeshVersionFormatted 2\nDimension 3\nVertices\n${nodes.length}\n${rows(nodes)}\n` +
    `Tetrahedra\n${tetrahedra.length}\n${rows(counted)}\nEnd\n`
  );
}

const CORNER = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const FILES = {
  sound: medit(
    [...CORNER, [1, 1, 1]],
    [
      [0, 1, 2, 3],
      [1, 2, 3, 4],
    ],
  ),
  flat: medit(
    [...CORNER, [1, 1, 0]],
    [
      [0, 1, 2, 3],
      [0, 1, 2, 4],
    ],
  ),
  inverted: medit(
    [...CORNER, [1, 1, 1]],
    [
      [0, 1, 2, 3],
      [1, 3, 2, 4],
    ],
  ),
  apart: medit(
    [...CORNER, ...CORNER.map(([x, y, z]) => [x! + 5, y!, z!])],
    [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ],
  ),
};
const BASE = { min: [-1, -1, -1], max: [2, 2, 0.1] } as const;

async function refusal(
  mesh: TriangleMesh,
  elastic: Partial<PreparedElasticOptions>,
  { tetrahedra, maxBytes }: { tetrahedra?: Parameters<typeof prepareBody>[3]; maxBytes?: number } = {},
) {
  const stages: string[] = [];
  const hooks = { onProgress: (stage: string) => stages.push(stage), ...(maxBytes !== undefined && { maxBytes }) };
  const options = { field: null, shell: null, elastic: { poisson: 0.35, fixed: [END], modes: 2, ...elastic } };
  try {
    await prepareBody(mesh, options, hooks, tetrahedra ?? null);
  } catch (error) {
    if (!isPalpableError(error)) throw error;
    return { code: error.code, message: error.message, path: error.path, stages };
  }
  throw new Error('The body was prepared.');
}

describe('an elastic body that cannot be', () => {
  it.each([
    [
      "Poisson's ratio 0.5",
      { poisson: 0.5 },
      /^Poisson's ratio is 0\.5, but must be above −1 and below 0\.5.*give 0\.35/,
    ],
    ['a ratio that is no number', { poisson: Number.NaN }, /^Poisson's ratio is NaN/],
    ['nothing that holds it', { fixed: [] }, /^Nothing holds the body \(no Dirichlet nodes\).*name the part/],
    [
      'a held box beside it',
      { fixed: [END, FAR] },
      /\[5, 5, 5\] to \[6, 6, 6\] .*\(fixed\[1\]\) misses the body, which reaches from \[-0\.05.*move or widen the box\.$/,
    ],
    ['a touchable box beside it', { touchable: FAR }, /\(touchable\) misses the body.*move or widen/],
    ['elements of size 0', { elementSize: 0 }, /element size.* 0/i],
    ['elements of a negative size', { elementSize: -0.01 }, /element size.*-0\.01/i],
    ['a size that is no number', { elementSize: Number.NaN }, /element size.*NaN/i],
    [
      'far too many elements',
      { elementSize: 1e-4 },
      /makes about .* nodes, more than the limit of .*; 0\.\d+ m fits\.$/,
    ],
    [
      'more memory than is allowed',
      { elementSize: 0.0007 },
      /about [\d,]+ MB.*above the 1,500 MB at hand; take elements of 0\.00\d+ m/,
    ],
  ] as const)('is refused before anything is built: %s', async (_, options, sentence) => {
    const { message, stages } = await refusal(bar, options);
    expect(message).toMatch(sentence);
    expect(stages).toEqual([]);
  });

  it('is refused by the memory at hand, with elements that would fit', async () => {
    const { code, message, stages } = await refusal(bar, { elementSize: 0.002 }, { maxBytes: 1e7 });
    expect(code).toBe('too-large');
    expect(stages).toEqual([]);
    const size = Number(/take elements of (\S+) m or more/.exec(message)![1]);
    const options = { field: null, shell: null, elastic: { poisson: 0.35, fixed: [END], modes: 2, elementSize: size } };
    const { elastic } = await prepareBody(bar, options, { maxBytes: 4e7 });
    // The estimate is one of the compliance on wide faces.
    expect(elastic!.compliance.byteLength).toBeLessThan(2e7);
  });

  it('is refused when its elements are larger than its walls', async () => {
    const { message } = await refusal(createBox(0.1, 0.02, 0.0005), { elementSize: 0.004 });
    expect(message).toMatch(/^No element of 0\.004 m fits .* too thin .* about 0\.000\d+ m would do\.$/);
  });

  it('is refused when it is open and encloses nothing', async () => {
    const sheet = {
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
    };
    const { message } = await refusal(sheet, { fixed: [{ min: [-1, -1, -1], max: [0.1, 2, 1] }] });
    expect(message).toMatch(/^No element of .* fits into the solid.*a closed solid\.$/);
  });

  it.each([
    ['flat', /^1 element is flat \(2\), without volume: remove them or mesh the part again\.$/],
    ['inverted', /^1 element is inverted \(2\): their stiffness would be negative; repair the mesh/],
    ['apart', /no Dirichlet nodes to hold one of the 2 unconnected parts.*join the parts, or leave this one out\.$/],
  ] as const)('is refused for tetrahedra that are %s, by their numbers', async (name, sentence) => {
    const { mesh } = await readTetrahedra(`${name}.mesh`, new TextEncoder().encode(FILES[name]));
    const { message, stages } = await refusal(surfaceOf(mesh).mesh, { fixed: [BASE] }, { tetrahedra: mesh });
    expect(message).toMatch(sentence);
    expect(stages).toEqual([]);
  });
});

describe('palpable with bodies that cannot bend', () => {
  function scene(body: Record<string, unknown>, others: Record<string, unknown> = {}): string {
    const path = join(folder, 'scene.json');
    writeFileSync(
      path,
      JSON.stringify({
        palpable: 1,
        bodies: {
          plate: { mesh: { box: [0.2, 0.2, 0.02] }, ...others },
          part: { mesh: { box: [0.1, 0.02, 0.02] }, ...body },
        },
        tool: 'part',
        method: { kind: 'deformable' },
      }),
    );
    return path;
  }

  it.each([
    [
      'poisson 0.5',
      { deformable: { poisson: 0.5 } },
      {},
      /bodies\.part\.deformable\.poisson, .*found 0\.5, expected .*0\.49/,
    ],
    [
      'elements of 0',
      { deformable: { elementSize: 0 } },
      {},
      /bodies\.part\.deformable\.elementSize, .*found 0, expected .*above 0/,
    ],
    [
      'a box turned inside out',
      { deformable: { fixed: [{ min: [1, 0, 0], max: [0, 0, 0] }] } },
      {},
      /deformable\.fixed\[0\]/,
    ],
    [
      'an environment that nothing holds',
      {},
      { deformable: {} },
      /bodies\.plate\.deformable\.fixed.*Dirichlet nodes.*name the part/,
    ],
  ] as const)('validate tells it without preparing: %s', async (_, body, others, sentence) => {
    const done = await palpable('validate', scene(body, others));
    expect(done.stderr).toMatch(sentence);
    expect(done.status).toBe(1);
  });

  it.each([
    [
      'a box beside the body',
      { deformable: { fixed: [FAR] } },
      /scene\.json: bodies\.part: The box .* misses the body/,
    ],
    [
      'a mesh too large',
      { deformable: { fixed: [END], elementSize: 0.0006 } },
      /scene\.json: bodies\.part: .*take elements of/,
    ],
    [
      'a mesh without volume',
      { mesh: 'sheet.obj', deformable: { gripRadius: 0.3 } },
      /scene\.json: bodies\.part: No element .* fits/,
    ],
    [
      'a file with flat tetrahedra',
      { mesh: 'flat.mesh', deformable: { fixed: [BASE] } },
      /scene\.json: bodies\.part: .*1 element is flat \(2\)/,
    ],
  ] as const)('servo says it in one sentence and ends with 1: %s', (_, body, sentence) => {
    writeFileSync(join(folder, 'flat.mesh'), FILES.flat);
    writeFileSync(join(folder, 'sheet.obj'), 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n');
    const args = [program, 'servo', scene(body), '--seconds', '1'];
    const done = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 100_000 });
    expect(done.stderr).toMatch(sentence);
    expect(done.stderr.trim().split('\n')).toHaveLength(1);
    expect(done.status).toBe(1);
  });

  it('takes files of tetrahedra, describes them, and knows a spoilt asset', async () => {
    const path = join(folder, 'sound.mesh');
    writeFileSync(path, FILES.sound);
    const small = ['--resolution', '16', '--count', '20', '--out', folder];
    const done = await palpable('prepare', path, '--elastic', '--fixed=-1,-1,-1,2,2,0.1', ...small, '--json');
    expect(done.stderr).toBe('');
    const [row] = JSON.parse(done.stdout);
    expect(row.elastic).toMatchObject({ nodes: 5, tetrahedra: 2, surfaceNodes: 5, touchableNodes: 2, fixedNodes: 3 });
    expect(row.elastic.frequencies[0]).toBeGreaterThan(0);
    const asset = readFileSync(row.asset);
    expect(decodeAsset(asset).elastic!.columnCount).toBe(2);
    const spoilt = asset.slice();
    spoilt[spoilt.length - 40]! ^= 1;
    writeFileSync(row.asset, spoilt);
    const inspected = await palpable('inspect', row.asset);
    expect(inspected.status).toBe(1);
    expect(inspected.stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    [['--elastic'], /^palpable: --elastic: Nothing holds the body .*--fixed x0,y0,z0,x1,y1,z1/],
    [['--elastic', '--fixed=0,0,0,1,1'], /six numbers in metres/],
    [['--elastic', '--fixed=0,0,0,1,1,1', '--poisson', '0.5'], /from 0 to 0\.49/],
    [['--elastic', '--fixed=0,0,0,1,1,1', '--element-size', 'NaN'], /above zero/],
    [['--modes', '4'], /^palpable: --modes is for bodies that bend; add --elastic\.$/m],
  ])('prepare refuses %j', async (flags, sentence) => {
    const path = join(folder, 'sound.mesh');
    writeFileSync(path, FILES.sound);
    const done = await palpable('prepare', path, ...flags);
    expect(done.stderr).toMatch(sentence);
    expect(done.status).toBe(1);
  });
});
