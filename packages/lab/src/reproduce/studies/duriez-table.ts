import type { Row } from '@palpable/cli/internal';
import type { LoadedScene } from '../../play/load-scene.js';
import { rounded, sum } from '../../play/statistics.js';
import { type Claim, claimAbove, claimBelow, claimTrue } from '../claim.js';
import { formatHeatMap } from '../heat-map.js';
import { defineStudy, type Lab, plot, runEach, type StudyPicture, type StudyPlot, table } from '../study.js';
import { selectContacts } from './duriez-rig.js';
import {
  atStep,
  type Coupling,
  couplingOf,
  feetContacts,
  PANELS,
  type PressedTable,
  panelValues,
  pressTable,
  withModel,
} from './duriez-table-rig.js';
import {
  comparePyramids,
  gapClaims,
  type TableValues,
  type Timed,
  tableParameters,
  timeClaims,
  timeRow,
  timeSolvers,
} from './duriez-table-solvers.js';

/*
 * Duriez et al., section 5, fig. 6 to 11: a table of four legs pressed on the floor. How friction keeps its legs from
 * spreading; what pyramids instead of cones cost in precision and in time, on the same W and δ_free; and the image of W,
 * with and without stretchers. As in the paper's section 5 there is no dynamics: the time step is so long that W is the
 * compliance. Times alone are taken with the W of a haptic cycle.
 */

export const duriezTable = defineStudy({
  name: 'duriez-table',
  parameters: tableParameters,
  async run(lab, values) {
    await lab.progress('tables', 0);
    const tables = [
      { name: 'plain', scene: await withModel(lab, 'table') },
      { name: 'braced', scene: await withModel(lab, 'table-braced') },
    ] as const;
    const spreads = await spreadLegs(lab, tables, values);
    const pressed = tables.map(({ name, scene }) => ({
      name,
      table: pressTable(scene, values.load, values.slipCoefficient),
    }));
    const gaps = await comparePyramids(lab, pressed[0]!.table, values);
    const cycle = pressTable(atStep(tables[0].scene, values.cycleStep), values.load, values.slipCoefficient);
    const times = await timeSolvers(lab, cycle, values);
    const perLeg = values.timePerLeg.at(-1)!;
    const couplings = pressed.map(({ name, table }) => ({ name, ...pictureOf(name, table, perLeg) }));
    return {
      tables: [
        table('spread', `Feet under ${values.load} N: mean displacement outward, mm (fig. 6)`, spreadRows(spreads)),
        table(
          'sides',
          `Gap ε between pyramids and cones, ${gaps.contacts} contacts (fig. 7); Gauss–Seidel stalled in ${gaps.stalled} of ${values.gapTests} tests, where cones were solved by Newton’s method`,
          gaps.rows,
        ),
        table('times', 'Time of a solution by contacts (fig. 8)', times.map(timeRow)),
        table(
          'coupling',
          'The Delassus operator: m/N, and how much of a contact’s own motion others share (fig. 9, 11)',
          couplings.flatMap(({ name, coupling }) => couplingRows(name, coupling)),
        ),
      ],
      plots: plotsOf(spreads, gaps.rows, times),
      pictures: couplings.map(({ picture }) => picture),
      claims: [
        ...spreadClaims(spreads),
        ...gapClaims(gaps.rows, values),
        ...timeClaims(times),
        ...couplingClaims(couplings[0]!.coupling, couplings[1]!.coupling),
      ],
      capped: gaps.capped + sum(times.map(({ capped }) => capped)) + spreads.filter(({ capped }) => capped).length,
    };
  },
});

type Spread = Awaited<ReturnType<typeof spreadLegs>>[number];

function spreadLegs(
  lab: Lab,
  tables: readonly { readonly name: string; readonly scene: LoadedScene }[],
  { coefficients, load }: TableValues,
) {
  const trials = tables.flatMap(({ name, scene }) => coefficients.map((coefficient) => ({ name, scene, coefficient })));
  const run = ({ name, scene, coefficient }: (typeof trials)[number]) => {
    const { spread, capped } = pressTable(scene, load, coefficient);
    return { name, coefficient, spread, capped };
  };
  return runEach(lab, trials, () => 'legs spread', run, [0.1, 0.2]);
}

function spreadRows(spreads: readonly Spread[]): Row[] {
  const plain = spreads.filter(({ name }) => name === 'plain');
  return plain.map(({ coefficient, spread }) => ({
    μ: coefficient,
    plain: rounded(1000 * spread),
    braced: rounded(1000 * spreads.find((s) => s.name === 'braced' && s.coefficient === coefficient)!.spread),
  }));
}

/** Once the feet stick all coefficients are alike but for the contacts that are chosen. */
const STUCK = 0.01;

