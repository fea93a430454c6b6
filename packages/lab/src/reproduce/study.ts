import type { AssetCache, Plot, PlotSeries, Row } from '@palpable/cli/internal';
import type { LoadedScene } from '../play/load-scene.js';
import type { Claim } from './claim.js';

export interface Lab extends LoadedScene {
  /** For what a study prepares itself. */
  readonly cache: AssetCache;
  /** Shows how far a study is; cancels it after Ctrl-C. To be awaited between runs of some tenths of a second. */
  readonly progress: (stage: string, fraction: number) => Promise<void>;
}

/** What a study found. */
export interface StudyResult {
  readonly tables: readonly StudyTable[];
  readonly plots: readonly StudyPlot[];
  readonly pictures?: readonly StudyPicture[];
  readonly claims: readonly Claim[];
  /** Cycles of all runs in which a cap on contacts or iterations was met. */
  readonly capped: number;
  /** Cycles of the solvers that a paper only compares with, where `capped` leaves them out: reported, not claimed. */
  readonly cappedCompared?: number;
}

export interface StudyTable {
  /** Of the CSV file. */
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

export interface StudyPlot {
  /** Of the SVG file, and of the CSV file with its numbers. */
  readonly name: string;
  readonly plot: Plot;
}

/** What no plot can show. */
export interface StudyPicture {
  /** Of the SVG file. */
  readonly name: string;
  readonly svg: string;
}

/** The number or list of numbers that a study takes under a name. */
export interface StudyParameter {
  readonly meaning: string;
  /** SI; empty for plain numbers. */
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
  /** For lists: as many numbers at least. */
  readonly atLeast?: number;
}

export type StudyParameters = Readonly<Record<string, StudyParameter>>;

/** The values of parameters: lists where `atLeast` stands. */
export type ValuesOf<P extends StudyParameters> = {
  readonly [K in keyof P]: P[K] extends { readonly atLeast: number } ? readonly number[] : number;
};

/** One kind of experiment, used by the experiment files that name it. */
export interface Study<P extends StudyParameters = StudyParameters> {
  readonly name: string;
  readonly parameters: P;
  run(lab: Lab, values: ValuesOf<P>): Promise<StudyResult>;
}

export function table(name: string, title: string, rows: readonly Row[]): StudyTable {
  return { name, title, rows };
}

type Axis = string | Plot['x'];

const axis = (given: Axis) => (typeof given === 'string' ? { label: given } : given);

/** An axis of which nothing but the label is said can be given as that. */
export function plot(name: string, title: string, x: Axis, y: Axis, series: readonly PlotSeries[]): StudyPlot {
  return { name, plot: { title, x: axis(x), y: axis(y), series } };
}

/** Runs each of some trials, and shows how far that is, from one fraction of the study to another. */
export async function runEach<T, R>(
  { progress }: Lab,
  trials: readonly T[],
  name: (trial: T) => string,
  run: (trial: T) => R | Promise<R>,
  [from, to]: readonly [number, number] = [0, 1],
): Promise<R[]> {
  const results: R[] = [];
  for (const trial of trials) {
    await progress(name(trial), from + ((to - from) * results.length) / trials.length);
    results.push(await run(trial));
  }
  return results;
}

/** Keeps the types of the parameters for `run`, and forgets them for the list of studies. */
export function defineStudy<const P extends StudyParameters>(study: Study<P>): Study {
  return study as unknown as Study;
}
