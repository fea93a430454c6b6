import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHaplySession, HAPLY_MESSAGE_LIMIT, type HaplyReading, listHaplyDevices } from './haply.js';

const POSITION = { x: 0.01, y: -0.12, z: 0.15 };
const TURN = { w: 0.8, x: 0.6, y: 0, z: 0 };

/** A message as 3.5 sends it. */
function newMessage(more: object = {}, state: object = {}): string {
  const inverse3 = [
    { device_id: '049D', state: { cursor_position: POSITION, control_mode: 'idle', ...state } },
    { device_id: '04BA', state: { cursor_position: { x: 1, y: 2, z: 3 }, control_mode: 'idle' } },
  ];
  return JSON.stringify({ session_id: 7, inverse3, ...more });
}

/** The same as 3.1 sends it. */
function oldMessage(): string {
  const state = { cursor_position: POSITION, body_orientation: { x: 0, y: 0.6, z: 0, w: 0.8 }, mode: 'idle' };
  return JSON.stringify({ inverse3: [{ device_id: '049D', state }], verse_grip: [], wireless_verse_grip: [] });
}

function read(text: string, options = {}): HaplyReading {
  const answer = createHaplySession(options).accept(text);
  if (answer.kind === 'problem') throw new Error(answer.message);
  return answer;
}

function problemOf(text: string, options = {}): string {
  const answer = createHaplySession(options).accept(text);
  return answer.kind === 'problem' ? answer.message : '';
}

