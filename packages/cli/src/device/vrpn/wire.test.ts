import { createRandom } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { VrpnDecoder } from './decoder.js';
import {
  decodeAnalog,
  decodeButtonChange,
  decodeButtonStates,
  decodeForce,
  decodeForceField,
  decodeLeftOut,
  decodeMotion,
  decodePlane,
  decodePosQuat,
  decodeScp,
  decodeWrench,
  encodeAnalog,
  encodeButtonChange,
  encodeButtonStates,
  encodeForce,
  encodeForceField,
  encodeLeftOut,
  encodeMotion,
  encodePlane,
  encodePosQuat,
  encodeScp,
  encodeWrench,
} from './payloads.js';
import {
  decodeName,
  encodeCookie,
  encodeMessage,
  encodeName,
  isVrpnName,
  type VrpnMessage,
  VrpnProtocolError,
} from './wire.js';

/** Bytes written out by hand from the description of the wire format, not by the encoder. */
const hex = (text: string) => Uint8Array.from(Buffer.from(text.replace(/\s/g, ''), 'hex'));
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** "vrpn: ver. 07.38  0" and five zeros. */
const COOKIE = hex('7672706e 3a207665 722e2030 372e3338 20203000 00000000');
/** Type 3 is "vrpn_Button Change": 18 letters and a zero, so that the length is 47 and the message fills 48 bytes. */
const TYPE_DESCRIPTION = hex(`
  0000002f 00000001 0007a120 00000003 fffffffe 00000001
  00000013 7672706e 5f427574 746f6e20 4368616e 67650000`);
/** Sender 2, type 5, sequence number 7, at 1.5 s: sensor 1 at (0.5, -2, 0.25), not turned. */
const POS_QUAT_PAYLOAD = `
  00000001 00000000 3fe00000 00000000 c0000000 00000000 3fd00000 00000000
  00000000 00000000 00000000 00000000 00000000 00000000 3ff00000 00000000`;
const POS_QUAT = hex(`00000058 00000001 0007a120 00000002 00000005 00000007 ${POS_QUAT_PAYLOAD}`);

type Heard = Omit<VrpnMessage, 'payload'> & { payload: string };

/** Decodes a stream that comes in the given pieces. */
function decode(...pieces: Uint8Array[]): { cookies: number; messages: Heard[] } {
  const result = { cookies: 0, messages: [] as Heard[] };
  const decoder = new VrpnDecoder({
    onCookie: () => {
      result.cookies += 1;
    },
    onMessage: ({ payload, ...rest }) => {
      const bytes = new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength);
      result.messages.push({ ...rest, payload: toHex(bytes) });
    },
  });
  for (const piece of pieces) decoder.push(piece);
  return result;
}

const join = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

describe('the frame', () => {
  it('encodes cookie, names and messages to the bytes of the protocol', () => {
    expect(toHex(encodeCookie())).toBe(toHex(COOKIE));
    const name = encodeName('vrpn_Button Change');
    const head = { sequence: 1, timeMs: 1500 };
    expect(toHex(encodeMessage({ ...head, sender: 3, type: -2, payload: name }))).toBe(toHex(TYPE_DESCRIPTION));
    const pose = encodePosQuat(1, [0.5, -2, 0.25, 0, 0, 0, 1]);
    const message = encodeMessage({ sender: 2, type: 5, sequence: 7, timeMs: 1500, payload: pose });
    expect(toHex(message)).toBe(toHex(POS_QUAT));
  });

  it('is read the same however the stream is cut', () => {
    const stream = join(COOKIE, TYPE_DESCRIPTION, POS_QUAT, POS_QUAT);
    const whole = decode(stream);
    expect(whole.cookies).toBe(1);
    expect(whole.messages.map(({ type }) => type)).toEqual([-2, 5, 5]);
    expect(whole.messages[1]).toEqual({
      sender: 2,
      type: 5,
      sequence: 7,
      timeMs: 1500,
      payload: POS_QUAT_PAYLOAD.replace(/\s/g, ''),
    });
    expect(decode(...Array.from(stream, (byte) => Uint8Array.of(byte)))).toEqual(whole);
    const random = createRandom(11);
    for (let round = 0; round < 50; round += 1) {
      const cut = Math.floor(random() * stream.length);
      expect(decode(stream.subarray(0, cut), stream.subarray(cut))).toEqual(whole);
    }
  });

  it('accepts an older version and refuses another protocol at its first wrong byte', () => {
    const older = Uint8Array.from(COOKIE);
    older.set([0x33, 0x35], 14);
    expect(decode(older).cookies).toBe(1);
    const stranger = new TextEncoder().encode('GET');
    expect(() => decode(stranger)).toThrow('it began with "GET", not with "vrpn: ver. 07.": it does not speak VRPN 07');
    expect(() => decode(new TextEncoder().encode('vrpn: ver. 06.03  0'))).toThrow(VrpnProtocolError);
    expect(decode(COOKIE.subarray(0, 12)).cookies).toBe(0);
  });

  it('refuses lengths that lie before storing anything', () => {
    const claim = (length: number) => {
      const bytes = Uint8Array.from(POS_QUAT);
      view(bytes).setUint32(0, length);
      return join(COOKIE, bytes);
    };
    expect(() => decode(claim(23))).toThrow('a message claims 23 bytes; expected 24 (its header) to 65536');
    expect(() => decode(claim(0))).toThrow(VrpnProtocolError);
    expect(() => decode(claim(65_537))).toThrow(VrpnProtocolError);
    expect(() => decode(claim(0xffffffff))).toThrow('a message claims 4294967295 bytes');
    expect(decode(claim(24).subarray(0, 48)).messages[0].payload).toBe('');
  });

  it('takes messages up to the longest allowed, one after the other', () => {
    const payload = new Uint8Array(65_536 - 24).fill(9);
    const long = encodeMessage({ sender: 0, type: 1, sequence: 0, timeMs: 0, payload });
    expect(decode(join(COOKIE, long, long, POS_QUAT)).messages).toHaveLength(3);
  });

  it('stops in the middle of a chunk', () => {
    let count = 0;
    const decoder = new VrpnDecoder({
      onCookie: () => {},
      onMessage: () => {
        count += 1;
        decoder.stop();
      },
    });
    decoder.push(join(COOKIE, POS_QUAT, POS_QUAT));
    expect(count).toBe(1);
  });

  it('throws nothing but protocol errors, whatever comes', () => {
    const random = createRandom(20_240);
    for (let round = 0; round < 400; round += 1) {
      const stream = join(COOKIE, TYPE_DESCRIPTION, POS_QUAT, TYPE_DESCRIPTION);
      const from = round % 2 === 0 ? COOKIE.length : 0;
      for (let k = 0; k < 6; k += 1) {
        stream[from + Math.floor(random() * (stream.length - from))] = Math.floor(random() * 256);
      }
      try {
        decode(stream);
      } catch (error) {
        expect(error).toBeInstanceOf(VrpnProtocolError);
      }
    }
  });
});

