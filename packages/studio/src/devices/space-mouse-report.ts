/**
 * Input reports of SpaceMouse, SpaceNavigator, SpacePilot and SpaceExplorer, bytes after the report's number:
 *
 *     1   three int16, little-endian: translation. Newer models add three more: rotation.
 *     2   three int16, little-endian: rotation
 *     3   buttons, one bit each, lowest first, one to several bytes
 *
 * The knob's own frame is right-handed: x right, y to the person, z down; turns are right-handed about these. Other
 * reports (battery, long key codes) mean nothing here.
 */

/** What a knob gives when pushed to its end, about; the exact value differs from piece to piece. */
const FULL_DEFLECTION = 350;
const AXIS_BYTES = 2;
const MOST_BUTTON_BYTES = 4;

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
  for (let byte = 0; byte < Math.min(data.byteLength, MOST_BUTTON_BYTES); byte += 1) {
    buttons |= data.getUint8(byte) << (8 * byte);
  }
  state.buttons = buttons >>> 0;
  return true;
}
