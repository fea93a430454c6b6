/** Rates and missed cycles of the loop, always in view; figures of fixed width, so that nothing moves. */
import type { ReadonlySignal } from '@preact/signals';
import type { LoopPace } from './loop-pace.js';
import './plots.css';

const NOTHING = '–';

interface LoopStripProps {
  /** Undefined while no loop runs. */
  readonly pace: ReadonlySignal<LoopPace | undefined>;
}

export function LoopStrip({ pace }: LoopStripProps) {
  const shown = pace.value;
  return (
    <dl class="loop-strip" aria-label="Pace of the loop">
      <StripFigure
        id="rate"
        name="Cycles"
        unit="/s"
        width={4}
        value={shown?.cyclesPerSecond?.toFixed(0)}
        title="Cycles of the loop in the last second"
      />
      <StripFigure
        id="missed"
        name="Missed"
        unit=""
        width={5}
        value={shown && formatCount(shown.missed)}
        isBad={(shown?.missed ?? 0) > 0}
        title="Cycles skipped since the start because the loop was late"
      />
      <StripFigure
        id="late"
        name="Latest"
        unit="ms"
        width={5}
        value={shown && (shown.worstLateUs / 1000).toFixed(1)}
        title="The most a cycle has been late since the start"
      />
      <StripFigure
        id="compute"
        name="Computing"
        unit="µs"
        width={9}
        value={shown && `${formatUs(shown.p50Us)} / ${formatUs(shown.p99Us)}`}
        title="Median and 99th percentile of the time per cycle, in the last second"
      />
    </dl>
  );
}

interface StripFigureProps {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  /** In characters. */
  readonly width: number;
  readonly value: string | undefined;
  readonly isBad?: boolean;
  readonly title: string;
}

function StripFigure({ id, name, unit, width, value, isBad = false, title }: StripFigureProps) {
  return (
    <div class="strip-figure" data-pace={id} data-bad={isBad} title={title}>
      <dt>{name}</dt>
      <dd>
        <span class="figures">{(value ?? NOTHING).padStart(width)}</span>
        {unit && <span class="unit"> {unit}</span>}
      </dd>
    </div>
  );
}

function formatUs(us: number | undefined): string {
  return us === undefined ? NOTHING : us.toFixed(0);
}

/** Thousands from 100,000 on, where single cycles no longer matter. */
function formatCount(count: number): string {
  return count < 100_000 ? String(count) : `${Math.floor(count / 1000)}k`;
}
