import type { PreparedBody } from '../asset/prepared-body.js';
import { PalpableError } from '../base/errors.js';
import { createPose, type Pose } from '../math/pose.js';
import type { Clock } from '../method/method.js';
import { createMethodCaches, type MethodCaches } from '../method/method-caches.js';
import type { ServedSide } from '../method/method-definition.js';
import { methodOf } from '../method/methods.js';
import { bodyPose } from '../method/scene-pairs.js';
import { checkSceneValue } from '../scene/check-scene.js';
import { describeSources } from '../scene/create-scene-method.js';
import { createMailboxReader, type MailboxReader } from './command-mailbox.js';
import type { ContactSettings } from './contact-links.js';
import {
  type ContactExchange,
  type ContactThreadControl,
  type ContactThreadMemory,
  NOTE_EPOCH,
  NOTE_TICKET,
  openContactExchange,
  openContactThreadControl,
  PACE_RATE,
  PACE_UPDATE_US,
} from './contact-thread-memory.js';
import { createShapeShower, type ShapeShower } from './show-shapes.js';

/** All that a contact thread is given to start with. It can be sent to a worker. */
export interface ContactThreadSetup {
  /** What the scene file holds, and its bodies, as the loop was given them. */
  readonly scene: unknown;
  readonly bodies: ReadonlyMap<string, PreparedBody>;
  /** The tools of the hands, in their order. */
  readonly tools: readonly string[];
  readonly memory: ContactThreadMemory;
  /** Models per second at most, for experiments; as many as it can unless given. */
  readonly rate?: number;
}

/** What a contact thread says. */
export type FromContactThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly message: string };

export interface ContactThreadHost {
  /** Milliseconds. */
  readonly clock: Clock;
  tell(message: FromContactThread): void;
}

/** How long it sleeps when there is nothing new, ms: shortly while a loop runs, longer when none does. */
const SHORT_SLEEP_MS = 0.2;
const LONG_SLEEP_MS = 5;
const PASSES_TO_LONG_SLEEP = 500;
/** Over so long models are counted, ms. */
const STRETCH_MS = 250;

/**
 * The contact thread, for a worker of Node or of a page: newest state in, contact model out, as fast as it can, until it
 * is told to stop; until then its thread hears nothing else. It follows changes of the scene by itself.
 */
