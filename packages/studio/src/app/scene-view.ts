/** Everything on the stage, and how it follows what the user switched on. */
import type { PointShell, TriangleMesh } from '@palpable/engine';
import { effect, signal } from '@preact/signals';
import { Box3, type Camera, Group, type Object3D, Plane, Vector3 } from 'three';
import type { MouseKeyboard } from '../devices/mouse-keyboard.js';
import type { ViewAxes } from '../devices/page-device.js';
import type { XrStage } from '../devices/xr.js';
import type { StudioBody, StudioScene } from '../scene/scene.js';
import { createBodyView } from '../stage/body-view.js';
import { createContactView } from '../stage/contact-view.js';
import { createDeviceView } from '../stage/device-view.js';
import { createShellView } from '../stage/shell-view.js';
import { sliceBounds, sliceRectangle, toBodyPlane } from '../stage/slice-plane.js';
import { createSliceView } from '../stage/slice-view.js';
import { createStage, type StageListener } from '../stage/stage.js';
import { listenToPointer } from '../stage/tool-handling.js';
import type { SlicePlane } from '../threads/body-messages.js';
import type { ContactFrame } from '../threads/contact-channel.js';
import { isToolHeld, overlays, shellLevel, sliceAxis, slicePosition, sliceRange } from './state.js';
import { theme } from './theme.js';

export interface SceneView extends XrStage {
  /** Lets the pointer take hold of the tool. */
  listenToPointer(mouse: MouseKeyboard): void;
  readView(out: ViewAxes): void;
  setToolMesh(mesh: TriangleMesh): void;
  setEnvironmentMesh(mesh: TriangleMesh): void;
  setShell(shell: PointShell): void;
  /** Centre of mass, body frame. */
  setToolCentre(centre: readonly [number, number, number]): void;
  setToolPose(pose: ArrayLike<number>): void;
  /** Where the device is, seen from the tool's present pose; undefined where the two need not be told apart. */
  setDevicePose(pose: ArrayLike<number> | undefined): void;
  showContacts(frame: ContactFrame): void;
  clearContacts(): void;
  /** The slice where the user wants it now, frame of the environment. */
  wantedSlice(): SlicePlane;
  showSlice(plane: SlicePlane, distances: Float32Array): void;
  lookHome(): void;
}

export interface SceneViewListener extends Pick<StageListener, 'onPicture' | 'onContextLost' | 'onContextRestored'> {
  beforePicture(): void;
}

/** What the first picture shows: both bodies with room to move. */
const HOME_CENTRE = new Vector3(0, 0, 0.29);
const HOME_RADIUS = 0.46;

