export type Cell = string | number;

/** One row: heading → value. All rows have the headings of the first. */
export type Row = Readonly<Record<string, Cell>>;

/**
 * Rows as a table in plain text. Columns of numbers stand to the right.
 *
 *     resolution  nodes      time
 *            256  2 412 544  3.1 s
 */
export function formatTable(rows: readonly Row[]): string {
  const headings = Object.keys(rows[0] ?? {});
  const columns = headings.map((heading) => {
    const cells = rows.map((row) => formatCell(row[heading] ?? ''));
    const toTheRight = rows.every((row) => typeof row[heading] === 'number');
    const width = Math.max(heading.length, ...cells.map((cell) => cell.length));
    const align = (text: string) => (toTheRight ? text.padStart(width) : text.padEnd(width));
    return [align(heading), '─'.repeat(width), ...cells.map(align)];
  });
  const lines = columns[0]?.map((_, line) =>
    columns
      .map((column) => column[line])
      .join('  ')
      .trimEnd(),
  );
  return lines?.join('\n') ?? '';
}

export function printTable(rows: readonly Row[], stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(`${formatTable(rows)}\n`);
}

function formatCell(value: Cell): string {
  return typeof value === 'number' ? formatNumber(value) : value;
}

/** Whole numbers in groups of three, others with four significant digits. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) {
    return String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  }
  return String(Number(value.toPrecision(4)));
}
