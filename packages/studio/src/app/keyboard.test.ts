import { describe, expect, it } from 'vitest';
import { type KeyActions, keyCommands, runKey } from './keyboard.js';

const OPTIONAL = ['togglePause', 'toggleRecording', 'savePicture', 'openShare'] as const;

function createActions() {
  const calls: string[] = [];
  const note =
    (name: string) =>
    (...given: unknown[]) =>
      void calls.push([name, ...given.map((one) => (typeof one === 'number' ? +one.toFixed(4) : one))].join(' '));
  const looks = ['reset', 'lookHome', 'lookFrom', 'toggle', 'moveSlice', 'openHelp', 'openGallery'];
  const names = ['move', 'turn', 'stop', ...looks];
  const actions = Object.fromEntries([...names, ...OPTIONAL].map((name) => [name, note(name)]));
  return { calls, actions: actions as unknown as KeyActions };
}

const press = (key: string, held: Partial<KeyboardEvent> = {}) =>
  ({ key, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...held }) as KeyboardEvent;

describe('keys', () => {
  it.each([
    ['ArrowRight', {}, 'move 0.002 0 0'],
    ['ArrowUp', { altKey: true }, 'move 0 0.0002 0'],
    ['PageDown', {}, 'move 0 0 -0.002'],
    ['ArrowUp', { shiftKey: true }, 'turn -0.0524 0 0'],
    ['r', {}, 'reset'],
    ['p', {}, 'togglePause'],
    [' ', {}, 'stop'],
    [' ', { shiftKey: true }, 'stop'],
    ['0', {}, 'lookHome'],
    ['7', {}, 'lookFrom 0,0,1'],
    ['X', { shiftKey: true }, 'toggle friction'],
    ['[', {}, 'moveSlice -1'],
    ['b', {}, 'toggleRecording'],
    ['i', {}, 'savePicture'],
    ['a', {}, 'openShare'],
    ['g', {}, 'openGallery'],
    ['?', { shiftKey: true }, 'openHelp'],
  ])('%s %j means %s', (key, held, expected) => {
    const { calls, actions } = createActions();
    expect(runKey(press(key, held), actions)).toBe(true);
    expect(calls.map((call) => call.replaceAll('-0 ', '0 ').replace(/-0$/, '0'))).toEqual([expected]);
  });

  it.each([
    ['r', { ctrlKey: true }],
    ['a', { metaKey: true }],
    [' ', { ctrlKey: true }],
    ['Tab', {}],
    ['Enter', {}],
    ['Escape', {}],
  ])('%s %j is left to the browser', (key, held) => {
    const { calls, actions } = createActions();
    expect(runKey(press(key, held), actions)).toBe(false);
    expect(calls).toEqual([]);
  });

  it('leaves out of the help what is not there', () => {
    const { actions, calls } = createActions();
    const few = { ...actions };
    for (const name of OPTIONAL) delete few[name];
    expect(runKey(press('p'), few)).toBe(false);
    expect(calls).toEqual([]);
    const keys = keyCommands().map((command) => command.keys);
    expect(keys).not.toContain('P');
    expect(keys).toContain('H');
    expect(new Set(keys).size).toBe(keys.length);
  });
});
