/**
 * Where the device is while the tool cannot follow it: the tool as wire there, and a line from the tool's centre to
 * the device's. Both are drawn over everything, since the device is then inside of something.
 */
import type { TriangleMesh } from '@palpable/engine';
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  type Object3D,
  Vector3,
} from 'three';
import { wireEdges } from './wire-edges.js';

export function createDeviceView() {
  const wireMaterial = new LineBasicMaterial({ transparent: true, opacity: 0.55, depthTest: false, depthWrite: false });
  const wire = new LineSegments(new BufferGeometry(), wireMaterial);
  wire.renderOrder = 8;
  const lineMaterial = new LineBasicMaterial({ depthTest: false, transparent: true });
  const ends = new BufferAttribute(new Float32Array(6), 3).setUsage(DynamicDrawUsage);
  const line = new LineSegments(new BufferGeometry().setAttribute('position', ends), lineMaterial);
  line.frustumCulled = false;
  line.renderOrder = 9;
  const parts = new Group();
  parts.add(wire, line);
  parts.visible = false;
  const object = new Group();
  object.add(parts);
  const end = new Vector3();
  const putEnd = (k: number, body: Object3D, centre: Vector3) => {
    body.localToWorld(end.copy(centre));
    ends.setXYZ(k, end.x, end.y, end.z);
  };

  return {
    object,
    /** The mesh of the tool. */
    setMesh(mesh: TriangleMesh) {
      wire.geometry.dispose();
      wire.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(wireEdges(mesh), 3));
    },
    setColour(colour: string) {
      wireMaterial.color.setStyle(colour);
      lineMaterial.color.setStyle(colour);
    },
    /** Shows the device at a pose and the line from the tool; both rotate about `centre`, body frame. */
    show(tool: Object3D, pose: ArrayLike<number>, centre: Vector3) {
      wire.position.fromArray(pose as number[], 0);
      wire.quaternion.fromArray(pose as number[], 3).normalize();
      wire.updateMatrixWorld();
      putEnd(0, tool, centre);
      putEnd(1, wire, centre);
      ends.needsUpdate = true;
      parts.visible = true;
    },
    hide() {
      parts.visible = false;
    },
  };
}
