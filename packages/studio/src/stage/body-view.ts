/** A body as a lit surface. */
import type { TriangleMesh } from '@palpable/engine';
import { BufferAttribute, BufferGeometry, DoubleSide, FrontSide, Mesh, MeshPhongMaterial, type Plane } from 'three';
import { toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

/** Edges sharper than this stay sharp, radians. */
const CREASE_ANGLE = 0.7;

export interface BodyView {
  readonly object: Mesh<BufferGeometry, MeshPhongMaterial>;
  setMesh(mesh: TriangleMesh): void;
  setColour(colour: string): void;
  /** Hides what lies on the positive side of the plane; both sides of the surface are drawn then. */
  setCut(plane: Plane | undefined): void;
}

export function createBodyView(shininess: number): BodyView {
  const material = new MeshPhongMaterial({ specular: 0x2a2a2a, shininess, side: DoubleSide });
  const object = new Mesh(new BufferGeometry(), material);
  object.castShadow = true;
  object.receiveShadow = true;
  // Thin shells throw their shadow from the side that faces the light; the default would let light leak in.
  material.shadowSide = FrontSide;
  return {
    object,
    setMesh(mesh) {
      object.geometry.dispose();
      object.geometry = createGeometry(mesh);
    },
    setColour: (colour) => material.color.setStyle(colour),
    setCut(plane) {
      const had = material.clippingPlanes !== null;
      material.clippingPlanes = plane ? [plane] : null;
      if (had !== (plane !== undefined)) material.needsUpdate = true;
    },
  };
}

function createGeometry(mesh: TriangleMesh): BufferGeometry {
  const indexed = new BufferGeometry();
  indexed.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.positions), 3));
  indexed.setIndex(new BufferAttribute(Uint32Array.from(mesh.triangles), 1));
  const geometry = toCreasedNormals(indexed, CREASE_ANGLE);
  geometry.computeBoundingSphere();
  return geometry;
}
