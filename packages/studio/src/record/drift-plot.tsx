/** How far each run moved while it stuck, over each other. */
import { RESULT_WIDTH } from '@palpable/engine/advanced';
import { useMemo } from 'preact/hooks';
import type { VariantResult } from './compare.js';
import { roundUp, thinned } from './plot-points.js';

const WIDTH = 800;
const HEIGHT = 100;
/** Creep below a thousandth of a millimetre is none. */
const LEAST_MM = 0.001;

export function DriftPlot({ runs }: { runs: readonly { readonly colour: string; readonly result: VariantResult }[] }) {
  const most = roundUp(Math.max(LEAST_MM, ...runs.map(({ result }) => 1000 * result.summary.drift)));
  const seconds = Math.max(1e-3, ...runs.map(({ result }) => timeOf(result, result.count - 1) - timeOf(result, 0)));
  const lines = useMemo(
    () => runs.map(({ colour, result }) => ({ colour, path: pathOf(result, most, seconds) })),
    [runs, most, seconds],
  );
  const farthest = runs.map(({ result }) => `${result.label} ${(1000 * result.summary.drift).toFixed(3)} mm`);
  return (
    <figure class="drift-plot">
      <figcaption>
        Drift while sticking <span class="unit">mm</span>
      </figcaption>
      <div class="drift-plot-area">
        <span class="drift-plot-top figures">{most}</span>
        <span class="drift-plot-bottom figures">0</span>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Drift while sticking, at most: ${farthest.join('; ')}`}
        >
          {lines.map(({ colour, path }) => (
            <path key={colour} d={path} style={{ stroke: colour }} />
          ))}
        </svg>
      </div>
      <p class="drift-plot-time figures">
        <span>0 s</span>
        <span>{seconds.toFixed(1)} s</span>
      </p>
    </figure>
  );
}

function timeOf({ rows }: VariantResult, row: number): number {
  return rows[row * RESULT_WIDTH] ?? 0;
}

function pathOf(result: VariantResult, mostMm: number, seconds: number): string {
  const start = timeOf(result, 0);
  const points = thinned(result.drift.subarray(0, result.count), WIDTH).map((i) => {
    const x = (WIDTH * (timeOf(result, i) - start)) / seconds;
    const y = HEIGHT * (1 - (1000 * result.drift[i]!) / mostMm);
    return `${x.toFixed(1)} ${y.toFixed(2)}`;
  });
  return points.length === 0 ? '' : `M${points.join('L')}`;
}
