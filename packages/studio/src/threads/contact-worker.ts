/**
 * The thread that finds the contacts. With shared memory it sleeps until the page writes a pose, answers it and sleeps
 * again: nothing is computed while nothing moves.
 */
import {
  type ContactQuery,
  type ContactSet,
  createContactQuery,
  createContactSet,
  queryContacts,
  transformPoint,
} from '@palpable/engine';
import { workerScope } from './browser-workers.js';
import { type ContactFrame, FrameNumber, frameBytes, openThreadEnd, viewFrame } from './contact-channel.js';
import type { ContactSetup, FromContactThread, ToContactThread } from './contact-messages.js';

interface Contacts {
  readonly query: ContactQuery;
  readonly set: ContactSet;
  readonly fieldPose: Float64Array;
  readonly toolCentre: readonly [number, number, number];
  /** The same in the world, written anew for every pose. */
  readonly centre: Float64Array;
}

const WARM_UP_POSES = 150;

let contacts: Contacts | undefined;

workerScope.addEventListener('message', ({ data }: MessageEvent<ToContactThread>) => {
  try {
    if (data.kind === 'setup') start(data.setup);
    else answerMessage(contacts!, data.pose, data.count);
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});

function tell(message: FromContactThread, transfer: Transferable[] = []): void {
  workerScope.postMessage(message, transfer);
}

function start(setup: ContactSetup): void {
  const query = createContactQuery(setup.shell, setup.field, { shellOn: 'tool', maxContacts: setup.maxContacts });
  const { fieldPose, toolCentre, maxContacts } = setup;
  contacts = { query, set: createContactSet(maxContacts), fieldPose, toolCentre, centre: new Float64Array(3) };
  warmUp(contacts, setup.shellPose);
  if (setup.memory) serveSharedMemory(contacts, setup.memory);
}

/**
 * Runs through poses from free to deep inside before the first one counts, so that the engine's code is compiled and the
 * times shown are those of a running loop.
 */
function warmUp({ query, set, fieldPose, centre }: Contacts, shellPose: Float64Array): void {
  const pose = shellPose.slice();
  for (let step = 0; step <= WARM_UP_POSES; step++) {
    for (let k = 0; k < 3; k++) pose[k] = shellPose[k]! + ((fieldPose[k]! - shellPose[k]!) * step) / WARM_UP_POSES;
    queryContacts(query, set, pose, fieldPose, centre);
  }
}

function serveSharedMemory(contacts: Contacts, memory: SharedArrayBuffer): never {
  const end = openThreadEnd(memory, contacts.set.capacity);
  for (;;) {
    const { pose, count } = end.waitForPose();
    answer(end.frames.block, contacts, pose, count);
    if (end.publishFrame()) tell({ kind: 'announce' });
  }
}

function answerMessage(contacts: Contacts, pose: Float64Array, count: number): void {
  const { capacity } = contacts.set;
  const buffer = new ArrayBuffer(frameBytes(capacity));
  answer(viewFrame(buffer, 0, capacity), contacts, pose, count);
  tell({ kind: 'frame', buffer }, [buffer]);
}

function answer(frame: ContactFrame, contacts: Contacts, pose: Float64Array, count: number): void {
  const { query, set, centre } = contacts;
  transformPoint(centre, pose, ...contacts.toolCentre);
  const start = performance.now();
  queryContacts(query, set, pose, contacts.fieldPose, centre);
  const end = performance.now();
  frame.position.set(set.position.subarray(0, 3 * set.count));
  frame.normal.set(set.normal.subarray(0, 3 * set.count));
  frame.depth.set(set.depth.subarray(0, set.count));
  let deepest = 0;
  for (let i = 0; i < set.count; i++) deepest = Math.max(deepest, set.depth[i]!);
  const { numbers } = frame;
  numbers[FrameNumber.contacts] = set.count;
  numbers[FrameNumber.deepest] = deepest;
  numbers[FrameNumber.visited] = query.counters.visited;
  numbers[FrameNumber.capped] = query.counters.capped === 0 ? 0 : 1;
  numbers[FrameNumber.queryUs] = 1000 * (end - start);
  numbers[FrameNumber.pose] = count;
}
