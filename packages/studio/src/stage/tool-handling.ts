/**
 * The tool in the hand of the mouse or a finger.
 *
 * Pressed on the tool: drag moves it in the plane of the view, the wheel moves it in depth, Shift turns it. Pressed
 * anywhere else the camera gets the event. All motion is told in small steps from one event to the next, so that the
 * ways of moving can change in the middle of a drag.
 */
import { type Object3D, type PerspectiveCamera, Plane, Raycaster, Vector2, Vector3 } from 'three';
import type { MouseKeyboard } from '../devices/mouse-keyboard.js';

/** Metres of depth per unit of the wheel; one notch of a usual mouse is 100. */
const DEPTH_PER_WHEEL = 0.00006;
/** Radians per pixel of a turning drag. */
const TURN_PER_PIXEL = 0.008;

export interface ToolHandlingOptions {
  readonly canvas: HTMLCanvasElement;
  readonly camera: PerspectiveCamera;
  /** Makes motion of what the pointer does. */
  readonly mouse: MouseKeyboard;
  /** The tool's surface, which the pointer can take hold of also while it is not drawn. */
  readonly surface: Object3D;
  readonly obstacle: Object3D;
  /** Whether the obstacle, met by the pointer at this point, hides what lies behind. */
  readonly hidesAt: (point: Vector3) => boolean;
  readonly onHold: (isHeld: boolean) => void;
}

export function listenToPointer(options: ToolHandlingOptions): void {
  const { canvas, camera, mouse, onHold } = options;
  const raycaster = new Raycaster();
  const pressed = new Set<number>();
  const last = new Vector2();
  const dragPlane = new Plane();
  let heldBy: number | undefined;

  const aim = (x: number, y: number) => {
    const box = canvas.getBoundingClientRect();
    const place = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    raycaster.setFromCamera(place, camera);
  };
  /** Where the pointer meets the tool, unless something stands in front of it. */
  const pick = (event: PointerEvent): Vector3 | undefined => {
    aim(event.clientX, event.clientY);
    const hits = raycaster.intersectObjects([options.surface, options.obstacle], false);
    const first = hits.find((hit) => hit.object === options.surface || options.hidesAt(hit.point));
    return first?.object === options.surface ? first.point : undefined;
  };

  const dragTo = (event: PointerEvent) => {
    const dx = event.clientX - last.x;
    const dy = event.clientY - last.y;
    if (event.shiftKey) {
      mouse.turn(dy * TURN_PER_PIXEL, dx * TURN_PER_PIXEL, 0);
    } else {
      aim(last.x, last.y);
      const from = raycaster.ray.intersectPlane(dragPlane, new Vector3());
      aim(event.clientX, event.clientY);
      const to = raycaster.ray.intersectPlane(dragPlane, new Vector3());
      if (from && to) mouse.shift(to.x - from.x, to.y - from.y, to.z - from.z);
    }
    last.set(event.clientX, event.clientY);
  };

  const pushInDepth = (wheel: number) => {
    const by = -wheel * DEPTH_PER_WHEEL;
    mouse.move(0, 0, by);
    dragPlane.constant -= by * dragPlane.normal.dot(camera.getWorldDirection(new Vector3()));
  };

  const release = (event: PointerEvent) => {
    pressed.delete(event.pointerId);
    if (event.pointerId !== heldBy) return;
    heldBy = undefined;
    onHold(false);
  };

  const takeHold = (event: PointerEvent) => {
    pressed.add(event.pointerId);
    if (heldBy !== undefined) return event.stopImmediatePropagation();
    // A second finger belongs to the camera's gesture, wherever it lands.
    const point = event.button === 0 && pressed.size === 1 ? pick(event) : undefined;
    if (!point) return;
    event.stopImmediatePropagation();
    canvas.setPointerCapture(event.pointerId);
    heldBy = event.pointerId;
    last.set(event.clientX, event.clientY);
    dragPlane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), point);
    onHold(true);
  };
  // Capturing: the camera's controls listen to the same canvas, and must not hear of what is meant for the tool.
  canvas.addEventListener('pointerdown', takeHold, { capture: true });
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerId === heldBy) dragTo(event);
    else if (pressed.size === 0) canvas.dataset.over = pick(event) ? 'tool' : 'nothing';
  });
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('lostpointercapture', release);
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (heldBy === undefined && !event.altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      pushInDepth(event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 33 : event.deltaY);
    },
    { capture: true, passive: false },
  );
}
