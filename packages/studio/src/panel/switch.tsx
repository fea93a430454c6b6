import { OVERLAY_KEYS } from '../app/keyboard.js';
import { type Overlay, overlays } from '../app/state.js';

interface SwitchProps {
  readonly label: string;
  readonly overlay: Overlay;
  /** Colour of the thing on the stage. */
  readonly swatch?: string;
  /** What it does, where the label does not say it. */
  readonly title?: string;
}

/** Shows or hides something on the stage. */
export function Switch({ label, overlay, swatch, title }: SwitchProps) {
  const value = overlays[overlay];
  const shortcut = OVERLAY_KEYS[overlay];
  return (
    <label class="switch" title={`${title ?? `Show or hide: ${label.toLowerCase()}`} (key ${shortcut})`}>
      {swatch && <span class="swatch" style={{ background: swatch }} aria-hidden="true" />}
      <span class="switch-label">{label}</span>
      <input
        type="checkbox"
        role="switch"
        aria-keyshortcuts={shortcut}
        aria-checked={value.value}
        checked={value.value}
        onChange={(event) => (value.value = event.currentTarget.checked)}
      />
    </label>
  );
}
