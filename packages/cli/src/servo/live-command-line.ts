import { type LiveCommand, PalpableError } from '@palpable/engine';

/** What a user types while a scene runs. */
export type TypedCommand = LiveCommand | { readonly kind: 'scene'; readonly path: string };

export const TYPED_COMMANDS = 'pause, resume, halt, release, stop, set PATH VALUE, scene FILE';

/** Reads one line; null for an empty one. Throws a sentence that says what would be understood. */
export function readTypedCommand(line: string): TypedCommand | null {
  const text = line.trim();
  if (text === '') return null;
  if (isPlain(text)) return { kind: text };
  const set = /^set\s+(\S+)\s+(.+)$/.exec(text);
  if (set) return { kind: 'set', path: set[1]!, value: readValue(set[2]!) };
  const scene = /^scene\s+(.+)$/.exec(text);
  if (scene) return { kind: 'scene', path: scene[1]! };
  throw new PalpableError(
    'option-invalid',
    `"${text.slice(0, 60)}" is not a command; the commands are ${TYPED_COMMANDS}.`,
  );
}

const PLAIN = ['pause', 'resume', 'halt', 'release', 'stop'] as const;

function isPlain(text: string): text is (typeof PLAIN)[number] {
  return (PLAIN as readonly string[]).includes(text);
}

/** JSON, or a word as it stands: `0.8`, `[0, 0, -9.81]`, `pyramid`. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
