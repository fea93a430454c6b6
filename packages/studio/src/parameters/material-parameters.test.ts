import { changedScene } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { materialParameter, materialParameters, materialTitle } from './material-parameters.js';
import { sliderScale } from './number-scale.js';
import { liveParameter, readValue } from './parameter-model.js';

const scene = {
  palpable: 1,
  bodies: {
    pipe: { mesh: { model: 'pipe' } },
    clip: { mesh: { model: 'clip' }, density: 3350, deformable: { young: 7e8 } },
    'a.b': { mesh: { box: [1, 1, 1] }, deformable: {} },
  },
  tool: 'clip',
  method: { kind: 'deformable' },
};

describe('the material of bodies that bend', () => {
  it('has its keys in the panel, and only of those bodies', () => {
    expect(materialParameters(scene).map(({ path }) => path)).toEqual([
      'bodies.clip.deformable.young',
      'bodies.clip.deformable.stiffnessDamping',
      'bodies.clip.deformable.massDamping',
      'bodies.clip.density',
    ]);
    expect(materialParameters({}).length + materialParameters(undefined).length).toBe(0);
    expect(materialParameter('bodies.clip.mesh')).toBeUndefined();
    expect(materialTitle('bodies.clip')).toBe('Material of the clip');
    expect(liveParameter('bodies.clip.deformable.young')?.name).toBe('Clip: Young’s modulus');
  });

  it('is read with the defaults of the format', () => {
    expect(readValue(scene, 'bodies.clip.deformable.young')).toBe(7e8);
    expect(readValue(scene, 'bodies.clip.deformable.stiffnessDamping')).toBe(1e-4);
    expect(readValue(scene, 'bodies.clip.density')).toBe(3350);
  });

  it('may change while it is felt', () => {
    const { 'a.b': _, ...bodies } = scene.bodies;
    for (const { path, parameter } of materialParameters(scene)) {
      const changed = changedScene(
        { ...scene, bodies: { ...bodies, pipe: scene.bodies.pipe } },
        path,
        parameter.default,
      );
      expect([path, typeof changed]).toEqual([path, 'object']);
    }
  });

  it('has logarithmic sliders that reach the range of use', () => {
    for (const { path, parameter } of materialParameters(scene)) {
      const { steps, toValue } = sliderScale(path, parameter);
      expect(toValue(steps) / toValue(0)).toBeGreaterThanOrEqual(1000);
      expect(toValue(20) / toValue(0)).toBeCloseTo(10);
    }
  });
});
