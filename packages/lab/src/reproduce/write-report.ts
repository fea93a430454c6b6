import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  describeMachine,
  formatNumber,
  formatSvgPlot,
  formatTable,
  makeFolder,
  type Plot,
  type Row,
} from '@palpable/cli/internal';
import { PalpableError } from '@palpable/engine';
import type { ExperimentReport } from './run-experiment.js';

/** What the report says, for a terminal. */
export function formatReport(report: ExperimentReport): string {
  const { experiment, tables, claims, quick, seconds, machine } = report;
  const marks = claims.map(({ claim, measured, bar, met }) => ({ claim, measured, bar, met: met ? 'met' : 'NOT MET' }));
  return [
    `${experiment.name}: ${experiment.title}`,
    `${experiment.paper}, figure ${experiment.figure}. Published: ${experiment.published}`,
    `${describeMachine(machine)}; ${formatNumber(seconds)} s${quick ? '; a short run, not for comparison' : ''}`,
    ...tables.flatMap(({ title, rows }) => ['', title, formatTable(rows)]),
    '',
    formatTable(marks),
  ].join('\n');
}

/** The same for programs, without the lines of the plots, which are in the CSV files. */
export function reportForPrograms(report: ExperimentReport, files: readonly string[]) {
  const { experiment, tables, claims, capped, met, quick, seconds, machine } = report;
  const { name, title, paper, figure, published } = experiment;
  return {
    experiment: name,
    title,
    paper,
    figure,
    published,
    study: experiment.study.name,
    quick,
    machine,
    seconds,
    met,
    claims,
    capped,
    tables: Object.fromEntries(tables.map((table) => [table.name, table.rows])),
    files,
  };
}

/** Writes tables, plots and the report into a folder, and gives the names of the files. */
export async function writeReport(folder: string, report: ExperimentReport): Promise<string[]> {
  const contents = new Map<string, string>();
  contents.set('report.txt', `${formatReport(report)}\n`);
  for (const { name, rows } of report.tables) contents.set(`${name}.csv`, formatCsv(rows));
  for (const { name, plot } of report.plots) {
    contents.set(`${name}.svg`, formatSvgPlot(plot));
    contents.set(`${name}-plot.csv`, formatCsv(plotRows(plot)));
  }
  for (const { name, svg } of report.pictures ?? []) contents.set(`${name}.svg`, svg);
  await makeFolder(folder, '--out');
  for (const [name, text] of contents) {
    await writeFile(join(folder, name), text).catch((error: Error) => {
      throw new PalpableError(
        'file-unreadable',
        `${join(folder, name)} cannot be written (${error.message}); name another folder with --out.`,
        name,
      );
    });
  }
  return [...contents.keys()];
}

/** One row per point: the series may have different places. */
function plotRows({ x, y, series }: Plot): Row[] {
  return series.flatMap(({ name, points }) =>
    points.map(([px, py]) => ({ series: name, [x.label]: px, [y.label]: py })),
  );
}

function formatCsv(rows: readonly Row[]): string {
  const headings = Object.keys(rows[0] ?? {});
  const lines = [headings, ...rows.map((row) => headings.map((heading) => row[heading] ?? ''))];
  return `${lines.map((cells) => cells.map((cell) => csvCell(String(cell))).join(',')).join('\n')}\n`;
}

function csvCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
