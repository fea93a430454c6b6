/**
 * The last while of the loop's rows, by columns, for plots. Rows come a thousand times a second or once a frame; a
 * ring takes them without allocating. What is drawn is thinned to the least and the greatest value of every bucket of
 * time, so that no peak is lost however long the window is.
 */
import { LIVE_WIDTH, type LiveColumn, placeOf } from '@palpable/engine/advanced';

/** A column of a row, or a length made of some: of force, of torque, of the displacement from device to tool. */
export type HistoryColumn = LiveColumn | 'force' | 'torque' | 'gap';

/** All that the plots of the drawer and of a comparison show. */
export const PLOT_COLUMNS: readonly HistoryColumn[] = [
  ...(['force', 'fx', 'fy', 'fz', 'torque', 'tx', 'ty', 'tz'] as const),
  ...(['max_penetration', 'contacts', 'gap', 'tpx', 'tpy', 'tpz'] as const),
  ...(['us_contact', 'us_friction', 'us_method', 'us_cycle', 'missed', 'energy', 'contact_rate'] as const),
];

export interface HistoryOptions {
  readonly columns?: readonly HistoryColumn[];
  /** How far back the history reaches, s. */
  readonly seconds?: number;
  /** Most rows that a second brings; more than that shorten the time that is kept. */
  readonly rowsPerSecond?: number;
  /** Numbers in a row: fewer where rows of a result come, which lack the last columns. */
  readonly rowWidth?: number;
}

/** A thinned column: bucket by bucket, in order of time; only buckets with a value. */
export interface ThinnedColumn {
  count: number;
  /** Where in its bucket the value stands, s: the time of the first row in it. */
  times: Float64Array;
  low: Float32Array;
  high: Float32Array;
  /** 1 where nothing came for so long before that no line may lead here. */
  afterGap: Uint8Array;
}

/** Rows further apart than this are not joined by a line, s. */
const GAP = 0.5;
/** Rows whose least and greatest values are kept beside them, so that a long window is thinned as fast as a short one. */
const BLOCK = 16;
const BLOCKS_PER_BUCKET = 2;
const SECONDS = 60;
const ROWS_PER_SECOND = 1000;

export class RowHistory {
  readonly columns: readonly HistoryColumn[];
  /** Changes with every row and when cleared. */
  version = 0;

  private readonly options: HistoryOptions;
  private readonly capacity: number;
  private readonly seconds: number;
  private readonly times: Float64Array;
  private readonly values: readonly Float32Array[];
  private readonly blockLows: readonly Float32Array[];
  private readonly blockHighs: readonly Float32Array[];
  /** Place of each column in a row, below 0 where rows have none; of a length that of its first part. */
  private readonly places: Int32Array;
  private start = 0;
  private size = 0;

  constructor(options: HistoryOptions = {}) {
    const { columns = PLOT_COLUMNS, seconds = SECONDS, rowsPerSecond = ROWS_PER_SECOND } = options;
    const { rowWidth = LIVE_WIDTH } = options;
    this.options = options;
    this.columns = columns;
    this.seconds = seconds;
    this.capacity = BLOCK * Math.max(2, Math.ceil((seconds * rowsPerSecond) / BLOCK));
    this.times = new Float64Array(this.capacity);
    this.values = columns.map(() => new Float32Array(this.capacity));
    this.blockLows = columns.map(() => new Float32Array(this.capacity / BLOCK));
    this.blockHighs = columns.map(() => new Float32Array(this.capacity / BLOCK));
    this.places = Int32Array.from(columns, (column) => {
      const place = placeInRow(column);
      return place < rowWidth ? place : -1;
    });
  }

  /** Rows that are kept. */
  get count(): number {
    return this.size;
  }

  /** Time of the oldest row, s; undefined without any. */
  get first(): number | undefined {
    return this.size === 0 ? undefined : this.times[this.start];
  }

  get last(): number | undefined {
    return this.size === 0 ? undefined : this.times[this.placeAt(this.size - 1)];
  }

  /**
   * Takes the row that starts at `at`. A time that goes back means that another run began, and what was before is
   * forgotten.
   */
  add(row: Float64Array, at = 0): void {
    const time = row[at];
    if (!Number.isFinite(time)) return;
    if (this.size > 0 && time < this.times[this.placeAt(this.size - 1)]) this.clear();
    while (this.size > 0 && this.times[this.start] < time - this.seconds) this.forgetOldest();
    if (this.size === this.capacity) this.forgetOldest();
    const place = this.placeAt(this.size);
    this.times[place] = time;
    for (let k = 0; k < this.values.length; k += 1) {
      this.values[k][place] = readColumn(row, at, this.columns[k], this.places[k]);
      this.noteBlock(k, place);
    }
    this.size += 1;
    this.version += 1;
  }

  clear(): void {
    this.start = 0;
    this.size = 0;
    this.version += 1;
  }

  /** As it is now, for whoever zooms in while the loop goes on. */
  copy(): RowHistory {
    const copy = new RowHistory(this.options);
    copy.times.set(this.times);
    for (let k = 0; k < this.values.length; k += 1) {
      copy.values[k].set(this.values[k]);
      copy.blockLows[k].set(this.blockLows[k]);
      copy.blockHighs[k].set(this.blockHighs[k]);
    }
    copy.start = this.start;
    copy.size = this.size;
    return copy;
  }

  /** Value of the row nearest to `time`; undefined without any, or where it has no such value. */
  valueAt(column: HistoryColumn, time: number): number | undefined {
    const values = this.valuesOf(column);
    if (!values || this.size === 0) return undefined;
    const value = values[this.placeAt(this.indexNear(time))];
    return Number.isNaN(value) ? undefined : value;
  }

