/** What a key means, beside its control: at hover after a moment, with the keyboard at once, and for screen readers. */
import { signal } from '@preact/signals';
import { Fragment } from 'preact';
import { describeRange, formatNumber, shownUnit } from './number-scale.js';
import { type EditableParameter, inWords, type LiveParameter } from './parameter-model.js';

const HOVER_PAUSE_MS = 350;
const WIDTH = 300;
const GAP = 10;

/** One at a time. */
const shownTip = signal<{ path: string; style: Readonly<Record<string, string>> } | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;
let shownRow: HTMLElement | undefined;

/** What the row of a key has to listen to. */
export function tipEvents(path: string) {
  return {
    onPointerEnter: ({ currentTarget, pointerType }: PointerEvent) => {
      // A finger has no hover; it gets the tip with the focus.
      if (pointerType === 'touch' || shownTip.value?.path === path) return;
      clearTimeout(timer);
      timer = setTimeout(() => showTip(path, currentTarget as HTMLElement), HOVER_PAUSE_MS);
    },
    onPointerLeave: () => hideTip(path),
    // Whoever drags a slider wants to see the stage.
    onPointerDown: () => hideTip(path),
    onFocusIn: ({ currentTarget, target }: FocusEvent) => {
      if ((target as HTMLElement).matches(':focus-visible')) showTip(path, currentTarget as HTMLElement);
    },
    onFocusOut: () => hideTip(path),
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hideTip(path);
    },
  };
}

function showTip(path: string, row: HTMLElement): void {
  clearTimeout(timer);
  shownRow = row;
  shownTip.value = { path, style: placeTip(row.getBoundingClientRect()) };
  // Of the panel, wherever it is in the page.
  addEventListener('scroll', followRow, true);
}

function followRow(): void {
  if (shownTip.value && shownRow) {
    shownTip.value = { ...shownTip.value, style: placeTip(shownRow.getBoundingClientRect()) };
  }
}

function hideTip(path: string): void {
  clearTimeout(timer);
  if (shownTip.value?.path !== path) return;
  shownTip.value = undefined;
  shownRow = undefined;
  removeEventListener('scroll', followRow, true);
}

/** To the left of the panel where there is room, else over or under the row; never out of the window. */
function placeTip({ left, top, bottom, width }: DOMRect): Readonly<Record<string, string>> {
  const isLow = top > innerHeight / 2;
  if (left > WIDTH + 2 * GAP) {
    const side = { right: `${innerWidth - left + GAP}px`, width: `${WIDTH}px` };
    return isLow ? { ...side, bottom: `${Math.max(GAP, innerHeight - bottom)}px` } : { ...side, top: `${top}px` };
  }
  const over = { left: `${left}px`, width: `${width}px` };
  return isLow ? { ...over, bottom: `${innerHeight - top + 4}px` } : { ...over, top: `${bottom + 4}px` };
}

export function Tip({ id, live, isUsed }: { id: string; live: LiveParameter; isUsed: boolean }) {
  const { path, parameter } = live;
  const place = shownTip.value?.path === path ? shownTip.value : undefined;
  return (
    <div role="tooltip" id={id} class="parameter-tip" data-shown={place !== undefined} style={place?.style ?? ''}>
      <p>
        <Prose text={parameter.meaning} />
      </p>
      {parameter.extremes && (
        <p>
          <Prose text={parameter.extremes} />
        </p>
      )}
      {!isUsed && <p>The chosen method and friction model do not use it.</p>}
      {parameter.kind === 'choice' && <Choices choices={parameter.choices} />}
      <p class="parameter-facts">
        {describeFacts(parameter)} <code>{path}</code>
      </p>
    </div>
  );
}

function Choices({ choices }: { choices: Readonly<Record<string, string>> }) {
  return (
    <dl>
      {Object.entries(choices).map(([choice, words]) => (
        <div key={choice}>
          <dt>{inWords(choice)}</dt>
          <dd>
            <Prose text={words} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Text of a description, in which keys stand between backticks. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text
        .split('`')
        .map((part, index) =>
          index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
        )}
    </>
  );
}

/** `Range 0 to 0.99. Default 0.6.` */
function describeFacts(parameter: EditableParameter): string {
  const range = parameter.kind === 'number' || parameter.kind === 'vector' ? `Range ${describeRange(parameter)}. ` : '';
  return `${range}Default ${formatDefault(parameter)}.`;
}

/** The default as it would be shown: `3 mm`, `on`, `Cone`. */
export function formatDefault(parameter: EditableParameter): string {
  if (parameter.default === null || parameter.default === undefined) return 'not given';
  if (parameter.kind === 'flag') return parameter.default ? 'on' : 'off';
  if (parameter.kind === 'choice') return inWords(parameter.default ?? '');
  const shown = shownUnit(parameter);
  const numbers = [parameter.default ?? []].flat().map((value) => formatNumber(value, shown));
  return `${numbers.join(', ')}${shown.unit && ` ${shown.unit}`}`;
}
