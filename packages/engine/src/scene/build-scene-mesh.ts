import { createBox, createCapsule, createCylinder, createSphere, createTorus } from '../mesh/shapes.js';
import { createMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildModel } from '../model/models.js';
import type { SceneBody, SceneMesh } from '../settings/body-parameters.js';

/** The mesh of a body that is a shape or a model, with its scale; null for a file, which its host has to read. */
export function buildSceneMesh({ mesh, scale }: Pick<SceneBody, 'mesh' | 'scale'>): TriangleMesh | null {
  if (typeof mesh === 'string') return null;
  const built = buildUnscaled(mesh);
  if (scale === 1) return built;
  return createMesh(
    built.positions.map((coordinate) => coordinate * scale),
    built.triangles,
  );
}

function buildUnscaled(mesh: Exclude<SceneMesh, string>): TriangleMesh {
  if ('box' in mesh) return createBox(...mesh.box);
  if ('sphere' in mesh) return createSphere(mesh.sphere);
  if ('cylinder' in mesh) return createCylinder(...mesh.cylinder);
  if ('capsule' in mesh) return createCapsule(...mesh.capsule);
  if ('torus' in mesh) return createTorus(...mesh.torus);
  return buildModel(mesh.model);
}
