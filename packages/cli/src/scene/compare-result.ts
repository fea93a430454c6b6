import { PalpableError, RESULT_COLUMNS } from '@palpable/engine';
import { formatResultCells, type ScenePlay } from '@palpable/engine/advanced';
import { type PlayHooks, playRun } from './write-result.js';

/** The first place where a new run gives something else than the file. Values as they are written. */
export interface ResultDifference {
  /** From 0; the line in the file is two more. */
  readonly cycle: number;
  readonly column: string;
  readonly recorded: string;
  readonly replayed: string;
}

const LINE_END = 10;
const ABSENT = 'nothing';

/**
 * Plays a run and compares it with a recorded result cell by cell, but for the measured times. Numbers are written in
 * the shortest form that reads back to the same bits, so that equal texts are equal bits and the other way round (but for
 * the sign of zero, which is not written).
 */
export async function compareResult(
  path: string,
  bytes: Buffer,
  run: ScenePlay,
  hooks: PlayHooks,
): Promise<ResultDifference | null> {
  const lines = linesOf(bytes);
  const columns = comparedColumns(path, lines.next().value ?? '');
  let difference: ResultDifference | null = null;
  let cycle = 0;
  await playRun(
    run,
    async (rows, count) => {
      for (let row = 0; row < count && !difference; row += 1, cycle += 1) {
        difference = compareRow(columns, cycle, lines.next().value ?? '', formatResultCells(rows, row));
      }
      return difference === null;
    },
    hooks,
  );
  const surplus = difference ? undefined : lines.next().value;
  if (surplus) return { cycle, column: 'time', recorded: surplus.split(',')[0]!, replayed: ABSENT };
  return difference;
}

/** `recorded`: Place in the file, and in a row of ours. */
type ComparedColumn = ReturnType<typeof comparedColumns>[number];

function comparedColumns(path: string, header: string) {
  const names = header.split(',').map((name) => name.trim());
  const known: readonly string[] = RESULT_COLUMNS;
  const strange = names.filter((name) => !known.includes(name));
  if (strange.length > 0 || !names.includes('time')) {
    const message = `${path}, line 1: found "${header.slice(0, 80)}", expected the columns of a result of palpable run.`;
    throw new PalpableError('format-invalid', message, path);
  }
  return names
    .map((name, recorded) => ({ name, recorded, replayed: known.indexOf(name) }))
    .filter(({ name }) => !name.startsWith('us_'));
}

function compareRow(
  columns: readonly ComparedColumn[],
  cycle: number,
  line: string,
  replayed: readonly string[],
): ResultDifference | null {
  const cells = line.split(',');
  for (const column of columns) {
    const mine = replayed[column.replayed]!;
    const cell = cells[column.recorded]?.trim() || ABSENT;
    if (cell !== mine) return { cycle, column: column.name, recorded: cell, replayed: mine };
  }
  return null;
}

/** One line after the other, so that a file may be longer than a text can be. */
function* linesOf(bytes: Buffer): Generator<string, undefined> {
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(LINE_END, at);
    const stop = end < 0 ? bytes.length : end;
    yield bytes.toString('utf8', at, stop).replace(/\r$/, '');
    at = stop + 1;
  }
  return undefined;
}
