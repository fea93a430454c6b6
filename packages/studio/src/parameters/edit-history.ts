/** What was changed, so that it can be taken back and done again. Values, not places in memory: safe to keep in a signal. */
export interface Edit {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface EditHistory {
  /** Oldest first. */
  readonly done: readonly Edit[];
  /** What was taken back; the last one is done again first. */
  readonly undone: readonly Edit[];
  /** When the last edit came, ms; minus infinity where the next one must stand for itself. */
  readonly editedAt: number;
}

/** Edits of one key that follow each other faster than this are one: somebody drags a slider. */
const DRAG_PAUSE_MS = 600;
/** More than anybody takes back by hand. */
const MOST_EDITS = 200;

export const EMPTY_HISTORY: EditHistory = { done: [], undone: [], editedAt: Number.NEGATIVE_INFINITY };

/** The history with one more edit; what was taken back before it can no longer be done again. */
export function recordEdit(history: EditHistory, edit: Edit, nowMs: number): EditHistory {
  const last = history.done.at(-1);
  const continues = last?.path === edit.path && nowMs - history.editedAt <= DRAG_PAUSE_MS;
  const joined = continues ? { ...edit, before: last.before } : edit;
  const earlier = continues ? history.done.slice(0, -1) : history.done;
  const done = isSameValue(joined.before, joined.after) ? earlier : [...earlier, joined].slice(-MOST_EDITS);
  return { done, undone: [], editedAt: nowMs };
}

/** The history once its last edit was taken back. */
export function withoutLastEdit({ done, undone }: EditHistory): EditHistory {
  return { done: done.slice(0, -1), undone: [...undone, ...done.slice(-1)], editedAt: Number.NEGATIVE_INFINITY };
}

/** The history once the edit that was taken back last was done again. */
export function withNextEdit({ done, undone }: EditHistory): EditHistory {
  return { done: [...done, ...undone.slice(-1)], undone: undone.slice(0, -1), editedAt: Number.NEGATIVE_INFINITY };
}

/** Of the values that a key can have: numbers, flags, words, lists of numbers, null. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, k) => Object.is(item, b[k]));
  return Object.is(a, b);
}
