import { MODEL_SEQUENCE } from '../method/contact-model-header.js';
import { CONTACT_AGE, CONTACT_RATE } from '../record/live-row.js';

/**
 * How well the contact side of a method keeps up, in the time of the loop, so that a replay finds the same: the
 * age of the model that the last cycle used, and new models per second.
 */
export interface ContactPace {
  /** `CONTACT_AGE` and `CONTACT_RATE`; zero without a contact side. */
  readonly numbers: Float64Array;
  /** Seconds of the present stretch, and models in it. */
  readonly stretch: Float64Array;
  sequence: number;
}

/** Over so many seconds models are counted. */
const STRETCH = 0.25;
const SECONDS = 0;
const MODELS = 1;

export function createContactPace(): ContactPace {
  return { numbers: new Float64Array(2), stretch: new Float64Array(2), sequence: 0 };
}

/** After a cycle that took `elapsed` seconds, one number, with the model that it used; none without a contact side. */
export function notePace(pace: ContactPace, model: Float64Array | undefined, elapsed: Float64Array): void {
  const { numbers, stretch } = pace;
  if (model === undefined) {
    numbers.fill(0);
    stretch.fill(0);
    return;
  }
  if (model[MODEL_SEQUENCE] === pace.sequence) numbers[CONTACT_AGE] += elapsed[0];
  else {
    numbers[CONTACT_AGE] = 0;
    stretch[MODELS] += 1;
  }
  pace.sequence = model[MODEL_SEQUENCE];
  noteTime(pace, elapsed);
}

function noteTime({ numbers, stretch }: ContactPace, elapsed: Float64Array): void {
  stretch[SECONDS] += elapsed[0];
  if (stretch[SECONDS] < STRETCH) return;
  numbers[CONTACT_RATE] = stretch[MODELS] / stretch[SECONDS];
  stretch.fill(0);
}
