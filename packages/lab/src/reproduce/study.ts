import type { AssetCache, Plot, Row } from '@palpable/cli/internal';
import type { PreparedBody, Scene } from '@palpable/engine';
import type { Claim } from './claim.js';

/** The scene of an experiment, ready to be stepped. */
export interface LoadedScene {
  readonly scene: Scene;
  readonly bodies: ReadonlyMap<string, PreparedBody>;
}

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

/** One way of experimenting, used by the experiment files that name it. */
export interface Study<P extends StudyParameters = StudyParameters> {
  readonly name: string;
  readonly parameters: P;
  run(lab: Lab, values: ValuesOf<P>): Promise<StudyResult>;
}

/** Keeps the types of the parameters for `run`, and forgets them for the list of studies. */
export function defineStudy<const P extends StudyParameters>(study: Study<P>): Study {
  return study as unknown as Study;
}
