import { decodeProblem, type FrictionProblem, isPalpableError, isProblemFile, PalpableError } from '@palpable/engine';
import { readUserFile } from '../mesh/read-file.js';

/** A kind of problem file. Recognised by its content: names of problem files say little. */
interface ProblemReader {
  /** As a user calls it. */
  readonly name: string;
  recognises(text: string): boolean;
  read(text: string): FrictionProblem;
}

/** Asked in this order; a further format is a further line. */
const readers: readonly ProblemReader[] = [
  {
    name: 'friction problems of palpable (JSON with "kind": "friction-problem")',
    recognises: isProblemFile,
    read: decodeProblem,
  },
];

const MAX_BYTES = 256 * 1024 * 1024;

/** Reads a problem file of any known kind. Errors are `PalpableError`s that begin with the path. */
export async function loadProblem(path: string): Promise<FrictionProblem> {
  const text = new TextDecoder().decode(await readUserFile(path, MAX_BYTES));
  const reader = readers.find((candidate) => candidate.recognises(text));
  if (!reader) throw unknownKind(path, text);
  try {
    return reader.read(text);
  } catch (error) {
    throw isPalpableError(error) ? error.at(path) : error;
  }
}

function unknownKind(path: string, text: string): PalpableError {
  const names = readers.map(({ name }) => name).join(', ');
  const found = text.trim() === '' ? 'The file is empty' : 'The file is no problem of a kind that is known';
  return new PalpableError('format-unknown', `${path}: ${found}; this version reads: ${names}.`, path);
}
