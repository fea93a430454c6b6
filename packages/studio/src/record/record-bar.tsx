/** Below the stage: record, the list of takes, and the time line of the one that is played. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { CompareDialog } from './compare-dialog.js';
import { Comparison } from './comparison.js';
import type { ListedTake, RecordDesk, ShownReplay } from './record-desk.js';
import { REPLAY_SPEEDS } from './replay.js';
import './record.css';

interface RecordBarProps {
  readonly desk: RecordDesk;
  /** Saves an image of the stage. */
  readonly onSavePicture: () => void;
}

export function RecordBar({ desk, onSavePicture }: RecordBarProps) {
  const comparison = useMemo(() => new Comparison(), []);
  const comparedId = useSignal<number | undefined>(undefined);
  const isListOpen = useSignal(false);
  const bar = useRef<HTMLElement>(null);
  const compared = desk.takes.value.find(({ id }) => id === comparedId.value);
  const compare = (id: number) => {
    comparison.clear(desk.takes.value.find((take) => take.id === id)?.take.scene);
    comparedId.value = id;
    isListOpen.value = false;
  };
  const closeList = () => {
    isListOpen.value = false;
    bar.current?.querySelector<HTMLButtonElement>('.takes-button')?.focus();
  };
  return (
    <section ref={bar} class="record-bar" aria-label="Record and replay">
      <RecordButton desk={desk} />
      <TakesButton desk={desk} isOpen={isListOpen.value} setOpen={(isOpen) => (isListOpen.value = isOpen)} />
      <div class="record-middle">
        {desk.replay.value ? (
          <TimeLine desk={desk} replay={desk.replay.value} onCompare={compare} />
        ) : (
          <Words desk={desk} />
        )}
      </div>
      <button type="button" class="record-picture" title="Save a picture of the stage (PNG)" onClick={onSavePicture}>
        Picture
      </button>
      {isListOpen.value && <TakeList desk={desk} onCompare={compare} onClose={closeList} />}
      <CompareDialog
        take={compared}
        comparison={comparison}
        onRun={() => compared && comparison.start(desk.motionOf(compared.id))}
        onClose={() => {
          comparison.cancel();
          comparedId.value = undefined;
        }}
      />
    </section>
  );
}

function RecordButton({ desk }: { desk: RecordDesk }) {
  const recording = desk.recording.value;
  return (
    <button
      type="button"
      class="record-button"
      data-recording={recording !== undefined}
      disabled={!desk.canRecord.value}
      onClick={() => desk.toggleRecording()}
    >
      <span class="record-mark" aria-hidden="true" />
      {recording ? 'End' : 'Record'}
      <span class="figures record-time">{formatTime(recording?.seconds ?? 0)}</span>
    </button>
  );
}

function Words({ desk }: { desk: RecordDesk }) {
  const dropped = desk.recording.value?.dropped ?? 0;
  return (
    <p class="record-words" role="status">
      {desk.words.value || hintOf(desk, dropped)}
    </p>
  );
}

function hintOf(desk: RecordDesk, dropped: number): string {
  if (dropped > 0)
    return `${dropped.toLocaleString('en')} cycles were lost because the page was too busy to fetch them.`;
  if (desk.recording.value) return 'Every cycle of the loop is recorded.';
  if (!desk.canRecord.value) return 'Nothing can be recorded until the loop runs.';
  if (desk.takes.value.length > 0) return 'Live. Choose a take to play it back.';
  return 'Record what the loop does; then play it back, or run the same motion through other methods.';
}

