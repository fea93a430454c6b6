import { formatNumber } from '@palpable/cli/internal';

/** Something that an experiment is to show, with what came out. */
export interface Claim {
  /** One sentence that is true or not. */
  readonly claim: string;
  /** What was found, with its unit. */
  readonly measured: string;
  /** What it is held against. */
  readonly bar: string;
  readonly met: boolean;
}

export function claimBelow(claim: string, value: number, bar: number, unit = ''): Claim {
  return { claim, measured: withUnit(value, unit), bar: `< ${withUnit(bar, unit)}`, met: value < bar };
}

export function claimAbove(claim: string, value: number, bar: number, unit = ''): Claim {
  return { claim, measured: withUnit(value, unit), bar: `> ${withUnit(bar, unit)}`, met: value > bar };
}

/** Within a fraction of a value on both sides. */
export function claimNear(claim: string, value: number, target: number, fraction: number, unit = ''): Claim {
  return {
    claim,
    measured: withUnit(value, unit),
    bar: `${withUnit(target, unit)} ± ${formatNumber(100 * fraction)} %`,
    met: Math.abs(value - target) <= fraction * Math.abs(target),
  };
}

export function claimTrue(claim: string, met: boolean, measured: string, bar: string): Claim {
  return { claim, measured, bar, met };
}

function withUnit(value: number, unit: string): string {
  return unit === '' ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}
