import { type LcpProblem, type LcpSolution, solveLcp } from '@palpable/engine';
import { formatNumber, formatTable } from '../terminal/table.js';

/** A solved linear complementarity problem as `palpable solve --json` prints it. */
export type ComplementarityReport = ReturnType<typeof solveComplementarity>;

export function solveComplementarity(problem: LcpProblem, maxPivots: number | undefined) {
  const started = performance.now();
  const solution: LcpSolution = solveLcp(problem, maxPivots);
  return {
    solver: 'lemke',
    /** |min(z, w)| / |q| */
    residual: solution.residual,
    /** Pivots. */
    sweeps: solution.pivots,
    /** Whether the answer is no solution. */
    capped: solution.outcome !== 'solved',
    outcome: solution.outcome,
    seconds: (performance.now() - started) / 1000,
    /** z */
    r: [...solution.z],
    /** w = M z + q */
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
