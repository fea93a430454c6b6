import { describe, expect, it } from 'vitest';
import { createSpaceMouseState, parseSpaceMouseReport } from './space-mouse-report.js';

const view = (...bytes: number[]) => new DataView(Uint8Array.from(bytes).buffer);

describe('parseSpaceMouseReport', () => {
  it('reads translation and rotation of a SpaceNavigator from two reports', () => {
    const state = createSpaceMouseState();
    // 175, −70, 0: low byte first.
    expect(parseSpaceMouseReport(state, 1, view(0xaf, 0x00, 0xba, 0xff, 0x00, 0x00))).toBe(true);
    expect([...state.axes]).toEqual([0.5, -0.2, 0, 0, 0, 0]);
    // −35, 0, 350
    expect(parseSpaceMouseReport(state, 2, view(0xdd, 0xff, 0x00, 0x00, 0x5e, 0x01))).toBe(true);
    expect([...state.axes]).toEqual([0.5, -0.2, 0, -0.1, 0, 1]);
  });

  it('reads six axes of a wireless SpaceMouse from one report', () => {
    const state = createSpaceMouseState();
    const report = view(0x5e, 0x01, 0xa2, 0xfe, 0x23, 0x00, 0xdd, 0xff, 0x46, 0x00, 0xba, 0xff);
    expect(parseSpaceMouseReport(state, 1, report)).toBe(true);
    expect([...state.axes]).toEqual([1, -1, 0.1, -0.1, 0.2, -0.2]);
  });

  it('takes three axes from a report that is padded to less than six', () => {
    const state = createSpaceMouseState();
    expect(parseSpaceMouseReport(state, 1, view(0x23, 0, 0x46, 0, 0, 0, 0x5e, 0x01))).toBe(true);
    expect([...state.axes]).toEqual([0.1, 0.2, 0, 0, 0, 0]);
  });

  it('holds the extremes of sixteen bits within −1 and 1', () => {
    const state = createSpaceMouseState();
    parseSpaceMouseReport(state, 1, view(0x00, 0x80, 0xff, 0x7f, 0x00, 0x80));
    expect([...state.axes.subarray(0, 3)]).toEqual([-1, 1, -1]);
  });

  it.each([
    [[0b01], 1],
    [[0b10], 2],
    [[0x00, 0x80], 0x8000],
    // The 31st is the last: as a bit of its own, the 32nd would turn all of them negative.
    [[0x01, 0x00, 0x00, 0x40], 0x40000001],
    [[0x01, 0x00, 0x00, 0x80], 1],
    [[0x03, 0x00, 0x00, 0x00, 0xff, 0xff], 3],
  ])('reads buttons from %j', (bytes, buttons) => {
    const state = createSpaceMouseState();
    expect(parseSpaceMouseReport(state, 3, view(...bytes))).toBe(true);
    expect(state.buttons).toBe(buttons);
  });

  // Little-endian numbers of the keys that are held, padded with zeros, as a SpaceMouse Enterprise sends them.
  it.each([
    ['none', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0],
    ['menu (1)', [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0b1],
    ['fit (2) and the first of those for the user (13)', [13, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0x1002],
    ['minus (31)', [31, 0], 0x40000000],
    ['enter (36), V1 (103) and tab (175), which have no bit', [36, 0, 1, 0, 103, 0, 175, 0, 0, 0, 0, 0], 0b1],
    ['33, which shifted by 32 would be the first', [33, 0, 0, 0], 0],
    ['257, of whose low byte nothing is left', [0x01, 0x01, 0, 0], 0],
    ['a key that came twice', [2, 0, 2, 0], 0b10],
    ['half a number at the end', [2, 0, 1], 0b10],
  ])('reads a list of keys: %s', (_what, bytes, buttons) => {
    const state = createSpaceMouseState();
    expect(parseSpaceMouseReport(state, 0x1c, view(...bytes))).toBe(true);
    expect(state.buttons).toBe(buttons);
  });

  it('lets go of a key that is no longer in the list', () => {
    const state = createSpaceMouseState();
    parseSpaceMouseReport(state, 0x1c, view(1, 0, 2, 0));
    parseSpaceMouseReport(state, 0x1c, view(2, 0, 0, 0));
    expect(state.buttons).toBe(0b10);
  });

  it.each([
    ['translation of five bytes', 1, [1, 2, 3, 4, 5]],
    ['no translation', 1, []],
    ['rotation of four bytes', 2, [1, 2, 3, 4]],
    ['no buttons', 3, []],
    ['no list of keys', 0x1c, [1]],
    ['keys that are held for long', 0x1d, [1, 0]],
    ['battery', 0x17, [0x60, 0x00]],
    ['an unknown report', 0, [1, 2, 3, 4, 5, 6]],
  ])('leaves the state alone for %s', (_what, reportId, bytes) => {
    const state = createSpaceMouseState();
    expect(parseSpaceMouseReport(state, reportId, view(...bytes))).toBe(false);
    expect(state).toEqual(createSpaceMouseState());
  });

  it('reads a view that begins in the middle of its bytes', () => {
    const bytes = Uint8Array.from([9, 9, 9, 0x23, 0, 0, 0, 0, 0]);
    const state = createSpaceMouseState();
    parseSpaceMouseReport(state, 1, new DataView(bytes.buffer, 3));
    expect(state.axes[0]).toBe(0.1);
  });
});
