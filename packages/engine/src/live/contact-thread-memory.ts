import {
  createTripleReader,
  createTripleWriter,
  resetTripleBuffer,
  type TripleReader,
  type TripleWriter,
} from '../base/triple-buffer.js';
import { methods } from '../method/methods.js';
import { createMailbox, type Mailbox } from './command-mailbox.js';
import type { ShapeMemory } from './shape-memory.js';

/**
 * All that a loop and its contact thread share, and the only file that knows how it lies there. States of the tool, or of
 * all bodies, go in, contact models come back, each through a triple buffer: neither side ever waits for the other,
 * and a block is never read half-written. Everything in it can be sent to a worker.
 *
 * Three numbers say which model belongs to what:
 *
 * - The epoch counts changes of the scene. The contact thread says which one it has taken (`takenEpoch`) and which one it
 *   is built for (`readyEpoch`); it leaves states of another epoch unanswered.
 * - The ticket is new whenever the tool is put somewhere else or the method changes. A model bears the ticket of the
 *   state it was made for, and one with an old ticket does not count.
 * - The heartbeat grows while the contact thread lives, whether there is work or not.
 */
export interface ContactThreadMemory {
  readonly control: SharedArrayBuffer;
  /** Numbers that a state has. */
  readonly stateSize: number;
  /** One per hand. */
  readonly exchanges: readonly SharedArrayBuffer[];
  /** The newest settings, from the loop to the contact thread. */
  readonly settings: Mailbox;
  /** Where the contact thread shows deformed surfaces, if somebody watches. */
  readonly shapes: ShapeMemory | null;
}

/** A scene's live groups are a few hundred characters, unless they name regions of many bodies. */
export const SETTINGS_CHARACTERS = 65_536;

/** Cells of the control. */
const STOP = 0;
const HEARTBEAT = 1;
const TAKEN_EPOCH = 2;
const READY_EPOCH = 3;
const UPDATES = 4;
const UPDATE_US = 5;
const RATE = 6;
/** Where the contact thread sleeps; nobody ever wakes it. */
const BED = 7;
const CONTROL_CELLS = 8;

/** Of a thread that is being built. */
const NOT_READY = -1;

/** Cells of the head of an exchange: two triple buffers. */
const STATE_SLOT = 0;
const MODEL_SLOT = 3;
const HEAD_BYTES = 32;

/** Ticket and epoch, behind the state. */
const STATE_NOTES = 2;
/** Of the largest model of any method. */
const MODEL_NUMBERS = Math.max(...methods.map(({ contactSide }) => contactSide?.modelSize ?? 0));
/** The ticket is behind the model. */
const MODEL_BLOCK_NUMBERS = MODEL_NUMBERS + 1;
const BLOCKS = [0, 1, 2];

/**
 * Allocates what a loop and its contact thread share. `stateSize` is that of the largest state of any method that
 * commands may change to, in numbers.
 */
export function createContactThreadMemory(
  hands: number,
  stateSize: number,
  shapes: ShapeMemory | null = null,
): ContactThreadMemory {
  const control = new SharedArrayBuffer(4 * CONTROL_CELLS);
  Atomics.store(new Int32Array(control), READY_EPOCH, NOT_READY);
  const exchanges = Array.from({ length: hands }, () => {
    const memory = new SharedArrayBuffer(HEAD_BYTES + 3 * 8 * (stateSize + STATE_NOTES + MODEL_BLOCK_NUMBERS));
    const head = new Int32Array(memory, 0, HEAD_BYTES / 4);
    resetTripleBuffer(head, STATE_SLOT);
    resetTripleBuffer(head, MODEL_SLOT);
    return memory;
  });
  return { control, stateSize, exchanges, settings: createMailbox(SETTINGS_CHARACTERS), shapes };
}

/** A state, with the ticket and epoch that it is sent under. */
export interface StateBlock {
  readonly state: Float64Array;
  /** Ticket, then epoch. */
  readonly notes: Float64Array;
}

/** A contact model, with the ticket of the state that it was made for. */
export interface ModelBlock {
  readonly model: Float64Array;
  readonly notes: Float64Array;
}

export const NOTE_TICKET = 0;
export const NOTE_EPOCH = 1;

/** The loop's side of one hand. */
export interface LoopExchange {
  readonly states: TripleWriter<StateBlock>;
  readonly models: TripleReader<ModelBlock>;
}

/** The contact thread's side of one hand. */
export interface ContactExchange {
  readonly states: TripleReader<StateBlock>;
  readonly models: TripleWriter<ModelBlock>;
}

