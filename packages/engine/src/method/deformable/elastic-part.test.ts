import { describe, expect, it } from 'vitest';
import { createElasticDynamics } from '../../elasticity/elastic-dynamics.js';
import {
  addLoad,
  addSmoothPart,
  addStaticPart,
  beginLoad,
  createElasticPart,
  endElastic,
  freeElastic,
} from './elastic-part.js';
import { createBar, verticesAt } from './rig.fixture.js';
import { deformSurface } from './world-state.js';

const MATERIAL = { young: 7e8, density: 950, massDamping: 2, stiffnessDamping: 2e-5 };
const STEP = 0.001;
const one = Float64Array.of(1);

/** Largest displacement of the tip, and how far the reduced body is from the whole one, under a knock and a pull. */
function compare(modes: number, changes = {}) {
  const material = { ...MATERIAL, ...changes };
  const bar = createBar([2, 2, 8], modes);
  const fixed = Uint32Array.from(bar.surfaceNodes.filter((_, v) => bar.fixedVertices[v] === 1));
  const whole = createElasticDynamics(bar.tetrahedra, { ...material, poisson: bar.poisson, fixed, timeStep: STEP });
  const part = createElasticPart(bar, material, STEP, 16);
  const [tip] = verticesAt(bar.surface, 0);
  const node = bar.surfaceNodes[tip];
  const forces = new Float64Array(whole.displacements.length);
  const place = new Float64Array(3);
  let largest = 0;
  let error = 0;
  for (let step = 0; step < 60; step += 1) {
    const force = Float64Array.of(step < 10 ? 5 : 0, 1, step === 30 ? 20 : 0);
    forces.set(force, 3 * node);
    whole.step(forces);
    freeElastic(part);
    beginLoad(part);
    addLoad(part, tip, one, 0, force);
    endElastic(part);
    place.fill(0);
    addSmoothPart(place, 0, part, part.shape, tip);
    addStaticPart(place, 0, part, tip);
    for (let i = 0; i < 3; i += 1) {
      largest = Math.max(largest, Math.abs(whole.displacements[3 * node + i]));
      error = Math.max(error, Math.abs(place[i] - whole.displacements[3 * node + i]));
    }
  }
  return error / largest;
}

describe('the elastic part of a body', () => {
  it('is close to all of its elements stepped by implicit Euler, and closer with more modes', () => {
    const [few, many] = [compare(4), compare(30)];
    expect(few).toBeLessThan(0.05);
    expect(many).toBeLessThan(0.01);
    expect(many).toBeLessThan(few);
  });

  it('gives way late where damping grows with stiffness, in all of its modes', () => {
    expect(compare(0, { stiffnessDamping: 0.005, young: 7e9 })).toBeLessThan(0.01);
    expect(compare(10, { stiffnessDamping: 0.005 })).toBeLessThan(0.01);
    expect(compare(10, { stiffnessDamping: 0.001, massDamping: 100 })).toBeLessThan(0.01);
  });

  it('keeps no memory of what is too fast for the loop', () => {
    const bar = createBar([2, 2, 6], 10);
    const lively = (young: number) => createElasticPart(bar, { ...MATERIAL, young }, STEP, 4).lively;
    expect(lively(1e5)).toBe(10);
    expect(lively(2e11)).toBe(0);
    expect(compare(10, { young: 2e11 })).toBeLessThan(0.001);
  });

  it('sags under its weight as the whole body does', () => {
    const bar = createBar([2, 2, 8], 6);
    const fixed = Uint32Array.from(bar.surfaceNodes.filter((_, v) => bar.fixedVertices[v] === 1));
    const material = { young: 1e5, density: 1000, massDamping: 50, stiffnessDamping: 1e-3 };
    const whole = createElasticDynamics(bar.tetrahedra, { ...material, poisson: bar.poisson, fixed, timeStep: STEP });
    const part = createElasticPart(bar, material, STEP, 4);
    part.weight.set([0, 3, -9]);
    const weights = new Float64Array(whole.displacements.length);
    const { positions, tetrahedra } = bar.tetrahedra;
    const share = (material.density * bar.volume) / (tetrahedra.length / 4) / 4;
    for (const node of tetrahedra) for (let i = 0; i < 3; i += 1) weights[3 * node + i] += share * part.weight[i];
    for (let step = 0; step < 1500; step += 1) {
      whole.step(weights);
      freeElastic(part);
      beginLoad(part);
      endElastic(part);
    }
    const local = bar.surface.positions.slice();
    deformSurface(local, bar.surface.positions, part);
    let largest = 0;
    let error = 0;
    bar.surfaceNodes.forEach((node, v) => {
      for (let i = 0; i < 3; i += 1) {
        const moved = whole.displacements[3 * node + i];
        largest = Math.max(largest, Math.abs(moved));
        error = Math.max(error, Math.abs(local[3 * v + i] - positions[3 * node + i] - moved));
      }
    });
    expect(largest).toBeGreaterThan(1e-4);
    expect(error / largest).toBeLessThan(1e-3);
  });

  it('gives the same displacement of a vertex alone and of the whole surface', () => {
    const bar = createBar([2, 2, 6], 5);
    const part = createElasticPart(bar, MATERIAL, STEP, 16);
    const loaded = verticesAt(bar.surface, 0);
    for (let step = 0; step < 5; step += 1) {
      freeElastic(part);
      beginLoad(part);
      for (const vertex of loaded) addLoad(part, vertex, one, 0, Float64Array.of(1, -2, 3));
      endElastic(part);
    }
    const local = bar.surface.positions.slice();
    deformSurface(local, bar.surface.positions, part);
    const place = new Float64Array(3);
    for (let vertex = 0; vertex < local.length / 3; vertex += 1) {
      place.fill(0);
      addSmoothPart(place, 0, part, part.shape, vertex);
      addStaticPart(place, 0, part, vertex);
      for (let i = 0; i < 3; i += 1) {
        expect(local[3 * vertex + i] - bar.surface.positions[3 * vertex + i]).toBeCloseTo(place[i], 9);
      }
    }
  });
});
