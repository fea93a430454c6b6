import { createBox, createSphere } from '@palpable/engine';
import { describe, expect, it } from 'vitest';
import { wireEdges } from './wire-edges.js';

describe('wireEdges', () => {
  it('gives a box its twelve edges, without the diagonals of its faces', () => {
    const edges = wireEdges(createBox(0.2, 0.3, 0.4));
    expect(edges.length).toBe(12 * 6);
    for (let at = 0; at < edges.length; at += 6) {
      const steps = [0, 1, 2].filter((k) => Math.abs(edges[at + k]! - edges[at + 3 + k]!) > 1e-6);
      expect(steps).toHaveLength(1);
    }
  });

  it('makes a fine mesh coarser and stays near its surface', () => {
    const mesh = createSphere(0.1, 32);
    expect(mesh.triangles.length).toBeGreaterThan(3 * 5000);
    const edges = wireEdges(mesh);
    expect(edges.length / 6).toBeGreaterThan(200);
    expect(edges.length / 6).toBeLessThan(3000);
    for (let at = 0; at < edges.length; at += 3) {
      expect(Math.abs(Math.hypot(edges[at]!, edges[at + 1]!, edges[at + 2]!) - 0.1)).toBeLessThan(0.01);
    }
  });
});
