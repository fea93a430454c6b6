import type { Row } from '@palpable/cli/internal';
import type { FrictionModelName, Pose } from '@palpable/engine';
import { percentile } from '@palpable/engine/advanced';
import { play } from '../../play/play.js';
import { largest, rounded, sum } from '../../play/statistics.js';
import { distancesFrom, median, thinned } from '../../play/summary.js';
import { type Claim, claimAbove, claimBelow, claimNear } from '../claim.js';
import { createFrictionRig } from '../friction-rig.js';
import { pressWithoutFriction, swingingHand } from '../slide.js';
import { defineStudy, type Lab, plot, runEach, table, type ValuesOf } from '../study.js';

/*
 * Zhao, sections 5.5 and 5.6, fig. 15 and 16: all friction models on one trajectory. The cube is pressed into the edge
 * of two walls without friction, so that at the start no friction is used up; then friction is switched on, and the
 * device swings along the edge with less force than friction can hold. The tool should not move at all.
 */

const parameters = {
  pressed: { meaning: 'pose of the device that presses: x, y, z', unit: 'm', min: -10, max: 10, atLeast: 3 },
  swing: { meaning: 'largest motion of the device along x, y, z', unit: 'm', min: -1, max: 1, atLeast: 3 },
  frequency: { meaning: 'of the swing', unit: 'Hz', min: 0.01, max: 100 },
  seconds: { meaning: 'duration of the swing', unit: 's', min: 0.01, max: 1000 },
  sides: { meaning: 'sides of the pyramid', unit: '', min: 3, max: 32, whole: true },
  repeats: { meaning: 'times that the same cycles are timed', unit: '', min: 1, max: 100, whole: true },
  contacts: { meaning: 'contacts in the paper', unit: '', min: 1, max: 10_000, whole: true },
} as const;
type Values = ValuesOf<typeof parameters>;

const MODELS: readonly FrictionModelName[] = [
  'cone',
  'pyramid',
  'quadratic',
  'staggered',
  'gauss-seidel',
  'springs',
  'none',
];

type Run = ReturnType<typeof swing>;

export const compareModels = defineStudy({
  name: 'compare-models',
  parameters,
  async run(lab, values) {
    const pressed = pressWithoutFriction(lab, values.pressed);
    const runs = await runEach(lab, MODELS, String, (model) => swing(lab, values, model, pressed));
    const drifts = runs.map(({ model, recording: { column }, drift }) => ({
      name: model,
      points: thinned(drift.length, MAX_POINTS, (c) => [column.time[c]!, Math.max(LEAST_DRIFT, drift[c]!)]),
    }));
    const costs = runs.map(({ model, recording }) => ({
      name: model,
      points: [1, 10, 25, 50, 75, 90, 99].map((p) => [p, percentile(recording.column.us_friction, p)] as const),
    }));
    const percentiles = { label: 'percentile of the cycles', min: 0, max: 100 };
    return {
      tables: [
        table(
          'models',
          'Drift and cost',
          runs.map((run) => rowOf(run, runs[0]!)),
        ),
      ],
      plots: [
        plot('drift', 'Drift of a tool that should hold still', 'time, s', { label: 'drift, m', log: true }, drifts),
        plot('cost', 'Cost of friction', percentiles, { label: 'time, µs', log: true }, costs),
      ],
      claims: claimsOf(runs, values),
      capped: sum(runs.map(({ recording }) => recording.capped)),
    };
  },
});

function swing(lab: Lab, values: Values, model: FrictionModelName, start: Pose) {
  const { pressed, swing: reach, frequency, seconds, sides, repeats } = values;
  const rig = createFrictionRig(lab, { friction: { model, sides } });
  const { timeStep } = rig.scene;
  const move = swingingHand(pressed, reach, frequency, timeStep);
  const cycles = Math.round(seconds / timeStep) + 1;
  const slow = model === 'staggered' || model === 'gauss-seidel';
  const recording = play(rig, { start, move, cycles }, { repeats: slow ? 1 : repeats });
  const drift = distancesFrom(recording, start);
  return {
    model,
    recording,
    /** By cycle: distance from where the tool was when friction was switched on, m. */
    drift,
    largest: largest(drift),
    final: drift[drift.length - 1]!,
  };
}

/** Costs are held against those of `first`, the cone. */
function rowOf({ model, recording, largest, final }: Run, first: Run): Row {
  const us = (p: number) => rounded(percentile(recording.column.us_friction, p));
  return {
    model,
    contacts: median(recording, 'contacts'),
    'largest drift, m': rounded(largest),
    'final drift, m': rounded(final),
    'friction p50, µs': us(50),
    'friction p99, µs': us(99),
    'times cone': rounded(us(50) / percentile(first.recording.column.us_friction, 50)),
    'capped cycles': recording.capped,
  };
}

/** No drift at all cannot be shown on a logarithmic axis: it stands at its foot. */
const LEAST_DRIFT = 1e-16;
const MAX_POINTS = 300;

const HOLDS = 1e-9;
const NEGLIGIBLE = 1e-6;
const VISIBLE = 1e-5;

function claimsOf(runs: readonly Run[], values: Values): Claim[] {
  const run = (model: FrictionModelName) => runs.find((each) => each.model === model)!;
  const contacts = median(run('cone').recording, 'contacts');
  return [
    claimNear('about as many contacts as in the paper', contacts, values.contacts, 0.2),
    ...(['cone', 'pyramid', 'staggered'] as const).map((model) =>
      claimBelow(`${model} holds still: largest drift`, run(model).largest, HOLDS, 'm'),
    ),
    claimBelow('gauss-seidel drifts negligibly: largest drift', run('gauss-seidel').largest, NEGLIGIBLE, 'm'),
    claimAbove('springs creep visibly: largest drift', run('springs').largest, VISIBLE, 'm'),
  ];
}
