/**
 * Takes at work: records what the loop reports, keeps the list, plays one back onto the stage, writes files. The page calls
 * `frame` with every frame; the record bar shows the signals.
 */
import { type LiveEvent, PalpableError, type PreparedBody } from '@palpable/engine';
import type { RingReader } from '@palpable/engine/advanced';
import { signal } from '@preact/signals';
import { messageOf } from '../controls/words.js';
import type { ComparedMotion } from './compare.js';
import { csvOfTake, type ExportHooks, fileName, saveFile } from './export.js';
import { Replay, type ReplayMoment } from './replay.js';
import { createTakeRecorder, secondsOf, type Take, type TakeEnd, type TakeRecorder, trajectoryOf } from './take.js';

/** A loop that runs: where its rows come from, and what a take has to know of it. */
export interface RecordedLoop {
  readonly rows: RingReader;
  /** What the scene file would hold now, with all changes so far. */
  readonly scene: () => unknown;
  /** s */
  readonly timeStep: number;
  /** In the order of the hands. */
  readonly tools: readonly string[];
  readonly bodies: ReadonlyMap<string, PreparedBody>;
}

export interface DeskListener {
  /** Shows a moment of the first hand in place of the loop; undefined: shows the loop again. */
  show(moment: ReplayMoment | undefined): void;
  /** Gives a file to the user; the browser's downloads unless given. */
  save?(name: string, content: Blob): void;
}

export interface ListedTake {
  readonly id: number;
  readonly name: string;
  readonly take: Take;
  readonly seconds: number;
  /** Of the scene that it was made in. */
  readonly bodies: ReadonlyMap<string, PreparedBody>;
}

export interface ShownReplay {
  readonly id: number;
  /** s */
  readonly time: number;
  readonly duration: number;
  readonly isPlaying: boolean;
  readonly speed: number;
}

const END_WORDS: Readonly<Record<TakeEnd, string>> = {
  stopped: '',
  full: 'The recording ended at ten minutes, the longest that a tab can keep.',
  'loop-ended': 'The recording ended with the loop; everything up to then is kept.',
};

export class RecordDesk {
  /** Undefined while nothing is recorded; time in tenths of a second. */
  readonly recording = signal<{ readonly seconds: number; readonly dropped: number } | undefined>(undefined);
  readonly canRecord = signal(false);
  readonly takes = signal<readonly ListedTake[]>([]);
  readonly replay = signal<ShownReplay | undefined>(undefined);
  /** A file on its way, 0 to 1. */
  readonly saving = signal<{ readonly name: string; readonly fraction: number } | undefined>(undefined);
  /** What the user should know of the last thing that happened; empty for nothing. */
  readonly words = signal('');

  private readonly listener: DeskListener;
  private loop: RecordedLoop | undefined;
  private recorder: TakeRecorder | undefined;
  private player: Replay | undefined;
  private made = 0;

  constructor(listener: DeskListener) {
    this.listener = listener;
  }

  /** A loop has begun; one that ran before is over. */
  attach(loop: RecordedLoop): void {
    this.detach();
    this.loop = loop;
    this.recorder = createTakeRecorder(loop.rows);
    this.canRecord.value = true;
  }

  /** The loop has ended. */
  detach(): void {
    // What it did last is still to be fetched.
    const ended = this.recorder?.drain();
    if (ended) this.keep(ended);
    if (this.recorder?.isRecording) this.keep({ ...this.recorder.stop(), end: 'loop-ended' });
    // Another scene may come, in which the take would make no sense.
    this.leaveReplay();
    this.loop = undefined;
    this.recorder = undefined;
    this.canRecord.value = false;
  }

  /** With every frame of the page; `onRow` sees every row of the loop, `nowMs` is any clock that goes on. */
  frame(nowMs: number, onRow?: (row: Float64Array) => void): void {
    const ended = this.recorder?.drain(onRow);
    if (ended) this.keep(ended);
    this.showRecording();
    if (!this.player?.advance(nowMs)) return;
    this.listener.show(this.player.moment);
    this.showReplay();
  }

  /** A command that the loop carried out. */
  note(event: LiveEvent): void {
    this.recorder?.note(event);
  }

  toggleRecording(): void {
    const { loop, recorder } = this;
    if (!loop || !recorder) return;
    this.words.value = '';
    if (recorder.isRecording) {
      recorder.drain();
      // The last rows may have brought it to its end by themselves.
      if (recorder.isRecording) this.keep(recorder.stop());
      return;
    }
    this.leaveReplay();
    const { timeStep, tools } = loop;
    recorder.start({ name: `Take ${this.made + 1}`, scene: structuredClone(loop.scene()), timeStep, tools });
    this.showRecording();
  }

