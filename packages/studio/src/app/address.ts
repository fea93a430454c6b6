/** What can be asked for in the address of the page. */

const SMALLEST_RESOLUTION = 16;
const LARGEST_RESOLUTION = 1024;

/**
 * `?scene=id` opens a scene of the gallery, `#scene=…` one that was shared as a link. `?prepare=1` builds field and shell
 * in the page even where prepared assets exist; `?resolution=N` does the same with N voxels along the longest side of
 * whatever has a field. What is not understood is left out.
 */
export function readAddress(search: string, hash: string) {
  const wishes = new URLSearchParams(search);
  const asked = Number(wishes.get('resolution'));
  const isUsable = Number.isInteger(asked) && asked >= SMALLEST_RESOLUTION && asked <= LARGEST_RESOLUTION;
  return {
    /** Which scene of the gallery; undefined unless asked for. */
    sceneId: wishes.get('scene') || undefined,
    /** A scene that is written into the address itself. */
    sceneText: new URLSearchParams(hash.replace(/^#/, '')).get('scene') || undefined,
    ignoreAssets: isUsable || wishes.get('prepare') === '1',
    /** Voxels along the longest side of every field; undefined: as the scene says. */
    resolution: isUsable ? asked : undefined,
  };
}

/** The address with another scene in it; what else was asked for stays. */
export function addressOf(search: string, sceneId: string | undefined): string {
  const wishes = new URLSearchParams(search);
  if (sceneId === undefined) wishes.delete('scene');
  else wishes.set('scene', sceneId);
  const text = wishes.toString();
  return text === '' ? '' : `?${text}`;
}