/** Throws when the browser cannot draw in 3D. */
export function createSceneView(canvas: HTMLCanvasElement, scene: StudioScene, listener: SceneViewListener): SceneView {
  const toolSurface = createBodyView(18);
  const shell = createShellView();
  const tool = createBodyGroup(scene.tool, toolSurface.object, shell.object);
  const environmentSurface = createBodyView(45);
  const slice = createSliceView();
  const environment = createBodyGroup(scene.environment, environmentSurface.object, slice.object);
  const contacts = createContactView(scene.maxContacts);
  const device = createDeviceView();
  const toolCentre = new Vector3();
  let bounds = new Box3();
  /** A signal, so that whoever asks whether a slice is shown hears of the first one. */
  const hasSlice = signal(false);

  const cutPlane = new Plane();
  const isSliceShown = () => overlays.slice.value && hasSlice.value;
  const isCut = () => isSliceShown() && overlays.cut.value;
  const stage = createStage(canvas, {
    ...listener,
    beforePicture: () => {
      listener.beforePicture();
      placeCutPlane(cutPlane, stage.camera.position);
    },
  });
  stage.scene.add(tool, environment, contacts.object, device.object);

  const followSwitches = () => {
    toolSurface.object.visible = overlays.tool.value;
    device.setGhostVisible(overlays.tool.value);
    environmentSurface.object.visible = overlays.environment.value;
    shell.object.visible = overlays.shell.value;
    shell.setLevel(shellLevel.value);
    slice.object.visible = isSliceShown();
    environmentSurface.setCut(isCut() ? cutPlane : undefined);
    contacts.setVisible(overlays.contacts.value);
    stage.invalidateShadow();
  };
  const followTheme = () => {
    theme.value;
    const colours = stage.applyColours();
    toolSurface.setColour(colours.tool);
    environmentSurface.setColour(colours.environment);
    shell.setColour(colours.shell);
    device.setColour(colours.device);
  };
  effect(followSwitches);
  effect(followTheme);
  const lookHome = () => stage.lookHome(HOME_CENTRE, HOME_RADIUS);
  lookHome();

  return {
    lookHome,
    present: stage.present,
    listenToPointer: (mouse) =>
      listenToPointer({
        canvas,
        camera: stage.camera,
        mouse,
        surface: toolSurface.object,
        obstacle: environmentSurface.object,
        hidesAt: (point) => overlays.environment.value && !(isCut() && cutPlane.distanceToPoint(point) < 0),
        onHold: (isHeld) => {
          isToolHeld.value = isHeld;
        },
      }),
    readView: (out) => readViewAxes(stage.camera, out),
    setToolMesh(mesh) {
      toolSurface.setMesh(mesh);
      device.setSurface(toolSurface.object.geometry);
      stage.invalidateShadow();
    },
    setEnvironmentMesh(mesh) {
      environmentSurface.setMesh(mesh);
      bounds = sliceBounds(new Box3().setFromObject(environmentSurface.object));
      const { min, max } = bounds;
      sliceRange.value = { x: [min.x, max.x], y: [min.y, max.y], z: [min.z, max.z] };
      stage.invalidateShadow();
    },
    setShell(points) {
      shell.setShell(points);
      followSwitches();
    },
    setToolPose(pose) {
      tool.position.fromArray(pose as number[], 0);
      tool.quaternion.fromArray(pose as number[], 3).normalize();
      tool.updateMatrixWorld();
      stage.invalidateShadow();
    },
    setToolCentre: (centre) => void toolCentre.set(...centre),
    setDevicePose(pose) {
      if (pose) device.show(tool, pose, toolCentre);
      else device.hide();
      stage.invalidate();
    },
    showContacts(frame) {
      contacts.show(frame);
      stage.invalidate();
    },
    clearContacts() {
      contacts.clear();
      stage.invalidate();
    },
    wantedSlice() {
      const axis = sliceAxis.value;
      const rectangle = sliceRectangle(bounds, axis, slicePosition.value[axis]);
      return toBodyPlane(rectangle, environment.matrixWorld.clone().invert());
    },
    showSlice(plane, distances) {
      slice.show(plane, distances);
      hasSlice.value = true;
      stage.invalidate();
    },
  };
}

function createBodyGroup(body: StudioBody, ...parts: Object3D[]): Group {
  const group = new Group();
  group.add(...parts);
  group.position.set(...body.position);
  group.quaternion.set(...body.rotation);
  group.updateMatrixWorld();
  return group;
}

function readViewAxes(camera: Camera, { right, up, away }: ViewAxes): void {
  camera.updateMatrixWorld();
  const { elements } = camera.matrixWorld;
  for (let k = 0; k < 3; k += 1) {
    right[k] = elements[k]!;
    up[k] = elements[4 + k]!;
    away[k] = -elements[8 + k]!;
  }
}

/** Puts the cut where the slice is, open towards the eye. */
function placeCutPlane(plane: Plane, eye: Vector3): void {
  const axis = sliceAxis.value;
  const position = slicePosition.value[axis];
  const side = eye[axis] > position ? -1 : 1;
  plane.normal.set(0, 0, 0)[axis] = side;
  // A hair in front of the slice, so that the cut edge and the slice do not fight for the same pixels.
  plane.constant = -side * position + 0.0005;
}
