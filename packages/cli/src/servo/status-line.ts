import { cellOf, faultWords, lengthOf, STATE_NAMES, TELEMETRY_MISSED } from '@palpable/engine';
import { formatNumber } from '../terminal/table.js';

/** One hand in one line: what is felt, and how the loop is doing. */
export function describeHand(tool: string, row: Float64Array): string {
  const contacts = cellOf(row, 'contacts');
  const faults = faultWords(cellOf(row, 'faults'));
  const parts = [
    `${cellOf(row, 'time').toFixed(1)} s`,
    tool,
    `${lengthOf(row, 'fx').toFixed(2)} N`,
    `${(1000 * lengthOf(row, 'tx')).toFixed(0)} mN m`,
    contacts === 0 ? 'free' : `${contacts} contacts ${STATE_NAMES[cellOf(row, 'friction_state')]}`,
    `${cellOf(row, 'us_cycle').toFixed(0)} µs`,
    `missed ${formatNumber(row[TELEMETRY_MISSED]!)}`,
  ];
  if (cellOf(row, 'gain') < 1) parts.push(`force at ${(100 * cellOf(row, 'gain')).toFixed(0)} %`);
  if (cellOf(row, 'damping') > 0) parts.push('damped');
  return [...parts, ...faults].join('  ');
}
