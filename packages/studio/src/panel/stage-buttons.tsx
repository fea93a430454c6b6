/** The few commands that belong to the stage, in its corner. */
import { isHelpOpen } from '../app/state.js';
import type { StudioScene } from '../scene/scene.js';

interface StageButtonsProps {
  readonly scene: StudioScene;
  readonly onReset: () => void;
  readonly onLookHome: () => void;
}

export function StageButtons({ scene, onReset, onLookHome }: StageButtonsProps) {
  return (
    <div class="stage-buttons">
      <button type="button" onClick={onReset} aria-keyshortcuts="R" aria-label={`Reset ${scene.tool.label}`}>
        Reset <span class="tool-name">{scene.tool.label}</span> <kbd>R</kbd>
      </button>
      <button type="button" onClick={onLookHome} aria-keyshortcuts="F">
        Whole view <kbd>F</kbd>
      </button>
      <button type="button" aria-keyshortcuts="?" onClick={() => (isHelpOpen.value = true)}>
        Help <kbd>?</kbd>
      </button>
    </div>
  );
}
