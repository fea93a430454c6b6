/**
 * Mouse, finger and keyboard as one device among the others: always there, moves the tool in the directions of the view.
 * What a drag, the wheel or a key means is said where these events are heard; here it becomes motion.
 */
import type { Grip } from './grip.js';
import { createViewAxes, type DeviceStatus, type ViewAxes } from './page-device.js';

export type MouseKeyboard = Readonly<ReturnType<typeof createMouseKeyboard>>;

export const MOUSE_KEYBOARD_STATUS: DeviceStatus = {
  state: 'connected',
  text: 'Drag the tool, or use the arrow keys. You see contact but do not feel it.',
};

export function createMouseKeyboard({ grip, readView }: { grip: Grip; readView: (out: ViewAxes) => void }) {
  const view = createViewAxes();
  const inView = (apply: Grip['move'], right: number, up: number, away: number) => {
    readView(view);
    const part = (k: number) => right * view.right[k]! + up * view.up[k]! + away * view.away[k]!;
    apply(part(0), part(1), part(2));
  };
  return {
    /** Moves along the view's right, up and away-from-the-eye directions, metres. */
    move: (right: number, up: number, away: number) => inView(grip.move, right, up, away),
    /** Rotations about the view's right, up and towards-the-eye axes, radians. */
    turn: (aboutRight: number, aboutUp: number, aboutEye: number) => inView(grip.turn, aboutRight, aboutUp, -aboutEye),
    /** Shifts by a vector of the world, metres. */
    shift: grip.move,
  };
}