/** The loop's end of the exchange with a hand: tool states out, contact models in. */
export function openLoopExchange(memory: ContactThreadMemory, hand: number): LoopExchange {
  const { head, states, models } = viewExchange(memory, hand);
  return {
    states: createTripleWriter(head, STATE_SLOT, states),
    models: createTripleReader(head, MODEL_SLOT, models),
  };
}

/** The contact thread's end of the exchange with a hand: tool states in, contact models out. */
export function openContactExchange(memory: ContactThreadMemory, hand: number): ContactExchange {
  const { head, states, models } = viewExchange(memory, hand);
  return {
    states: createTripleReader(head, STATE_SLOT, states),
    models: createTripleWriter(head, MODEL_SLOT, models),
  };
}

function viewExchange({ exchanges, stateSize }: ContactThreadMemory, hand: number) {
  const memory = exchanges[hand];
  const stateNumbers = stateSize + STATE_NOTES;
  const head = new Int32Array(memory, 0, HEAD_BYTES / 4);
  const states = BLOCKS.map((block): StateBlock => {
    const numbers = new Float64Array(memory, HEAD_BYTES + 8 * stateNumbers * block, stateNumbers);
    return { state: numbers.subarray(0, stateSize), notes: numbers.subarray(stateSize) };
  });
  const firstModel = HEAD_BYTES + 3 * 8 * stateNumbers;
  const models = BLOCKS.map((block): ModelBlock => {
    const numbers = new Float64Array(memory, firstModel + 8 * MODEL_BLOCK_NUMBERS * block, MODEL_BLOCK_NUMBERS);
    return { model: numbers.subarray(0, MODEL_NUMBERS), notes: numbers.subarray(MODEL_NUMBERS) };
  });
  return { head, states, models };
}

/** What the loop and the host see of the contact thread. */
export interface ContactThreadWatch {
  readonly heartbeat: number;
  /** Epoch of the newest settings that it has taken, and of those that it can answer; −1 while it is built. */
  readonly takenEpoch: number;
  readonly readyEpoch: number;
  /** Models made since the memory was made, modulo 2³². */
  readonly updates: number;
  /** Of the last model, microseconds, and models per second lately, both to the whole number. */
  readonly updateUs: number;
  readonly rate: number;
}

/** Shows how the contact thread is doing, for whoever holds its memory. */
export function watchContactThread({ control }: ContactThreadMemory): ContactThreadWatch {
  const cells = new Int32Array(control);
  return {
    get heartbeat() {
      return Atomics.load(cells, HEARTBEAT);
    },
    get takenEpoch() {
      return Atomics.load(cells, TAKEN_EPOCH);
    },
    get readyEpoch() {
      return Atomics.load(cells, READY_EPOCH);
    },
    get updates() {
      return Atomics.load(cells, UPDATES) >>> 0;
    },
    get updateUs() {
      return Atomics.load(cells, UPDATE_US);
    },
    get rate() {
      return Atomics.load(cells, RATE);
    },
  };
}

/** Asks the contact thread to end. It does within a few milliseconds, or after the update it is at. */
export function stopContactThread({ control }: ContactThreadMemory): void {
  Atomics.store(new Int32Array(control), STOP, 1);
}

/** The control as the contact thread uses it. */
export interface ContactThreadControl {
  isStopped(): boolean;
  beat(): void;
  /** Begins to build for settings of an epoch, and is done with it. */
  take(epoch: number): void;
  ready(epoch: number): void;
  /** A model was made: `numbers` holds the microseconds it took and the models per second. */
  count(numbers: Float64Array): void;
  sleep(ms: number): void;
}

export const PACE_UPDATE_US = 0;
export const PACE_RATE = 1;

/** A contact thread that begins, for the first time or in place of one that died, has epoch 0 and is not ready. */
export function openContactThreadControl({ control }: ContactThreadMemory): ContactThreadControl {
  const cells = new Int32Array(control);
  Atomics.store(cells, READY_EPOCH, NOT_READY);
  Atomics.store(cells, TAKEN_EPOCH, 0);
  return {
    isStopped: () => Atomics.load(cells, STOP) === 1,
    beat: () => void Atomics.add(cells, HEARTBEAT, 1),
    take(epoch) {
      Atomics.store(cells, READY_EPOCH, NOT_READY);
      Atomics.store(cells, TAKEN_EPOCH, epoch);
    },
    ready: (epoch) => void Atomics.store(cells, READY_EPOCH, epoch),
    count(numbers) {
      Atomics.add(cells, UPDATES, 1);
      Atomics.store(cells, UPDATE_US, Math.round(numbers[PACE_UPDATE_US]));
      Atomics.store(cells, RATE, Math.round(numbers[PACE_RATE]));
    },
    sleep: (ms) => void Atomics.wait(cells, BED, 0, ms),
  };
}
