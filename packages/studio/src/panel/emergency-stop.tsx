/** The emergency stop, always in the same place of the stage. What releases it lies elsewhere, out of a second click. */
import { isStopped } from '../app/state.js';

export const STOPPED = 'Stopped: no force until you release it';
const MEANING = 'Emergency stop: remove the force (Space)';

export function EmergencyStop({ onStop, onRelease }: { onStop: () => void; onRelease: () => void }) {
  return (
    <div class="stop">
      <button
        type="button"
        class="stop-button"
        title={MEANING}
        aria-label={MEANING}
        aria-keyshortcuts="Space"
        aria-pressed={isStopped.value}
        onClick={onStop}
      >
        Stop
      </button>
      <div class="stop-note" role="alert">
        {isStopped.value && (
          <>
            <p>{STOPPED}</p>
            <button type="button" onClick={onRelease}>
              Release
            </button>
          </>
        )}
      </div>
    </div>
  );
}
