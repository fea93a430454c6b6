/**
 * Takes: what the loop did between two presses of a button, every cycle of it. Rows are kept in blocks, so that a long
 * take never has to be copied while the loop runs.
 */
import { type LiveEvent, PalpableError, type Trajectory } from '@palpable/engine';
import { LIVE_WIDTH, placeOf, type RingReader } from '@palpable/engine/advanced';

/** A long take would fill the memory of the tab: ten minutes are 200 MB. */
const MAX_TAKE_SECONDS = 600;

const ROWS_PER_BLOCK = 4096;
const TIME = placeOf('time');
const HAND = placeOf('hand');
const DEVICE = placeOf('dpx');

/** All cycles of one hand. */
export interface TakeRows {
  readonly tool: string;
  readonly count: number;
  /** `LIVE_WIDTH` numbers a row, `ROWS_PER_BLOCK` rows a block. */
  readonly blocks: readonly Float64Array[];
}

/** Why a take ended: by the user, at the longest time allowed, or because the loop began again. */
export type TakeEnd = 'stopped' | 'full' | 'loop-ended';

export interface Take {
  readonly name: string;
  /** What the scene file held when the take began; `commands` say what changed since. */
  readonly scene: unknown;
  /** Of a cycle, s. */
  readonly timeStep: number;
  /** Wall time of the first row, ISO 8601. */
  readonly startTime: string;
  /** One per tool. */
  readonly hands: readonly TakeRows[];
  readonly commands: readonly LiveEvent[];
  /** Rows that were lost because the page came too late to fetch them. */
  readonly dropped: number;
  readonly end: TakeEnd;
}

/** A row in place; it must not be changed. */
export function rowOf({ blocks }: TakeRows, index: number): Float64Array {
  const at = (index % ROWS_PER_BLOCK) * LIVE_WIDTH;
  return blocks[Math.floor(index / ROWS_PER_BLOCK)]!.subarray(at, at + LIVE_WIDTH);
}

/** In the time of the loop, s. */
export function timeOf({ blocks }: TakeRows, index: number): number {
  return blocks[Math.floor(index / ROWS_PER_BLOCK)]![(index % ROWS_PER_BLOCK) * LIVE_WIDTH + TIME]!;
}

/** From the first row to the last, s. */
export function secondsOf(rows: TakeRows): number {
  return rows.count === 0 ? 0 : timeOf(rows, rows.count - 1) - timeOf(rows, 0);
}

/** The motion of the device, its time counted from 0. */
export function trajectoryOf(rows: TakeRows): Trajectory {
  const { count } = rows;
  const time = new Float64Array(count);
  const poses = new Float64Array(7 * count);
  const start = count > 0 ? timeOf(rows, 0) : 0;
  for (let i = 0; i < count; i += 1) {
    const block = rows.blocks[Math.floor(i / ROWS_PER_BLOCK)]!;
    const at = (i % ROWS_PER_BLOCK) * LIVE_WIDTH;
    time[i] = block[at + TIME]! - start;
    for (let k = 0; k < 7; k += 1) poses[7 * i + k] = block[at + DEVICE + k]!;
  }
  return { count, time, poses };
}

/** What a take is given at its start. */
export interface TakeStart {
  readonly name: string;
  readonly scene: unknown;
  /** s */
  readonly timeStep: number;
  /** In the order of the hands. */
  readonly tools: readonly string[];
  /** ISO 8601; now unless given. */
  readonly startTime?: string;
}

export type TakeRecorder = Readonly<ReturnType<typeof createTakeRecorder>>;

export function createTakeRecorder(ring: RingReader, maxSeconds = MAX_TAKE_SECONDS) {
  const row = new Float64Array(LIVE_WIDTH);
  let take: GrowingTake | undefined;

  const finish = (end: TakeEnd): Take => {
    if (!take)
      throw new PalpableError('option-invalid', 'No recording has been started; start one before you stop it.');
    const finished = take.finish(ring.dropped, end);
    take = undefined;
    return finished;
  };
  return {
    get isRecording() {
      return take !== undefined;
    },
    /** Rows of the present take, and how long it is, s. */
    get rows() {
      return take?.rows ?? 0;
    },
    get seconds() {
      return take?.seconds ?? 0;
    },
    get dropped() {
      return take ? ring.dropped - take.droppedBefore : 0;
    },
    /** Rows that came before are left out. */
    start(about: TakeStart) {
      while (ring.read(row));
      take = new GrowingTake(about, ring.dropped);
    },
    /** Throws `option-invalid` when nothing was started. */
    stop: () => finish('stopped'),
    /**
     * Fetches what the loop has written since the last time, whether or not a take is made: the ring must not run full.
     * `onRow` sees every row; the array is used again. Gives the take when it came to its end by itself.
     */
    drain(onRow?: (row: Float64Array) => void) {
      let ended: Take | undefined;
      while (ring.read(row)) {
        onRow?.(row);
        if (!take) continue;
        if (!take.follows(row)) ended = finish('loop-ended');
        else {
          take.add(row);
          if (take.seconds >= maxSeconds) ended = finish('full');
        }
      }
      return ended;
    },
    /** A command that the loop carried out. */
    note(event: LiveEvent) {
      take?.commands.push(event);
    },
  };
}

class GrowingTake {
  readonly droppedBefore: number;
  readonly commands: LiveEvent[] = [];
  private readonly about: TakeStart;
  private readonly startTime: string;
  private readonly hands: readonly { readonly tool: string; count: number; readonly blocks: Float64Array[] }[];

  constructor(about: TakeStart, droppedBefore: number) {
    this.about = about;
    this.droppedBefore = droppedBefore;
    this.startTime = about.startTime ?? new Date().toISOString();
    this.hands = about.tools.map((tool) => ({ tool, count: 0, blocks: [] }));
  }

  get rows(): number {
    return this.hands.reduce((sum, { count }) => sum + count, 0);
  }

  get seconds(): number {
    return secondsOf(this.hands[0]!);
  }

  /** False for a row of another loop: its time begins again, or it has more hands. */
  follows(row: Float64Array): boolean {
    const hand = this.hands[row[HAND]!];
    return hand !== undefined && (hand.count === 0 || row[TIME]! > timeOf(hand, hand.count - 1));
  }

  add(row: Float64Array): void {
    const hand = this.hands[row[HAND]!]!;
    const place = hand.count % ROWS_PER_BLOCK;
    if (place === 0) hand.blocks.push(new Float64Array(ROWS_PER_BLOCK * LIVE_WIDTH));
    hand.blocks.at(-1)!.set(row, place * LIVE_WIDTH);
    hand.count += 1;
  }

  finish(droppedNow: number, end: TakeEnd): Take {
    const { name, scene, timeStep } = this.about;
    const { startTime, hands, commands } = this;
    return { name, scene, timeStep, startTime, hands, commands, dropped: droppedNow - this.droppedBefore, end };
  }
}