interface TakesButtonProps {
  readonly desk: RecordDesk;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

function TakesButton({ desk, isOpen, setOpen }: TakesButtonProps) {
  const count = desk.takes.value.length;
  return (
    <button
      type="button"
      class="takes-button"
      aria-expanded={isOpen}
      aria-controls="takes"
      disabled={count === 0}
      onClick={() => setOpen(!isOpen)}
    >
      Takes <span class="figures">{count}</span>
    </button>
  );
}

interface TimeLineProps {
  readonly desk: RecordDesk;
  readonly replay: ShownReplay;
  readonly onCompare: (id: number) => void;
}

/** A frame apart: finer cannot be seen, and arrow keys should get somewhere. */
const SEEK_STEP = 0.01;

function TimeLine({ desk, replay, onCompare }: TimeLineProps) {
  const { id, time, duration, isPlaying, speed } = replay;
  const name = desk.takes.value.find((one) => one.id === id)?.name ?? '';
  return (
    <div class="time-line">
      <button type="button" class="play-button" onClick={() => desk.togglePlaying()}>
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <div class="slider">
        <input
          type="range"
          min={0}
          max={duration}
          step={SEEK_STEP}
          value={time}
          aria-label={`Time in ${name}`}
          aria-valuetext={`${time.toFixed(1)} of ${duration.toFixed(1)} seconds`}
          style={{ '--share': String(duration > 0 ? time / duration : 0) }}
          onInput={(event) => desk.seek(event.currentTarget.valueAsNumber)}
        />
      </div>
      <span class="figures time-line-time">
        {formatTime(time)} / {formatTime(duration)}
      </span>
      <select
        aria-label="Speed"
        value={String(speed)}
        onChange={(event) => desk.setSpeed(Number(event.currentTarget.value))}
      >
        {REPLAY_SPEEDS.map((one) => (
          <option key={one} value={String(one)}>
            {one} ×
          </option>
        ))}
      </select>
      <button type="button" class="time-line-compare" onClick={() => onCompare(id)}>
        Compare…
      </button>
      <button type="button" title="Show the loop again" onClick={() => desk.leaveReplay()}>
        Live
      </button>
    </div>
  );
}

interface TakeListProps {
  readonly desk: RecordDesk;
  readonly onCompare: (id: number) => void;
  readonly onClose: () => void;
}

function TakeList({ desk, onCompare, onClose }: TakeListProps) {
  const list = useRef<HTMLDivElement>(null);
  const count = desk.takes.value.length;
  useEffect(() => list.current!.querySelector('button')?.focus(), []);
  useEffect(() => {
    if (count === 0) onClose();
  }, [count, onClose]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only closes on Escape what its button opens
    <div
      ref={list}
      id="takes"
      class="take-list"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        // Keys of the stage are not meant here.
        event.stopPropagation();
      }}
    >
      <ul>
        {desk.takes.value.map((listed) => (
          <TakeRow key={listed.id} desk={desk} listed={listed} onCompare={onCompare} />
        ))}
      </ul>
      <SavingLine desk={desk} />
    </div>
  );
}

/** What becomes of a file that was asked for. */
function SavingLine({ desk }: { desk: RecordDesk }) {
  const saving = desk.saving.value;
  return (
    <p class="record-words" role="status">
      {saving && <progress value={saving.fraction} aria-label={`Writing ${saving.name}`} />}
      {saving ? `Writing ${saving.name}` : desk.words.value}
    </p>
  );
}

interface TakeRowProps {
  readonly desk: RecordDesk;
  readonly listed: ListedTake;
  readonly onCompare: (id: number) => void;
}

function TakeRow({ desk, listed, onCompare }: TakeRowProps) {
  const { id, name, seconds, take } = listed;
  const canReplay = desk.canReplay(listed) && !desk.recording.value;
  const isSaving = desk.saving.value !== undefined;
  const lost = take.dropped > 0 ? `, ${take.dropped.toLocaleString('en')} cycles lost` : '';
  return (
    <li aria-current={desk.replay.value?.id === id}>
      <button
        type="button"
        disabled={!canReplay}
        title={canReplay ? 'Play it back on the stage' : 'Made in another scene, or a recording is in progress'}
        onClick={() => desk.openReplay(id)}
      >
        Replay
      </button>
      <input
        class="take-name"
        value={name}
        maxLength={60}
        aria-label={`Name of ${name}`}
        onChange={(event) => {
          desk.rename(id, event.currentTarget.value);
          event.currentTarget.value = desk.takes.value.find((one) => one.id === id)?.name ?? '';
        }}
      />
      <span class="figures take-time" title={`${take.hands[0]!.count.toLocaleString('en')} cycles${lost}`}>
        {formatTime(seconds)}
      </span>
      <button type="button" onClick={() => onCompare(id)}>
        Compare…
      </button>
      {(['csv', 'mcap'] as const).map((format) => (
        <button
          key={format}
          type="button"
          disabled={isSaving}
          aria-label={`Save ${name} as ${format.toUpperCase()}`}
          onClick={() => void desk.save(id, format)}
        >
          {format.toUpperCase()}
        </button>
      ))}
      <button type="button" aria-label={`Delete ${name}`} onClick={() => desk.remove(id)}>
        Delete
      </button>
    </li>
  );
}

/** Minutes, seconds and tenths, always as wide. */
function formatTime(seconds: number): string {
  const tenths = Math.floor(10 * seconds + 1e-6);
  const rest = (tenths % 600) / 10;
  return `${Math.floor(tenths / 600)}:${rest.toFixed(1).padStart(4, '0')}`;
}
