/** Everything that a key does, in one table that the help shows as well. */
import { handleShortcut } from '../parameters/parameters-section.js';
import type { Overlay } from './state.js';

export interface KeyActions {
  /** Moves along the view's right, up and away directions, metres. */
  move(right: number, up: number, away: number): void;
  /** Turns about the view's right and up axes and the axis to the eye, radians. */
  turn(aboutRight: number, aboutUp: number, aboutEye: number): void;
  reset(): void;
  lookHome(): void;
  /** From a direction, which points to the eye. */
  lookFrom(direction: readonly [number, number, number]): void;
  toggle(overlay: Overlay): void;
  moveSlice(steps: number): void;
  openHelp(): void;
  openGallery(): void;
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
  tool: 'T',
  environment: 'E',
  shell: 'S',
  contacts: 'C',
  normals: 'N',
  friction: 'X',
  cones: 'K',
  wrench: 'W',
  ghost: 'D',
  slice: 'L',
  cut: 'U',
};

/** As in CAD programs, by their places on the number pad: front, right and top. */
const VIEWS: Readonly<Record<string, readonly [number, number, number]>> = {
  '1': [0, -1, 0],
  '3': [1, 0, 0],
  '7': [0, 0, 1],
};

export function listenToKeys(actions: KeyActions): void {
  addEventListener('keydown', (event) => {
    if (handleShortcut(event)) {
      event.preventDefault();
      return;
    }
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
  const key = event.key.toUpperCase();
  const overlay = (Object.keys(OVERLAY_KEYS) as Overlay[]).find((name) => OVERLAY_KEYS[name] === key);
  const view = VIEWS[event.key];
  if (overlay) actions.toggle(overlay);
  else if (view) actions.lookFrom(view);
  else if (key === 'R') actions.reset();
  else if (key === 'F' || key === '0') actions.lookHome();
  else if (event.key === '[') actions.moveSlice(-1);
  else if (event.key === ']') actions.moveSlice(1);
  else if (event.key === '?') actions.openHelp();
  else if (key === 'G') actions.openGallery();
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

/** Letters belong to a field while it has the focus; arrows also to a slider or a radio group. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (!(target instanceof HTMLInputElement)) return target instanceof HTMLElement && target.isContentEditable;
  if (target.type === 'range' || target.type === 'radio') return key in DIRECTIONS;
  return target.type !== 'checkbox' && target.type !== 'button';
}
