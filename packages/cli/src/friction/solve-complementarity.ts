import { type LcpOutcome, type LcpProblem, type LcpSolution, solveLcp } from '@palpable/engine/advanced';
import { formatNumber, formatTable } from '../terminal/table.js';

/** A solved linear complementarity problem as `palpable solve --json` prints it. */
export interface ComplementarityReport {
  readonly solver: 'lemke';
  /** |min(z, w)| / |q| */
  readonly residual: number;
  /** Pivots. */
  readonly sweeps: number;
  /** Whether the answer is no solution. */
  readonly capped: boolean;
  readonly outcome: LcpOutcome;
  readonly seconds: number;
  /** z */
  readonly r: readonly number[];
  /** w = M z + q */
  readonly u: readonly number[];
}

export function solveComplementarity(problem: LcpProblem, maxPivots: number | undefined): ComplementarityReport {
  const started = performance.now();
  const solution: LcpSolution = solveLcp(problem, maxPivots);
  return {
    solver: 'lemke',
    residual: solution.residual,
    sweeps: solution.pivots,
    capped: solution.outcome !== 'solved',
    outcome: solution.outcome,
    seconds: (performance.now() - started) / 1000,
    r: [...solution.z],
    u: [...solution.w],
  };
}

const endings = {
  solved: 'solved',
  none: 'There is no solution: every choice of what is zero was tried.',
  ray: 'No solution was found: the path of pivots ends on a ray, as it does where there is none.',
  capped: 'The answer is rough: the pivots were too many, or lost too many digits; allow more with --max-sweeps.',
} as const;

export function describeComplementarity(report: ComplementarityReport): string {
  const rows = report.r.map((z, i) => ({ unknown: i, z, w: report.u[i] }));
  return [
    `lemke: ${formatNumber(report.r.length)} unknowns, ${endings[report.outcome]}`,
    `${formatNumber(report.sweeps)} pivots in ${formatNumber(report.seconds * 1000)} ms; residual ${formatNumber(report.residual)}`,
    '',
    formatTable(rows),
  ].join('\n');
}
