/**
 * The messages from and to the Haply Inverse service (formats 3.1 to 3.5, WebSocket port 10001), as text; the connection
 * is the caller's, in a page or in Node.
 *
 * The service first sends a list of its devices unasked, then one state of all devices for every message it gets:
 *
 *     {"inverse3": [{"device_id", "state": {"cursor_position", "body_orientation", …},
 *                    "status": {"calibrated", "ready", "started", "in_use", "power_supply"}}],
 *      "verse_grip": [{"device_id", "state": {"orientation", "button"}}],
 *      "wireless_verse_grip": [{"device_id", "state": {"orientation", "buttons": {"a", "b", "c"}}}],
 *      "custom_verse_grip": as the wireless ones}
 *
 * Frame: right-handed, x right, y forward, z up; m, N; quaternions are objects with x, y, z, w.
 *
 * Two spellings of a force. 3.5 reads `set_cursor_force.vector`, earlier ones `set_cursor_force.values`. What the
 * service reports of the device decides: 3.5 has `control_mode` and `control_domain` in the state where earlier ones
 * have `mode`; with neither, a `session_id` beside the devices speaks for 3.5. Without any sign it is `values`, which
 * clients of every version have sent so far. A sign once seen holds until another is seen.
 *
 * Who may push. Positions of a device that is not calibrated are wrong, and one that is not ready is no device yet:
 * both get no force. The service says so in `status` alone, beside `state`, in the first list and in every state after
 * it; neither `state` nor `config` repeats it. A field that was never reported, as with a service that has no `status`,
 * forbids nothing; one that was reported holds until the next report.
 */

export interface HaplySessionOptions {
  /** Which Inverse3; the first of the list unless given. */
  readonly deviceId?: string;
  /** Which VerseGrip, wired, wireless or custom; the first that knows its orientation unless given. */
  readonly gripId?: string;
}

/** One reading of device and grip. */
export interface HaplyReading {
  readonly kind: 'reading';
  /** Of the Inverse3. */
  readonly deviceId: string;
  /** Position (m) and quaternion (x, y, z, w) in the service's frame; overwritten by the next reading. */
  readonly pose: Float64Array;
  /** One bit each: `button` of a wired grip, or `a`, `b`, `c` of a wireless one, the first in the lowest bit. */
  readonly buttons: number;
  /** The grip that gave orientation and buttons; null when there is none, or when it has gone. */
  readonly gripId: string | null;
  /** Why the pose must not be used and no force is given, and what to do about it, in a sentence; null when all is well. */
  readonly trouble: string | null;
}

/** A message that was refused. */
export interface HaplyProblem {
  readonly kind: 'problem';
  /** What is wrong with the message, in a sentence. */
  readonly message: string;
}

/** The protocol of one Haply device, without the socket: messages in, poses out, forces in, messages out. */
export interface HaplySession {
  /** Reads one message of the service. The first reading chooses device and grip for the rest of the session. */
  accept(text: string): HaplyReading | HaplyProblem;
  /**
   * The message that sets this force (N). Zero if a part of it is not finite, or while the last reading has a trouble;
   * a part below `HAPLY_LEAST_FORCE` is zero. Null before the first reading.
   */
  forceMessage(force: ArrayLike<number>): string | null;
}

/** Longest message that is accepted, bytes. */
export const HAPLY_MESSAGE_LIMIT = 2 ** 20;
/** Less than this nobody can feel, N; it is sent as zero, so that a fading force ends and is not written as 5e-324. */
export const HAPLY_LEAST_FORCE = 1e-9;

type Json = Readonly<Record<string, unknown>>;
type ForceSpelling = 'vector' | 'values';

const GRIP_LISTS = ['verse_grip', 'wireless_verse_grip', 'custom_verse_grip'] as const;
/** More bits than a number keeps whole are no buttons. */
const MAX_BUTTONS = 31;

/** Refusals travel as exceptions inside this file only. */
class Refusal extends Error {}

