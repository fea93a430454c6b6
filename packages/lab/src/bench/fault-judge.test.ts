import { describe, expect, test } from 'vitest';
import { ConnectionJudge } from './fault-judge.js';

// A judge that finds nothing wrong is worth as much as its eye for what is: each rule, broken once, and bytes that
// break none.

const LIMITS = { force: 8, torque: 0.1, forceRate: 1600, torqueRate: 20 };
const START = 1_700_000_000_000;
const COOKIE = Buffer.from('vrpn: ver. 07.38  0'.padEnd(24, '\0'), 'latin1');

/** A sender whose clock and messages are the test's. */
function createRig(lateMs = 0) {
  const rig = { at: START, sequence: 0, pongs: 0 };
  const judge = new ConnectionJudge(
    LIMITS,
    START,
    () => lateMs,
    () => {
      rig.pongs += 1;
    },
  );
  const send = (sender: number, type: number, payload: Buffer, change: (bytes: Buffer) => void = () => {}) => {
    rig.sequence += 1;
    const bytes = Buffer.alloc(24 + Math.ceil(payload.length / 8) * 8);
    bytes.writeUInt32BE(24 + payload.length, 0);
    bytes.writeUInt32BE(Math.floor(rig.at / 1000), 4);
    bytes.writeUInt32BE((rig.at % 1000) * 1000, 8);
    bytes.writeInt32BE(sender, 12);
    bytes.writeInt32BE(type, 16);
    bytes.writeUInt32BE(rig.sequence, 20);
    payload.copy(bytes, 24);
    change(bytes);
    judge.push(bytes, rig.at);
  };
  const name = (text: string) => Buffer.concat([Buffer.from([0, 0, 0, text.length + 1]), Buffer.from(`${text}\0`)]);
  const wrench = (fz: number, tz = 0, change?: (bytes: Buffer) => void) => {
    const payload = Buffer.alloc(48);
    payload.writeDoubleBE(fz, 16);
    payload.writeDoubleBE(tz, 40);
    send(3, 10, payload, change);
  };
  const field = (fz: number, radius: number) => {
    const payload = Buffer.alloc(64);
    payload.writeFloatBE(fz, 20);
    payload.writeFloatBE(radius, 60);
    send(3, 11, payload);
  };
  judge.push(COOKIE, START);
  send(3, -1, name('Hand0'));
  send(10, -2, name('palpable_ForceDevice Wrench'));
  send(11, -2, name('vrpn_ForceDevice Force_Field'));
  send(12, -2, name('vrpn_Base ping_message'));
  return { rig, judge, send, name, wrench, field, later: (ms: number) => (rig.at += ms) };
}

const rulesOf = (judge: ConnectionJudge) => judge.report().violations.map(({ rule }) => rule);

