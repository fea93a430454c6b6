/** Renderer, light, floor and camera. Draws only when something changed. */
import {
  BasicShadowMap,
  DirectionalLight,
  Group,
  HemisphereLight,
  PCFShadowMap,
  PerspectiveCamera,
  type Raycaster,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three';
import type { XrStage } from '../devices/xr.js';
import { XR_ORIGIN, XR_ROTATION } from '../devices/xr-frame.js';
import { createCameraControls } from './camera-controls.js';
import type { DrawingQuality } from './drawing-quality.js';
import { createGround } from './ground.js';
import { ResolutionGovernor } from './resolution-governor.js';
import { readStageColours } from './theme-colours.js';

/** More pixels per CSS pixel than this cost time and show nothing. */
const LARGEST_PIXEL_RATIO = 2;
/** Without a new frame for this long the stage is at rest, milliseconds. */
const REST_MS = 180;

export interface StageListener {
  /** A frame was drawn, at the time that `performance.now` gives. */
  onPicture(time: number): void;
  beforePicture(): void;
  onContextLost(): void;
  onContextRestored(): void;
  /** Where a ray of the pointer first meets something that is shown; undefined where it meets nothing. */
  pick(raycaster: Raycaster): Vector3 | undefined;
}

/** Throws when the browser gives no WebGL 2 context. */
export function createStage(canvas: HTMLCanvasElement, quality: DrawingQuality, listener: StageListener) {
  const { antialias, leastGapMs } = quality;
  const context = canvas.getContext('webgl2', { antialias, powerPreference: 'high-performance' });
  if (!context) throw new Error('The browser has no WebGL 2 context.');
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = quality.hasSoftShadows ? PCFShadowMap : BasicShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.localClippingEnabled = true;

  const scene = new Scene();
  const camera = new PerspectiveCamera(32, 1, 0.05, 20);
  const sky = new HemisphereLight();
  sky.position.set(0, 0, 1);
  const ground = createGround();
  const key = createKeyLight(quality.shadowMapSize);
  const rim = new DirectionalLight(0xdbe8ff, 0.9);
  scene.add(sky, key, key.target, rim, rim.target, ground.object);

  const governor = new ResolutionGovernor(quality.waits);
  let askedAt: number | undefined;
  let drawnAt = 0;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  const draw = (share: number) => {
    // A headset draws at its own pace, and the renderer then has its size.
    if (renderer.xr.isPresenting) return;
    const pixelRatio = share * Math.min(devicePixelRatio, LARGEST_PIXEL_RATIO);
    // Setting it makes a new buffer also when nothing changes, and waits until all that was drawn before is done.
    if (renderer.getPixelRatio() !== pixelRatio) renderer.setPixelRatio(pixelRatio);
    listener.beforePicture();
    renderer.render(scene, camera);
    drawnAt = performance.now();
    listener.onPicture(drawnAt);
  };
  const drawFully = () => draw(1);
  const drawAsked = () => {
    const now = performance.now();
    if (now - drawnAt < leastGapMs) {
      requestAnimationFrame(drawAsked);
      return;
    }
    const wait = now - Math.max(askedAt!, drawnAt + leastGapMs);
    governor.addWait(wait);
    const share = governor.movingShare;
    draw(share);
    // Only now: what changes while a frame is prepared is in that frame, and asks for no other.
    askedAt = undefined;
    clearTimeout(restTimer);
    // Where frames come slowly, a pause between two of them is not yet rest.
    if (share < 1) restTimer = setTimeout(drawFully, Math.max(REST_MS, 3 * wait));
  };
  const invalidate = () => {
    if (askedAt !== undefined) return;
    askedAt = performance.now();
    requestAnimationFrame(drawAsked);
  };

  const controls = createCameraControls({ canvas, camera, pick: listener.pick, onChange: invalidate });
  let home = new Sphere(new Vector3(), 0.5);
  const homeDirection = HOME_DIRECTION.clone();
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    // Three would take it for its own when the context is back, and delete what is no more.
    key.shadow.map?.dispose();
    key.shadow.map = null;
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
    controls.resize();
    // At once, not at the next chance: a canvas that was resized and not drawn shows up blank.
    drawFully();
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
    /** Draws a frame at once, in full. */
    drawNow: drawFully,
    scene,
    camera,
    /** Asks for a frame at the next chance. Any number of times costs one frame. */
    invalidate,
    present,
    /** Asks for new shadows with the next frame: something that throws one moved. */
    invalidateShadow() {
      renderer.shadowMap.needsUpdate = true;
      invalidate();
    },
    /** Reads the colours of the page's theme again. */
    applyColours() {
      const colours = readStageColours();
      renderer.setClearColor(colours.background);
      sky.color.setStyle(colours.sky);
      sky.groundColor.setStyle(colours.earth);
      ground.applyColours(colours);
      invalidate();
      return colours;
    },
    /**
     * Fits light, floor (at that height, m) and home view to a scene; `direction` points from the scene to the eye. The
     * camera stays with whoever has taken it.
     */
    setExtent(sphere: Sphere, floor: number, direction: Vector3) {
      home = sphere;
      homeDirection.copy(direction);
      const turn = azimuthOf(direction) - azimuthOf(HOME_DIRECTION);
      placeLight(key, KEY_DIRECTION, turn, sphere);
      placeLight(rim, RIM_DIRECTION, turn, sphere);
      ground.place(sphere.center.x, sphere.center.y, floor, sphere.radius);
      renderer.shadowMap.needsUpdate = true;
      if (!controls.isTaken) controls.fit(home, homeDirection, true);
    },
    /** All of the scene from the home direction, kept in view until the user takes the camera. */
    lookHome: () => controls.fit(home, homeDirection),
    /** Shows what is in the middle of the view from a direction, which points from there to the eye. */
    lookFrom: controls.lookFrom,
    /** Lets the graphics driver translate all that may be shown, so that the first contact does not wait for it. */
    compile: () => void renderer.compile(scene, camera),
  };
}

