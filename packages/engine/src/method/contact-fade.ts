import { powerOf } from '../math/portable.js';
import { MODEL_SEQUENCE } from './contact-model-header.js';

/**
 * How much of what a contact model says counts. A model that nothing newer follows fades, as when its thread has died, and
 * contact comes back gently with the next one.
 */
export interface ContactFade {
  /** Seconds since the model last changed, one number. */
  readonly age: Float64Array;
  /** From 1, all of it, to 0, one number. */
  readonly gain: Float64Array;
  sequence: number;
}

export interface FadeOptions {
  /** s without a new contact model until contact fades, and the time constant of fading. */
  readonly fadeAfter: number;
  readonly fadeTime: number;
  /** s: contact comes back within twice this time. */
  readonly recovery: number;
}

/** From which contact comes back: a thousandth of its load, which nobody feels. */
const LEAST_GAIN = 1e-3;

export function createContactFade(): ContactFade {
  return { age: new Float64Array(1), gain: Float64Array.of(1), sequence: 0 };
}

/** The tool was put somewhere else: whatever comes next counts in full. */
export function resetFade({ age, gain }: ContactFade): void {
  age[0] = 0;
  gain[0] = 1;
}

/**
 * Once per cycle of `timeStep` seconds, one number. Contact comes back by the same factor in each step, and in the end
 * evenly: the tool may have sunk in meanwhile, and an even rise from the start would push it out with nearly all the force
 * at once.
 */
export function fadeContact(
  fade: ContactFade,
  model: Float64Array,
  options: FadeOptions,
  timeStep: Float64Array,
): void {
  const { age, gain } = fade;
  const dt = timeStep[0];
  if (model[MODEL_SEQUENCE] === fade.sequence) age[0] += dt;
  else age[0] = 0;
  fade.sequence = model[MODEL_SEQUENCE];
  if (age[0] > options.fadeAfter) {
    gain[0] *= options.fadeTime / (options.fadeTime + dt);
    return;
  }
  const part = dt / (options.recovery + dt);
  const before = Math.max(gain[0], LEAST_GAIN);
  gain[0] = Math.min(1, before + part, before * powerOf(LEAST_GAIN, -part));
}
