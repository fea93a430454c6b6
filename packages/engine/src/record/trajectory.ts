import { PalpableError } from '../base/errors.js';
import { unitRotation } from '../settings/unit-rotation.js';
import { CsvLines, cellsOf, toNumber } from './csv-lines.js';

/** Poses of a device over time: world poses of the tool's body frame. */
export interface Trajectory {
  /** Number of samples. */
  readonly count: number;
  /** Seconds, rising. */
  readonly time: Float64Array;
  /** Seven numbers per sample: position (m), quaternion of length 1. */
  readonly poses: Float64Array;
}

const POSE_COLUMNS = ['px', 'py', 'pz', 'qx', 'qy', 'qz', 'qw'] as const;
/** As a recorded result names them. */
const DEVICE_COLUMNS = ['dpx', 'dpy', 'dpz', 'dqx', 'dqy', 'dqz', 'dqw'] as const;
const MAX_PROBLEMS = 20;

/**
 * Reads a trajectory: CSV with the columns `time,px,py,pz,qx,qy,qz,qw` in any order, or a recorded result, of which the
 * device's poses are taken. Throws a `PalpableError` of code `format-invalid` that names all bad lines (up to 20).
 */
export function readTrajectory(text: string, fileName = 'trajectory'): Trajectory {
  const lines = new CsvLines(text);
  const columns = findColumns(lines.header(), fileName);
  const reader = new TrajectoryReader(columns);
  while (lines.next()) reader.readLine(lines.line, lines.number);
  return reader.finish(fileName);
}

/** Indices of time and of the seven numbers of a pose. */
function findColumns(header: string, fileName: string): number[] {
  const names = cellsOf(header).map((name) => name.toLowerCase());
  const pose = names.includes('px') || !names.includes('dpx') ? POSE_COLUMNS : DEVICE_COLUMNS;
  const wanted = ['time', ...pose];
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const found = header.trim() === '' ? 'nothing' : `"${header.slice(0, 80)}"`;
    throw new PalpableError(
      'format-invalid',
      `${fileName}, line 1: found ${found}, expected a header with the columns ${wanted.join(',')}, separated by commas` +
        `${missing.length < wanted.length ? `; missing: ${missing.join(', ')}` : ''}.`,
      fileName,
    );
  }
  return wanted.map((name) => names.indexOf(name));
}

class TrajectoryReader {
  private readonly columns: readonly number[];
  private readonly time: number[] = [];
  private readonly poses: number[] = [];
  private readonly problems: string[] = [];
  private problemCount = 0;
  private lastTime = Number.NEGATIVE_INFINITY;

  constructor(columns: readonly number[]) {
    this.columns = columns;
  }

  readLine(line: string, number: number): void {
    const cells = cellsOf(line);
    const needed = Math.max(...this.columns) + 1;
    if (cells.length < needed) {
      this.refuse(number, `found ${cells.length} cells, expected at least ${needed}`);
      return;
    }
    const values = this.columns.map((column) => toNumber(cells[column]));
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) {
      this.refuse(
        number,
        `found "${cells[this.columns[bad]].slice(0, 40)}" as ${NAMES[bad]}, expected a finite number`,
      );
      return;
    }
    const [time, px, py, pz, ...quaternion] = values;
    const rotation = unitRotation(quaternion);
    if (!rotation) this.refuse(number, 'found a quaternion of length 0, expected a rotation (qx, qy, qz, qw)');
    if (time <= this.lastTime) {
      this.refuse(number, `found the time ${time} after ${this.lastTime}, expected time to rise from line to line`);
    }
    this.lastTime = time;
    if (!rotation) return;
    this.time.push(time);
    this.poses.push(px, py, pz, ...rotation);
  }

  finish(fileName: string): Trajectory {
    if (this.problemCount === 0 && this.time.length === 0)
      this.refuse(2, 'found no samples, expected at least one line');
    if (this.problemCount > 0) {
      const more = this.problemCount - this.problems.length;
      const lines = [...this.problems, ...(more > 0 ? [`and ${more} more`] : [])];
      const list = lines.length === 1 ? `, ${lines[0]}` : `: ${this.problemCount} problems:\n  ${lines.join('\n  ')}`;
      throw new PalpableError('format-invalid', `${fileName}${list}.`, fileName);
    }
    return { count: this.time.length, time: Float64Array.from(this.time), poses: Float64Array.from(this.poses) };
  }

  private refuse(line: number, sentence: string): void {
    this.problemCount += 1;
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(`line ${line}: ${sentence}`);
  }
}

const NAMES = ['time', ...POSE_COLUMNS];

/** The text of a trajectory, every number in the shortest form that reads back to the same bits. */
export function formatTrajectory({ count, time, poses }: Trajectory): string {
  const rows = Array.from({ length: count }, (_, i) => [time[i], ...poses.subarray(7 * i, 7 * i + 7)].join(','));
  return `${[['time', ...POSE_COLUMNS].join(','), ...rows].join('\n')}\n`;
}
