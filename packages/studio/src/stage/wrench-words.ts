/** Force and torque in words of the stage. */

/** Below these nothing is drawn: N, N m. */
export const LEAST_FORCE = 0.05;
export const LEAST_TORQUE = 0.001;

export function forceWords(force: number, isLimited: boolean): string {
  return withLimit(`${force.toFixed(force < 0.995 ? 2 : 1)} N`, isLimited);
}

export function torqueWords(torque: number, isLimited: boolean): string {
  const milli = 1000 * torque;
  return withLimit(`${milli.toFixed(milli < 9.95 ? 1 : 0)} mN m`, isLimited);
}

/** In words as well as in colour. */
function withLimit(words: string, isLimited: boolean): string {
  return isLimited ? `${words}, limit` : words;
}
