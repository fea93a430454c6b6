/**
 * The tool in the hand of the mouse, a finger or the keyboard.
 *
 * Pressed on the tool: drag moves it in the plane of the view, the wheel moves it in depth, Shift turns it. Pressed
 * anywhere else the camera gets the event. All motion is told in small steps from one event to the next, so that the
 * ways of moving can change in the middle of a drag.
 */
import { type Object3D, type PerspectiveCamera, Plane, Quaternion, Raycaster, Vector2, Vector3 } from 'three';

/** Metres of depth per unit of the wheel; one notch of a usual mouse is 100. */
const DEPTH_PER_WHEEL = 0.00006;
/** Radians per pixel of a turning drag. */
const TURN_PER_PIXEL = 0.008;
/** How far the tool may be taken from where it started, metres; beyond it would be lost from sight. */
const REACH = 1;

export interface ToolHandlingOptions {
  readonly canvas: HTMLCanvasElement;
  readonly camera: PerspectiveCamera;
  readonly tool: Object3D;
  /** The tool's surface, which the pointer can take hold of also while it is not drawn. */
  readonly surface: Object3D;
  /** Point of the tool that turning leaves where it is, body frame. May be changed later. */
  readonly pivot: Vector3;
  readonly obstacle: Object3D;
  /** Whether the obstacle, met by the pointer at this point, hides what lies behind. */
  readonly hidesAt: (point: Vector3) => boolean;
  readonly onMove: () => void;
  readonly onHold: (isHeld: boolean) => void;
}

export interface ToolHandling {
  /** Moves along the view's right, up and away-from-the-eye directions, metres. */
  move(right: number, up: number, away: number): void;
  /** Turns about the view's right, up and towards-the-eye axes, radians. */
  turn(aboutRight: number, aboutUp: number, aboutEye: number): void;
}

export function createToolHandling(options: ToolHandlingOptions): ToolHandling {
  const { canvas, camera, tool, onMove, onHold } = options;
  const home = tool.position.clone();
  const raycaster = new Raycaster();
  const pressed = new Set<number>();
  const last = new Vector2();
  const dragPlane = new Plane();
  let heldBy: number | undefined;

  const right = new Vector3();
  const up = new Vector3();
  const away = new Vector3();
  const readAxes = () => {
    camera.updateMatrixWorld();
    camera.matrixWorld.extractBasis(right, up, away);
    away.negate();
  };

  const shift = (by: Vector3) => {
    tool.position.add(by);
    const reach = tool.position.clone().sub(home).clampLength(0, REACH);
    tool.position.copy(home).add(reach);
    onMove();
  };

  const handling: ToolHandling = {
    move(alongRight, alongUp, alongAway) {
      readAxes();
      const by = right.multiplyScalar(alongRight).addScaledVector(up, alongUp).addScaledVector(away, alongAway);
      shift(by);
    },
    turn(aboutRight, aboutUp, aboutEye) {
      readAxes();
      const pivotBefore = tool.localToWorld(options.pivot.clone());
      const turn = new Quaternion()
        .setFromAxisAngle(right, aboutRight)
        .multiply(new Quaternion().setFromAxisAngle(up, aboutUp))
        .multiply(new Quaternion().setFromAxisAngle(away, -aboutEye));
      tool.quaternion.premultiply(turn).normalize();
      tool.updateMatrixWorld();
      shift(pivotBefore.sub(tool.localToWorld(options.pivot.clone())));
    },
  };

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
      handling.turn(dy * TURN_PER_PIXEL, dx * TURN_PER_PIXEL, 0);
    } else {
      aim(last.x, last.y);
      const from = raycaster.ray.intersectPlane(dragPlane, new Vector3());
      aim(event.clientX, event.clientY);
      const to = raycaster.ray.intersectPlane(dragPlane, new Vector3());
      if (from && to) shift(to.sub(from));
    }
    last.set(event.clientX, event.clientY);
  };

  const pushInDepth = (wheel: number) => {
    const by = -wheel * DEPTH_PER_WHEEL;
    handling.move(0, 0, by);
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
  return handling;
}
