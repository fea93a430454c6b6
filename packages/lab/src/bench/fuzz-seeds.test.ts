import { auditMesh, readMesh } from '@palpable/engine';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { describe, expect, it } from 'vitest';
import { isStepCase, makeFuzzCase } from './fuzz-mutate.js';
import { type FuzzSeed, fuzzSeeds } from './fuzz-seeds.js';

const seeds = await fuzzSeeds();
const own = seeds.filter(({ format }) => format !== 'step');

describe('files that fuzzing starts from', () => {
  it.each(own)('$name is valid and holds the sphere', async ({ name, format, bytes }: FuzzSeed) => {
    const file = await readMesh(bytes, { fileName: name, meshoptDecoder: MeshoptDecoder });
    expect(file).toMatchObject({ format, warnings: [] });
    // The sphere's 0.0292 m², and a bit more where a file adds a face or moves a vertex.
    const { area } = auditMesh(file.mesh).largestComponents[0];
    expect(area).toBeGreaterThan(0.0291);
    expect(area).toBeLessThan(0.0312);
  });

  it('covers every format', () => {
    expect(new Set(seeds.map(({ format }) => format))).toEqual(new Set(['stl', 'obj', 'ply', 'off', 'gltf', 'step']));
  });
});

describe('mutated files', () => {
  it('follow from seed and number, and differ from the valid ones', () => {
    for (let index = 0; index < 300; index++) {
      const one = makeFuzzCase(seeds, 4, index);
      const again = makeFuzzCase(seeds, 4, index);
      expect(Buffer.compare(one.bytes, again.bytes), `case ${index}`).toBe(0);
      expect(one.seed.format === 'step', `case ${index}`).toBe(isStepCase(index));
      expect(one.mutations.length, `case ${index}`).toBeGreaterThan(0);
    }
    const changed = Array.from({ length: 300 }, (_, index) => makeFuzzCase(seeds, 4, index)).filter(
      ({ bytes, seed }) => Buffer.compare(bytes, seed.bytes) !== 0,
    );
    expect(changed.length).toBeGreaterThan(280);
  });
});
