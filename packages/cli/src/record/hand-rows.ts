import { LIVE_COLUMNS, LIVE_WIDTH } from '@palpable/engine/advanced';

/** The rows of one hand. */
export interface RecordedHand {
  readonly tool: string;
  readonly count: number;
  /** `count` rows of `LIVE_WIDTH` numbers, in the order of `LIVE_COLUMNS`. */
  readonly rows: Float64Array;
}

const FIRST_ROOM = 64;

/** Rows of one hand while a file is read. */
export class HandRows {
  tool: string;
  count = 0;
  private rows = new Float64Array(FIRST_ROOM * LIVE_WIDTH);

  constructor(tool: string) {
    this.tool = tool;
  }

  add(row: Float64Array): void {
    if ((this.count + 1) * LIVE_WIDTH > this.rows.length) {
      const larger = new Float64Array(2 * this.rows.length);
      larger.set(this.rows);
      this.rows = larger;
    }
    this.rows.set(row, this.count * LIVE_WIDTH);
    this.count += 1;
  }

  finish(): RecordedHand {
    return { tool: this.tool, count: this.count, rows: this.rows.subarray(0, this.count * LIVE_WIDTH) };
  }
}

/** More than two are not known to anyone; a damaged number must not make a million. */
const MAX_HANDS = 16;

export function isHand(hand: number): boolean {
  return Number.isInteger(hand) && hand >= 0 && hand < MAX_HANDS;
}

/** Where nothing says how many hands there are, they are made as they come. */
export function handOf(hands: HandRows[], hand: number): HandRows {
  while (hands.length <= hand) hands.push(new HandRows(`hand-${hands.length}`));
  return hands[hand]!;
}

/** Places in a row of ours for the names that a file has, −1 for those not known here. */
export function placesOf(names: readonly string[]): number[] {
  return names.map((name) => (LIVE_COLUMNS as readonly string[]).indexOf(name));
}
