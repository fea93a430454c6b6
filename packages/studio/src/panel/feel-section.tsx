/** The loop in the panel: how it goes, and how to stop it. */
import { isThreaded } from '../app/chosen-method.js';
import {
  hasContactThread,
  isLoopSilent,
  isPaused,
  isStopped,
  type LoopReadings,
  loopReadings,
  loopState,
  phase,
} from '../app/state.js';
import { Section } from '../controls/controls.js';
import { STOPPED } from './emergency-stop.js';
import { Figure, formatCount, NOTHING } from './figures.js';

const FRICTION_WORDS = { free: 'free', stick: 'sticks', slip: 'slides' } as const;

export function FeelSection({ setPaused }: { setPaused: (wished: boolean) => void }) {
  // Without shared memory there is nothing to set; the foot of the panel says so.
  if (loopState.value === 'impossible') return null;
  const isOff = loopState.value !== 'running';
  return (
    <Section title="Feel">
      <LoopFigures />
      <div class="loop-run">
        <button type="button" disabled={isOff} onClick={() => setPaused(!isPaused.value)}>
          {isPaused.value ? 'Resume' : 'Pause'}
        </button>
        <span>
          <LoopWords />
        </span>
      </div>
    </Section>
  );
}

function LoopFigures() {
  const loop = loopReadings.value;
  const show = (format: (loop: LoopReadings) => string) => (loop ? format(loop) : NOTHING);
  return (
    <dl class="readouts-more">
      <Figure name="Friction" value={show(({ friction }) => FRICTION_WORDS[friction])} unit="" id="friction" />
      <Figure name="Tool to device" value={show(({ gap }) => (1000 * gap).toFixed(1))} unit="mm" id="gap" />
      <Figure name="Cycles" value={show(formatRate)} unit="/s" id="cycles" />
      <Figure name="Missed cycles" value={show(({ missed }) => formatCount(missed))} unit="" id="missed" />
      {isThreaded.value && (
        <Figure
          name={hasContactThread.value ? 'Contact thread' : 'Contact search'}
          value={show(({ contactRate }) => formatCount(Math.round(contactRate)))}
          unit="/s"
          id="contact-rate"
        />
      )}
      <Figure name="Energy delivered to the hand" value={show(formatEnergy)} unit="mJ" id="energy" />
    </dl>
  );
}

/** One line on how the loop is doing. */
function LoopWords() {
  if (loopState.value === 'lost') return 'The loop has stopped: no force';
  const loop = loopReadings.value;
  if (phase.value === 'cancelled' || phase.value === 'failed') return 'Not running';
  if (!loop) return 'Starting';
  if (isLoopSilent.value) return 'The loop does not answer: no force';
  if (isStopped.value) return STOPPED;
  if (isPaused.value) return 'Paused: no force';
  const faults = loop.faults.length === 0 ? '' : `; so far: ${loop.faults.join(', ')}`;
  return `${loop.gain < 1 ? 'Force ramping in' : 'Running'}${faults}`;
}

function formatRate({ cyclesPerSecond }: LoopReadings): string {
  return cyclesPerSecond === undefined ? NOTHING : formatCount(Math.round(cyclesPerSecond));
}

/** With a true minus sign. */
function formatEnergy({ energy }: LoopReadings): string {
  return (1000 * energy)
    .toFixed(1)
    .replace(/^-0\.0$/, '0.0')
    .replace('-', '−');
}
