import type { Method } from '../method/method.js';
import { CONTACT_AGE } from '../record/live-row.js';
import type { ContactPace } from './contact-pace.js';

/** Seconds in which the force goes once contacts are too old, and comes again when there are new ones. */
const FADE_SECONDS = 0.5;
const RETURN_SECONDS = 0.1;

/**
 * A method of `deformable` whose contacts come from another thread, and whose force fades when they no longer do. Its
 * tool stays on the surfaces that were known last: had it sunk in instead, deeper than proximity looks, nothing could be
 * felt any more when the thread is back.
 */
export function fadeWhenStale(
  method: Method,
  { numbers }: ContactPace,
  { fadeAfter, timeStep }: { readonly fadeAfter: number; readonly timeStep: number },
): Method {
  const gain = Float64Array.of(1);
  return {
    ...method,
    step(output, devicePose) {
      method.step(output, devicePose);
      const isStale = numbers[CONTACT_AGE] > fadeAfter;
      gain[0] += isStale ? -timeStep / FADE_SECONDS : timeStep / RETURN_SECONDS;
      gain[0] = Math.min(1, Math.max(0, gain[0]));
      const { wrench } = output;
      // Without a kink at either end.
      const factor = gain[0] * gain[0] * (3 - 2 * gain[0]);
      for (let i = 0; i < 6; i += 1) wrench[i] *= factor;
    },
  };
}
