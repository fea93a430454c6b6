/** Live numbers in figures of fixed width, each with its unit; nothing moves when they change. */
import { loopReadings, loopState, readings } from '../app/state.js';
import { Figure, formatCount, NOTHING } from './figures.js';

export function Readouts() {
  const { found, queryP50Us, queryP99Us, pictures } = readings.value;
  return (
    <div class="readouts">
      <WrenchReadouts />
      <dl class="readouts-main">
        <Figure
          name="Contacts"
          value={found ? formatCount(found.contacts) : NOTHING}
          unit={found?.isCapped ? 'and more' : ''}
          id="contacts"
        />
        <Figure name="Deepest" value={found ? (1000 * found.deepest).toFixed(2) : NOTHING} unit="mm" id="deepest" />
      </dl>
      <dl class="readouts-more">
        <Figure
          name="Query, p50 and p99"
          value={`${formatUs(queryP50Us)} ${formatUs(queryP99Us)}`}
          unit="µs"
          id="query"
        />
        <Figure
          name="Frames"
          value={pictures > 0 ? String(pictures) : 'at rest'}
          unit={pictures > 0 ? '/s' : ''}
          id="pictures"
        />
      </dl>
    </div>
  );
}

/** What the hand gets, beside what is found. */
function WrenchReadouts() {
  if (loopState.value === 'impossible') return null;
  const reading = loopReadings.value;
  return (
    <dl class="readouts-main readouts-wrench">
      <Figure name="Force" value={reading ? reading.force.toFixed(2) : NOTHING} unit="N" id="force" />
      <Figure name="Torque" value={reading ? reading.torque.toFixed(3) : NOTHING} unit="N m" id="torque" />
    </dl>
  );
}

/** Nothing where the contacts come from a thread of their own. */
function formatUs(us: number | undefined): string {
  return (us ? us.toFixed(0) : NOTHING).padStart(5);
}