/** From the scene to the eye: a little from the left and from above. */
export const HOME_DIRECTION = new Vector3(-0.32, -1, 0.38).normalize();

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

/** From the scene to the lights. */
const KEY_DIRECTION = new Vector3(-0.36, -0.5, 0.9).normalize();
const RIM_DIRECTION = new Vector3(0.57, 0.67, 0.48).normalize();

function createKeyLight(shadowMapSize: number): DirectionalLight {
  const light = new DirectionalLight(0xfff8ee, 2.3);
  light.castShadow = true;
  light.shadow.mapSize.set(shadowMapSize, shadowMapSize);
  light.shadow.radius = 5;
  light.shadow.bias = -0.0004;
  return light;
}

const VERTICAL = new Vector3(0, 0, 1);

function azimuthOf({ x, y }: Vector3): number {
  return Math.atan2(y, x);
}

/**
 * Shines on a scene, and throws the shadow of all of it. The lights rotate with the home view, so that what is seen
 * is lit from the eye's side.
 */
function placeLight(light: DirectionalLight, direction: Vector3, turn: number, { center, radius }: Sphere): void {
  light.target.position.copy(center);
  light.position
    .copy(direction)
    .applyAxisAngle(VERTICAL, turn)
    .multiplyScalar(4 * radius)
    .add(center);
  light.target.updateMatrixWorld();
  const { camera } = light.shadow;
  const half = SHADOW_RADII * radius;
  camera.left = -half;
  camera.right = half;
  camera.bottom = -half;
  camera.top = half;
  camera.near = radius;
  camera.far = 8 * radius;
  camera.updateProjectionMatrix();
  light.shadow.normalBias = 0.013 * radius;
}

/** The tool may leave the sphere of the scene; its shadow still falls. */
const SHADOW_RADII = 1.6;
