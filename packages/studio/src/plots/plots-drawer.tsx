/** The drawer below the stage: plots of the live loop, folded away until they are wanted. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { recall, remember } from '../controls/storage.js';
import { type HandledBoard, setFollowing, ZOOM_STEP, zoomBoard } from './board-handling.js';
import { clampHeight, type DrawerMemory, LEAST_HEIGHT, MOST_HEIGHT, readDrawer, toggled } from './drawer-memory.js';
import type { DrawnPlot, KeptHistories } from './plot-board.js';
import { LIVE_PLOT_IDS, type LivePlotId, livePlots, type PlotLimits, plotTitle } from './plot-kinds.js';
import { PlotStack } from './plot-stack.js';
import type { RowHistory } from './row-history.js';
import { liveView, type TimeView } from './time-view.js';
import './plots.css';

interface PlotsDrawerProps {
  readonly history: RowHistory;
  readonly limits: PlotLimits;
  /** Always in view, also while the drawer is folded: the figures of the loop. */
  readonly strip?: ComponentChildren;
  /** What to say as long as there is nothing to plot. */
  readonly empty?: string;
}

const STORAGE_KEY = 'palpable.plots';
const LONGEST = 60;
const HEIGHT_STEP = 20;
const TIME_HINT =
  'Time from edge to edge. Over the plots, scroll to zoom, drag to go back in time, double-click to return.';
const NOT_YET = 'Nothing to plot yet: the lines begin with the first cycle of the loop.';

export function PlotsDrawer({ history, limits, strip, empty = NOT_YET }: PlotsDrawerProps) {
  const memory = useSignal(useMemo(() => readDrawer(recall(STORAGE_KEY)), []));
  const view = useSignal<TimeView>(liveView());
  const cursor = useSignal<number | undefined>(undefined);
  const board = useSignal<HandledBoard | undefined>(undefined);
  const kept = useMemo<KeptHistories>(() => new Map(), []);
  const { isOpen, height, chosen } = memory.value;
  const { timeStep, energyBound } = limits;
  const plots = useMemo(
    () => drawLive(history, { timeStep, energyBound }, chosen),
    [history, timeStep, energyBound, chosen],
  );
  const change = (part: Partial<DrawerMemory>) => {
    memory.value = { ...memory.value, ...part };
    remember(STORAGE_KEY, JSON.stringify(memory.value));
  };
  return (
    <section class="plots-drawer" aria-label="Plots" data-open={isOpen}>
      {isOpen && <HeightHandle height={height} onHeight={(wished) => change({ height: clampHeight(wished) })} />}
      <div class="plots-bar">
        <button
          type="button"
          class="plots-fold"
          aria-expanded={isOpen}
          title={isOpen ? 'Fold the plots away' : 'Show plots of the loop'}
          onClick={() => change({ isOpen: !isOpen })}
        >
          <span class="plots-arrow" aria-hidden="true" /> Plots
        </button>
        {strip}
      </div>
      {isOpen && (
        <>
          <div class="plots-tools">
            <PlotChoice chosen={chosen} onChoose={(ids) => change({ chosen: ids })} />
            <TimeButtons view={view} board={board} />
          </div>
          <div class="plots-body" style={{ height: `${height}px` }}>
            <PlotStack
              // Plots hold on to their canvases; other ones are others.
              key={chosen.join()}
              name="Cursor of the plots: arrow keys move it, plus and minus zoom, space holds the plots, End follows again"
              plots={plots}
              view={view}
              cursor={cursor}
              kept={kept}
              home={liveView}
              longest={LONGEST}
              empty={empty}
              onBoard={(handled) => (board.value = handled)}
            />
          </div>
        </>
      )}
    </section>
  );
}

function drawLive(history: RowHistory, limits: PlotLimits, chosen: readonly LivePlotId[]): readonly DrawnPlot[] {
  return livePlots(limits)
    .filter(({ id }) => chosen.includes(id as LivePlotId))
    .map((kind) => ({ kind, lines: kind.lines.map((line) => ({ ...line, history })), spoken: 1 }));
}

interface PlotChoiceProps {
  readonly chosen: readonly LivePlotId[];
  readonly onChoose: (ids: readonly LivePlotId[]) => void;
}

function PlotChoice({ chosen, onChoose }: PlotChoiceProps) {
  return (
    <fieldset class="plots-choice">
      <legend class="visually-hidden">Shown plots</legend>
      {LIVE_PLOT_IDS.map((id) => (
        <button key={id} type="button" aria-pressed={chosen.includes(id)} onClick={() => onChoose(toggled(chosen, id))}>
          {plotTitle(id)}
        </button>
      ))}
    </fieldset>
  );
}

function TimeButtons({ view, board }: { view: Signal<TimeView>; board: Signal<HandledBoard | undefined> }) {
  const { isFollowing, span } = view.value;
  const on = (run: (handled: HandledBoard) => void) => () => board.value && run(board.value);
  return (
    <div class="plots-time">
      <button
        type="button"
        aria-label="Less time"
        title="Less time (key +)"
        onClick={on((b) => zoomBoard(b, 1 / ZOOM_STEP))}
      >
        +
      </button>
      <span class="figures plots-span" title={TIME_HINT}>
        {span.toFixed(span < 1 ? 2 : 1)} s
      </span>
      <button
        type="button"
        aria-label="More time"
        title="More time (key −)"
        onClick={on((b) => zoomBoard(b, ZOOM_STEP))}
      >
        −
      </button>
      <button
        type="button"
        class="plots-hold"
        title={isFollowing ? 'Hold the plots; the loop continues' : 'Follow the loop again (End)'}
        onClick={on((b) => setFollowing(b, !isFollowing))}
      >
        {isFollowing ? 'Hold' : 'Follow'}
      </button>
    </div>
  );
}

function HeightHandle({ height, onHeight }: { height: number; onHeight: (height: number) => void }) {
  return (
    <hr
      class="plots-handle"
      tabIndex={0}
      aria-label="Height of the plots"
      aria-orientation="horizontal"
      aria-valuenow={height}
      aria-valuemin={LEAST_HEIGHT}
      aria-valuemax={MOST_HEIGHT}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onHeight(height - event.movementY);
      }}
      onKeyDown={(event) => {
        const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (steps === undefined) return;
        event.preventDefault();
        // The stage has its own use for the same keys.
        event.stopPropagation();
        onHeight(height + steps * HEIGHT_STEP);
      }}
    />
  );
}
