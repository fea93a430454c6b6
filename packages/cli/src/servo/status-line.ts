import { cellOf, faultWords, lengthOf, STATE_NAMES, TELEMETRY_MISSED } from '@palpable/engine/advanced';
import { formatNumber } from '../terminal/table.js';

/** A contact model of this age is no longer worth much, s. */
const STALE_AFTER = 0.1;

/** One hand in one line: what is felt, and how the loop is doing. */
export function describeHand(tool: string, row: Float64Array): string {
  const contacts = cellOf(row, 'contacts');
  const faults = faultWords(cellOf(row, 'faults'));
  const parts = [
    `${cellOf(row, 'time').toFixed(1)} s`,
    tool,
    // First of all what is wrong: a narrow terminal cuts the rest off.
    ...faults,
    `${lengthOf(row, 'fx').toFixed(2)} N`,
    `${(1000 * lengthOf(row, 'tx')).toFixed(0)} mN m`,
    contacts === 0 ? 'free' : `${contacts} contacts ${STATE_NAMES[cellOf(row, 'friction_state')]}`,
    `${cellOf(row, 'us_cycle').toFixed(0)} µs`,
    `missed ${formatNumber(row[TELEMETRY_MISSED]!)}`,
  ];
  const age = cellOf(row, 'contact_age');
  if (cellOf(row, 'contact_rate') > 0) parts.push(`contacts ${cellOf(row, 'contact_rate').toFixed(0)} /s`);
  if (age > STALE_AFTER) parts.push(`no new contacts for ${age.toFixed(1)} s`);
  if (cellOf(row, 'gain') < 1) parts.push(`force at ${(100 * cellOf(row, 'gain')).toFixed(0)} %`);
  if (cellOf(row, 'damping') > 0) parts.push('damped');
  return parts.join('  ');
}
