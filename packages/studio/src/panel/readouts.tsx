/** Live numbers in figures of fixed width, each with its unit; nothing moves when they change. */
import { readings } from '../app/state.js';

export function Readouts() {
  const { query, queryP50Us, queryP99Us, pictures } = readings.value;
  return (
    <div class="readouts">
      <dl class="readouts-main">
        <Readout
          name="Contacts"
          value={query ? formatCount(query.contacts) : NOTHING}
          unit={query?.isCapped ? 'and more' : ''}
          id="contacts"
        />
        <Readout name="Deepest" value={query ? (1000 * query.deepest).toFixed(2) : NOTHING} unit="mm" id="deepest" />
      </dl>
      <dl class="readouts-more">
        <Readout name="Points visited" value={query ? formatCount(query.visited) : NOTHING} unit="" id="visited" />
        <Readout
          name="Query, p50 and p99"
          value={`${formatUs(queryP50Us)} ${formatUs(queryP99Us)}`}
          unit="µs"
          id="query"
        />
        <Readout
          name="Pictures"
          value={pictures > 0 ? String(pictures) : 'at rest'}
          unit={pictures > 0 ? '/s' : ''}
          id="pictures"
        />
      </dl>
    </div>
  );
}

const NOTHING = '–';

function Readout({ name, value, unit, id }: { name: string; value: string; unit: string; id: string }) {
  return (
    <div class="readout" data-reading={id}>
      <dt>{name}</dt>
      <dd>
        <span class="figures">{value}</span> <span class="unit">{unit}</span>
      </dd>
    </div>
  );
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}

function formatUs(us: number | undefined): string {
  return (us === undefined ? NOTHING : us.toFixed(0)).padStart(5);
}