/** Creates the protocol session of one Haply device; the host owns the socket. */
export function createHaplySession(options: HaplySessionOptions = {}): HaplySession {
  const pose = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
  let deviceId = options.deviceId;
  let gripId = options.gripId;
  let hasReading = false;
  let spelling: ForceSpelling = 'values';
  let isCalibrated = true;
  let isReady = true;
  let trouble: string | null = null;

  const read = (text: string): HaplyReading => {
    const message = parse(text);
    const device = findDevice(message, deviceId);
    const id = idOf(device, 'inverse3');
    const state = stateOf(device, 'inverse3');
    const grip = findGrip(message, gripId);
    const position = readNumbers(state.cursor_position, 'inverse3 state.cursor_position', 'xyz');
    if (position === null) throw new Refusal(`inverse3 ${excerpt(id)} reports no cursor_position`);
    // Without a grip the last orientation stays: a grip that goes to sleep must not rotate the tool.
    const rotation = grip?.rotation ?? (gripId === undefined ? bodyRotation(state) : null);
    const buttons = grip === null ? 0 : readButtons(grip.state);
    const status = isObject(device.status) ? device.status : {};
    const calibrated = readFlag(status.calibrated, 'inverse3 status.calibrated');
    const ready = readFlag(status.ready, 'inverse3 status.ready');

    pose.set(position);
    if (rotation !== null) pose.set(rotation, 3);
    deviceId = id;
    gripId ??= grip?.id;
    hasReading = true;
    spelling = spellingShownBy(message, state) ?? spelling;
    isCalibrated = calibrated ?? isCalibrated;
    isReady = ready ?? isReady;
    trouble = describeTrouble(id, isCalibrated, isReady);
    return { kind: 'reading', deviceId: id, pose, buttons, gripId: grip?.id ?? null, trouble };
  };

  return {
    accept(text) {
      return orProblem(() => read(text));
    },
    forceMessage(force) {
      if (!hasReading || deviceId === undefined) return null;
      const isFiniteForce = Number.isFinite(force[0]) && Number.isFinite(force[1]) && Number.isFinite(force[2]);
      const part = (k: number) => (isFiniteForce && !trouble && Math.abs(force[k]) >= HAPLY_LEAST_FORCE ? force[k] : 0);
      const vector = { x: part(0), y: part(1), z: part(2) };
      const commands = { set_cursor_force: { [spelling]: vector } };
      return JSON.stringify({ inverse3: [{ device_id: deviceId, commands }] });
    },
  };
}

function describeTrouble(id: string, isCalibrated: boolean, isReady: boolean): string | null {
  const name = `Inverse3 ${oneLine(id)}`;
  if (!isReady)
    return `${name} is not ready: check its power supply, switch it on and wait until Haply Hub shows it as ready`;
  if (!isCalibrated)
    return `${name} is not calibrated: put its handle into the rest on its base and calibrate it as Haply Hub says`;
  return null;
}

/** The ids of all Inverse3 in a message of the service. */
export function listHaplyDevices(text: string): readonly string[] | HaplyProblem {
  return orProblem(() => listOf(parse(text), 'inverse3').map((device) => idOf(device, 'inverse3')));
}

function orProblem<T>(read: () => T): T | HaplyProblem {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'problem', message: error.message };
    throw error;
  }
}

function parse(text: string): Json {
  if (text.length > HAPLY_MESSAGE_LIMIT) {
    throw new Refusal(`a message of ${text.length} characters is longer than ${HAPLY_MESSAGE_LIMIT}`);
  }
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new Refusal(`a message is not JSON: ${excerpt(text)}`);
  }
  if (!isObject(message)) throw new Refusal(`a message is not an object: ${excerpt(text)}`);
  return message;
}

function findDevice(message: Json, deviceId: string | undefined): Json {
  const devices = listOf(message, 'inverse3');
  if (devices.length === 0) throw new Refusal('the service lists no Inverse3: connect one and switch it on');
  if (deviceId === undefined) return devices[0];
  const device = devices.find((candidate) => candidate.device_id === deviceId);
  if (device !== undefined) return device;
  const names = devices.map((candidate) => excerpt(String(candidate.device_id))).join(', ');
  throw new Refusal(`the service lists no Inverse3 ${excerpt(deviceId)}, only ${names}`);
}

