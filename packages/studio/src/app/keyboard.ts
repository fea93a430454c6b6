/** Everything that a key does, in one table that the help shows as well. */
import { handleShortcut } from '../parameters/parameters-section.js';
import { letGoOfTool, toggleHold } from '../stage/tool-handling.js';
import type { Overlay } from './state.js';

export interface KeyActions {
  /** Moves along the view's right, up and away directions, metres. */
  move(right: number, up: number, away: number): void;
  /** Rotations about the view's right and up axes and the axis to the eye, radians. */
  turn(aboutRight: number, aboutUp: number, aboutEye: number): void;
  reset(): void;
  lookHome(): void;
  /** From a direction, which points to the eye. */
  lookFrom(direction: readonly [number, number, number]): void;
  toggle(overlay: Overlay): void;
  moveSlice(steps: number): void;
  openHelp(): void;
  openGallery(): void;
  /** The emergency stop. */
  stop(): void;
  /** Those below have a key, and a line in the help, where they are given. */
  togglePause?(): void;
  toggleRecording?(): void;
  savePicture?(): void;
  openShare?(): void;
}

/** A line of the help, and what it promises. */
export interface KeyCommand {
  readonly keys: string;
  /** What it does, to a tool of this name. */
  readonly meaning: (tool: string) => string;
  /** True when the key was this one, and is done. */
  readonly run: (event: KeyboardEvent, actions: KeyActions) => boolean;
  /** Without it the command always exists. */
  readonly needs?: keyof KeyActions;
}

const STEP = 0.002;
const FINE_STEP = 0.0002;
const TURN = Math.PI / 60;

type Direction = readonly [right: number, up: number, away: number];

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
};
const DEPTHS: Readonly<Record<string, Direction>> = { PageUp: [0, 0, 1], PageDown: [0, 0, -1] };
const DIRECTIONS: Readonly<Record<string, Direction>> = { ...ARROWS, ...DEPTHS };

/** Keys that switch what is shown; the panel shows them beside the switches. */
export const OVERLAY_KEYS: Readonly<Record<Overlay, string>> = {
  tool: 'T',
  environment: 'E',
  shell: 'S',
  contacts: 'C',
  levels: 'V',
  normals: 'N',
  friction: 'X',
  cones: 'K',
  wrench: 'W',
  ghost: 'D',
  stress: 'M',
  slice: 'L',
  cut: 'U',
};

/** As in CAD programs, by their places on the number pad: front, right and top. */
const VIEWS: Readonly<Record<string, Direction>> = {
  '1': [0, -1, 0],
  '3': [1, 0, 0],
  '7': [0, 0, 1],
};

const STOP: KeyCommand = {
  keys: 'Space',
  meaning: () => 'Emergency stop: no force until you press Release',
  run: (event, actions) => isSpace(event) && done(() => actions.stop()),
};

const COMMANDS: readonly KeyCommand[] = [
  STOP,
  {
    keys: '← → ↑ ↓',
    meaning: (tool) => `Move ${tool} by 2 mm`,
    run: (event, actions) => !event.shiftKey && !event.altKey && nudge(ARROWS[event.key], STEP, actions),
  },
  {
    keys: 'Page Up, Page Down',
    meaning: () => 'Farther, nearer',
    run: (event, actions) => !event.shiftKey && !event.altKey && nudge(DEPTHS[event.key], STEP, actions),
  },
  {
    keys: 'Alt + these',
    meaning: () => 'By 0.2 mm',
    run: (event, actions) => !event.shiftKey && event.altKey && nudge(DIRECTIONS[event.key], FINE_STEP, actions),
  },
  {
    keys: 'Shift + these',
    meaning: () => 'Rotate it by 3°',
    run: (event, actions) => event.shiftKey && turn(DIRECTIONS[event.key], actions),
  },
  {
    keys: 'H',
    meaning: (tool) => `Grab ${tool}: it follows the pointer without a button; again to let go`,
    run: (event) => isLetter(event, 'H') && done(toggleHold),
  },
  { keys: 'Esc', meaning: () => 'Let go of it', run: ({ key }) => key === 'Escape' && letGoOfTool() },
  simple('R', (tool) => `${tool.charAt(0).toUpperCase()}${tool.slice(1)} back to its start`, 'reset'),
  simple('P', () => 'Remove the force, restore it', 'togglePause'),
  {
    keys: 'F or 0',
    meaning: () => 'Whole view',
    run: (event, actions) => (isLetter(event, 'F') || event.key === '0') && done(() => actions.lookHome()),
  },
  {
    keys: Object.keys(VIEWS).join(', '),
    meaning: () => 'From the front, the right, above',
    run({ key }, actions) {
      const view = VIEWS[key];
      return view !== undefined && done(() => actions.lookFrom(view));
    },
  },
  {
    keys: Object.values(OVERLAY_KEYS).join(' '),
    meaning: () => 'Show or hide, in the order of the panel',
    run(event, actions) {
      const overlay = (Object.keys(OVERLAY_KEYS) as Overlay[]).find((name) => isLetter(event, OVERLAY_KEYS[name]));
      return overlay !== undefined && done(() => actions.toggle(overlay));
    },
  },
  {
    keys: '[ ]',
    meaning: () => 'Move the slice by 5 mm',
    run: ({ key }, actions) => (key === '[' || key === ']') && done(() => actions.moveSlice(key === ']' ? 1 : -1)),
  },
  simple('B', () => 'Start or stop a recording', 'toggleRecording'),
  simple('I', () => 'Save a picture of the stage', 'savePicture'),
  {
    keys: 'Ctrl + Z, Ctrl + Shift + Z',
    meaning: () => 'Undo and redo a parameter change',
    run: (event) => handleShortcut(event),
  },
  simple('G', () => 'Other scenes', 'openGallery'),
  simple('A', () => 'Save and share this scene', 'openShare'),
  simple('?', () => 'This sheet', 'openHelp'),
];