function spreadClaims(spreads: readonly Spread[]): Claim[] {
  const of = (wanted: string) => spreads.filter(({ name }) => name === wanted).map(({ spread }) => spread);
  const plain = of('plain');
  const braced = of('braced');
  const falling = plain.every((spread, i) => i === 0 || spread <= plain[i - 1]! + STUCK * plain[0]!);
  const shown = plain.map((spread) => rounded(1e6 * spread)).join(', ');
  return [
    claimTrue(
      'the more friction, the less the legs spread',
      falling,
      `${shown} µm`,
      'falling, within 1 % of the first',
    ),
    claimBelow(
      'at the largest μ the feet stay where they are: fraction of the displacement without friction',
      Math.abs(plain.at(-1)! / plain[0]!),
      0.05,
    ),
    claimBelow(
      'stretchers take of the spreading along themselves: braced over plain, no friction',
      braced[0]! / plain[0]!,
      0.9,
    ),
  ];
}

function pictureOf(name: string, table: PressedTable, perLeg: number): { coupling: Coupling; picture: StudyPicture } {
  const problem = selectContacts(table.rig.world.dynamics.problem, feetContacts(table, perLeg));
  const borders = [perLeg, 2 * perLeg, 3 * perLeg];
  const panels = PANELS.map(({ label, colour }, axis) => ({
    name: label,
    colour,
    size: problem.count,
    values: panelValues(problem, axis),
    borders,
  }));
  const title = `|W| between ${problem.count} contacts by leg, ${name} table`;
  return {
    coupling: couplingOf(problem, perLeg),
    picture: { name: `delassus-${name}`, svg: formatHeatMap({ title, panels }) },
  };
}

function couplingRows(name: string, coupling: Coupling): Row[] {
  return PANELS.map(({ label }, axis) => ({
    table: name,
    direction: label,
    'own, µm/N': rounded(1e6 * coupling.own[axis]!),
    'same leg': rounded(coupling.sameLeg[axis]!),
    'leg joined along x': rounded(coupling.alongX[axis]!),
    'other legs': rounded(coupling.others[axis]!),
  }));
}

const [X, Y] = [1, 2];

function couplingClaims(plain: Coupling, braced: Coupling): Claim[] {
  const least = Math.min(
    ...plain.sameLeg.map((within, axis) => within / Math.max(plain.alongX[axis]!, plain.others[axis]!)),
  );
  return [
    claimAbove(
      'times by which contacts of a leg are coupled more than those of different legs, in every direction',
      least,
      2,
    ),
    claimBelow(
      'stretchers lower the tangential values: along x, braced over plain',
      braced.own[X]! / plain.own[X]!,
      0.9,
    ),
    claimBelow('and along y', braced.own[Y]! / plain.own[Y]!, 1),
    claimAbove(
      'they raise the coupling between the legs that they join along x: braced over plain',
      braced.alongX[X]! / plain.alongX[X]!,
      1.5,
    ),
    claimTrue(
      'more than along y',
      braced.alongX[X]! / plain.alongX[X]! > braced.alongX[Y]! / plain.alongX[Y]!,
      `${rounded(braced.alongX[Y]! / plain.alongX[Y]!)} along y`,
      'less than along x',
    ),
  ];
}

function plotsOf(spreads: readonly Spread[], gaps: readonly Row[], times: readonly Timed[]): StudyPlot[] {
  const spreadOf = (wanted: string) =>
    spreads
      .filter(({ name }) => name === wanted)
      .map(({ coefficient, spread }) => [coefficient, 1000 * spread] as const);
  const gapOf = (column: string) => gaps.map((row) => [Number(row.sides), Number(row[column])] as const);
  const contacts = { label: 'contacts', min: 0 };
  return [
    plot(
      'spread',
      'Feet of the pressed table',
      'friction coefficient',
      { label: 'displacement outward, mm', min: 0 },
      ['plain', 'braced'].map((name) => ({ name, points: spreadOf(name) })),
    ),
    plot(
      'sides',
      'Pyramids against cones',
      { label: 'sides of the pyramid', min: 0 },
      { label: 'gap ε, %', min: 0 },
      ['ε, %', 'ε of friction alone, %'].map((name) => ({ name, points: gapOf(name) })),
    ),
    plot('times', 'Time of a solution', contacts, { label: 'ms', log: true }, [
      { name: 'Gauss–Seidel', points: times.map(({ contacts, sweepsMs }) => [contacts, sweepsMs] as const) },
      { name: 'Lemke, 8 sides', points: times.map(({ contacts, pyramidMs }) => [contacts, pyramidMs] as const) },
    ]),
  ];
}
