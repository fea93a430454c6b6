/** The commands that concern the scene as a whole, in the upper corner of the stage. */
import { isGalleryOpen } from './gallery-dialog.js';
import { isShareOpen } from './share-dialog.js';

export function SceneBar() {
  return (
    <div class="scene-bar">
      <button type="button" aria-keyshortcuts="G" onClick={() => (isGalleryOpen.value = true)}>
        Scenes <kbd>G</kbd>
      </button>
      <button type="button" onClick={() => (isShareOpen.value = true)}>
        Share
      </button>
    </div>
  );
}