describe('a session with the Haply service', () => {
  it('takes the first Inverse3, or the one with the given id', () => {
    expect(read(newMessage()).deviceId).toBe('049D');
    expect([...read(newMessage()).pose]).toEqual([0.01, -0.12, 0.15, 0, 0, 0, 1]);
    expect([...read(newMessage(), { deviceId: '04BA' }).pose.slice(0, 3)]).toEqual([1, 2, 3]);
    expect(problemOf(newMessage(), { deviceId: 'FFFF' })).toBe(
      'the service lists no Inverse3 “FFFF”, only “049D”, “04BA”',
    );
  });

  it('stays with its device when the order changes', () => {
    const session = createHaplySession();
    session.accept(newMessage());
    const message = JSON.parse(newMessage());
    message.inverse3.reverse();
    expect(session.accept(JSON.stringify(message))).toMatchObject({ deviceId: '049D' });
  });

  it('reads orientation and button of a wired grip', () => {
    const grip = { device_id: '61548', state: { button: true, hall: 0, orientation: TURN } };
    const reading = read(newMessage({ verse_grip: [grip] }));
    expect([...reading.pose.slice(3)]).toEqual([0.6, 0, 0, 0.8]);
    expect(reading).toMatchObject({ buttons: 1, gripId: '61548' });
  });

  it.each([
    ['names', { a: false, b: true, c: true }, 0b110],
    ['numbered names', { button_1: false, button_0: true }, 0b1],
    ['a list', [true, false, true], 0b101],
    ['nothing', undefined, 0],
  ])('reads buttons of a wireless grip given as %s', (_, buttons, bits) => {
    const grip = { device_id: 'W', state: { buttons, orientation: TURN } };
    expect(read(newMessage({ verse_grip: [], wireless_verse_grip: [grip] })).buttons).toBe(bits);
  });

  it('prefers the named grip, and passes over one that sleeps', () => {
    const asleep = { device_id: 'A', state: { button: true, orientation: { w: 0, x: 0, y: 0, z: 0 } } };
    const awake = { device_id: 'B', state: { button: false, orientation: TURN } };
    const other = { device_id: 'C', state: { buttons: {}, orientation: { w: 0, x: 0, y: 0, z: 1 } } };
    const message = newMessage({ verse_grip: [{ device_id: 'off' }, asleep, awake], wireless_verse_grip: [other] });
    expect(read(message).gripId).toBe('B');
    expect(read(message, { gripId: 'C' })).toMatchObject({ gripId: 'C' });
    expect(read(message, { gripId: 'A' })).toMatchObject({ gripId: null, buttons: 0 });
  });

  it('takes custom grips after the others, with their buttons, unless one is named', () => {
    const custom = { device_id: 'X', state: { orientation: TURN, buttons: { a: true, b: false, c: true } } };
    const reading = read(newMessage({ custom_verse_grip: [custom] }));
    expect([...reading.pose.slice(3)]).toEqual([0.6, 0, 0, 0.8]);
    expect(reading).toMatchObject({ buttons: 0b101, gripId: 'X' });
    const wireless = { device_id: 'W', state: { orientation: { w: 1, x: 0, y: 0, z: 0 }, buttons: {} } };
    const all = newMessage({ custom_verse_grip: [custom], wireless_verse_grip: [wireless] });
    expect(read(all).gripId).toBe('W');
    expect(read(all, { gripId: 'X' })).toMatchObject({ gripId: 'X', buttons: 0b101 });
  });

  it('holds the orientation of a grip that goes away, and lets go of its buttons', () => {
    const session = createHaplySession();
    session.accept(newMessage({ verse_grip: [{ device_id: 'A', state: { button: true, orientation: TURN } }] }));
    const reading = session.accept(newMessage({}, { body_orientation: { x: 0, y: 1, z: 0, w: 0 } })) as HaplyReading;
    expect([...reading.pose.slice(3)]).toEqual([0.6, 0, 0, 0.8]);
    expect(reading).toMatchObject({ gripId: null, buttons: 0 });
  });

  it('falls back to the orientation of the body', () => {
    expect([...read(oldMessage()).pose.slice(3)]).toEqual([0, 0.6, 0, 0.8]);
  });

  it('spells the force as the service does', () => {
    const session = createHaplySession();
    expect(session.forceMessage([1, 2, 3])).toBeNull();
    session.accept(newMessage());
    expect(JSON.parse(session.forceMessage([0.5, -1, 2])!)).toEqual({
      inverse3: [{ device_id: '049D', commands: { set_cursor_force: { vector: { x: 0.5, y: -1, z: 2 } } } }],
    });
    session.accept(oldMessage());
    expect(JSON.parse(session.forceMessage([0.5, -1, 2])!).inverse3[0].commands).toEqual({
      set_cursor_force: { values: { x: 0.5, y: -1, z: 2 } },
    });
  });

  it.each([
    [{ session_id: 7 }, {}, 'vector'],
    [{ session_id: 7 }, { mode: 'idle' }, 'values'],
    [{}, { control_domain: 'cartesian' }, 'vector'],
    [{}, {}, 'values'],
  ])('knows the spelling from %j beside the devices and %j in the state', (beside, state, spelling) => {
    const session = createHaplySession();
    const inverse3 = [{ device_id: 'X', state: { cursor_position: POSITION, ...state } }];
    session.accept(JSON.stringify({ ...beside, inverse3 }));
    expect(Object.keys(JSON.parse(session.forceMessage([0, 0, 0])!).inverse3[0].commands.set_cursor_force)).toEqual([
      spelling,
    ]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('sends zero for a force with %d', (bad) => {
    const session = createHaplySession();
    session.accept(newMessage());
    const message = JSON.parse(session.forceMessage([1, bad, 3])!);
    expect(message.inverse3[0].commands.set_cursor_force.vector).toEqual({ x: 0, y: 0, z: 0 });
  });

  it('sends what is too small to be felt as zero, and so no subnormal number', () => {
    const session = createHaplySession();
    session.accept(newMessage());
    const message = session.forceMessage([5e-324, -9e-10, 1.1e-9])!;
    expect(JSON.parse(message).inverse3[0].commands.set_cursor_force.vector).toEqual({ x: 0, y: 0, z: 1.1e-9 });
    expect(message).not.toContain('-0');
  });

  it('escapes what a device calls itself', () => {
    const session = createHaplySession();
    const id = 'a"}],"x":"\n';
    session.accept(JSON.stringify({ inverse3: [{ device_id: id, state: { cursor_position: POSITION } }] }));
    expect(JSON.parse(session.forceMessage([0, 0, 0])!).inverse3[0].device_id).toBe(id);
  });

  it.each([
    ['{"inverse3"', 'a message is not JSON: “{"inverse3"”'],
    ['[1]', 'a message is not an object: “[1]”'],
    ['{}', 'the service lists no Inverse3: connect one and switch it on'],
    ['{"inverse3":[1]}', 'inverse3 is not a list of objects'],
    ['{"inverse3":{"049D":{}}}', 'inverse3 is an object, as in the format 3.0 of port 10000: connect to port 10001'],
    ['{"inverse3":[{"device_id":5}]}', 'an entry of inverse3 has no device_id that is a text'],
    ['{"inverse3":[{"device_id":"A"}]}', 'an entry of inverse3 has no state'],
    ['{"inverse3":[{"device_id":"A","state":{}}]}', 'inverse3 “A” reports no cursor_position'],
    [newMessage({}, { cursor_position: [1, 2, 3] }), 'inverse3 state.cursor_position is not an object with x, y, z'],
    [
      newMessage({}, { cursor_position: { x: 1, y: '2', z: 3 } }),
      'inverse3 state.cursor_position.y is “"2"” instead of a number',
    ],
    [newMessage().replace('-0.12', '1e999'), 'inverse3 state.cursor_position.y is “null” instead of a number'],
    [
      newMessage({ verse_grip: [{ device_id: 'G', state: { orientation: TURN, button: 'yes' } }] }),
      'a button of a grip is “"yes"” instead of true or false',
    ],
    [
      newMessage({ wireless_verse_grip: [{ device_id: 'G', state: { orientation: TURN, buttons: 5 } }] }),
      'buttons of a grip are neither object nor list',
    ],
    [
      newMessage({ verse_grip: [{ device_id: 'G', state: { orientation: { x: 0, y: 0, z: 0 } } }] }),
      'verse_grip state.orientation.w is “undefined” instead of a number',
    ],
  ])('refuses %s', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it('refuses a message of more than a megabyte unread', () => {
    const text = `{"inverse3":[],"x":"${'a'.repeat(HAPLY_MESSAGE_LIMIT)}"}`;
    expect(problemOf(text)).toBe(`a message of ${text.length} characters is longer than 1048576`);
  });

  it('leaves the last reading as it was when a message is refused', () => {
    const session = createHaplySession();
    const { pose } = session.accept(newMessage()) as HaplyReading;
    const bad = { verse_grip: [{ device_id: 'G', state: { orientation: TURN, button: 'yes' } }] };
    session.accept(newMessage(bad, { cursor_position: { x: 9, y: 9, z: 9 } }));
    expect([...pose]).toEqual([0.01, -0.12, 0.15, 0, 0, 0, 1]);
  });

  it('answers whatever it is sent with a finite reading or a sentence of one line', () => {
    const anything = fc.jsonValue().map((value) => JSON.stringify(value));
    const nearly = fc
      .record({ device_id: fc.string(), state: fc.record({ cursor_position: fc.jsonValue(), mode: fc.jsonValue() }) })
      .map((device) => JSON.stringify({ inverse3: [device] }));
    fc.assert(
      fc.property(fc.oneof(fc.string(), anything, nearly), (text) => {
        const answer = createHaplySession().accept(text);
        if (answer.kind === 'reading') expect(answer.pose.every(Number.isFinite)).toBe(true);
        else expect(answer.message).toMatch(/^[^\n]+$/);
      }),
      { seed: 5, numRuns: 2000 },
    );
  });
});

describe('the status of an Inverse3', () => {
  const READY = { calibrated: true, in_use: true, power_supply: true, ready: true, started: true };
  /** `undefined` leaves the status out. */
  const messageWith = (status: unknown) =>
    JSON.stringify({ inverse3: [{ device_id: '049D', state: { cursor_position: POSITION, mode: 'idle' }, status }] });
  const forceOf = (text: string | null) => JSON.parse(text!).inverse3[0].commands.set_cursor_force.values;

  it.each([
    [{ ...READY, calibrated: false }, /^Inverse3 049D is not calibrated: /],
    [{ ...READY, calibrated: 0 }, /^Inverse3 049D is not calibrated: /],
    [{ ...READY, ready: false }, /^Inverse3 049D is not ready: /],
    [{ calibrated: false, ready: false }, /^Inverse3 049D is not ready: /],
  ])('of %j lets it have no force', (status, trouble) => {
    const session = createHaplySession();
    expect(session.accept(messageWith(status))).toMatchObject({
      kind: 'reading',
      trouble: expect.stringMatching(trouble),
    });
    expect(forceOf(session.forceMessage([1, 2, 3]))).toEqual({ x: 0, y: 0, z: 0 });
    expect(session.accept(messageWith(READY))).toMatchObject({ trouble: null });
    expect(forceOf(session.forceMessage([1, 2, 3]))).toEqual({ x: 1, y: 2, z: 3 });
  });

  it.each([undefined, null, {}, { in_use: true }, { calibrated: null, ready: true }])(
    'of %j, as of services that do not tell it, forbids nothing',
    (status) => {
      const session = createHaplySession();
      expect(session.accept(messageWith(status))).toMatchObject({ trouble: null });
      expect(forceOf(session.forceMessage([1, 2, 3]))).toEqual({ x: 1, y: 2, z: 3 });
    },
  );

  it('holds until the service says otherwise', () => {
    const session = createHaplySession();
    session.accept(messageWith({ ...READY, calibrated: false }));
    expect(session.accept(messageWith(undefined))).toMatchObject({ trouble: expect.any(String) });
    expect(session.accept(messageWith({ ready: true }))).toMatchObject({ trouble: expect.any(String) });
    expect(forceOf(session.forceMessage([1, 2, 3]))).toEqual({ x: 0, y: 0, z: 0 });
    expect(session.accept(messageWith({ calibrated: true }))).toMatchObject({ trouble: null });
  });

  it('that is neither true nor false is refused', () => {
    expect(problemOf(messageWith({ calibrated: 'no' }))).toBe(
      'inverse3 status.calibrated is “"no"” instead of true or false',
    );
  });

  it('of another device does not count', () => {
    const other = { device_id: '04BA', state: { cursor_position: POSITION }, status: { calibrated: false } };
    expect(read(newMessage({ inverse3: [JSON.parse(messageWith(READY)).inverse3[0], other] })).trouble).toBeNull();
  });
});

describe('the list of Haply devices', () => {
  it('names every Inverse3', () => {
    expect(listHaplyDevices(newMessage())).toEqual(['049D', '04BA']);
    expect(listHaplyDevices('{"session_id":1,"inverse3":[]}')).toEqual([]);
    expect(listHaplyDevices('hello')).toEqual({ kind: 'problem', message: 'a message is not JSON: “hello”' });
  });
});
