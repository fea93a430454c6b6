/**
 * The camera in the hand, as in CAD programs: a drag rotates the view about the point under the pointer, the middle or the
 * right button shifts it, the wheel zooms to the pointer, a double click brings a point into the middle. Two fingers
 * zoom, shift and rotate about the vertical. Whatever is asked for from outside is reached in a short, even motion.
 */
import { MathUtils, type PerspectiveCamera, Plane, Raycaster, type Sphere, Vector2, Vector3 } from 'three';
import {
  aimFrom,
  blendPoses,
  copyPose,
  createCameraPose,
  fitSphere,
  placeFocus,
  rotateAbout,
  writeFocus,
  writeOrientation,
  zoomAbout,
} from './camera-pose.js';
import { aimRay, angleBetween, gestureOf } from './touch-gesture.js';

/** A drag over the height of the canvas rotates by so much, rad. */
const TURN_PER_HEIGHT = 1.1 * Math.PI;
/** The distance shrinks by this part per unit of the wheel; one notch of a usual mouse is 100. */
const ZOOM_PER_WHEEL = 0.0012;
const PIXELS_PER_LINE = 33;
/** How near and how far the focus may be, in radii of what was fitted last. */
const NEAREST = 0.02;
const FARTHEST = 15;
const SMALLEST_RADIUS = 1e-3;
/** What is nearer than this part of the distance to the focus is not drawn; within limits, m. */
const NEAR_SHARE = 0.02;
const SMALLEST_NEAR = 0.0005;
const LARGEST_NEAR = 0.05;
const FAR_RADII = 40;
const TRANSITION_MS = 280;
/** Notches of the wheel that follow each other this soon zoom to the same point, milliseconds. */
const SAME_ZOOM_MS = 400;

export interface CameraControlsOptions {
  readonly canvas: HTMLCanvasElement;
  readonly camera: PerspectiveCamera;
  /** Where the ray first meets something that is shown; undefined where it meets nothing. */
  readonly pick: (raycaster: Raycaster) => Vector3 | undefined;
  readonly onChange: () => void;
}