interface Grip {
  readonly id: string;
  readonly state: Json;
  readonly rotation: Float64Array;
}

/** The named grip, or the first with an orientation; one that sleeps may report no state, or four zeros. */
function findGrip(message: Json, gripId: string | undefined): Grip | null {
  for (const list of GRIP_LISTS) {
    for (const grip of listOf(message, list)) {
      const id = idOf(grip, list);
      if ((gripId !== undefined && id !== gripId) || grip.state === undefined) continue;
      const state = stateOf(grip, list);
      const rotation = readRotation(state.orientation, `${list} state.orientation`);
      if (rotation !== null) return { id, state, rotation };
    }
  }
  return null;
}

function bodyRotation(state: Json): Float64Array | null {
  return readRotation(state.body_orientation, 'inverse3 state.body_orientation');
}

function readRotation(value: unknown, place: string): Float64Array | null {
  const rotation = readNumbers(value, place, 'xyzw');
  return rotation?.some((part) => part !== 0) ? rotation : null;
}

/** Null when the field is missing. */
function readNumbers(value: unknown, place: string, keys: string): Float64Array | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw new Refusal(`${place} is not an object with ${[...keys].join(', ')}`);
  return Float64Array.from(keys, (key) => {
    const part = value[key];
    if (typeof part !== 'number' || !Number.isFinite(part)) {
      throw new Refusal(`${place}.${key} is ${excerpt(String(JSON.stringify(part)))} instead of a number`);
    }
    return part;
  });
}

function readButtons(state: Json): number {
  if (state.button !== undefined) return isPressed(state.button) ? 1 : 0;
  const { buttons } = state;
  if (buttons === undefined || buttons === null) return 0;
  if (!isObject(buttons) && !Array.isArray(buttons)) throw new Refusal('buttons of a grip are neither object nor list');
  // Names in order: a, b, c, or button_0, button_1 and so on; the places of a list are in order already.
  const held = Array.isArray(buttons)
    ? buttons
    : Object.keys(buttons)
        .sort()
        .map((name) => buttons[name]);
  if (held.length > MAX_BUTTONS) throw new Refusal(`a grip has ${held.length} buttons, more than ${MAX_BUTTONS}`);
  return held.reduce<number>((bits, value, button) => (isPressed(value) ? bits | (1 << button) : bits), 0);
}

function isPressed(value: unknown): boolean {
  return readFlag(value, 'a button of a grip') ?? false;
}

/** Null when the field is missing. */
function readFlag(value: unknown, place: string): boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  throw new Refusal(`${place} is ${excerpt(String(JSON.stringify(value)))} instead of true or false`);
}

function spellingShownBy(message: Json, state: Json): ForceSpelling | null {
  if ('control_mode' in state || 'control_domain' in state) return 'vector';
  if ('mode' in state) return 'values';
  return 'session_id' in message ? 'vector' : null;
}

function listOf(message: Json, name: string): readonly Json[] {
  const list = message[name];
  if (list === undefined || list === null) return [];
  if (isObject(list)) {
    throw new Refusal(`${name} is an object, as in the format 3.0 of port 10000: connect to port 10001`);
  }
  if (!Array.isArray(list) || !list.every(isObject)) throw new Refusal(`${name} is not a list of objects`);
  return list;
}

function idOf(entry: Json, list: string): string {
  const id = entry.device_id;
  if (typeof id !== 'string') throw new Refusal(`an entry of ${list} has no device_id that is a text`);
  return id;
}

function stateOf(entry: Json, list: string): Json {
  if (!isObject(entry.state)) throw new Refusal(`an entry of ${list} has no state`);
  return entry.state;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** For a sentence in a log: short, and on one line. */
function excerpt(text: string): string {
  return `“${oneLine(text)}”`;
}

function oneLine(text: string): string {
  const line = text.slice(0, 40).replace(/[\p{C}\p{Z}]/gu, ' ');
  return text.length > 40 ? `${line}…` : line;
}
