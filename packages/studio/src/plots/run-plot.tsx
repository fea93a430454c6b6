/** Several runs over each other: one plot for every column, one line in it for every run. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { DrawnPlot } from './plot-board.js';
import { kindOfColumn } from './plot-kinds.js';
import { PlotStack } from './plot-stack.js';
import type { HistoryColumn, RowHistory } from './row-history.js';
import { extentOf, type TimeView, wholeView } from './time-view.js';
import './plots.css';

export interface PlottedRun {
  readonly label: string;
  /** Any colour of CSS, or `var(--…)`. */
  readonly colour: string;
  readonly history: RowHistory;
}

interface RunPlotProps {
  readonly runs: readonly PlottedRun[];
  readonly columns: readonly HistoryColumn[];
  /** Accessible name. */
  readonly name?: string;
}

const NO_ROWS = { first: 0, last: 1 };

export function RunPlot({ runs, columns, name = 'Runs over each other' }: RunPlotProps) {
  // Whoever shows it may make new arrays each time; only what is in them counts.
  const runsKey = runs.map(({ label, colour }) => `${label}\n${colour}`).join('\n');
  const histories = runs.map(({ history }) => history);
  const columnsKey = columns.join();
  const plots = useMemo(() => drawRuns(runs, columns), [runsKey, columnsKey, ...histories]);
  const extent = extentOf(histories) ?? NO_ROWS;
  const view = useSignal<TimeView>(wholeView(extent));
  const cursor = useSignal<number | undefined>(undefined);
  useMemo(() => (view.value = wholeView(extent)), [extent.first, extent.last]);
  return (
    <div class="run-plot">
      <PlotStack
        // Plots hold on to their canvases; other ones are others.
        key={`${columnsKey}\n${runsKey}`}
        name={name}
        plots={plots}
        view={view}
        cursor={cursor}
        home={() => wholeView(extentOf(histories) ?? NO_ROWS)}
        longest={extent.last - extent.first}
        empty="No runs yet: choose at least one method and run it."
      />
    </div>
  );
}

function drawRuns(runs: readonly PlottedRun[], columns: readonly HistoryColumn[]): readonly DrawnPlot[] {
  return columns.map((column) => ({
    kind: kindOfColumn(column),
    lines: runs.map(({ label, colour, history }) => ({ label, colour, history, column })),
    spoken: runs.length,
  }));
}
