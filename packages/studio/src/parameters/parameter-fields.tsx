/** The controls of one key, by its kind. */
import type { ChoiceParameter, FlagParameter, NumberParameter, VectorParameter } from '@palpable/engine/advanced';
import { useMemo, useState } from 'preact/hooks';
import { RadioOptions } from '../controls/controls.js';
import { formatNumber, parseNumber, shownUnit, sliderScale } from './number-scale.js';
import type { ParameterEdits } from './parameter-edits.js';
import { impliedValue, inWords, type LiveParameter, offeredChoices } from './parameter-model.js';

interface FieldProps<P extends LiveParameter['parameter']> {
  readonly live: LiveParameter<P>;
  readonly edits: ParameterEdits;
  /** Of the first control, which the label belongs to. */
  readonly id: string;
  readonly describedBy: string;
}

export function NumberField({ live, edits, id, describedBy }: FieldProps<NumberParameter>) {
  const { path, parameter, name } = live;
  const scale = useMemo(() => sliderScale(path, parameter), [path, parameter]);
  const given = edits.valueOf(path);
  const implied = given === null ? impliedValue(path, edits.valueOf) : undefined;
  const value = typeof given === 'number' ? given : (implied?.value ?? 0);
  const shown = shownUnit(parameter);
  const position = scale.toPosition(value);
  const isKnown = implied === undefined || implied.value !== undefined;
  const spoken = isKnown ? [formatNumber(value, shown), shown.unit, implied?.words] : [implied.words];
  return (
    <div class="parameter-number" data-implied={implied !== undefined}>
      <input
        type="range"
        min={0}
        max={scale.steps}
        step={1}
        value={position}
        aria-label={name}
        aria-describedby={describedBy}
        aria-valuetext={spoken.filter(Boolean).join(' ')}
        style={{ '--share': String(position / scale.steps) }}
        onInput={(event) => edits.change(path, scale.toValue(event.currentTarget.valueAsNumber))}
      />
      <TypedNumber
        id={id}
        name={name}
        text={typeof given === 'number' ? formatNumber(given, shown) : ''}
        placeholder={implied?.value === undefined ? '' : formatNumber(implied.value, shown)}
        describedBy={describedBy}
        isWrong={edits.problems.value.has(path)}
        onTyped={(text) => takeNumber(text, live, edits)}
      />
    </div>
  );
}

/** An emptied field gives the key back to what it follows, where it follows something. */
function takeNumber(text: string, { path, parameter }: LiveParameter<NumberParameter>, edits: ParameterEdits): void {
  if (text.trim() === '' && parameter.default === null) {
    edits.change(path, null);
    return;
  }
  const value = parseNumber(text, parameter);
  if (typeof value === 'string') edits.refuse(path, value);
  else edits.change(path, value);
}

interface TypedNumberProps {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly placeholder: string;
  readonly describedBy: string;
  readonly isWrong: boolean;
  readonly onTyped: (text: string) => void;
}

/** Taken over with Enter or on leaving; Escape brings back what was there. */
function TypedNumber({ id, name, text, placeholder, describedBy, isWrong, onTyped }: TypedNumberProps) {
  const [draft, setDraft] = useState<string>();
  const take = () => {
    if (draft !== undefined && draft !== text) onTyped(draft);
    setDraft(undefined);
  };
  return (
    <input
      id={id}
      type="text"
      inputMode="decimal"
      autocomplete="off"
      spellcheck={false}
      class="parameter-field field figures"
      value={draft ?? text}
      placeholder={placeholder}
      aria-label={name}
      aria-describedby={describedBy}
      aria-invalid={isWrong}
      data-typing={draft !== undefined && draft !== text}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
        else if (event.key === 'Escape') setDraft(undefined);
      }}
    />
  );
}

const AXES = ['x', 'y', 'z', 'w'] as const;

