/** Everything on the stage, and how it follows what the user switched on. */
import type { PointShell, TriangleMesh } from '@palpable/engine';
import type { ContactPicture } from '@palpable/engine/advanced';
import { effect, signal } from '@preact/signals';
import { Box3, type Camera, Group, type Object3D, Plane, type Raycaster, Sphere, Vector3 } from 'three';
import type { MouseKeyboard } from '../devices/mouse-keyboard.js';
import type { ViewAxes } from '../devices/page-device.js';
import type { StudioBody, StudioScene, StudioView } from '../scene/scene.js';
import { createBodyView } from '../stage/body-view.js';
import { createContactView } from '../stage/contact-view.js';
import { createDeviceView } from '../stage/device-view.js';
import { chooseDrawingQuality } from '../stage/drawing-quality.js';
import { createLevelView, type LevelView } from '../stage/level-view.js';
import { findOpenSide } from '../stage/open-side.js';
import { createShellView } from '../stage/shell-view.js';
import { sliceBounds, sliceRectangle, toBodyPlane } from '../stage/slice-plane.js';
import { createSliceView } from '../stage/slice-view.js';
import { createStage, HOME_DIRECTION, type StageListener } from '../stage/stage.js';
import { listenToPointer } from '../stage/tool-handling.js';
import { createWrenchView } from '../stage/wrench-view.js';
import type { SlicePlane } from '../threads/body-client.js';
import type { ContactFrame } from '../threads/contact-frame.js';
import type { ChosenNodes, LevelsSetup } from '../threads/levels-client.js';
import { hasLevels } from './chosen-method.js';
import { isToolHeld, type Overlay, overlays, shellShown, sliceAt } from './state.js';
import { theme } from './theme.js';

export type SceneView = Readonly<ReturnType<typeof createSceneView>>;

export interface SceneViewListener extends Pick<StageListener, 'onPicture' | 'onContextLost' | 'onContextRestored'> {
  beforePicture(): void;
}

/** Until the bodies are there. */
const FIRST_HOME: StudioView = { centre: [0, 0, 0.1], radius: 0.3, floor: 0 };