describe('the judge', () => {
  test('finds nothing wrong with a push that rises, is renewed, fades and is released, in whatever pieces it comes', () => {
    const { judge, wrench, field, later } = createRig();
    const forces = [0.5, 2, 3.5, 3.4, 3.3, 1.8, 0.3, 0];
    for (const force of forces) {
      later(2);
      wrench(force, force / 100);
      field(force, 1);
    }
    later(2);
    wrench(0);
    field(0, 0);
    later(500);
    judge.close(START + 1000, 'peer');
    const report = judge.report();
    expect(report).toMatchObject({ violations: [], fields: 9, wrenches: 9, maxForce: 3.5, closedBy: 'peer' });
    expect(report.changes.map(({ at, state }) => [at - START, state])).toEqual([
      [2, 'pushes'],
      [16, 'zero'],
      [18, 'released'],
    ]);
    expect([report.state, report.lastForce, report.lastRadius, report.worstAgeMs]).toEqual(['released', 0, 0, 2]);
  });

  test('takes messages apart that come byte by byte', () => {
    const { rig, judge, send } = createRig();
    const whole: Buffer[] = [];
    send(3, 12, Buffer.alloc(0), (bytes) => {
      whole.push(Buffer.from(bytes));
      bytes.writeUInt32BE(24, 0);
    });
    whole[0]!.writeUInt32BE(rig.sequence + 1, 20);
    for (const byte of whole[0]!) judge.push(Buffer.from([byte]), rig.at);
    expect([rig.pongs, judge.report().violations]).toEqual([2, []]);
  });

  test.each<[string, string, (rig: ReturnType<typeof createRig>) => void]>([
    ['protocol', 'a sequence number that does not rise', ({ wrench }) => wrench(1, 0, (b) => b.writeUInt32BE(1, 20))],
    ['protocol', 'a type without a name', ({ send }) => send(3, 99, Buffer.alloc(8))],
    ['protocol', 'a sender without a name', ({ send }) => send(4, 10, Buffer.alloc(48))],
    ['protocol', 'a wrench of another length', ({ send }) => send(3, 10, Buffer.alloc(40))],
    ['protocol', 'a message shorter than its head', ({ wrench }) => wrench(1, 0, (b) => b.writeUInt32BE(8, 0))],
    ['protocol', 'padding that is not zero', ({ send, name }) => send(13, -2, name('x'), (b) => b.writeUInt8(1, 31))],
    ['protocol', 'a stamp that goes back', ({ later, wrench }) => [later(-5), wrench(1)]],
    ['protocol', 'a second meaning of an id', ({ send, name }) => send(10, -2, name('y'))],
    ['protocol', 'a field of radius 0 that pushes', ({ field }) => field(1, 0)],
    ['number', 'a number that is none', ({ wrench }) => wrench(Number.NaN)],
    ['number', 'a number too small for single precision', ({ field }) => field(1e-40, 1)],
    ['number', 'a number too small for double precision', ({ wrench }) => wrench(1e-310)],
    ['limit', 'too much force', ({ wrench, later }) => [wrench(3), later(9), wrench(8.1)]],
    ['limit', 'too much torque', ({ wrench, later }) => [wrench(0, 0.03), later(9), wrench(0, 0.11)]],
    ['slew', 'a first force out of nothing', ({ wrench }) => wrench(3.3)],
    [
      'slew',
      'a force that falls too fast',
      ({ wrench, later }) => [wrench(3), later(2), wrench(6), later(1), wrench(0)],
    ],
    ['slew', 'a torque that rises too fast', ({ wrench }) => wrench(0, 0.05)],
  ])('%s: %s', (rule, _, act) => {
    const made = createRig();
    act(made);
    expect(rulesOf(made.judge)).toEqual([rule]);
  });

  test('a push that is not renewed, once for as long as it lasts', () => {
    const { judge, wrench, later } = createRig();
    wrench(1);
    judge.tick(later(50));
    expect(rulesOf(judge)).toEqual([]);
    judge.tick(later(1));
    judge.tick(later(100));
    expect(judge.report()).toMatchObject({ worstAgeMs: 151, violations: [{ rule: 'age', value: 151, allowed: 50 }] });
  });

  test('a push that is sent again and again without a change, though the hand moves', () => {
    const { judge, wrench, later } = createRig();
    for (let k = 0; k < 30; k += 1) {
      wrench(1);
      later(2);
    }
    expect(rulesOf(judge)).toEqual(['age']);
  });

  test('leaves out of an age what its own timer was late', () => {
    const { judge, wrench, later } = createRig(30);
    wrench(1);
    judge.tick(later(80));
    expect(rulesOf(judge)).toEqual([]);
    judge.tick(later(1));
    expect(rulesOf(judge)).toEqual(['age']);
  });

  test('a connection that ends within a message, and one that begins as no VRPN does', () => {
    const { judge } = createRig();
    judge.push(Buffer.alloc(7), START);
    judge.close(START, 'peer');
    expect(rulesOf(judge)).toEqual(['protocol']);
    const stranger = new ConnectionJudge(
      LIMITS,
      START,
      () => 0,
      () => {},
    );
    stranger.push(Buffer.from('GET / HTTP/1.1\r\n\r\n'.padEnd(24)), START);
    expect(rulesOf(stranger)).toEqual(['protocol']);
  });
});
