/**
 * One controller of a headset. Its squeeze button is the clutch: held, the tool follows the hand; let go, the tool stays
 * and the hand is free. The trigger is button 0. Contact pulses in the hand that holds the tool.
 */
import { Quaternion, Vector3 } from 'three';
import { createClutch } from './clutch.js';
import type { Grip } from './grip.js';
import type { PageDevice } from './page-device.js';
import { createRumble, RUMBLE_MS } from './rumble.js';
import { readXrPose } from './xr-frame.js';

/** Places of the "xr-standard" layout. */
const TRIGGER = 0;
const SQUEEZE = 1;

/** What is known of a controller at the moment of a frame; undefined while it is not there. */
export type FindController = () => { readonly source: XRInputSource; readonly pose: XRPose | undefined } | undefined;

export interface XrControllerOptions {
  /** For the buttons; unlike that of any other device of the same grip. */
  readonly name: string;
  readonly grip: Grip;
  readonly find: FindController;
  /** Metres of the tool per metre of the hand. */
  readonly scale: number;
  /** Asks whether this hand may take the tool; the other one may hold it. */
  readonly take: () => boolean;
  readonly letGo: () => void;
}

export function createXrController({ name, grip, find, scale, take, letGo }: XrControllerOptions): PageDevice {
  const clutch = createClutch(grip, scale);
  const rumble = createRumble();
  const position = new Vector3();
  const rotation = new Quaternion();
  let motor: GamepadHapticActuator | undefined;

  const release = () => {
    if (clutch.isEngaged) letGo();
    clutch.release();
    grip.press(name, 0);
  };

  return {
    get isBusy() {
      return find() !== undefined;
    },
    step() {
      const controller = find();
      const buttons = controller?.source.gamepad?.buttons;
      motor = controller?.source.gamepad?.hapticActuators?.[0];
      // A hand that is lost from sight lets go: the tool must not jump after it when it is seen again.
      if (!controller?.pose || !buttons?.[SQUEEZE]?.pressed) return release();
      readXrPose(position, rotation, controller.pose);
      if (clutch.isEngaged) clutch.follow(position, rotation);
      else if (take()) clutch.engage(position, rotation);
      grip.press(name, clutch.isEngaged && buttons[TRIGGER]?.pressed ? 1 : 0);
    },
    feel(wrench, nowMs) {
      const strength = clutch.isEngaged ? rumble.next(wrench, nowMs) : undefined;
      // A pulse ends by itself; a new one takes the place of the last.
      if (strength !== undefined) void motor?.pulse(strength, strength > 0 ? RUMBLE_MS : 1)?.catch(() => {});
    },
    close: release,
  };
}
