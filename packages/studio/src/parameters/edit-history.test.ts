import { describe, expect, it } from 'vitest';
import { EMPTY_HISTORY, isSameValue, recordEdit, withNextEdit, withoutLastEdit } from './edit-history.js';

const friction = (before: number, after: number) => ({ path: 'friction.coefficient', before, after });
const stiffness = (before: number, after: number) => ({ path: 'contact.stiffness', before, after });

describe('recordEdit', () => {
  it('keeps edits in their order', () => {
    const one = recordEdit(EMPTY_HISTORY, friction(0.5, 0.6), 0);
    expect(recordEdit(one, stiffness(1, 2), 10).done).toEqual([friction(0.5, 0.6), stiffness(1, 2)]);
  });

  it('makes one edit of a drag, however long it is', () => {
    let history = EMPTY_HISTORY;
    for (let step = 0; step < 50; step += 1) history = recordEdit(history, friction(step, step + 1), 600 * step);
    expect(history.done).toEqual([friction(0, 50)]);
  });

  it('starts a new edit after a pause, and for another key', () => {
    const one = recordEdit(EMPTY_HISTORY, friction(0, 1), 0);
    expect(recordEdit(one, friction(1, 2), 601).done).toHaveLength(2);
    const other = recordEdit(one, stiffness(1, 2), 1);
    expect(recordEdit(other, friction(1, 2), 2).done).toHaveLength(3);
  });

  it('forgets a drag that ends where it began', () => {
    const away = recordEdit(EMPTY_HISTORY, friction(0.5, 0.9), 0);
    expect(recordEdit(away, friction(0.9, 0.5), 100).done).toEqual([]);
  });

  it('does not join a new edit to one that was taken back and done again', () => {
    const one = recordEdit(EMPTY_HISTORY, friction(0, 1), 0);
    const again = withNextEdit(withoutLastEdit(one));
    expect(recordEdit(again, friction(1, 2), 1).done).toHaveLength(2);
  });

  it('keeps the newest two hundred', () => {
    let history = EMPTY_HISTORY;
    for (let step = 0; step < 250; step += 1) history = recordEdit(history, friction(step, step + 1), 1000 * step);
    expect(history.done).toHaveLength(200);
    expect(history.done[0]).toEqual(friction(50, 51));
    expect(history.done.at(-1)).toEqual(friction(249, 250));
  });

  it('gives up what was taken back once something else is done', () => {
    const two = recordEdit(recordEdit(EMPTY_HISTORY, friction(0, 1), 0), stiffness(1, 2), 1);
    const back = withoutLastEdit(two);
    expect(back.undone).toEqual([stiffness(1, 2)]);
    expect(recordEdit(back, stiffness(1, 9), 2).undone).toEqual([]);
  });
});

describe('withoutLastEdit and withNextEdit', () => {
  it('go back and forth, last one first', () => {
    const two = recordEdit(recordEdit(EMPTY_HISTORY, friction(0, 1), 0), stiffness(1, 2), 1);
    const none = withoutLastEdit(withoutLastEdit(two));
    expect(none.done).toEqual([]);
    const again = withNextEdit(none);
    expect(again.done).toEqual([friction(0, 1)]);
    expect(withNextEdit(again).done).toEqual(two.done);
  });

  it('leave a history alone that has nothing to give', () => {
    expect(withoutLastEdit(EMPTY_HISTORY)).toEqual(EMPTY_HISTORY);
    expect(withNextEdit(EMPTY_HISTORY)).toEqual(EMPTY_HISTORY);
  });
});

describe('isSameValue', () => {
  it('compares lists by their items and everything else by itself', () => {
    expect(isSameValue([0, 0, -9.81], [0, 0, -9.81])).toBe(true);
    expect(isSameValue([0, 0, -9.81], [0, 0, 0])).toBe(false);
    expect(isSameValue(null, [0, 0, 0])).toBe(false);
    expect(isSameValue(null, null)).toBe(true);
    expect(isSameValue('cone', 'cone')).toBe(true);
  });
});