type SimpleAction = {
  [K in keyof KeyActions]-?: Required<KeyActions>[K] extends () => void ? K : never;
}[keyof KeyActions];

function simple(key: string, meaning: KeyCommand['meaning'], needs: SimpleAction): KeyCommand {
  return {
    keys: key,
    meaning,
    needs,
    run: (event, actions) => isLetter(event, key) && actions[needs] !== undefined && done(() => actions[needs]?.()),
  };
}

/** Whoever listens now. */
let heard: KeyActions | undefined;

/** What the keys do in this page, in the order of the help. */
export function keyCommands(): readonly KeyCommand[] {
  return COMMANDS.filter(({ needs }) => needs === undefined || heard?.[needs] !== undefined);
}

export function listenToKeys(actions: KeyActions): void {
  heard = actions;
  addEventListener('keydown', (event) => {
    if (!isSpace(event) && isMeant(event) && runKey(event, actions)) event.preventDefault();
  });
  // Before anybody else: a button that has the focus must not be pressed instead, nor a sheet keep the key for itself.
  const stop = (event: KeyboardEvent) => {
    if (!isSpace(event) || keepsSpace(event.target)) return;
    if (event.type === 'keydown') STOP.run(event, actions);
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('keydown', stop, { capture: true });
  // Some browsers press a button only when the key is let go.
  addEventListener('keyup', stop, { capture: true });
}

/** True when the key meant something. */
export function runKey(event: KeyboardEvent, actions: KeyActions): boolean {
  return COMMANDS.some(({ run }) => run(event, actions));
}

/** Undo is undo also in a field and in a sheet: whoever knows the change decides. Everything else waits. */
function isMeant(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return true;
  return !isTyping(event) && !document.querySelector('dialog[open]');
}

/** With Ctrl or the command key a letter belongs to the browser. */
function isLetter({ key, ctrlKey, metaKey }: KeyboardEvent, letter: string): boolean {
  return key.toUpperCase() === letter && !ctrlKey && !metaKey;
}

function isSpace({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === ' ' && !altKey && !ctrlKey && !metaKey;
}

/** Text is typed with it; and what only Space can press keeps it if it was reached with the keyboard. */
function keepsSpace(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches(`textarea, ${TEXT_INPUT}, :is(${SPACED}):focus-visible`);
}

const TEXT_INPUT = 'input:not([type=checkbox], [type=radio], [type=range], [type=file], [type=button])';
const SPACED = 'input:not([type=range]), select, summary, .plot-surface';

function nudge(direction: Direction | undefined, step: number, actions: KeyActions): boolean {
  if (!direction) return false;
  const [right, up, away] = direction;
  return done(() => actions.move(right * step, up * step, away * step));
}

function turn(direction: Direction | undefined, actions: KeyActions): boolean {
  if (!direction) return false;
  const [right, up, away] = direction;
  return done(() => actions.turn(-up * TURN, right * TURN, away * TURN));
}

function done(action: () => void): true {
  action();
  return true;
}

/** Letters belong to a field while it has the focus; arrows also to a slider or a radio group. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (!(target instanceof HTMLInputElement)) return target instanceof HTMLElement && target.isContentEditable;
  if (target.type === 'range' || target.type === 'radio') return key in DIRECTIONS;
  return target.type !== 'checkbox' && target.type !== 'button';
}
