/** What can be asked for in the address of the page. */
import type { StudioScene } from '../scene/scene.js';

export interface AddressWishes {
  readonly scene: StudioScene;
  readonly ignoreAssets: boolean;
}

const SMALLEST_RESOLUTION = 16;
const LARGEST_RESOLUTION = 1024;

/**
 * `?prepare=1` builds field and shell in the page even where prepared assets exist; `?resolution=N` does the same with N
 * voxels along the environment's longest side. What is not understood is left out.
 */
export function readAddress(scene: StudioScene, search: string): AddressWishes {
  const wishes = new URLSearchParams(search);
  const resolution = Number(wishes.get('resolution'));
  const isUsable =
    Number.isInteger(resolution) && resolution >= SMALLEST_RESOLUTION && resolution <= LARGEST_RESOLUTION;
  if (!isUsable) return { scene, ignoreAssets: wishes.get('prepare') === '1' };
  return { scene: { ...scene, environment: { ...scene.environment, field: { resolution } } }, ignoreAssets: true };
}
