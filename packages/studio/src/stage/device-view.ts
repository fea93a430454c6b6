/**
 * Where the device is while the tool cannot follow it: a ghost of the tool there, and a line from the tool's centre to
 * the ghost's. Both are drawn over everything, since the device is then inside of something.
 */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Vector3,
} from 'three';

export interface DeviceView {
  readonly object: Group;
  /** The surface of the tool. */
  setSurface(surface: BufferGeometry): void;
  setColour(colour: string): void;
  /** Whether the ghost is shown with the line. */
  setGhostVisible(isVisible: boolean): void;
  /** Shows the device at a pose and the line from the tool; both turn about `centre`, body frame. */
  show(tool: Object3D, pose: ArrayLike<number>, centre: Vector3): void;
  hide(): void;
}

export function createDeviceView(): DeviceView {
  const ghostMaterial = new MeshBasicMaterial({
    transparent: true,
    opacity: 0.24,
    depthTest: false,
    depthWrite: false,
  });
  const ghost = new Mesh<BufferGeometry, MeshBasicMaterial>(new BufferGeometry(), ghostMaterial);
  ghost.renderOrder = 8;
  const lineMaterial = new LineBasicMaterial({ depthTest: false, transparent: true });
  const ends = new BufferAttribute(new Float32Array(6), 3).setUsage(DynamicDrawUsage);
  const line = new Line(new BufferGeometry().setAttribute('position', ends), lineMaterial);
  line.frustumCulled = false;
  line.renderOrder = 9;
  const object = new Group();
  object.add(ghost, line);
  object.visible = false;
  const end = new Vector3();

  return {
    object,
    setSurface(surface) {
      ghost.geometry = surface;
    },
    setColour(colour) {
      ghostMaterial.color.setStyle(colour);
      lineMaterial.color.setStyle(colour);
    },
    setGhostVisible(isVisible) {
      ghost.visible = isVisible;
    },
    show(tool, pose, centre) {
      ghost.position.fromArray(pose as number[], 0);
      ghost.quaternion.fromArray(pose as number[], 3).normalize();
      ghost.updateMatrixWorld();
      [tool, ghost].forEach((body, k) => {
        body.localToWorld(end.copy(centre));
        ends.setXYZ(k, end.x, end.y, end.z);
      });
      ends.needsUpdate = true;
      object.visible = true;
    },
    hide() {
      object.visible = false;
    },
  };
}
