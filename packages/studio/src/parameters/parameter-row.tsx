/** One key in the panel: its name and unit, its control, the reset to its default, and what went wrong. */
import { useId, useRef } from 'preact/hooks';
import { capitalise } from '../controls/words.js';
import { isSameValue } from './edit-history.js';
import type { ParameterEdits } from './parameter-edits.js';
import { ChoiceField, describeUnit, FlagField, isSideBySide, NumberField, VectorField } from './parameter-fields.js';
import type { LiveParameter } from './parameter-model.js';
import { formatDefault, Prose, Tip, tipEvents } from './parameter-tip.js';

interface RowProps {
  readonly live: LiveParameter;
  readonly edits: ParameterEdits;
  readonly isUsed: boolean;
  /** In place of what the chosen option says of itself. */
  readonly note?: string | undefined;
}

export function ParameterRow({ live, edits, isUsed, note }: RowProps) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const { path, parameter } = live;
  const problem = edits.problems.value.get(path);
  const reset = () => {
    edits.change(path, parameter.default);
    // The button hides itself; the focus must not be lost with it.
    row.current?.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus();
  };
  return (
    <div
      ref={row}
      class="parameter"
      data-kind={parameter.kind}
      data-path={path}
      data-used={isUsed}
      {...tipEvents(path)}
    >
      <RowLabel live={live} edits={edits} id={id} isUsed={isUsed} />
      <ResetButton live={live} isDefault={isSameValue(edits.valueOf(path), parameter.default)} onReset={reset} />
      <Field live={live} edits={edits} id={id} describedBy={`${id}-tip ${id}-problem`} />
      <p class="parameter-problem" id={`${id}-problem`} role="alert">
        {problem}
      </p>
      {parameter.kind === 'choice' && (
        <p class="parameter-words">
          <Prose text={note ?? sentence(parameter.choices[String(edits.valueOf(path))] ?? '')} />
        </p>
      )}
      <Tip id={`${id}-tip`} live={live} isUsed={isUsed} />
    </div>
  );
}

function RowLabel({ live, edits, id, isUsed }: Omit<RowProps, 'note'> & { id: string }) {
  const more = [describeUnit(live, edits), isUsed ? '' : 'not in use'].filter(Boolean).join(', ');
  const words = (
    <>
      {live.label} <span class="unit">{more}</span>
    </>
  );
  if (isSideBySide(live, edits)) return <span class="parameter-label">{words}</span>;
  return (
    <label class="parameter-label" for={id}>
      {words}
    </label>
  );
}

interface AnyFieldProps extends Pick<RowProps, 'live' | 'edits'> {
  readonly id: string;
  readonly describedBy: string;
}

function Field({ live, ...rest }: AnyFieldProps) {
  const { parameter } = live;
  switch (parameter.kind) {
    case 'number':
      return <NumberField live={{ ...live, parameter }} {...rest} />;
    case 'vector':
      return <VectorField live={{ ...live, parameter }} {...rest} />;
    case 'flag':
      return <FlagField live={{ ...live, parameter }} {...rest} />;
    case 'choice':
      return <ChoiceField live={{ ...live, parameter }} {...rest} />;
  }
}

function ResetButton({ live, isDefault, onReset }: { live: LiveParameter; isDefault: boolean; onReset: () => void }) {
  const words = `Reset to the default: ${formatDefault(live.parameter)}`;
  return (
    <button
      type="button"
      class="parameter-reset"
      data-hidden={isDefault}
      disabled={isDefault}
      title={words}
      aria-label={`${live.name}: ${words.toLowerCase()}`}
      onClick={onReset}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d="M3 3v4h4M3.4 7A5 5 0 1 1 3.6 10" />
      </svg>
    </button>
  );
}

/** Descriptions of options are parts of sentences. */
function sentence(words: string): string {
  const end = words === '' || words.endsWith('.') ? '' : '.';
  return capitalise(words) + end;
}
