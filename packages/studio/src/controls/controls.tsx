/** The small parts that panels and dialogs are made of. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="section" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface ChoiceProps<T extends string> {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
  /** The options get a line of their own below the legend. */
  readonly isWide?: boolean;
  readonly isDisabled?: boolean;
}

/** A few options side by side, one of them chosen. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { legend, name, options, value, onChoose, isWide = false, isDisabled = false } = props;
  return (
    <fieldset class="choice" data-wide={isWide} disabled={isDisabled}>
      <legend>{legend}</legend>
      <RadioOptions name={name} options={options} value={value} onChoose={onChoose} />
    </fieldset>
  );
}

interface RadioOptionsProps<T extends string> extends Pick<ChoiceProps<T>, 'name' | 'options' | 'value' | 'onChoose'> {
  /** Of the one that is chosen. */
  readonly id?: string;
}

export function RadioOptions<T extends string>({ name, options, value, onChoose, id }: RadioOptionsProps<T>) {
  return (
    <div class="choice-options">
      {options.map((option) => (
        <label key={option.value}>
          <input
            id={option.value === value ? id : undefined}
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The value in words and units, also for those who listen. */
  readonly text: string;
  readonly disabled?: boolean;
  readonly onInput: (value: number) => void;
}

export function Slider({ label, value, min, max, step, text, disabled = false, onInput }: SliderProps) {
  const id = useId();
  const share = max > min ? (value - min) / (max - min) : 0;
  return (
    <div class="slider">
      <label for={id}>{label}</label>
      <span class="figures slider-value" aria-hidden="true">
        {text}
      </span>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={disabled}
        aria-valuetext={text}
        style={{ '--share': String(share) }}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

interface ProgressLineProps {
  readonly label: string;
  readonly title: string;
  readonly stage: string;
  /** Undefined: at work, for an unknown time. */
  readonly fraction: number | undefined;
}

/** How far one of several things is. */
export function ProgressLine({ label, title, stage, fraction }: ProgressLineProps) {
  const percent = fraction === undefined ? undefined : Math.round(100 * fraction);
  const name = `${label}, ${stage.toLowerCase()}`;
  return (
    <div class="progress-line">
      <b>{title}</b>
      <span class="figures">{percent === undefined ? '…' : `${percent} %`}</span>
      <progress aria-label={name} max={100} {...(percent === undefined ? {} : { value: percent })} />
      <span class="progress-stage">{stage}</span>
    </div>
  );
}
