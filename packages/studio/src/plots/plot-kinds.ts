/** What can be plotted: quantities with their lines, units and limits. */
import type { HistoryColumn } from './row-history.js';

export interface PlotLine {
  readonly column: HistoryColumn;
  readonly label: string;
  /** Any colour of CSS, or `var(--…)`. */
  readonly colour: string;
}

export interface PlotKind {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** From the unit of the column to the one that is shown. */
  readonly scale: number;
  /** Digits behind the point beside the plot. */
  readonly digits: number;
  /** The first one speaks for the plot where there is room for one only. */
  readonly lines: readonly PlotLine[];
  /** The axis spans at least so much, in the unit that is shown. */
  readonly least: number;
  /** The axis need not show 0. */
  readonly isFloating?: boolean;
  /** Powers of ten from the first number to at least the second one, instead of an axis that fits itself. */
  readonly powers?: readonly [number, number];
  /** What the lines must not go above, in the unit that is shown. */
  readonly limit?: { readonly value: number; readonly label: string };
  /** Where this column is above 0, a mark stands at the top. */
  readonly marks?: { readonly column: HistoryColumn; readonly label: string };
}

export interface PlotLimits {
  /** Of the loop, s. */
  readonly timeStep: number;
  /** Of the energy given to the hand, J; undefined where nothing bounds it. */
  readonly energyBound: number | undefined;
}

const [ALL, X, Y, Z] = ['var(--plot-all)', 'var(--plot-x)', 'var(--plot-y)', 'var(--plot-z)'];

type Figures = Omit<PlotKind, 'id' | 'title' | 'unit' | 'scale' | 'lines'> & { readonly scale?: number };

function plotOf(id: string, title: string, unit: string, figures: Figures, lines: readonly PlotLine[]): PlotKind {
  return { id, title, unit, scale: 1, ...figures, lines };
}

const FORCE = plotOf('force', 'Force', 'N', { digits: 2, least: 1 }, [
  { column: 'force', label: 'size', colour: ALL },
  { column: 'fx', label: 'x', colour: X },
  { column: 'fy', label: 'y', colour: Y },
  { column: 'fz', label: 'z', colour: Z },
]);
const TORQUE = plotOf('torque', 'Torque', 'N m', { digits: 3, least: 0.1 }, [
  { column: 'torque', label: 'size', colour: ALL },
  { column: 'tx', label: 'x', colour: X },
  { column: 'ty', label: 'y', colour: Y },
  { column: 'tz', label: 'z', colour: Z },
]);
const PENETRATION = plotOf('penetration', 'Penetration', 'mm', { scale: 1000, digits: 3, least: 0.1 }, [
  { column: 'max_penetration', label: 'deepest', colour: X },
]);
const CONTACTS = plotOf('contacts', 'Contacts', '', { digits: 0, least: 4 }, [
  { column: 'contacts', label: 'number', colour: Z },
]);
/** A stage may take two microseconds and a bad cycle a thousand times that; both are to be seen. */
const TIMES: Figures = { digits: 0, least: 1, powers: [1, 2000], marks: { column: 'missed', label: 'missed cycles' } };
const STAGES = plotOf('stages', 'Time', 'µs', TIMES, [
  { column: 'us_cycle', label: 'cycle', colour: ALL },
  { column: 'us_contact', label: 'contacts', colour: Z },
  { column: 'us_friction', label: 'friction', colour: X },
  { column: 'us_method', label: 'method', colour: Y },
]);
const ENERGY = plotOf('energy', 'Energy', 'mJ', { scale: 1000, digits: 2, least: 2 }, [
  { column: 'energy', label: 'given', colour: Y },
]);
const CONTACT_RATE = plotOf('contact-rate', 'Contact rate', '/s', { digits: 0, least: 100 }, [
  { column: 'contact_rate', label: 'of the modular method', colour: Z },
]);
const GAP = plotOf('gap', 'Device to tool', 'mm', { scale: 1000, digits: 2, least: 1 }, [
  { column: 'gap', label: 'distance', colour: Y },
]);

export const LIVE_PLOT_IDS = [
  'force',
  'torque',
  'penetration',
  'contacts',
  'stages',
  'energy',
  'contact-rate',
] as const;
export type LivePlotId = (typeof LIVE_PLOT_IDS)[number];

/** The plots of a live loop, in the order in which they stand. */
export function livePlots({ timeStep, energyBound }: PlotLimits): readonly PlotKind[] {
  const limitUs = Math.round(1e6 * timeStep);
  const stages = { ...STAGES, limit: { value: limitUs, label: `time step ${limitUs} µs` } };
  const energy =
    energyBound === undefined
      ? ENERGY
      : { ...ENERGY, limit: { value: 1000 * energyBound, label: `bound ${1000 * energyBound} mJ` } };
  return [FORCE, TORQUE, PENETRATION, CONTACTS, stages, energy, CONTACT_RATE];
}

const KINDS = [FORCE, TORQUE, PENETRATION, CONTACTS, STAGES, ENERGY, CONTACT_RATE, GAP];

export function plotTitle(id: LivePlotId): string {
  return KINDS.find((kind) => kind.id === id)!.title;
}

/** How one column is shown by itself: title, unit and digits of the plot that it belongs to. */
export function kindOfColumn(column: HistoryColumn): PlotKind {
  const kind = KINDS.find(({ lines }) => lines.some((line) => line.column === column));
  if (!kind) return { ...plainKind(column), lines: [{ column, label: column, colour: ALL }] };
  const line = kind.lines.find((candidate) => candidate.column === column)!;
  const isMain = line === kind.lines[0];
  const { marks, ...rest } = kind;
  return { ...rest, id: column, title: isMain ? kind.title : `${kind.title}, ${line.label}`, lines: [line] };
}

/** Positions are lengths; of anything else only the name is known. */
function plainKind(column: HistoryColumn): Omit<PlotKind, 'lines'> {
  if (/^[td]p[xyz]$/.test(column)) {
    const body = column.startsWith('t') ? 'Tool' : 'Device';
    const title = `${body}, ${column.at(-1)}`;
    return { id: column, title, unit: 'mm', scale: 1000, digits: 2, least: 0.1, isFloating: true };
  }
  return { id: column, title: column, unit: '', scale: 1, digits: 3, least: 1 };
}
