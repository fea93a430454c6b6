/**
 * The tool in the hand of the mouse or of fingers.
 *
 * Pressed on the tool: drag moves it in the plane of the view, the wheel moves it in depth, Shift rotates it. A double
 * click, or a key, holds it without a button until the next click. Beside the finger that holds it a second one twists
 * it and pushes it in depth by pinching; a third beside the second rotates it. Pressed anywhere else the camera gets the
 * event. All motion goes in small steps from one event to the next, so that the kind of motion can change in the
 * middle of a drag.
 */
import { MathUtils, type Object3D, type PerspectiveCamera, Plane, Raycaster, Vector2, Vector3 } from 'three';
import type { MouseKeyboard } from '../devices/mouse-keyboard.js';
import { aimRay, angleBetween, gestureOf, type TouchGesture } from './touch-gesture.js';

/** Metres of depth per unit of the wheel; one notch of a usual mouse is 100. */
const DEPTH_PER_WHEEL = 0.00006;
/** Radians per pixel of a rotating drag. */
const TURN_PER_PIXEL = 0.008;
/** Fingers cover what they point at: so far beside the tool they still mean it, pixels. */
const FINGER_REACH = 18;
/** A click that lets go is often the first half of a double click, which must not take hold again, milliseconds. */
const SAME_CLICK_MS = 600;
/** The pointer is in hand without any button. */
const FREE_HAND = -1;

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

/** The stage that is shown now. */
let shown: Pick<ToolHand, 'toggleFreeHold' | 'letGoFreely'> | undefined;

/** Holds the tool without a button, or lets go of it. */
export function toggleHold(): void {
  shown?.toggleFreeHold();
}

/** False when it was not held without a button. */
export function letGoOfTool(): boolean {
  return shown?.letGoFreely() ?? false;
}

export function listenToPointer(options: ToolHandlingOptions): void {
  const hand = new ToolHand(options);
  const { canvas } = options;
  if (!shown)
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && letGoOfTool());
  shown = hand;
  // Whatever held the tool of the stage before is gone with it.
  options.onHold(false);
  // Capturing: the camera's controls listen to the same canvas, and must not hear of what is meant for the tool.
  canvas.addEventListener('pointerdown', (event) => hand.press(event), { capture: true });
  canvas.addEventListener('pointermove', (event) => hand.move(event));
  for (const kind of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
    canvas.addEventListener(kind, (event) => hand.release(event));
  }
  canvas.addEventListener('pointerleave', () => hand.leave());
  canvas.addEventListener('dblclick', (event) => hand.doubleClick(event), { capture: true });
  canvas.addEventListener('wheel', (event) => hand.turnWheel(event), { capture: true, passive: false });
}

