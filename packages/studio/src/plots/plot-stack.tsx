/** Plots below each other that share one axis of time and one cursor. */
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type HandledBoard, handleBoard } from './board-handling.js';
import { type DrawnPlot, type KeptHistories, PlotBoard } from './plot-board.js';
import type { TimeView } from './time-view.js';

interface PlotStackProps {
  readonly name: string;
  /** The same array as long as nothing about it changes. */
  readonly plots: readonly DrawnPlot[];
  readonly view: Signal<TimeView>;
  readonly cursor: Signal<number | undefined>;
  /** Where copies are kept while a live view is held; undefined for runs that have ended. */
  readonly kept?: KeptHistories;
  readonly home: () => TimeView;
  readonly longest: number;
  /** What stands there as long as there are no rows. */
  readonly empty: string;
  /** Gets the board, for buttons outside. */
  readonly onBoard?: (handled: HandledBoard | undefined) => void;
}

export function PlotStack(props: PlotStackProps) {
  const { name, plots, view, cursor, kept, empty } = props;
  const stack = useRef<HTMLDivElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const newest = useRef(props);
  newest.current = props;
  useEffect(() => {
    const board = new PlotBoard(stack.current!, plots, { view, cursor, kept });
    const handled: HandledBoard = {
      board,
      view,
      cursor,
      track: track.current!,
      home: () => newest.current.home(),
      get longest() {
        return newest.current.longest;
      },
    };
    const stop = handleBoard(handled, surface.current!);
    newest.current.onBoard?.(handled);
    return () => {
      newest.current.onBoard?.(undefined);
      stop();
      board.close();
    };
  }, [plots, view, cursor, kept]);
  return (
    <div class="plot-stack" ref={stack} data-empty="true">
      <p class="plot-words figures" data-words />
      <div class="plot-scroll">
        <div
          class="plot-surface"
          ref={surface}
          role="slider"
          tabIndex={0}
          aria-label={name}
          aria-orientation="horizontal"
          aria-valuenow={0}
          aria-valuetext="no values yet"
        >
          {plots.map((plot) => (
            <Plot key={plot.kind.id} {...plot} />
          ))}
          <canvas class="plot-time" data-time-axis />
          <div class="plot-track" ref={track} aria-hidden="true">
            <div class="plot-cursor" data-cursor hidden />
          </div>
        </div>
      </div>
      <p class="plot-empty">{plots.length === 0 ? 'No plot is chosen.' : empty}</p>
    </div>
  );
}

function Plot({ kind, lines }: DrawnPlot) {
  return (
    <figure class="plot" data-plot={kind.id}>
      <figcaption class="plot-legend">
        <div class="plot-title">
          {kind.title} <span class="unit">{kind.unit}</span>
        </div>
        <dl>
          {lines.map(({ label, colour }) => (
            <div key={label} class="plot-line">
              <dt>
                <span class="plot-swatch" style={{ background: colour }} aria-hidden="true" />
                {label}
              </dt>
              <dd class="figures" data-value />
            </div>
          ))}
        </dl>
        {kind.limit && (
          <div class="plot-note">
            <span class="plot-dash" aria-hidden="true" />
            {kind.limit.label}
          </div>
        )}
        {kind.marks && (
          <div class="plot-note">
            <span class="plot-mark" aria-hidden="true" />
            {kind.marks.label}
          </div>
        )}
      </figcaption>
      <canvas />
    </figure>
  );
}
