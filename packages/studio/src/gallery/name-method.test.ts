import { describe, expect, it } from 'vitest';
import { nameMethod } from './name-method.js';

describe('the method on a card', () => {
  it.each([
    [{}, 'God object, manifold'],
    [{ method: { kind: 'static-friction' } }, 'Static friction, cone'],
    [{ method: { kind: 'static-friction' }, friction: { model: 'springs' } }, 'Static friction, springs'],
    [{ method: { kind: 'god-object', constraint: 'heuristic' } }, 'God object, heuristic'],
    [{ method: { kind: 'god-object', constraint: 'manifold' } }, 'God object, manifold'],
    [{ method: { kind: 'penalty' } }, 'Penalty'],
    [{ method: { kind: 'modular' } }, 'Modular, shell'],
    [{ method: { kind: 'modular', detection: 'hierarchy' } }, 'Modular, levels of detail'],
    [{ method: { kind: 'deformable' } }, 'Deformable'],
  ])('is named for %j', (value, words) => {
    const scene = { palpable: 1, bodies: { a: { mesh: { box: [1, 1, 1] } } }, tool: 'a' };
    expect(nameMethod({ ...scene, ...value })).toBe(words);
  });
});