export function serveContactSide(setup: ContactThreadSetup, { clock, tell }: ContactThreadHost): void {
  try {
    const server = createContactServer(setup, clock);
    tell({ kind: 'ready' });
    while (!server.isStopped()) server.pass();
    tell({ kind: 'ended' });
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

/** A contact side that is served pass by pass. */
export interface ContactServer {
  isStopped(): boolean;
  /** Checks for settings and for states, answers what is new, and sleeps when nothing is. */
  pass(): void;
}

interface Server {
  readonly setup: ContactThreadSetup;
  readonly clock: Clock;
  readonly control: ContactThreadControl;
  readonly settings: MailboxReader<ContactSettings>;
  readonly caches: MethodCaches;
  readonly shower: ShapeShower | null;
  readonly hands: readonly ServedHand[];
  epoch: number;
  idlePasses: number;
  /** Microseconds of the last update, and updates per second. */
  readonly pace: Float64Array;
  /** When the present stretch began, and updates in it; when the next update is due. */
  readonly times: Float64Array;
}

interface ServedHand {
  readonly tool: string;
  readonly exchange: ContactExchange;
  /** Where the tool is, for the other hands. */
  readonly place: Pose;
  served: ServedSide | null;
  ticket: number;
}

const STRETCH_BEGAN = 0;
const STRETCH_MODELS = 1;
const DUE = 2;

export function createContactServer(setup: ContactThreadSetup, clock: Clock): ContactServer {
  const { tools, memory, scene } = setup;
  const server: Server = {
    setup,
    clock,
    control: openContactThreadControl(memory),
    settings: createMailboxReader<ContactSettings>(memory.settings),
    caches: createMethodCaches(),
    shower: memory.shapes && createShapeShower(memory.shapes, clock),
    hands: tools.map((tool, hand) => ({
      tool,
      exchange: openContactExchange(memory, hand),
      place: createPose(),
      served: null,
      ticket: 0,
    })),
    epoch: 0,
    idlePasses: 0,
    pace: new Float64Array(2),
    times: Float64Array.of(clock(), 0, 0),
  };
  buildSides(server, scene);
  server.control.ready(0);
  return { isStopped: server.control.isStopped, pass: () => passOnce(server) };
}

function passOnce(server: Server): void {
  const { control, settings, hands, setup, times, clock } = server;
  control.beat();
  const changed = settings.take();
  if (changed) followSettings(server, changed);
  if (setup.rate !== undefined && clock() < times[DUE]) {
    control.sleep(SHORT_SLEEP_MS);
    return;
  }
  let answered = 0;
  for (let h = 0; h < hands.length; h += 1) if (answerState(server, hands[h])) answered += 1;
  if (answered > 0) {
    server.idlePasses = 0;
    if (setup.rate !== undefined) times[DUE] = Math.max(times[DUE] + 1000 / setup.rate, clock());
    return;
  }
  server.idlePasses += 1;
  control.sleep(server.idlePasses < PASSES_TO_LONG_SLEEP ? SHORT_SLEEP_MS : LONG_SLEEP_MS);
}

/** Settings may come twice. */
function followSettings(server: Server, { epoch, groups }: ContactSettings): void {
  if (epoch === server.epoch) return;
  const { control, setup } = server;
  control.take(epoch);
  server.epoch = epoch;
  buildSides(server, { ...(setup.scene as object), ...groups });
  control.ready(epoch);
}

/** Another method has no need of a contact side; the loop sends no states then. */
function buildSides(server: Server, value: unknown): void {
  const { hands, setup, caches, clock } = server;
  const { bodies } = setup;
  const { scene, problems } = checkSceneValue(value);
  if (!scene) throw new PalpableError('option-invalid', problems.map(({ message }) => message).join(' '), 'scene');
  for (const { place, tool, ticket } of hands) if (ticket === 0) place.set(bodyPose(scene.bodies[tool]));
  const places = new Map(hands.map(({ tool, place }) => [tool, place]));
  const tools = hands.map(({ tool }) => tool);
  const { contactSide } = methodOf(scene.method.kind);
  hands.forEach((hand, h) => {
    const isServed = contactSide && (h === 0 || !contactSide.isShared);
    const options = { tool: hand.tool, tools, caches, places, clock };
    hand.served = isServed ? contactSide.serve(scene, describeSources(scene, bodies, options)) : null;
  });
}

/** Whether there was a state to answer. */
function answerState(server: Server, hand: ServedHand): boolean {
  const { served, exchange, place } = hand;
  const { states, models } = exchange;
  if (!states.take() || served === null) return false;
  const { state, notes } = states.block;
  // Sent before the loop knew of the present settings.
  if (notes[NOTE_EPOCH] !== server.epoch) return false;
  if (notes[NOTE_TICKET] !== hand.ticket) served.reset();
  hand.ticket = notes[NOTE_TICKET];
  const start = server.clock();
  served.update(models.block.model, state);
  server.shower?.show(served);
  served.place(place, state);
  models.block.notes[NOTE_TICKET] = hand.ticket;
  models.publish();
  noteUpdate(server, start);
  return true;
}

function noteUpdate({ clock, pace, times, control }: Server, start: number): void {
  const now = clock();
  pace[PACE_UPDATE_US] = 1000 * (now - start);
  times[STRETCH_MODELS] += 1;
  const passed = now - times[STRETCH_BEGAN];
  if (passed >= STRETCH_MS) {
    pace[PACE_RATE] = (1000 * times[STRETCH_MODELS]) / passed;
    times[STRETCH_BEGAN] = now;
    times[STRETCH_MODELS] = 0;
  }
  control.count(pace);
}
