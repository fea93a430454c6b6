import type { Place } from './parse-json.js';

/** Something in a scene file that is wrong, or (as a warning) probably not meant. */
export interface SceneProblem {
  /** Inside the file: `bodies.cube.field.resolution`; empty for the file as a whole. */
  readonly path: string;
  /** Where that is in the text, if the scene was read from text. */
  readonly place: Place | null;
  /** The value as JSON, shortened; empty when there is none. */
  readonly found: string;
  /** What would be right, in words. */
  readonly expected: string;
  /** The whole in one sentence, beginning with the path. */
  readonly message: string;
}

/** Collects problems while a scene is checked. */
export class ProblemList {
  readonly problems: SceneProblem[] = [];
  private readonly places: ReadonlyMap<string, Place>;

  constructor(places: ReadonlyMap<string, Place> = new Map()) {
    this.places = places;
  }

  /** `found` is the value itself; `hint` a further half sentence, such as what was probably meant. */
  add(path: string, found: unknown, expected: string, hint = ''): void {
    const shown = showValue(found);
    const sentence = `found ${shown}, expected ${expected}${hint && `; ${hint}`}`;
    this.push(path, shown, expected, sentence);
  }

  /** For what is not about one value. */
  say(path: string, sentence: string, expected = ''): void {
    this.push(path, '', expected, sentence);
  }

  private push(path: string, found: string, expected: string, sentence: string): void {
    const place = this.places.get(path) ?? null;
    const where = [path, place && `line ${place.line}`].filter(Boolean).join(', ');
    this.problems.push({ path, place, found, expected, message: `${where || 'The scene'}: ${sentence}.` });
  }
}

/** As it stands in the file, short enough for one line. */
function showValue(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** `did you mean x?` for the end of a sentence that says what was expected. */
export function hintOf(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : `probably "${suggestion}" was meant`;
}
