import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { createParameterEdits, readShortcut, type ShortcutEvent } from './parameter-edits.js';

const FRICTION = 'friction.coefficient';

/** A scene that takes every change, after a turn of the event loop, unless it is told to refuse. */
function openScene() {
  const scene = signal<Record<string, Record<string, unknown>>>({ friction: { coefficient: 0.5 } });
  const sent: unknown[] = [];
  const state = { scene, sent, refusal: null as string | null, nowMs: 0 };
  const set = async (path: string, value: unknown) => {
    sent.push(value);
    await Promise.resolve();
    if (state.refusal !== null) return state.refusal;
    const [group, key] = path.split('.') as [string, string];
    scene.value = { ...scene.value, [group]: { ...scene.value[group], [key]: value } };
    return null;
  };
  const edits = createParameterEdits(scene, set, () => state.nowMs);
  return { ...state, state, edits };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('createParameterEdits', () => {
  it('shows a wish at once and keeps it once it is accepted', async () => {
    const { edits, scene } = openScene();
    edits.change(FRICTION, 0.8);
    expect(edits.valueOf(FRICTION)).toBe(0.8);
    expect(scene.value.friction!.coefficient).toBe(0.5);
    await settle();
    expect(edits.valueOf(FRICTION)).toBe(0.8);
    expect(scene.value.friction!.coefficient).toBe(0.8);
    expect(edits.history.value.done).toEqual([{ path: FRICTION, before: 0.5, after: 0.8 }]);
  });

  it('brings the old value back with the reason when it is refused, until the next wish', async () => {
    const { edits, state } = openScene();
    state.refusal = 'Too slippery.';
    edits.change(FRICTION, 0);
    await settle();
    expect(edits.valueOf(FRICTION)).toBe(0.5);
    expect(edits.problems.value.get(FRICTION)).toBe('Too slippery.');
    expect(edits.history.value.done).toEqual([]);
    state.refusal = null;
    edits.change(FRICTION, 0.6);
    expect(edits.problems.value.size).toBe(0);
  });

  it('tells of a change that broke as of one that was refused', async () => {
    const edits = createParameterEdits(signal({}), () => Promise.reject(new Error('The loop has ended.')));
    edits.change(FRICTION, 1);
    await settle();
    expect(edits.problems.value.get(FRICTION)).toBe('The loop has ended.');
    expect(edits.valueOf(FRICTION)).toBe(0.5);
  });

  it('sends of a drag only what the loop can follow, and takes it back as one', async () => {
    const { edits, sent, scene } = openScene();
    for (const value of [0.6, 0.7, 0.8, 0.9]) edits.change(FRICTION, value);
    await settle();
    expect(sent).toEqual([0.6, 0.9]);
    edits.undo();
    await settle();
    expect(scene.value.friction!.coefficient).toBe(0.5);
    expect(edits.news.value).toBe('Undone: Friction: coefficient');
  });

  it('goes back and forth through the history, however fast it is asked', async () => {
    const { edits, scene, state } = openScene();
    edits.change(FRICTION, 0.6);
    edits.change('contact.stiffness', 100);
    state.nowMs = 1000;
    edits.change(FRICTION, 0.7);
    edits.undo();
    edits.undo();
    edits.undo();
    edits.undo();
    await settle();
    expect(scene.value).toEqual({ friction: { coefficient: 0.5 }, contact: { stiffness: null } });
    edits.redo();
    edits.redo();
    await settle();
    expect(scene.value).toEqual({ friction: { coefficient: 0.6 }, contact: { stiffness: 100 } });
    expect(edits.history.value.undone).toHaveLength(1);
  });

  it('keeps its place in the history when undoing is refused', async () => {
    const { edits, state } = openScene();
    edits.change(FRICTION, 0.6);
    await settle();
    state.refusal = 'Not now.';
    edits.undo();
    await settle();
    expect(edits.history.value.done).toHaveLength(1);
    expect(edits.problems.value.get(FRICTION)).toBe('Not now.');
  });

  it('neither sends nor notes a wish for what is there', async () => {
    const { edits, sent } = openScene();
    edits.change(FRICTION, 0.5);
    await settle();
    expect(sent).toEqual([]);
    expect(edits.history.value.done).toEqual([]);
  });
});

describe('readShortcut', () => {
  const press = (changes: Partial<ShortcutEvent>, target: object | null = null) =>
    readShortcut({
      key: 'z',
      ctrlKey: true,
      metaKey: false,
      shiftKey: false,
      altKey: false,
      target: target as EventTarget | null,
      ...changes,
    });

  it('knows the usual keys', () => {
    expect(press({})).toBe('undo');
    expect(press({ key: 'Z', shiftKey: true })).toBe('redo');
    expect(press({ key: 'y' })).toBe('redo');
    expect(press({ ctrlKey: false, metaKey: true })).toBe('undo');
    expect(press({ ctrlKey: false })).toBeUndefined();
    expect(press({ key: 'a' })).toBeUndefined();
    expect(press({ altKey: true })).toBeUndefined();
  });

  it('leaves a field alone in which somebody types', () => {
    expect(press({}, { tagName: 'INPUT', type: 'text', dataset: {} })).toBeUndefined();
    expect(press({}, { tagName: 'TEXTAREA', dataset: {} })).toBeUndefined();
    expect(press({}, { tagName: 'INPUT', type: 'text', dataset: { typing: 'true' } })).toBeUndefined();
    expect(press({}, { tagName: 'INPUT', type: 'text', dataset: { typing: 'false' } })).toBe('undo');
    expect(press({}, { tagName: 'INPUT', type: 'range', dataset: {} })).toBe('undo');
  });
});
