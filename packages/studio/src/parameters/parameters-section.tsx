/** Method, friction model and all that they use, to be changed while the scene runs, with undo. */
import type { Signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isSameValue } from './edit-history.js';
import { materialParameters } from './material-parameters.js';
import { createParameterEdits, type ParameterEdits, readShortcut, type SetParameter } from './parameter-edits.js';
import {
  type Choices,
  frictionNote,
  groupTitle,
  isUsed,
  type LiveParameter,
  liveParameter,
  liveParameters,
  METHOD_PATH,
  MODEL_PATH,
  matchesFilter,
  methodNote,
  PANEL_GROUPS,
  readChoices,
} from './parameter-model.js';
import { ParameterRow } from './parameter-row.js';
import './parameters.css';

export interface ParametersSectionProps {
  /** The scene as it is in its file; undefined while there is none. */
  readonly scene: Signal<unknown>;
  /** Resolves with null once `scene` holds the value, or with a sentence why it does not. */
  readonly set: SetParameter;
  /** Where no loop runs that could take a change. */
  readonly isDisabled?: boolean;
}

/** Of the section that is on the page, for keys that are pressed anywhere. */
let current: ParameterEdits | undefined;

/** Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y, with Cmd as well. True when the key meant something. */
export function handleShortcut(event: KeyboardEvent): boolean {
  const step = current && readShortcut(event);
  if (!step) return false;
  current![step]();
  return true;
}

/** To be given a `key` of its own for every scene, so that nobody undoes what was done in another one. */
export function ParametersSection({ scene, set, isDisabled = false }: ParametersSectionProps) {
  const newestSet = useRef(set);
  newestSet.current = set;
  const edits = useMemo(() => createParameterEdits(scene, (path, value) => newestSet.current(path, value)), [scene]);
  useEffect(() => {
    current = isDisabled ? undefined : edits;
    return () => {
      if (current === edits) current = undefined;
    };
  }, [edits, isDisabled]);
  return (
    <section class="section parameters" aria-label="Parameters" onKeyDown={keepKeys}>
      <header>
        <h2>Parameters</h2>
        <HistoryButtons edits={edits} isDisabled={isDisabled} />
      </header>
      {scene.value === undefined ? (
        <p class="parameters-empty">Open a scene to change its parameters here.</p>
      ) : (
        <fieldset disabled={isDisabled}>
          <Parameters edits={edits} />
        </fieldset>
      )}
    </section>
  );
}

/** Keys of a list of options are its own: they must not move the tool as well. */
function keepKeys(event: KeyboardEvent): void {
  const isOwn = event.target instanceof HTMLSelectElement && !event.ctrlKey && !event.metaKey;
  if (isOwn) event.stopPropagation();
}

function HistoryButtons({ edits, isDisabled }: { edits: ParameterEdits; isDisabled: boolean }) {
  const { done, undone } = edits.history.value;
  return (
    <div class="history">
      <HistoryButton
        label="Undo"
        keys="Ctrl+Z"
        shortcut="Control+Z"
        path={isDisabled ? undefined : done.at(-1)?.path}
        drawing="M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7"
        onPress={edits.undo}
      />
      <HistoryButton
        label="Redo"
        keys="Ctrl+Shift+Z"
        shortcut="Control+Shift+Z"
        path={isDisabled ? undefined : undone.at(-1)?.path}
        drawing="M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h3"
        onPress={edits.redo}
      />
      <span class="visually-hidden" role="status">
        {edits.news.value}
      </span>
    </div>
  );
}

interface HistoryButtonProps {
  readonly label: string;
  /** As it is read, and as browsers want it. */
  readonly keys: string;
  readonly shortcut: string;
  /** Of the key that it would change; undefined where there is nothing to do. */
  readonly path: string | undefined;
  readonly drawing: string;
  readonly onPress: () => void;
}

/** Not `disabled` at the end of the history: whoever presses it again and again would lose the focus. */
function HistoryButton({ label, keys, shortcut, path, drawing, onPress }: HistoryButtonProps) {
  const what = path === undefined ? 'nothing to change' : (liveParameter(path)?.name ?? path);
  return (
    <button
      type="button"
      title={`${label}: ${what} (${keys})`}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-disabled={path === undefined}
      onClick={() => path !== undefined && onPress()}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={drawing} />
      </svg>
    </button>
  );
}

function Parameters({ edits }: { edits: ParameterEdits }) {
  const [filter, setFilter] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  const choices = readChoices(edits.valueOf);
  const materials = materialParameters({ bodies: edits.valueOf('bodies') });
  const all = [...materials, ...liveParameters];
  const groups = [...new Set(materials.map(({ group }) => group)), ...PANEL_GROUPS];
  const wanted = filter.trim();
  const found = all.filter(
    (live) => !isOnTop(live) && (wanted === '' ? showsAll || isUsed(live.path, choices) : matchesFilter(live, wanted)),
  );
  const unused = all.filter((live) => !isOnTop(live) && !isUsed(live.path, choices)).length;
  return (
    <>
      <ParameterRow
        live={liveParameter(METHOD_PATH)!}
        edits={edits}
        isUsed
        note={methodNote(choices, edits.isWritten(METHOD_PATH))}
      />
      <ParameterRow
        live={liveParameter(MODEL_PATH)!}
        edits={edits}
        isUsed={isUsed(MODEL_PATH, choices)}
        note={frictionNote(choices)}
      />
      <input
        type="text"
        class="parameters-filter field"
        placeholder="Filter, such as “stiffness”"
        aria-label="Filter the parameters"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setFilter('');
        }}
      />
      {groups.map((group) => (
        <Group key={group} group={group} found={found} edits={edits} choices={choices} isFiltered={wanted !== ''} />
      ))}
      {found.length === 0 && (
        <p class="parameters-empty" role="status">
          No parameter has “{wanted}” in its name or meaning.{' '}
          <button type="button" onClick={() => setFilter('')}>
            Clear the filter
          </button>
        </p>
      )}
      {wanted === '' && (unused > 0 || showsAll) && (
        <button type="button" class="parameters-more" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide those not in use' : `Show ${unused} more, not in use now`}
        </button>
      )}
    </>
  );
}

function isOnTop({ path }: LiveParameter): boolean {
  return path === METHOD_PATH || path === MODEL_PATH;
}

interface GroupProps {
  readonly group: string;
  readonly found: readonly LiveParameter[];
  readonly edits: ParameterEdits;
  readonly choices: Choices;
  /** Then whatever was found is to be seen. */
  readonly isFiltered: boolean;
}

function Group({ group, found, edits, choices, isFiltered }: GroupProps) {
  const [isOpen, setOpen] = useState(group === 'friction' || group.startsWith('bodies.'));
  const members = found.filter((live) => live.group === group);
  if (members.length === 0) return null;
  const changed = members.filter(({ path, parameter }) => !isSameValue(edits.valueOf(path), parameter.default)).length;
  return (
    <details
      class="parameter-group"
      open={isOpen || isFiltered}
      onToggle={(event) => {
        if (!isFiltered) setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        {groupTitle(group)}
        {changed > 0 && <span class="unit">{changed} not at default</span>}
      </summary>
      {members.map((live) => (
        <ParameterRow key={live.path} live={live} edits={edits} isUsed={isUsed(live.path, choices)} />
      ))}
    </details>
  );
}
