/** What the loop tells, for the panel. */
import {
  cellOf,
  faultWords,
  lengthOf,
  STATE_NAMES,
  TELEMETRY_CYCLES,
  TELEMETRY_FAULTS_SEEN,
  TELEMETRY_MISSED,
} from '@palpable/engine';
import { refreshCount } from '../plots/refresh.js';
import { loopReadings } from './state.js';

/** Over which the rate of the loop is measured. */
const WINDOW_MS = 1000;

export function createLoopReadings(now: () => number = () => performance.now()) {
  /** Time and cycles of each refresh of the last while. */
  let marks: { readonly timeMs: number; readonly cycles: number }[] = [];
  return {
    /** `gap`: between tool and device, m. */
    onRow(row: Float64Array, gap: number) {
      const timeMs = now();
      const last = marks.at(-1);
      if (last && refreshCount(timeMs) === refreshCount(last.timeMs)) return;
      marks.push({ timeMs, cycles: row[TELEMETRY_CYCLES]! });
      // One mark as old as the window stays, or older: the rate is that of at least the window.
      while (marks.length > 2 && marks[1]!.timeMs <= timeMs - WINDOW_MS) marks.shift();
      loopReadings.value = {
        force: lengthOf(row, 'fx'),
        torque: lengthOf(row, 'tx'),
        gap,
        friction: STATE_NAMES[cellOf(row, 'friction_state')]!,
        cyclesPerSecond: rateOf(marks),
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
      marks = [];
      loopReadings.value = undefined;
    },
  };
}

function rateOf(marks: readonly { readonly timeMs: number; readonly cycles: number }[]): number | undefined {
  const [first, last] = [marks[0]!, marks.at(-1)!];
  if (first === last) return undefined;
  return (1000 * (last.cycles - first.cycles)) / (last.timeMs - first.timeMs);
}
