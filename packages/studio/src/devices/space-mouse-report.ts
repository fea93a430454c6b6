/**
 * Input reports of SpaceMouse, SpaceNavigator, SpacePilot and SpaceExplorer, bytes after the report's number:
 *
 *     1   three int16, little-endian: translation. Newer models add three more: rotation.
 *     2   three int16, little-endian: rotation
 *     3   buttons, one bit each, lowest first, one to several bytes
 *  0x1c   newer models: the numbers of the keys that are held, uint16, little-endian, six of them; 0: none. Key n is the
 *         button of bit n − 1 of report 3: 1 menu, 2 fit, 3 top, …, 13 to 22 for the user, …, 31 minus.
 *
 * A model that sends both says the same in both. The knob's own frame is right-handed: x right, y to the person, z down;
 * rotations are right-handed about these. Other reports (battery; 0x1d, keys that are held for long) mean nothing here.
 */

/** What a knob gives when pushed to its end, about; the exact value differs from piece to piece. */
const FULL_DEFLECTION = 350;
const AXIS_BYTES = 2;
const KEY_BYTES = 2;
/** Those of the grip are added up bit by bit, where a 32nd would make the sum negative. Others are passed over. */
const BUTTON_MASK = 0x7fffffff;
const BUTTONS = 31;

export interface SpaceMouseState {
  /** Translation x, y, z, then rotation x, y, z, each −1 to 1. */
  readonly axes: Float64Array;
  /** One bit per button that is held down. */
  buttons: number;
}

export function createSpaceMouseState(): SpaceMouseState {
  return { axes: new Float64Array(6), buttons: 0 };
}

/** Takes a report into the state. False, and nothing changed, when it is too short or of an unknown kind. */
export function parseSpaceMouseReport(state: SpaceMouseState, reportId: number, data: DataView): boolean {
  if (reportId === 1) return readAxes(state, 0, data, data.byteLength >= 6 * AXIS_BYTES ? 6 : 3);
  if (reportId === 2) return readAxes(state, 3, data, 3);
  if (reportId === 3) return readButtons(state, data);
  if (reportId === 0x1c) return readKeys(state, data);
  return false;
}

function readAxes({ axes }: SpaceMouseState, first: number, data: DataView, count: number): boolean {
  if (data.byteLength < count * AXIS_BYTES) return false;
  for (let k = 0; k < count; k += 1) {
    const share = data.getInt16(k * AXIS_BYTES, true) / FULL_DEFLECTION;
    axes[first + k] = Math.max(-1, Math.min(1, share));
  }
  return true;
}

function readButtons(state: SpaceMouseState, data: DataView): boolean {
  if (data.byteLength === 0) return false;
  let buttons = 0;
  for (let byte = 0; byte < data.byteLength && 8 * byte < BUTTONS; byte += 1) {
    buttons |= data.getUint8(byte) << (8 * byte);
  }
  state.buttons = buttons & BUTTON_MASK;
  return true;
}

function readKeys(state: SpaceMouseState, data: DataView): boolean {
  if (data.byteLength < KEY_BYTES) return false;
  let buttons = 0;
  for (let at = 0; at + KEY_BYTES <= data.byteLength; at += KEY_BYTES) {
    const key = data.getUint16(at, true);
    if (key >= 1 && key <= BUTTONS) buttons |= 1 << (key - 1);
  }
  state.buttons = buttons;
  return true;
}
