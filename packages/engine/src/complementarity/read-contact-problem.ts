import { PalpableError } from '../base/errors.js';
import type { ConeProblem } from './cone-problem.js';
import { decodeContactProblem, isContactProblemFile } from './contact-problem-file.js';
import { isFclibProblem, readFclibProblem } from './read-fclib.js';
import { readSiconosProblem, siconosKind } from './read-siconos.js';

interface Reader {
  recognises(text: string): boolean;
  read(text: string): ConeProblem;
}

const readers: readonly Reader[] = [
  { recognises: isContactProblemFile, read: decodeContactProblem },
  { recognises: isFclibProblem, read: readFclibProblem },
  { recognises: (text) => siconosKind(text) === 'contact', read: readSiconosProblem },
];

/** Whether a text is meant to be a contact problem of any known format. Says nothing about mistakes in it. */
export function isContactProblem(text: string): boolean {
  return readers.some((reader) => reader.recognises(text));
}

/** Reads a contact problem: ours, of the Frictional Contact Library (JSON), or of Siconos (text). */
export function readContactProblem(text: string): ConeProblem {
  const reader = readers.find((candidate) => candidate.recognises(text));
  if (reader) return reader.read(text);
  const message =
    'The text is no contact problem that is known; give JSON of palpable or of the Frictional Contact Library, or text of Siconos.';
  throw new PalpableError('format-unknown', message);
}
