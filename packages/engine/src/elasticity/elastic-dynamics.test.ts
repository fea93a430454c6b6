import { describe, expect, it } from 'vitest';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import type { ElasticBody } from './elastic-body.js';
import { createElasticDynamics, type ElasticDynamicsOptions } from './elastic-dynamics.js';
import { boxMesh, buildSystem, clipMesh, nodesWhere } from './meshes.fixture.js';
import { prepareElasticBody } from './prepare-elastic-body.js';
import { strainEnergy } from './stress.js';
import { vibrationModes } from './vibration-modes.js';

const beam = boxMesh([16, 2, 2], [0.08, 0.01, 0.01]);
const beamFixed = nodesWhere(beam, ([x]) => x === 0);
const beamTip = nodesWhere(beam, ([x, y, z]) => x > 0.079 && y > 0.009 && z > 0.009)[0];
const clip = clipMesh([32, 2, 3], 0.01, 0.002, 0.01);
const clipFixed = nodesWhere(clip, ([x, y]) => Math.abs(Math.atan2(y, x) - 2.53) < 0.15);
const clipTip = nodesWhere(clip, ([x, y, z]) => x > 0.0119 && Math.abs(y) < 1e-9 && z === 0)[0];
const plastic = { young: 7e8, poisson: 0.35, density: 950, timeStep: 1e-3, massDamping: 10, stiffnessDamping: 1e-5 };

describe('implicit Euler on all nodes', () => {
  it('moves a single mode as its own equation does', () => {
    const options: ElasticDynamicsOptions = { ...plastic, fixed: beamFixed };
    const { graph, stiffness, mass, factor } = buildSystem(beam, beamFixed, 0.35);
    const modes = vibrationModes(graph, stiffness, mass, factor, 3);
    for (const mode of [0, 2]) {
      const dynamics = createElasticDynamics(beam, options);
      const shape = new Float64Array(beam.positions.length);
      graph.nodeOf.forEach((node, free) => {
        const from = 3 * (mode * graph.count + free);
        shape.set(modes.shapes.subarray(from, from + 3), 3 * node);
      });
      const [q0, v0] = [1e-6, 2e-3];
      dynamics.displacements.set(shape.map((value) => q0 * value));
      dynamics.velocities.set(shape.map((value) => v0 * value));
      const forces = new Float64Array(shape.length);
      // The scheme's own closed form, q = Re(c zⁿ): z² (1 + dΔt + ω²Δt²) − z (2 + dΔt) + 1 = 0.
      const { timeStep: dt } = plastic;
      const omega2 = (modes.stiffness[mode] * plastic.young) / plastic.density;
      const damping = plastic.massDamping + plastic.stiffnessDamping * omega2;
      const a = 1 + damping * dt + omega2 * dt * dt;
      const radius = Math.sqrt(1 / a);
      const angle = Math.acos((2 + damping * dt) / (2 * a * radius));
      // q₋₁ follows from the velocity with which the first step begins.
      const before = q0 - dt * v0;
      const sine = (q0 * Math.cos(angle) - radius * before) / Math.sin(angle);
      for (let n = 1; n <= 25; n += 1) {
        dynamics.step(forces);
        const q = radius ** n * (q0 * Math.cos(n * angle) + sine * Math.sin(n * angle));
        const error = Math.max(...dynamics.displacements.map((value, i) => Math.abs(value - q * shape[i])));
        expect(error).toBeLessThan(1e-9 * q0 * Math.max(...shape.map(Math.abs)));
      }
    }
  });

  it.each([1e3, 7e8, 2e11])('comes to rest at the static solution and never gains energy, E = %d Pa', (young) => {
    const dynamics = createElasticDynamics(beam, { ...plastic, young, fixed: beamFixed });
    const still = createElasticDynamics(beam, { ...plastic, young, fixed: beamFixed, timeStep: 1e9 });
    const forces = new Float64Array(beam.positions.length);
    forces[3 * beamTip + 2] = 1e-9 * young;
    for (let i = 0; i < 20; i += 1) dynamics.step(forces);
    forces.fill(0);
    let last = dynamics.energy();
    for (let i = 0; i < 50; i += 1) {
      dynamics.step(forces);
      expect(dynamics.energy()).toBeLessThanOrEqual(last);
      last = dynamics.energy();
    }
    forces[3 * beamTip + 2] = 1e-9 * young;
    still.step(forces);
    const work = 0.5 * forces[3 * beamTip + 2] * still.displacements[3 * beamTip + 2];
    expect(still.energy() / work).toBeCloseTo(1, 7);
    const stored = strainEnergy(new Float64Array(beam.tetrahedra.length / 4), beam, still.displacements, young, 0.35);
    expect(stored / work).toBeCloseTo(1, 7);
  });

  it('refuses materials and steps that are none', () => {
    for (const wrong of [{ young: 0 }, { density: -1 }, { timeStep: Number.NaN }, { massDamping: -1 }]) {
      const [name] = Object.keys(wrong);
      expect(() => createElasticDynamics(beam, { ...plastic, fixed: beamFixed, ...wrong })).toThrow(
        `body's ${name} is`,
      );
    }
  });
});

