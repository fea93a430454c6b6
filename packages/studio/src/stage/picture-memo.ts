/** Remembers the picture that is shown, so that one that looks the same is not drawn again. */
import type { ContactPicture } from '@palpable/engine';

/** Smaller steps are not seen: m, and N. */
const SEEN_STEP = 2e-5;
const SEEN_FORCE = 0.02;

export function createPictureMemo(capacity: number) {
  const position = new Float32Array(3 * capacity);
  const friction = new Float32Array(3 * capacity);
  const normalForce = new Float32Array(capacity);
  const coefficient = new Float32Array(capacity);
  const state = new Uint8Array(capacity);
  /** −1: none. */
  let shown = -1;

  const isNews = (picture: ContactPicture, count: number): boolean => {
    if (count !== shown) return true;
    for (let i = 0; i < count; i += 1) {
      if (picture.state[i] !== state[i]) return true;
      if (Math.abs(picture.normalForce[i]! - normalForce[i]!) > SEEN_FORCE) return true;
      if (Math.abs(picture.coefficient[i]! - coefficient[i]!) > 1e-3) return true;
    }
    for (let k = 0; k < 3 * count; k += 1) {
      if (Math.abs(picture.position[k]! - position[k]!) > SEEN_STEP) return true;
      if (Math.abs(picture.friction[k]! - friction[k]!) > SEEN_FORCE) return true;
    }
    return false;
  };
  return {
    /** True when the picture is to be seen as another one, which is then remembered. */
    takeNews(picture: ContactPicture) {
      const count = Math.min(capacity, picture.numbers[0]!);
      if (!isNews(picture, count)) return false;
      for (let i = 0; i < count; i += 1) {
        state[i] = picture.state[i]!;
        normalForce[i] = picture.normalForce[i]!;
        coefficient[i] = picture.coefficient[i]!;
      }
      for (let k = 0; k < 3 * count; k += 1) {
        position[k] = picture.position[k]!;
        friction[k] = picture.friction[k]!;
      }
      shown = count;
      return true;
    },
    forget() {
      shown = -1;
    },
  };
}