class ToolHand {
  private readonly options: ToolHandlingOptions;
  private readonly raycaster = new Raycaster();
  private readonly pressed = new Map<number, Vector2>();
  /** Fingers beside the one that holds. */
  private readonly helpers = new Map<number, Vector2>();
  private readonly last = new Vector2();
  private readonly dragPlane = new Plane();
  private readonly from = new Vector3();
  private readonly to = new Vector3();
  private heldBy: number | undefined;
  /** The pointer was elsewhere meanwhile: its next place is where the motion goes on from. */
  private isAstray = false;
  private hasTouched = false;
  private letGoAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ToolHandlingOptions) {
    this.options = options;
  }

  press(event: PointerEvent): void {
    this.pressed.set(event.pointerId, new Vector2(event.clientX, event.clientY));
    this.hasTouched = event.pointerType === 'touch';
    if (this.heldBy === FREE_HAND) {
      if (event.button !== 0) return;
      event.stopImmediatePropagation();
      this.letGoAtMs = event.timeStamp;
      this.letGoFreely();
      return;
    }
    if (this.heldBy !== undefined) {
      event.stopImmediatePropagation();
      if (this.hasTouched) this.addHelper(event);
      return;
    }
    // A second finger belongs to the camera's gesture, wherever it lands.
    const point = event.button === 0 && this.pressed.size === 1 ? this.pick(event) : undefined;
    if (!point) return;
    event.stopImmediatePropagation();
    this.options.canvas.setPointerCapture(event.pointerId);
    this.hold(event.pointerId, event.clientX, event.clientY, point);
  }

  move(event: PointerEvent): void {
    const isHolding = event.pointerId === this.heldBy || (this.heldBy === FREE_HAND && event.buttons === 0);
    if (isHolding || this.helpers.has(event.pointerId)) {
      const before = this.readGesture();
      if (isHolding) this.dragTo(event);
      this.pressed.get(event.pointerId)?.set(event.clientX, event.clientY);
      if (before) this.obeyGesture(before, this.readGesture()!);
      return;
    }
    // Held without a button, and a button now moves the camera.
    this.leave();
    if (this.pressed.size > 0 || event.pointerType === 'touch') return;
    this.options.canvas.dataset.over = this.pick(event) ? 'tool' : 'nothing';
  }

  leave(): void {
    if (this.heldBy === FREE_HAND) this.isAstray = true;
  }

  release(event: PointerEvent): void {
    this.pressed.delete(event.pointerId);
    this.helpers.delete(event.pointerId);
    if (event.pointerId !== this.heldBy) return;
    this.heldBy = undefined;
    this.helpers.clear();
    this.options.onHold(false);
  }

  doubleClick(event: MouseEvent): void {
    if (event.timeStamp - this.letGoAtMs < SAME_CLICK_MS) {
      event.stopImmediatePropagation();
      return;
    }
    // A finger that is lifted points at nothing.
    const point = this.hasTouched ? undefined : this.pick(event);
    if (!point) return;
    event.stopImmediatePropagation();
    this.hold(FREE_HAND, event.clientX, event.clientY, point);
  }

  turnWheel(event: WheelEvent): void {
    if (this.heldBy === undefined && !event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const wheel = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 33 : event.deltaY;
    this.pushInDepth(-wheel * DEPTH_PER_WHEEL);
  }

  toggleFreeHold(): void {
    if (this.letGoFreely() || this.heldBy !== undefined) return;
    this.hold(FREE_HAND, 0, 0, this.toolPlace());
    this.isAstray = true;
  }

  letGoFreely(): boolean {
    if (this.heldBy !== FREE_HAND) return false;
    this.heldBy = undefined;
    this.options.onHold(false);
    return true;
  }

  private hold(by: number, x: number, y: number, point: Vector3): void {
    this.heldBy = by;
    this.isAstray = false;
    this.last.set(x, y);
    this.dragPlane.setFromNormalAndCoplanarPoint(this.options.camera.getWorldDirection(this.to), point);
    this.options.onHold(true);
  }

  private toolPlace(): Vector3 {
    return this.options.surface.getWorldPosition(this.from);
  }

  private addHelper(event: PointerEvent): void {
    this.options.canvas.setPointerCapture(event.pointerId);
    this.helpers.set(event.pointerId, this.pressed.get(event.pointerId)!);
  }

  private readGesture(): TouchGesture | undefined {
    const holder = this.heldBy === undefined ? undefined : this.pressed.get(this.heldBy);
    return holder && this.helpers.size > 0 ? gestureOf(holder, [...this.helpers.values()]) : undefined;
  }

  /** One finger beside the holder twists and pinches; with two of them their common motion rotates, as Shift does. */
  private obeyGesture(before: TouchGesture, after: TouchGesture): void {
    if (this.helpers.size > 1) {
      const { mouse } = this.options;
      mouse.turn((after.y - before.y) * TURN_PER_PIXEL, (after.x - before.x) * TURN_PER_PIXEL, 0);
      return;
    }
    // Fingers that go apart bring it nearer, as they do with images. Clockwise on the screen is about minus the eye's axis.
    this.pushInDepth((before.spread - after.spread) * this.metresPerPixel());
    this.options.mouse.turn(0, 0, -angleBetween(before.angle, after.angle));
  }

  private dragTo(event: PointerEvent): void {
    const { mouse } = this.options;
    if (this.isAstray) {
      // The camera may have moved as well.
      this.hold(FREE_HAND, event.clientX, event.clientY, this.toolPlace());
      return;
    }
    const dx = event.clientX - this.last.x;
    const dy = event.clientY - this.last.y;
    if (event.shiftKey) {
      mouse.turn(dy * TURN_PER_PIXEL, dx * TURN_PER_PIXEL, 0);
    } else {
      this.aim(this.last.x, this.last.y);
      const from = this.raycaster.ray.intersectPlane(this.dragPlane, this.from);
      this.aim(event.clientX, event.clientY);
      const to = this.raycaster.ray.intersectPlane(this.dragPlane, this.to);
      if (from && to) mouse.shift(to.x - from.x, to.y - from.y, to.z - from.z);
    }
    this.last.set(event.clientX, event.clientY);
  }

  /** @param by metres, away from the eye */
  private pushInDepth(by: number): void {
    this.options.mouse.move(0, 0, by);
    this.dragPlane.constant -= by * this.dragPlane.normal.dot(this.options.camera.getWorldDirection(this.to));
  }

  /** At the depth of the tool. */
  private metresPerPixel(): number {
    const { camera, canvas } = this.options;
    const distance = Math.abs(this.dragPlane.distanceToPoint(camera.position));
    return (2 * distance * Math.tan(MathUtils.degToRad(camera.fov) / 2)) / canvas.clientHeight;
  }

  private aim(x: number, y: number): void {
    aimRay(this.raycaster, this.options.canvas, this.options.camera, x, y);
  }

  /** Where the pointer meets the tool, unless something stands in front of it. */
  private pick(event: MouseEvent): Vector3 | undefined {
    const { clientX: x, clientY: y } = event;
    const exact = this.pickAt(x, y);
    if (exact || (event as Partial<PointerEvent>).pointerType !== 'touch') return exact;
    for (const [dx, dy] of AROUND) {
      const near = this.pickAt(x + FINGER_REACH * dx, y + FINGER_REACH * dy);
      if (near) return near;
    }
    return undefined;
  }

  private pickAt(x: number, y: number): Vector3 | undefined {
    const { surface, obstacle, hidesAt } = this.options;
    this.aim(x, y);
    const hits = this.raycaster.intersectObjects([surface, obstacle], false);
    const first = hits.find((hit) => hit.object === surface || hidesAt(hit.point));
    return first?.object === surface ? first.point : undefined;
  }
}

const AROUND = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
