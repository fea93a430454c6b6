/** Remembers the snapshot that is shown, so that one that would be drawn the same is not drawn again. */
import type { ContactPicture } from '@palpable/engine/advanced';

/** Smaller steps are not seen: m, and N. */
const SEEN_STEP = 2e-5;
const SEEN_FORCE = 0.02;

/** What is compared: how many numbers a contact has there, and which change is seen. */
const PARTS = [
  ['state', 1, 0],
  ['normalForce', 1, SEEN_FORCE],
  ['coefficient', 1, 1e-3],
  ['position', 3, SEEN_STEP],
  ['friction', 3, SEEN_FORCE],
] as const;

export function createPictureMemo(capacity: number) {
  const seen = PARTS.map(([name, size, step]) => ({ name, size, step, values: new Float32Array(size * capacity) }));
  /** −1: none. */
  let shown = -1;

  const isNews = (picture: ContactPicture, count: number): boolean =>
    count !== shown ||
    seen.some(({ name, size, step, values }) => {
      const now = picture[name];
      for (let k = 0; k < size * count; k += 1) if (Math.abs(now[k]! - values[k]!) > step) return true;
      return false;
    });
  return {
    /** True when the snapshot has changed visibly, which is then remembered. */
    takeNews(picture: ContactPicture) {
      const count = Math.min(capacity, picture.numbers[0]!);
      if (!isNews(picture, count)) return false;
      for (const { name, size, values } of seen) values.set(picture[name].subarray(0, size * count));
      shown = count;
      return true;
    },
    forget() {
      shown = -1;
    },
  };
}
