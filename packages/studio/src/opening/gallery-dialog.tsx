/** All scenes with pictures by kind, those of the user, and how to bring more. */
import { signal } from '@preact/signals';
import { currentScene, openScene, ownScenes } from '../app/scene-store.js';
import { Dialog } from '../controls/dialog.js';
import type { StudioScene } from '../scene/scene.js';
import { OpenFilesButton } from './open-files-button.js';
import './gallery.css';
import { type GalleryEntry, galleryGroups, openGalleryScene } from '../gallery/gallery.js';

export const isGalleryOpen = signal(false);

export function GalleryDialog() {
  const shown = currentScene.value.id;
  const close = () => (isGalleryOpen.value = false);
  const choose = (scene: () => StudioScene) => {
    close();
    const chosen = scene();
    if (chosen.id !== shown) openScene(chosen);
  };
  return (
    <Dialog title="Scenes" isOpen={isGalleryOpen.value} class="gallery" onClose={close}>
      <div class="gallery-own">
        <p>
          Drop your own parts anywhere on the page: STL, OBJ, PLY, OFF, GLB, STEP, tetrahedra of Gmsh, Vega, VTK, Medit
          or TetGen, or a scene file with its meshes.
        </p>
        <OpenFilesButton onChosen={close} />
      </div>
      {ownScenes.value.length > 0 && (
        <section>
          <h3>Yours, in this tab</h3>
          <ul class="gallery-list">
            {ownScenes.value.map((scene) => (
              <li key={scene.id}>
                <button
                  type="button"
                  aria-current={scene.id === shown ? 'true' : undefined}
                  onClick={() => choose(() => scene)}
                >
                  <b>{scene.name}</b> <span>{scene.explanation}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {galleryGroups.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <ul class="gallery-grid">
            {entries.map((entry) => (
              <li key={entry.id}>
                <GalleryCard
                  entry={entry}
                  isShown={entry.id === shown}
                  onChoose={() => choose(() => openGalleryScene(entry.id))}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}

function GalleryCard({ entry, isShown, onChoose }: { entry: GalleryEntry; isShown: boolean; onChoose: () => void }) {
  return (
    <button type="button" class="gallery-card" aria-current={isShown ? 'true' : undefined} onClick={onChoose}>
      <img src={entry.picture} alt="" width={320} height={200} />
      <b>{entry.name}</b>
      <span>{entry.sentence}</span>
      <small>{entry.method}</small>
    </button>
  );
}
