import type { Row } from '@palpable/cli/internal';
import { type FrictionModelName, STATE_SLIP, STATE_STICK } from '@palpable/engine';
import { percentile } from '@palpable/engine/advanced';
import { play, type Recording, type SceneChanges } from '../../play/play.js';
import { rounded } from '../../play/statistics.js';
import { breakaways, median, overTime, share, stageTimes, stickAndSlip } from '../../play/summary.js';
import { claimBelow, claimNear, claimTrue } from '../claim.js';
import { createFrictionRig } from '../friction-rig.js';
import { pressWithoutFriction, swingingHand } from '../slide.js';
import { defineStudy, type Lab, plot, runEach, table, type ValuesOf } from '../study.js';

/*
 * Zhao, section 5.4, fig. 1, 5 and 14: a cube in a corner. In two walls it is moved quickly from side to side under
 * strong static damping, so that it holds and slides alternately; pressed into all three walls it serves to time the solvers
 * on the same contacts.
 */

const parameters = {
  edge: { meaning: 'pose of the device that presses into two walls', unit: 'm', min: -10, max: 10, atLeast: 3 },
  edgeSwing: { meaning: 'swing of the device along them: x, y, z', unit: 'm', min: -1, max: 1, atLeast: 3 },
  edgeContacts: { meaning: 'contacts in the paper', unit: '', min: 1, max: 10_000, whole: true },
  edgeDamping: { meaning: 'static damping α', unit: '', min: 0, max: 0.99 },
  corner: { meaning: 'pose of the device that presses into three walls', unit: 'm', min: -10, max: 10, atLeast: 3 },
  cornerSwing: { meaning: 'swing of the device there: x, y, z', unit: 'm', min: -1, max: 1, atLeast: 3 },
  cornerContacts: { meaning: 'contacts in the paper', unit: '', min: 1, max: 10_000, whole: true },
  frequency: { meaning: 'of both swings', unit: 'Hz', min: 0.01, max: 100 },
  seconds: { meaning: 'duration of each swing', unit: 's', min: 0.01, max: 1000 },
  repeats: { meaning: 'times that the same cycles are timed', unit: '', min: 1, max: 100, whole: true },
  sides: { meaning: 'sides of the pyramid', unit: '', min: 3, max: 32, whole: true },
  publishedCycleUs: { meaning: 'time of a cycle in the paper', unit: 'µs', min: 1, max: 1e6 },
  publishedLinearUs: { meaning: 'time of its linear program', unit: 'µs', min: 1, max: 1e6 },
  publishedQuadraticUs: { meaning: 'time of its quadratic program', unit: 'µs', min: 1, max: 1e6 },
} as const;
type Values = ValuesOf<typeof parameters>;

interface SolverRun {
  readonly model: FrictionModelName;
  readonly publishedUs: number;
  readonly recording: Recording;
}

export const cornerSlide = defineStudy({
  name: 'corner-slide',
  parameters,
  async run(lab, values) {
    await lab.progress('two walls', 0);
    const edge = swingIn(lab, values, 'edge', {
      friction: { model: 'cone' },
      method: { staticDamping: values.edgeDamping },
    });
    const published = {
      cone: values.publishedLinearUs,
      pyramid: values.publishedLinearUs,
      quadratic: values.publishedQuadraticUs,
    };
    const runSolver = (model: keyof typeof published): SolverRun => {
      const recording = swingIn(lab, values, 'corner', { friction: { model, sides: values.sides } });
      return { model, publishedUs: published[model], recording };
    };
    const models = ['cone', 'pyramid', 'quadratic'] as const;
    const solvers = await runEach(lab, models, (model) => `three walls, ${model}`, runSolver, [0.25, 1]);
    const corner = solvers[0]!.recording;
    const [edgeContacts, cornerContacts] = [median(edge, 'contacts'), median(corner, 'contacts')];
    const slips = breakaways(edge);
    return {
      tables: [
        table('cycles', 'Cycles (cone)', [
          rowOf(`two walls, α = ${values.edgeDamping}`, edge),
          rowOf('three walls', corner),
        ]),
        table(
          'solvers',
          `Solvers at ${cornerContacts} contacts`,
          solvers.map((run) => solverRow(run, values)),
        ),
      ],
      plots: [
        edgePlot('contacts', 'contacts', stickAndSlip(edge, 'contacts')),
        edgePlot('cycle-time', 'time of a cycle, µs', stickAndSlip(edge, 'us_total')),
        edgePlot('position', 'x, mm', [
          overTime('device', edge, 'device_x', { factor: 1000 }),
          ...stickAndSlip(edge, 'tool_x', 1000),
        ]),
      ],
      claims: [
        claimNear('two walls: about as many contacts as in fig. 14', edgeContacts, values.edgeContacts, 0.2),
        claimNear('three walls: about as many contacts as in fig. 1', cornerContacts, values.cornerContacts, 0.2),
        claimTrue('the cube alternately holds and slides', slips >= 2, `${slips} times loose`, 'at least twice'),
        claimBelow(
          'two walls: a cycle is faster than published (p50)',
          median(edge, 'us_total'),
          values.publishedCycleUs,
          'µs',
        ),
        ...solvers.map(({ model, publishedUs, recording }) =>
          claimBelow(`${model} is faster than published (p50)`, median(recording, 'us_friction'), publishedUs, 'µs'),
        ),
      ],
      capped: solvers.reduce((sum, { recording }) => sum + recording.capped, edge.capped),
    };
  },
});

function edgePlot(name: string, label: string, series: ReturnType<typeof stickAndSlip>) {
  return plot(name, 'Cube along two walls', 'time, s', label, series);
}

function swingIn(lab: Lab, values: Values, place: 'edge' | 'corner', changes: SceneChanges): Recording {
  const rig = createFrictionRig(lab, changes);
  const { timeStep } = rig.scene;
  const hand = {
    start: pressWithoutFriction(lab, values[place]),
    move: swingingHand(values[place], values[`${place}Swing`], values.frequency, timeStep),
    cycles: Math.round(values.seconds / timeStep),
  };
  return play(rig, hand, { repeats: values.repeats });
}

function rowOf(where: string, recording: Recording): Row {
  return {
    where,
    contacts: median(recording, 'contacts'),
    'holds, %': rounded(100 * share(recording, STATE_STICK)),
    'slides, %': rounded(100 * share(recording, STATE_SLIP)),
    'breaks loose': breakaways(recording),
    ...stageTimes(recording),
    'capped cycles': recording.capped,
  };
}

function solverRow({ model, publishedUs, recording }: SolverRun, { sides }: Values): Row {
  const p50 = percentile(recording.column.us_friction, 50);
  return {
    solver: model === 'pyramid' ? `pyramid of ${sides}` : model,
    'holds, %': rounded(100 * share(recording, STATE_STICK)),
    'p50, µs': rounded(p50),
    'p99, µs': rounded(percentile(recording.column.us_friction, 99)),
    'published, µs': publishedUs,
    'published / p50': rounded(publishedUs / p50),
    'capped cycles': recording.capped,
  };
}
