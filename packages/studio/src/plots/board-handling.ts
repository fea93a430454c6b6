/** Mouse, fingers and keys on a stack of plots. */
import type { Signal } from '@preact/signals';
import type { PlotBoard } from './plot-board.js';
import { panned, type TimeView, timeAt, zoomed } from './time-view.js';

export interface HandledBoard {
  readonly board: PlotBoard;
  readonly view: Signal<TimeView>;
  readonly cursor: Signal<number | undefined>;
  /** What the cursor's share is measured along. */
  readonly track: HTMLElement;
  /** The view that a double click goes back to. */
  readonly home: () => TimeView;
  /** Longest stretch of time that can be shown, s. */
  readonly longest: number;
}

/** What a key or a button zooms by, and what a wheel does per pixel. */
export const ZOOM_STEP = 1.5;
const ZOOM_PER_PIXEL = 1.0016;
const PIXELS_PER_LINE = 30;
/** What an arrow key moves the cursor by, and with Shift, as a share of the width. */
const CURSOR_STEP = 0.01;
const CURSOR_LEAP = 0.1;

export function zoomBoard({ board, view, cursor, longest }: HandledBoard, factor: number): void {
  const closer = zoomed(board.view, factor, cursor.value ?? 1, longest);
  view.value = closer.isFollowing ? closer : panned(closer, 0, board.extent);
}

/** Following, or held where it is. */
export function setFollowing({ board, view }: HandledBoard, isFollowing: boolean): void {
  view.value = { ...board.view, isFollowing };
}

/** Listens on `surface` until the returned function is called. */
export function handleBoard(handled: HandledBoard, surface: HTMLElement): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let drag: { readonly pointer: number; x: number } | undefined;

  const on = <K extends keyof HTMLElementEventMap>(kind: K, run: (event: HTMLElementEventMap[K]) => void) =>
    surface.addEventListener(kind, run, { signal, passive: false });
  const endDrag = () => {
    drag = undefined;
    delete surface.dataset.dragging;
  };
  on('pointerdown', (event) => {
    if (event.button !== 0 || !isOnPlot(event)) return;
    drag = { pointer: event.pointerId, x: event.clientX };
    (event.target as HTMLCanvasElement).setPointerCapture(event.pointerId);
  });
  on('pointermove', (event) => {
    if (drag && event.pointerId === drag.pointer) {
      if (event.clientX === drag.x) return;
      const shares = (drag.x - event.clientX) / handled.track.clientWidth;
      drag.x = event.clientX;
      handled.view.value = panned(handled.board.view, shares, handled.board.extent);
      surface.dataset.dragging = 'true';
    }
    handled.cursor.value = drag || isOnPlot(event) ? shareAt(handled, event.clientX) : undefined;
  });
  on('pointerup', endDrag);
  on('pointercancel', endDrag);
  on('pointerleave', () => {
    if (!drag) handled.cursor.value = undefined;
  });
  on('dblclick', (event) => {
    if (isOnPlot(event)) handled.view.value = handled.home();
  });
  on('wheel', (event) => onWheel(event, handled));
  on('keydown', (event) => {
    if (event.target !== surface || event.ctrlKey || event.metaKey || !runKey(event, handled)) return;
    event.preventDefault();
    // The stage has its own use for the same keys.
    event.stopPropagation();
    reportCursor(surface, handled);
  });
  on('blur', () => (handled.cursor.value = undefined));
  return () => stop.abort();
}

/** Beside the plots a wheel scrolls the stack. */
function isOnPlot(event: Event): boolean {
  return event.target instanceof HTMLCanvasElement;
}

function shareAt({ track }: HandledBoard, clientX: number): number {
  const { left, width } = track.getBoundingClientRect();
  return Math.min(1, Math.max(0, (clientX - left) / width));
}

function onWheel(event: WheelEvent, handled: HandledBoard): void {
  if (!isOnPlot(event)) return;
  event.preventDefault();
  const { board, view, track } = handled;
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : PIXELS_PER_LINE;
  // Two fingers moved sideways, or the wheel with Shift: along the time.
  const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
  if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey) {
    view.value = panned(board.view, (unit * sideways) / track.clientWidth, board.extent);
    return;
  }
  handled.cursor.value = shareAt(handled, event.clientX);
  zoomBoard(handled, ZOOM_PER_PIXEL ** (unit * event.deltaY));
}

/** True when the key meant something. */
function runKey(event: KeyboardEvent, handled: HandledBoard): boolean {
  const step = event.shiftKey ? CURSOR_LEAP : CURSOR_STEP;
  if (event.key === 'ArrowLeft') moveCursor(handled, -step);
  else if (event.key === 'ArrowRight') moveCursor(handled, step);
  else if (event.key === '+' || event.key === '=') zoomBoard(handled, 1 / ZOOM_STEP);
  else if (event.key === '-') zoomBoard(handled, ZOOM_STEP);
  else if (event.key === 'Home') panToStart(handled);
  else if (event.key === 'End' || event.key === '0') goHome(handled);
  else if (event.key === ' ') setFollowing(handled, !handled.view.value.isFollowing);
  else if (event.key === 'Escape') handled.cursor.value = undefined;
  else return false;
  return true;
}

function goHome({ view, cursor, home }: HandledBoard): void {
  cursor.value = 1;
  view.value = home();
}

/** Past the edge the view goes along. */
function moveCursor({ board, view, cursor }: HandledBoard, step: number): void {
  const wished = (cursor.value ?? 1) + step;
  const share = Math.min(1, Math.max(0, wished));
  cursor.value = share;
  const isPast = Math.abs(wished - share) > 1e-9;
  if (isPast && !(wished > 1 && view.value.isFollowing)) view.value = panned(board.view, wished - share, board.extent);
}

function panToStart({ board, view, cursor }: HandledBoard): void {
  cursor.value = 0;
  view.value = panned(board.view, Number.NEGATIVE_INFINITY, board.extent);
}

/** For those who listen: the surface is a slider along the time. */
function reportCursor(surface: HTMLElement, { board, cursor }: HandledBoard): void {
  const { extent, view } = board;
  if (!extent) return;
  surface.ariaValueMin = extent.first.toFixed(3);
  surface.ariaValueMax = extent.last.toFixed(3);
  surface.ariaValueNow = timeAt(view, cursor.value ?? 1).toFixed(3);
  surface.ariaValueText = board.describe(true);
}
