import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditMesh, cleanMesh } from '@palpable/engine';
import { afterAll, describe, expect, it } from 'vitest';
import { loadMeshFile } from '../packages/cli/dist/mesh/load-mesh-file.js';
import { StepProcess } from '../packages/cli/dist/mesh/step-process.js';
import { writeStepBox } from '../packages/lab/dist/bench/step-box.js';

const folder = mkdtempSync(join(tmpdir(), 'palpable-step-'));
afterAll(() => rmSync(folder, { recursive: true }));

const part = fileURLToPath(new URL('data/meshes/featuretype.STEP', import.meta.url));

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('STEP files', () => {
  it('become closed meshes in metres', async () => {
    const { mesh, format } = await loadMeshFile(write('box.step', writeStepBox([10, 20, 30])));
    expect(format).toBe('step');
    const audit = auditMesh(mesh);
    expect(audit).toMatchObject({ triangles: 12, vertices: 8, closed: true, misorientedTriangles: 0 });
    audit.size.forEach((length, axis) => {
      expect(length).toBeCloseTo([0.01, 0.02, 0.03][axis], 12);
    });
    expect(audit.volume).toBeCloseTo(6e-6, 15);
  });

  it('state their own unit: a part in inches agrees with its STL', async () => {
    const step = auditMesh((await loadMeshFile(part)).mesh);
    const stl = await loadMeshFile(part.replace('.STEP', '.STL'), { unit: 'in' });
    const reference = auditMesh(cleanMesh(stl.mesh, { weldTolerance: 1e-6 }).mesh);
    expect(step.closed).toBe(true);
    expect(step.volume / reference.volume).toBeCloseTo(1, 2);
    step.size.forEach((length, axis) => {
      expect(length).toBeCloseTo(reference.size[axis], 4);
    });
  });

  it('are cut as finely as asked', async () => {
    const coarse = await loadMeshFile(part, { tessellation: { linearDeflection: 1e-3, angularDeflection: 1 } });
    const fine = await loadMeshFile(part, { tessellation: { linearDeflection: 2e-5, angularDeflection: 0.15 } });
    expect(fine.mesh.triangles.length).toBeGreaterThan(2 * coarse.mesh.triangles.length);
  });

  it('without solids are refused', async () => {
    const surfaces = write('surfaces.step', writeStepBox([1, 1, 1]).replaceAll('MANIFOLD_SOLID_BREP', 'GEOMETRIC_SET'));
    await expect(loadMeshFile(surfaces)).rejects.toThrow(`${surfaces}: The STEP file holds no solids; export the part`);
    // The word alone is not enough: the kernel finds that nothing stands behind it.
    const empty = write(
      'empty.step',
      writeStepBox([1, 1, 1]).replace(/DATA;[\s\S]*ENDSEC;/, "DATA;\n#1=MANIFOLD_SOLID_BREP('',#2);\nENDSEC;"),
    );
    await expect(loadMeshFile(empty)).rejects.toMatchObject({ name: 'PalpableError', path: empty });
  });

  it('that are cut short are refused', async () => {
    const text = readFileSync(part, 'latin1');
    const cut = write('cut.step', text.slice(0, text.length / 2));
    await expect(loadMeshFile(cut)).rejects.toMatchObject({ name: 'PalpableError', path: cut });
  });

  it('that take too long or too much are ended', async () => {
    await expect(loadMeshFile(part, { stepLimits: { timeLimit: 0.05 } })).rejects.toThrow(
      'did not finish within 0.05 s',
    );
    await expect(loadMeshFile(part, { stepLimits: { memoryLimitMiB: 20 } })).rejects.toThrow('needed more than 20 MiB');
  });

  it('are read by the next process after one was ended', async () => {
    const kernel = new StepProcess({ timeLimit: 60 });
    const box = Buffer.from(writeStepBox([1, 2, 3]));
    const first = kernel.read(box, {});
    const second = kernel.read(box, {});
    expect([(await first).success, (await second).success]).toEqual([true, true]);
    kernel.close();
    expect((await kernel.read(box, {})).success).toBe(true);
    kernel.close();
  });
});