  /** Whether the stage still has the bodies of a take. */
  canReplay({ bodies }: ListedTake): boolean {
    return this.loop?.bodies === bodies;
  }

  openReplay(id: number): void {
    const listed = this.listed(id);
    if (!listed || !this.canReplay(listed) || this.recorder?.isRecording) return;
    this.player = new Replay(listed.take.hands[0]!);
    this.listener.show(this.player.moment);
    this.showReplay(id);
  }

  /** Back to the loop. */
  leaveReplay(): void {
    if (!this.player) return;
    this.player = undefined;
    this.replay.value = undefined;
    this.listener.show(undefined);
  }

  togglePlaying(): void {
    if (this.player?.isPlaying) this.player.pause();
    else this.player?.play();
    this.showReplay();
  }

  seek(time: number): void {
    if (!this.player) return;
    this.player.seek(time);
    this.listener.show(this.player.moment);
    this.showReplay();
  }

  setSpeed(speed: number): void {
    this.player?.setSpeed(speed);
    this.showReplay();
  }

  rename(id: number, name: string): void {
    const trimmed = name.trim();
    if (trimmed === '') return;
    this.takes.value = this.takes.value.map((one) => (one.id === id ? { ...one, name: trimmed } : one));
  }

  remove(id: number): void {
    if (this.replay.value?.id === id) this.leaveReplay();
    this.takes.value = this.takes.value.filter((one) => one.id !== id);
  }

  /** Writes a file; a second one waits for nothing and is refused while the first is on its way. */
  async save(id: number, format: 'csv' | 'mcap', hooks: ExportHooks = {}): Promise<void> {
    const listed = this.listed(id);
    if (!listed || this.saving.value) return;
    const name = fileName(listed.name, format);
    const onProgress = (fraction: number) => (this.saving.value = { name, fraction });
    onProgress(0);
    this.words.value = '';
    try {
      const content = await writeFile(listed.take, format, { ...hooks, onProgress });
      (this.listener.save ?? saveFile)(name, content);
    } catch (error) {
      this.words.value = `${name} could not be written: ${messageOf(error)}`;
    } finally {
      this.saving.value = undefined;
    }
  }

  /** What a comparison of a take needs. */
  motionOf(id: number): ComparedMotion {
    const listed = this.listed(id);
    if (!listed) throw new PalpableError('option-invalid', 'The take is no longer in the list; choose another one.');
    const { take, bodies } = listed;
    const hand = take.hands[0]!;
    const startPose = new Replay(hand).moment.toolPose.slice();
    return { scene: take.scene, tool: hand.tool, bodies, trajectory: trajectoryOf(hand), startPose };
  }

  private listed(id: number): ListedTake | undefined {
    return this.takes.value.find((one) => one.id === id);
  }

  private keep(take: Take): void {
    this.recording.value = undefined;
    this.words.value = END_WORDS[take.end];
    const hand = take.hands[0]!;
    if (hand.count === 0) {
      this.words.value = 'Nothing was recorded: the loop did not run.';
      return;
    }
    this.made += 1;
    const { bodies } = this.loop!;
    const listed = { id: this.made, name: take.name, take, seconds: secondsOf(hand), bodies };
    this.takes.value = [...this.takes.value, listed];
    if (this.canReplay(listed) && take.end === 'stopped') this.openReplay(listed.id);
  }

  private showRecording(): void {
    const { recorder, recording } = this;
    if (!recorder?.isRecording) {
      recording.value = undefined;
      return;
    }
    const seconds = Math.floor(10 * recorder.seconds) / 10;
    const { dropped } = recorder;
    if (recording.value?.seconds !== seconds || recording.value.dropped !== dropped)
      recording.value = { seconds, dropped };
  }

  private showReplay(id = this.replay.value?.id): void {
    if (!this.player || id === undefined) return;
    const { time, duration, isPlaying, speed } = this.player;
    this.replay.value = { id, time, duration, isPlaying, speed };
  }
}

async function writeFile(take: Take, format: 'csv' | 'mcap', hooks: ExportHooks): Promise<Blob> {
  if (format === 'csv') return csvOfTake(take, hooks);
  // Its writer is only fetched when it is wanted.
  const { mcapOfTake } = await import('./mcap-of-take.js');
  return mcapOfTake(take, hooks);
}
