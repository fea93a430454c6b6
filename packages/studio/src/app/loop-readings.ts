/** What the loop reports, for the panel. */
import {
  cellOf,
  faultWords,
  lengthOf,
  STATE_NAMES,
  TELEMETRY_CYCLES,
  TELEMETRY_FAULTS_SEEN,
  TELEMETRY_MISSED,
} from '@palpable/engine/advanced';
import { CycleRate } from '../plots/refresh.js';
import { loopReadings } from './state.js';

export function createLoopReadings(now: () => number = () => performance.now()) {
  const rate = new CycleRate();
  return {
    /** `gap`: between tool and device, m. */
    onRow(row: Float64Array, gap: number) {
      if (!rate.take(row[TELEMETRY_CYCLES]!, now())) return;
      loopReadings.value = {
        force: lengthOf(row, 'fx'),
        torque: lengthOf(row, 'tx'),
        gap,
        friction: STATE_NAMES[cellOf(row, 'friction_state')]!,
        cyclesPerSecond: rate.perSecond,
        missed: row[TELEMETRY_MISSED]!,
        energy: cellOf(row, 'energy'),
        gain: cellOf(row, 'gain'),
        contactRate: cellOf(row, 'contact_rate'),
        faults: faultWords(row[TELEMETRY_FAULTS_SEEN]!),
      };
    },
    /** The loop does not answer: what it last gave is given no more. */
    silence() {
      if (loopReadings.value) loopReadings.value = { ...loopReadings.value, force: 0, torque: 0 };
    },
    /** There is no loop any more. */
    clear() {
      rate.clear();
      loopReadings.value = undefined;
    },
  };
}