describe('names', () => {
  const describeAs = (payload: Uint8Array, sender = 3) => ({
    ...{ sender, type: -2, sequence: 0, timeMs: 0 },
    payload: view(payload),
  });

  it('are read with their final zero or without', () => {
    expect(decodeName(describeAs(hex('00000003 416200')))).toBe('Ab');
    expect(decodeName(describeAs(hex('00000002 4162')))).toBe('Ab');
    expect(decodeName(describeAs(encodeName('Pinsel für α')))).toBe('Pinsel für α');
  });

  it('are refused where their length or their id lies', () => {
    const lie = 'the description of type 3 claims a name of';
    expect(() => decodeName(describeAs(hex('00000004 416200')))).toThrow(`${lie} 4 bytes in a payload of 7`);
    expect(() => decodeName(describeAs(hex('ffffffff 416200')))).toThrow(`${lie} 4294967295 bytes`);
    expect(() => decodeName(describeAs(hex('00000000')))).toThrow(lie);
    expect(() => decodeName(describeAs(hex('0000')))).toThrow(lie);
    expect(() => decodeName(describeAs(encodeName('a'.repeat(100))))).toThrow(lie);
    expect(() => decodeName(describeAs(encodeName('a'), -1))).toThrow('with the id -1; ids go from 0 to 1999');
    expect(() => decodeName(describeAs(encodeName('a'), 2000))).toThrow(VrpnProtocolError);
  });

  it('are judged before they are given', () => {
    expect(isVrpnName('Tool')).toBe(true);
    expect(isVrpnName('')).toBe(false);
    expect(isVrpnName('a\0b')).toBe(false);
    expect(isVrpnName('a'.repeat(100))).toBe(false);
  });
});

