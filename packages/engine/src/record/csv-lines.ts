/** The lines of a text one by one, without a list of them all: recordings have millions. Empty lines are passed over. */
export class CsvLines {
  /** The present line, without its end. */
  line = '';
  /** Of the present line, counted from 1. */
  number = 0;
  private readonly text: string;
  private at: number;

  constructor(text: string) {
    this.text = text;
    this.at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  /** The first line, whatever it is. */
  header(): string {
    return this.step() ? this.line : '';
  }

  /** Goes to the next line that is not empty; false at the end. */
  next(): boolean {
    while (this.step()) if (this.line.trim() !== '') return true;
    return false;
  }

  private step(): boolean {
    if (this.at >= this.text.length) return false;
    const end = this.text.indexOf('\n', this.at);
    const stop = end < 0 ? this.text.length : end;
    this.line = this.text.slice(this.at, stop);
    if (this.line.endsWith('\r')) this.line = this.line.slice(0, -1);
    this.number += 1;
    this.at = stop + 1;
    return true;
  }
}

export function cellsOf(line: string): string[] {
  return line.split(',').map((cell) => cell.trim());
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** NaN for anything that is not a plain decimal number, the empty cell among them. */
export function toNumber(cell: string): number {
  return DECIMAL.test(cell) ? Number(cell) : Number.NaN;
}