export function createCameraControls(options: CameraControlsOptions) {
  const { canvas, camera, onChange } = options;
  const pose = createCameraPose();
  const goal = createCameraPose();
  const start = createCameraPose();
  const raycaster = new Raycaster();
  const fingers = new Map<number, Vector2>();
  const pivot = new Vector3();
  const panPlane = new Plane();
  const last = new Vector2();
  /** Of two fingers; a spread of 0 for any other number of them. */
  let lastPair = NO_PAIR;
  let drag: 'rotate' | 'shift' | undefined;
  let transition = 0;
  let radius = 1;
  let isTaken = false;
  let zoomedAtMs = Number.NEGATIVE_INFINITY;
  const zoomPlace = new Vector2();
  const zoomPoint = new Vector3();

  const apply = () => {
    camera.position.copy(pose.position);
    writeOrientation(camera.quaternion, pose);
    camera.near = MathUtils.clamp(NEAR_SHARE * pose.distance, SMALLEST_NEAR, LARGEST_NEAR);
    camera.far = pose.distance + FAR_RADII * radius;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    onChange();
  };
  const goTo = (isAtOnce: boolean) => {
    cancelAnimationFrame(transition);
    if (isAtOnce || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      copyPose(pose, goal);
      return apply();
    }
    copyPose(start, pose);
    const began = performance.now();
    const step = () => {
      const share = Math.min(1, (performance.now() - began) / TRANSITION_MS);
      blendPoses(pose, start, goal, MathUtils.smootherstep(share, 0, 1));
      apply();
      if (share < 1) transition = requestAnimationFrame(step);
    };
    transition = requestAnimationFrame(step);
  };
  /** The user moves the camera: no transition goes on. */
  const take = () => {
    cancelAnimationFrame(transition);
    isTaken = true;
  };
  const aim = (x: number, y: number) => aimRay(raycaster, canvas, camera, x, y);
  /** The point under the pointer; where nothing is (then false), one as far away as the focus. */
  const findPoint = (out: Vector3, x: number, y: number): boolean => {
    aim(x, y);
    const hit = options.pick(raycaster);
    if (hit) {
      out.copy(hit);
      return true;
    }
    panPlane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(direction), writeFocus(out, pose));
    raycaster.ray.intersectPlane(panPlane, out);
    return false;
  };
  /** Shifts so that what was under the pointer stays there. */
  const shift = (fromX: number, fromY: number, toX: number, toY: number) => {
    panPlane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(direction), pivot);
    aim(fromX, fromY);
    if (!raycaster.ray.intersectPlane(panPlane, from)) return;
    aim(toX, toY);
    if (!raycaster.ray.intersectPlane(panPlane, to)) return;
    pose.position.add(from.sub(to));
    apply();
  };
  const zoom = (point: Vector3, factor: number) => {
    zoomAbout(pose, point, factor, NEAREST * radius, FARTHEST * radius);
    apply();
  };

  const followPair = (before: FingerPair, after: FingerPair) => {
    // The ground rotates with the fingers, whether it is seen from above or from below.
    const side = pose.elevation < 0 ? -1 : 1;
    rotateAbout(pose, pivot, side * angleBetween(before.angle, after.angle), 0);
    zoom(pivot, before.spread / after.spread);
  };

  const startDrag = (event: PointerEvent) => {
    fingers.set(event.pointerId, new Vector2(event.clientX, event.clientY));
    canvas.setPointerCapture(event.pointerId);
    take();
    drag = event.button === 0 && fingers.size === 1 && !event.ctrlKey ? 'rotate' : 'shift';
    measureFingers(fingers, last);
    lastPair = pairOf(fingers);
    // A rotation about a point in the void would swing everything out of sight.
    if (!findPoint(pivot, last.x, last.y) && drag === 'rotate') writeFocus(pivot, pose);
  };
  const continueDrag = (event: PointerEvent) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    finger.set(event.clientX, event.clientY);
    measureFingers(fingers, place2);
    if (drag === 'rotate') {
      const turn = TURN_PER_HEIGHT / canvas.clientHeight;
      rotateAbout(pose, pivot, (last.x - place2.x) * turn, (place2.y - last.y) * turn);
      apply();
    } else {
      shift(last.x, last.y, place2.x, place2.y);
      const pair = pairOf(fingers);
      if (pair.spread > 0 && lastPair.spread > 0) followPair(lastPair, pair);
      lastPair = pair;
    }
    last.copy(place2);
  };
  const endDrag = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    measureFingers(fingers, last);
    lastPair = pairOf(fingers);
    // The finger that stays goes on shifting: a rotation about a new point would come as a surprise.
    if (fingers.size === 0) drag = undefined;
  };

  canvas.addEventListener('pointerdown', startDrag);
  canvas.addEventListener('pointermove', continueDrag);
  for (const kind of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
    canvas.addEventListener(kind, endDrag);
  }
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      take();
      const now = performance.now();
      const hasMoved = zoomPlace.distanceTo(place2.set(event.clientX, event.clientY)) > 2;
      if (hasMoved || now - zoomedAtMs > SAME_ZOOM_MS) findPoint(zoomPoint, event.clientX, event.clientY);
      zoomPlace.set(event.clientX, event.clientY);
      zoomedAtMs = now;
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? PIXELS_PER_LINE : 1;
      zoom(zoomPoint, Math.exp(MathUtils.clamp(event.deltaY * lines, -400, 400) * ZOOM_PER_WHEEL));
    },
    { passive: false },
  );
  canvas.addEventListener('dblclick', (event) => {
    aim(event.clientX, event.clientY);
    const hit = options.pick(raycaster);
    if (!hit) return;
    take();
    copyPose(goal, pose);
    placeFocus(goal, hit);
    goTo(false);
  });

  let fitted: Sphere | undefined;
  const fit = (sphere: Sphere, direction?: Vector3, isAtOnce = false) => {
    isTaken = false;
    fitted = sphere;
    radius = Math.max(SMALLEST_RADIUS, sphere.radius);
    copyPose(goal, pose);
    if (direction) aimFrom(goal, direction);
    fitSphere(goal, sphere, openingOf(camera));
    goTo(isAtOnce);
  };
  return {
    /** Whether the user has moved the camera since the last fit. */
    get isTaken() {
      return isTaken;
    },
    /** Brings a sphere into view from where the camera is now, or from a direction. */
    fit,
    /** The canvas has another shape: fits again, unless the user has moved the camera since. */
    resize() {
      if (fitted && !isTaken) fit(fitted, undefined, true);
    },
    /** Shows what is in the middle of the view from a direction, which points from there to the eye. */
    lookFrom(direction: Vector3) {
      take();
      copyPose(goal, pose);
      aimFrom(goal, direction);
      goTo(false);
    },
  };
}

function openingOf({ fov, aspect }: PerspectiveCamera) {
  const halfHeight = Math.tan(MathUtils.degToRad(fov) / 2);
  return { halfHeight, halfWidth: halfHeight * aspect };
}

/** Middle of the fingers that touch; stays as it was when there is none. */
function measureFingers(fingers: ReadonlyMap<number, Vector2>, out: Vector2): void {
  if (fingers.size === 0) return;
  out.set(0, 0);
  for (const finger of fingers.values()) out.add(finger);
  out.divideScalar(fingers.size);
}

type FingerPair = Pick<ReturnType<typeof gestureOf>, 'spread' | 'angle'>;

const NO_PAIR: FingerPair = { spread: 0, angle: 0 };

function pairOf(fingers: ReadonlyMap<number, Vector2>): FingerPair {
  if (fingers.size !== 2) return NO_PAIR;
  const [first, second] = fingers.values();
  return gestureOf(first!, [second!]);
}

const place2 = new Vector2();
const direction = new Vector3();
const from = new Vector3();
const to = new Vector3();
