/** Everything that a key does, in one table that the help shows as well. */
import type { Overlay } from './state.js';

export interface KeyActions {
  /** Moves along the view's right, up and away directions, metres. */
  move(right: number, up: number, away: number): void;
  /** Turns about the view's right and up axes and the axis to the eye, radians. */
  turn(aboutRight: number, aboutUp: number, aboutEye: number): void;
  reset(): void;
  lookHome(): void;
  toggle(overlay: Overlay): void;
  moveSlice(steps: number): void;
  openHelp(): void;
}

const STEP = 0.002;
const FINE_STEP = 0.0002;
const TURN = Math.PI / 60;

const DIRECTIONS: Readonly<Record<string, readonly [number, number, number]>> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};

/** Keys that switch what is shown; the panel shows them beside the switches. */
export const OVERLAY_KEYS: Readonly<Record<Overlay, string>> = {
  tool: '1',
  environment: '2',
  shell: '3',
  contacts: '4',
  slice: '5',
  cut: '6',
};

export function listenToKeys(actions: KeyActions): void {
  addEventListener('keydown', (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return;
    if (runKey(event, actions)) event.preventDefault();
  });
}

/** True when the key meant something. */
function runKey(event: KeyboardEvent, actions: KeyActions): boolean {
  const direction = DIRECTIONS[event.key];
  if (direction) {
    nudge(direction, event, actions);
    return true;
  }
  const overlay = (Object.keys(OVERLAY_KEYS) as Overlay[]).find((name) => OVERLAY_KEYS[name] === event.key);
  if (overlay) actions.toggle(overlay);
  else if (event.key === 'r' || event.key === 'R') actions.reset();
  else if (event.key === 'f' || event.key === 'F') actions.lookHome();
  else if (event.key === '[') actions.moveSlice(-1);
  else if (event.key === ']') actions.moveSlice(1);
  else if (event.key === '?') actions.openHelp();
  else return false;
  return true;
}

function nudge([right, up, away]: readonly [number, number, number], event: KeyboardEvent, actions: KeyActions): void {
  if (event.shiftKey) {
    actions.turn(-up * TURN, right * TURN, away * TURN);
  } else {
    const step = event.altKey ? FINE_STEP : STEP;
    actions.move(right * step, up * step, away * step);
  }
}

/** Arrows belong to a slider or a radio group while it has the focus. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLInputElement)) return false;
  const takesArrows = target.type === 'range' || target.type === 'radio';
  return takesArrows ? event.key in DIRECTIONS : target.type === 'text';
}