describe('payloads', () => {
  const motion = {
    sensor: 1,
    linear: Float64Array.of(1, 2, -2),
    rotation: Float64Array.of(0, 0, 0, 1),
    dt: 0.5,
  };
  const plane = {
    plane: [0, 0, 1, -0.5],
    stiffness: 1,
    damping: 0.5,
    dynamicFriction: 0.25,
    staticFriction: 2,
    index: 3,
    recoveryCycles: 4,
  };
  const field = {
    origin: Float64Array.of(1, 2, 3),
    force: Float64Array.of(-1, 0.5, 0),
    jacobian: Float64Array.of(1, 0, 0, 0, 2, 0, 0, 0, 3),
    radius: 0.25,
  };
  const cases: [string, Uint8Array, string, (payload: DataView) => unknown, unknown][] = [
    [
      'Pos_Quat',
      encodePosQuat(1, [0.5, -2, 0.25, 0, 0, 0, 1]),
      POS_QUAT_PAYLOAD,
      decodePosQuat,
      { sensor: 1, pose: Float64Array.of(0.5, -2, 0.25, 0, 0, 0, 1) },
    ],
    [
      'Velocity, Acceleration',
      encodeMotion(motion),
      `00000001 00000000 3ff00000 00000000 40000000 00000000 c0000000 00000000
       00000000 00000000 00000000 00000000 00000000 00000000 3ff00000 00000000 3fe00000 00000000`,
      decodeMotion,
      motion,
    ],
    [
      'Button Change',
      encodeButtonChange({ button: 2, isDown: true }),
      '00000002 00000001',
      decodeButtonChange,
      { button: 2, isDown: true },
    ],
    [
      'Button States',
      encodeButtonStates([false, true, true]),
      '00000003 00000000 00000001 00000001',
      decodeButtonStates,
      [false, true, true],
    ],
    [
      'Analog Channel',
      encodeAnalog([0.5, -2]),
      '40000000 00000000 3fe00000 00000000 c0000000 00000000',
      decodeAnalog,
      Float64Array.of(0.5, -2),
    ],
    [
      'Force',
      encodeForce([1, -2, 0.5]),
      '3ff00000 00000000 c0000000 00000000 3fe00000 00000000',
      decodeForce,
      Float64Array.of(1, -2, 0.5),
    ],
    [
      'SCP',
      encodeScp([0.5, -2, 0.25, 0, 0, 0, 1]),
      POS_QUAT_PAYLOAD.replace(/\s/g, '').slice(16),
      decodeScp,
      Float64Array.of(0.5, -2, 0.25, 0, 0, 0, 1),
    ],
    [
      'Plane',
      encodePlane(plane),
      `00000000 00000000 3f800000 bf000000 3f800000 3f000000 3e800000 40000000
       00000003 00000004`,
      decodePlane,
      plane,
    ],
    [
      'Force_Field',
      encodeForceField(field),
      `3f800000 40000000 40400000 bf800000 3f000000 00000000
       3f800000 00000000 00000000 00000000 40000000 00000000 00000000 00000000 40400000 3e800000`,
      decodeForceField,
      field,
    ],
    [
      'our Wrench',
      encodeWrench([1, -2, 0.5, 0.25, 0, 2]),
      `3ff00000 00000000 c0000000 00000000 3fe00000 00000000
       3fd00000 00000000 00000000 00000000 40000000 00000000`,
      decodeWrench,
      Float64Array.of(1, -2, 0.5, 0.25, 0, 2),
    ],
    ['our Left_Out', encodeLeftOut(4_294_967_295), 'ffffffff', decodeLeftOut, 4_294_967_295],
  ];

  it.each(cases)('%s: bytes, value, and no less than its length', (_, encoded, bytes, decodePayload, value) => {
    const byHand = hex(bytes);
    expect(toHex(encoded)).toBe(toHex(byHand));
    expect(decodePayload(view(byHand))).toEqual(value);
    for (let length = 0; length < byHand.length; length += 1) {
      expect(() => decodePayload(view(byHand.subarray(0, length)))).toThrow(VrpnProtocolError);
    }
  });

  it('hold no numbers that nobody can feel', () => {
    const dust = [1e-310, -9e-10, 5e-324];
    const zeros = (bytes: number) => '00'.repeat(bytes);
    expect(toHex(encodeForce(dust))).toBe(zeros(24));
    expect(toHex(encodeWrench([...dust, ...dust]))).toBe(zeros(48));
    const faded = { origin: dust, force: dust, jacobian: [...dust, ...dust, ...dust], radius: 1e-40 };
    expect(toHex(encodeForceField(faded))).toBe(zeros(64));
    expect(decodeWrench(view(encodeWrench([1e-9, -1e-9, 0, 0, 0, 0])))[1]).toBe(-1e-9);
  });

  it('refuse counts that lie', () => {
    expect(() => decodeButtonStates(view(hex('7fffffff 00000001')))).toThrow('claims 2147483647 entries');
    expect(() => decodeButtonStates(view(hex('ffffffff 00000001')))).toThrow(VrpnProtocolError);
    expect(() => decodeButtonStates(view(hex('00000002 00000001')))).toThrow('a payload of 8 bytes; expected 12');
    expect(() => decodeButtonChange(view(hex('ffffffff 00000001')))).toThrow('names button -1');
    expect(() => decodeAnalog(view(hex('7ff80000 00000000')))).toThrow('claims NaN entries');
    expect(() => decodeAnalog(view(hex('3fe00000 00000000')))).toThrow('claims 0.5 entries');
  });

  it('refuse forces that are not finite', () => {
    expect(() => decodeWrench(view(encodeWrench([0, 0, Number.NaN, 0, 0, 0])))).toThrow('not finite');
    expect(() => decodeForce(view(encodeForce([0, 0, Number.POSITIVE_INFINITY])))).toThrow(VrpnProtocolError);
    const broken = encodeForceField({ ...field, force: [0, Number.NaN, 0] });
    expect(() => decodeForceField(view(broken))).toThrow('a "vrpn_ForceDevice Force_Field" holds a number');
  });
});
