import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeKeysAsMarkdown } from './describe-keys.js';
import { sceneJsonSchema } from './json-schema.js';
import { listParameters } from './list-parameters.js';

const root = new URL('../../../../', import.meta.url);
const toUpdate = 'out of date: run `node scripts/describe-scenes.mjs`';

test('scenes/schema.json is what the description gives', () => {
  const schema = JSON.parse(readFileSync(new URL('scenes/schema.json', root), 'utf8'));
  expect(schema, toUpdate).toEqual(JSON.parse(JSON.stringify(sceneJsonSchema())));
});

test('the tables of docs/scene-file.md are what the description gives', () => {
  expect(readFileSync(new URL('docs/scene-file.md', root), 'utf8'), toUpdate).toContain(describeKeysAsMarkdown());
});

describe('the description', () => {
  const listed = listParameters();

  test('names every key once', () => {
    const paths = listed.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toContain('bodies.*.field.resolution');
    expect(paths).toContain('friction.pairs[].dynamicRegions[].min');
  });

  test.each(listed.map(({ path, parameter }) => [path, parameter] as const))('%s has one sentence', (_, parameter) => {
    expect(parameter.meaning).toMatch(/^[A-ZÀ-Ö][^\n]*\.$/);
    if (parameter.extremes) expect(parameter.extremes).toMatch(/^[A-Z0-9][^\n]*\.$/);
  });

  test('every number has a range, and a default within it', () => {
    for (const { path, parameter } of listed) {
      if (parameter.kind !== 'number') continue;
      const { min, above, max, default: value } = parameter;
      expect(min ?? above, path).toBeDefined();
      expect(max, path).toBeDefined();
      if (typeof value !== 'number') continue;
      expect(value, path).toBeGreaterThanOrEqual((min ?? above)!);
      expect(value, path).toBeLessThanOrEqual(max!);
    }
  });
});