/** Throws when the browser cannot draw in 3D. */
export function createSceneView(canvas: HTMLCanvasElement, scene: StudioScene, listener: SceneViewListener) {
  const quality = chooseDrawingQuality();
  const toolSurface = createBodyView(18, quality.hasPlainSurfaces);
  const contacts = createContactView(scene.maxContacts);
  const wrench = createWrenchView();
  const device = createDeviceView();
  const shell = createShellView();
  const slice = createSliceView();
  /** What follows its switch alone. */
  const switched = { ...contacts.parts, shell: shell.object, wrench: wrench.object, ghost: device.object };
  const tool = createBodyGroup(scene.tool, toolSurface.object);
  const environmentSurface = createBodyView(45, quality.hasPlainSurfaces);
  const environment = createBodyGroup(scene.environment, environmentSurface.object);
  (scene.tool.plan.shell ? tool : environment).add(shell.object);
  const sliced = scene.environment.plan.field ? environment : tool;
  sliced.add(slice.object);
  let levels: { readonly tool: LevelView; readonly environments: readonly LevelView[] } | undefined;
  const toolCentre = new Vector3();
  const shownCentre = new Vector3();
  let bounds = new Box3();
  /** A signal, so that whoever asks whether a slice is shown hears of the first one. */
  const hasSlice = signal(false);

  const cutPlane = new Plane();
  const isSliceShown = () => overlays.slice.value && hasSlice.value;
  const isCut = () => isSliceShown() && overlays.cut.value;
  /** Whether the environment, met by a ray there, is drawn and not cut away. */
  const isEnvironmentAt = (point: Vector3) =>
    overlays.environment.value && !(isCut() && cutPlane.distanceToPoint(point) < 0);
  const pick = (raycaster: Raycaster) => {
    const hits = raycaster.intersectObjects([toolSurface.object, environmentSurface.object], false);
    const isShown = ({ object, point }: (typeof hits)[number]) =>
      object === toolSurface.object ? overlays.tool.value : isEnvironmentAt(point);
    return hits.find(isShown)?.point;
  };
  const stage = createStage(canvas, quality, {
    ...listener,
    pick,
    beforePicture: () => {
      listener.beforePicture();
      placeCutPlane(cutPlane, stage.camera.position);
    },
  });
  stage.scene.add(tool, environment, contacts.object, wrench.object, device.object);

  const followSwitches = () => {
    toolSurface.object.visible = overlays.tool.value;
    environmentSurface.object.visible = overlays.environment.value;
    for (const [name, object] of Object.entries(switched)) object.visible = overlays[name as Overlay].value;
    // Levels of detail take the place of the points.
    if (hasLevels.value) shell.object.visible = false;
    slice.object.visible = isSliceShown();
    shell.setLevel(shellShown.level.value);
    environmentSurface.setCut(isCut() ? cutPlane : undefined);
    stage.invalidateShadow();
  };
  const followTheme = () => {
    theme.value;
    const colours = stage.applyColours();
    toolSurface.setColour(colours.tool);
    environmentSurface.setColour(colours.environment);
    shell.setColour(colours.shell);
    device.setColour(colours.device);
    wrench.setColours(colours);
  };
  const followers = [effect(followSwitches), effect(followTheme)];
  let home = scene.view ?? FIRST_HOME;
  const setHome = (view: StudioView) => {
    home = view;
    const toolBox = new Box3().setFromObject(toolSurface.object);
    const openSide = findOpenSide(HOME_DIRECTION, toolBox, environmentSurface.object);
    stage.setExtent(new Sphere(new Vector3(...view.centre), view.radius), view.floor, openSide);
    contacts.setScale(view.radius);
    wrench.setScale(view.radius);
    measureSlice();
  };
  const measureSlice = () => {
    const box = new Box3().setFromObject(sliced === tool ? toolSurface.object : environmentSurface.object);
    if (box.isEmpty()) return;
    bounds = sliceBounds(box, home.floor);
    const { min, max } = bounds;
    sliceAt.range.value = { x: [min.x, max.x], y: [min.y, max.y], z: [min.z, max.z] };
  };
  setHome(home);

  return {
    toolSurface,
    environmentSurface,
    redraw: () => stage.invalidateShadow(),
    lookHome: () => stage.lookHome(),
    /** Shows what is in the middle of the view from a direction, which points from there to the eye. */
    lookFrom: (direction: readonly [number, number, number]) => stage.lookFrom(new Vector3(...direction)),
    /** What the whole view is, and where the floor lies. */
    setHome,
    /** Stops following the switches of the page. */
    close: () => {
      for (const end of followers) end();
    },
    present: stage.present,
    /** Draws at once, for whoever copies the frame. */
    drawNow: stage.drawNow,
    /** Lets the pointer take hold of the tool. */
    listenToPointer: (mouse: MouseKeyboard) =>
      listenToPointer({
        canvas,
        camera: stage.camera,
        mouse,
        surface: toolSurface.object,
        obstacle: environmentSurface.object,
        hidesAt: isEnvironmentAt,
        onHold: (isHeld) => (isToolHeld.value = isHeld),
      }),
    readView: (out: ViewAxes) => readViewAxes(stage.camera, out),
    setToolMesh(mesh: TriangleMesh) {
      toolSurface.setMesh(mesh);
      device.setMesh(mesh);
      stage.invalidateShadow();
    },
    setEnvironmentMesh(mesh: TriangleMesh) {
      environmentSurface.setMesh(mesh);
      // Only now is it known from which side the tool is seen.
      setHome(home);
      stage.compile();
      stage.invalidateShadow();
    },
    setShell(points: PointShell) {
      shell.setShell(points);
      followSwitches();
    },
    /** Which bodies have levels of detail that can be shown. */
    setLevels(setup: LevelsSetup) {
      levels = {
        tool: createLevelView(setup.tool),
        environments: setup.environments.map(({ hierarchy }) => createLevelView(hierarchy)),
      };
      tool.add(levels.tool.object);
      scene.environments.forEach((body, k) => {
        stage.scene.add(createBodyGroup(body, levels!.environments[k]!.object));
      });
    },
    showLevels(nodes: ChosenNodes) {
      const news = [levels?.tool.show(nodes.tool)];
      for (const [k, view] of levels?.environments.entries() ?? []) news.push(view.show(nodes.environments[k]!));
      if (news.includes(true)) stage.invalidate();
    },
    setToolPose(pose: ArrayLike<number>) {
      tool.position.fromArray(pose as number[], 0);
      tool.quaternion.fromArray(pose as number[], 3).normalize();
      tool.updateMatrixWorld();
      stage.invalidateShadow();
    },
    /** Centre of mass, body frame. */
    setToolCentre: (centre: readonly [number, number, number]) => void toolCentre.set(...centre),
    /** Where the device is, seen from the tool's present pose; undefined where the two need not be distinguished. */
    setDevicePose(pose: ArrayLike<number> | undefined) {
      if (pose) device.show(tool, pose, toolCentre);
      else device.hide();
      stage.invalidate();
    },
    /** Of the loop, or of the contact thread where no loop runs. */
    showContacts(found: ContactPicture | ContactFrame) {
      if ('state' in found ? contacts.showPicture(found) : contacts.showFrame(found)) stage.invalidate();
    },
    clearContacts() {
      contacts.clear();
      stage.invalidate();
    },
    /** What the hand feels, N and N m, world frame; undefined where nothing is known of it. */
    showWrench(rendered: ArrayLike<number> | undefined, isLimited: boolean) {
      if (!rendered) wrench.hide();
      else if (!wrench.show(rendered, tool.localToWorld(shownCentre.copy(toolCentre)), isLimited)) return;
      stage.invalidate();
    },
    /** The slice where the user wants it now, frame of the body that has the field. */
    wantedSlice() {
      const axis = sliceAt.axis.value;
      const rectangle = sliceRectangle(bounds, axis, sliceAt.position.value[axis]);
      return toBodyPlane(rectangle, sliced.matrixWorld.clone().invert());
    },
    showSlice(plane: SlicePlane, distances: Float32Array) {
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
  const axis = sliceAt.axis.value;
  const position = sliceAt.position.value[axis];
  const side = eye[axis] > position ? -1 : 1;
  plane.normal.set(0, 0, 0)[axis] = side;
  // A hair in front of the slice, so that the cut edge and the slice do not fight for the same pixels.
  plane.constant = -side * position + 0.0005;
}
