/** A body as a lit surface. */
import type { TriangleMesh } from '@palpable/engine';
import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DoubleSide,
  FrontSide,
  type Material,
  Mesh,
  MeshPhongMaterial,
  type Plane,
} from 'three';
import { isShaded, shadeMesh } from '../scene/creased-normals.js';
import { createBendingSurface } from './bending-surface.js';
import { createPlainMaterial } from './plain-material.js';

export type BodyView = Readonly<ReturnType<typeof createBodyView>>;

export function createBodyView(shininess: number, isPlain: boolean) {
  const plain = isPlain ? createPlainMaterial() : undefined;
  const glossy = new MeshPhongMaterial({ specular: 0x2a2a2a, shininess, side: DoubleSide });
  const material: Material = plain ?? glossy;
  const colour: Color = plain ? plain.uniforms.diffuse!.value : glossy.color;
  const object = new Mesh(new BufferGeometry(), material);
  object.castShadow = true;
  object.receiveShadow = true;
  // Thin shells throw their shadow from the side that faces the light; the default would let light leak in.
  material.shadowSide = FrontSide;
  let wishedColour = '#ffffff';
  const applyColour = () => void colour.setStyle(material.vertexColors ? '#ffffff' : wishedColour);
  return {
    object,
    setMesh(mesh: TriangleMesh) {
      object.geometry.dispose();
      object.geometry = createGeometry(mesh);
    },
    /** The same for one whose vertices move. */
    setBendingMesh(mesh: TriangleMesh) {
      const surface = createBendingSurface(mesh);
      object.geometry.dispose();
      object.geometry = surface.geometry;
      return surface;
    },
    setColour(wished: string) {
      wishedColour = wished;
      applyColour();
    },
    /** Whether vertices have colours of their own, which only a surface that bends has. */
    setPainted(isPainted: boolean) {
      if (material.vertexColors === isPainted) return;
      material.vertexColors = isPainted;
      material.needsUpdate = true;
      applyColour();
    },
    /** Hides what lies on the positive side of the plane; both sides of the surface are drawn then. */
    setCut(plane: Plane | undefined) {
      const had = material.clippingPlanes !== null;
      material.clippingPlanes = plane ? [plane] : null;
      if (had !== (plane !== undefined)) material.needsUpdate = true;
    },
  };
}

/** Every corner for itself, since at an edge the triangles of one vertex have different normals. */
function createGeometry(mesh: TriangleMesh): BufferGeometry {
  const { positions, triangles, cornerNormals } = isShaded(mesh) ? mesh : shadeMesh(mesh);
  const corners = new Float32Array(triangles.length * 3);
  for (let corner = 0, at = 0; corner < triangles.length; corner += 1) {
    const vertex = 3 * triangles[corner]!;
    corners[at++] = positions[vertex]!;
    corners[at++] = positions[vertex + 1]!;
    corners[at++] = positions[vertex + 2]!;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(corners, 3));
  geometry.setAttribute('normal', new BufferAttribute(cornerNormals, 3));
  geometry.computeBoundingSphere();
  return geometry;
}
