/**
 * Between the controls and the loop: every wish is shown at once, sent one after the other, written into the history when
 * it was accepted, and taken back with the reason when it was refused.
 */
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { messageOf } from '../controls/words.js';
import { EMPTY_HISTORY, isSameValue, recordEdit, withNextEdit, withoutLastEdit } from './edit-history.js';
import { liveParameter, readValue, writtenValue } from './parameter-model.js';

/** Resolves with null once the scene holds the value, or with a sentence why it does not. */
export type SetParameter = (path: string, value: unknown) => Promise<string | null>;

export type ParameterEdits = Readonly<ReturnType<typeof createParameterEdits>>;

type Job = { kind: 'change'; path: string; value: unknown; atMs: number } | { kind: 'undo' } | { kind: 'redo' };

export function createParameterEdits(
  scene: ReadonlySignal<unknown>,
  set: SetParameter,
  nowMs: () => number = () => performance.now(),
) {
  const history = signal(EMPTY_HISTORY);
  const problems = signal<ReadonlyMap<string, string>>(new Map());
  const news = signal('');
  const wishes = signal<ReadonlyMap<string, unknown>>(new Map());
  const jobs: Job[] = [];
  let isWorking = false;

  function add(job: Job): void {
    const last = jobs.at(-1);
    // A drag wishes faster than the loop answers; only its newest wish counts.
    if (job.kind === 'change' && last?.kind === 'change' && last.path === job.path) jobs.pop();
    jobs.push(job);
    if (!isWorking) void work();
  }

  async function work(): Promise<void> {
    isWorking = true;
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      if (job.kind === 'change') await change(job.path, job.value, job.atMs);
      else await step(job.kind);
    }
    isWorking = false;
  }

  async function change(path: string, value: unknown, atMs: number): Promise<void> {
    const before = readValue(scene.value, path);
    const problem = isSameValue(before, value) ? null : await send(path, value);
    batch(() => {
      const isWishedAgain = jobs.some((job) => job.kind === 'change' && job.path === path);
      if (!isWishedAgain) wishes.value = withoutKey(wishes.value, path);
      if (problem !== null) problems.value = new Map(problems.value).set(path, problem);
      else if (!isSameValue(before, value)) {
        history.value = recordEdit(history.value, { path, before, after: value }, atMs);
      }
    });
  }

  async function step(kind: 'undo' | 'redo'): Promise<void> {
    const edit = (kind === 'undo' ? history.value.done : history.value.undone).at(-1);
    if (!edit) return;
    const problem = await send(edit.path, kind === 'undo' ? edit.before : edit.after);
    batch(() => {
      if (problem !== null) {
        problems.value = new Map(problems.value).set(edit.path, problem);
        return;
      }
      problems.value = withoutKey(problems.value, edit.path);
      history.value = kind === 'undo' ? withoutLastEdit(history.value) : withNextEdit(history.value);
      const name = liveParameter(edit.path)?.name ?? edit.path;
      news.value = `${kind === 'undo' ? 'Undone' : 'Done again'}: ${name}`;
    });
  }

  async function send(path: string, value: unknown): Promise<string | null> {
    try {
      return await set(path, value);
    } catch (error) {
      return messageOf(error);
    }
  }

  return {
    history,
    /** Why the last change of a key was refused, by path. */
    problems,
    /** The last thing undone or redone, for those who listen. */
    news,
    /** As wished, or else as the scene says, or else the default. */
    valueOf: (path: string) => (wishes.value.has(path) ? wishes.value.get(path) : readValue(scene.value, path)),
    /** Whether the scene says it itself. */
    isWritten: (path: string) => writtenValue(scene.value, path) !== undefined,
    change(path: string, value: unknown) {
      batch(() => {
        problems.value = withoutKey(problems.value, path);
        wishes.value = new Map(wishes.value).set(path, value);
      });
      add({ kind: 'change', path, value, atMs: nowMs() });
    },
    /** For what cannot even be sent: the old value stays, with the reason. */
    refuse(path: string, problem: string) {
      problems.value = new Map(problems.value).set(path, problem);
    },
    undo: () => add({ kind: 'undo' }),
    redo: () => add({ kind: 'redo' }),
  };
}

function withoutKey<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

/** What a key event has to have. */
export interface ShortcutEvent {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly target: EventTarget | null;
}

/** Which step through the history a key means, if any. While somebody types, undoing belongs to the field. */
export function readShortcut(event: ShortcutEvent): 'undo' | 'redo' | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping(event.target)) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' && !event.shiftKey ? 'redo' : undefined;
}

/** Number fields say for themselves whether something in them is not yet taken over. */
function isTyping(target: EventTarget | null): boolean {
  const { tagName, type, dataset } = (target ?? {}) as Partial<HTMLInputElement>;
  if (dataset?.typing !== undefined) return dataset.typing === 'true';
  return tagName === 'TEXTAREA' || (tagName === 'INPUT' && (type === 'text' || type === 'search'));
}