/**
 * Surface displacements as the cycle computes them: inertia and memory in the lowest `kept` modes, everything else at
 * rest under the present load: u = K⁻¹F + Σ φ (q − φᵀF/ω²).
 */
function reducedStep(
  body: ElasticBody,
  kept: number,
  vertex: number,
  axis: number,
  force: number,
  q: Float64Array,
  v: Float64Array,
) {
  const { young, density, timeStep, massDamping, stiffnessDamping } = plastic;
  const count = body.modeStiffness.length;
  const shape = (at: number, mode: number) => body.modeShapes[at * count + mode];
  const lag = new Float64Array(kept);
  for (let mode = 0; mode < kept; mode += 1) {
    const omega2 = (body.modeStiffness[mode] * young) / density;
    const inertia = 1 / timeStep ** 2 + (massDamping + stiffnessDamping * omega2) / timeStep;
    const load = (shape(3 * vertex + axis, mode) * force) / density;
    const next = (load + inertia * q[mode] + v[mode] / timeStep) / (inertia + omega2);
    v[mode] = (next - q[mode]) / timeStep;
    q[mode] = next;
    lag[mode] = next - load / omega2;
  }
  return Float64Array.from({ length: 3 * body.surfaceNodes.length }, (_, at) => {
    const block = 9 * (Math.floor(at / 3) * body.columnCount + body.columnOf[vertex]);
    return lag.reduce(
      (sum, value, mode) => sum + value * shape(at, mode),
      (body.compliance[block + 3 * (at % 3) + axis] * force) / young,
    );
  });
}

/** The largest error over time against the largest displacement, for a load that grows for 10 ms and lets go. */
function reducedErrors(
  mesh: TetrahedralMesh,
  fixed: Uint32Array,
  tip: number,
  axis: number,
  kept: readonly number[],
): number[] {
  const body = prepareElasticBody(mesh, { poisson: plastic.poisson, fixed, modes: Math.max(...kept) });
  const vertex = body.surfaceNodes.indexOf(tip);
  const dynamics = createElasticDynamics(mesh, { ...plastic, fixed });
  const forces = new Float64Array(mesh.positions.length);
  const states = kept.map((count) => ({ count, q: new Float64Array(count), v: new Float64Array(count), error: 0 }));
  let largest = 0;
  const size = (x: Float64Array) => Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
  for (let n = 1; n <= 25; n += 1) {
    const force = n <= 10 ? n / 10 : 0;
    forces[3 * tip + axis] = force;
    dynamics.step(forces);
    const exact = Float64Array.from(
      { length: 3 * body.surfaceNodes.length },
      (_, at) => dynamics.displacements[3 * body.surfaceNodes[Math.floor(at / 3)] + (at % 3)],
    );
    largest = Math.max(largest, size(exact));
    for (const state of states) {
      const found = reducedStep(body, state.count, vertex, axis, force, state.q, state.v);
      state.error = Math.max(state.error, size(found.map((value, i) => value - exact[i])));
    }
  }
  return states.map(({ error }) => error / largest);
}

describe('slow modes with inertia, the rest without (E = 700 MPa, 1 ms)', () => {
  it.each([
    ['a beam', beam, beamFixed, beamTip, 2, [1e-3, 5e-5, 3e-5]],
    ['a clip', clip, clipFixed, clipTip, 0, [3e-3, 1e-3, 2e-4]],
  ] as const)('follows all nodes of %s, the closer the more modes', (_, mesh, fixed, tip, axis, bounds) => {
    const [none, ...errors] = reducedErrors(mesh, fixed, tip, axis, [0, 5, 10, 20]);
    expect(none).toBeGreaterThan(0.01);
    errors.forEach((error, i) => {
      expect(error).toBeLessThan(bounds[i]);
    });
  });
});
