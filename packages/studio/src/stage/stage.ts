/** Renderer, light, floor and camera. Draws only when something changed. */
import {
  DirectionalLight,
  Group,
  HemisphereLight,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { XrStage } from '../devices/xr.js';
import { XR_ORIGIN, XR_ROTATION } from '../devices/xr-frame.js';
import { createGround } from './ground.js';
import { ResolutionGovernor } from './resolution-governor.js';
import { readStageColours, type StageColours } from './theme-colours.js';

/** More pixels per CSS pixel than this cost time and show nothing. */
const LARGEST_PIXEL_RATIO = 2;
/** Without a new picture for this long the stage is at rest, milliseconds. */
const REST_MS = 180;

export interface Stage extends XrStage {
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly canvas: HTMLCanvasElement;
  /** Asks for a picture at the next chance. Any number of times costs one picture. */
  invalidate(): void;
  /** Asks for new shadows with the next picture: something that throws one moved. */
  invalidateShadow(): void;
  /** Reads the colours of the page's theme again. */
  applyColours(): StageColours;
  /** Looks at a sphere from the home direction, and keeps it in view until the user takes the camera. */
  lookHome(centre: Vector3, radius: number): void;
}

export interface StageListener {
  /** A picture was drawn, at the time that `performance.now` gives. */
  onPicture(time: number): void;
  beforePicture(): void;
  onContextLost(): void;
  onContextRestored(): void;
}

/** Throws when the browser gives no WebGL 2 context. */
export function createStage(canvas: HTMLCanvasElement, listener: StageListener): Stage {
  const context = canvas.getContext('webgl2', { antialias: true, powerPreference: 'high-performance' });
  if (!context) throw new Error('The browser gives no WebGL 2 context.');
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.localClippingEnabled = true;

  const scene = new Scene();
  const camera = new PerspectiveCamera(32, 1, 0.05, 20);
  camera.up.set(0, 0, 1);
  const sky = new HemisphereLight();
  sky.position.set(0, 0, 1);
  const ground = createGround();
  scene.add(sky, createKeyLight(), createRimLight(), ground.object);

  const governor = new ResolutionGovernor();
  let askedAt: number | undefined;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  const draw = (share: number) => {
    // A headset draws at its own pace, and the renderer then has its size.
    if (renderer.xr.isPresenting) return;
    renderer.setPixelRatio(share * Math.min(devicePixelRatio, LARGEST_PIXEL_RATIO));
    listener.beforePicture();
    renderer.render(scene, camera);
    listener.onPicture(performance.now());
  };
  const drawFully = () => draw(1);
  const drawAsked = () => {
    governor.addWait(performance.now() - askedAt!);
    const share = governor.movingShare;
    draw(share);
    // Only now: what changes while a picture is prepared is in that picture, and asks for no other.
    askedAt = undefined;
    clearTimeout(restTimer);
    if (share < 1) restTimer = setTimeout(drawFully, REST_MS);
  };
  const invalidate = () => {
    if (askedAt !== undefined) return;
    askedAt = performance.now();
    requestAnimationFrame(drawAsked);
  };

  const controls = createControls(camera, canvas);
  controls.addEventListener('change', invalidate);
  /** What to keep in view until the user takes the camera. */
  let home: { centre: Vector3; radius: number } | undefined;
  controls.addEventListener('start', () => {
    home = undefined;
  });
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    listener.onContextLost();
  });
  canvas.addEventListener('webglcontextrestored', () => {
    renderer.shadowMap.needsUpdate = true;
    listener.onContextRestored();
    invalidate();
  });

  const resize = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0 || renderer.xr.isPresenting) return;
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    if (home) placeCamera(home.centre, home.radius);
    // At once, not at the next chance: a canvas that was resized and not drawn shows up blank.
    drawFully();
  };
  const placeCamera = (centre: Vector3, radius: number) => {
    const halfHeight = (camera.fov * Math.PI) / 360;
    const halfWidth = Math.atan(Math.tan(halfHeight) * camera.aspect);
    const distance = radius / Math.sin(Math.min(halfHeight, halfWidth));
    controls.target.copy(centre);
    camera.position.copy(HOME_DIRECTION).multiplyScalar(distance).add(centre);
    controls.update();
  };
  new ResizeObserver(resize).observe(canvas);
  const present: XrStage['present'] = async (session, onFrame) => {
    const headset = createHeadsetCamera();
    scene.add(headset.rig);
    session.addEventListener('end', () => {
      renderer.setAnimationLoop(null);
      renderer.xr.enabled = false;
      scene.remove(headset.rig);
      resize();
    });
    renderer.xr.enabled = true;
    await renderer.xr.setSession(session);
    renderer.setAnimationLoop((timeMs, frame) => {
      if (frame) onFrame(frame, timeMs);
      listener.beforePicture();
      renderer.render(scene, headset.camera);
      listener.onPicture(performance.now());
    });
  };

  return {
    scene,
    camera,
    controls,
    canvas,
    invalidate,
    present,
    invalidateShadow() {
      renderer.shadowMap.needsUpdate = true;
      invalidate();
    },
    applyColours() {
      const colours = readStageColours();
      renderer.setClearColor(colours.background);
      sky.color.setStyle(colours.sky);
      sky.groundColor.setStyle(colours.earth);
      ground.applyColours(colours);
      invalidate();
      return colours;
    },
    lookHome(centre, radius) {
      home = { centre, radius };
      placeCamera(centre, radius);
      invalidate();
    },
  };
}

/** From the target to the eye: a little from the left and from above. */
const HOME_DIRECTION = new Vector3(-0.32, -1, 0.38).normalize();

function createControls(camera: PerspectiveCamera, canvas: HTMLCanvasElement): OrbitControls {
  const controls = new OrbitControls(camera, canvas);
  controls.zoomToCursor = true;
  controls.minDistance = 0.1;
  controls.maxDistance = 6;
  controls.zoomSpeed = 1.2;
  return controls;
}

/** A camera of its own: the headset moves it, and the view on the screen stays as it was. */
function createHeadsetCamera(): { rig: Group; camera: PerspectiveCamera } {
  const rig = new Group();
  rig.position.copy(XR_ORIGIN);
  rig.quaternion.copy(XR_ROTATION);
  const camera = new PerspectiveCamera();
  camera.near = 0.05;
  camera.far = 20;
  rig.add(camera);
  return { rig, camera };
}

function createKeyLight(): DirectionalLight {
  const light = new DirectionalLight(0xfff8ee, 2.3);
  light.position.set(-0.9, -1.1, 2.2);
  light.castShadow = true;
  light.shadow.mapSize.set(1024, 1024);
  light.shadow.radius = 5;
  light.shadow.bias = -0.0004;
  light.shadow.normalBias = 0.006;
  const { camera } = light.shadow;
  camera.left = -0.8;
  camera.right = 0.8;
  camera.bottom = -0.8;
  camera.top = 0.8;
  camera.near = 0.5;
  camera.far = 5;
  return light;
}

function createRimLight(): DirectionalLight {
  const light = new DirectionalLight(0xdbe8ff, 0.9);
  light.position.set(1.2, 1.4, 1);
  return light;
}
