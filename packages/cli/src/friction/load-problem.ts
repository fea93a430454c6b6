import { isPalpableError, PalpableError } from '@palpable/engine';
import {
  type ConeProblem,
  decodeProblem,
  type FrictionProblem,
  isContactProblem,
  isProblemFile,
  type LcpProblem,
  type MatrixOrder,
  readContactProblem,
  readSiconosLcp,
  siconosKind,
} from '@palpable/engine/advanced';
import { readUserFile } from '../files/read-file.js';

/** What `palpable solve` can be given. */
export type LoadedProblem =
  | { readonly kind: 'friction'; readonly problem: FrictionProblem }
  | { readonly kind: 'contact'; readonly problem: ConeProblem }
  | { readonly kind: 'lcp'; readonly problem: LcpProblem };

export type ProblemKind = LoadedProblem['kind'];

/** A kind of problem file. Recognised by its content: names of problem files say little. */
interface ProblemReader {
  /** As a user calls it. */
  readonly name: string;
  recognises(text: string): boolean;
  read(text: string, order: MatrixOrder | undefined): LoadedProblem;
}

/** Asked in this order; a further format is a further line. */
const readers: readonly ProblemReader[] = [
  {
    name: 'friction problems of palpable (JSON with "kind": "friction-problem")',
    recognises: isProblemFile,
    read: (text) => ({ kind: 'friction', problem: decodeProblem(text) }),
  },
  {
    name: 'contact problems of palpable (JSON with "kind": "contact-problem"), of the Frictional Contact Library (JSON) and of Siconos (text)',
    recognises: isContactProblem,
    read: (text) => ({ kind: 'contact', problem: readContactProblem(text) }),
  },
  {
    name: 'linear complementarity problems of Siconos (text)',
    recognises: (text) => siconosKind(text) === 'lcp',
    read: (text, order) => ({ kind: 'lcp', problem: readSiconosLcp(text, order) }),
  },
];

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads a problem file of any known kind. `order` is that of full matrices in text, where the file leaves a choice.
 * Errors are `PalpableError`s that begin with the path.
 */
export async function loadProblem(path: string, order?: MatrixOrder): Promise<LoadedProblem> {
  const text = new TextDecoder().decode(await readUserFile(path, MAX_BYTES));
  const reader = readers.find((candidate) => candidate.recognises(text));
  if (!reader) throw unknownKind(path, text);
  try {
    return reader.read(text, order);
  } catch (error) {
    throw isPalpableError(error) ? error.at(path) : error;
  }
}

function unknownKind(path: string, text: string): PalpableError {
  const names = readers.map(({ name }) => name).join(', ');
  const found = text.trim() === '' ? 'The file is empty' : 'The file is not a known kind of problem';
  return new PalpableError('format-unknown', `${path}: ${found}; this version reads: ${names}.`, path);
}
