import { describe, expect, it } from 'vitest';
import { readMesh } from './read-mesh.js';
import { meshFromStepResult, stepNamesSolid, stepParameters } from './step-result.js';

const part = (offset: number) => ({
  attributes: { position: { array: [offset, 0, 0, offset + 1, 0, 0, offset, 1, 0] } },
  index: { array: [0, 1, 2] },
});

describe('STEP', () => {
  it('joins the meshes of the kernel', () => {
    const mesh = meshFromStepResult({ success: true, meshes: [part(0), part(5)] });
    expect(Array.from(mesh.positions)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0]);
    expect(Array.from(mesh.triangles)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('asks the kernel for millimetres and hands over metres', async () => {
    const bytes = Buffer.from("ISO-10303-21;\n#1=MANIFOLD_SOLID_BREP('',#2);");
    const readStep = async () => ({ success: true, meshes: [part(0)] });
    const { mesh, warnings } = await readMesh(bytes, { readStep, unit: 'in' });
    expect(mesh.positions[3]).toBe(0.001);
    expect(warnings).toEqual(['STEP files state their own unit; the given one was not used.']);
  });

  it('takes tolerances as lengths in metres or as parts of the size', () => {
    expect(stepParameters({})).toMatchObject({ linearDeflectionType: 'bounding_box_ratio', linearDeflection: 0.001 });
    expect(stepParameters({ linearDeflection: 2e-5, angularDeflection: 0.1 })).toEqual({
      linearUnit: 'millimeter',
      linearDeflectionType: 'absolute_value',
      linearDeflection: 0.02,
      angularDeflection: 0.1,
    });
    expect(() => stepParameters({ linearDeflection: 0 })).toThrow('give a number above 0');
  });

  it('refuses files without solids before starting the kernel, and whatever the kernel refuses', async () => {
    const surfaces = Buffer.from("ISO-10303-21;\n#1=SHELL_BASED_SURFACE_MODEL('MANIFOLD_',(#2));");
    let started = 0;
    const readStep = async () => {
      started++;
      return { success: true, meshes: [part(0)] };
    };
    await expect(readMesh(surfaces, { readStep })).rejects.toThrow('The STEP file holds no solids');
    expect(started).toBe(0);
    expect((await readMesh(surfaces, { readStep, allowSurfaces: true })).format).toBe('step');
    expect(() => meshFromStepResult({ success: false })).toThrow('cannot read this STEP file');
    expect(() => meshFromStepResult({ success: true, meshes: [] })).toThrow('holds no solids');
  });

  it('finds a solid anywhere in the text', () => {
    expect(stepNamesSolid(Buffer.from('x MMANIFOLD_SOLID_BREP('))).toBe(true);
    expect(stepNamesSolid(Buffer.from('MANIFOLD_SOLID_BRE'))).toBe(false);
  });
});