export function VectorField({ live, edits, id, describedBy }: FieldProps<VectorParameter>) {
  const { path, parameter, name } = live;
  const given = edits.valueOf(path);
  const parts = Array.isArray(given) ? (given as readonly number[]) : undefined;
  const shown = shownUnit(parameter);
  const takePart = (index: number, text: string) => {
    const part = parseNumber(text, parameter);
    if (typeof part === 'string') edits.refuse(path, part);
    else edits.change(path, (parts ?? Array<number>(parameter.length).fill(0)).with(index, part));
  };
  return (
    <div class="parameter-vector">
      {AXES.slice(0, parameter.length).map((axis, index) => (
        <span key={axis}>
          <span aria-hidden="true">{axis}</span>
          <TypedNumber
            id={index === 0 ? id : `${id}-${axis}`}
            name={`${name}, ${axis}`}
            text={parts ? formatNumber(parts[index] ?? 0, shown) : ''}
            placeholder="–"
            describedBy={describedBy}
            isWrong={edits.problems.value.has(path)}
            onTyped={(text) => takePart(index, text)}
          />
        </span>
      ))}
    </div>
  );
}

export function FlagField({ live, edits, id, describedBy }: FieldProps<FlagParameter>) {
  const isOn = edits.valueOf(live.path) === true;
  return (
    <span class="switch">
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-label={live.name}
        aria-describedby={describedBy}
        aria-checked={isOn}
        checked={isOn}
        onChange={(event) => edits.change(live.path, event.currentTarget.checked)}
      />
    </span>
  );
}

/** So many options fit side by side. */
const MOST_SIDE_BY_SIDE = 3;

/** Whether the options stand side by side, each with a name of its own, so that a label belongs to all of them. */
export function isSideBySide({ path, parameter }: LiveParameter, edits: ParameterEdits): boolean {
  if (parameter.kind !== 'choice') return false;
  return offeredChoices(parameter, edits.valueOf(path), edits.valueOf('bodies')).length <= MOST_SIDE_BY_SIDE;
}

export function ChoiceField(props: FieldProps<ChoiceParameter>) {
  const { live, edits } = props;
  const chosen = String(edits.valueOf(live.path));
  const offered = offeredChoices(live.parameter, chosen, edits.valueOf('bodies'));
  const Field = isSideBySide(live, edits) ? SideBySide : OptionList;
  return <Field {...props} chosen={chosen} offered={offered} />;
}

interface OptionProps extends FieldProps<ChoiceParameter> {
  readonly chosen: string;
  readonly offered: readonly string[];
}

function SideBySide({ live, edits, id, describedBy, chosen, offered }: OptionProps) {
  return (
    <div class="choice" data-wide="true" role="radiogroup" aria-label={live.name} aria-describedby={describedBy}>
      <RadioOptions
        name={live.path}
        options={offered.map((choice) => ({ value: choice, label: inWords(choice) }))}
        value={chosen}
        onChoose={(choice) => edits.change(live.path, choice)}
        id={id}
      />
    </div>
  );
}

function OptionList({ live, edits, id, describedBy, chosen, offered }: OptionProps) {
  return (
    <select
      id={id}
      class="parameter-select"
      aria-label={live.name}
      aria-describedby={describedBy}
      value={chosen}
      onChange={(event) => edits.change(live.path, event.currentTarget.value)}
    >
      {offered.map((choice) => (
        <option key={choice} value={choice}>
          {inWords(choice)}
        </option>
      ))}
    </select>
  );
}

/** What stands after the label: the unit, unless the label says it, and what a key that is not given follows. */
export function describeUnit({ path, label, parameter }: LiveParameter, edits: ParameterEdits): string {
  const unit = parameter.kind === 'number' || parameter.kind === 'vector' ? shownUnit(parameter).unit : '';
  const implied = edits.valueOf(path) === null ? impliedValue(path, edits.valueOf).words : '';
  const isSaid = label.toLowerCase().split(' ').includes(unit);
  return [isSaid ? '' : unit, implied].filter(Boolean).join(', ');
}
