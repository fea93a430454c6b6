/** The same motion through several methods and models of friction: choose, run, see them side by side. */
import { STATE_NAMES } from '@palpable/engine/advanced';
import { type Signal, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Choice } from '../controls/controls.js';
import { Dialog } from '../controls/dialog.js';
import { capitalise } from '../controls/words.js';
import { RunPlot } from '../plots/run-plot.js';
import type { VariantResult } from './compare.js';
import type { Compared, Comparison } from './comparison.js';
import { DriftPlot } from './drift-plot.js';
import { csvOfRun, fileName, saveFile } from './export.js';
import type { ListedTake } from './record-desk.js';
import { type ComparedColumn, historyOf } from './run-history.js';
import { FRICTION_CHOICES, METHOD_CHOICES, type VariantChoice } from './variants.js';
import './record.css';

interface CompareDialogProps {
  /** The dialog is open while there is one. */
  readonly take: ListedTake | undefined;
  readonly comparison: Comparison;
  readonly onRun: () => void;
  readonly onClose: () => void;
}

export function CompareDialog({ take, comparison, onRun, onClose }: CompareDialogProps) {
  const title = `Compare methods on ${take?.name ?? 'a take'}`;
  return (
    <Dialog title={title} isOpen={take !== undefined} class="compare" onClose={onClose}>
      <p class="compare-about">
        The device moves as it did in the take; every method starts with the tool where it was. Runs as fast as it can,
        without the limits of a device.
      </p>
      <div class="compare-choices">
        <Checks legend="Methods" choices={METHOD_CHOICES} chosen={comparison.methods} />
        <Checks legend="Friction models" choices={FRICTION_CHOICES} chosen={comparison.models} />
      </div>
      <RunLine comparison={comparison} onRun={onRun} />
      <Results comparison={comparison} />
    </Dialog>
  );
}

interface ChecksProps {
  readonly legend: string;
  readonly choices: readonly VariantChoice[];
  readonly chosen: Signal<ReadonlySet<string>>;
}

function Checks({ legend, choices, chosen }: ChecksProps) {
  const toggle = (value: string, isOn: boolean) => {
    const next = new Set(chosen.value);
    if (isOn) next.add(value);
    else next.delete(value);
    chosen.value = next;
  };
  return (
    <fieldset class="compare-checks">
      <legend>{legend}</legend>
      {choices.map(({ value, label, meaning }) => (
        <label key={value} title={meaning}>
          <input
            type="checkbox"
            checked={chosen.value.has(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function RunLine({ comparison, onRun }: { comparison: Comparison; onRun: () => void }) {
  const count = comparison.variants.length;
  const progress = comparison.progress.value;
  return (
    <div class="compare-run">
      {progress ? (
        <button type="button" onClick={() => comparison.cancel()}>
          Cancel
        </button>
      ) : (
        <button type="button" class="primary" disabled={count === 0} onClick={onRun}>
          {count === 1 ? 'Run 1 variant' : `Run ${count} variants`}
        </button>
      )}
      <div class="compare-progress" role="status">
        {progress && <progress value={progress.fraction} aria-label="Progress of the comparison" />}
        <span>{progress ? progress.label : comparison.words.value || hintOf(count)}</span>
      </div>
    </div>
  );
}

function hintOf(count: number): string {
  return count === 0 ? 'Choose a method; static friction and god object also need a friction model.' : '';
}

const COLUMN_OPTIONS: readonly { value: ComparedColumn; label: string }[] = [
  { value: 'force', label: 'Force' },
  { value: 'torque', label: 'Torque' },
  { value: 'max_penetration', label: 'Penetration' },
  { value: 'gap', label: 'Device to tool' },
];

const column = signal<ComparedColumn>('force');

function Results({ comparison }: { comparison: Comparison }) {
  const compared = comparison.compared.value;
  const runs = useMemo(() => plottedRuns(compared), [compared]);
  if (compared.length === 0) {
    return <p class="compare-empty">Forces, drift and times of every variant appear here once they have been run.</p>;
  }
  return (
    <>
      <ResultTable compared={compared} />
      <Choice
        legend="Over time"
        name="compared-column"
        options={COLUMN_OPTIONS}
        value={column.value}
        onChoose={(chosen) => (column.value = chosen)}
      />
      <div class="compare-plots">
        <RunPlot name="Runs over each other" runs={runs} columns={[column.value]} />
        <DriftPlot runs={runs} />
      </div>
    </>
  );
}

/** The same place in the list has the same colour in the table and in the plots. */
const colourOf = (index: number) => `var(--run-${(index % 10) + 1})`;

/** Made once per result: it has all its rows in it. */
const histories = new WeakMap<VariantResult, ReturnType<typeof historyOf>>();

function plottedRuns(compared: readonly Compared[]) {
  return compared.flatMap((one, index) => {
    if (!('result' in one)) return [];
    const history = histories.get(one.result) ?? historyOf(one.result);
    histories.set(one.result, history);
    return [{ label: one.label, colour: colourOf(index), history, result: one.result }];
  });
}

const HEADS: readonly { readonly words: string; readonly unit?: string; readonly title?: string }[] = [
  { words: 'Variant' },
  { words: 'Largest force', unit: 'N' },
  { words: 'Largest torque', unit: 'N m' },
  { words: 'Drift', unit: 'mm', title: 'Farthest the tool moved along the surface while sticking' },
  { words: 'Deepest', unit: 'mm' },
  { words: capitalise(STATE_NAMES.join(', ')), unit: '%', title: 'Fractions of all cycles' },
  { words: 'Time p50, p99', unit: 'µs', title: 'Per cycle: median and 99th percentile' },
  { words: 'File' },
];

function ResultTable({ compared }: { compared: readonly Compared[] }) {
  return (
    <div class="compare-table">
      <table>
        <thead>
          <tr>
            {HEADS.map(({ words, unit, title }) => (
              <th key={words} scope="col" title={title}>
                {words} {unit && <span class="unit">{unit}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {compared.map((one, index) => (
            <tr key={one.label}>
              <th scope="row">
                <span class="swatch" style={{ background: colourOf(index) }} aria-hidden="true" /> {one.label}
              </th>
              {'result' in one ? <Figures result={one.result} /> : <td colSpan={7}>{one.problem}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Figures({ result }: { result: VariantResult }) {
  const { maxForce, maxTorque, drift, maxPenetration, states, p50Us, p99Us } = result.summary;
  const save = async () => saveFile(fileName(result.label, 'csv'), await csvOfRun(result));
  return (
    <>
      <td class="figures">{maxForce.toFixed(2)}</td>
      <td class="figures">{maxTorque.toFixed(3)}</td>
      <td class="figures">{(1000 * drift).toFixed(3)}</td>
      <td class="figures">{(1000 * maxPenetration).toFixed(2)}</td>
      <td class="figures">{states.map((share) => (100 * share).toFixed(0)).join(', ')}</td>
      <td class="figures">{`${p50Us.toFixed(0)}, ${p99Us.toFixed(0)}`}</td>
      <td>
        <button type="button" aria-label={`Save ${result.label} as CSV`} onClick={() => void save()}>
          CSV
        </button>
      </td>
    </>
  );
}
