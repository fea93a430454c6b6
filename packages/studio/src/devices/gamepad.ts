/**
 * A gamepad in the browser's standard layout. The left stick moves the tool level, the triggers lift and lower it, the
 * right stick and the bumpers rotate it; contact shakes the motors.
 */
import type { DeviceStatus, PageDevice } from './page-device.js';
import { createRateControl, type RateDeviceOptions } from './rate-control.js';
import { createRumble, RUMBLE_MS } from './rumble.js';

/** Sticks rest up to a tenth of their range off the middle. */
const DEAD_ZONE = 0.12;
const LEFT_BUMPER = 4;
const RIGHT_BUMPER = 5;
const LEFT_TRIGGER = 6;
const RIGHT_TRIGGER = 7;
/** The four under the right thumb are the device's buttons. */
const FACE_BUTTONS = [0, 1, 2, 3];
/** The heavy motor for all forces; the light one, which buzzes, only adds to it. */
const WEAK_SHARE = 0.6;

export interface GamepadOptions extends RateDeviceOptions {
  /** `navigator.getGamepads`; undefined where the browser has none. */
  readonly getGamepads: (() => readonly (Gamepad | null)[]) | undefined;
  /** Where `gamepadconnected` and `gamepaddisconnected` are heard: the window. */
  readonly events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
}

const UNSUPPORTED: DeviceStatus = {
  state: 'unsupported',
  text: 'This browser does not give the page access to gamepads. Use a current Chrome, Edge, Firefox or Safari, and open the page directly, not in a frame.',
};
const ABSENT: DeviceStatus = { state: 'absent', text: 'None found. Plug one in and press any of its buttons.' };

export function createGamepad(options: GamepadOptions): PageDevice {
  const { getGamepads, events, grip, onStatus, onBusy } = options;
  const rate = createRateControl(grip, options.readView, DEAD_ZONE);
  const rumble = createRumble();
  /** Number of the gamepad that was heard first and is still there. */
  let index: number | undefined;

  /** Read again every time: some browsers give a snapshot, not a live object. */
  const read = (): Gamepad | undefined => {
    try {
      const all = [...(getGamepads?.() ?? [])];
      return all.find((pad) => pad?.connected && (index === undefined || pad.index === index)) ?? undefined;
    } catch {
      // A frame without the permission throws instead of giving nothing.
      return undefined;
    }
  };
  const update = () => {
    const pad = read();
    if (pad?.index === index) return;
    if (!pad) return letGo();
    index = pad.index;
    onStatus({ state: 'connected', text: describe(pad) });
    onBusy();
  };
  const letGo = () => {
    index = undefined;
    rate.release();
    grip.press('gamepad', 0);
    const other = read();
    if (other) update();
    else onStatus(ABSENT);
  };

  onStatus(getGamepads ? ABSENT : UNSUPPORTED);
  if (getGamepads) update();
  events.addEventListener('gamepadconnected', update);
  events.addEventListener('gamepaddisconnected', update);

  return {
    // It reports nothing by itself: as long as it is there it has to be asked.
    get isBusy() {
      return index !== undefined;
    },
    step(dt) {
      const pad = read();
      if (!pad) {
        if (index !== undefined) letGo();
        return;
      }
      rate.deflection.set(deflectionOf(pad));
      grip.press('gamepad', heldButtons(pad));
      rate.step(dt);
    },
    feel(wrench, nowMs) {
      const strength = rumble.next(wrench, nowMs);
      if (strength !== undefined) shake(read(), strength);
    },
    close() {
      events.removeEventListener('gamepadconnected', update);
      events.removeEventListener('gamepaddisconnected', update);
      shake(read(), 0);
      index = undefined;
      grip.press('gamepad', 0);
    },
  };
}

/**
 * A stick that is pushed away gives −1. Rotations are as a drag with the mouse: the side that faces the person goes where the
 * stick is pushed.
 */
function deflectionOf({ axes, buttons }: Gamepad): number[] {
  const axis = (k: number) => axes[k] ?? 0;
  const pair = (plus: number, minus: number) => (buttons[plus]?.value ?? 0) - (buttons[minus]?.value ?? 0);
  const up = pair(RIGHT_TRIGGER, LEFT_TRIGGER);
  return [axis(0), -axis(1), up, axis(3), pair(RIGHT_BUMPER, LEFT_BUMPER), axis(2)];
}

function heldButtons({ buttons }: Gamepad): number {
  let held = 0;
  for (const k of FACE_BUTTONS) if (buttons[k]?.pressed) held |= 1 << k;
  return held;
}

function shake(pad: Gamepad | undefined, strength: number): void {
  const motor = pad?.vibrationActuator;
  if (!motor?.playEffect) return;
  const effect =
    strength > 0
      ? motor.playEffect('dual-rumble', {
          duration: RUMBLE_MS,
          strongMagnitude: strength,
          weakMagnitude: WEAK_SHARE * strength,
        })
      : motor.reset();
  // A gamepad without motors, or one that was just unplugged, refuses: there is nothing to feel then.
  void effect.catch(() => {});
}

function describe(pad: Gamepad): string {
  const name = pad.id.replace(/\s*\(.*$/, '').trim() || 'Gamepad';
  const layout =
    pad.mapping === 'standard' ? '' : ' Its layout is unknown to this browser: sticks and buttons may differ.';
  const motor = pad.vibrationActuator ? ' and rumbles on contact' : '; it cannot rumble';
  return `${name} moves the tool${motor}.${layout}`;
}
