import { expect, it } from 'vitest';
import { trianglesOfVertices } from './edge-table.js';

it('lists the triangles around each vertex in their order, none for a vertex that no triangle uses', () => {
  const { start, triangles } = trianglesOfVertices(Int32Array.of(0, 1, 2, 2, 1, 4), 5);
  expect([...start]).toEqual([0, 1, 3, 5, 5, 6]);
  expect([...triangles]).toEqual([0, 0, 1, 0, 1, 1]);
});
