import { checkSceneValue } from '@palpable/engine';
import { expect, test } from 'vitest';
import { changedScene, FRICTION_CHOICES, METHOD_CHOICES, suitedMethods, variantsOf } from './variants.js';

const SCENE = { palpable: 1, bodies: { a: { mesh: { box: [1, 1, 1] } } }, tool: 'a', friction: { coefficient: 0.3 } };
const labels = (methods: string[], models: string[]) =>
  variantsOf(new Set(methods), new Set(models)).map(({ label }) => label);

test('methods and models multiply where a method has models', () => {
  expect(labels(['static-friction', 'penalty'], ['cone', 'gauss-seidel', 'none'])).toEqual([
    'Penalty',
    'Static friction, cone',
    'Static friction, Gauss–Seidel',
    'Static friction, no friction',
  ]);
  expect(labels(['god-object'], ['cone', 'pyramid', 'none'])).toEqual(['God object, no friction', 'God object']);
  expect(labels(['modular'], ['cone', 'none'])).toEqual(['Modular, no friction', 'Modular']);
  expect(labels(['god-object'], ['none'])).toEqual(['God object, no friction']);
  expect(labels(['static-friction'], [])).toEqual([]);
  expect(labels([], ['cone'])).toEqual([]);
});

test('bodies that bend are run by the method that bends them, and others by the others', () => {
  expect([...suitedMethods({ method: { kind: 'deformable' } })]).toEqual(['deformable']);
  expect([...suitedMethods(SCENE)]).toEqual(['penalty', 'static-friction', 'god-object', 'modular']);
  expect(labels(['deformable'], ['cone', 'none'])).toEqual(['Deformable, no friction', 'Deformable']);
});

test('every variant is a scene without problems, and leaves the given one alone', () => {
  const before = structuredClone(SCENE);
  const all = (choices: readonly { value: string }[]) => new Set(choices.map(({ value }) => value));
  const variants = variantsOf(all(METHOD_CHOICES), all(FRICTION_CHOICES));
  expect(variants).toHaveLength(14);
  for (const variant of variants) {
    const { scene, problems } = checkSceneValue(changedScene(SCENE, variant));
    expect(problems).toEqual([]);
    expect(scene!.method.kind).toBe(variant.changes['method.kind']);
    expect(scene!.friction.coefficient).toBe(0.3);
  }
  expect(SCENE).toEqual(before);
});