  /** Time of the row that `valueAt` speaks of. */
  timeNear(time: number): number | undefined {
    return this.size === 0 ? undefined : this.timeOf(this.indexNear(time));
  }

  private indexNear(time: number): number {
    const after = Math.min(this.size - 1, this.indexFrom(time));
    const before = Math.max(0, after - 1);
    return time - this.timeOf(before) < this.timeOf(after) - time ? before : after;
  }

  /**
   * A column from `from` to `to` in about `pixels` buckets, with a little more on either side so that lines reach the
   * edges. Buckets stand still in time, whatever the window: a scrolling line does not flicker.
   */
  window(out: ThinnedColumn, column: HistoryColumn, from: number, to: number, pixels: number): void {
    out.count = 0;
    const k = this.columns.indexOf(column);
    if (k < 0 || this.size === 0 || !(to > from) || !(pixels >= 1)) return;
    const room = Math.ceil(pixels) + 4;
    if (out.times.length < room) Object.assign(out, createThinnedColumn(room));
    const first = Math.max(0, this.indexFrom(from) - 1);
    const end = Math.min(this.size, this.indexFrom(to) + 1);
    const bucketsPerSecond = pixels / (to - from);
    const isFine = end - first < BLOCKS_PER_BUCKET * BLOCK * pixels;
    const [low, high] = isFine ? [this.values[k], this.values[k]] : [this.blockLows[k], this.blockHighs[k]];
    this.gather(out, low, high, isFine ? 1 : BLOCK, first, end, bucketsPerSecond);
  }

  /** Row by row, or block by block where a block is short against a bucket. */
  private gather(
    out: ThinnedColumn,
    low: Float32Array,
    high: Float32Array,
    step: number,
    first: number,
    end: number,
    bucketsPerSecond: number,
  ): void {
    const { times, capacity } = this;
    let bucket = Number.NaN;
    let at = -1;
    let newest = Number.NEGATIVE_INFINITY;
    // Of a block that is partly written over the rest is left out.
    const skipped = (step - (this.placeAt(first) % step)) % step;
    let place = this.placeAt(first + skipped);
    for (let index = first + skipped; index < end; index += step) {
      const time = times[place];
      const itsLow = low[place / step];
      const itsHigh = high[place / step];
      place = place + step === capacity ? 0 : place + step;
      if (Number.isNaN(itsLow) || itsLow > itsHigh) continue;
      const itsBucket = Math.floor(time * bucketsPerSecond);
      if (itsBucket !== bucket) {
        bucket = itsBucket;
        at += 1;
        out.times[at] = time;
        out.low[at] = itsLow;
        out.high[at] = itsHigh;
        out.afterGap[at] = time - newest > GAP ? 1 : 0;
      } else {
        if (itsLow < out.low[at]) out.low[at] = itsLow;
        if (itsHigh > out.high[at]) out.high[at] = itsHigh;
      }
      newest = time;
    }
    out.count = at + 1;
  }

  /** Copies the values from `from` on into `out`; gives how many there are room for. */
  valuesFrom(out: Float64Array, column: HistoryColumn, from: number): number {
    const values = this.valuesOf(column);
    if (!values) return 0;
    let count = 0;
    for (let k = this.indexFrom(from); k < this.size && count < out.length; k += 1) {
      const value = values[this.placeAt(k)];
      if (!Number.isNaN(value)) out[count++] = value;
    }
    return count;
  }

  private noteBlock(k: number, place: number): void {
    const block = Math.floor(place / BLOCK);
    const lows = this.blockLows[k];
    const highs = this.blockHighs[k];
    const value = this.values[k][place];
    if (place % BLOCK === 0) {
      lows[block] = Number.POSITIVE_INFINITY;
      highs[block] = Number.NEGATIVE_INFINITY;
    }
    // False for what is no number.
    if (value < lows[block]) lows[block] = value;
    if (value > highs[block]) highs[block] = value;
  }

  private valuesOf(column: HistoryColumn): Float32Array | undefined {
    return this.values[this.columns.indexOf(column)];
  }

  private placeAt(index: number): number {
    const place = this.start + index;
    return place >= this.capacity ? place - this.capacity : place;
  }

  private timeOf(index: number): number {
    return this.times[this.placeAt(index)];
  }

  /** The first row that is not before `time`; the number of rows when all are. */
  private indexFrom(time: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timeOf(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private forgetOldest(): void {
    this.start = this.placeAt(1);
    this.size -= 1;
  }
}

function placeInRow(column: HistoryColumn): number {
  if (column === 'force') return placeOf('fx');
  if (column === 'torque') return placeOf('tx');
  if (column === 'gap') return placeOf('tpx');
  return placeOf(column);
}

const DEVICE = placeOf('dpx');

function readColumn(row: Float64Array, at: number, column: HistoryColumn, place: number): number {
  if (place < 0) return Number.NaN;
  const k = at + place;
  if (column === 'force' || column === 'torque') return lengthOf(row[k], row[k + 1], row[k + 2]);
  if (column === 'gap') {
    const d = at + DEVICE;
    return lengthOf(row[k] - row[d], row[k + 1] - row[d + 1], row[k + 2] - row[d + 2]);
  }
  return row[k];
}

function lengthOf(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

export function createThinnedColumn(size = 0): ThinnedColumn {
  return {
    count: 0,
    times: new Float64Array(size),
    low: new Float32Array(size),
    high: new Float32Array(size),
    afterGap: new Uint8Array(size),
  };
}
