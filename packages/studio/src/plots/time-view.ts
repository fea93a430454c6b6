/** Which stretch of time the plots show. */
import type { RowHistory } from './row-history.js';

export interface TimeView {
  /** s */
  readonly span: number;
  /** Right edge, s. */
  readonly end: number;
  /** The right edge goes along with the newest row. */
  readonly isFollowing: boolean;
}

/** What there is to show, s. */
export interface TimeExtent {
  readonly first: number;
  readonly last: number;
}

/** Of several runs together; undefined while none has a row. */
export function extentOf(histories: Iterable<RowHistory>): TimeExtent | undefined {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const history of histories) {
    first = Math.min(first, history.first ?? first);
    last = Math.max(last, history.last ?? last);
  }
  return first <= last ? { first, last } : undefined;
}

const LIVE_SPAN = 10;
const LEAST_SPAN = 0.05;
/** Empty room that may be shown at either end, as a part of the span: the ends are then easy to find. */
const MARGIN = 0.1;

export function liveView(span = LIVE_SPAN): TimeView {
  return { span, end: 0, isFollowing: true };
}

/** The view with its right edge where it belongs. */
export function atExtent(view: TimeView, extent: TimeExtent | undefined): TimeView {
  if (!view.isFollowing || !extent || extent.last === view.end) return view;
  return { ...view, end: extent.last };
}

/** Everything at once; the view of a run that has ended. */
export function wholeView({ first, last }: TimeExtent): TimeView {
  return { span: Math.max(LEAST_SPAN, last - first), end: Math.max(last, first + LEAST_SPAN), isFollowing: false };
}

/**
 * `factor` below 1 shows less time, larger. What stands at `share` of the width stays there; while following, the right
 * edge does, since everything else moves.
 */
export function zoomed(view: TimeView, factor: number, share: number, longest: number): TimeView {
  const span = Math.min(Math.max(LEAST_SPAN, longest), Math.max(LEAST_SPAN, view.span * factor));
  if (view.isFollowing) return { ...view, span };
  const held = timeAt(view, share);
  return { ...view, span, end: held + (1 - share) * span };
}

/** Moved by a part of its width, towards later times above 0; it stays where there is something to see. */
export function panned(view: TimeView, shares: number, extent: TimeExtent | undefined): TimeView {
  const wished = view.end + shares * view.span;
  if (!extent) return { ...view, isFollowing: false };
  const latest = extent.last + MARGIN * view.span;
  const earliest = Math.min(latest, extent.first + (1 - MARGIN) * view.span);
  return { ...view, isFollowing: false, end: Math.min(latest, Math.max(earliest, wished)) };
}

/** Time at a share of the width, from 0 at the left edge to 1 at the right one. */
export function timeAt({ end, span }: TimeView, share: number): number {
  return end - (1 - share) * span;
}
