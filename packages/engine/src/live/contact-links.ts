import type { ContactLink } from '../method/contact-link.js';
import { MODEL_SEQUENCE } from '../method/contact-model-header.js';
import type { ContactSideDefinition } from '../method/method-definition.js';
import { postText } from './command-mailbox.js';
import {
  type ContactThreadMemory,
  type ContactThreadWatch,
  type LoopExchange,
  NOTE_EPOCH,
  NOTE_TICKET,
  openLoopExchange,
  SETTINGS_CHARACTERS,
  watchContactThread,
} from './contact-thread-memory.js';
import { LIVE_GROUPS } from './scene-change.js';

/** The loop's side of its contact thread: a link for each method, and settings that the thread has to follow. */
export interface ContactLinks {
  readonly memory: ContactThreadMemory;
  readonly watch: ContactThreadWatch;
  readonly exchanges: readonly LoopExchange[];
  /** Of the scene as the loop has it now. */
  epoch: number;
  /** The last one given out. */
  ticket: number;
  /** `ContactSettings` of the epoch, as text. */
  settings: string;
}

/** What the contact thread is given when the scene changes. All that can change, so that it may miss some in between. */
export interface ContactSettings {
  readonly epoch: number;
  /** Of the scene file. */
  readonly groups: Readonly<Record<string, unknown>>;
}

/** The link of one method. */
export interface ThreadLink extends ContactLink {
  /** The tool is put somewhere else: no model that was made before counts. */
  renew(): void;
  /** Another method has the exchange from now on; this one keeps the model that it has. */
  leave(): void;
}

export function openContactLinks(memory: ContactThreadMemory): ContactLinks {
  return {
    memory,
    watch: watchContactThread(memory),
    exchanges: memory.exchanges.map((_, hand) => openLoopExchange(memory, hand)),
    epoch: 0,
    ticket: 0,
    settings: '',
  };
}

/** Why a changed scene cannot be sent to the contact thread; null if it can. */
export function contactSettingsProblem(value: unknown): string | null {
  const { length } = describeSettings(value, Number.MAX_SAFE_INTEGER);
  if (length <= SETTINGS_CHARACTERS) return null;
  return (
    `The settings of the scene have ${length} characters, but with a contact thread must have at most ` +
    `${SETTINGS_CHARACTERS} to change while the scene runs; load the changed scene instead.`
  );
}

/** The scene has changed. */
export function changeContactSettings(links: ContactLinks, value: unknown): void {
  links.epoch += 1;
  links.settings = describeSettings(value, links.epoch);
}

function describeSettings(value: unknown, epoch: number): string {
  const scene = value as Record<string, unknown>;
  const settings: ContactSettings = {
    epoch,
    groups: Object.fromEntries(LIVE_GROUPS.map((group) => [group, scene[group]])),
  };
  return JSON.stringify(settings);
}

/**
 * Once per cycle: sends the settings to a contact thread that does not have them, which may be a new one in place of one
 * that died. Whether it is ready to answer under them.
 */
export function followContactThread({ watch, memory, epoch, settings }: ContactLinks): boolean {
  if (watch.takenEpoch !== epoch) postText(memory.settings, settings);
  return watch.readyEpoch === epoch;
}

/** Takes the place of the hand's link before. */
export function createThreadLink(
  links: ContactLinks,
  hand: number,
  { modelSize, sizeOf }: ContactSideDefinition,
): ThreadLink {
  const { states, models } = links.exchanges[hand];
  const own = new Float64Array(modelSize);
  const { epoch } = links;
  let ticket = 0;
  let hasLeft = false;
  let sequence = 0;

  const renew = () => {
    links.ticket += 1;
    ticket = links.ticket;
    own.fill(0);
  };
  renew();
  return {
    renew,
    leave() {
      hasLeft = true;
    },
    model() {
      if (hasLeft || !models.take()) return own;
      const { model, notes } = models.block;
      if (notes[NOTE_TICKET] !== ticket) return own;
      const size = sizeOf(model);
      for (let k = 0; k < size; k += 1) own[k] = model[k];
      // Each contact thread counts for itself; one that was started again must not seem to be the old one.
      sequence += 1;
      own[MODEL_SEQUENCE] = sequence;
      return own;
    },
    tell(state) {
      if (hasLeft) return;
      const { state: told, notes } = states.block;
      for (let k = 0; k < state.length; k += 1) told[k] = state[k];
      notes[NOTE_TICKET] = ticket;
      notes[NOTE_EPOCH] = epoch;
      states.publish();
    },
  };
}
