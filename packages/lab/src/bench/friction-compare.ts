import { type FrictionProblem, percentile } from '@palpable/engine/advanced';
import { createHighsPeer, type HighsForm, timePeer } from './friction-peers.js';
import { type SolveOptions, shuffle, timeSolves } from './friction-solve.js';

/**
 * Our solvers beside HiGHS on the same problems, which differ in the wrench alone. `disagreements`: Problems on which
 * HiGHS and our pyramid of as many sides do not agree.
 */
export type CompareReport = Awaited<ReturnType<typeof compareWithHighs>>;

/** `rising`: the load of one direction after the other, raised step by step. `shuffled`: every load comes again. */
export type LoadOrder = 'rising' | 'shuffled';

export interface CompareRow {
  readonly order: LoadOrder;
  readonly solver: string;
  readonly start: 'warm' | 'cold';
  readonly feasible: Percentiles;
  readonly infeasible: Percentiles;
}

export interface Percentiles {
  readonly count: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

const SIDES = 8;
const FORMS: readonly HighsForm[] = ['literal', 'planes', 'vertices', 'segments'];
const STATIC_TEST = 'cone, static test';

const OURS: readonly { readonly solver: string; readonly options: SolveOptions }[] = [
  // What HiGHS is asked as well: does it hold? With `frictionless` nothing more is computed when it does not.
  { solver: STATIC_TEST, options: { model: 'cone', slip: 'frictionless' } },
  { solver: `pyramid ${SIDES}, static test`, options: { model: 'pyramid', sides: SIDES, slip: 'frictionless' } },
  { solver: 'cone', options: { model: 'cone' } },
  { solver: `pyramid ${SIDES}`, options: { model: 'pyramid', sides: SIDES } },
  { solver: 'quadratic', options: { model: 'quadratic' } },
];

export async function compareWithHighs(
  problems: readonly FrictionProblem[],
  seed: number,
  onProgress: (fraction: number) => void,
) {
  const orders = [
    ['rising', problems],
    ['shuffled', shuffle(problems, seed)],
  ] as const;
  const rows: CompareRow[] = [];
  let disagreements = 0;
  for (const [order, set] of orders) {
    for (const { solver, options } of OURS) {
      for (const start of ['warm', 'cold'] as const) {
        const times = timeSolves(options, set, { cold: start === 'cold', batch: start === 'cold' ? 2 : 8 });
        rows.push({ order, solver, start, ...apart(times.microseconds, times.holds) });
      }
    }
    const { holds: expected } = timeSolves({ model: 'pyramid', sides: SIDES, slip: 'frictionless' }, set, { batch: 1 });
    for (const [index, form] of FORMS.entries()) {
      onProgress(((order === 'rising' ? 0 : 1) + index / FORMS.length) / 2);
      const peer = await createHighsPeer(set[0], SIDES, form);
      const { microseconds, holds } = timePeer(peer, set);
      peer.dispose();
      disagreements += holds.filter((each, n) => each !== expected[n]).length;
      rows.push({ order, solver: highsName(form), start: 'warm', ...apart(microseconds, holds) });
    }
  }
  const ratios = orders.flatMap(([order]) => ratiosOf(rows.filter((row) => row.order === order)));
  return { contacts: problems[0].count, problems: problems.length, rows, ratios, disagreements };
}

function highsName(form: HighsForm): string {
  return `HiGHS, ${form}`;
}

function apart(microseconds: Float64Array, holds: readonly boolean[]): Pick<CompareRow, 'feasible' | 'infeasible'> {
  const of = (wanted: boolean): Percentiles => {
    const chosen = microseconds.filter((_, n) => holds[n] === wanted);
    return { count: chosen.length, p50Us: percentile(chosen, 50), p99Us: percentile(chosen, 99) };
  };
  return { feasible: of(true), infeasible: of(false) };
}

/** Of the rows of one order: how many times as long as our static test HiGHS takes, both from the last answer, by p50. */
function ratiosOf(rows: readonly CompareRow[]) {
  const ours = rows.find(({ solver, start }) => solver === STATIC_TEST && start === 'warm');
  if (!ours) return [];
  const peers = FORMS.flatMap((form) => rows.filter(({ solver }) => solver === highsName(form)));
  const ratio = (chosen: readonly CompareRow[], part: 'feasible' | 'infeasible') =>
    Math.min(...chosen.map((row) => row[part].p50Us)) / ours[part].p50Us;
  return (['printed', 'fastest'] as const).map((form) => {
    const chosen = form === 'fastest' ? peers : peers.filter(({ solver }) => solver === highsName('literal'));
    return {
      order: ours.order,
      /** `printed`: Eq. 32–37 as they are. `fastest`: the fastest of four forms of them. */
      form,
      feasible: ratio(chosen, 'feasible'),
      infeasible: ratio(chosen, 'infeasible'),
    };
  });
}
